// Attributes beyond those of pictures: impairments, costs, packets that queues hold, servers, addresses that were set.
#include "graph/details.h"

#include <map>

#include "base/json.h"
#include "route/network_queries.h"
#include "unparse/expressions.h"

namespace anml {

namespace {

constexpr double kMillisecond = 1e6;  // ns

using Values = std::map<std::string, std::variant<bool, double, std::string>>;

class DetailMaker {
  public:
    explicit DetailMaker(const Network& network)
        : network_(network), tunables_(default_tunables(network)), expressions_(network, names_, ".")
    {
    }

    double number(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }

    // A number in that unit, or `key_drawn`: the distribution as the language writes it. 0 is the default.
    void drawn(Values& values, const std::string& key, const DistributionValue& d, Dimension dim, double unit)
    {
        if (d.kind != abi::DistributionKind::constant)
            values[key + "_drawn"] = expressions_.drawn(d, dim);
        else if (const double v = number(d.a); v != 0)
            values[key] = v / unit;
    }

    Values link(const LinkGroup& link, int direction)
    {
        Values values;
        if (const double packets = number(link.queue_packets[direction]); packets != 0)
            values["queue_packets"] = packets;
        if (link.trace[direction] != abi::kNone) values["trace"] = network_.traces[link.trace[direction]].name;
        if (link.cost[direction] != 1) values["cost"] = link.cost[direction];
        if (link.impairment[direction] == abi::kNone) return values;
        const ImpairmentInfo& i = network_.impairments[link.impairment[direction]];
        drawn(values, "loss", i.loss, dimension::none, 1);
        drawn(values, "corrupt", i.corrupt, dimension::none, 1);
        drawn(values, "duplicate", i.duplicate, dimension::none, 1);
        drawn(values, "reorder", i.reorder, dimension::none, 1);
        if (values.contains("reorder") || values.contains("reorder_drawn"))
            drawn(values, "reorder_delay", i.reorder_delay, dimension::time, kMillisecond);
        drawn(values, "jitter", i.jitter, dimension::time, kMillisecond);
        if (number(i.in_order) == 0) values["in_order"] = false;
        return values;
    }

  private:
    const Network& network_;
    std::vector<double> tunables_;
    FreshNames names_;
    Expressions expressions_;
};

// What stands for "not there" where only the other direction has it.
std::variant<bool, double, std::string> absent(const std::string& key)
{
    if (key == "in_order") return true;
    return key == "cost" ? 1.0 : 0.0;
}

}  // namespace

const char* detail_type(const Detail& detail)
{
    return std::holds_alternative<bool>(detail.value)     ? "boolean"
           : std::holds_alternative<double>(detail.value) ? "double"
                                                          : "string";
}

std::string detail_text(const Detail& detail)
{
    if (const auto* truth = std::get_if<bool>(&detail.value)) return *truth ? "true" : "false";
    if (const auto* number = std::get_if<double>(&detail.value)) return json_number(*number);
    return std::get<std::string>(detail.value);
}

std::vector<Detail> node_details(const Network& network, const PictureNode& node)
{
    std::vector<Detail> list;
    if (node.row == abi::kNone || node.count != 1) return list;
    const NodeGroup& row = network.nodes[node.row];
    if (row.explicit_address) list.push_back({"address_set", true});
    for (const ServerInfo& server : network.servers) {
        if (server.node.value != node.row) continue;
        DetailMaker maker(network);
        Values values;
        maker.drawn(values, "service", server.service, dimension::time, kMillisecond);
        if (const double workers = maker.number(server.workers); workers != 0) values["workers"] = workers;
        if (server.close == abi::CloseMode::at_once) values["close"] = std::string("at_once");
        if (server.port != 80) values["port"] = double(server.port);
        list.push_back({"simulated", std::string("web.server")});
        for (auto& [key, value] : values) list.push_back({key, std::move(value)});
    }
    return list;
}

std::vector<Detail> edge_details(const Network& network, const PictureEdge& edge, bool directed)
{
    std::vector<Detail> list;
    if (edge.row == abi::kNone) return list;
    const LinkGroup& link = network.links[edge.row];
    DetailMaker maker(network);
    const Values there = maker.link(link, edge.reversed), back = maker.link(link, !edge.reversed);
    for (const auto& [key, value] : there) list.push_back({key, value});
    if (directed) {
        if (link.one_way) list.push_back({"one_way", true});
        return list;
    }
    for (const auto& [key, value] : back)
        if (const auto same = there.find(key); same == there.end() || same->second != value)
            list.push_back(
                {key.ends_with("_drawn") ? key.substr(0, key.size() - 6) + "_back_drawn" : key + "_back", value});
    for (const auto& [key, value] : there)
        if (const std::string plain = key.ends_with("_drawn") ? key.substr(0, key.size() - 6) : key;
            plain != "trace" && !back.contains(plain) && !back.contains(plain + "_drawn"))
            list.push_back({plain + "_back", absent(plain)});
    return list;
}

}  // namespace anml
