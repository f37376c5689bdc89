// From a file to a foreign graph.
#include "import/graphs/read_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "import/requests/import_openapi.h"

namespace anml {

namespace {

struct Format {
    GraphFormat format;
    std::string_view word;                       // of --from
    std::array<std::string_view, 3> extensions;  // of files
    bool (*read)(std::string_view, GraphBuilder&);
};
constexpr Format kFormats[] = {
    {GraphFormat::graphml, "graphml", {".graphml", ".xml", ""}, read_graphml},
    {GraphFormat::gml, "gml", {".gml", "", ""}, read_gml},
    {GraphFormat::json, "json", {".json", "", ""}, read_node_link},
    {GraphFormat::dot, "dot", {".dot", ".gv", ""}, read_dot},
    {GraphFormat::caida, "as-rel", {".as-rel.txt", ".as-rel2.txt", ".as-rel"}, read_caida},
    {GraphFormat::containerlab, "containerlab", {".yml", ".yaml", ""}, read_containerlab},
    {GraphFormat::netlab, "netlab", {"", "", ""}, read_netlab},  // by what it says
    {GraphFormat::mahimahi, "mahimahi", {".up", ".down", ".mahi"}, read_mahimahi},
    {GraphFormat::har, "har", {".har", "", ""}, read_har},
    {GraphFormat::openapi, "openapi", {"", "", ""}, read_openapi},  // by what it says
};

// A flowchart: "flowchart LR", or "graph LR" without DOT's bracket behind it, below a title and comments.
bool is_mermaid(std::string_view path, std::string_view text)
{
    if (path.ends_with(".mmd") || path.ends_with(".mermaid")) return true;
    const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n;"), text.size())); };
    skip();
    if (text.starts_with("---")) {
        const std::size_t end = text.find("\n---", 3);
        text.remove_prefix(end == text.npos ? text.size() : end + 4);
        skip();
    }
    while (text.starts_with("%%")) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        skip();
    }
    const auto word = [&] {
        const std::string_view found = text.substr(0, text.find_first_of(" \t\r\n;"));
        text.remove_prefix(found.size());
        skip();
        return found;
    };
    const std::string_view first = word();
    if (first == "flowchart" || first == "flowchart-elk") return true;
    if (first != "graph") return false;
    const std::string_view direction = word();
    for (const std::string_view known : {"TB", "TD", "BT", "RL", "LR"})
        if (direction == known) return !text.starts_with('{');
    return false;
}

}  // namespace

std::optional<FileId> load_graph_file(const std::string& path, Readable readable, SourceSet& sources,
                                      Diagnostics& diagnostics)
{
    const std::string shown = path == "-" ? "<stdin>" : path;
    std::string bytes;
    if (const std::string problem = read_file(path, kLargestGraphFile, readable, bytes); !problem.empty()) {
        diagnostics.report(Diag::file_not_found, {}, fmt::format("cannot read `{}`: {}", shown, problem));
        return std::nullopt;
    }
    if (bytes.size() > kLargestGraphFile) {
        diagnostics.report(Diag::malformed_graph, {},
                           fmt::format("`{}` is larger than {} MiB", shown, kLargestGraphFile >> 20));
        return std::nullopt;
    }
    if (const std::string_view tool = decompressor(bytes); !tool.empty()) {
        diagnostics.report(Diag::malformed_graph, {}, fmt::format("`{}` is compressed", shown))
            .help(fmt::format("decompress it first, with `{}`", tool));
        return std::nullopt;
    }
    bool assumed = false;
    const std::string declared = declared_encoding(bytes);
    std::string text = decode_text(std::move(bytes), assumed);
    const std::size_t nul = text.find('\0');
    const FileId file = sources.add(shown, std::move(text), "");
    sources.files[file.value].foreign = true;
    if (nul != std::string::npos) {
        const auto at = static_cast<std::uint32_t>(nul);
        diagnostics.report(Diag::malformed_graph, {file, at, at + 1}, "the file contains a NUL byte")
            .help("graphs are text; is this the right file?");
        return std::nullopt;
    }
    if (assumed && !declared.empty() && declared != "UTF-8" && declared != "utf-8")
        diagnostics
            .report(Diag::guessed_value, {},
                    fmt::format("`{}` is read as Windows-1252: {}, which it says it is, is not known", shown, declared))
            .help(fmt::format("convert it first, with `iconv -f {} -t UTF-8`, and leave `encoding` out", declared));
    else if (assumed)
        diagnostics.report(Diag::guessed_value, {},
                           fmt::format("`{}` is not UTF-8 and is read as Windows-1252", shown));
    return file;
}

std::optional<GraphFormat> find_graph_format(std::string_view name)
{
    for (const Format& format : kFormats)
        if (format.word == name) return format.format;
    return std::nullopt;
}

std::string graph_format_words()
{
    std::string out;
    for (const Format& format : kFormats) out += fmt::format("{}{}", out.empty() ? "" : ", ", format.word);
    return out;
}

std::optional<GraphFormat> guess_graph_format(std::string_view path, std::string_view text)
{
    if (is_openapi(text)) return GraphFormat::openapi;
    if ((path.ends_with(".yml") || path.ends_with(".yaml")) && is_netlab(text)) return GraphFormat::netlab;
    for (const Format& format : kFormats)
        for (std::string_view extension : format.extensions)
            if (!extension.empty() && path.ends_with(extension)) return format.format;
    text = text.substr(0, 4096);
    const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
    skip();
    if (text.starts_with("<")) return GraphFormat::graphml;
    if (text.starts_with("{")) return GraphFormat::json;
    while (text.starts_with("#")) {  // a comment in GML, YAML, DOT and AS relationships
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        skip();
    }
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string_view::npos && text[digits] == '|') return GraphFormat::caida;
    if (digits != 0 && (digits == std::string_view::npos || text[digits] == '\n' || text[digits] == '\r'))
        return GraphFormat::mahimahi;
    for (std::string_view word : {"graph", "Creator", "Version", "comment", "directed"})
        if (text.starts_with(word) && text.substr(0, 200).find('[') != std::string_view::npos) return GraphFormat::gml;
    for (std::string_view word : {"graph", "digraph", "strict", "//", "/*"})
        if (text.starts_with(word)) return GraphFormat::dot;
    if (text.find("topology:") != std::string_view::npos) return GraphFormat::containerlab;
    if (is_netlab(text)) return GraphFormat::netlab;
    return std::nullopt;
}

std::optional<ForeignGraph> read_graph(const SourceSet& sources, FileId file, std::optional<GraphFormat> format,
                                       Diagnostics& diagnostics)
{
    const SourceFile& source = sources.file(file);
    if (!format && is_mermaid(source.path, source.text)) {
        diagnostics
            .report(Diag::malformed_graph, {},
                    fmt::format("`{}` is a Mermaid flowchart, a picture of a network without its values", source.path))
            .help("`anmlc graph` also writes GraphML and JSON, which can be imported");
        return std::nullopt;
    }
    if (!format) format = guess_graph_format(source.path, source.text);
    if (!format) {
        diagnostics
            .report(Diag::malformed_graph, {}, fmt::format("`{}` looks like no graph that can be read", source.path))
            .help(fmt::format("say what it is: --from with one of {}", graph_format_words()));
        return std::nullopt;
    }
    GraphBuilder builder(file, *format, diagnostics);
    for (const Format& known : kFormats)
        if (known.format == *format && !known.read(source.text, builder)) return std::nullopt;
    return std::move(builder.graph());
}

}  // namespace anml
