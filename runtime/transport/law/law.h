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
#include "transport/law/scalable.h"
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
    bool state;          // variables beyond the connection's
    bool records;        // a record of each segment that is under way
    bool precise_marks;  // of ECN: how much was marked, so that receivers say it of each segment (RFC 8257)
    bool rules;          // it sets the window, and the pace, with each acknowledgment: nobody else does
};
constexpr Traits traits(abi::Congestion law)
{
    switch (law) {
        case abi::Congestion::newreno:
        case abi::Congestion::scalable:
            return {false, false, false, false};
        case abi::Congestion::cubic:
        case abi::Congestion::vegas:
            return {true, true, false, false};
        case abi::Congestion::dctcp:
            return {true, false, true, false};
        case abi::Congestion::bbr:
        case abi::Congestion::bbr3:
            return {true, false, false, true};
    }
    return {};
}
// One comparison, which every acknowledgment makes: those that rule are the last.
static_assert(!traits(abi::Congestion::scalable).rules && abi::Congestion::scalable < abi::Congestion::bbr);
static_assert(traits(abi::Congestion::bbr).rules && abi::Congestion::bbr < abi::Congestion::bbr3);

inline abi::Congestion of(const Connection& c)
{
    const auto law = static_cast<abi::Congestion>(c.law);
    assume_present(law);
    return law;
}
inline bool paces(const Connection& c) { return facts.paced && c.pacing; }
inline bool records(const Connection& c) { return traits(of(c)).records; }
inline bool rules(const Connection& c) { return of(c) >= abi::Congestion::bbr; }
inline bool asks_for_flight(const Connection& c) { return of(c) == abi::Congestion::bbr3; }
inline bbr::Path path(const Sender& s) { return {s.c, s.state().pacing, s.state().delivery, s.now}; }

// The handshake is done.
inline void opened(const Sender& s)
{
    switch (of(s.c)) {
        case abi::Congestion::newreno:
        case abi::Congestion::scalable:
            return;
        case abi::Congestion::cubic:
            return cubic::opened(s.state().cubic, s.c, s.now);
        case abi::Congestion::dctcp:
            s.state().dctcp = {};
            return s.state().dctcp.begin_window(s.c.max);
        case abi::Congestion::vegas:
            return vegas::opened(s.state().vegas, s.c);
        case abi::Congestion::bbr:
            return bbr::opened(s.state().bbr, path(s));
        case abi::Congestion::bbr3:
            return bbr3::opened(s.state().bbr3, path(s));
    }
}

// An acknowledgment has moved una; the last segment that it is for was sent once, so many microseconds ago.
inline void acknowledged(const Sender& s, std::uint32_t rtt)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::acknowledged(s.state().cubic, s.c, rtt, s.now);
    if (of(s.c) == abi::Congestion::vegas) vegas::acknowledged(s.state().vegas, s.c, rtt);
}

// An acknowledgment is understood, and `flight` bytes are under way: of laws that rule.
inline void control(const Sender& s, std::uint32_t flight, bool timed_out)
{
    const auto loss = s.c.recovering ? Bbr::Loss::recovery : timed_out ? Bbr::Loss::time_out : Bbr::Loss::none;
    if (of(s.c) == abi::Congestion::bbr3)
        bbr3::control(s.state().bbr3, path(s), s.state().delivery.finish(s.state().bbr3.least_rtt, s.now), flight,
                      loss);
    else
        bbr::control(s.state().bbr, path(s), s.state().delivery.finish(s.state().bbr.least_rtt, s.now), flight, loss);
}

// Of laws that rule: a segment is found to be lost.
inline void lost(const Sender& s, const LostSegment& segment)
{
    if (of(s.c) == abi::Congestion::bbr3) bbr3::lost(s.state().bbr3, path(s), segment);
}

// So many bytes are acknowledged, and so many of them were marked (ECN).
inline void echoed(const Sender& s, std::uint32_t bytes, std::uint32_t marked)
{
    if (of(s.c) == abi::Congestion::dctcp) s.state().dctcp.observe(s.c, bytes, marked);
}

// In congestion avoidance so many bytes have arrived.
inline void increase(const Sender& s, std::uint32_t bytes)
{
    switch (of(s.c)) {
        case abi::Congestion::newreno:
        case abi::Congestion::dctcp:
            return newreno::increase(s.c, bytes);
        case abi::Congestion::scalable:
            return scalable::increase(s.c, bytes);
        case abi::Congestion::cubic:
            return cubic::increase(s.state().cubic, s.c, bytes, s.now);
        case abi::Congestion::vegas:
            return vegas::increase(s.state().vegas, s.c, bytes);
        case abi::Congestion::bbr:
        case abi::Congestion::bbr3:
            return;
    }
}

// A loss with `flight` bytes under way: the new ssthresh.
inline std::uint32_t threshold(const Sender& s, std::uint32_t flight)
{
    switch (of(s.c)) {
        case abi::Congestion::newreno:
        case abi::Congestion::dctcp:
        case abi::Congestion::vegas:
            return newreno::threshold(s.c, flight);
        case abi::Congestion::scalable:
            return scalable::threshold(s.c, flight);
        case abi::Congestion::cubic:
            return cubic::threshold(s.state().cubic, s.c, flight);
        case abi::Congestion::bbr:
            bbr::remember_window(s.state().bbr, s.c);
            return s.c.ssthresh;
        case abi::Congestion::bbr3:
            bbr3::remember(s.state().bbr3, s.c);
            return s.c.ssthresh;
    }
    return 0;
}

// Of laws that rule: what was sent again had arrived.
inline void undone(const Sender& s)
{
    if (of(s.c) == abi::Congestion::bbr3) bbr3::undone(s.state().bbr3, s.c);
}

// The same of a mark.
inline std::uint32_t marked_threshold(const Sender& s, std::uint32_t flight)
{
    return of(s.c) == abi::Congestion::dctcp ? s.state().dctcp.threshold(s.c) : threshold(s, flight);
}

// Nothing was sent for so long, since all was acknowledged.
inline void resumed(const Sender& s, Time idle)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::resumed(s.state().cubic, idle, s.now);
    if (of(s.c) == abi::Congestion::vegas) vegas::opened(s.state().vegas, s.c);
    if (of(s.c) == abi::Congestion::bbr) bbr::resumed(s.state().bbr, path(s));
    if (of(s.c) == abi::Congestion::bbr3) bbr3::resumed(s.state().bbr3, path(s));
}

// Segments are smaller from here on.
inline void resized(const Sender& s, std::uint32_t old_mss)
{
    if (of(s.c) != abi::Congestion::cubic) return;
    std::uint32_t& friendly = s.state().cubic.friendly;  // in segments
    friendly = static_cast<std::uint32_t>(std::uint64_t{friendly} * old_mss / s.c.mss);
}

// The retransmission timer has expired, behind threshold() if that was asked for.
inline void timed_out(const Sender& s)
{
    if (of(s.c) == abi::Congestion::cubic) cubic::timed_out(s.state().cubic, s.c, s.now);
    if (of(s.c) == abi::Congestion::vegas) vegas::begin_round(s.state().vegas, s.c);
}

}  // namespace anml::rt::tcp::law
