// NetworkX's node-link JSON, with its edges under `links` or `edges`, as TopoHub and d3 write it too.
//
// nlohmann's event parser, which keeps nothing and does not recurse. Objects in an attribute are flattened
// ("ecmp_fwd.uni"), lists of numbers or words are kept as one value, deeper ones are left out.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "import/graphs/read_graph.h"
#include "import/json_cursor.h"

namespace anml {

namespace {

using Json = nlohmann::json;

// Python writes NaN and Infinity, which JSON does not have: strings of the same length take their place.
std::string quote_not_numbers(std::string_view text)
{
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] == '"') {
            for (++i; i < out.size() && out[i] != '"'; ++i)
                if (out[i] == '\\') ++i;
            continue;
        }
        for (std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
            if (text.substr(i, word.size()) != word) continue;
            out[i] = '"';
            for (std::size_t k = 1; k + 1 < word.size(); ++k) out[i + k] = '-';
            out[i + word.size() - 1] = '"';
            i += word.size() - 1;
            break;
        }
    }
    return out;
}

class NodeLinkReader : public nlohmann::json_sax<Json> {
  public:
    NodeLinkReader(std::string_view text, GraphBuilder& builder) : text_(text), builder_(builder) {}

    bool run()
    {
        position_ = text_.data();
        const JsonCursor begin{text_.data(), &position_}, end{text_.data() + text_.size(), &position_};
        if (!Json::sax_parse(begin, end, this) || builder_.failed()) return false;
        if (!has_nodes_) return builder_.fail(0, "the object has no list `nodes`");
        if (!has_edges_)
            return builder_.fail(0, "the object has neither a list `links` nor a list `edges`",
                                 "write it with networkx.node_link_data");
        return finish();
    }

    // Events. Depth 1 is inside the outer object, 2 inside `nodes`, 3 inside a node.
    bool null() override { return value(ForeignKind::text, ""); }
    bool boolean(bool v) override { return value(ForeignKind::boolean, v ? "true" : "false"); }
    bool number_integer(number_integer_t v) override { return value(ForeignKind::number, fmt::format("{}", v)); }
    bool number_unsigned(number_unsigned_t v) override { return value(ForeignKind::number, fmt::format("{}", v)); }
    bool number_float(number_float_t, const string_t& text) override { return value(ForeignKind::number, text); }
    bool string(string_t& v) override { return value(ForeignKind::text, v); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(false); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_array() override { return close(); }
    bool key(string_t& v) override
    {
        key_ = v.substr(0, kLongestGraphValue);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override
    {
        return builder_.fail(here(), json_problem(error.what()));
    }

  private:
    enum class Section : std::uint8_t { none, nodes, edges, graph };
    struct Level {
        bool array = false;
        std::string name;  // of the attribute that it belongs to, flattened; "" outside records
        std::string list;  // of an array of scalars
        bool plain = true;
    };
    struct PendingNode {
        std::string id;
        bool has_id = false;
        ForeignAttributes attributes;
        std::size_t offset = 0;
    };
    struct PendingEdge {
        std::string source, target;
        bool source_number = false, target_number = false;
        ForeignAttributes attributes;
        std::size_t offset = 0;
    };

    std::size_t here() const
    {
        const auto at = static_cast<std::size_t>(position_ - text_.data());
        return text_.empty() ? 0 : std::min(at, text_.size() - 1);
    }

    bool in_record() const { return record_depth_ != 0; }

    bool open(bool array)
    {
        if (levels_.size() == kDeepestGraph)
            return builder_.fail(here(), fmt::format("values are nested more than {} deep", kDeepestGraph));
        if (++values_ > kMostGraphValues)
            return builder_.fail(here(), fmt::format("the file has more than {} values", kMostGraphValues));
        const std::size_t depth = levels_.size();
        Level level;
        level.array = array;
        if (depth == 0 && array) return builder_.fail(here(), "the file holds a list, not an object with `nodes`");
        if (depth == 1) {
            section_ = Section::none;
            if (key_ == "nodes" && array) section_ = Section::nodes, has_nodes_ = true;
            if ((key_ == "links" || key_ == "edges") && array) section_ = Section::edges, has_edges_ = true;
            if (key_ == "graph" && !array) section_ = Section::graph, record_depth_ = 2;
        } else if (in_record()) {
            level.name = nested_name();
            levels_.back().plain = false;
        } else if (depth == 2 && !array && section_ == Section::nodes) {
            if (nodes_.size() == kMostGraphNodes)
                return builder_.fail(here(), fmt::format("the graph has more than {} nodes", kMostGraphNodes));
            nodes_.emplace_back().offset = here();
            record_depth_ = 3;
        } else if (depth == 2 && !array && section_ == Section::edges) {
            if (edges_.size() == kMostGraphEdges)
                return builder_.fail(here(), fmt::format("the graph has more than {} edges", kMostGraphEdges));
            edges_.emplace_back().offset = here();
            record_depth_ = 3;
        }
        levels_.push_back(std::move(level));
        return true;
    }

    bool close()
    {
        Level level = std::move(levels_.back());
        levels_.pop_back();
        if (in_record() && levels_.size() >= record_depth_ && level.array && level.plain && !level.list.empty()) {
            const std::string name = std::move(level.name);
            level.list.pop_back();  // the last comma
            if (!keep(name, ForeignKind::list, level.list)) return false;
        }
        if (in_record() && levels_.size() < record_depth_) record_depth_ = 0;
        return true;
    }

    std::string nested_name() const
    {
        const std::string& outer = levels_.back().name;
        if (levels_.back().array) return outer;
        return outer.empty() ? key_ : fmt::format("{}.{}", outer, key_).substr(0, kLongestGraphValue);
    }

    bool value(ForeignKind kind, std::string_view text)
    {
        if (++values_ > kMostGraphValues)
            return builder_.fail(here(), fmt::format("the file has more than {} values", kMostGraphValues));
        if (levels_.empty()) return builder_.fail(here(), "the file holds no object with `nodes` and `links`");
        if (levels_.size() == 1) {
            if (key_ == "directed") directed_ = text == "true";
            return true;
        }
        if (!in_record()) return true;
        if (levels_.back().array) {
            std::string& list = levels_.back().list;
            if (list.size() < kLongestGraphValue) list.append(text).push_back(',');
            return true;
        }
        return keep(nested_name(), kind, text);
    }

    bool keep(const std::string& name, ForeignKind kind, std::string_view text)
    {
        if (section_ == Section::graph)
            // Tables of demands and statistics of the whole graph would be thousands of attributes.
            return name.find('.') != std::string::npos
                       ? (builder_.leave_out("values in tables of the graph"), true)
                       : builder_.set(builder_.graph().attributes, name, kind, text, here());
        if (section_ == Section::nodes) {
            PendingNode& node = nodes_.back();
            if (name != "id") return builder_.set(node.attributes, name, kind, text, here());
            node.id = text.substr(0, kLongestGraphValue);
            node.has_id = true;
            numeric_ids_ |= kind == ForeignKind::number;
            return true;
        }
        PendingEdge& edge = edges_.back();
        if (name != "source" && name != "target") return builder_.set(edge.attributes, name, kind, text, here());
        (name == "source" ? edge.source : edge.target) = text.substr(0, kLongestGraphValue);
        (name == "source" ? edge.source_number : edge.target_number) = kind == ForeignKind::number;
        return true;
    }

    bool finish()
    {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            PendingNode& node = nodes_[i];
            std::uint32_t index = 0;
            if (!builder_.declare(node.has_id ? node.id : std::to_string(i), node.offset, index)) return false;
            builder_.graph().nodes[index].attributes = std::move(node.attributes);
        }
        // NetworkX before 2.0, and d3, number the nodes instead.
        const bool numbered =
            !numeric_ids_ && !edges_.empty() && edges_[0].source_number && !builder_.find(edges_[0].source);
        for (PendingEdge& edge : edges_) {
            for (std::string* end : {&edge.source, &edge.target}) {
                if (end->empty())
                    return builder_.fail(edge.offset,
                                         fmt::format("an edge has no `{}`", end == &edge.source ? "source" : "target"));
                std::size_t number = 0;
                const char* last = end->data() + end->size();
                if (numbered && std::from_chars(end->data(), last, number).ptr == last && number < nodes_.size() &&
                    nodes_[number].has_id)
                    *end = nodes_[number].id;
            }
            std::uint32_t index = 0;
            if (!builder_.edge(edge.source, edge.target, directed_, edge.offset, index)) return false;
            builder_.graph().edges[index].attributes = std::move(edge.attributes);
        }
        return true;
    }

    std::string_view text_;
    GraphBuilder& builder_;
    const char* position_ = nullptr;
    std::string key_;
    std::vector<Level> levels_;
    Section section_ = Section::none;
    std::size_t record_depth_ = 0;  // levels that are open inside a record; 0: outside
    std::vector<PendingNode> nodes_;
    std::vector<PendingEdge> edges_;
    std::size_t values_ = 0;
    bool directed_ = false, has_nodes_ = false, has_edges_ = false, numeric_ids_ = false;
};

}  // namespace

bool read_node_link(std::string_view text, GraphBuilder& builder)
{
    if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos)
        return NodeLinkReader(text, builder).run();
    const std::string quoted = quote_not_numbers(text);
    return NodeLinkReader(quoted, builder).run();
}

}  // namespace anml
