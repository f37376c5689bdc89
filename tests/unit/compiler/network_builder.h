// Networks made by hand, for tests of the stages behind elaboration.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "elaborate/network.h"

namespace anml::test {

// Part of a node row that a link group is attached to: from element `first`, one more per link if `each`.
struct End {
    NodeRowId row;
    std::uint32_t first = 0;
    bool each = false;
};

// Settings of TCP. What isn't given is 0, the first choice, left out.
RecordInfo make_record(abi::RecordSchema layout, const std::map<std::string_view, RecordValue>& values);
RecordInfo tcp_settings(const std::map<std::string_view, ValueExprId>& values);

class NetworkBuilder {
  public:
    NetworkBuilder();

    std::uint32_t tunable(std::string name, Dimension dim, double value, double minimum, double maximum);
    ValueExprId constant(double v) { return network.values.constant(v); }
    ValueExprId tunable_value(std::uint32_t t) { return network.values.tunable(t); }

    // Addresses follow one another from 10.0.0.1 on; switches get none. count 0: a single node, no array.
    NodeRowId node(std::string name, abi::NodeKind kind, std::uint32_t count = 0);
    NodeRowId router(std::string name, std::uint32_t count = 0)
    {
        return node(std::move(name), abi::NodeKind::router, count);
    }
    NodeRowId host(std::string name, std::uint32_t count = 0)
    {
        return node(std::move(name), abi::NodeKind::host, count);
    }
    NodeRowId lan(std::string name, std::uint32_t count = 0)
    {
        return node(std::move(name), abi::NodeKind::switch_, count);
    }
    NodeRowId endpoint(std::string name);

    std::size_t link(std::string name, End a, End b, ValueExprId delay, std::uint32_t count = 0);
    std::size_t link(std::string name, NodeRowId a, NodeRowId b, double delay_ns)
    {
        return link(std::move(name), End{a}, End{b}, constant(delay_ns));
    }
    // client[*] -- lan
    std::size_t fan_in(std::string name, NodeRowId array, NodeRowId single, double delay_ns);

    void workload(std::string name, std::vector<NodeRowId> clients, NodeRowId server);

    std::uint32_t id(NodeRowId row, std::uint32_t element = 0) const
    {
        return network.nodes[row.value].first_node + element;
    }
    std::uint32_t address(NodeRowId row, std::uint32_t element = 0) const
    {
        return network.nodes[row.value].address + element;
    }

    Network network;

  private:
    std::uint32_t next_address_ = 0x0a000001;
};

struct Wan {
    NetworkBuilder builder;
    std::vector<NodeRowId> gateway, lan, client;
    NodeRowId server;
    std::uint32_t delay = 0;  // tunable D
};
// The paper's Figure 4: N routers in series, H clients behind each, a server endpoint before the first.
Wan make_wan(std::uint32_t routers, std::uint32_t hosts);

}  // namespace anml::test
