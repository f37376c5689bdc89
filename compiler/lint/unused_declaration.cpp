// Declarations of the main file that no one uses. By name: a name that stands anywhere in the declaration's scope
// counts as a use.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/rules.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

using Names = std::set<std::string_view>;

class UnusedDeclarations {
  public:
    explicit UnusedDeclarations(Findings& findings) : findings_(findings), tree_(findings.tree) {}

    void run()
    {
        const SyntaxId root = tree_.roots[findings_.sources.main.value];
        const auto declarations = syntax::File(tree_, root).declarations();
        const Names names = used_in(root);
        const bool model = std::any_of(declarations.begin(), declarations.end(),
                                       [&](SyntaxId id) { return tree_.kind(id) == SyntaxKind::model_decl; });
        tables_ = std::any_of(declarations.begin(), declarations.end(),
                              [&](SyntaxId id) { return tree_.kind(id) == SyntaxKind::table_decl; });
        for (SyntaxId id : declarations) declaration(id, names, model);
    }

  private:
    std::string_view text(SyntaxId id) const { return unquoted(findings_.sources.text(tree_.node(id).span)); }

    // Names in expressions, and the parts of dotted names: of types, components, workloads.
    void collect(SyntaxId id, Names& names) const
    {
        const SyntaxKind kind = tree_.kind(id);
        if (kind == SyntaxKind::import_decl) return;
        if (kind == SyntaxKind::name) names.insert(text(id));
        if (kind == SyntaxKind::dotted_name)
            for (SyntaxId part : syntax::DottedName(tree_, id).parts()) names.insert(text(part));
        for (SyntaxId child : tree_.children_of(id)) collect(child, names);
    }
    Names used_in(SyntaxId id) const
    {
        Names names;
        collect(id, names);
        return names;
    }

    void report(SyntaxId identifier, std::string_view what, std::string_view help)
    {
        findings_.find(1, {Diag::unused_declaration,
                           tree_.node(identifier).span,
                           fmt::format("the {} `{}` is never used", what, text(identifier)),
                           std::string(help),
                           {},
                           {}});
    }
    void check(SyntaxId identifier, const Names& names, std::string_view what, std::string_view help = "remove it")
    {
        if (!names.contains(text(identifier))) report(identifier, what, help);
    }

    // What other files may use counts only in a file with a model.
    void declaration(SyntaxId id, const Names& names, bool model)
    {
        model = model && !(tree_.node(id).flags & syntax_flag::pub);  // handed out
        switch (tree_.kind(id)) {
            case SyntaxKind::import_decl: {
                if (tables_) break;  // their cells may name what is in it
                const syntax::ImportDeclaration import(tree_, id);
                const auto parts = syntax::DottedName(tree_, import.path()).parts();
                check(import.has_alias() ? import.alias() : parts.back(), names, "import");
                break;
            }
            case SyntaxKind::table_decl:
                if (model) check(syntax::name_of(tree_, id), names, "table");
                break;
            case SyntaxKind::process_decl:
                if (model) check(syntax::name_of(tree_, id), names, "process");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::profile_decl:
                if (model) check(syntax::name_of(tree_, id), names, "profile");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::function_decl:
                if (model) check(syntax::name_of(tree_, id), names, "function");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::component_decl:
                if (model) check(syntax::name_of(tree_, id), names, "component");
                [[fallthrough]];
            case SyntaxKind::model_decl: {
                const Names inside = used_in(id);
                parameters(id, inside);
                statements(syntax::ComponentDeclaration(tree_, id).body(), inside);
                break;
            }
            default:
                break;
        }
    }

    void parameters(SyntaxId id, const Names& names)
    {
        const syntax::ParameterList list(tree_, syntax::parameters_of(tree_, id));
        for (SyntaxId parameter : list.parameters()) {
            const bool tunable = tree_.node(parameter).flags & syntax_flag::tunable;
            check(syntax::name_of(tree_, parameter), names, tunable ? "tunable" : "parameter",
                  "setting it changes nothing: remove it");
        }
    }

    void statements(SyntaxId block, const Names& names)
    {
        for (SyntaxId id : syntax::Block(tree_, block).statements()) {
            switch (tree_.kind(id)) {
                case SyntaxKind::let_stmt:
                    check(syntax::name_of(tree_, id), names, "let");
                    break;
                case SyntaxKind::profile_decl:
                    check(syntax::name_of(tree_, id), names, "profile");
                    parameters(id, used_in(id));
                    break;
                case SyntaxKind::for_stmt:
                    statements(syntax::ForStatement(tree_, id).body(), names);
                    break;
                case SyntaxKind::if_stmt:
                    branches(id, names);
                    break;
                default:
                    break;
            }
        }
    }
    void branches(SyntaxId id, const Names& names)
    {
        const syntax::IfStatement choice(tree_, id);
        statements(choice.then(), names);
        if (!choice.has_otherwise()) return;
        const SyntaxId otherwise = choice.otherwise();
        tree_.kind(otherwise) == SyntaxKind::if_stmt ? branches(otherwise, names) : statements(otherwise, names);
    }

    Findings& findings_;
    bool tables_ = false;  // the file has some
    const SyntaxTree& tree_;
};

}  // namespace

void lint_unused_declaration(Findings& findings) { UnusedDeclarations(findings).run(); }

}  // namespace anml
