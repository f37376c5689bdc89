// GML (Himsolt, 1997), as the Topology Zoo, NetworkX, igraph, Gephi and yEd write it: keys with numbers, strings, and
// lists in brackets. Strings may hold HTML's entities; a word without quotes is taken for a string.
#include <fmt/format.h>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"

namespace anml {

namespace {

class GmlReader {
  public:
    GmlReader(std::string_view text, GraphBuilder& builder) : text_(text), builder_(builder) {}

    bool run()
    {
        bool found = false;
        while (!at_end()) {
            const std::size_t begin = at_;
            std::string_view key;
            if (!word(key)) return false;
            if (key == "graph" && !found && next_is('[')) {
                found = true;
                if (!graph(begin)) return false;
            } else if (!skip_value(key)) {
                return false;
            }
        }
        if (!found) return builder_.fail(0, "there is no `graph [` in the file");
        return finish();
    }

  private:
    // An edge's ends are nodes that may be declared further down: edges are made when all are known.
    struct PendingEdge {
        std::string source, target;
        ForeignAttributes attributes;
        std::size_t offset;
    };

    struct UnnamedNode {
        ForeignAttributes attributes;
        std::size_t offset;
    };

    void skip_blanks()
    {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#' && (at_ == 0 || text_[at_ - 1] == '\n'))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
                ++at_;
            else
                break;
        }
    }
    bool at_end() { return skip_blanks(), at_ == text_.size(); }
    bool next_is(char c) { return skip_blanks(), at_ < text_.size() && text_[at_] == c; }

    static bool is_word(char c)
    {
        return in_word(c) || c == '-' || c == '+' || c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
    }

    bool word(std::string_view& out)
    {
        skip_blanks();
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        out = text_.substr(begin, at_ - begin);
        if (!out.empty()) return true;
        if (at_ == text_.size()) return builder_.fail(last(), "the file ends inside `[`", "is it whole?");
        return builder_.fail(at_, text_[at_] == ']' ? "`]` closes nothing" : "a key is expected here");
    }

    std::size_t last() const { return text_.empty() ? 0 : text_.size() - 1; }

    // A number or a string.
    bool scalar(std::string& value, ForeignKind& kind)
    {
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == '"') {
            const std::size_t end = text_.find('"', at_ + 1);
            if (end == std::string_view::npos) return builder_.fail(at_, "this string is never closed");
            value = decode_entities(text_.substr(at_ + 1, std::min(end - at_ - 1, 2 * kLongestGraphValue)));
            kind = ForeignKind::text;
            at_ = end + 1;
            return true;
        }
        std::string_view plain;
        if (!word(plain)) return false;
        value = plain.substr(0, kLongestGraphValue);
        kind = plain.find_first_not_of("0123456789+-.eE") == std::string_view::npos ? ForeignKind::number
                                                                                    : ForeignKind::text;
        return true;
    }

    bool open_list(unsigned& depth)
    {
        skip_blanks();
        if (++depth > kDeepestGraph)
            return builder_.fail(at_, fmt::format("lists are nested more than {} deep", kDeepestGraph));
        ++at_;  // the bracket
        return true;
    }

    // What follows a key that nobody wants.
    bool skip_value(std::string_view)
    {
        std::string ignored;
        ForeignKind kind{};
        if (!next_is('[')) return scalar(ignored, kind);
        unsigned depth = 0;
        if (!open_list(depth)) return false;
        while (depth > 0) {
            if (next_is(']')) {
                ++at_;
                --depth;
                continue;
            }
            std::string_view key;
            if (!word(key)) return false;
            if (next_is('[') ? !open_list(depth) : !scalar(ignored, kind)) return false;
        }
        return true;
    }

    // The attributes between the brackets of a node, an edge or a list in one of them ("graphics.x").
    bool attributes(ForeignAttributes& out, const std::string& prefix, unsigned depth)
    {
        if (!open_list(depth)) return false;
        while (!next_is(']')) {
            const std::size_t begin = at_;
            std::string_view key;
            if (!word(key)) return false;
            const std::string name = prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
            if (next_is('[')) {
                if (!attributes(out, name, depth)) return false;
                continue;
            }
            std::string value;
            ForeignKind kind{};
            if (!scalar(value, kind) || !builder_.set(out, name, kind, value, begin)) return false;
        }
        ++at_;
        return true;
    }

    std::string take(ForeignAttributes& list, std::string_view name)
    {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (builder_.graph().names[list[i].name] != name) continue;
            std::string value = std::move(list[i].value);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
            return value;
        }
        return {};
    }

    bool graph(std::size_t begin)
    {
        unsigned depth = 0;
        if (!open_list(depth)) return false;
        while (!next_is(']')) {
            const std::size_t at = at_;
            std::string_view key;
            if (!word(key)) return false;
            if ((key == "node" || key == "edge") && next_is('[')) {
                ForeignAttributes list;
                if (!attributes(list, "", depth)) return false;
                if (key == "node" ? !node(list, at) : !edge(list, at)) return false;
            } else if (next_is('[')) {
                ForeignAttributes& own = builder_.graph().attributes;
                if (!attributes(own, std::string(key), depth)) return false;
            } else {
                std::string value;
                ForeignKind kind{};
                if (!scalar(value, kind)) return false;
                if (key == "directed") directed_ = value == "1";
                if (key != "directed" && key != "multigraph" &&
                    !builder_.set(builder_.graph().attributes, key, kind, value, at))
                    return false;
            }
        }
        ++at_;
        return begin < text_.size();
    }

    bool node(ForeignAttributes& list, std::size_t at)
    {
        const std::string id = take(list, "id");
        if (id.empty()) {
            if (unnamed_.size() == kMostGraphNodes)
                return builder_.fail(at, fmt::format("the graph has more than {} nodes", kMostGraphNodes));
            unnamed_.push_back({std::move(list), at});
            return true;
        }
        std::uint32_t index = 0;
        if (!builder_.declare(id, at, index)) return false;
        builder_.graph().nodes[index].attributes = std::move(list);
        return true;
    }

    // Nodes without an id: edges may name them by their labels, where no id is like it.
    bool name_nodes()
    {
        for (UnnamedNode& node : unnamed_) {
            const ForeignAttribute* label = builder_.graph().find(node.attributes, "label");
            if (!label || label->value.empty() || builder_.find(label->value)) {
                builder_.leave_out("nodes without an `id`");
                continue;
            }
            std::uint32_t index = 0;
            if (!builder_.declare(label->value, node.offset, index)) return false;
            builder_.graph().nodes[index].attributes = std::move(node.attributes);
        }
        return true;
    }

    bool edge(ForeignAttributes& list, std::size_t at)
    {
        PendingEdge edge{take(list, "source"), take(list, "target"), {}, at};
        if (edge.source.empty()) return builder_.fail(at, "an edge has no `source`");
        if (edge.target.empty()) return builder_.fail(at, "an edge has no `target`");
        edge.attributes = std::move(list);
        if (pending_.size() == kMostGraphEdges)
            return builder_.fail(at, fmt::format("the graph has more than {} edges", kMostGraphEdges));
        pending_.push_back(std::move(edge));
        return true;
    }

    bool finish()
    {
        if (!name_nodes()) return false;
        for (PendingEdge& edge : pending_) {
            std::uint32_t index = 0;
            if (!builder_.edge(edge.source, edge.target, directed_, edge.offset, index)) return false;
            builder_.graph().edges[index].attributes = std::move(edge.attributes);
        }
        return true;
    }

    std::string_view text_;
    GraphBuilder& builder_;
    std::size_t at_ = 0;
    std::vector<PendingEdge> pending_;
    std::vector<UnnamedNode> unnamed_;
    bool directed_ = false;
};

}  // namespace

bool read_gml(std::string_view text, GraphBuilder& builder) { return GmlReader(text, builder).run(); }

}  // namespace anml
