// A topology of netlab (netlab.tools): nodes, links, and netem at a link, or at its ends for what leaves there.
// Comments at its end say what it has no words for; netem at one end alone of a bridge is such a thing.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/json.h"
#include "graph/details.h"
#include "graph/formats.h"
#include "graph/writers/edge_attributes.h"
#include "graph/writers/lab_names.h"
#include "graph/writers/netem_values.h"

namespace anml {

namespace {

constexpr std::size_t kLongestName = 16;  // unless the file says another number

// `tc: { delay: 20, loss: 1 }`; "": nothing that netem knows.
std::string tc_of(const NetemValues& values)
{
    std::string out;
    const auto add = [&](std::string_view name, double value) {
        if (value > 0) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", name, json_number(value));
    };
    add("delay", values.delay);  // with a unit netlab takes whole milliseconds only
    add("loss", values.loss);
    add("corrupt", values.corrupt);
    add("duplicate", values.duplicate);
    add("rate", std::round(values.rate));
    return out.empty() ? "" : fmt::format("tc: {{ {} }}", out);
}

}  // namespace

std::string write_netlab(const Network& network, const Picture& picture, GraphNotes* notes)
{
    Picture whole = picture;
    whole.has_one_way = false;  // links have two ends, and say of each direction what it is
    Details details(network, notes);
    LabNames names;
    std::map<std::string, std::size_t> unsaid;
    std::size_t longest = 0;
    bool costs = false;
    std::vector<std::string> called;
    std::string nodes, links;
    for (const PictureNode& node : whole.nodes) {
        called.push_back(names.name(node.name));
        longest = std::max(longest, called.back().size());
        const bool host = node.role == Role::host || node.role == Role::endpoint;
        nodes += fmt::format("  {}:{}\n", called.back(), node.role == Role::switch_ ? " { device: linux, role: bridge }"
                                                         : host                       ? " { device: linux }"
                                                                                      : "");
    }
    for (const PictureEdge& edge : whole.edges) {
        std::map<std::string, std::string> values;
        each_number(whole, edge, [&](const std::string& key, double v) { values[key] = json_number(v); });
        for (const Detail& d : details.of_edge(edge, false)) values[d.key] = detail_text(d);
        if (edge.one_way) ++unsaid["one_way"];
        const std::string there = tc_of(netem_values(values, false)), back = tc_of(netem_values(values, true));
        const auto end = [&](std::uint32_t node, const std::string& tc, const char* own_cost) {
            std::string own;
            if (there != back && !tc.empty()) {
                if (whole.nodes[node].role == Role::switch_)
                    ++unsaid["netem at a bridge"];
                else
                    own += ", " + tc;
            }
            const auto cost = values.find(values.contains(own_cost) ? own_cost : "cost");
            if (cost != values.end() && whole.nodes[node].role == Role::router) {
                own += ", ospf.cost: " + cost->second;
                costs = true;
            }
            return own.empty() ? called[node] : fmt::format("{{ node: {}{} }}", called[node], own);
        };
        links += fmt::format("- interfaces: [ {}, {} ]\n  mtu: {:.0f}\n", end(edge.a, there, "cost"),
                             end(edge.b, back, "cost_back"), edge.mtu.low);
        if (there == back && !there.empty()) links += fmt::format("  {}\n", there);
        for (const auto& [key, value] : values) {
            const std::string name = key.ends_with("_back") ? key.substr(0, key.size() - 5) : key;
            bool said = false;
            for (const char* known : {"rate", "delay", "loss", "corrupt", "duplicate", "jitter", "cost", "mtu"})
                said |= name == known;
            if (!said) ++unsaid[name];
        }
    }
    std::string rest;
    for (const auto& [key, count] : unsaid)
        rest += fmt::format("# {}: of {} link{}\n", key, count, count == 1 ? "" : "s");
    const std::string name_length =
        longest > kLongestName ? fmt::format("defaults.const.MAX_NODE_ID_LENGTH: {}\n", longest) : "";
    return fmt::format("# Of a model of ANML, by anmlc: devices and addresses are yours to choose.\n"
                       "name: {}\nprovider: clab\ndefaults.device: frr\n{}{}nodes:\n{}links:\n{}{}{}",
                       LabNames().name(picture.title), name_length, costs ? "module: [ ospf ]\n" : "", nodes, links,
                       rest.empty() ? "" : "# What netlab has no words for:\n", rest);
}

}  // namespace anml
