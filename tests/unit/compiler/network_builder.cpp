// See network_builder.h.
#include "network_builder.h"

#include <fmt/format.h>

namespace anml::test {

RecordInfo make_record(abi::RecordSchema layout, const std::map<std::string_view, RecordValue>& values)
{
    RecordInfo record{static_cast<std::uint32_t>(layout), {}};
    for (const abi::RecordField& field : abi::record_layout(record.layout).fields) {
        if (const auto given = values.find(field.name); given != values.end())
            record.values.push_back(given->second);
        else if (field.kind == abi::FieldKind::choice)
            record.values.emplace_back(RecordChoice{});
        else if (abi::is_optional(field.kind))
            record.values.emplace_back(std::monostate());
        else if (abi::is_random(field.kind))
            record.values.emplace_back(DistributionValue{abi::DistributionKind::constant, ValueExprId{0}, 0});
        else if (field.kind == abi::FieldKind::text)
            record.values.emplace_back(std::string());
        else
            record.values.emplace_back(ValueExprId{0});
    }
    return record;
}

RecordInfo tcp_settings(const std::map<std::string_view, ValueExprId>& values)
{
    return make_record(abi::RecordSchema::tcp, {values.begin(), values.end()});
}

NetworkBuilder::NetworkBuilder()
{
    network.model_name = "Test";
    network.values.constant(0);
    network.pool_first = 0x0a000000;
    network.duration = constant(10e9);
    network.warmup = constant(1e9);
    network.records.push_back(tcp_settings({{"initial_window", constant(10)},
                                            {"receive_buffer", constant(65535)},
                                            {"send_buffer", constant(1 << 30)},
                                            {"minimum_rto", constant(1e9)}}));
}

std::uint32_t NetworkBuilder::tunable(std::string name, Dimension dim, double value, double minimum, double maximum)
{
    const auto index = static_cast<std::uint32_t>(network.tunables.size());
    network.parameters.push_back({name, "", dim, false, value, minimum, maximum, index, {}});
    network.tunables.push_back({std::move(name), "", dim, false, value, minimum, maximum, {}});
    return index;
}

NodeRowId NetworkBuilder::node(std::string name, abi::NodeKind kind, std::uint32_t count)
{
    NodeArray row;
    row.name = std::move(name);
    row.kind = kind;
    row.is_array = count != 0;
    row.count = count != 0 ? count : 1;
    row.first_node = network.node_count;
    if (kind != abi::NodeKind::switch_) {
        row.address = next_address_;
        next_address_ += row.count;
    }
    if (kind == abi::NodeKind::host || kind == abi::NodeKind::endpoint) row.tcp = 0;
    network.node_count += row.count;
    network.nodes.push_back(std::move(row));
    return NodeRowId(network.nodes.size() - 1);
}

NodeRowId NetworkBuilder::endpoint(std::string name)
{
    const NodeRowId row = node(name, abi::NodeKind::endpoint);
    EndpointInfo info;
    info.name = std::move(name);
    info.node = row;
    network.endpoints.push_back(std::move(info));
    network.gateway = 0x0afffffe;
    return row;
}

std::size_t NetworkBuilder::link(std::string name, End a, End b, ValueExprId delay, std::uint32_t count)
{
    LinkArray link;
    link.name = std::move(name);
    link.is_array = count != 0;
    link.count = count != 0 ? count : 1;
    link.first_link = network.directed_links;
    const End ends[2] = {a, b};
    for (int side = 0; side < 2; ++side) {
        link.end[side] = {ends[side].row, ends[side].first, ends[side].each ? 1u : 0u};
        link.rate[side] = constant(1e9);
        link.delay[side] = delay;
        link.queue[side] = constant(512 * 1024);
        link.queue_packets[side] = constant(0);
    }
    link.mtu = constant(1500);
    link.overhead = constant(0);
    network.directed_links += 2 * link.count;
    network.links.push_back(std::move(link));
    return network.links.size() - 1;
}

std::size_t NetworkBuilder::fan_in(std::string name, NodeRowId array, NodeRowId single, double delay_ns)
{
    const std::uint32_t count = network.nodes[array.value].count;
    return link(std::move(name), End{array, 0, true}, End{single}, constant(delay_ns), count);
}

void NetworkBuilder::workload(std::string name, std::vector<NodeRowId> clients, NodeRowId server)
{
    WorkloadInfo info;
    info.name = std::move(name);
    for (const NodeRowId row : clients) info.targets.push_back({row, 0, network.nodes[row.value].count});
    info.peers = {{server, 0, 1}};
    info.port = 80;
    info.traits = {Transport::tcp, true, Load::closed, constant(0), constant(1), constant(0), constant(0)};
    DocumentInfo& document = info.documents.emplace_back();
    document.path = "/1024";
    document.size = {abi::DistributionKind::constant, constant(1024), 0};
    document.choice = {abi::DistributionKind::constant, constant(1), 0};
    info.start_spread = constant(0);
    info.record = static_cast<std::uint32_t>(network.records.size());
    network.records.push_back(make_record(abi::RecordSchema::closed_loop, {{"connect_timeout", constant(5e9)},
                                                                           {"requests", constant(1)},
                                                                           {"streams", constant(1)},
                                                                           {"pipeline", constant(1)},
                                                                           {"connections", constant(1)},
                                                                           {"origins", RecordList()}}));
    network.workloads.push_back(std::move(info));
}

Wan make_wan(std::uint32_t routers, std::uint32_t hosts)
{
    Wan wan;
    NetworkBuilder& b = wan.builder;
    wan.delay = b.tunable("D", dimension::time, 1e6, 1e5, 1e9);
    const ValueExprId delay = b.tunable_value(wan.delay);
    wan.server = b.endpoint("server");
    for (std::uint32_t i = 0; i < routers; ++i) {
        const std::string net = fmt::format("net[{}].", i);
        wan.gateway.push_back(b.router(net + "gateway"));
        wan.lan.push_back(b.lan(net + "lan"));
        wan.client.push_back(b.host(net + "client", hosts));
        b.link(net + "uplink", wan.lan[i], wan.gateway[i], 1e5);
        b.fan_in(net + "edge", wan.client[i], wan.lan[i], 1e5);
    }
    b.link("entry", End{wan.gateway[0]}, End{wan.server}, delay);
    for (std::uint32_t i = 0; i + 1 < routers; ++i) {
        b.link(fmt::format("hop[{}]", i), End{wan.gateway[i + 1]}, End{wan.gateway[i]}, delay);
    }
    b.network.servers.push_back({wan.server, 80, static_cast<std::uint32_t>(b.network.records.size())});
    b.network.records.push_back(make_record(
        abi::RecordSchema::web_server,
        {{"service", DistributionValue{abi::DistributionKind::constant, b.constant(1.8e6), 0}}}));
    b.network.endpoints[0].server = 0;
    b.workload("browse", wan.client, wan.server);
    return wan;
}

}  // namespace anml::test
