// From a foreign file to the text of a model.
#include <fmt/format.h>

#include "format/format.h"
#include "import/import_trace.h"
#include "import/links/link_profiles.h"
#include "import/requests/import_har.h"
#include "import/requests/import_openapi.h"

namespace anml {

namespace {

std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string folder(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return path == "-" || slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::optional<GraphFormat> format_of(const ImportOptions& options, const SourceFile& source)
{
    return options.format ? options.format : guess_graph_format(source.path, source.text);
}

std::optional<GraphTexts> graph_texts(const ForeignGraph& graph, const ImportOptions& options)
{
    const ForeignAttribute* text = graph.find(graph.attributes, "anml");
    if (!options.texts || !text || !is_graph_of_ours(graph)) return std::nullopt;
    GraphTexts texts{{folder(options.input), folder(options.output)}, {}};
    texts.program = read_graph_program(text->value, texts.folders, options.hosts > 0);
    if (!texts.program) return std::nullopt;
    return texts;
}

}  // namespace

std::string model_name(std::string_view path)
{
    std::string stem = path == "-" ? "imported" : file_name(path);
    if (const std::size_t dot = stem.find('.'); dot != std::string::npos && dot > 0) stem.resize(dot);
    std::string out;
    bool begins = true;
    for (char c : stem) {
        const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
        if (digit || letter) {
            if (out.empty() && digit) out = "Network";
            out += begins && letter && !upper ? static_cast<char>(c - 32) : c;
        }
        begins = !digit && !letter;
    }
    return out.empty() ? "Imported" : out;
}

std::optional<std::string> graph_model(const ForeignGraph& graph, const ImportOptions& options, const std::string& file,
                                       Diagnostics& diagnostics)
{
    const auto no_links = [&](const char* why) {
        diagnostics.report(Diag::malformed_graph, {},
                           fmt::format("{} of `{}`, and a network without links carries nothing", why, file));
        return std::nullopt;
    };
    if (graph.edges.empty())
        return no_links(graph.left_out.contains(std::string(kLinksOutside))
                            ? "all links lead to the machine or to networks outside"
                            : "there are no edges in the graph");
    ImportLosses losses;
    const std::optional<GraphTexts> texts = graph_texts(graph, options);
    auto network = interpret_graph(graph, losses, diagnostics, texts ? &*texts : nullptr);
    if (!network) return std::nullopt;
    if (network->links.empty()) return no_links("there are only self-loops in the graph");
    const LinkProfiles profiles(*network, options, losses);
    const GraphProgram* program = texts ? &*texts->program : nullptr;
    if (program && program->dropped > 0)
        losses.elements["parts of the attribute `anml` that are neither routing nor traffic"] = program->dropped;
    std::vector<std::string> reserved = profiles.names();
    if (network->ours)
        reserved.emplace_back("web");
    else
        reserved.insert(reserved.end(), {"ether", "hosts", "i"});
    if (!program) reserved.insert(reserved.end(), {"traffic", "load"});
    for (std::uint32_t g = 0; g < network->components && !program; ++g)
        for (const std::string_view name : {"senders", "demand", "pc", "places", "access"}) {
            if (network->ours && name != "senders" && name != "demand") continue;  // nothing is added
            reserved.push_back(g == 0 ? std::string(name) : fmt::format("{}_{}", name, g + 1));
        }
    name_nodes(*network, graph, reserved);
    std::string text = write_model(*network, options, profiles, file, program, losses);
    report_losses(losses, {}, diagnostics);

    auto formatted = formatted_program(std::move(text));
    if (!formatted)
        diagnostics.report(Diag::nesting_too_deep, {}, fmt::format("expressions in `{}` are nested too deep", file));
    return formatted;
}

bool takes_texts(const SourceSet& sources, const ImportOptions& options)
{
    const auto format = sources.files.empty() ? std::nullopt : format_of(options, sources.files[0]);
    if (format == GraphFormat::har || format == GraphFormat::openapi) return false;
    // A look at the file is enough: an import that is judged needlessly is the same.
    return options.texts && !sources.files.empty() && sources.files[0].text.find("anmlc") != std::string::npos;
}

std::optional<std::string> import_model(const ImportOptions& given, SourceSet& sources, Diagnostics& diagnostics,
                                        ImportedFile& beside)
{
    ImportOptions options = given;
    if (options.model.empty()) options.model = model_name(options.input);
    const auto file = load_graph_file(options.input, Readable::anything, sources, diagnostics);
    if (!file) return std::nullopt;
    const SourceFile& source = sources.file(*file);
    const auto format = format_of(options, source);
    if (format == GraphFormat::mahimahi) return import_trace(options, sources, *file, diagnostics);
    if (format == GraphFormat::har) return import_har(options, sources, *file, diagnostics, beside);
    if (format == GraphFormat::openapi) return import_openapi(options, sources, *file, diagnostics);
    auto graph = read_graph(sources, *file, options.format, diagnostics);
    if (!graph || !choose_part(*graph, options.part, diagnostics)) return std::nullopt;
    return graph_model(*graph, options, options.input == "-" ? "standard input" : file_name(options.input),
                       diagnostics);
}

}  // namespace anml
