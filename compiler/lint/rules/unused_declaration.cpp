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
    explicit UnusedDeclarations(LintDiagnostics& found) : found_(found), tree_(found.tree) {}

    void run()
    {
        const SyntaxId root = tree_.roots[found_.sources.main.value];
        const auto declarations = syntax::File(tree_, root).declarations();
        const Names names = used_in(root);
        const bool model = std::any_of(declarations.begin(), declarations.end(),
                                       [&](SyntaxId id) { return tree_.kind(id) == SyntaxKind::model_decl; });
        tables_ = std::any_of(declarations.begin(), declarations.end(),
                              [&](SyntaxId id) { return tree_.kind(id) == SyntaxKind::table_decl; });
        elsewhere_ = named_elsewhere();
        for (std::uint32_t i = 0; i < tree_.size(); ++i)
            if (const SyntaxId id{i}; tree_.kind(id) == SyntaxKind::member && !tree_.is_hole(id))
                members_.insert(text(syntax::Member(tree_, id).name()));
        for (SyntaxId id : declarations) declaration(id, names, model);
    }

  private:
    std::string_view text(SyntaxId id) const { return unquoted(found_.sources.text(tree_.node(id).span)); }

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

    // All words of the files that the main file imports: one of them may import it in turn.
    Names named_elsewhere() const
    {
        Names names;
        for (std::size_t i = 0; i < tree_.tokens.size(); ++i) {
            const Span place = tree_.tokens[i].span;
            if (place.file == found_.sources.main || tree_.tokens.cls(i) != TokenClass::identifier) continue;
            if (!found_.of_library(place.file)) names.insert(unquoted(found_.sources.text(place)));
        }
        return names;
    }

    void report(SyntaxId identifier, std::string_view what, std::string_view help, std::vector<Fix> fixes)
    {
        found_.find(1, {Diag::unused_declaration,
                        tree_.node(identifier).span,
                        fmt::format("the {} `{}` is never used", what, text(identifier)),
                        std::string(help),
                        {},
                        {},
                        std::move(fixes)});
    }
    // An import says nothing of its own; with anything else goes what somebody wrote.
    void check(SyntaxId identifier, const Names& names, std::string_view what, SyntaxId declared)
    {
        if (names.contains(text(identifier))) return;
        report(identifier, what, "remove it",
               {{{tree_.node(declared).span, "", EditAt::lines}, {}, tree_.kind(declared) != SyntaxKind::import_decl}});
    }
    void check_top(SyntaxId id, const Names& names, std::string_view what)
    {
        if (!elsewhere_.contains(text(syntax::name_of(tree_, id)))) check(syntax::name_of(tree_, id), names, what, id);
    }

    // What other files may use counts only in a file with a model.
    void declaration(SyntaxId id, const Names& names, bool model)
    {
        model = model && !(tree_.node(id).flags & syntax_flag::pub);  // exported
        switch (tree_.kind(id)) {
            case SyntaxKind::import_decl: {
                if (tables_) break;  // their cells may name what is in it
                const syntax::ImportDeclaration import(tree_, id);
                const auto parts = syntax::DottedName(tree_, import.path()).parts();
                check(import.has_alias() ? import.alias() : parts.back(), names, "import", id);
                break;
            }
            case SyntaxKind::table_decl:
                if (model) check_top(id, names, "table");
                break;
            case SyntaxKind::process_decl:
                if (model) check_top(id, names, "process");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::profile_decl:
                if (model) check_top(id, names, "profile");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::function_decl:
                if (model) check_top(id, names, "function");
                parameters(id, used_in(id));
                break;
            case SyntaxKind::component_decl:
                if (model) check_top(id, names, "component");
                [[fallthrough]];
            case SyntaxKind::model_decl: {
                Names inside = used_in(id);
                parameters(id, inside);
                // What a component's `let` names is known outside of it: a file without a model is for others.
                const bool is_model = tree_.kind(id) == SyntaxKind::model_decl;
                const SyntaxId body = syntax::ComponentDeclaration(tree_, id).body();
                for (const SyntaxId at : syntax::Block(tree_, body).statements()) {
                    if (tree_.kind(at) != SyntaxKind::let_stmt || is_model) continue;
                    const std::string_view name = text(syntax::name_of(tree_, at));
                    if (!model || members_.contains(name) || elsewhere_.contains(name)) inside.insert(name);
                }
                statements(body, inside);
                break;
            }
            default:
                break;
        }
    }

    void parameters(SyntaxId id, const Names& names)
    {
        const syntax::ParameterList list(tree_, syntax::parameters_of(tree_, id));
        const auto all = list.parameters();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const SyntaxId name = syntax::name_of(tree_, all[i]);
            if (names.contains(text(name))) continue;
            const bool tunable = tree_.node(all[i]).flags & syntax_flag::tunable;
            std::vector<Fix> fixes;
            // What others say of it would go as well: only where nobody does.
            if (tree_.kind(id) == SyntaxKind::model_decl && mentions(text(name)) == 1) {
                Span span = tree_.node(all[i]).span;
                if (all.size() == 1)
                    span = list_of(id);
                else if (i + 1 < all.size())
                    span.end = tree_.node(all[i + 1]).span.begin;
                else
                    span.begin = tree_.node(all[i - 1]).span.end;
                fixes.push_back({{span, ""}, {}, true});
            }
            report(name, tunable ? "tunable" : "parameter", "setting it changes nothing: remove it", std::move(fixes));
        }
    }
    Span list_of(SyntaxId id) const { return tree_.node(syntax::parameters_of(tree_, id)).span; }
    std::size_t mentions(std::string_view name) const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < tree_.tokens.size(); ++i)
            count += tree_.tokens.cls(i) == TokenClass::identifier &&
                     !found_.of_library(tree_.tokens[i].span.file) &&
                     unquoted(found_.sources.text(tree_.tokens[i].span)) == name;
        return count;
    }

    void statements(SyntaxId block, const Names& names)
    {
        for (SyntaxId id : syntax::Block(tree_, block).statements()) {
            switch (tree_.kind(id)) {
                case SyntaxKind::let_stmt:
                    check(syntax::name_of(tree_, id), names, "let", id);
                    break;
                case SyntaxKind::profile_decl:
                    check(syntax::name_of(tree_, id), names, "profile", id);
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

    LintDiagnostics& found_;
    Names elsewhere_;      // in other files
    Names members_;        // behind a dot, in any file
    bool tables_ = false;  // the file has some
    const SyntaxTree& tree_;
};

}  // namespace

void lint_unused_declaration(LintDiagnostics& found) { UnusedDeclarations(found).run(); }

}  // namespace anml
