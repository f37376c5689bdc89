#include "driver/doc/read_module_doc.h"

#include "check/check.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

// A file with all that it imports, for what its components inherit.
struct WithImports {
    SourceSet sources;
    std::optional<SyntaxTree> tree;  // none where something in it is wrong, which is no matter of documentation
    Bases bases;
};

bool something_extends(const SyntaxTree& tree)
{
    for (SyntaxId root : tree.roots)
        for (SyntaxId id : syntax::File(tree, root).declarations()) {
            const SyntaxKind kind = tree.kind(id);
            if (kind != SyntaxKind::component_decl && kind != SyntaxKind::model_decl) continue;
            if (syntax::ComponentDeclaration(tree, id).has_base()) return true;
        }
    return false;
}

WithImports with_imports(const SourceOptions& options, const Documented& wanted)
{
    WithImports out;
    Diagnostics unsaid;
    if (!load_sources(with_folders(options, wanted), out.sources, unsaid)) return out;
    out.tree = parse(out.sources, unsaid).if_whole();
    if (!out.tree) return out;
    const CheckedProgram program = check(out.sources, *out.tree, unsaid).output;
    for (const Component& component : program.components)
        if (component.base.valid()) out.bases.emplace_back(component.span, program.component(component.base).span);
    return out;
}

}  // namespace

std::optional<ModuleDoc> read_module_doc(const SourceOptions& options, const Documented& wanted, Compilation& one)
{
    const auto tree = parse(one.sources, one.diagnostics).if_whole();
    if (!tree) return std::nullopt;
    ModuleDoc doc{wanted.module, "", {}};
    const bool alone = !wanted.library.empty() || wanted.path == "-" || !something_extends(*tree);
    const WithImports all = alone ? WithImports{} : with_imports(options, wanted);
    if (all.tree)
        add_file_doc(all.sources, *all.tree, all.sources.main, all.bases, doc);
    else
        for (FileId file{0}; file.value < one.sources.files.size(); ++file.value)
            add_file_doc(one.sources, *tree, file, {}, doc);
    return doc;
}

}  // namespace anml
