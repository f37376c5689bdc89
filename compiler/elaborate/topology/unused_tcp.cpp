// Settings of TCP that nothing reads, because nobody speaks TCP there, or nobody on the other side offers the same.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "elaborate/topology/topology.h"
#include "elaborate/workloads/balancers.h"

namespace anml {
namespace {

// Those that TCP uses where both sides offer them.
constexpr std::string_view kOptions[] = {"window_scaling", "sack", "timestamps", "fast_open"};

// Those whom a row of nodes has connections with.
struct Partners {
    std::array<bool, std::size(kOptions)> offer{};  // somebody among them does, or may
    std::uint32_t row = abi::kNone;                 // one of them; kNone: there are none
};

}  // namespace

void unused_of_tcp(const ValuePool& values, const CheckedProgram& program, ReportOnce& report, const SchemaValue& tcp,
                   const SchemaValue& defaults)
{
    constexpr double kUnscaled = 65535;
    if (values.as_constant(number_of(program, tcp, "keep_alive")) == 0.0) {
        std::string given;
        for (const std::string_view of_probes : {"keep_alive_interval", "keep_alive_probes"})
            if (values.as_constant(number_of(program, tcp, of_probes)) !=
                values.as_constant(number_of(program, defaults, of_probes)))
                given += fmt::format("{}`{}`", given.empty() ? "" : ", ", of_probes);
        if (!given.empty())
            unused(report, tcp.span,
                   fmt::format("without a `keep_alive` there are no probes, and nothing reads {}", given),
                   "`keep_alive = 7200 s` is what Linux's sockets with SO_KEEPALIVE have");
    }
    const auto buffer = values.as_constant(number_of(program, tcp, "receive_buffer"));
    if (values.as_constant(number_of(program, tcp, "window_scaling")) != 0.0 || !buffer || *buffer <= kUnscaled) return;
    if (buffer == values.as_constant(number_of(program, defaults, "receive_buffer"))) return;  // mostly not given
    unused(report, tcp.span,
           fmt::format("of a `receive_buffer` of {} no more than 65535 B count",
                       format_quantity(*buffer, dimension::size)),
           "without `window_scaling = true` a window has 16 bits (RFC 7323)");
}

// A tunable may switch an option on; of an endpoint without a simulated server only a real host is there.
void unused_tcp(Elaboration& in)
{
    if (in.own_tcp.empty()) return;
    const auto offers = [&](std::uint32_t row, std::string_view option) {
        const RecordInfo& tcp = in.network.records[in.network.nodes[row].tcp];
        return in.network.values.as_constant(record_number(tcp, option)) != 0.0;
    };
    const auto all_of = [&](const std::vector<TargetRange>& nodes) {
        Partners partners;
        for (const TargetRange& range : nodes) {
            partners.row = range.row.value;
            const bool real =
                in.network.nodes[partners.row].kind == abi::NodeKind::endpoint && !server_of(in, range.row);
            for (std::size_t i = 0; i < std::size(kOptions); ++i)
                partners.offer[i] |= real || offers(partners.row, kOptions[i]);
        }
        return partners;
    };
    std::map<std::uint32_t, Partners> partners_of;  // by row; of all that speak TCP
    for (const WorkloadInfo& w : in.network.workloads) {
        if (w.traits.transport != Transport::tcp) continue;
        // A load balancer ends no connection: who is behind it does.
        const std::vector<TargetRange> peers = who_answers(in.network, w.peers);
        const Partners sides[] = {all_of(w.targets), all_of(peers)};
        for (const bool peer : {false, true}) {
            const Partners& other = sides[peer ? 0 : 1];
            for (const TargetRange& range : peer ? peers : w.targets) {
                Partners& all = partners_of[range.row.value];
                for (std::size_t i = 0; i < std::size(kOptions); ++i) all.offer[i] |= other.offer[i];
                if (other.row != abi::kNone) all.row = other.row;
            }
        }
    }
    for (const auto& [row, place] : in.own_tcp) {
        const NodeArray& node = in.network.nodes[row];
        const auto found = partners_of.find(row);
        if (found == partners_of.end()) {
            in.report(Diag::unused_attribute, node.span,
                      fmt::format("`{}` has settings of TCP, and no workload uses TCP there", node.name))
                .also(place, "the settings");
            continue;
        }
        const Partners& partners = found->second;
        std::string alone;
        for (std::size_t i = 0; i < std::size(kOptions); ++i)
            if (offers(row, kOptions[i]) && !partners.offer[i])
                alone += fmt::format("{}`{}`", alone.empty() ? "" : ", ", kOptions[i]);
        if (alone.empty() || partners.row == abi::kNone) continue;  // that a workload runs on no host is said of it
        const NodeArray& partner = in.network.nodes[partners.row];
        const bool real = partner.kind == abi::NodeKind::endpoint;
        unused(in.report, place,
               fmt::format("`{}` offers {}, and no host that it has connections with does", node.name, alone),
               fmt::format("TCP uses what both sides offer: give `{}` such a `tcp` too{}", partner.name,
                           real ? "; a real host in its place brings its own" : ""));
    }
}

}  // namespace anml
