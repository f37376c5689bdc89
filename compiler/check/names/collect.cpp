// The first pass: what every module declares and imports.
#include <fmt/format.h>

#include "check/names/names.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

std::string full_name(const SourceText& source, FileId file, std::string_view name)
{
    const std::string& module = source.sources.file(file).module;
    return module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
}

void declare(Checking& in, Names& names, SyntaxId identifier, Symbol symbol)
{
    const std::string_view name = in.text(identifier);
    if (name.empty()) return;  // a hole
    symbol.span = in.span(identifier);
    in.declares(identifier);
    const auto [it, inserted] = names.try_emplace(std::string(name), symbol);
    if (inserted) return;
    in.report(Diag::duplicate_name, symbol.span, fmt::format("`{}` is declared twice", name))
        .also(it->second.span, "first declared here");
}

// What the files of a folder declare, under one name.
void collect_folder(Checking& in, std::size_t folder)
{
    Names& names = in.modules[in.sources.files.size() + folder];
    for (const FileId file : in.sources.folders[folder].files) {
        for (const auto& [name, symbol] : in.modules[file.value]) {
            if (symbol.kind == SymbolKind::module) continue;
            const auto [it, fresh] = names.try_emplace(name, symbol);
            if (!fresh && it->second.own) it->second = symbol;
            if (!fresh && !it->second.own && !symbol.own && !(it->second.span == symbol.span))
                in.report(
                      Diag::duplicate_name, symbol.span,
                      fmt::format("`{}` is declared twice in the folder `{}`", name, in.sources.folders[folder].module))
                    .also(it->second.span, "first declared here");
        }
    }
}

void collect_file(Checking& in, FileId file)
{
    const FileId whole = in.sources.file(file).part_of ? in.sources.file(file).part_of : file;
    Names& names = in.modules[whole.value];
    // The name as part of a declaration of kind T: a new entry of `table`, its syntax beside it.
    const auto enter = [&](SymbolKind kind, SyntaxId id, auto& table, std::vector<SyntaxId>& syntax) {
        const SyntaxId identifier = syntax::name_of(in.tree, id);
        declare(in, names, identifier, {kind, static_cast<std::uint32_t>(table.size()), {}, {}});
        if (const auto graph = in.graph_names.find(std::string(in.text(identifier)));
            graph != in.graph_names.end() && in.sources.file(file).part_of)
            in.means(identifier, graph->second);
        auto& entry = table.emplace_back();
        entry.name = in.text(identifier);
        entry.full_name = full_name(in, file, entry.name);
        entry.doc = in.doc(id);
        entry.span = in.span(identifier);
        syntax.push_back(id);
    };
    for (SyntaxId id : syntax::File(in.tree, in.tree.roots[file.value]).declarations()) {
        if (in.tree.node(id).flags & syntax_flag::pub)
            in.exported[whole.value].emplace(in.text(syntax::name_of(in.tree, id)));
        switch (in.tree.kind(id)) {
            case SyntaxKind::edition_decl: {
                const SyntaxId number = syntax::EditionDeclaration(in.tree, id).number();
                if (in.text(number) != "1") {
                    in.report(Diag::unknown_edition, in.span(number),
                              fmt::format("unknown edition `{}`", in.text(number)))
                        .help("this compiler knows edition 1")
                        .fix(in.span(number), "1");
                }
                break;
            }
            case SyntaxKind::import_decl: {
                const syntax::ImportDeclaration import(in.tree, id);
                const auto parts = syntax::DottedName(in.tree, import.path()).parts();
                if (parts.empty()) break;  // a hole
                const SyntaxId name = import.has_alias() ? import.alias() : parts.back();
                std::string module;
                for (SyntaxId part : parts) module += fmt::format("{}{}", module.empty() ? "" : ".", in.text(part));
                if (const auto found = in.sources.imported(file, module)) {
                    const std::size_t index =
                        found->file.valid() ? found->file.value : in.sources.files.size() + found->folder;
                    declare(in, names, name, {SymbolKind::module, static_cast<std::uint32_t>(index), {}, {}});
                }
                break;
            }
            case SyntaxKind::graph_decl:  // a component of it is in another file
                if (in.declarations) {
                    const SyntaxId name = syntax::GraphDeclaration(in.tree, id).name();
                    in.graph_names[std::string(in.text(name))] = in.span(name);
                    in.declares(name);
                }
                break;
            case SyntaxKind::schema_decl:
                enter(SymbolKind::schema, id, in.program.schemas, in.schema_syntax);
                break;
            case SyntaxKind::enum_decl:
                enter(SymbolKind::enumeration, id, in.program.enums, in.enum_syntax);
                break;
            case SyntaxKind::profile_decl:
                enter(SymbolKind::profile, id, in.program.profiles, in.profile_syntax);
                break;
            case SyntaxKind::process_decl:
                enter(SymbolKind::process, id, in.program.processes, in.process_syntax);
                break;
            case SyntaxKind::function_decl:
                enter(SymbolKind::function, id, in.program.functions, in.function_syntax);
                break;
            case SyntaxKind::table_decl:
                enter(SymbolKind::table, id, in.program.data_tables, in.table_syntax);
                break;
            case SyntaxKind::component_decl:
            case SyntaxKind::model_decl:
            case SyntaxKind::experiment_decl:
                enter(SymbolKind::component, id, in.program.components, in.component_syntax);
                in.program.components.back().is_model = in.tree.kind(id) != SyntaxKind::component_decl;
                if (const syntax::ComponentDeclaration written(in.tree, id); written.has_base())
                    if (const auto parts = syntax::DottedName(in.tree, written.base()).parts(); !parts.empty())
                        in.extended.emplace(in.text(parts.back()));
                in.program.components.back().is_experiment = in.tree.kind(id) == SyntaxKind::experiment_decl;
                if (in.program.components.back().is_model && file == in.sources.main)
                    (in.program.components.back().is_experiment ? in.program.experiments : in.program.models)
                        .emplace_back(in.program.components.size() - 1);
                break;
            default:
                break;
        }
    }
}

}  // namespace

void collect(Checking& in)
{
    in.modules.resize(in.sources.files.size() + in.sources.folders.size());
    for (FileId file{0}; file.value < in.sources.files.size(); ++file.value)
        if (in.sources.file(file).module == "std.prelude") in.prelude = file;
    for (FileId file{0}; file.value < in.sources.files.size(); ++file.value) collect_file(in, file);
    for (auto& [module, names] : in.exported)
        for (auto& [name, symbol] : in.modules[module]) symbol.own = !names.contains(name);
    for (std::size_t folder = 0; folder < in.sources.folders.size(); ++folder) collect_folder(in, folder);
    in.shape_progress.resize(in.program.schemas.size());
    in.values_progress.resize(in.program.schemas.size());
}

bool bind_language_schemas(CheckedProgram& program, Diagnostics& diagnostics)
{
    bool complete = true;
    const std::pair<std::string_view, SchemaId*> schemas[] = {
        {"Link", &program.link},
        {"Queue", &program.queue},
        {"Host", &program.host},
        {"Router", &program.router},
        {"Switch", &program.switch_},
        {"Endpoint", &program.endpoint},
        {"Run", &program.run},
        {"Addressing", &program.addressing},
        {"Workload", &program.workload},
        {"Routing", &program.routing},
        {"SegmentList", &program.segment_list},
        {"ComponentAddressing", &program.component_addressing},
        {"Experiment", &program.experiment},
    };
    for (const auto& [name, id] : schemas) {
        *id = program.find_schema(fmt::format("std.prelude.{}", name));
        if (*id) continue;
        complete = false;
        diagnostics.report(Diag::unknown_name, {}, fmt::format("the standard library has no `std.prelude.{}`", name));
    }
    return complete;
}

}  // namespace anml
