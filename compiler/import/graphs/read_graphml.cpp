// GraphML (graphml.graphdrawing.org), as NetworkX, the Topology Zoo, igraph, yEd and Gephi write it.
//
// pugixml reads the XML: it knows no entities but XML's own and loads no other file, so nothing in the text can grow.
// Nested graphs are flattened. Of yEd's drawings the labels and places are read.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <vector>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"

namespace anml {

namespace {

struct Key {
    std::string name;
    ForeignKind kind = ForeignKind::text;
    std::string fallback;
    bool has_fallback = false;
    std::string domain;  // node, edge, graph, all
};

std::string_view local_name(const pugi::xml_node& node)
{
    std::string_view name = node.name();
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// The first element of that name below `top`, depth first, without recursion.
pugi::xml_node descendant(const pugi::xml_node& top, std::string_view name)
{
    unsigned depth = 0;
    for (pugi::xml_node at = top.first_child(); at && at != top;) {
        if (at.type() == pugi::node_element && local_name(at) == name) return at;
        if (at.first_child() && depth < kDeepestGraph) {
            at = at.first_child();
            ++depth;
            continue;
        }
        while (at != top && !at.next_sibling()) {
            at = at.parent();
            --depth;
        }
        if (at == top) break;
        at = at.next_sibling();
    }
    return {};
}

class GraphmlReader {
  public:
    explicit GraphmlReader(GraphBuilder& builder) : builder_(builder) {}

    bool run(std::string_view text)
    {
        // Each tag and each attribute takes some 50 bytes of the document.
        std::size_t parts = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
            if ((text[i] == '<' || text[i] == '=') && ++parts > kMostGraphValues)
                return builder_.fail(i, fmt::format("the file has more than {} tags and attributes", kMostGraphValues));
        const pugi::xml_parse_result result =
            document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
        if (!result) {
            const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
            return builder_.fail(std::min(at, text.empty() ? 0 : text.size() - 1),
                                 fmt::format("this is not well-formed XML: {}", lower(result.description())));
        }
        const pugi::xml_node root = document_.document_element();
        if (local_name(root) != "graphml")
            return builder_.fail(offset(root), fmt::format("the root element is `{}`, not `graphml`",
                                                           std::string_view(root.name()).substr(0, 40)));
        for (const pugi::xml_node& child : root.children())
            if (local_name(child) == "key") key(child);
        bool first = true;
        for (const pugi::xml_node& child : root.children()) {
            if (local_name(child) != "graph") continue;
            if (!first) builder_.leave_out("further graphs of the file");
            if (first && !graphs(child)) return false;
            first = false;
        }
        if (first) return builder_.fail(offset(root), "there is no `graph` in the file");
        return true;
    }

  private:
    static std::string lower(std::string text)
    {
        if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] += 32;
        return text;
    }
    static std::size_t offset(const pugi::xml_node& node)
    {
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    }

    void key(const pugi::xml_node& node)
    {
        Key key;
        key.name = node.attribute("attr.name").as_string();
        const std::string_view type = node.attribute("attr.type").as_string();
        if (key.name.empty()) key.name = node.attribute("yfiles.type").as_string(node.attribute("id").as_string());
        if (type == "int" || type == "long" || type == "float" || type == "double") key.kind = ForeignKind::number;
        if (type == "boolean") key.kind = ForeignKind::boolean;
        key.domain = node.attribute("for").as_string("all");
        if (const pugi::xml_node value = node.child("default")) {
            key.fallback = value.text().as_string();
            key.has_fallback = true;
        }
        keys_[node.attribute("id").as_string()] = std::move(key);
    }

    // The graph and those nested in its nodes.
    bool graphs(const pugi::xml_node& top)
    {
        struct Level {
            pugi::xml_node at;
            bool directed;
        };
        builder_.graph().attributes.reserve(8);
        if (const char* id = top.attribute("id").value(); *id)
            if (!builder_.set(builder_.graph().attributes, "id", ForeignKind::text, id, offset(top))) return false;
        if (!data(top, "graph", builder_.graph().attributes)) return false;
        std::vector<Level> open{{top.first_child(), directed(top)}};
        while (!open.empty()) {
            const pugi::xml_node at = open.back().at;
            if (!at) {
                open.pop_back();
                continue;
            }
            open.back().at = at.next_sibling();
            const std::string_view name = local_name(at);
            if (name == "node") {
                if (!node(at)) return false;
                for (const pugi::xml_node& inner : at.children("graph")) {
                    if (open.size() == kDeepestGraph)
                        return builder_.fail(offset(inner),
                                             fmt::format("graphs are nested more than {} deep", kDeepestGraph));
                    builder_.leave_out("nested graphs (their nodes are kept)");
                    open.push_back({inner.first_child(), directed(inner)});
                }
            } else if (name == "edge") {
                if (!edge(at, open.back().directed)) return false;
            } else if (name == "hyperedge") {
                builder_.leave_out("hyperedges");
            }
        }
        return true;
    }

    static bool directed(const pugi::xml_node& graph)
    {
        return std::string_view(graph.attribute("edgedefault").as_string()) == "directed";
    }

    bool node(const pugi::xml_node& at)
    {
        std::uint32_t index = 0;
        if (!at.attribute("id")) return builder_.fail(offset(at), "a node has no `id`");
        return builder_.declare(at.attribute("id").value(), offset(at), index) &&
               data(at, "node", builder_.graph().nodes[index].attributes);
    }

    bool edge(const pugi::xml_node& at, bool directed)
    {
        std::uint32_t index = 0;
        for (const char* end : {"source", "target"})
            if (!at.attribute(end)) return builder_.fail(offset(at), fmt::format("an edge has no `{}`", end));
        return builder_.edge(at.attribute("source").value(), at.attribute("target").value(),
                             at.attribute("directed").as_bool(directed), offset(at), index) &&
               data(at, "edge", builder_.graph().edges[index].attributes);
    }

    bool data(const pugi::xml_node& of, std::string_view domain, ForeignAttributes& attributes)
    {
        for (const auto& [id, key] : keys_)
            if (key.has_fallback && key.domain == domain &&
                !builder_.set(attributes, key.name, key.kind, key.fallback, offset(of)))
                return false;
        for (const pugi::xml_node& child : of.children()) {
            if (local_name(child) != "data") continue;
            const std::string id = child.attribute("key").as_string();
            const auto known = keys_.find(id);
            const std::string& name = known == keys_.end() ? id : known->second.name;
            const ForeignKind kind = known == keys_.end() ? ForeignKind::text : known->second.kind;
            if (child.find_child([](const pugi::xml_node& n) { return n.type() == pugi::node_element; })) {
                if (!drawing(child, attributes)) return false;
                continue;
            }
            // Some tools escape twice: `&amp;amp;`.
            std::string value = decode_entities(child.text().as_string());
            if (kind == ForeignKind::boolean) value = lower_case(value);  // NetworkX writes `True`
            if (!builder_.set(attributes, name, kind, value, offset(child))) return false;
        }
        return true;
    }

    // yEd's <y:ShapeNode>, <y:PolyLineEdge> ..., and yEd Live's <y:Label> and <y:RectD>.
    bool drawing(const pugi::xml_node& data, ForeignAttributes& attributes)
    {
        for (std::string_view name : {"NodeLabel", "EdgeLabel", "Label"}) {
            const pugi::xml_node label = descendant(data, name);
            const pugi::xml_node inner = name == "Label" ? descendant(label, "Label.Text") : label;
            std::string_view text = inner ? inner.text().as_string() : label.attribute("Text").as_string();
            constexpr std::string_view kBlanks = " \t\r\n";
            text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
            text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
            if (!text.empty() && !builder_.set(attributes, "label", ForeignKind::text, text, offset(label)))
                return false;
        }
        for (const auto& [element, names] : {std::pair{"Geometry", std::pair{"x", "y"}}, {"RectD", {"X", "Y"}}}) {
            const pugi::xml_node place = descendant(data, element);
            for (const auto& [name, written] : {std::pair{"x", names.first}, {"y", names.second}})
                if (const auto at = place.attribute(written))
                    if (!builder_.set(attributes, name, ForeignKind::number, at.value(), offset(place))) return false;
        }
        return true;
    }

    GraphBuilder& builder_;
    pugi::xml_document document_;
    std::map<std::string, Key> keys_;
};

}  // namespace

bool read_graphml(std::string_view text, GraphBuilder& builder) { return GraphmlReader(builder).run(text); }

}  // namespace anml
