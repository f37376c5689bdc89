// DOT, Graphviz's language: graphs and digraphs with subgraphs, defaults, chains of edges, ports and quoted, numeral
// and HTML ids. Only read, never run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"

namespace anml {

namespace {

class DotReader {
  public:
    DotReader(std::string_view text, GraphBuilder& builder) : text_(text), builder_(builder) {}

    bool run()
    {
        if (!next()) return false;
        strict_ = is_keyword("strict");
        if (strict_ && !next()) return false;
        if (!is_keyword("graph") && !is_keyword("digraph"))
            return builder_.fail(begin_, "a DOT file begins with `graph` or `digraph`");
        directed_ = is_keyword("digraph");
        if (!next()) return false;
        if (kind_ == Kind::id) {
            name_ = without_marks(value_);
            if (!builder_.set(builder_.graph().attributes, "label", ForeignKind::text, name_, begin_) || !next())
                return false;
        }
        if (!is('{')) return builder_.fail(begin_, "`{` is expected here");
        if (!next()) return false;
        Subgraph whole;
        if (!statements(Defaults{}, whole, 0)) return false;
        if (!next()) return false;
        if (kind_ != Kind::end) builder_.leave_out("further graphs of the file");
        return true;
    }

  private:
    enum class Kind : std::uint8_t { end, id, punctuation, edge };
    struct Defaults {
        ForeignAttributes node, edge;
    };
    // What is said again of one of the same name goes on where it ended.
    struct Subgraph {
        Defaults own;
        std::vector<std::uint32_t> members;  // the nodes that it names, for edges between subgraphs
        std::map<std::string, Subgraph> named;
    };
    using Ends = std::pair<std::uint32_t, std::uint32_t>;

    // Stands in values for the `\` of `\N` and the like, until it is known whose value it is.
    static constexpr char kMark = '\x01';
    static std::string without_marks(std::string text)
    {
        std::erase(text, kMark);
        return text;
    }

    // --- words
    bool next()
    {
        if (!skip()) return false;
        begin_ = std::min(at_, text_.empty() ? 0 : text_.size() - 1);
        value_.clear();
        if (at_ >= text_.size()) return kind_ = Kind::end, true;
        const char c = text_[at_];
        if (c == '"') return quoted();
        if (c == '<') return html();
        if (c == '-' && at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '>')) {
            kind_ = Kind::edge;
            at_ += 2;
            quoted_ = false;
            return true;
        }
        if (std::string_view("{}[];,=:+").find(c) != std::string_view::npos) {
            kind_ = Kind::punctuation;
            value_ = c;
            ++at_;
            quoted_ = false;
            return true;
        }
        const auto is_word = [&](char w) { return in_word(w) || w == '.' || static_cast<unsigned char>(w) >= 0x80; };
        const std::size_t begin = at_;
        if (c == '-') {
            // A number; behind a name it would be another name, which nobody means.
            const std::size_t digit = at_ + (text_.substr(at_ + 1, 1) == "." ? 2 : 1);
            const bool number = digit < text_.size() && is_digit(text_[digit]);
            const bool behind = kind_ == Kind::id && !quoted_ && end_ == at_;
            if (!number || behind)
                return builder_.fail(begin, "`-` is no part of a name", "names with dashes stand in quotes: `\"a-b\"`");
            ++at_;
        }
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        if (at_ == begin) return builder_.fail(begin, "this is no word of DOT");
        end_ = at_;
        quoted_ = false;
        kind_ = Kind::id;
        value_ = text_.substr(begin, at_ - begin);
        return true;
    }

    bool skip()
    {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                ++at_;
            } else if (text_.substr(at_, 2) == "//" || (c == '#' && begins_line())) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_.substr(at_, 2) == "/*") {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) return builder_.fail(at_, "this comment is never closed");
                at_ = end + 2;
            } else {
                break;
            }
        }
        return true;
    }

    // Nothing but blanks before it on its line: what the C preprocessor left.
    bool begins_line() const
    {
        const std::size_t before = text_.substr(0, at_).find_last_not_of(" \t");
        return before == std::string_view::npos || text_[before] == '\n';
    }

    // "..." and what `+` joins to it. \" is a quote, \ before a line's end joins the lines, \n and \l are line ends.
    // \N and the like stay, behind a mark.
    bool quoted()
    {
        kind_ = Kind::id;
        quoted_ = true;
        while (true) {
            const std::size_t begin = at_++;
            while (at_ < text_.size() && text_[at_] != '"') {
                if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                    const char escaped = text_[++at_];
                    if (escaped == 'n' || escaped == 'l' || escaped == 'r')
                        value_ += ' ';
                    else if (std::string_view("NGETH").find(escaped) != std::string_view::npos)
                        (value_ += kMark) += escaped;
                    else if (escaped != '\n')
                        value_ += escaped;
                } else {
                    value_ += text_[at_];
                }
                ++at_;
            }
            if (at_ >= text_.size()) return builder_.fail(begin, "this string is never closed");
            ++at_;
            const std::size_t behind = at_;
            if (!skip()) return false;
            if (at_ < text_.size() && text_[at_] == '+') {
                ++at_;
                if (!skip()) return false;
                if (at_ < text_.size() && text_[at_] == '"') continue;
                return builder_.fail(behind, "`+` joins two strings in quotes");
            }
            at_ = behind;
            value_ = decode_entities(value_);
            return true;
        }
    }

    // <...>: its text without the tags.
    bool html()
    {
        kind_ = Kind::id;
        quoted_ = true;
        const std::size_t begin = at_;
        int depth = 0;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '<') {
                ++depth;
                if (depth > 1 && !value_.empty() && value_.back() != ' ') value_ += ' ';
            } else if (text_[at_] == '>') {
                if (--depth == 0) {
                    ++at_;
                    while (!value_.empty() && value_.back() == ' ') value_.pop_back();
                    value_ = decode_entities(value_);
                    return true;
                }
            } else if (depth == 1) {
                value_ += text_[at_];
            }
        }
        return builder_.fail(begin, "this `<` is never closed");
    }

    bool is(char c) const { return kind_ == Kind::punctuation && value_[0] == c; }
    bool is_keyword(std::string_view word) const
    {
        if (kind_ != Kind::id || quoted_ || value_.size() != word.size()) return false;
        for (std::size_t i = 0; i < word.size(); ++i)
            if ((value_[i] | 0x20) != word[i]) return false;
        return true;
    }

    // --- sentences

    // Up to the `}`, which is left. `defaults`: of what is around it.
    bool statements(Defaults defaults, Subgraph& graph, unsigned depth)
    {
        if (depth > kDeepestGraph)
            return builder_.fail(begin_, fmt::format("subgraphs are nested more than {} deep", kDeepestGraph));
        if (!merge(defaults.node, graph.own.node, begin_) || !merge(defaults.edge, graph.own.edge, begin_))
            return false;
        while (!is('}')) {
            if (kind_ == Kind::end) return builder_.fail(begin_, "the file ends inside `{`", "is it whole?");
            if (is(';') || is(',')) {
                if (!next()) return false;
                continue;
            }
            if (!statement(defaults, graph, depth)) return false;
        }
        return true;
    }

    bool statement(Defaults& defaults, Subgraph& graph, unsigned depth)
    {
        for (std::string_view word : {"graph", "node", "edge"}) {
            if (!is_keyword(word)) continue;
            const std::size_t begin = begin_;
            if (!next()) return false;
            if (!is('[')) return builder_.fail(begin_, fmt::format("`[` is expected behind `{}`", word));
            ForeignAttributes given;
            if (!attribute_lists(given)) return false;
            if (word == "graph") return depth > 0 || merge(builder_.graph().attributes, given, begin);
            ForeignAttributes& here = word == "node" ? defaults.node : defaults.edge;
            ForeignAttributes& own = word == "node" ? graph.own.node : graph.own.edge;
            return merge(here, given, begin) && merge(own, given, begin);
        }
        const std::size_t begin = begin_;
        std::vector<std::uint32_t> left;
        const bool named = kind_ == Kind::id && !is_keyword("subgraph");
        const std::string id = without_marks(value_);
        if (named) {
            if (!next()) return false;
            if (is('=')) {  // an attribute of the graph
                if (!next()) return false;
                if (kind_ != Kind::id) return builder_.fail(begin_, "a value is expected behind `=`");
                ForeignAttributes given;
                if (depth == 0 && (!builder_.set(given, id, ForeignKind::text, value_, begin) ||
                                   !merge(builder_.graph().attributes, given, begin)))
                    return false;
                return next();
            }
            if (!port()) return false;
            if (!declare(id, begin, defaults, left)) return false;
        } else if (!group(defaults, graph, left, depth)) {
            return false;
        }
        graph.members.insert(graph.members.end(), left.begin(), left.end());
        if (kind_ != Kind::edge) {
            ForeignAttributes own;
            if (is('[') && !attribute_lists(own)) return false;
            for (std::uint32_t node : named ? left : std::vector<std::uint32_t>{})
                if (!merge_node(node, own, begin)) return false;
            return true;
        }
        return chain(defaults, std::move(left), graph, depth);
    }

    // `a -- b -- {c d} [...]`, behind its first end.
    bool chain(const Defaults& defaults, std::vector<std::uint32_t> left, Subgraph& graph, unsigned depth)
    {
        std::vector<std::pair<Ends, std::size_t>> edges;
        while (kind_ == Kind::edge) {
            const std::size_t begin = begin_;
            if (!next()) return false;
            std::vector<std::uint32_t> right;
            if (kind_ == Kind::id && !is_keyword("subgraph")) {
                const std::string id = without_marks(value_);
                const std::size_t at = begin_;
                if (!next() || !port() || !declare(id, at, defaults, right)) return false;
            } else if (!group(defaults, graph, right, depth)) {
                return false;
            }
            graph.members.insert(graph.members.end(), right.begin(), right.end());
            if (edges.size() + left.size() * right.size() > kMostGraphEdges)
                return builder_.fail(begin, fmt::format("the graph has more than {} edges", kMostGraphEdges));
            for (std::uint32_t a : left)
                for (std::uint32_t b : right) edges.emplace_back(Ends(a, b), begin);
            left = std::move(right);
        }
        const std::size_t begin = begin_;
        ForeignAttributes own;
        if (is('[') && !attribute_lists(own)) return false;
        const ForeignAttribute* const key = builder_.graph().find(own, "key");
        for (const auto& [ends, at] : edges)
            if (!edge(ends, at, defaults, own, key ? key->value : "", begin)) return false;
        return true;
    }

    // Of those with the same ends and the same `key`, which is no empty one, there is one: later statements add
    // attributes to it. In a strict graph there is one of the same ends; with another key nothing is added.
    bool edge(Ends ends, std::size_t at, const Defaults& defaults, const ForeignAttributes& own, const std::string& key,
              std::size_t own_at)
    {
        const auto [a, b] = ends;
        if (!directed_ && a > b) std::swap(ends.first, ends.second);
        const auto strict = strict_ ? edges_.find({ends, ""}) : edges_.end();
        const auto known = strict_ && key.empty() ? strict : key.empty() ? edges_.end() : edges_.find({ends, key});
        if (known != edges_.end()) return merge_edge(known->second, own, own_at);
        if (strict != edges_.end()) {
            builder_.leave_out("edges of a strict graph with another `key` than that of the same ends");
            return true;
        }
        const std::string from = builder_.graph().nodes[a].id, to = builder_.graph().nodes[b].id;
        std::uint32_t index = 0;
        if (!builder_.edge(from, to, directed_, at, index)) return false;
        if (strict_) edges_.emplace(std::pair(ends, ""), index);
        if (!key.empty()) edges_.emplace(std::pair(ends, key), index);
        return merge_edge(index, defaults.edge, at) && merge_edge(index, own, own_at);
    }

    bool declare(const std::string& id, std::size_t at, const Defaults& defaults, std::vector<std::uint32_t>& out)
    {
        if (const auto known = builder_.find(id)) {
            out.push_back(*known);
            return true;
        }
        std::uint32_t index = 0;
        if (!builder_.declare(id, at, index)) return false;
        out.push_back(index);
        return merge_node(index, defaults.node, at);
    }

    // `subgraph name { ... }` or `{ ... }`.
    bool group(const Defaults& defaults, Subgraph& around, std::vector<std::uint32_t>& members, unsigned depth)
    {
        Subgraph unnamed;
        Subgraph* graph = &unnamed;
        if (is_keyword("subgraph")) {
            if (!next()) return false;
            if (kind_ == Kind::id) {
                graph = &around.named[without_marks(value_)];
                if (!next()) return false;
            }
        }
        if (!is('{')) return builder_.fail(begin_, "a node or a subgraph is expected here");
        if (!next() || !statements(defaults, *graph, depth + 1) || !next()) return false;
        std::set<std::uint32_t> seen;
        std::erase_if(graph->members, [&](std::uint32_t node) { return !seen.insert(node).second; });
        if ((named_again_ += graph->members.size()) > kMostGraphValues)
            return builder_.fail(begin_, fmt::format("subgraphs have more than {} nodes", kMostGraphValues));
        members.insert(members.end(), graph->members.begin(), graph->members.end());
        return true;
    }

    // `:port` and `:port:compass`, which say where a line touches a shape.
    bool port()
    {
        while (is(':')) {
            if (!next()) return false;
            if (kind_ != Kind::id) return builder_.fail(begin_, "a port's name is expected behind `:`");
            if (!next()) return false;
        }
        return true;
    }

    bool attribute_lists(ForeignAttributes& out)
    {
        while (is('[')) {
            if (!next()) return false;
            while (!is(']')) {
                if (is(',') || is(';')) {
                    if (!next()) return false;
                    continue;
                }
                if (kind_ != Kind::id) return builder_.fail(begin_, "an attribute or `]` is expected here");
                const std::string name = without_marks(value_);
                const std::size_t begin = begin_;
                if (!next()) return false;
                std::string value = "true";
                if (is('=')) {
                    if (!next()) return false;
                    if (kind_ != Kind::id) return builder_.fail(begin_, "a value is expected behind `=`");
                    value = value_;
                    if (!next()) return false;
                }
                const bool number = !value.empty() && value.find_first_not_of("0123456789.-") == std::string::npos;
                if (!builder_.set(out, name, number ? ForeignKind::number : ForeignKind::text, value, begin))
                    return false;
            }
            if (!next()) return false;
        }
        return true;
    }

    // `of`: what a letter behind a mark stands for; "": it stays as it is.
    template <class Of>
    bool merge(ForeignAttributes& into, const ForeignAttributes& from, std::size_t at, const Of& of)
    {
        for (const ForeignAttribute& a : from) {
            const std::string name = builder_.graph().names[a.name];
            std::string value;
            for (std::size_t i = 0; i < a.value.size(); ++i) {
                const bool marked = a.value[i] == kMark && i + 1 < a.value.size();
                const std::string meant = marked ? of(a.value[i + 1]) : "";
                value += meant.empty() ? a.value.substr(i, 1) : meant;
                i += !meant.empty();
            }
            if (!builder_.set(into, name, a.kind, value, at)) return false;
        }
        return true;
    }
    // Defaults, which say what they say of each node or edge.
    bool merge(ForeignAttributes& into, const ForeignAttributes& from, std::size_t at)
    {
        if (&into != &builder_.graph().attributes) return merge(into, from, at, [](char) { return std::string(); });
        return merge(into, from, at, [&](char c) { return c == 'G' ? name_ : std::string(1, c); });
    }
    bool merge_node(std::uint32_t index, const ForeignAttributes& from, std::size_t at)
    {
        ForeignNode& node = builder_.graph().nodes[index];
        return merge(node.attributes, from, at, [&](char c) {
            return c == 'N' ? node.id : c == 'G' ? name_ : std::string(1, c);
        });
    }
    bool merge_edge(std::uint32_t index, const ForeignAttributes& from, std::size_t at)
    {
        ForeignEdge& edge = builder_.graph().edges[index];
        const std::string &tail = builder_.graph().nodes[edge.from].id, &head = builder_.graph().nodes[edge.to].id;
        return merge(edge.attributes, from, at, [&](char c) {
            return c == 'E'   ? tail + (directed_ ? "->" : "--") + head
                   : c == 'T' ? tail
                   : c == 'H' ? head
                   : c == 'G' ? name_
                              : std::string(1, c);
        });
    }

    std::string_view text_;
    GraphBuilder& builder_;
    std::size_t at_ = 0, begin_ = 0, end_ = 0;  // of the last word without quotes
    std::size_t named_again_ = 0;               // members of subgraphs, each time that they end
    Kind kind_ = Kind::end;
    bool quoted_ = false, directed_ = false, strict_ = false;
    // By their ends and keys; without a key of a strict graph.
    std::map<std::pair<Ends, std::string>, std::uint32_t> edges_;
    std::string value_, name_;
};

}  // namespace

bool read_dot(std::string_view text, GraphBuilder& builder) { return DotReader(text, builder).run(); }

}  // namespace anml
