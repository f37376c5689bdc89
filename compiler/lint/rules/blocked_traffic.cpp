// Workloads whose packets a firewall lets nobody have: by its rules all of them end there, on every way.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "lint/rules.h"

namespace anml {

namespace {

// The values of Action and Protocol of std.middlebox.
constexpr std::uint32_t kAllow = 0;
constexpr std::uint32_t kAnyProtocol = 0, kProtocolOf[] = {1, 2, 3};  // by Transport

class Blocked {
  public:
    explicit Blocked(LintContext& context) : context_(context), network_(context.network) {}

    void run()
    {
        if (!context_.input.routes.epochs.empty()) return;  // later on packets may go round it
        struct Found {
            double count = 0;
            std::uint32_t box = abi::kNone;
            const Flow* flow = nullptr;
            bool passes = false;
        };
        std::map<const WorkloadInfo*, Found> found;
        for (const Flow& flow : context_.flows) {
            Found& of = found[flow.workload];
            const auto box = blocking(flow);
            of.passes = of.passes || !box;
            if (!box) continue;
            of.count += flow.count;
            of.box = *box;
            of.flow = &flow;
        }
        for (const auto& [workload, of] : found) {
            if (of.passes || !of.flow) continue;
            const bool icmp = workload->traits.transport == Transport::icmp;
            const std::string what = icmp ? "ICMP" : fmt::format("{} to port {}", protocol(*workload), workload->port);
            context_.find(
                of.count,
                {Diag::blocked_traffic,
                 workload->span,
                 fmt::format("no rule of the firewall {} lets `{}` pass: {} to {}", context_.node(of.box),
                             workload->name, what, context_.node(of.flow->server)),
                 icmp ? "a rule allows it: `middlebox.allow(protocol = icmp)`"
                      : fmt::format("a rule allows it: `middlebox.allow(protocol = {}, port = {})`",
                                    workload->traits.transport == Transport::tcp ? "tcp" : "udp", workload->port),
                 {{network_.nodes[node_row_of(network_, of.box)].span, "the firewall is declared here"}},
                 {}});
        }
    }

  private:
    // Between whom packets are where the firewall sees them.
    struct Ends {
        std::uint32_t client = 0, server = 0;
        bool from_client = true;  // the address is still the client's own
    };

    static std::string_view protocol(const WorkloadInfo& workload)
    {
        return workload.traits.transport == Transport::tcp ? "TCP" : "UDP";
    }

    const RecordInfo* middlebox(std::uint32_t node) const
    {
        const NodeArray& row = network_.nodes[node_row_of(network_, node)];
        return row.middlebox == abi::kNone ? nullptr : &network_.records[row.middlebox];
    }

    // A firewall on every way there that ends it for certain; nothing where none is.
    std::optional<std::uint32_t> blocking(const Flow& flow) const
    {
        const WorkloadInfo& workload = *flow.workload;
        if (workload.ipv6 || workload.traits.load == Load::served) return std::nullopt;
        if (workload.traits.transport != Transport::icmp && workload.port == 0) return std::nullopt;
        Ends ends{flow.client, flow.server, true};
        for (const std::uint32_t link : flow.there)  // what is asked is the balancer
            if (const RecordInfo* const box = middlebox(link_target(network_, link));
                box && is_a(*box, abi::RecordSchema::load_balancer))
            {
                ends.server = link_target(network_, link);
                break;
            }
        for (const std::vector<PathLink>& step : flow.ways[0]) {
            for (const PathLink& link : step) {
                const std::uint32_t node = link_target(network_, link.link);
                if (node == ends.server) return std::nullopt;
                const RecordInfo* const box = middlebox(node);
                if (!box) continue;
                if (!is_a(*box, abi::RecordSchema::firewall))
                    ends.from_client = false;
                else if (step.size() == 1 && !passes(*box, flow, ends))
                    return node;
            }
        }
        return std::nullopt;
    }

    // Nothing: of some it does, perhaps.
    std::optional<bool> among(const RecordInfo& rule, std::string_view name, std::uint32_t node) const
    {
        const auto& ranges = std::get<RecordRanges>(*find_value(rule, name));
        const std::uint32_t row = node_row_of(network_, node), element = node - network_.nodes[row].first_node;
        if (ranges.empty() || std::ranges::find(ranges, kAnybody) != ranges.end()) return true;
        bool partly = false;
        for (const RecordRange& range : ranges) {
            if (range.row == abi::kNone) {
                partly = true;  // addresses: a rule that may apply
                continue;
            }
            if (range.row != row) continue;
            const bool whole = range.first == 0 && range.last + 1 == network_.nodes[row].count;
            if (whole || (range.first == range.last && range.first == element && network_.nodes[row].count == 1))
                return true;
            partly = true;
        }
        return partly ? std::nullopt : std::optional(false);
    }

    // Whether it may; what is not certain may.
    bool passes(const RecordInfo& box, const Flow& flow, const Ends& between) const
    {
        const auto transport = static_cast<std::size_t>(flow.workload->traits.transport);
        for (const std::uint32_t index : std::get<RecordList>(*find_value(box, "rules"))) {
            const RecordInfo& rule = network_.records[index];
            const std::uint32_t protocol = std::get<RecordChoice>(*find_value(rule, "protocol")).ordinal;
            if (protocol != kAnyProtocol && protocol != kProtocolOf[transport]) continue;
            const bool ports = protocol != kAnyProtocol && flow.workload->traits.transport != Transport::icmp;
            const double port = flow.workload->port;
            if (ports && (port < context_.value(record_number(rule, "first_port")) ||
                          port > context_.value(record_number(rule, "last_port"))))
                continue;
            bool certain = true, applies = true;
            const std::pair<std::string_view, std::uint32_t> ends[] = {{"source", between.client},
                                                                       {"source_prefix", between.client},
                                                                       {"destination", between.server},
                                                                       {"destination_prefix", between.server}};
            for (const auto& [name, node] : ends) {
                auto is = among(rule, name, node);
                if (name.starts_with("source") && !between.from_client && is == false) is.reset();
                certain = certain && is;
                applies = applies && is.value_or(true);
            }
            if (!applies) continue;
            if (std::get<RecordChoice>(*find_value(rule, "action")).ordinal == kAllow || !certain) return true;
            return false;
        }
        return std::get<RecordChoice>(*find_value(box, "otherwise")).ordinal == kAllow;
    }

    LintContext& context_;
    const Network& network_;
};

}  // namespace

void lint_blocked_traffic(LintContext& context) { Blocked(context).run(); }

}  // namespace anml
