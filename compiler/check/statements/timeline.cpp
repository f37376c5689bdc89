// The timeline: what changes when; and static routes.
#include "runtime/abi/timeline.h"

#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// Attributes of Link that can change, or those that can step by step, in the order of the runtime's list.
std::string Checker::changeable_names(bool ramp) const
{
    std::string names;
    for (std::uint32_t i = 0; i < abi::kTimelineAttributes; ++i)
        for (const Attribute& a : program_.schema(program_.link).attributes)
            if ((ramp ? a.ramps : a.steps) && changed_as(a.name) == static_cast<abi::TimelineAttribute>(i))
                names += fmt::format("{}`{}`", names.empty() ? "" : ", ", a.name);
    return names;
}

bool Checker::timeline_statement(SyntaxId id, Statement& out)
{
    TimelineStatement timeline;
    const auto time = [&](SyntaxId written, std::string_view what) {
        if (tree_.is_none(written)) return ExprId{};
        return value(written, {.kind = TypeKind::number, .dim = dimension::time}, what);
    };
    SyntaxId block;
    switch (tree_.kind(id)) {
        case SyntaxKind::at_stmt: {
            const syntax::AtStatement at(tree_, id);
            timeline.form = abi::TimelineForm::once;
            timeline.first = time(at.time(), "`at`");
            block = at.timeline();
            break;
        }
        case SyntaxKind::every_stmt: {
            const syntax::EveryStatement every(tree_, id);
            timeline.form = abi::TimelineForm::every;
            timeline.step = time(every.period(), "`every`");
            timeline.first = time(every.first(), "`from`");
            timeline.last = time(every.last(), "`to`");
            block = every.timeline();
            if (every.has_number()) {
                if (!every.has_last()) need_run(span(id));
                scopes_.emplace_back();
                timeline.number_slot = declare_local(every.number(), {.kind = TypeKind::integer});
            }
            break;
        }
        case SyntaxKind::from_stmt: {
            const syntax::FromStatement from(tree_, id);
            timeline.form = abi::TimelineForm::interval;
            timeline.first = time(from.first(), "`from`");
            timeline.last = time(from.last(), "`to`");
            block = from.timeline();
            break;
        }
        default: {
            const syntax::RampStatement ramp(tree_, id);
            timeline.form = abi::TimelineForm::ramp;
            timeline.first = time(ramp.first(), "`from`");
            timeline.last = time(ramp.last(), "`to`");
            timeline.step = time(ramp.step(), "`every`");
            block = ramp.timeline();
            break;
        }
    }
    for (SyntaxId item : syntax::TimelineBlock(tree_, block).items()) {
        if (tree_.kind(item) == SyntaxKind::action) {
            action(item, timeline);
        } else if (tree_.is_hole(item)) {
            continue;
        } else if (timeline.form == abi::TimelineForm::once || timeline.number_slot != abi::kNone) {
            in_moment_ = true;
            timeline.requirements.emplace_back(require_statement(item),
                                               span(syntax::RequireStatement(tree_, item).condition()));
            in_moment_ = false;
        } else {
            diagnostics_
                .report(Diag::misplaced_statement, tree_.node(item).token, "a requirement holds at one time or always")
                .help("write `at 30 s { require ... }`, or `every 15 s as k { require ... }`");
        }
    }
    if (timeline.number_slot != abi::kNone) scopes_.pop_back();
    out.form = std::move(timeline);
    return true;
}

void Checker::action(SyntaxId id, TimelineStatement& timeline)
{
    const syntax::Action written(tree_, id);
    const SyntaxId object = written.object(), other = written.other(), block = written.attributes();
    ActionStatement action;
    action.span = span(id);
    if (written.has_other()) {
        const Type node{.kind = TypeKind::node};
        action.object = value(object, node, "the end of a link");
        action.other = value(other, node, "the end of a link");
    } else {
        action.object = link_or_value(object);
    }
    const Expr found = program_.expr(action.object);
    const TypeKind kind = action.other ? TypeKind::link : found.type.kind;
    if (kind == TypeKind::error) return;
    if (kind != TypeKind::link && kind != TypeKind::node && kind != TypeKind::workload) {
        auto report = diagnostics_.report(
            Diag::type_mismatch, found.span,
            fmt::format("only links, nodes and workloads change in a timeline, found {}", a_named(found.type)));
        if (kind == TypeKind::instance) report.help(fmt::format("name something in it: `{}.x`", text(object)));
        return;
    }
    if (found.type.array) {
        diagnostics_
            .report(Diag::invalid_selection, found.span,
                    fmt::format("an action wants links, nodes or workloads, found {}", a_named(found.type)))
            .help(fmt::format("choose all its elements with `{}[*]`, or one with `{}[0]`", text(object), text(object)))
            .fix(found.span.behind(), "[*]")
            .fix(found.span.behind(), "[0]");
        return;
    }
    if (tree_.is_none(block)) {
        const Span place = tree_.node(id).token;
        if (!place.valid()) return;  // it is missing
        const std::string_view word = sources_.text(place);
        const bool workload = kind == TypeKind::workload;
        action.on = word == "up" || word == "on";
        action.attribute = workload ? abi::TimelineAttribute::active : abi::TimelineAttribute::up;
        if (workload != (word == "on" || word == "off")) {
            diagnostics_.report(Diag::type_mismatch, place,
                                workload ? fmt::format("a workload is switched `on` or `off`, not `{}`", word)
                                         : fmt::format("a {} goes `up` or `down`, not `{}`",
                                                       kind == TypeKind::link ? "link" : "node", word));
            return;
        }
        timeline.actions.push_back(action);
        return;
    }
    if (kind == TypeKind::workload) return changed_workload(block, action, timeline);
    if (kind != TypeKind::link) {
        diagnostics_
            .report(Diag::type_mismatch, found.span,
                    fmt::format("only attributes of links and workloads change, found {}", a_named(found.type)))
            .help("a node goes `up` or `down`");
        return;
    }
    if (syntax::AttributeBlock(tree_, block).attributes().empty())
        diagnostics_.report(Diag::missing_attribute, span(block), "this changes nothing")
            .help(fmt::format("{} can change", changeable_names(timeline.form == abi::TimelineForm::ramp)));
    changed_attributes(block, action, timeline);
}

void Checker::changed_attributes(SyntaxId block, const ActionStatement& common, TimelineStatement& timeline)
{
    for (SyntaxId entry : syntax::AttributeBlock(tree_, block).attributes()) {
        if (tree_.is_hole(entry)) continue;
        const syntax::Attribute attribute(tree_, entry);
        const SyntaxId name = attribute.name(), values = attribute.value();
        if (tree_.kind(values) != SyntaxKind::attribute_block) {
            changed_attribute(entry, common, timeline);
            continue;
        }
        ActionStatement one = common;
        one.direction = text(name) == "up" ? LinkDirection::up : LinkDirection::down;
        if (common.direction == LinkDirection::both && (text(name) == "up" || text(name) == "down")) {
            changed_attributes(values, one, timeline);
            continue;
        }
        diagnostics_
            .report(Diag::unknown_attribute, span(name),
                    common.direction == LinkDirection::both ? fmt::format("a link has no direction `{}`", text(name))
                                                            : std::string("a direction has no directions"))
            .help("`up { ... }` runs from the left end to the right, `down { ... }` back");
    }
}

void Checker::changed_attribute(SyntaxId entry, const ActionStatement& common, TimelineStatement& timeline)
{
    const syntax::Attribute written(tree_, entry);
    const SyntaxId name = written.name(), value_syntax = written.value();
    const bool ramp = timeline.form == abi::TimelineForm::ramp;
    const Schema link = program_.schema(program_.link);  // a copy: values may grow the program
    std::size_t index = 0;
    while (index < link.attributes.size() && link.attributes[index].name != text(name)) ++index;
    if (index == link.attributes.size()) {
        auto report = diagnostics_.report(Diag::unknown_attribute, span(name),
                                          fmt::format("the link has no attribute `{}`", text(name)));
        report.help(fmt::format("{} can change", changeable_names(ramp)));
        return;
    }
    const Attribute& attribute = link.attributes[index];
    if (ramp ? !attribute.ramps : !attribute.steps) {
        auto report =
            diagnostics_.report(Diag::fixed_attribute, span(name),
                                attribute.steps ? fmt::format("`{}` cannot change step by step", text(name))
                                                : fmt::format("`{}` cannot change while the model runs", text(name)));
        report.help(fmt::format("{} can", changeable_names(ramp)));
        if (!attribute.steps)
            report
                .note(
                    "packets that wait in the queue were taken for the one that is declared, and so were TCP's "
                    "segments")
                .help(fmt::format("packets can change to a link with another `{}`: declare one beside this, and let "
                                  "this one go `down` and that one `up`",
                                  text(name)));
        return;
    }
    means(name, link.attributes[index].span);
    if (ramp && tree_.kind(value_syntax) != SyntaxKind::range) return;  // a hole
    ActionStatement action = common;
    action.span = span(entry);
    action.attribute = *changed_as(attribute.name);
    action.declared = static_cast<std::uint32_t>(index);
    Type type = attribute.type;
    type.random = type.random && !ramp;
    type.or_trace = false;
    const auto checked = [&](SyntaxId syntax) {
        in_change_ = true;
        const ExprId v = value(syntax, type, fmt::format("`{}`", attribute.name));
        in_change_ = false;
        check_range(v, attribute.range, attribute.type, attribute.name, attribute.span);
        return v;
    };
    if (!ramp) {
        action.value = checked(value_syntax);
    } else {
        const syntax::Range values(tree_, value_syntax);
        action.value = checked(values.low());
        action.last = checked(values.high());
        if (tree_.node(value_syntax).flags & syntax_flag::half_open)
            diagnostics_.report(Diag::syntax_error, span(value_syntax), "a ramp reaches its last value")
                .help("write `..` between the two values")
                .fix(tree_.node(value_syntax).token, "..");
    }
    timeline.actions.push_back(action);
}

bool Checker::static_route(SyntaxId id, Statement& out)
{
    const Type node{.kind = TypeKind::node}, nodes{.kind = TypeKind::node, .many = true};
    const syntax::RouteStatement written(tree_, id);
    StaticRouteStatement route;
    route.source = value(written.source(), nodes, "the node of a static route");
    route.destination = expression(written.destination());
    const Expr found = program_.expr(route.destination);
    if (found.type.kind != TypeKind::prefix && found.type.kind != TypeKind::address)
        route.destination = require_type(route.destination, nodes, "the destination of a static route");
    out.span = span(id);
    const bool by_segments = !tree_.is_hole(written.via()) && tree_.kind(written.via()) == SyntaxKind::list;
    if (by_segments) {
        for (const SyntaxId element : syntax::List(tree_, written.via()).elements()) {
            if (tree_.is_hole(element)) continue;
            const ExprId segment = expression(element);
            if (is_segment(segment)) route.segments.push_back(segment);
        }
    } else {
        route.via = expression(written.via(), &node);
        const Expr via = program_.expr(route.via);
        if (via.type.kind == TypeKind::node && via.type.many)
            diagnostics_
                .report(Diag::invalid_selection, via.span,
                        fmt::format("the neighbour of a static route wants a node, found {}", a_named(via.type)))
                .help(fmt::format("those that packets pass in their order are a list of segments: `via [{}]`",
                                  sources_.text(via.span)))
                .fix(via.span, fmt::format("[{}]", sources_.text(via.span)));
        else
            route.via = require_type(route.via, node, "the neighbour of a static route");
    }
    if (by_segments && syntax::List(tree_, written.via()).elements().size() == 0)
        diagnostics_.report(Diag::invalid_value, span(written.via()), "a list of segments has at least one")
            .help("without segments packets take the shortest path: leave out the route")
            .fix_when_asked({span(id), "", EditAt::lines});
    if (by_segments) {
        route.attributes =
            attributes(written.attributes(), program_.segment_list, true, out.span, "a list of segments");
    } else if (written.has_attributes()) {
        diagnostics_
            .report(Diag::unknown_attribute, span(written.attributes()), "a route by a neighbour has no attributes")
            .help("those of a list of segments stand behind one: `via [a, b] { weight = 2 }`");
    }
    out.form = std::move(route);
    return true;
}

// Of a list of segments: a node, several in their order, or one link.
bool Checker::is_segment(ExprId segment)
{
    const Expr of = program_.expr(segment);
    const bool one = of.type.array == 0 && !of.type.list;
    if (of.type.kind == TypeKind::error || (one && of.type.kind == TypeKind::node) ||
        (one && of.type.kind == TypeKind::link && !of.type.many))
        return true;
    const bool array = of.type.array != 0 && (of.type.kind == TypeKind::node || of.type.kind == TypeKind::link);
    auto report = diagnostics_.report(array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                      fmt::format("a segment is a router or a link, found {}", a_named(of.type)));
    if (array)
        report.help(fmt::format("choose one: `{}[0]`", sources_.text(of.span)))
            .fix_when_asked({of.span.behind(), "[0]"});
    return false;
}

}  // namespace anml
