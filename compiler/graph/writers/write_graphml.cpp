// GraphML with typed keys, as NetworkX, yEd, Gephi and `anmlc import` read it.
#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/address.h"
#include "base/json.h"
#include "common/markup.h"
#include "graph/details.h"
#include "graph/formats.h"
#include "graph/writers/edge_attributes.h"

namespace anml {

namespace {

// Keys are declared before the graph, in the order in which they first appear.
class Keys {
  public:
    std::string data(const std::string& target, const std::string& name, const std::string& type,
                     const std::string& value)
    {
        const std::string id = target.substr(0, 1) + "_" + name;
        if (known_.try_emplace(id, 0).second)
            declared_ += fmt::format("  <key id=\"{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", id, target,
                                     name, type);
        return fmt::format("      <data key=\"{}\">{}</data>\n", id, escaped(value));
    }
    const std::string& declared() const { return declared_; }

  private:
    std::map<std::string, int> known_;
    std::string declared_;
};

}  // namespace

std::string write_graphml(const Network& network, const Picture& picture, GraphNotes* notes)
{
    Keys keys;
    Details details(network, notes);
    std::string head = keys.data("graph", "name", "string", picture.title);
    head += keys.data("graph", "generator", "string", "anmlc");
    std::string body;
    for (const PictureNode& node : picture.nodes) {
        const auto data = [&](const char* name, const char* type, const std::string& value) {
            body += keys.data("node", name, type, value);
        };
        body += fmt::format("    <node id=\"{}\">\n", escaped(node.name));
        data("label", "string", node.name);
        data("kind", "string", std::string(role_name(node.role)));
        if (node.count != 1) data("count", "int", fmt::format("{}", node.count));
        if (node.group != abi::kNone) data("group", "string", picture.groups[node.group].name);
        if (node.address != 0) data("address", "string", format_address(node.address));
        if (node.last_address != node.address) data("last_address", "string", format_address(node.last_address));
        if (node.has_ipv6) data("ipv6", "string", format_address(node.ipv6, true));
        if (node.last_ipv6 != node.ipv6) data("last_ipv6", "string", format_address(node.last_ipv6, true));
        if (node.task != abi::kNone && !node.several_tasks) data("task", "int", fmt::format("{}", node.task));
        if (node.position && node.position->geographic) {
            data("latitude", "double", json_number(node.position->y));
            data("longitude", "double", json_number(node.position->x));
        } else if (node.position) {
            data("pos", "string", json_number(node.position->x) + "," + json_number(node.position->y));
        }
        for (const Detail& d : details.of_node(node)) body += keys.data("node", d.key, detail_type(d), detail_text(d));
        body += "    </node>\n";
    }
    std::size_t number_of_edge = 0;
    each_exchanged(picture, [&](const PictureEdge& edge) {
        body += fmt::format("    <edge id=\"e{}\" source=\"{}\" target=\"{}\">\n", number_of_edge++,
                            escaped(picture.nodes[edge.a].name), escaped(picture.nodes[edge.b].name));
        body += keys.data("edge", "name", "string", edge.name);
        each_number(picture, edge, [&](const std::string& key, double v) {
            body += keys.data("edge", key, "double", json_number(v));
        });
        const std::vector<Detail> list = details.of_edge(edge, picture.has_one_way);
        if (const std::string left = left_end(picture, edge, list); !left.empty())
            body += keys.data("edge", "left", "string", left);
        for (const Detail& d : list) body += keys.data("edge", d.key, detail_type(d), detail_text(d));
        body += "    </edge>\n";
    });
    for (const Detail& d : details.of_graph(picture)) head += keys.data("graph", d.key, detail_type(d), detail_text(d));
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" +
           keys.declared() + fmt::format("  <graph edgedefault=\"{}directed\">\n", picture.has_one_way ? "" : "un") +
           head + body + "  </graph>\n</graphml>\n";
}

}  // namespace anml
