// Declarations of the main file that no one uses. By name: a name that stands anywhere in the declaration's scope
// counts as a use.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/rules.h"

namespace anml {

namespace {

using Names = std::set<std::string_view>;

class UnusedDeclarations {
  public:
    explicit UnusedDeclarations(Findings& findings) : findings_(findings), tree_(findings.tree) {}

    void run()
    {
        const SyntaxId root = tree_.roots[findings_.sources.main.value];
        const auto declarations = tree_.children_of(root);
        const Names names = used_in(root);
        const bool model = std::any_of(declarations.begin(), declarations.end(),
                                       [&](SyntaxId id) { return tree_.kind(id) == SyntaxKind::model_decl; });
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
            for (SyntaxId part : tree_.children_of(id)) names.insert(text(part));
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
        switch (tree_.kind(id)) {
            case SyntaxKind::import_decl: {
                const SyntaxId alias = tree_.child(id, 1);
                const auto parts = tree_.children_of(tree_.child(id, 0));
                check(tree_.is_none(alias) ? parts.back() : alias, names, "import");
                break;
            }
            case SyntaxKind::process_decl:
                if (model) check(tree_.child(id, 0), names, "process");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::profile_decl:
                if (model) check(tree_.child(id, 0), names, "profile");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::function_decl:
                if (model) check(tree_.child(id, 0), names, "function");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::component_decl:
                if (model) check(tree_.child(id, 0), names, "component");
                [[fallthrough]];
            case SyntaxKind::model_decl: {
                const Names inside = used_in(id);
                parameters(id, inside);
                statements(tree_.child(id, 4), inside);
                break;
            }
            default:
                break;
        }
    }

    void parameters(SyntaxId id, const Names& names)
    {
        const SyntaxId list = tree_.child(id, 1);
        for (SyntaxId parameter : tree_.children_of(list)) {
            const bool tunable = tree_.node(parameter).flags & syntax_flag::tunable;
            check(tree_.child(parameter, 0), names, tunable ? "tunable" : "parameter",
                  "setting it changes nothing: remove it");
        }
    }

    void statements(SyntaxId block, const Names& names)
    {
        for (SyntaxId id : tree_.children_of(block)) {
            switch (tree_.kind(id)) {
                case SyntaxKind::let_stmt:
                    check(tree_.child(id, 0), names, "let");
                    break;
                case SyntaxKind::profile_decl:
                    check(tree_.child(id, 0), names, "profile");
                    parameters(id, used_in(id));
                    break;
                case SyntaxKind::for_stmt:
                    statements(tree_.child(id, 3), names);
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
        statements(tree_.child(id, 1), names);
        const SyntaxId otherwise = tree_.child(id, 2);
        if (tree_.is_none(otherwise)) return;
        tree_.kind(otherwise) == SyntaxKind::if_stmt ? branches(otherwise, names) : statements(otherwise, names);
    }

    Findings& findings_;
    const SyntaxTree& tree_;
};

}  // namespace

void lint_unused_declaration(Findings& findings) { UnusedDeclarations(findings).run(); }

}  // namespace anml
