// A topology of containerlab (containerlab.dev): its nodes and links, and in variables, which containerlab hands to
// templates, all that `anmlc import` needs to make the same network of it. What a link does to packets containerlab has
// no words for in the file, and commands of netem for afterwards: they stand at the end, as comments.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "graph/details.h"
#include "graph/formats.h"
#include "graph/writers/edge_attributes.h"
#include "graph/writers/lab_names.h"
#include "graph/writers/netem_values.h"

namespace anml {

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

// A string of YAML, in which containerlab finds no variable of the environment.
std::string quoted_text(std::string_view text)
{
    std::string out;
    for (const char c : json_string(text)) out += c == '$' ? "$$" : std::string(1, c);
    return out;
}

std::string listed(const Variables& variables)
{
    std::string out;
    for (const auto& [key, value] : variables)
        out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key, quoted_text(value));
    return "{" + out + "}";
}

// containerlab tools netem set; "": nothing that it knows.
std::string netem(const NetemValues& values)
{
    std::string out;
    if (values.delay > 0) out += fmt::format(" --delay {}ms", json_number(values.delay));
    if (values.loss > 0) out += fmt::format(" --loss {}", json_number(values.loss));
    if (values.corrupt > 0) out += fmt::format(" --corruption {}", json_number(values.corrupt));
    if (values.rate >= 1) out += fmt::format(" --rate {:.0f}", values.rate);
    return out;
}

}  // namespace

std::string write_containerlab(const Network& network, const Picture& picture, GraphNotes* notes)
{
    Picture whole = picture;
    whole.has_one_way = false;  // links have two ends, and say of each direction what it is
    Details details(network, notes);
    LabNames names;
    const std::string lab = LabNames().name(picture.title);
    std::vector<std::string> called;
    std::string nodes, links, commands;
    for (const PictureNode& node : whole.nodes) {
        called.push_back(names.name(node.name));
        Variables variables{{"label", node.name}, {"kind", std::string(role_name(node.role))}};
        if (node.count != 1) variables.emplace_back("count", fmt::format("{}", node.count));
        if (node.address != 0) variables.emplace_back("address", format_address(node.address));
        if (node.has_ipv6) variables.emplace_back("ipv6", format_address(node.ipv6, true));
        if (node.position && node.position->geographic) {
            variables.emplace_back("latitude", json_number(node.position->y));
            variables.emplace_back("longitude", json_number(node.position->x));
        } else if (node.position) {
            variables.emplace_back("pos", json_number(node.position->x) + "," + json_number(node.position->y));
        }
        for (const Detail& d : details.of_node(node)) variables.emplace_back(d.key, detail_text(d));
        nodes += fmt::format("    {}:\n      kind: {}\n      config: {{vars: {}}}\n", called.back(),
                             node.role == Role::switch_ ? "bridge" : "linux", listed(variables));
    }
    std::vector<unsigned> interfaces(called.size());
    const auto end = [&](std::uint32_t node) {
        return whole.nodes[node].role == Role::switch_
                   ? fmt::format("{}-eth{}", called[node], ++interfaces[node])
                   : fmt::format("eth{}", ++interfaces[node]);
    };
    for (const PictureEdge& edge : whole.edges) {
        Variables variables{{"name", edge.name}};
        each_number(whole, edge,
                    [&](const std::string& key, double v) { variables.emplace_back(key, json_number(v)); });
        for (const Detail& d : details.of_edge(edge, false)) variables.emplace_back(d.key, detail_text(d));
        if (edge.one_way) variables.emplace_back("one_way", "true");
        const std::string ends[] = {end(edge.a), end(edge.b)};
        links += fmt::format("    - endpoints: [\"{}:{}\", \"{}:{}\"]\n      mtu: {:.0f}\n      vars: {}\n",
                             called[edge.a], ends[0], called[edge.b], ends[1], edge.mtu.low, listed(variables));
        const std::map<std::string, std::string> values(variables.begin(), variables.end());
        for (const bool back : {false, true}) {
            const std::uint32_t node = back ? edge.b : edge.a;
            const std::string what = netem(netem_values(values, back));
            if (!what.empty() && whole.nodes[node].role != Role::switch_)
                commands += fmt::format("# containerlab tools netem set -n clab-{}-{} -i {}{}\n", lab, called[node],
                                        ends[back], what);
        }
    }
    Variables graph{{"generator", "anmlc"}, {"name", picture.title}};
    for (const Detail& d : details.of_graph(picture)) graph.emplace_back(d.key, detail_text(d));
    return fmt::format(
        "# Of a model of ANML, by anmlc: the images are yours to choose, and a `bridge` has to be there.\n"
        "name: {}\ntopology:\n  defaults:\n    config: {{vars: {}}}\n  kinds:\n    linux:\n      image: alpine:3\n"
        "  nodes:\n{}  links:\n{}{}{}",
        lab, listed(graph), nodes, links,
        commands.empty() ? "" : "# What netem knows of the links, behind `containerlab deploy`:\n", commands);
}

}  // namespace anml
