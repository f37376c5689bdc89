// How a sender takes marks that its receiver echoes (ECN, RFC 3168, 6.1.2): a reduction in a round trip, which the
// window law says, and not of a window that is being reduced. As with losses, and as Linux does it, what leaves is
// spread over the round trip (RFC 6937).
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/connection.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::law {

struct Echo {
    std::uint32_t begin = 0, end = 0;  // una and what was sent as the reduction began
    std::uint32_t window = 0;          // the congestion window then
    bool reducing = false;
    bool tells = false;  // the next new segment says that the window was reduced (CWR)

    void reduce(const Connection& c)
    {
        begin = c.una;
        end = c.max;
        window = c.cwnd;
        reducing = tells = true;
    }
    // An acknowledgment has moved una. True: the reduction is over. Something that was sent after it had begun has
    // arrived, so that the receiver has heard of it.
    bool over(const Connection& c)
    {
        if (reducing && after(c.una, end)) {
            reducing = false;
            return true;
        }
        return false;
    }
    // What may be under way now that `bytes` more are acknowledged.
    std::uint32_t allowed(const Connection& c, std::uint32_t bytes) const
    {
        const std::uint32_t flight = c.max - c.una, delivered = c.una - begin, sent = c.max - end;
        std::uint32_t more = 0;
        if (flight > c.ssthresh) {
            const std::uint64_t due = (std::uint64_t{delivered} * c.ssthresh + window - 1) / std::max(window, 1u);
            more = due > sent ? static_cast<std::uint32_t>(due - sent) : 0;
        } else {
            const std::uint32_t unused = delivered > sent ? delivered - sent : 0;
            more = std::min(std::max(unused, bytes) + c.mss, c.ssthresh - flight);
        }
        if (sent == 0) more = std::max<std::uint32_t>(more, c.mss);
        return flight + more;
    }
};

}  // namespace anml::rt::tcp::law
