// Nodes, their addresses, positions and TCP, and what stands in for endpoints.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "printer/program_writer.h"

namespace anml {

// Addresses stay where they are: they are set where giving them out in order, from the model's pool alone, would give
// others, as prefixes of instances do.
void ProgramWriter::addresses()
{
    const auto& rows = network_.nodes;
    const auto addressed = [](const NodeArray& row) { return row.has_ipv4(); };
    if (network_.ipv6_alone) {
        set_addresses_.clear();
        for (const NodeArray& row : rows) set_addresses_.push_back(addressed(row));
        out_ += fmt::format("addressing {{ pool = {} }}\n",
                            format_prefix(network_.ipv6_pool, *network_.ipv6_pool_length, true));
        return;
    }
    const std::uint64_t size = std::uint64_t{1} << (32 - network_.pool_length);
    const std::uint64_t lowest = network_.pool_first + 1, highest = network_.pool_first + size - 2;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
    set_addresses_.assign(rows.size(), false);
    bool same = true;
    // Once with those that the text sets; where that gives others, with all.
    for (int round = 0; round < 2; ++round) {
        taken.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            set_addresses_[i] = addressed(rows[i]) && (rows[i].explicit_address || round == 1);
            if (set_addresses_[i])
                taken.emplace_back(rows[i].address, std::uint64_t{rows[i].address} + rows[i].count - 1);
        }
        std::sort(taken.begin(), taken.end());
        auto obstacles = taken;
        if (network_.gateway != 0) obstacles.emplace_back(network_.gateway, network_.gateway);
        std::sort(obstacles.begin(), obstacles.end());
        std::uint64_t next = lowest;
        auto obstacle = obstacles.begin();
        same = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!addressed(rows[i]) || set_addresses_[i]) continue;
            for (; obstacle != obstacles.end() && obstacle->first < next + rows[i].count; ++obstacle)
                next = std::max(next, obstacle->second + 1);
            same = same && rows[i].address == next;
            next += rows[i].count;
        }
        if (same) break;
    }
    AttributeList addressing;
    if (network_.pool_first != 10u << 24 || network_.pool_length != 8)
        addressing.add("pool", fmt::format("{}/{}", format_address(network_.pool_first), network_.pool_length));
    if (network_.gateway != 0) {
        std::uint64_t gateway = highest;
        for (auto at = taken.rbegin(); at != taken.rend(); ++at)
            if (at->first <= gateway && gateway <= at->second) gateway = at->first - 1;
        if (gateway != network_.gateway) addressing.add("gateway", format_address(network_.gateway));
    }
    if (!addressing.empty()) out_ += fmt::format("addressing{}\n", addressing.braces());
}

void ProgramWriter::tcp_profiles()
{
    tcp_names_.resize(network_.records.size());
    for (std::size_t i = 0; i < network_.records.size(); ++i) {
        const RecordInfo& record = network_.records[i];
        if (!is_a(record, abi::RecordSchema::tcp)) continue;
        AttributeList list;
        add_record(list, record);
        if (list.empty()) continue;
        tcp_names_[i] = names_.make("tcp_settings");
        out_ += fmt::format("profile {} : Tcp{}\n", tcp_names_[i], list.braces());
    }
}

std::string ProgramWriter::server(const ServerInfo& info)
{
    const RecordInfo& record = network_.records[info.record];
    const std::string_view schema = abi::record_layout(record.layout).schema;
    AttributeList list;
    add_record(list, record);
    if (info.port != default_number(schema, "port", &record)) list.add("port", std::to_string(info.port));
    return fmt::format("{}({})", profile_name(schema_name(schema)), list.text());
}

void ProgramWriter::nodes()
{
    tcp_profiles();
    for (std::uint32_t i = 0; i < network_.endpoints.size(); ++i) endpoints_[network_.endpoints[i].node.value] = i;
    std::string_view instance;
    for (std::uint32_t row = 0; row < network_.nodes.size(); ++row) {
        const std::string& name = network_.nodes[row].name;
        const std::string_view path =
            std::string_view(name).substr(0, name.rfind('.') == std::string::npos ? 0 : name.rfind('.'));
        if (path != instance) out_ += "\n";
        instance = path;
        node(row);
    }
}

// How many there are, or their keys.
static std::string declared_elements(const NodeArray& row)
{
    if (!row.is_array) return "";
    if (!row.keys) return fmt::format("[{}]", row.count);
    std::string keys;
    for (std::uint32_t i = 0; i < row.count; ++i)
        keys += fmt::format("{}{}", i > 0 ? ", " : "", string_literal((*row.keys)[i]));
    return fmt::format("[[{}]]", keys);
}

// Of elements that are apart each its own, by `index`.
std::string ProgramWriter::position(const NodeArray& row) const
{
    const bool geographic = row.position->geographic;
    const auto coordinate = [&](double NodePosition::* which) {
        if (row.positions.empty()) return exact_quantity((*row.position).*which, dimension::none);
        std::vector<std::string> values;
        for (const NodePosition& p : row.positions) values.push_back(exact_quantity(p.*which, dimension::none));
        return fmt::format("[{}][index]", fmt::join(values, ", "));
    };
    const std::string x = coordinate(&NodePosition::x), y = coordinate(&NodePosition::y);
    return geographic ? fmt::format("geo({}, {})", y, x) : fmt::format("plane({}, {})", x, y);
}

void ProgramWriter::subnets(AttributeList& list, const EndpointInfo& endpoint) const
{
    std::vector<std::string> here, behind;
    bool bridged = false;
    for (const EndpointPrefix& p : endpoint.prefixes) {
        (p.kind == abi::PrefixKind::routed ? behind : here)
            .push_back(fmt::format("{}/{}", format_address(p.bits), p.length));
        bridged |= p.kind == abi::PrefixKind::bridged;
    }
    if (!here.empty()) list.add("prefix", fmt::format("[{}]", fmt::join(here, ", ")));
    if (!behind.empty()) list.add("behind", fmt::format("[{}]", fmt::join(behind, ", ")));
    if (bridged) list.add("bridged", "true");
}

void ProgramWriter::node(std::uint32_t index)
{
    const NodeArray& row = network_.nodes[index];
    AttributeList list;
    if (set_addresses_[index]) list.add("address", format_address(row.address));
    if (row.has_ipv6) list.add(row.only_ipv6 ? "address" : "ipv6", format_address(row.ipv6, true));
    if (row.anycast != 0) list.add("anycast", row.anycast_text());
    if (const auto found = endpoints_.find(index); found != endpoints_.end()) {
        const EndpointInfo& endpoint = network_.endpoints[found->second];
        out_ += doc_comment(endpoint.doc);
        subnets(list, endpoint);
        if (endpoint.server != abi::kNone) list.add("simulated", server(network_.servers[endpoint.server]));
    }
    if (row.tcp != abi::kNone && !tcp_names_[row.tcp].empty()) list.add("tcp", tcp_names_[row.tcp]);
    if (row.processing != abi::kNone) list.add("processing", called(network_.records[row.processing]));
    if (row.middlebox != abi::kNone) list.add("middlebox", called(network_.records[row.middlebox]));
    if (row.icmp_limits != abi::kNone) list.add("icmp_limits", called(network_.records[row.icmp_limits]));
    if (row.buffer != abi::kNone) list.add("buffer", called(network_.records[row.buffer]));
    if (row.radio != abi::kNone) list.add("radio", called(network_.records[row.radio]));
    if (row.position) list.add("position", position(row));
    if (row.task != abi::kNone) out_ += fmt::format("@task({}) ", string_literal(network_.task_names[row.task]));
    out_ += fmt::format("{} {}{}{}\n", node_kind_name(row.kind), quoted_name(row.name), declared_elements(row),
                        list.braces());
}

}  // namespace anml
