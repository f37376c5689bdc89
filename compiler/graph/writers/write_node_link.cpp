// Node-link JSON: what networkx.node_link_graph(data, edges="edges") reads, a line for each node and edge; see
// docs/graph.md for the keys.
#include <fmt/format.h>

#include "base/address.h"
#include "base/json.h"
#include "graph/details.h"
#include "graph/formats.h"
#include "graph/writers/edge_attributes.h"

namespace anml {

namespace {

class Entry {
  public:
    void text(const char* key, std::string_view value) { add(key, json_string(value)); }
    void number(const std::string& key, double value)
    {
        // What has no fraction is an integer to readers that tell them apart.
        const auto whole = static_cast<std::int64_t>(value);
        add(key, static_cast<double>(whole) == value ? fmt::format("{}", whole) : json_number(value));
    }
    void detail(const Detail& d)
    {
        const auto* number = std::get_if<double>(&d.value);
        const auto* said = std::get_if<std::string>(&d.value);
        if (number) return this->number(d.key, *number);
        add(d.key, said ? json_string(*said) : detail_text(d));
    }
    void pair(const char* key, double a, double b)
    {
        add(key, fmt::format("[{}, {}]", json_number(a), json_number(b)));
    }
    std::string line() const { return "{" + body_ + "}"; }

  private:
    void add(const std::string& key, const std::string& value)
    {
        body_ += fmt::format("{}\"{}\": {}", body_.empty() ? "" : ", ", key, value);
    }
    std::string body_;
};

std::string list(const std::vector<std::string>& lines)
{
    std::string out = "[";
    for (const std::string& line : lines) out += fmt::format("{}\n  {}", out.size() > 1 ? "," : "", line);
    return out + "]";
}

}  // namespace

std::string write_node_link(const Network& network, const Picture& picture, GraphNotes* notes)
{
    Details details(network, notes);
    std::vector<std::string> nodes, edges, groups;
    for (const PictureNode& node : picture.nodes) {
        Entry entry;
        entry.text("id", node.name);
        entry.text("kind", role_name(node.role));
        if (node.count != 1) entry.number("count", node.count);
        if (node.group != abi::kNone) entry.text("group", picture.groups[node.group].name);
        if (node.address != 0) entry.text("address", format_address(node.address));
        if (node.last_address != node.address) entry.text("last_address", format_address(node.last_address));
        if (node.has_ipv6) entry.text("ipv6", format_address(node.ipv6, true));
        if (node.last_ipv6 != node.ipv6) entry.text("last_ipv6", format_address(node.last_ipv6, true));
        if (node.task != abi::kNone && !node.several_tasks) entry.number("task", node.task);
        if (node.position && node.position->geographic) {
            entry.number("latitude", node.position->y);
            entry.number("longitude", node.position->x);
        } else if (node.position) {
            entry.pair("pos", node.position->x, node.position->y);
        }
        for (const Detail& d : details.of_node(node)) entry.detail(d);
        nodes.push_back(entry.line());
    }
    each_exchanged(picture, [&](const PictureEdge& edge) {
        Entry entry;
        entry.text("source", picture.nodes[edge.a].name);
        entry.text("target", picture.nodes[edge.b].name);
        entry.text("key", edge.name);
        each_number(picture, edge, [&](const std::string& key, double v) { entry.number(key, v); });
        const std::vector<Detail> list = details.of_edge(edge, picture.has_one_way);
        if (const std::string left = left_end(picture, edge, list); !left.empty()) entry.text("left", left);
        for (const Detail& d : list) entry.detail(d);
        edges.push_back(entry.line());
    });
    for (const PictureGroup& group : picture.groups) {
        Entry entry;
        entry.text("name", group.name);
        if (group.parent != abi::kNone) entry.text("parent", picture.groups[group.parent].name);
        groups.push_back(entry.line());
    }
    std::string more;
    for (const Detail& d : details.of_graph(picture))
        more += fmt::format(", {}: {}", json_string(d.key), json_string(detail_text(d)));
    return fmt::format(
        "{{\n\"directed\": {},\n\"multigraph\": true,\n\"graph\": {{\"name\": {}, \"doc\": {}, \"generator\": "
        "\"anmlc\", \"groups\": {}{}}},\n"
        "\"nodes\": {},\n\"edges\": {}\n}}\n",
        picture.has_one_way, json_string(picture.title), json_string(picture.doc), list(groups), more, list(nodes),
        list(edges));
}

}  // namespace anml
