// Formatting: what `anmlc fmt` would write, as edits of lines that differ; of a range those that lie in it.
#include <algorithm>
#include <optional>

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

// Nothing where the text has errors.
std::optional<std::string> formatted(const std::string& path, const std::string& text)
{
    SourceSet sources;
    sources.add(path, text, "");
    Diagnostics ignored;
    const auto tree = parse(sources, ignored).if_whole();
    if (!tree) return std::nullopt;
    std::string out = format_file(sources, *tree, sources.main);
    SourceSet again;
    again.add(path, out, "");
    const auto other = parse(again, ignored).if_whole();
    if (!other || !compare_programs(sources, *tree, again, *other).empty())
        throw RequestError{error_code::internal_error, "formatting would change the program"};
    return out;
}

// Bytes; where the text has errors, or is right as it is, nothing.
std::vector<std::pair<ByteRange, std::string>> edits_of(const Document& document)
{
    const auto written = formatted(document.path, document.text);
    if (!written) return {};
    const std::string& text = *written;
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

std::string_view without_end(std::string_view line)
{
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::string_view blanks_before(std::string_view line) { return line.substr(0, line.find_first_not_of(" \t")); }

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == line.npos; }

// The same line in other blanks. The formatter takes a comma off the end of a list; who has just written one goes on.
std::optional<std::string> respaced(std::string_view old, std::string_view line)
{
    std::string text(line);
    if (old.ends_with(',') && !line.ends_with(',')) text += ',';
    const auto words = [](std::string_view of) {
        std::string all(of);
        std::erase_if(all, [](char c) { return c == ' ' || c == '\t'; });
        return all;
    };
    return words(old) == words(text) ? std::optional(text) : std::nullopt;
}

// Behind a new line: the blanks of the line that it ended, and those before the cursor. What is formatted has a comment
// on a line of its own where the cursor is, so that nothing is joined across it; no line comes or goes.
std::vector<std::pair<ByteRange, std::string>> edits_behind_new_line(const Document& document, ByteRange ended,
                                                                     ByteRange now)
{
    const std::string_view text = document.text;
    const std::string_view old_line = without_end(text.substr(ended.begin, ended.end - ended.begin)),
                           cursor_line = without_end(text.substr(now.begin, now.end - now.begin));
    std::string comment = "// here";
    while (text.find(comment) != text.npos) comment += '_';
    std::string with(text.substr(0, now.begin));
    with += std::string(blanks_before(cursor_line)) + comment + '\n';
    // In place of an empty line, before any other.
    with += text.substr(is_blank(cursor_line) ? now.end : now.begin);
    const auto written = formatted(document.path, with);
    if (!written) return {};

    const auto lines = lines_of(*written);
    std::size_t at = 0;
    while (at < lines.size() && lines[at].find(comment) == std::string_view::npos) ++at;
    if (at == lines.size() || without_end(lines[at]).substr(blanks_before(lines[at]).size()) != comment) return {};
    std::vector<std::pair<ByteRange, std::string>> edits;
    const auto put = [&](ByteRange range, const std::string& replacement) {
        if (text.substr(range.begin, range.end - range.begin) != replacement) edits.emplace_back(range, replacement);
    };
    const std::optional<std::string> line = is_blank(old_line) ? std::string()
                                            : at > 0           ? respaced(old_line, without_end(lines[at - 1]))
                                                               : std::nullopt;
    if (line) put({ended.begin, std::uint32_t(ended.begin + old_line.size())}, *line);
    // A line that has words is indented as they are where they begin the line below the comment, as `}` is.
    std::string_view indented = lines[at];
    if (!is_blank(cursor_line)) {
        if (at + 1 == lines.size()) return edits;
        indented = lines[at + 1];
        const std::string first = without_blanks(indented);
        if (first.empty() || !without_blanks(cursor_line).starts_with(first)) return edits;
    }
    put({now.begin, std::uint32_t(now.begin + blanks_before(cursor_line).size())},
        std::string(blanks_before(indented)));
    return edits;
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

// Behind `}` the statement that it ends, behind a new line the blanks of the line before and of the new one.
json on_type_formatting(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    const std::uint32_t at = map.offset(field(params, "position"));
    const std::string typed = text_field(params, "ch");
    const std::uint32_t line = map.line_of(at);
    if (typed == "\n") {
        json all = json::array();
        if (line == 0) return all;
        const std::uint32_t begin = map.line_begin(line);
        const std::size_t end = document.text.find('\n', begin);
        const ByteRange now{begin, std::uint32_t(end == std::string::npos ? document.text.size() : end + 1)};
        for (const auto& [range, text] : edits_behind_new_line(document, {map.line_begin(line - 1), begin}, now))
            all.push_back({{"range", map.range_json(range.begin, range.end)}, {"newText", text}});
        return all;
    }
    if (typed != "}") return json::array();
    const Snapshot& snapshot = workspace.snapshot(document);
    if (!snapshot.parsed() || at == 0) return json::array();
    const SyntaxId item = snapshot.item_around(snapshot.innermost(snapshot.sources.main, at - 1, at));
    if (!item.valid()) return json::array();
    const Span span = snapshot.tree.node(item).span;
    return as_edits(workspace, document, {map.line_begin(map.line_of(span.begin)), span.end});
}

}  // namespace anml::lsp
