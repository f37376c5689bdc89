// The structure of a text: what folds, and what is selected when a selection grows.
#include <algorithm>

#include "lsp/capabilities.h"

namespace anml::lsp {

json folding_ranges(Workspace& workspace, const json& params)
{
    const Snapshot& snapshot = workspace.snapshot(workspace.document(params));
    json all = json::array();
    if (!snapshot.parsed()) return all;
    const FileId file = snapshot.sources.main;
    const PositionMap& map = snapshot.positions(file);
    const auto fold = [&](std::uint32_t begin, std::uint32_t end, const char* kind) {
        const std::uint32_t first = map.line_of(begin), last = map.line_of(end);
        if (last <= first) return;
        json range = {{"startLine", first}, {"endLine", last}};
        if (kind) range["kind"] = kind;
        all.push_back(std::move(range));
    };
    // What stands in brackets: from the line that opens to the one before the line that closes.
    const TokenList& tokens = snapshot.tree.tokens;
    std::vector<std::uint32_t> open;
    std::uint32_t comment_begin = 0, comment_end = 0;
    bool comments = false;
    const auto end_comments = [&] {
        if (comments) fold(comment_begin, comment_end, "comment");
        comments = false;
    };
    for (std::size_t i = 0; i < tokens.size() && tokens.file(i) == file; ++i) {
        const std::uint32_t begin = tokens.begin_of(i), end = tokens.end_of(i);
        const TokenClass cls = tokens.cls(i);
        if (cls == TokenClass::newline) continue;
        if (cls == TokenClass::comment || cls == TokenClass::doc_comment) {
            if (comments && map.line_of(begin) > map.line_of(comment_end) + 1) end_comments();
            if (!comments) comment_begin = begin;
            comments = true;
            comment_end = end;
            continue;
        }
        end_comments();
        if (cls != TokenClass::punctuation || end != begin + 1) continue;
        const char c = snapshot.sources.file(file).text[begin];
        if (c == '{' || c == '(' || c == '[') open.push_back(begin);
        if ((c == '}' || c == ')' || c == ']') && !open.empty()) {
            const std::uint32_t line = map.line_of(begin);
            if (line > 0 && line > map.line_of(open.back())) fold(open.back(), map.line_begin(line) - 1, nullptr);
            open.pop_back();
        }
    }
    end_comments();
    // Imports in a row.
    std::uint32_t first = 0, last = 0, count = 0;
    for (const SyntaxId id : snapshot.tree.children_of(snapshot.tree.roots[file.value])) {
        if (snapshot.tree.kind(id) != SyntaxKind::import_decl) continue;
        const Span span = snapshot.tree.node(id).span;
        if (count++ == 0) first = span.begin;
        last = span.end;
    }
    if (count > 1) fold(first, last, "imports");
    return all;
}

json selection_ranges(Workspace& workspace, const json& params)
{
    const Snapshot& snapshot = workspace.snapshot(workspace.document(params));
    const FileId file = snapshot.sources.main;
    json all = json::array();
    for (const json& position : field(params, "positions")) {
        if (!snapshot.parsed()) {
            all.push_back({{"range", {{"start", position}, {"end", position}}}});
            continue;
        }
        const PositionMap& map = snapshot.positions(file);
        const std::uint32_t offset = map.offset(position);
        std::vector<ByteRange> ranges;  // from the inside
        const auto add = [&](std::uint32_t begin, std::uint32_t end) {
            if (ranges.empty() || ((begin < ranges.back().begin || end > ranges.back().end) &&
                                   begin <= ranges.back().begin && end >= ranges.back().end))
                ranges.push_back({begin, end});
        };
        if (const TokenId at = snapshot.token_at(file, offset))
            add(snapshot.tree.tokens.begin_of(at.value), snapshot.tree.tokens.end_of(at.value));
        else
            add(offset, offset);
        const ByteRange word = ranges.front();
        for (SyntaxId id = snapshot.innermost(file, word.begin, word.end); id.valid(); id = snapshot.parent(id)) {
            const Span span = snapshot.tree.node(id).span;
            add(span.begin, span.end);
        }
        add(0, static_cast<std::uint32_t>(snapshot.sources.file(file).text.size()));
        json made;
        for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
            json one = {{"range", map.range_json(range->begin, range->end)}};
            if (!made.is_null()) one["parent"] = std::move(made);
            made = std::move(one);
        }
        all.push_back(std::move(made));
    }
    return all;
}

}  // namespace anml::lsp
