#include "transport/law/cubic.h"

#include <algorithm>

#include "transport/rto.h"

namespace anml::rt::tcp::law::cubic {

namespace {

constexpr std::uint64_t kTicks = 1024;                      // in a second
constexpr std::uint64_t kLongest = std::uint64_t{1} << 18;  // ticks from K on; its cube has 54 bits
// C is 0.4 segments per cubic second, of cubic ticks: 2 / (5 * 2^30).
constexpr std::uint64_t kFive = 5, kTwo = 2;
// A loss leaves 7/10.
constexpr std::uint64_t kLeft = 7, kOf = 10;

std::uint64_t ticks(Time t) { return static_cast<std::uint64_t>(t / kMicrosecond) * kTicks / 1'000'000; }

void begin_epoch(Cubic& law, const Connection& c, Time now)
{
    law.epoch = now;
    law.origin = std::max(law.most, c.cwnd);
    law.k = time_to(law.origin, c.cwnd, c.mss);
    law.friendly = c.cwnd;
    law.credit = law.friendly_credit = 0;
}

}  // namespace

std::uint32_t cube_root(std::uint64_t a)
{
    std::uint64_t root = 0;
    for (int bit = 21; bit >= 0; --bit) {  // 2^22 cubed does not fit
        const std::uint64_t more = root | std::uint64_t{1} << bit;
        if (more * more <= a / more) root = more;
    }
    return static_cast<std::uint32_t>(root);
}

std::uint32_t time_to(std::uint32_t origin, std::uint32_t reduced, std::uint32_t mss)
{
    if (origin <= reduced) return 0;
    return cube_root(std::uint64_t{origin - reduced} * (kFive << 29) / mss);
}

std::uint64_t window(std::uint32_t origin, std::uint32_t k, Time t, std::uint32_t mss)
{
    const std::uint64_t at = ticks(t);
    const std::uint64_t away = std::min(at < k ? k - at : at - k, kLongest);
    const std::uint64_t segments = away * away * away * kTwo / kFive >> 20;  // times 1024
    const std::uint64_t bytes = segments * mss >> 10;
    if (at < k) return origin > bytes ? origin - bytes : 0;
    return origin + bytes;
}

void opened(Cubic& law, const Connection& c, Time now)
{
    law = {};
    law.hystart.begin_round(c.max, rto::microseconds(now));
}

void acknowledged(Cubic& law, Connection& c, std::uint32_t rtt, Time now)
{
    // Round trips just after a recovery tell of the queue that overflowed.
    if (law.epoch != kNever && now - law.epoch < kSecond) return;
    rtt = std::max(rtt, 1u);
    if (law.least_rtt == 0 || rtt < law.least_rtt) law.least_rtt = rtt;
    if (c.cwnd < c.ssthresh && law.hystart.leave(c, rtt, law.least_rtt, rto::microseconds(now))) c.ssthresh = c.cwnd;
}

void increase(Cubic& law, Connection& c, std::uint32_t bytes, Time now)
{
    if (law.epoch == kNever) begin_epoch(law, c, now);
    const std::uint64_t cwnd = c.cwnd, most = cwnd / 2;
    // What the curve says of a round trip later. `more` is by how much the window grows in one.
    const std::uint64_t target = window(law.origin, law.k, now - law.epoch + law.least_rtt * kMicrosecond, c.mss);
    std::uint64_t more = target > cwnd ? target - cwnd : 0;
    if (law.most == 0) more = std::max(more, cwnd / 20);

    law.friendly_credit += std::uint64_t{bytes} * c.mss * 9;
    law.friendly =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(law.friendly + law.friendly_credit / (17 * cwnd), 1u << 31));
    law.friendly_credit %= 17 * cwnd;
    if (law.friendly > cwnd) more = std::max(more, law.friendly - cwnd);

    law.credit += bytes * std::min(more, most);
    c.cwnd += static_cast<std::uint32_t>(law.credit / cwnd);
    law.credit %= cwnd;
}

std::uint32_t threshold(Cubic& law, const Connection& c, std::uint32_t flight)
{
    law.epoch = kNever;
    // Fast convergence: where the last loss left more than there is now, others have come, and get room.
    const std::uint64_t whole = flight < law.most ? flight * (kOf + kLeft) / (2 * kOf) : flight;
    law.most = static_cast<std::uint32_t>(whole);
    return std::max(static_cast<std::uint32_t>(flight * kLeft / kOf), 2u * c.mss);
}

// The curve has not moved while nothing was sent.
void resumed(Cubic& law, Time idle, Time now)
{
    if (law.epoch != kNever) law.epoch = std::min(law.epoch + idle, now);
}

void timed_out(Cubic& law, const Connection& c, Time now) { opened(law, c, now); }

}  // namespace anml::rt::tcp::law::cubic
