// Components that are made of foreign graphs.
#include "import/graph_components.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/files/read_file.h"
#include "base/record_fields.h"
#include "base/values/quantity.h"
#include "import/graphs/read_graph.h"
#include "import/links/link_mapping.h"
#include "runtime/abi/timeline.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAttributes[] = {"edge", "label", "rate", "delay"};

class GraphExpander {
  public:
    GraphExpander(const SourceOptions& options, const SyntaxTree& tree, SourceSet& sources, Diagnostics& diagnostics)
        : options_(options), tree_(tree), sources_(sources), diagnostics_(diagnostics)
    {
    }

    // Whether there were any; an error is reported.
    bool run()
    {
        bool any = false;
        for (SyntaxId root : tree_.roots) {
            for (SyntaxId id : syntax::File(tree_, root).declarations()) {
                if (tree_.kind(id) != SyntaxKind::graph_decl) continue;
                any = true;
                expand(id);
            }
        }
        return any;
    }

  private:
    std::string text(SyntaxId id) const { return std::string(unquoted(sources_.text(tree_.node(id).span))); }
    Span span(SyntaxId id) const { return tree_.node(id).span; }
    std::span<const SyntaxId> declarations(FileId file) const
    {
        return syntax::File(tree_, tree_.roots[file.value]).declarations();
    }

    void expand(SyntaxId id)
    {
        const std::size_t before = diagnostics_.errors();
        LinkMapping mapping;
        const syntax::GraphDeclaration declared(tree_, id);
        label_.clear();
        attributes(declared.attributes(), mapping);
        if (diagnostics_.errors() != before) return;
        const auto file = find_file(declared.file());
        if (!file) return;
        auto graph = read_graph(sources_, *file, std::nullopt, diagnostics_);
        if (!graph) return;
        if (!label_.empty()) use_label(*graph);
        ImportLosses losses;
        auto network = interpret_graph(*graph, losses, diagnostics_);
        if (!network) return;
        name_nodes(*network, *graph, {mapping.profile.substr(0, mapping.profile.find('.')), "nodes"});
        // What the profile takes is neither dropped nor guessed.
        for (const MappedParameter& parameter : mapping.parameters) {
            losses.edge_attributes.erase(parameter.name);
            losses.unread.erase(parameter.name);
            std::erase_if(losses.guesses, [&](const auto& guess) {
                return guess.first.starts_with(fmt::format("numbers in `{}`", parameter.name));
            });
        }
        if (!mapping.profile.empty() && !network->ours) count_untaken(*graph, mapping, losses);
        if (is_table(declared.file())) losses.node_attributes.clear();
        if (component(id, *graph, *network, mapping, losses))
            report_losses(losses, span(declared.name()), diagnostics_);
    }

    // What the importer would understand, and the profile does not take.
    static void count_untaken(const ForeignGraph& graph, const LinkMapping& mapping, ImportLosses& losses)
    {
        const auto takes = [&](std::initializer_list<std::string_view> names) {
            return std::any_of(mapping.parameters.begin(), mapping.parameters.end(), [&](const MappedParameter& p) {
                return std::find(names.begin(), names.end(), p.name) != names.end();
            });
        };
        std::map<std::string, std::uint64_t> untaken;
        for (const ForeignEdge& edge : graph.edges) {
            for (const ForeignAttribute& a : edge.attributes) {
                const std::string& name = graph.names[a.name];
                const EdgeMeaning meaning = edge_meaning(name);
                if (meaning == EdgeMeaning::nothing || takes({name})) continue;
                if (meaning == EdgeMeaning::rate && takes({"rate"})) continue;
                if (meaning == EdgeMeaning::delay && takes({"delay"})) continue;
                if (meaning == EdgeMeaning::length && takes({"delay", "distance", "length"})) continue;
                ++untaken[name];
            }
        }
        for (const auto& [name, count] : untaken) losses.edge_attributes[name] = count;
    }

    void attributes(SyntaxId block, LinkMapping& mapping)
    {
        std::vector<std::string> seen;
        for (SyntaxId entry : syntax::AttributeBlock(tree_, block).attributes()) {
            const syntax::Attribute attribute(tree_, entry);
            const SyntaxId name_syntax = attribute.name(), value = attribute.value();
            const std::string name = text(name_syntax), written = text(value);
            if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
                diagnostics_.report(Diag::duplicate_attribute, span(name_syntax),
                                    fmt::format("`{}` is given twice", name));
                continue;
            }
            seen.push_back(name);
            if (name == "edge") {
                mapping.profile = written;
                profile(value, mapping);
            } else if (name == "label") {
                if (tree_.kind(value) == SyntaxKind::literal_string)
                    label_ = written.substr(1, written.size() - 2);
                else
                    wrong(value, "`label` wants the name of an attribute in quotes");
            } else if (name == "rate" || name == "delay") {
                const auto quantity = parse_quantity(written);
                const Dimension wanted = name == "rate" ? dimension::rate : dimension::time;
                if (quantity && quantity->dim == wanted)
                    (name == "rate" ? mapping.rate : mapping.delay) = quantity->value;
                else
                    wrong(value, fmt::format("`{}` wants a {} such as {}", name, dimension_name(wanted),
                                             name == "rate" ? "`10 Gbps`" : "`2 ms`"));
            } else {
                diagnostics_
                    .report(Diag::unknown_attribute, span(name_syntax),
                            fmt::format("a graph has no attribute `{}`", name))
                    .help(fmt::format("it has `{}`", fmt::join(kAttributes, "`, `")));
            }
        }
    }

    void wrong(SyntaxId value, std::string message)
    {
        diagnostics_.report(Diag::type_mismatch, span(value), std::move(message));
    }

    // The profile that `edge =` names: in this file, or `module.name`.
    void profile(SyntaxId value, LinkMapping& mapping)
    {
        const FileId here = span(value).file;
        FileId where = here;
        std::string name = mapping.profile;
        if (tree_.kind(value) == SyntaxKind::member) {
            const std::size_t dot = name.rfind('.');
            where = module_file(here, name.substr(0, dot));
            name = name.substr(dot + 1);
        } else if (tree_.kind(value) != SyntaxKind::name) {
            return wrong(value, "`edge` wants the name of a profile, whose parameters are filled from the file");
        }
        for (SyntaxId id : where.valid() ? declarations(where) : std::span<const SyntaxId>{}) {
            if (tree_.kind(id) != SyntaxKind::profile_decl) continue;
            const syntax::ProfileDeclaration profile(tree_, id);
            if (text(profile.name()) != name) continue;
            for (SyntaxId parameter : syntax::ParameterList(tree_, profile.parameters()).parameters()) {
                const syntax::ValueDeclaration p(tree_, parameter);
                mapping.parameters.push_back({text(p.name()), text(p.type()), p.has_preset(), span(p.name())});
            }
            sorted(profile.attributes(), mapping);
            // What else a schema of its own computes of them, only the compiler knows.
            if (text(profile.schema()) != "Link") {
                for (const char* given : {"rate", "delay", "queue"}) each_way(given, mapping);
#define ANML_LINK_NUMBER(name, ...) each_way(#name, mapping);
#include "base/link_attributes.def"
                for (const abi::RecordField& field : abi::kImpairment.fields)
                    if (field.name != "reorder_delay") each_way(std::string(field.name), mapping);
            }
            return;
        }
        diagnostics_.report(Diag::unknown_name, span(value), fmt::format("there is no profile `{}`", mapping.profile))
            .help("it stands at the top of this file or of an imported one");
    }

    static void each_way(std::string name, LinkMapping& mapping)
    {
        auto& list = mapping.each_way;
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
    }

    // Attributes that a profile sets: of a direction, or of the link.
    void sorted(SyntaxId block, LinkMapping& mapping) const
    {
        for (SyntaxId entry : syntax::AttributeBlock(tree_, block).attributes()) {
            const syntax::Attribute attribute(tree_, entry);
            const std::string name = text(attribute.name());
            if (tree_.kind(attribute.value()) == SyntaxKind::attribute_block)
                sorted(attribute.value(), mapping);
            else if (is_of_both_directions(name))
                mapping.whole.emplace_back(name, text(attribute.value()));
            else
                each_way(name, mapping);
        }
    }

    FileId module_file(FileId here, const std::string& alias) const
    {
        for (SyntaxId id : declarations(here)) {
            if (tree_.kind(id) != SyntaxKind::import_decl) continue;
            const syntax::ImportDeclaration import(tree_, id);
            const std::string module = text(import.path());
            if ((import.has_alias() ? text(import.alias()) : module.substr(module.rfind('.') + 1)) != alias) continue;
            if (const auto found = sources_.imported(here, module)) return found->file;
        }
        return {};
    }

    // Whether a table has the nodes' attributes.
    bool is_table(SyntaxId file) const
    {
        for (SyntaxId id : declarations(span(file).file))
            if (tree_.kind(id) == SyntaxKind::table_decl &&
                text(syntax::TableDeclaration(tree_, id).file()) == text(file))
                return true;
        return false;
    }

    // Beside the file that declares it, then in the folders of -I.
    std::optional<FileId> find_file(SyntaxId literal)
    {
        const std::string written = text(literal), name = written.substr(1, written.size() - 2);
        std::vector<fs::path> tried{fs::path(sources_.file(span(literal).file).path).parent_path() / name};
        for (const std::string& folder : options_.include_dirs) tried.push_back(fs::path(folder) / name);
        for (const fs::path& path : tried) {
            std::error_code ignored;
            if (fs::exists(path, ignored))
                return load_graph_file(path.string(), Readable::files, sources_, diagnostics_);
        }
        auto report =
            diagnostics_.report(Diag::file_not_found, span(literal), fmt::format("there is no file `{}`", name));
        if (const std::string beside = similar_file(tried.front().string()); !beside.empty())
            report.help(fmt::format("there is `{}`", beside))
                .fix(span(literal), fmt::format("\"{}\"", fs::path(name).replace_filename(beside).string()));
        else
            for (const fs::path& path : tried) report.note(fmt::format("looked for {}", path.string()));
        return std::nullopt;
    }

    // `label =` says which attribute names the nodes.
    void use_label(ForeignGraph& graph) const
    {
        for (ForeignNode& node : graph.nodes) {
            const ForeignAttribute* found = graph.find(node.attributes, label_);
            std::string value = found ? found->value : "";
            std::erase_if(node.attributes, [&](const ForeignAttribute& a) {
                return graph.names[a.name] == "label" || graph.names[a.name] == label_;
            });
            const auto name = std::find(graph.names.begin(), graph.names.end(), "label") - graph.names.begin();
            if (static_cast<std::size_t>(name) == graph.names.size()) graph.names.emplace_back("label");
            if (!value.empty())
                node.attributes.push_back({static_cast<std::uint32_t>(name), ForeignKind::text, std::move(value)});
        }
    }

    // Adds the component's text, which knows the line of the graph's file that each part comes from.
    bool component(SyntaxId id, const ForeignGraph& graph, const ImportedNetwork& network, const LinkMapping& mapping,
                   ImportLosses& losses)
    {
        std::string out;
        std::vector<GeneratorLine> made;
        const auto from = [&](FileId file, std::uint32_t offset) {
            made.push_back({static_cast<std::uint32_t>(out.size()), sources_.file(file).path,
                            sources_.position(file, offset).line});
        };
        const SyntaxId name = syntax::GraphDeclaration(tree_, id).name();
        const Span declared = span(name);
        from(declared.file, declared.begin);
        std::string doc = doc_text(sources_, tree_, id);
        for (std::size_t at = 0; at < doc.size();) {
            const std::size_t end = std::min(doc.find('\n', at), doc.size());
            out += fmt::format("/// {}\n", doc.substr(at, end - at));
            at = end + 1;
        }
        out += fmt::format("component {} {{\n", text(name));
        if (network.numbered) out += fmt::format("  router node[{}]\n", network.nodes.size());
        for (const ImportedNode& node : network.nodes) {
            if (network.numbered) break;
            from(graph.file, node.offset);
            if (node.array == 0) continue;
            out += "  " + declaration(node, 17);
            if (!node.details.simulated.empty()) ++losses.node_attributes["simulated"];
            if (node.host_up) ++losses.node_attributes["host_bandwidth_up"];
            if (node.host_down) ++losses.node_attributes["host_bandwidth_down"];
            out += '\n';
        }
        from(declared.file, declared.begin);
        std::vector<std::string_view> names;
        for (const ImportedNode& node : network.nodes) names.push_back(node.name);
        out +=
            network.numbered ? "  port nodes = node\n" : fmt::format("  port nodes = [{}]\n", fmt::join(names, ", "));
        for (const ImportedLink& link : network.links) {
            from(graph.file, link.offset);
            const auto values = mapping.use(graph, link, losses, diagnostics_);
            if (!values) return false;
            out += fmt::format("  link {}{} {} {} {}\n", link.name.empty() ? "" : link.name + ": ",
                               network.nodes[link.from].name, link.one_way ? "->" : "--", network.nodes[link.to].name,
                               *values);
        }
        out += "}\n";
        const SourceFile& parent = sources_.file(declared.file);
        const FileId part =
            sources_.add(fmt::format("<{} of {}>", text(name), parent.path), std::move(out), parent.module);
        sources_.files[part.value].part_of = declared.file;
        sources_.files[part.value].generator_lines = std::move(made);
        return true;
    }

    const SourceOptions& options_;
    const SyntaxTree& tree_;
    SourceSet& sources_;
    Diagnostics& diagnostics_;
    std::string label_;
};

}  // namespace

std::optional<SyntaxTree> expand_graphs(const SourceOptions& options, SyntaxTree tree, SourceSet& sources,
                                        Diagnostics& diagnostics)
{
    const std::size_t before = diagnostics.errors();
    const bool any = GraphExpander(options, tree, sources, diagnostics).run();
    if (diagnostics.errors() != before) return std::nullopt;
    if (!any && tree.roots.size() == sources.files.size()) return tree;  // nothing was read
    return parse(sources, diagnostics).if_whole();
}

}  // namespace anml
