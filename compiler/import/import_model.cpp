// From a foreign file to the text of a model.
#include <fmt/format.h>

#include "format/format.h"
#include "import/link_profiles.h"

namespace anml {

namespace {

std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

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

std::optional<std::string> import_model(const ImportOptions& given, SourceSet& sources, Diagnostics& diagnostics)
{
    ImportOptions options = given;
    if (options.model.empty()) options.model = model_name(options.input);
    const auto file = load_graph_file(options.input, sources, diagnostics);
    if (!file) return std::nullopt;
    const auto graph = read_graph(sources, *file, options.format, diagnostics);
    if (!graph) return std::nullopt;
    if (graph->edges.empty()) {
        diagnostics.report(Diag::malformed_graph, {},
                           "the graph has no edges, and a network without links carries nothing");
        return std::nullopt;
    }
    ImportLosses losses;
    auto network = interpret_graph(*graph, losses, diagnostics);
    if (!network) return std::nullopt;
    if (network->links.empty()) {
        diagnostics.report(Diag::malformed_graph, {},
                           "all edges of the graph are self-loops, and a network without links carries nothing");
        return std::nullopt;
    }
    const LinkProfiles profiles(*network, options, losses);
    std::vector<std::string> reserved{"ether", "traffic", "hosts", "load", "i", "run"};
    for (const std::string& name : profiles.names()) reserved.push_back(name);
    for (std::uint32_t g = 0; g < network->components; ++g)
        for (const char* name : {"pc", "places", "senders", "access", "demand"})
            reserved.push_back(g == 0 ? name : fmt::format("{}_{}", name, g + 1));
    name_nodes(*network, *graph, reserved);
    const std::string shown = options.input == "-" ? "standard input" : file_name(options.input);
    std::string text = write_model(*network, options, profiles, shown, losses);
    report_losses(losses, diagnostics);

    SourceSet written;
    const FileId id = written.add("imported.anml", std::move(text), "");
    Diagnostics unexpected;
    const auto tree = parse(written, unexpected);
    if (!tree) {
        diagnostics.report(Diag::malformed_graph, {}, "the graph cannot be written as a model")
            .note(unexpected.list().empty() ? "" : unexpected.list().front().message);
        return std::nullopt;
    }
    return format_file(written, *tree, id);
}

}  // namespace anml
