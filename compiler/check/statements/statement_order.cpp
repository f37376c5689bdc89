// In which order the statements of a block take effect: that of the text, but what stands further down and is named
// comes first. It is checked where it is named, as declarations of a file are; statements that need each other are an
// error.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// Names that the statement `at` of a block will declare. Nodes, instances, links and workloads of loops and conditions
// belong to the whole body.
void Checker::announce(SyntaxId id, std::uint32_t at, bool nested, Level& level) const
{
    if (tree_.kind(id) == SyntaxKind::annotated) id = syntax::Annotated(tree_, id).declaration();
    SyntaxId identifier, let;
    bool link = false;
    switch (tree_.kind(id)) {
        case SyntaxKind::node_decl:
            identifier = syntax::NodeDeclaration(tree_, id).name();
            break;
        case SyntaxKind::instance_decl:
            identifier = syntax::InstanceDeclaration(tree_, id).name();
            break;
        case SyntaxKind::port_decl:
            identifier = syntax::PortDeclaration(tree_, id).name();
            break;
        case SyntaxKind::let_stmt:
            if (nested) return;
            identifier = syntax::LetStatement(tree_, let = id).name();
            break;
        case SyntaxKind::profile_decl:
            if (nested) return;
            identifier = syntax::ProfileDeclaration(tree_, id).name();
            break;
        case SyntaxKind::link_decl:
            identifier = syntax::LinkDeclaration(tree_, id).name();
            link = true;
            break;
        case SyntaxKind::workload_decl:
            identifier = syntax::WorkloadDeclaration(tree_, id).name();
            link = true;
            break;
        case SyntaxKind::run_decl:
            level.names.try_emplace(kRun, Upcoming{span(id), {}, at, {}});
            return;
        case SyntaxKind::for_stmt:
        case SyntaxKind::if_stmt:
            for (const SyntaxId part : tree_.children_of(id)) {
                if (tree_.kind(part) == SyntaxKind::if_stmt) announce(part, at, true, level);
                if (tree_.kind(part) != SyntaxKind::block) continue;
                for (const SyntaxId inside : syntax::Block(tree_, part).statements()) announce(inside, at, true, level);
            }
            return;
        default:
            return;
    }
    if (tree_.kind(identifier) != SyntaxKind::identifier || text(identifier).empty()) return;
    const auto [it, fresh] =
        (link ? level.links : level.names).try_emplace(text(identifier), Upcoming{span(identifier), let, at, {}});
    if (!fresh && it->second.at != at) it->second.others.push_back(at);
}

// In the innermost level, which is open and empty.
std::vector<StatementId> Checker::statements(SyntaxId block)
{
    const std::size_t level = levels_.size() - 1;
    {
        Level& open = levels_[level];
        for (const SyntaxId id : syntax::Block(tree_, block).statements()) open.statements.push_back(id);
        open.progress.assign(open.statements.size(), Progress::untouched);
        open.names.reserve(open.statements.size());
        open.scopes = scopes_.size();
        open.context = *this;
        for (std::uint32_t at = 0; at < open.statements.size(); ++at) announce(open.statements[at], at, false, open);
    }
    for (std::uint32_t at = 0; at < levels_[level].statements.size(); ++at)
        if (levels_[level].progress[at] == Progress::untouched) check_statement({level, at, {}, {}});
    return std::move(levels_[level].checked);
}

// In its level, which is the innermost one.
void Checker::check_statement(const OpenStatement& open)
{
    const std::size_t level = open.level;
    SyntaxId id = levels_[level].statements[open.at];
    levels_[level].progress[open.at] = Progress::active;
    open_statements_.push_back(open);
    Statement s;
    const SyntaxId whole = id;
    bool fits = false;
    if (tree_.kind(id) == SyntaxKind::profile_decl) {
        local_profile(id);
    } else if (tree_.kind(id) == SyntaxKind::override_stmt) {  // those of the body itself are checked with the base
        if (scopes_.size() > 1)
            diagnostics_
                .report(Diag::misplaced_statement, tree_.node(id).token,
                        "`override` cannot depend on a condition or stand in a loop")
                .help("put the condition into a value: `override x { rate = if c then a else b }`");
    } else {
        if (tree_.kind(id) == SyntaxKind::annotated) {
            const syntax::Annotated annotated(tree_, id);
            annotation(annotated.annotation(), s);
            id = annotated.declaration();
        }
        s.span = tree_.node(id).token.valid() ? tree_.node(id).token : span(id);
        fits = statement(id, s);
    }
    if (fits) {
        if (auto* node = std::get_if<NodeStatement>(&s.form)) node->doc = doc(whole);
        program_.statements.push_back(std::move(s));
        levels_[level].checked.emplace_back(program_.statements.size() - 1);
    }
    open_statements_.pop_back();
    levels_[level].progress[open.at] = Progress::done;
}

// What is named there and stands further down. True: it needs what names it, as was reported.
bool Checker::check_named(std::string_view name, Span place)
{
    for (const Names& scope : scopes_)
        if (scope.contains(name)) return false;
    return check_below(name, place, &Level::names);
}

bool Checker::check_link_named(std::string_view name, Span place)
{
    return !links_.contains(name) && check_below(name, place, &Level::links);
}

// A model's `run` stands in front of what asks how long it is, in instances, too.
void Checker::need_run(Span place)
{
    needs_run_[component_.value] = true;
    check_below(kRun, place, &Level::names);
}

bool Checker::check_below(std::string_view name, Span place, Places Level::*names)
{
    for (std::size_t level = levels_.size(); level-- > 0;) {
        const auto found = (levels_[level].*names).find(name);
        if (found == (levels_[level].*names).end()) continue;
        std::vector<std::uint32_t> makers{found->second.at};
        makers.insert(makers.end(), found->second.others.begin(), found->second.others.end());
        for (const std::uint32_t at : makers)
            if (levels_[level].progress[at] == Progress::active) return report_circle({level, at, name, place});
        for (const std::uint32_t at : makers)
            if (levels_[level].progress[at] == Progress::untouched) check_on_demand({level, at, name, place});
        return false;
    }
    return false;
}

// As if it stood in front of the statement of its block that is being checked.
void Checker::check_on_demand(const OpenStatement& wanted)
{
    const Nested nested(*this, wanted.wanted);
    if (!nested.fits()) {
        levels_[wanted.level].progress[wanted.at] = Progress::done;
        return;
    }
    const Context outer = *this;
    const std::uint32_t first_slot = slots_;
    static_cast<Context&>(*this) = levels_[wanted.level].context;
    const auto take_inner = [](auto& all, std::size_t count) {
        typename std::remove_reference_t<decltype(all)> inner(
            std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(count)),
            std::make_move_iterator(all.end()));
        all.resize(count);
        return inner;
    };
    const auto put_back = [](auto& all, auto inner) {
        all.insert(all.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    };
    auto scopes = take_inner(scopes_, levels_[wanted.level].scopes);
    auto levels = take_inner(levels_, wanted.level + 1);
    check_statement(wanted);
    put_back(scopes_, std::move(scopes));
    put_back(levels_, std::move(levels));
    if (loops_ == 0 && outer.loops_ > 0) outside_loops_.emplace_back(first_slot, slots_);
    static_cast<Context&>(*this) = outer;
}

// Who needs whom, from the statement on that is needed again. False: it is in that statement itself.
bool Checker::report_circle(const OpenStatement& again)
{
    std::vector<OpenStatement> between;  // the last first
    for (auto open = open_statements_.rbegin(); open != open_statements_.rend(); ++open) {
        if (open->level == again.level && open->at == again.at) break;
        if (!open->name.empty()) between.push_back(*open);  // others stand in a block of the one around them
    }
    if (between.empty()) return false;
    if (!circles_.insert(between.back().wanted).second) return true;
    std::reverse(between.begin(), between.end());
    std::string circle = fmt::format("`{}`", again.name);
    for (const OpenStatement& open : between) circle += fmt::format(" -> `{}`", open.name);
    auto report = diagnostics_.report(Diag::recursive_declaration, again.wanted,
                                      fmt::format("`{0}` needs itself: {1} -> `{0}`", again.name, circle));
    std::string_view by = again.name;
    for (const OpenStatement& open : between) {
        report.also(open.wanted, fmt::format("`{}` needs `{}`", by, open.name));
        by = open.name;
    }
    return true;
}

}  // namespace anml
