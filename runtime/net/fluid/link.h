// A directed link that fluid shares with packets: one first-in-first-out queue, in which the fluid is a rate and a
// packet a packet, after the hybrid model of Kiddle, Simmonds, Williamson and Unger ("Hybrid packet/fluid flow network
// simulation", PADS 2003).
//
// The unfinished work W of the link, in ns of its time, grows by the fluid at inflow / rate, falls by 1, and jumps by a
// packet's transmission time. Between two jumps or changes of the inflow it is linear, so that its value at the next
// one, and what overflowed until then, are known in closed form. It lies in `line.busy_until`, as drop-tail's backlog
// does (queue/droptail.h): a packet begins when all has left that was there before it, fluid or not.
//
// While the queue is full and more comes than leaves, the link loses the share (inflow + packets - rate) /
// (inflow + packets) of either, where `packets` is the measured rate of the packets that come: a packet is drawn to be
// lost with that probability. One that is let in exceeds the queue by itself, and the fluid that comes until this is
// made up for is lost instead. Fluid that would leave by itself finds the queue full at times only, and so do packets:
// they are drawn with more, by as much as they owe of what the fluid has lost. Where that much does not come for long a
// packet that finds no room is lost, as by drop-tail.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/sampling.h"
#include "net/link/droptail.h"
#include "net/link/link_state.h"
#include "net/queue/discipline.h"

namespace anml::rt::fluid {

struct Window {  // of what is measured: [begin, end)
    Time begin = 0, end = 0;
};

struct FluidLink {
    LinkState line;           // as if it had none: its rate and bounds, and until when it is busy
    double fraction = 0;      // of a ns, behind line.busy_until while that is to come
    double inflow = 0;        // of the fluid, bytes per ns
    Time at = 0;              // up to which all of this is known
    double packets = 0;       // rate at which packets came, bytes per ns, as measured at
    Time measured_at = 0;     // the last one
    double lost_since = 0;    // bytes of fluid, since then, for want of room
    double owed = 0;          // bytes of packets to lose until they have lost the share that the fluid has
    std::uint64_t draws = 0;  // random numbers that it has used
    // Bytes of fluid, in the measured window.
    double offered = 0, lost = 0;
    // ns of the measured window in which the link transmitted; that the packets take which came in it.
    double busy = 0, packets_time = 0;
    double transmitted = 0, packet_bytes = 0;  // the same in bytes
    bool down = false;
};

// Over which the rate of packets is a mean, with weights that fall exponentially.
inline constexpr double kMeasuring = 100 * kMillisecond;

// Of the longest packets, which are owed at most. All that come are lost then.
inline constexpr double kMostOwed = 64;

inline double bytes_per_ns(double rate) { return rate / 8e9; }

// ns of work that is unfinished at `link.at`.
inline double work(const FluidLink& link)
{
    return link.line.busy_until >= link.at ? static_cast<double>(link.line.busy_until - link.at) + link.fraction : 0;
}

// ns of work for which the queue has room.
inline double room(const FluidLink& link)
{
    if (!link.line.known_bounded()) return 1e300;
    return static_cast<double>(link.line.capacity) / bytes_per_ns(link.line.rate);
}

namespace detail {

// Up to `until`, between which the inflow is constant.
inline void pass(FluidLink& link, Time until, bool measured)
{
    double left = static_cast<double>(until - link.at), lost = 0;
    const double passed = left, offered = link.inflow * left;
    double busy = 0;
    if (link.down) {
        lost = offered;
        link.at = until;
    } else {
        const double rate = bytes_per_ns(link.line.rate), most = room(link), load = link.inflow / rate;
        const double begun = work(link);
        double w = begun;
        if (w > most) {  // packets took more than there was room for
            const double over = std::min(left, w - most);
            lost = link.inflow * over;
            w -= over;
            left -= over;
        }
        if (load > 1) {
            const double full = (load - 1) * left - std::max(0.0, most - w);  // ns of work that find no room
            if (full > 0) lost += full * rate;
            w = full > 0 ? std::max(w, most) : w + (load - 1) * left;
        } else {
            w = std::max(0.0, w - (1 - load) * left);
        }
        link.lost_since += lost;
        busy = std::min(passed, begun + std::max(0.0, offered - lost) / rate);
        // What was promised stays: the end of the work never moves backwards.
        const Time whole = until + static_cast<Time>(w);
        link.fraction = w - std::floor(w);
        if (whole < link.line.busy_until) link.fraction = 0;
        link.line.busy_until = std::max(link.line.busy_until, whole);
        link.at = until;
    }
    if (!measured) return;
    link.offered += offered;
    link.lost += lost;
    link.busy += busy;
    link.transmitted += busy * bytes_per_ns(link.line.rate);
}

}  // namespace detail

inline void advance(FluidLink& link, Time now, const Window& window)
{
    for (const Time boundary : {window.begin, window.end, now}) {
        const Time until = std::min(boundary, now);
        if (until > link.at) detail::pass(link, until, link.at >= window.begin && link.at < window.end);
    }
}

// Another rate of the fluid from now on, up to which the link has advanced.
inline void set_inflow(FluidLink& link, double bytes_per_ns) { link.inflow = bytes_per_ns; }

// The link fails at `link.at`: the fluid that waits is lost. `packets`: ns that packets which wait would have taken; of
// these the `counted` ones were let in within the window, and take none of it now.
inline void fail(FluidLink& link, Time packets, Time counted, bool measured)
{
    const double rate = bytes_per_ns(link.line.rate);
    if (measured) link.lost += std::max(0.0, work(link) - static_cast<double>(packets)) * rate;
    link.packets_time -= static_cast<double>(counted);
    link.packet_bytes -= static_cast<double>(counted) * rate;
}

// A packet of `length` IP bytes comes at `link.at`.
inline droptail::Admission admit(FluidLink& link, std::uint32_t length, LinkDraws draws, bool measured)
{
    const Time now = link.at;
    LinkState& line = link.line;
    const std::uint32_t bytes = length + line.known_overhead();
    const double passed = static_cast<double>(now - link.measured_at);
    const double kept = link.packets * exponential_of(-passed / kMeasuring);
    const double came = (link.packets - kept) * kMeasuring;  // bytes of packets since the last one, in the mean
    link.packets = kept + static_cast<double>(bytes) / kMeasuring;
    link.measured_at = now;

    const double rate = bytes_per_ns(line.rate), w = work(link), most = room(link);
    const double take = static_cast<double>(bytes) / rate;
    const double longest = static_cast<double>(line.known_mtu() + line.known_overhead());
    const bool waits = w > 0 || link.inflow > rate;
    if (!waits || link.inflow >= rate)
        link.owed = 0;
    else if (link.lost_since > 0)
        link.owed = std::min(link.owed + came * link.lost_since / (link.inflow * passed), kMostOwed * longest);
    link.lost_since = 0;
    if (waits && w + take > most) {
        const double comes = link.inflow + link.packets, more = comes * link.owed / (kMostOwed * longest);
        if (comes <= rate || w > most + longest / rate || draws.unit() * comes + more >= rate) {
            link.owed = std::max(link.owed - static_cast<double>(bytes), -kMostOwed * longest);
            return {false, 0, 0};
        }
    }
    const Time start = std::max(now, line.busy_until);
    const double end = take + link.fraction * (line.busy_until >= now);
    const Time whole = static_cast<Time>(end);
    link.fraction = end - static_cast<double>(whole);
    line.busy_until = start + whole;
    if (measured) {
        link.packets_time += take;
        link.packet_bytes += static_cast<double>(bytes);
    }
    return {true, start, line.busy_until};
}

}  // namespace anml::rt::fluid
