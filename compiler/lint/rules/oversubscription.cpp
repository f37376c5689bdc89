// Links behind which the hosts' own links could send many times what fits.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kMostRatio = 50;  // a usual contention ratio of home broadband

// Above it the largest packets take less than a nanosecond: an antenna, not a link that bounds what a host sends.
constexpr double kNoTime = 12e12;  // bit/s

struct Demand {
    double rate = 0, hosts = 0;
};

struct Share : Demand {  // of hosts that are alike
    double own = 0;      // rate of each one's own link
};

// Of the first link that takes time, on a path as seen from the host.
template <class Links>
double own_rate(const LintContext& context, const Links& path)
{
    for (const std::uint32_t link : path)
        if (const double rate = context.rate(link); rate < kNoTime) return rate;
    return context.rate(*path.begin());
}

}  // namespace

// The demand of a host is the rate of its own link, towards its peer and back. Where it pauses, by a think time or
// between arrivals, it is what it would send and get, were it alone.
void lint_oversubscription(LintContext& context)
{
    // By directed link and the first of the hosts: with several workloads they are no more, and send no faster.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Share> shares;
    for (std::size_t f = 0; f < context.flows.size(); ++f) {
        const Flow& flow = context.flows[f];
        if (flow.there.empty() || flow.back.empty()) continue;
        // Where nobody answers, data comes from the hosts alone.
        const WorkloadTraits& traits = flow.workload->traits;
        const int ways = traits.answers ? 2 : 1;
        const bool endless = traits.load == Load::greedy && context.value(traits.request) == 0;
        const bool paced = !endless && context.value(traits.interval) > 0;
        const ExpectedTraffic::Alone& alone = context.traffic.alone[f];
        for (int way = 0; way < ways; ++way) {
            const double own =
                way == 0 ? own_rate(context, flow.there) : own_rate(context, std::views::reverse(flow.back));
            const double each = paced ? std::min(own, way == 0 ? alone.there : alone.back) : own;
            for (std::size_t step = 0; step < flow.ways[way].size(); ++step) {
                for (const PathLink& link : flow.ways[way][step]) {
                    const double hosts = flow.crossing(way, step, link) * alone.hosts;
                    Share& share = shares[{link.link, flow.client}];
                    share.rate += each * hosts;
                    share.hosts = std::max(share.hosts, hosts);
                    share.own = own;
                }
            }
        }
    }
    std::map<std::uint32_t, Demand> demand;  // by directed link
    for (const auto& [where, share] : shares) {
        Demand& sum = demand[where.first];
        sum.rate += std::min(share.rate, share.own * share.hosts);
        sum.hosts += share.hosts;
    }
    for (const auto& [link, sum] : demand) {
        const double rate = context.rate(link), ratio = sum.rate / rate;
        if (ratio <= kMostRatio) continue;
        const std::uint32_t to = link_target(context.network, link);
        context.find(ratio, {Diag::oversubscription,
                             context.group(link).span,
                             fmt::format("{} is oversubscribed {}:1 towards {}: {} host{} could send {} over {}",
                                         context.name(link), show(ratio), context.node(to), show(sum.hosts),
                                         show(sum.hosts) == "1" ? "" : "s", show_rate(sum.rate), show_rate(rate)),
                             "if all are busy at once, each gets a small share: check that this is meant",
                             {},
                             {}});
    }
}

}  // namespace anml
