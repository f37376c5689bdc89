// Window laws: how a congestion window grows once slow start is over, and what a loss leaves of it. One file per law.
// What counts as a loss, what is sent again and when is the same for all of them (congestion.h, recovery.cpp).
//
// A connection has the number of its law. A law may keep a state of its own, and have records of when segments were
// sent; others pay for neither. At -O2 the code has the laws that occur in the model.
#pragma once

#include <cstdint>

#include "abi/records.h"
#include "net/facts.h"
#include "transport/connection.h"
#include "transport/law/newreno.h"
#include "transport/law/state.h"

namespace anml::rt::tcp::law {

// A connection that sends, now.
struct Sender {
    Connection& c;
    States& states;
    Time now;
    State& state() const { return states[c.law_state]; }
};

// Which of these a law has.
struct Traits {
    bool state;    // variables beyond the connection's
    bool records;  // a record of each segment that is under way
};
constexpr Traits traits(abi::Congestion law)
{
    switch (law) {
        case abi::Congestion::newreno:
            return {false, false};
        case abi::Congestion::cubic:
            return {true, true};
    }
    return {};
}

inline abi::Congestion of(const Connection& c)
{
    const auto law = static_cast<abi::Congestion>(c.law);
    assume_present(law);
    return law;
}
inline bool paces(const Connection& c) { return facts.paced && c.pacing; }
inline bool records(const Connection& c) { return traits(of(c)).records; }

// The handshake is done.
inline void opened(const Sender& s)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::opened(s.state().cubic, s.c, s.now);
}

// An acknowledgment has moved una; the last segment that it is for was sent once, so many microseconds ago.
inline void acknowledged(const Sender& s, std::uint32_t rtt)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::acknowledged(s.state().cubic, s.c, rtt, s.now);
}

// In congestion avoidance so many bytes have arrived.
inline void increase(const Sender& s, std::uint32_t bytes)
{
    switch (of(s.c)) {
        case abi::Congestion::newreno:
            return newreno::increase(s.c, bytes);
        case abi::Congestion::cubic:
            return cubic::increase(s.state().cubic, s.c, bytes, s.now);
    }
}

// A loss with `flight` bytes under way: the new ssthresh.
inline std::uint32_t threshold(const Sender& s, std::uint32_t flight)
{
    switch (of(s.c)) {
        case abi::Congestion::newreno:
            return newreno::threshold(s.c, flight);
        case abi::Congestion::cubic:
            return cubic::threshold(s.state().cubic, s.c, flight);
    }
    return 0;
}

// Nothing was sent for so long, since all was acknowledged.
inline void resumed(const Sender& s, Time idle)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::resumed(s.state().cubic, idle, s.now);
}

// The retransmission timer has expired, behind threshold() if that was asked for.
inline void timed_out(const Sender& s)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::timed_out(s.state().cubic, s.c, s.now);
}

}  // namespace anml::rt::tcp::law
