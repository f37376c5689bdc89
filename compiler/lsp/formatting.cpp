// Formatting: what `anmlc fmt` would write, as edits of lines that differ; of a range those that lie in it.
#include <algorithm>

#include "format/format.h"
#include "lsp/capabilities.h"

namespace anml::lsp {

namespace {

// Lines, with what ends them, of both texts that are not in a longest common subsequence: blocks of the old ones and
// what stands in their place.
struct Block {
    std::size_t begin, end;  // lines of the old text
    std::size_t new_begin, new_end;
};

std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string without_blanks(std::string_view line)
{
    std::string out;
    for (const char c : line)
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ',') out += c;
    return out;
}

// The formatter moves words and commas and no others: walking along both texts by their words finds where they meet.
std::vector<Block> differences(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
{
    std::vector<Block> blocks;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            ++i, ++j;
            continue;
        }
        // As many lines of each as it takes until their words are the same.
        Block block{i, i, j, j};
        std::size_t length_a = 0, length_b = 0;
        do {
            if (block.new_end < b.size() && (length_b < length_a || block.end == a.size()))
                length_b += without_blanks(b[block.new_end++]).size();
            else if (block.end < a.size())
                length_a += without_blanks(a[block.end++]).size();
            else
                break;
        } while (length_a != length_b || (length_a == 0 && block.end == block.begin));
        // Empty lines that only one of them has belong to it.
        while (block.end < a.size() && without_blanks(a[block.end]).empty()) ++block.end;
        while (block.new_end < b.size() && without_blanks(b[block.new_end]).empty()) ++block.new_end;
        blocks.push_back(block);
        i = block.end, j = block.new_end;
    }
    return blocks;
}

// Bytes; where the text has errors, or is right as it is, nothing.
std::vector<std::pair<ByteRange, std::string>> edits_of(const Document& document)
{
    SourceSet sources;
    sources.add(document.path, document.text, "");
    Diagnostics ignored;
    const auto tree = parse(sources, ignored).if_whole();
    if (!tree) return {};
    const std::string text = format_file(sources, *tree, sources.main);
    SourceSet again;
    again.add(document.path, text, "");
    const auto other = parse(again, ignored).if_whole();
    if (!other || !compare_programs(sources, *tree, again, *other).empty())
        throw RequestError{error_code::internal_error, "formatting would change the program"};

    const auto before = lines_of(document.text), after = lines_of(text);
    std::vector<std::uint32_t> begins{0};
    for (const std::string_view line : before) begins.push_back(begins.back() + std::uint32_t(line.size()));
    std::vector<std::pair<ByteRange, std::string>> edits;
    std::string check;
    std::size_t done = 0;
    for (const Block& block : differences(before, after)) {
        std::string replacement;
        for (std::size_t i = block.new_begin; i < block.new_end; ++i) replacement += after[i];
        check.append(document.text, begins[done], begins[block.begin] - begins[done]);
        check += replacement;
        done = block.end;
        edits.push_back({{begins[block.begin], begins[block.end]}, std::move(replacement)});
    }
    check.append(document.text, begins[done]);
    if (check != text) return {{{0, std::uint32_t(document.text.size())}, text}};
    return edits;
}

json as_edits(const Workspace& workspace, const Document& document, ByteRange within)
{
    const PositionMap map(document.text, workspace.client.encoding);
    json all = json::array();
    for (const auto& [range, text] : edits_of(document))
        if (range.begin < within.end && range.end > within.begin)
            all.push_back({{"range", map.range_json(range.begin, range.end)}, {"newText", text}});
    return all;
}

}  // namespace

json formatting(Workspace& workspace, const json& params)
{
    return as_edits(workspace, workspace.document(params), {0, 0xffffffffu});
}

json range_formatting(Workspace& workspace, const json& params)
{
    const Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    ByteRange within = map.range(field(params, "range"));
    within.begin = map.line_begin(map.line_of(within.begin));  // lines are whole
    within.end = std::max(within.end, within.begin + 1);
    return as_edits(workspace, document, within);
}

// Behind `}` the statement that it ends, behind a new line the line before.
json on_type_formatting(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    const std::uint32_t at = map.offset(field(params, "position"));
    const std::string typed = text_field(params, "ch");
    const std::uint32_t line = map.line_of(at);
    if (typed == "\n")
        return line == 0 ? json::array()
                         : as_edits(workspace, document, {map.line_begin(line - 1), map.line_begin(line)});
    if (typed != "}") return json::array();
    const Snapshot& snapshot = workspace.snapshot(document);
    if (!snapshot.parsed() || at == 0) return json::array();
    const SyntaxId item = snapshot.item_around(snapshot.innermost(snapshot.sources.main, at - 1, at));
    if (!item.valid()) return json::array();
    const Span span = snapshot.tree.node(item).span;
    return as_edits(workspace, document, {map.line_begin(map.line_of(span.begin)), span.end});
}

}  // namespace anml::lsp
