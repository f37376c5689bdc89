#include "transport/law/cubic.h"

#include <algorithm>

#include "transport/recovery/rto.h"

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
    law.friendly = c.cwnd / c.mss;
    law.credit = law.friendly_credit = 0;
    law.counted_for = 0;
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
    const std::uint64_t bytes = (segments >> 10) * mss;
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

// How many segments have to arrive for the window to grow by one.
std::uint64_t count(Cubic& law, std::uint32_t cwnd, std::uint32_t mss, Time now)
{
    // What the curve says of a round trip later.
    const std::uint64_t target = window(law.origin, law.k, now - law.epoch + law.least_rtt * kMicrosecond, mss) / mss;
    std::uint64_t count = target > cwnd ? cwnd / (target - cwnd) : 100 * std::uint64_t{cwnd};
    if (law.most == 0) count = std::min<std::uint64_t>(count, 20);

    const std::uint32_t each = (cwnd * 15 >> 3) * mss;
    law.friendly += static_cast<std::uint32_t>(law.friendly_credit / each);
    law.friendly_credit %= each;
    if (law.friendly > cwnd) count = std::min<std::uint64_t>(count, cwnd / (law.friendly - cwnd));
    return std::max<std::uint64_t>(count, 2);
}

void increase(Cubic& law, Connection& c, std::uint32_t bytes, Time now)
{
    if (law.epoch == kNever) begin_epoch(law, c, now);
    const std::uint32_t cwnd = c.cwnd / c.mss;
    law.friendly_credit += bytes;
    if (cwnd != law.counted_for || now - law.counted_at > kSecond / 32) {
        law.count = count(law, cwnd, c.mss, now) * c.mss;
        law.counted_for = cwnd;
        law.counted_at = now;
    }
    if (law.credit >= law.count) {  // gathered while it grew more slowly
        law.credit = 0;
        c.cwnd += c.mss;
    }
    law.credit += bytes;
    c.cwnd += static_cast<std::uint32_t>(law.credit / law.count) * c.mss;
    law.credit %= law.count;
}

std::uint32_t threshold(Cubic& law, const Connection& c, std::uint32_t flight)
{
    law.epoch = kNever;
    const std::uint64_t cwnd = flight / c.mss;
    // Fast convergence: where the last loss left more than there is now, others have come, and get room.
    const std::uint64_t whole = cwnd * c.mss < law.most ? cwnd * (kOf + kLeft) / (2 * kOf) : cwnd;
    law.most = static_cast<std::uint32_t>(whole * c.mss);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(cwnd * kLeft / kOf, 2)) * c.mss;
}

// The curve has not moved while nothing was sent.
void resumed(Cubic& law, Time idle, Time now)
{
    if (law.epoch != kNever) law.epoch = std::min(law.epoch + idle, now);
}

void timed_out(Cubic& law, const Connection& c, Time now) { opened(law, c, now); }

}  // namespace anml::rt::tcp::law::cubic
