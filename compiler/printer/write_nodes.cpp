// Nodes, their addresses, positions and TCP, and what stands in for endpoints.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "printer/program_writer.h"

namespace anml {

namespace {

// How many there are, or their keys.
std::string declared_elements(const NodeArray& row)
{
    if (!row.is_array) return "";
    if (!row.keys) return fmt::format("[{}]", row.count);
    std::string keys;
    for (std::uint32_t i = 0; i < row.count; ++i)
        keys += fmt::format("{}{}", i > 0 ? ", " : "", string_literal((*row.keys)[i]));
    return fmt::format("[[{}]]", keys);
}

std::string server(ProgramWriter& in, const ServerInfo& info)
{
    const RecordInfo& record = in.network.records[info.record];
    const std::string_view schema = abi::record_layout(record.layout).schema;
    AttributeList list;
    add_record(in, list, record);
    if (info.port != default_number(in.program, schema, "port", &record)) list.add("port", std::to_string(info.port));
    return fmt::format("{}({})", profile_name(schema_name(in, schema)), list.text());
}

// Of elements that are apart each its own, by `index`.
std::string position(const NodeArray& row)
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

void subnets(AttributeList& list, const EndpointInfo& endpoint)
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

void node(ProgramWriter& in, std::uint32_t index)
{
    const NodeArray& row = in.network.nodes[index];
    AttributeList list;
    if (in.set_addresses[index]) list.add("address", format_address(row.address));
    if (row.has_ipv6) list.add(row.only_ipv6 ? "address" : "ipv6", format_address(row.ipv6, true));
    if (row.anycast != 0) list.add("anycast", row.anycast_text());
    if (const auto found = in.endpoints.find(index); found != in.endpoints.end()) {
        const EndpointInfo& endpoint = in.network.endpoints[found->second];
        in.out += doc_comment(endpoint.doc);
        subnets(list, endpoint);
        if (endpoint.server != abi::kNone) list.add("simulated", server(in, in.network.servers[endpoint.server]));
    }
    if (row.tcp != abi::kNone && !in.tcp_names[row.tcp].empty()) list.add("tcp", in.tcp_names[row.tcp]);
    if (row.processing != abi::kNone) list.add("processing", called(in, in.network.records[row.processing]));
    if (row.middlebox != abi::kNone) list.add("middlebox", called(in, in.network.records[row.middlebox]));
    if (row.icmp_limits != abi::kNone) list.add("icmp_limits", called(in, in.network.records[row.icmp_limits]));
    if (row.buffer != abi::kNone) list.add("buffer", called(in, in.network.records[row.buffer]));
    if (row.radio != abi::kNone) list.add("radio", called(in, in.network.records[row.radio]));
    if (row.position) list.add("position", position(row));
    if (row.task != abi::kNone) in.out += fmt::format("@task({}) ", string_literal(in.network.task_names[row.task]));
    in.out += fmt::format("{} {}{}{}\n", node_kind_name(row.kind), quoted_name(row.name), declared_elements(row),
                          list.braces());
}

}  // namespace

// Addresses stay where they are: they are set where giving them out in order, from the model's pool alone, would give
// others, as prefixes of instances do.
void addresses(ProgramWriter& in)
{
    const auto& rows = in.network.nodes;
    const auto addressed = [](const NodeArray& row) { return row.has_ipv4(); };
    if (in.network.ipv6_alone) {
        in.set_addresses.clear();
        for (const NodeArray& row : rows) in.set_addresses.push_back(addressed(row));
        in.out += fmt::format("addressing {{ pool = {} }}\n",
                              format_prefix(in.network.ipv6_pool, *in.network.ipv6_pool_length, true));
        return;
    }
    const std::uint64_t size = std::uint64_t{1} << (32 - in.network.pool_length);
    const std::uint64_t lowest = in.network.pool_first + 1, highest = in.network.pool_first + size - 2;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
    in.set_addresses.assign(rows.size(), false);
    bool same = true;
    // Once with those that the text sets; where that gives others, with all.
    for (int round = 0; round < 2; ++round) {
        taken.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            in.set_addresses[i] = addressed(rows[i]) && (rows[i].explicit_address || round == 1);
            if (in.set_addresses[i])
                taken.emplace_back(rows[i].address, std::uint64_t{rows[i].address} + rows[i].count - 1);
        }
        std::sort(taken.begin(), taken.end());
        auto obstacles = taken;
        if (in.network.gateway != 0) obstacles.emplace_back(in.network.gateway, in.network.gateway);
        std::sort(obstacles.begin(), obstacles.end());
        std::uint64_t next = lowest;
        auto obstacle = obstacles.begin();
        same = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!addressed(rows[i]) || in.set_addresses[i]) continue;
            for (; obstacle != obstacles.end() && obstacle->first < next + rows[i].count; ++obstacle)
                next = std::max(next, obstacle->second + 1);
            same = same && rows[i].address == next;
            next += rows[i].count;
        }
        if (same) break;
    }
    AttributeList addressing;
    if (in.network.pool_first != 10u << 24 || in.network.pool_length != 8)
        addressing.add("pool", fmt::format("{}/{}", format_address(in.network.pool_first), in.network.pool_length));
    if (in.network.gateway != 0) {
        std::uint64_t gateway = highest;
        for (auto at = taken.rbegin(); at != taken.rend(); ++at)
            if (at->first <= gateway && gateway <= at->second) gateway = at->first - 1;
        if (gateway != in.network.gateway) addressing.add("gateway", format_address(in.network.gateway));
    }
    if (!addressing.empty()) in.out += fmt::format("addressing{}\n", addressing.braces());
}

void tcp_profiles(ProgramWriter& in)
{
    in.tcp_names.resize(in.network.records.size());
    for (std::size_t i = 0; i < in.network.records.size(); ++i) {
        const RecordInfo& record = in.network.records[i];
        if (!is_a(record, abi::RecordSchema::tcp)) continue;
        AttributeList list;
        add_record(in, list, record);
        if (list.empty()) continue;
        in.tcp_names[i] = in.names.make("tcp_settings");
        in.out += fmt::format("profile {} : Tcp{}\n", in.tcp_names[i], list.braces());
    }
}

void nodes(ProgramWriter& in)
{
    tcp_profiles(in);
    for (std::uint32_t i = 0; i < in.network.endpoints.size(); ++i)
        in.endpoints[in.network.endpoints[i].node.value] = i;
    std::string_view instance;
    for (std::uint32_t row = 0; row < in.network.nodes.size(); ++row) {
        const std::string& name = in.network.nodes[row].name;
        const std::string_view path =
            std::string_view(name).substr(0, name.rfind('.') == std::string::npos ? 0 : name.rfind('.'));
        if (path != instance) in.out += "\n";
        instance = path;
        node(in, row);
    }
}

}  // namespace anml
