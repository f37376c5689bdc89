#include "transport/law/vegas.h"

#include <algorithm>

#include "transport/law/newreno.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::law::vegas {

namespace {

constexpr std::uint32_t kFew = 2;  // measurements, which delayed acknowledgments may have made longer

// A round trip is over that told enough.
void adjust(const Vegas& law, Connection& c)
{
    const std::uint32_t mss = c.mss;
    const std::uint64_t segments = c.cwnd / mss, rtt = std::max(law.round_rtt, 1u), base = std::max(law.base_rtt, 1u);
    const std::uint64_t in_queues = segments * (rtt - base) / base;
    if (c.cwnd < c.ssthresh) {
        if (in_queues <= Vegas::kGamma) return;  // slow start goes on
        const std::uint64_t fits = segments * base / rtt + 1;
        c.cwnd = std::min(c.cwnd, static_cast<std::uint32_t>(fits) * mss);
        c.ssthresh = std::min(c.ssthresh, c.cwnd - mss);
    } else if (in_queues > Vegas::kBeta) {
        c.cwnd -= mss;
        c.ssthresh = std::min(c.ssthresh, c.cwnd - mss);
    } else if (in_queues < Vegas::kAlpha) {
        c.cwnd += mss;
    }
    c.cwnd = std::max(c.cwnd, 2 * mss);
    c.ssthresh = std::max({c.ssthresh, 2 * mss, c.cwnd / 4 * 3});
}

}  // namespace

void begin_round(Vegas& law, const Connection& c)
{
    law.round_end = c.max;
    law.round_rtt = 0xffffffff;
    law.samples = 0;
}

void opened(Vegas& law, const Connection& c)
{
    law = {};
    begin_round(law, c);
}

void acknowledged(Vegas& law, Connection& c, std::uint32_t rtt)
{
    rtt += 1;  // never 0, as Linux has it
    law.base_rtt = std::min(law.base_rtt, rtt);
    law.round_rtt = std::min(law.round_rtt, rtt);
    ++law.samples;
    if (c.recovering || !after(c.una, law.round_end)) return;
    law.few = law.samples <= kFew;
    if (!law.few) adjust(law, c);
    begin_round(law, c);
}

void increase(const Vegas& law, Connection& c, std::uint32_t bytes)
{
    if (law.few) newreno::increase(c, bytes);
}

}  // namespace anml::rt::tcp::law::vegas
