// The timeline: what changes when; and static routes.
#include "runtime/abi/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "common/ascii.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// Attributes of Link that can change, or those that can step by step, in the order of the runtime's list.
std::string changeable_names(const CheckedProgram& program, bool ramp)
{
    std::string names;
    for (std::uint32_t i = 0; i < abi::kTimelineAttributes; ++i)
        for (const Attribute& a : program.schema(program.link).attributes)
            if ((ramp ? a.ramps : a.steps) && changed_as(a.name) == static_cast<abi::TimelineAttribute>(i))
                names += fmt::format("{}`{}`", names.empty() ? "" : ", ", a.name);
    return names;
}

void changed_attribute(Checking& in, SyntaxId entry, const ActionStatement& common, TimelineStatement& timeline)
{
    const syntax::Attribute written(in.tree, entry);
    const SyntaxId name = written.name(), value_syntax = written.value();
    const bool ramp = timeline.form == abi::TimelineForm::ramp;
    const Schema link = in.program.schema(in.program.link);  // a copy: values may grow the program
    std::size_t index = 0;
    while (index < link.attributes.size() && link.attributes[index].name != in.text(name)) ++index;
    if (index == link.attributes.size()) {
        auto report = in.report(Diag::unknown_attribute, in.span(name),
                                fmt::format("the link has no attribute `{}`", in.text(name)));
        std::string_view subject = in.sources.text(common.span);
        subject = trimmed(subject.substr(0, subject.find('{')));
        constexpr std::string_view kStates[] = {"state", "status", "enabled", "up", "down", "admin", "active"};
        const bool off = in.text(value_syntax).find("down") != std::string_view::npos ||
                         in.text(value_syntax) == "false" || in.text(name) == "down";
        std::vector<std::string_view> names;
        for (const Attribute& a : link.attributes) names.push_back(a.name);
        if (std::ranges::find(kStates, in.text(name)) != std::end(kStates))
            report.help(fmt::format("a state is no attribute: `{} {}`", subject, off ? "down" : "up"));
        else if (const auto meant = meant_name(in.text(name), names); !meant.empty())
            report.suggest(in.span(name), meant, quoted_name(meant));
        else
            report.help(fmt::format("{} can change", changeable_names(in.program, ramp)));
        return;
    }
    const Attribute& attribute = link.attributes[index];
    if (ramp ? !attribute.ramps : !attribute.steps) {
        auto report =
            in.report(Diag::fixed_attribute, in.span(name),
                      attribute.steps ? fmt::format("`{}` cannot change step by step", in.text(name))
                                      : fmt::format("`{}` cannot change while the model runs", in.text(name)));
        report.help(fmt::format("{} can", changeable_names(in.program, ramp)));
        if (!attribute.steps)
            report
                .note(
                    "packets that wait in the queue were taken for the one that is declared, and so were TCP's "
                    "segments")
                .help(fmt::format("packets can change to a link with another `{}`: declare one beside this, and let "
                                  "this one go `down` and that one `up`",
                                  in.text(name)));
        return;
    }
    in.means(name, link.attributes[index].span);
    if (ramp && in.tree.kind(value_syntax) != SyntaxKind::range) return;  // a hole
    ActionStatement action = common;
    action.span = in.span(entry);
    action.attribute = *changed_as(attribute.name);
    action.declared = static_cast<std::uint32_t>(index);
    Type type = attribute.type;
    type.random = type.random && !ramp;
    type.or_trace = false;
    const auto checked = [&](SyntaxId syntax) {
        in.in_change = true;
        const ExprId v = value(in, syntax, type, fmt::format("`{}`", attribute.name));
        in.in_change = false;
        check_range(in, in.program, in.diagnostics, v, attribute.range, attribute.type, attribute.name, attribute.span);
        return v;
    };
    if (!ramp) {
        action.value = checked(value_syntax);
    } else {
        const syntax::Range values(in.tree, value_syntax);
        action.value = checked(values.low());
        action.last = checked(values.high());
        if (in.tree.node(value_syntax).flags & syntax_flag::half_open)
            in.report(Diag::syntax_error, in.span(value_syntax), "a ramp reaches its last value")
                .help("write `..` between the two values")
                .fix(in.tree.node(value_syntax).token, "..");
    }
    timeline.actions.push_back(action);
}

void changed_attributes(Checking& in, SyntaxId block, const ActionStatement& common, TimelineStatement& timeline)
{
    for (SyntaxId entry : syntax::AttributeBlock(in.tree, block).attributes()) {
        if (in.tree.is_hole(entry)) continue;
        const syntax::Attribute attribute(in.tree, entry);
        const SyntaxId name = attribute.name(), values = attribute.value();
        if (in.tree.kind(values) != SyntaxKind::attribute_block) {
            changed_attribute(in, entry, common, timeline);
            continue;
        }
        ActionStatement one = common;
        one.direction = in.text(name) == "up" ? LinkDirection::up : LinkDirection::down;
        if (common.direction == LinkDirection::both && (in.text(name) == "up" || in.text(name) == "down")) {
            changed_attributes(in, values, one, timeline);
            continue;
        }
        in.report(Diag::unknown_attribute, in.span(name),
                  common.direction == LinkDirection::both ? fmt::format("a link has no direction `{}`", in.text(name))
                                                          : std::string("a direction has no directions"))
            .help("`up { ... }` runs from the left end to the right, `down { ... }` back");
    }
}

void action(Checking& in, SyntaxId id, TimelineStatement& timeline)
{
    const syntax::Action written(in.tree, id);
    const SyntaxId object = written.object(), other = written.other(), block = written.attributes();
    ActionStatement action;
    action.span = in.span(id);
    if (written.has_other()) {
        const Type node{.kind = TypeKind::node};
        action.object = value(in, object, node, "the end of a link");
        action.other = value(in, other, node, "the end of a link");
    } else {
        action.object = link_or_value(in, object);
    }
    const Expr found = in.program.expr(action.object);
    const TypeKind kind = action.other ? TypeKind::link : found.type.kind;
    if (kind == TypeKind::error) return;
    if (kind != TypeKind::link && kind != TypeKind::node && kind != TypeKind::workload) {
        auto report = in.report(
            Diag::type_mismatch, found.span,
            fmt::format("only links, nodes and workloads change in a timeline, found {}", in.a_named(found.type)));
        if (kind == TypeKind::instance) report.help(fmt::format("name something in it: `{}.x`", in.text(object)));
        return;
    }
    if (found.type.array) {
        in.report(Diag::invalid_selection, found.span,
                  fmt::format("an action wants links, nodes or workloads, found {}", in.a_named(found.type)))
            .help(fmt::format("choose all its elements with `{}[*]`, or one with `{}[0]`", in.text(object),
                              in.text(object)))
            .fix(found.span.behind(), "[*]")
            .fix(found.span.behind(), "[0]");
        return;
    }
    if (in.tree.is_none(block)) {
        const Span place = in.tree.node(id).token;
        if (!place.valid()) return;  // it is missing
        const std::string_view word = in.sources.text(place);
        const bool workload = kind == TypeKind::workload;
        action.on = word == "up" || word == "on";
        action.attribute = workload ? abi::TimelineAttribute::active : abi::TimelineAttribute::up;
        if (workload != (word == "on" || word == "off")) {
            in.report(Diag::type_mismatch, place,
                      workload ? fmt::format("a workload is switched `on` or `off`, not `{}`", word)
                               : fmt::format("a {} goes `up` or `down`, not `{}`",
                                             kind == TypeKind::link ? "link" : "node", word));
            return;
        }
        timeline.actions.push_back(action);
        return;
    }
    if (kind == TypeKind::workload) return changed_workload(in, block, action, timeline);
    if (kind != TypeKind::link) {
        in.report(Diag::type_mismatch, found.span,
                  fmt::format("only attributes of links and workloads change, found {}", in.a_named(found.type)))
            .help("a node goes `up` or `down`");
        return;
    }
    if (syntax::AttributeBlock(in.tree, block).attributes().empty())
        in.report(Diag::missing_attribute, in.span(block), "this changes nothing")
            .help(fmt::format("{} can change", changeable_names(in.program, timeline.form == abi::TimelineForm::ramp)));
    changed_attributes(in, block, action, timeline);
}

// Of a list of segments: a node, several in their order, or one link.
bool is_segment(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId segment)
{
    const Expr of = program.expr(segment);
    const bool one = of.type.array == 0 && !of.type.list;
    if (of.type.kind == TypeKind::error || (one && of.type.kind == TypeKind::node) ||
        (one && of.type.kind == TypeKind::link && !of.type.many))
        return true;
    const bool array = of.type.array != 0 && (of.type.kind == TypeKind::node || of.type.kind == TypeKind::link);
    auto report =
        diagnostics.report(array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                           fmt::format("a segment is a router or a link, found {}", a_type(program, of.type)));
    if (array)
        report.help(fmt::format("choose one: `{}[0]`", source.sources.text(of.span)))
            .fix_when_asked({of.span.behind(), "[0]"});
    return false;
}

}  // namespace

bool timeline_statement(Checking& in, SyntaxId id, Statement& out)
{
    TimelineStatement timeline;
    const auto time = [&](SyntaxId written, std::string_view what) {
        if (in.tree.is_none(written)) return ExprId{};
        return value(in, written, {.kind = TypeKind::number, .dim = dimension::time}, what);
    };
    SyntaxId block;
    switch (in.tree.kind(id)) {
        case SyntaxKind::at_stmt: {
            const syntax::AtStatement at(in.tree, id);
            timeline.form = abi::TimelineForm::once;
            timeline.first = time(at.time(), "`at`");
            block = at.timeline();
            break;
        }
        case SyntaxKind::every_stmt: {
            const syntax::EveryStatement every(in.tree, id);
            timeline.form = abi::TimelineForm::every;
            timeline.step = time(every.period(), "`every`");
            timeline.first = time(every.first(), "`from`");
            timeline.last = time(every.last(), "`to`");
            block = every.timeline();
            if (every.has_number()) {
                if (!every.has_last()) need_run(in, in.span(id));
                in.scopes.emplace_back();
                timeline.number_slot = declare_local(in, every.number(), {.kind = TypeKind::integer});
            } else {
                in.every = in.span(id);
            }
            break;
        }
        case SyntaxKind::from_stmt: {
            const syntax::FromStatement from(in.tree, id);
            timeline.form = abi::TimelineForm::interval;
            timeline.first = time(from.first(), "`from`");
            timeline.last = time(from.last(), "`to`");
            block = from.timeline();
            break;
        }
        default: {
            const syntax::RampStatement ramp(in.tree, id);
            timeline.form = abi::TimelineForm::ramp;
            timeline.first = time(ramp.first(), "`from`");
            timeline.last = time(ramp.last(), "`to`");
            timeline.step = time(ramp.step(), "`every`");
            block = ramp.timeline();
            break;
        }
    }
    for (SyntaxId item : syntax::TimelineBlock(in.tree, block).items()) {
        if (in.tree.kind(item) == SyntaxKind::action) {
            action(in, item, timeline);
        } else if (in.tree.is_hole(item)) {
            continue;
        } else if (timeline.form == abi::TimelineForm::once || timeline.number_slot != abi::kNone) {
            in.in_moment = true;
            timeline.requirements.emplace_back(require_statement(in, item),
                                               in.span(syntax::RequireStatement(in.tree, item).condition()));
            in.in_moment = false;
        } else {
            in.report(Diag::misplaced_statement, in.tree.node(item).token, "a requirement holds at one time or always")
                .help("write `at 30 s { require ... }`, or `every 15 s as k { require ... }`");
        }
    }
    in.every = {};
    if (timeline.number_slot != abi::kNone) in.scopes.pop_back();
    out.form = std::move(timeline);
    return true;
}

bool static_route(Checking& in, SyntaxId id, Statement& out)
{
    const Type node{.kind = TypeKind::node}, nodes{.kind = TypeKind::node, .many = true};
    const syntax::RouteStatement written(in.tree, id);
    StaticRouteStatement route;
    route.source = value(in, written.source(), nodes, "the node of a static route");
    route.destination = expression(in, written.destination());
    const Expr found = in.program.expr(route.destination);
    if (found.type.kind != TypeKind::prefix && found.type.kind != TypeKind::address)
        route.destination = require_type(in, route.destination, nodes, "the destination of a static route");
    out.span = in.span(id);
    const bool by_segments = !in.tree.is_hole(written.via()) && in.tree.kind(written.via()) == SyntaxKind::list;
    if (by_segments) {
        for (const SyntaxId element : syntax::List(in.tree, written.via()).elements()) {
            if (in.tree.is_hole(element)) continue;
            const ExprId segment = expression(in, element);
            if (is_segment(in, in.program, in.diagnostics, segment)) route.segments.push_back(segment);
        }
    } else {
        route.via = expression(in, written.via(), &node);
        const Expr via = in.program.expr(route.via);
        if (via.type.kind == TypeKind::node && via.type.many)
            in.report(Diag::invalid_selection, via.span,
                      fmt::format("the neighbour of a static route wants a node, found {}", in.a_named(via.type)))
                .help(fmt::format("those that packets pass in their order are a list of segments: `via [{}]`",
                                  in.sources.text(via.span)))
                .fix(via.span, fmt::format("[{}]", in.sources.text(via.span)));
        else
            route.via = require_type(in, route.via, node, "the neighbour of a static route");
    }
    if (by_segments && syntax::List(in.tree, written.via()).elements().size() == 0)
        in.report(Diag::invalid_value, in.span(written.via()), "a list of segments has at least one")
            .help("without segments packets take the shortest path: leave out the route")
            .fix_when_asked({in.span(id), "", EditAt::lines});
    if (by_segments) {
        route.attributes =
            attributes(in, written.attributes(), in.program.segment_list, true, out.span, "a list of segments");
    } else if (written.has_attributes()) {
        in.report(Diag::unknown_attribute, in.span(written.attributes()), "a route by a neighbour has no attributes")
            .help("those of a list of segments stand behind one: `via [a, b] { weight = 2 }`");
    }
    out.form = std::move(route);
    return true;
}

}  // namespace anml
