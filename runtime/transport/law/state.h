// What window laws, pacing and the search for the path's MTU keep of a connection beyond its own variables. Only
// connections whose law asks for it, or that pace or search, have one, from a pool (Stack::law_states).
#pragma once

#include "base/pool.h"
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
#include "transport/options/mtu_search.h"
#include "transport/options/nagle.h"
#include "transport/reading.h"

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
