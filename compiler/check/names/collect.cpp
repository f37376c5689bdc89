// The first pass: what every module declares and imports.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

std::string Checker::full_name(FileId file, std::string_view name) const
{
    const std::string& module = sources_.file(file).module;
    return module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
}

void Checker::declare(Names& names, SyntaxId identifier, Symbol symbol)
{
    const std::string_view name = text(identifier);
    if (name.empty()) return;  // a hole
    symbol.span = span(identifier);
    declares(identifier);
    const auto [it, inserted] = names.try_emplace(std::string(name), symbol);
    if (inserted) return;
    diagnostics_.report(Diag::duplicate_name, symbol.span, fmt::format("`{}` is declared twice", name))
        .also(it->second.span, "first declared here");
}

void Checker::collect()
{
    modules_.resize(sources_.files.size() + sources_.folders.size());
    for (FileId file{0}; file.value < sources_.files.size(); ++file.value)
        if (sources_.file(file).module == "std.prelude") prelude_ = file;
    for (FileId file{0}; file.value < sources_.files.size(); ++file.value) collect_file(file);
    for (auto& [module, names] : exported_)
        for (auto& [name, symbol] : modules_[module]) symbol.own = !names.contains(name);
    for (std::size_t folder = 0; folder < sources_.folders.size(); ++folder) collect_folder(folder);
    shape_progress_.resize(program_.schemas.size());
    values_progress_.resize(program_.schemas.size());
}

// What the files of a folder declare, under one name.
void Checker::collect_folder(std::size_t folder)
{
    Names& names = modules_[sources_.files.size() + folder];
    for (const FileId file : sources_.folders[folder].files) {
        for (const auto& [name, symbol] : modules_[file.value]) {
            if (symbol.kind == SymbolKind::module) continue;
            const auto [it, fresh] = names.try_emplace(name, symbol);
            if (!fresh && it->second.own) it->second = symbol;
            if (!fresh && !it->second.own && !symbol.own && !(it->second.span == symbol.span))
                diagnostics_
                    .report(
                        Diag::duplicate_name, symbol.span,
                        fmt::format("`{}` is declared twice in the folder `{}`", name, sources_.folders[folder].module))
                    .also(it->second.span, "first declared here");
        }
    }
}

void Checker::collect_file(FileId file)
{
    const FileId whole = sources_.file(file).part_of ? sources_.file(file).part_of : file;
    Names& names = modules_[whole.value];
    // The name as part of a declaration of kind T: a new entry of `table`, its syntax beside it.
    const auto enter = [&](SymbolKind kind, SyntaxId id, auto& table, std::vector<SyntaxId>& syntax) {
        const SyntaxId identifier = syntax::name_of(tree_, id);
        declare(names, identifier, {kind, static_cast<std::uint32_t>(table.size()), {}, {}});
        if (const auto graph = graph_names_.find(std::string(text(identifier)));
            graph != graph_names_.end() && sources_.file(file).part_of)
            means(identifier, graph->second);
        auto& entry = table.emplace_back();
        entry.name = text(identifier);
        entry.full_name = full_name(file, entry.name);
        entry.doc = doc(id);
        entry.span = span(identifier);
        syntax.push_back(id);
    };
    for (SyntaxId id : syntax::File(tree_, tree_.roots[file.value]).declarations()) {
        if (tree_.node(id).flags & syntax_flag::pub) exported_[whole.value].emplace(text(syntax::name_of(tree_, id)));
        switch (tree_.kind(id)) {
            case SyntaxKind::edition_decl: {
                const SyntaxId number = syntax::EditionDeclaration(tree_, id).number();
                if (text(number) != "1") {
                    diagnostics_
                        .report(Diag::unknown_edition, span(number), fmt::format("unknown edition `{}`", text(number)))
                        .help("this compiler knows edition 1")
                        .fix(span(number), "1");
                }
                break;
            }
            case SyntaxKind::import_decl: {
                const syntax::ImportDeclaration import(tree_, id);
                const auto parts = syntax::DottedName(tree_, import.path()).parts();
                if (parts.empty()) break;  // a hole
                const SyntaxId name = import.has_alias() ? import.alias() : parts.back();
                std::string module;
                for (SyntaxId part : parts) module += fmt::format("{}{}", module.empty() ? "" : ".", text(part));
                if (const auto found = sources_.imported(file, module)) {
                    const std::size_t index =
                        found->file.valid() ? found->file.value : sources_.files.size() + found->folder;
                    declare(names, name, {SymbolKind::module, static_cast<std::uint32_t>(index), {}, {}});
                }
                break;
            }
            case SyntaxKind::graph_decl:  // a component of it is in another file
                if (declarations_) {
                    const SyntaxId name = syntax::GraphDeclaration(tree_, id).name();
                    graph_names_[std::string(text(name))] = span(name);
                    declares(name);
                }
                break;
            case SyntaxKind::schema_decl:
                enter(SymbolKind::schema, id, program_.schemas, schema_syntax_);
                break;
            case SyntaxKind::enum_decl:
                enter(SymbolKind::enumeration, id, program_.enums, enum_syntax_);
                break;
            case SyntaxKind::profile_decl:
                enter(SymbolKind::profile, id, program_.profiles, profile_syntax_);
                break;
            case SyntaxKind::process_decl:
                enter(SymbolKind::process, id, program_.processes, process_syntax_);
                break;
            case SyntaxKind::function_decl:
                enter(SymbolKind::function, id, program_.functions, function_syntax_);
                break;
            case SyntaxKind::table_decl:
                enter(SymbolKind::table, id, program_.data_tables, table_syntax_);
                break;
            case SyntaxKind::component_decl:
            case SyntaxKind::model_decl:
            case SyntaxKind::experiment_decl:
                enter(SymbolKind::component, id, program_.components, component_syntax_);
                program_.components.back().is_model = tree_.kind(id) != SyntaxKind::component_decl;
                if (const syntax::ComponentDeclaration written(tree_, id); written.has_base())
                    if (const auto parts = syntax::DottedName(tree_, written.base()).parts(); !parts.empty())
                        extended_.emplace(text(parts.back()));
                program_.components.back().is_experiment = tree_.kind(id) == SyntaxKind::experiment_decl;
                if (program_.components.back().is_model && file == sources_.main)
                    (program_.components.back().is_experiment ? program_.experiments : program_.models)
                        .emplace_back(program_.components.size() - 1);
                break;
            default:
                break;
        }
    }
}

bool Checker::bind_language_schemas()
{
    bool complete = true;
    const std::pair<std::string_view, SchemaId*> schemas[] = {
        {"Link", &program_.link},
        {"Queue", &program_.queue},
        {"Host", &program_.host},
        {"Router", &program_.router},
        {"Switch", &program_.switch_},
        {"Endpoint", &program_.endpoint},
        {"Run", &program_.run},
        {"Addressing", &program_.addressing},
        {"Workload", &program_.workload},
        {"Routing", &program_.routing},
        {"SegmentList", &program_.segment_list},
        {"ComponentAddressing", &program_.component_addressing},
        {"Experiment", &program_.experiment},
    };
    for (const auto& [name, id] : schemas) {
        *id = program_.find_schema(fmt::format("std.prelude.{}", name));
        if (*id) continue;
        complete = false;
        diagnostics_.report(Diag::unknown_name, {}, fmt::format("the standard library has no `std.prelude.{}`", name));
    }
    return complete;
}

}  // namespace anml
