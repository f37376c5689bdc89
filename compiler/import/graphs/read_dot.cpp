// DOT, Graphviz's language: graphs and digraphs with subgraphs, defaults, chains of edges, ports and quoted, numeral
// and HTML ids. Only read, never run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
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
            if (!builder_.set(builder_.graph().attributes, "label", ForeignKind::text, value_, begin_) || !next())
                return false;
        }
        if (!is('{')) return builder_.fail(begin_, "`{` is expected here");
        if (!next()) return false;
        std::vector<std::uint32_t> members;
        if (!statements(Defaults{}, members, 0)) return false;
        if (!next()) return false;
        if (kind_ != Kind::end) builder_.leave_out("further graphs of the file");
        return true;
    }

  private:
    enum class Kind : std::uint8_t { end, id, punctuation, edge };
    struct Defaults {
        ForeignAttributes node, edge;
    };

    // --- words
    bool next()
    {
        if (!skip()) return false;
        begin_ = std::min(at_, text_.empty() ? 0 : text_.size() - 1);
        quoted_ = false;
        value_.clear();
        if (at_ >= text_.size()) return kind_ = Kind::end, true;
        const char c = text_[at_];
        if (c == '"') return quoted();
        if (c == '<') return html();
        if (c == '-' && at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '>')) {
            kind_ = Kind::edge;
            at_ += 2;
            return true;
        }
        if (std::string_view("{}[];,=:+").find(c) != std::string_view::npos) {
            kind_ = Kind::punctuation;
            value_ = c;
            ++at_;
            return true;
        }
        const auto is_word = [&](char w) { return in_word(w) || w == '.' || static_cast<unsigned char>(w) >= 0x80; };
        const std::size_t begin = at_;
        if (c == '-') ++at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        if (at_ == begin || (c == '-' && at_ == begin + 1)) return builder_.fail(begin, "this is no word of DOT");
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

    // Up to the `}`, which is left. `members`: the nodes that it names, for edges between subgraphs.
    bool statements(Defaults defaults, std::vector<std::uint32_t>& members, unsigned depth)
    {
        if (depth > kDeepestGraph)
            return builder_.fail(begin_, fmt::format("subgraphs are nested more than {} deep", kDeepestGraph));
        while (!is('}')) {
            if (kind_ == Kind::end) return builder_.fail(begin_, "the file ends inside `{`", "is it whole?");
            if (is(';') || is(',')) {
                if (!next()) return false;
                continue;
            }
            if (!statement(defaults, members, depth)) return false;
        }
        return true;
    }

    bool statement(Defaults& defaults, std::vector<std::uint32_t>& members, unsigned depth)
    {
        for (std::string_view word : {"graph", "node", "edge"}) {
            if (!is_keyword(word)) continue;
            if (!next()) return false;
            ForeignAttributes own;
            ForeignAttributes& target = word == "node"   ? defaults.node
                                        : word == "edge" ? defaults.edge
                                        : depth == 0     ? builder_.graph().attributes
                                                         : own;
            return is('[') ? attribute_lists(target)
                           : builder_.fail(begin_, fmt::format("`[` is expected behind `{}`", word));
        }
        const std::size_t begin = begin_;
        std::vector<std::uint32_t> left;
        const bool named = kind_ == Kind::id && !is_keyword("subgraph");
        const std::string id = value_;
        if (named) {
            if (!next()) return false;
            if (is('=')) {  // an attribute of the graph
                if (!next()) return false;
                if (kind_ != Kind::id) return builder_.fail(begin_, "a value is expected behind `=`");
                if (depth == 0 && !builder_.set(builder_.graph().attributes, id, ForeignKind::text, value_, begin))
                    return false;
                return next();
            }
            if (!port()) return false;
            if (!declare(id, begin, defaults, left)) return false;
        } else if (!group(defaults, left, depth)) {
            return false;
        }
        members.insert(members.end(), left.begin(), left.end());
        if (kind_ != Kind::edge) {
            ForeignAttributes own;
            if (is('[') && !attribute_lists(own)) return false;
            for (std::uint32_t node : named ? left : std::vector<std::uint32_t>{})
                if (!merge(builder_.graph().nodes[node].attributes, own, begin)) return false;
            return true;
        }
        return chain(defaults, std::move(left), members, depth);
    }

    // `a -- b -- {c d} [...]`, behind its first end.
    bool chain(Defaults& defaults, std::vector<std::uint32_t> left, std::vector<std::uint32_t>& members, unsigned depth)
    {
        std::vector<std::uint32_t> edges;
        while (kind_ == Kind::edge) {
            const std::size_t begin = begin_;
            if (!next()) return false;
            std::vector<std::uint32_t> right;
            if (kind_ == Kind::id && !is_keyword("subgraph")) {
                const std::string id = value_;
                const std::size_t at = begin_;
                if (!next() || !port() || !declare(id, at, defaults, right)) return false;
            } else if (!group(defaults, right, depth)) {
                return false;
            }
            members.insert(members.end(), right.begin(), right.end());
            for (std::uint32_t a : left) {
                for (std::uint32_t b : right) {
                    std::uint32_t index = 0;
                    if (!edge(a, b, begin, defaults, index)) return false;
                    edges.push_back(index);
                }
            }
            left = std::move(right);
        }
        const std::size_t begin = begin_;
        ForeignAttributes own;
        if (is('[') && !attribute_lists(own)) return false;
        for (std::uint32_t index : edges)
            if (!merge(builder_.graph().edges[index].attributes, own, begin)) return false;
        return true;
    }

    // In a strict graph there is one of the same two ends, to which later statements add attributes.
    bool edge(std::uint32_t a, std::uint32_t b, std::size_t at, const Defaults& defaults, std::uint32_t& index)
    {
        const auto ends = directed_ ? std::pair(a, b) : std::pair(std::min(a, b), std::max(a, b));
        if (strict_) {
            if (const auto known = edges_.find(ends); known != edges_.end()) return index = known->second, true;
        }
        const std::string from = builder_.graph().nodes[a].id, to = builder_.graph().nodes[b].id;
        if (!builder_.edge(from, to, directed_, at, index)) return false;
        if (strict_) edges_.emplace(ends, index);
        return merge(builder_.graph().edges[index].attributes, defaults.edge, at);
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
        return merge(builder_.graph().nodes[index].attributes, defaults.node, at);
    }

    // `subgraph name { ... }` or `{ ... }`.
    bool group(const Defaults& defaults, std::vector<std::uint32_t>& members, unsigned depth)
    {
        if (is_keyword("subgraph")) {
            if (!next()) return false;
            if (kind_ == Kind::id && !next()) return false;
        }
        if (!is('{')) return builder_.fail(begin_, "a node or a subgraph is expected here");
        return next() && statements(defaults, members, depth + 1) && next();
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
                const std::string name = value_;
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

    bool merge(ForeignAttributes& into, const ForeignAttributes& from, std::size_t at)
    {
        for (const ForeignAttribute& a : from) {
            const std::string name = builder_.graph().names[a.name];
            if (!builder_.set(into, name, a.kind, a.value, at)) return false;
        }
        return true;
    }

    std::string_view text_;
    GraphBuilder& builder_;
    std::size_t at_ = 0, begin_ = 0;
    Kind kind_ = Kind::end;
    bool quoted_ = false, directed_ = false, strict_ = false;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges_;  // of a strict graph, by their ends
    std::string value_;
};

}  // namespace

bool read_dot(std::string_view text, GraphBuilder& builder) { return DotReader(text, builder).run(); }

}  // namespace anml
