// What window laws, pacing and the search for the path's MTU keep of a connection beyond its own variables. Only
// connections whose law asks for it, or that pace or search, have one, from a pool (Stack::law_states).
#pragma once

#include <cstdint>

#include "base/pool.h"
#include "base/time.h"
#include "transport/law/accurate.h"
#include "transport/law/bbr.h"
#include "transport/law/bbr3.h"
#include "transport/law/cubic.h"
#include "transport/law/dctcp.h"
#include "transport/law/delivery.h"
#include "transport/law/echo.h"
#include "transport/law/pacing.h"
#include "transport/law/sent_records.h"
#include "transport/law/vegas.h"
#include "transport/options/nagle.h"

namespace anml::rt::tcp {

// What a connection knows of the MTU of its path, beyond the size of its segments: those alone have it that look for it
// themselves, or were told of one (mtu_probing.h). Lengths are those of IP packets, in bytes.
struct MtuSearch {
    bool begun = false;                // of this connection
    bool on = false;                   // it looks for the largest packet that arrives
    bool keeps_threshold = false;      // `threshold` counts again when the recovery is over
    std::uint16_t low = 0;             // packets of that length arrive, as far as is known
    std::uint16_t high = 0;            // longer ones do not
    std::uint16_t most = 0;            // what the link and the peer have room for
    std::uint16_t told = 0;            // the same, and what routers have said
    std::uint16_t probe = 0;           // the probe that is under way; 0: none
    std::uint32_t begin = 0, end = 0;  // its payload
    std::uint32_t threshold = 0;       // ssthresh
    Time until = kNever;               // when what routers have said is forgotten
    Time since = 0;                    // when the search began
    Time first_again = 0;              // the first of the time-outs in a row
};

// What a connection keeps of an application that reads at a rate (Tcp's `read_rate`).
struct Reading {
    Time at = 0;             // up to which it has read
    double unread = 0;       // bytes that wait for it in the buffer then
    Time opens = kNever;     // when the window is to be told again
    std::uint32_t slot = 0;  // of the connection
};

}  // namespace anml::rt::tcp

namespace anml::rt::tcp::law {

struct State {
    // Of the one law that the connection has.
    union {
        Cubic cubic = {};
        Dctcp dctcp;
        Vegas vegas;
        Bbr bbr;
        Bbr3 bbr3;
    };
    Delivery delivery;
    Echo echo;
    Accurate accurate;
    SentRecords sent;
    Pacing pacing;
    Nagle nagle;
    MtuSearch mtu;
    Reading reading;
    std::uint32_t widest_window = 0;  // bytes, of a narrow one (transport/options/narrow_window.h)
};
using States = Pool<State, 6>;

}  // namespace anml::rt::tcp::law
