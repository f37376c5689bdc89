// In which order the statements of a block take effect: that of the text, but what stands further down and is named
// comes first. It is checked where it is named, as declarations of a file are; statements that need each other are an
// error.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

constexpr std::string_view kRun = "run {}";  // stands for what `run` says, as a name

// Names that the statement `at` of a block will declare. Nodes, instances, links and workloads of loops and conditions
// belong to the whole body.
void announce(const SourceText& source, SyntaxId id, std::uint32_t at, bool nested, Level& level)
{
    if (source.tree.kind(id) == SyntaxKind::annotated) id = syntax::Annotated(source.tree, id).declaration();
    SyntaxId identifier, let;
    bool link = false;
    switch (source.tree.kind(id)) {
        case SyntaxKind::node_decl:
            identifier = syntax::NodeDeclaration(source.tree, id).name();
            break;
        case SyntaxKind::instance_decl:
            identifier = syntax::InstanceDeclaration(source.tree, id).name();
            break;
        case SyntaxKind::port_decl:
            identifier = syntax::PortDeclaration(source.tree, id).name();
            break;
        case SyntaxKind::let_stmt:
            if (nested) return;
            identifier = syntax::LetStatement(source.tree, let = id).name();
            break;
        case SyntaxKind::profile_decl:
            if (nested) return;
            identifier = syntax::ProfileDeclaration(source.tree, id).name();
            break;
        case SyntaxKind::link_decl:
            identifier = syntax::LinkDeclaration(source.tree, id).name();
            link = true;
            break;
        case SyntaxKind::workload_decl:
            identifier = syntax::WorkloadDeclaration(source.tree, id).name();
            link = true;
            break;
        case SyntaxKind::run_decl:
            level.names.try_emplace(kRun, Upcoming{source.span(id), {}, at, {}});
            return;
        case SyntaxKind::for_stmt:
        case SyntaxKind::if_stmt:
            for (const SyntaxId part : source.tree.children_of(id)) {
                if (source.tree.kind(part) == SyntaxKind::if_stmt) announce(source, part, at, true, level);
                if (source.tree.kind(part) != SyntaxKind::block) continue;
                for (const SyntaxId inside : syntax::Block(source.tree, part).statements())
                    announce(source, inside, at, true, level);
            }
            return;
        default:
            return;
    }
    if (source.tree.kind(identifier) != SyntaxKind::identifier || source.text(identifier).empty()) return;
    const auto [it, fresh] = (link ? level.links : level.names)
                                 .try_emplace(source.text(identifier), Upcoming{source.span(identifier), let, at, {}});
    if (!fresh && it->second.at != at) it->second.others.push_back(at);
}

// In its level, which is the innermost one.
void check_statement(Checking& in, const OpenStatement& open)
{
    const std::size_t level = open.level;
    SyntaxId id = in.levels[level].statements[open.at];
    in.levels[level].progress[open.at] = Progress::active;
    in.open_statements.push_back(open);
    Statement s;
    const SyntaxId whole = id;
    bool fits = false;
    if (in.tree.kind(id) == SyntaxKind::profile_decl) {
        local_profile(in, id);
    } else if (in.tree.kind(id) == SyntaxKind::override_stmt) {  // those of the body itself are checked with the base
        if (in.scopes.size() > 1)
            in.report(Diag::misplaced_statement, in.tree.node(id).token,
                      "`override` cannot depend on a condition or stand in a loop")
                .help("put the condition into a value: `override x { rate = if c then a else b }`");
    } else {
        if (in.tree.kind(id) == SyntaxKind::annotated) {
            const syntax::Annotated annotated(in.tree, id);
            annotation(in, in.program, in.diagnostics, annotated.annotation(), s);
            id = annotated.declaration();
        }
        s.span = in.tree.node(id).token.valid() ? in.tree.node(id).token : in.span(id);
        fits = statement(in, id, s);
    }
    if (fits) {
        if (auto* node = std::get_if<NodeStatement>(&s.form)) node->doc = in.doc(whole);
        in.program.statements.push_back(std::move(s));
        in.levels[level].checked.emplace_back(in.program.statements.size() - 1);
    }
    in.open_statements.pop_back();
    in.levels[level].progress[open.at] = Progress::done;
}

// As if it stood in front of the statement of its block that is being checked.
void check_on_demand(Checking& in, const OpenStatement& wanted)
{
    const NestedDeclaration nested(in, wanted.wanted);
    if (!nested.fits()) {
        in.levels[wanted.level].progress[wanted.at] = Progress::done;
        return;
    }
    const Context outer = in;
    const std::uint32_t first_slot = in.slots;
    static_cast<Context&>(in) = in.levels[wanted.level].context;
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
    auto scopes = take_inner(in.scopes, in.levels[wanted.level].scopes);
    auto levels = take_inner(in.levels, wanted.level + 1);
    check_statement(in, wanted);
    put_back(in.scopes, std::move(scopes));
    put_back(in.levels, std::move(levels));
    if (in.loops == 0 && outer.loops > 0) in.outside_loops.emplace_back(first_slot, in.slots);
    static_cast<Context&>(in) = outer;
}

// Who needs whom, from the statement on that is needed again. False: it is in that statement itself.
bool report_circle(Checking& in, const OpenStatement& again)
{
    std::vector<OpenStatement> between;  // the last first
    for (auto open = in.open_statements.rbegin(); open != in.open_statements.rend(); ++open) {
        if (open->level == again.level && open->at == again.at) break;
        if (!open->name.empty()) between.push_back(*open);  // others stand in a block of the one around them
    }
    if (between.empty()) return false;
    if (!in.once.insert(between.back().wanted).second) return true;
    std::reverse(between.begin(), between.end());
    std::string circle = fmt::format("`{}`", again.name);
    for (const OpenStatement& open : between) circle += fmt::format(" -> `{}`", open.name);
    auto report = in.report(Diag::recursive_declaration, again.wanted,
                            fmt::format("`{0}` needs itself: {1} -> `{0}`", again.name, circle));
    std::string_view by = again.name;
    for (const OpenStatement& open : between) {
        report.also(open.wanted, fmt::format("`{}` needs `{}`", by, open.name));
        by = open.name;
    }
    return true;
}

bool check_below(Checking& in, std::string_view name, Span place, Places Level::* names)
{
    for (std::size_t level = in.levels.size(); level-- > 0;) {
        const auto found = (in.levels[level].*names).find(name);
        if (found == (in.levels[level].*names).end()) continue;
        std::vector<std::uint32_t> makers{found->second.at};
        makers.insert(makers.end(), found->second.others.begin(), found->second.others.end());
        for (const std::uint32_t at : makers)
            if (in.levels[level].progress[at] == Progress::active) return report_circle(in, {level, at, name, place});
        for (const std::uint32_t at : makers)
            if (in.levels[level].progress[at] == Progress::untouched) check_on_demand(in, {level, at, name, place});
        return false;
    }
    return false;
}

}  // namespace

// In the innermost level, which is open and empty.
std::vector<StatementId> statements(Checking& in, SyntaxId block)
{
    const std::size_t level = in.levels.size() - 1;
    {
        Level& open = in.levels[level];
        for (const SyntaxId id : syntax::Block(in.tree, block).statements()) open.statements.push_back(id);
        open.progress.assign(open.statements.size(), Progress::untouched);
        open.names.reserve(open.statements.size());
        open.scopes = in.scopes.size();
        open.context = in;
        for (std::uint32_t at = 0; at < open.statements.size(); ++at)
            announce(in, open.statements[at], at, false, open);
    }
    for (std::uint32_t at = 0; at < in.levels[level].statements.size(); ++at)
        if (in.levels[level].progress[at] == Progress::untouched) check_statement(in, {level, at, {}, {}});
    return std::move(in.levels[level].checked);
}

// What is named there and stands further down. True: it needs what names it, as was reported.
bool check_named(Checking& in, std::string_view name, Span place)
{
    for (const Names& scope : in.scopes)
        if (scope.contains(name)) return false;
    return check_below(in, name, place, &Level::names);
}

bool check_link_named(Checking& in, std::string_view name, Span place)
{
    return !in.links.contains(name) && check_below(in, name, place, &Level::links);
}

// A model's `run` stands in front of what asks how long it is, in instances, too.
void need_run(Checking& in, Span place)
{
    in.needs_run[in.component.value] = true;
    check_below(in, kRun, place, &Level::names);
}

}  // namespace anml
