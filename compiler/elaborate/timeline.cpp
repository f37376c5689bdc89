// The timeline: its statements become rows, each of which changes one attribute of links, nodes or workloads.
#include "runtime/abi/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "elaborate/model.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// "hop[2]", "net[0].edge[0] and 31 more"
std::string subject_of(const Network& network, const TimelineInfo& info)
{
    std::string name;
    std::uint64_t count = info.workloads.size();
    for (const LinkSlice& links : info.links) {
        const LinkArray& row = network.links[links.row.value];
        if (name.empty()) name = row.element_name(links.first);
        count += links.count;
    }
    for (const TargetRange& nodes : info.nodes) {
        const NodeArray& row = network.nodes[nodes.row.value];
        if (name.empty()) name = row.element_name(nodes.first);
        count += nodes.count;
    }
    if (!info.workloads.empty()) name = network.workloads[info.workloads.front()].name;
    if (info.directions != 3) name += info.directions == 1 ? '>' : '<';
    return count > 1 ? fmt::format("{} and {} more", name, count - 1) : name;
}

// False: an error was reported. The time of `every` that the text leaves out is the run's, see finish_timeline.
bool timeline_times(Elaboration& in, const TimelineStatement& s, const Statement& at, Frame& frame, TimelineInfo& info)
{
    ValuePool& pool = in.network.values;
    bool good = true;
    const auto time = [&](ExprId id, ValueExprId otherwise) {
        if (!id) return otherwise;
        const auto v = number(in, id, frame);
        good &= v.has_value();
        return v.value_or(otherwise);
    };
    const ValueExprId none = abi::kNone;
    if (s.form == abi::TimelineForm::every) {
        info.step = time(s.step, none);
        info.first = time(s.first, info.step);
        info.last = time(s.last, none);
    } else {
        info.first = time(s.first, none);
        info.last = time(s.last, info.first);
        if (!good) return false;
        const ValueExprId span = pool.make(ValueOp::sub, info.last, info.first);
        info.step = time(
            s.step, s.form == abi::TimelineForm::ramp ? pool.make(ValueOp::div, span, in.constant(100)) : info.first);
    }
    if (!good) return false;
    const auto holds = [&](ValueExprId condition, ExprId place, const char* message) {
        if (pool.evaluate(condition, in.tunable_defaults) == 0) {
            in.report(Diag::invalid_time, place ? in.program.expr(place).span : at.span, message);
            good = false;
        } else {
            require(in, condition, message, at.span, true);
        }
    };
    holds(pool.make(ValueOp::ge, info.first, in.constant(0)), s.first, "the time lies before the start of the run");
    if (s.last)
        holds(pool.make(ValueOp::gt, info.last, info.first), s.last, "the end does not lie after the beginning");
    if (s.step)
        holds(pool.make(ValueOp::ge, info.step, in.constant(1)), s.step,
              s.form == abi::TimelineForm::ramp ? "the step is shorter than 1 ns" : "the period is shorter than 1 ns");
    if (s.step && s.form == abi::TimelineForm::ramp)
        holds(pool.make(ValueOp::le, info.step, pool.make(ValueOp::sub, info.last, info.first)), s.step,
              "the step is longer than the ramp");
    return good;
}

// True: an error was reported, as a link would have to decide in another way than before. Packets that wait as one
// discipline has them can't become another's.
bool keeps_other_discipline(const Network& network, ReportOnce& report, const TimelineInfo& info, std::uint32_t record)
{
    const auto schema_of = [&](std::uint32_t index) -> std::string_view {
        return index == abi::kNone ? "std.prelude.Queue" : abi::record_layout(network.records[index].layout).schema;
    };
    for (const LinkSlice& links : info.links) {
        const LinkArray& row = network.links[links.row.value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (!(info.directions >> direction & 1)) continue;
            const std::string_view before = schema_of(row.discipline[direction]), after = schema_of(record);
            if (before == after) continue;
            report(Diag::fixed_attribute, info.span,
                   fmt::format("the queue of `{}` is a `{}`, and cannot become a `{}`", row.name,
                               before.substr(before.rfind('.') + 1), after.substr(after.rfind('.') + 1)))
                .also(row.span, "declared here")
                .help("the timeline changes the values of a queue's attributes");
            return true;
        }
    }
    return false;
}

// True: an error was reported, as a trace says the rate.
bool follows_trace(const Network& network, ReportOnce& report, const TimelineInfo& info)
{
    for (const LinkSlice& links : info.links) {
        const LinkArray& row = network.links[links.row.value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (!(info.directions >> direction & 1) || row.trace[direction] == abi::kNone) continue;
            report(Diag::fixed_attribute, info.span,
                   fmt::format("the rate of `{}` follows a trace, and cannot change otherwise", row.name))
                .also(row.span, "declared here");
            return true;
        }
    }
    return false;
}

// False: an error was reported.
bool action_targets(Elaboration& in, const ActionStatement& a, Frame& frame, TimelineInfo& info)
{
    const Value object = evaluate(in, a.object, frame);
    if (a.other) {
        const Value other = evaluate(in, a.other, frame);
        const NodeSet *left = object.as<NodeSet>(), *right = other.as<NodeSet>();
        if (!left || !right || left->empty() || right->empty()) return false;
        info.links = links_between(in, left->front(), right->front());
        if (!info.links.empty()) return true;
        in.report(Diag::unlinked_nodes, a.span, "no link joins these two nodes")
            .help("links take effect in the order of the text: those below are not meant");
        return false;
    }
    if (const NodeSet* nodes = object.as<NodeSet>()) info.nodes = *nodes;
    if (const WorkloadSet* workloads = object.as<WorkloadSet>()) info.workloads = *workloads;
    if (const LinkSet* links = object.as<LinkSet>())
        for (const LinkPart& part : links->parts) info.links.push_back(part.links);
    return !object.failed();
}

void action(Elaboration& in, const ActionStatement& a, TimelineInfo info, Frame& frame)
{
    info.attribute = a.attribute;
    info.span = a.span;
    info.directions = a.direction == LinkDirection::both ? 3 : a.direction == LinkDirection::up ? 1 : 2;
    if (!action_targets(in, a, frame, info)) return;
    for (const LinkSlice& links : info.links) {
        const LinkArray& row = in.network.links[links.row.value];
        if (!row.one_way || info.directions != 2) continue;
        in.report(Diag::one_way_link, a.span, "a one-way link carries nothing down").also(row.span, "declared here");
        return;
    }
    info.subject = subject_of(in.network, info);
    if (a.declared == abi::kNone && a.value) return change_workload(in, a, std::move(info), frame);
    if (a.declared == abi::kNone) {
        info.value = info.value_to = in.constant(a.on ? 1 : 0);
        in.network.timeline.push_back(std::move(info));
        return;
    }
    const Attribute& attribute = in.program.schema(in.program.link).attributes[a.declared];
    const auto evaluated = [&](ExprId id) -> Value {
        Value v = evaluate(in, id, frame);
        const Span place = in.program.expr(id).span;
        Frame none;
        if (!v.failed() &&
            !check_range(in, v, attribute.range, attribute.type, attribute.name, place, attribute.span, none, true))
            return {Failed{}};
        return v.failed() ? v : within(in, v, attribute.range, none, place);
    };
    const Value value = evaluated(a.value);
    const Value last = a.last ? evaluated(a.last) : value;
    if (value.failed() || last.failed()) return;
    if (const SchemaValue* queue = value.schema()) {
        info.value = info.value_to = number_of(in.program, *queue, "capacity");
        in.network.timeline.push_back(info);
        info.attribute = abi::TimelineAttribute::queue_packets;
        info.subject.clear();  // the row before says it
        info.value = info.value_to = number_of(in.program, *queue, "packets");
        in.network.timeline.push_back(info);
        const std::uint32_t record = record_of(in, *queue);
        if (keeps_other_discipline(in.network, in.report, info, record) || record == abi::kNone) return;
        info.attribute = abi::TimelineAttribute::discipline;
        info.value = info.value_to = in.constant(record);
        in.network.timeline.push_back(std::move(info));
        return;
    }
    if (a.attribute == abi::TimelineAttribute::rate && follows_trace(in.network, in.report, info)) return;
    const DistributionValue* drawn = value.as<DistributionValue>();
    const auto from = drawn ? std::nullopt : number_in(in.network.values, value),
               to = drawn ? std::nullopt : number_in(in.network.values, last);
    if (abi::is_impairment(a.attribute) && !a.last && (drawn || from)) {
        info.draw = drawn ? *drawn : DistributionValue{abi::DistributionKind::constant, *from, 0};
        info.value = info.value_to = in.constant(0);
        in.network.timeline.push_back(std::move(info));
        return;
    }
    if (!from || !to) return;
    info.value = *from;
    info.value_to = *to;
    if (a.attribute == abi::TimelineAttribute::cost && !in.network.values.as_constant(*from))
        return report_shape(in, *from, in.program.expr(a.value).span, "the cost of a link");
    in.network.timeline.push_back(std::move(info));
}

void requirement_at(Elaboration& in, const TimelineStatement& s, const Statement& at, ValueExprId time, Frame& frame)
{
    const auto fixed = in.network.values.as_constant(time);
    if (!fixed) return report_shape(in, time, at.span, "the time of a requirement");
    in.query_time = *fixed;
    in.required_times.emplace_back(*fixed, at.span);
    for (const auto& [requirement, span] : s.requirements) {
        const auto holds = number(in, requirement.condition, frame);
        if (!holds || in.network.values.as_constant(*holds).value_or(0) != 0) continue;
        const auto message = message_of(in, requirement, frame);
        if (message && in.network.values.as_constant(*holds) == 0.0) {
            auto failed = in.report(Diag::requirement_failed, span, *message);
            note_sides(in, failed, requirement.condition, frame);
        } else if (message)
            require(in, *holds, *message, span);
    }
    in.query_time = 0;
}

// `every ... as k`: what happens may be another thing each time, so that each is a moment of its own.
void numbered_times(Elaboration& in, const TimelineStatement& s, const Statement& at, Frame& frame, TimelineInfo info)
{
    if (!s.last && !in.run_at) {
        in.report(Diag::used_before_declaration, at.span, "how long the run is, is not known here yet")
            .help(
                "say until when, `every 15 s to 10 min as k { ... }`, or let the model's `run { ... }` stand above "
                "this instance");
        return;
    }
    if (!timeline_times(in, s, at, frame, info)) return;
    const ValuePool& pool = in.network.values;
    double times[3];
    const ValueExprId given[] = {info.first, info.step, s.last ? info.last : in.network.duration};
    for (int i = 0; i < 3; ++i) {
        const auto fixed = pool.as_constant(given[i]);
        if (!fixed) return report_shape(in, given[i], at.span, "how often this happens");
        times[i] = *fixed;
    }
    const auto [first, step, last] = times;
    const double times_more = std::floor((last - first) / step + 1e-9);  // as the emulator counts, abi::moments_of
    if (times_more < 0) return;
    if (times_more >= static_cast<double>(kMaxSteps)) {
        within_budget(in, kMaxSteps + 1, at.span, "it happens");
        return;
    }
    info.form = abi::TimelineForm::once;
    for (std::int64_t k = 0; k <= static_cast<std::int64_t>(times_more); ++k) {
        if (!anml::step(in, at)) return;
        frame.slots[s.number_slot] = {Number{in.constant(static_cast<double>(k))}};
        info.first = info.last = info.step = in.constant(first + static_cast<double>(k) * step);
        for (const ActionStatement& a : s.actions) action(in, a, info, frame);
        if (!s.requirements.empty()) requirement_at(in, s, at, info.first, frame);
    }
}

}  // namespace

void timeline(Elaboration& in, const TimelineStatement& s, const Statement& at, Frame& frame)
{
    TimelineInfo info;
    info.form = s.form;
    info.span = at.span;
    info.instance = in.report.path;
    if (s.number_slot != abi::kNone) return numbered_times(in, s, at, frame, std::move(info));
    if (!timeline_times(in, s, at, frame, info)) return;
    for (const ActionStatement& a : s.actions) action(in, a, info, frame);
    if (!s.requirements.empty()) requirement_at(in, s, at, info.first, frame);
}

// Links with one end at each of the two nodes, of those that were made so far.
std::vector<LinkSlice> links_between(Elaboration& in, const TargetRange& a, const TargetRange& b)
{
    for (; in.known_links < in.network.links.size(); ++in.known_links) {
        const LinkArray& link = in.network.links[in.known_links];
        for (const LinkEnd& end : link.end)
            in.links_at.add(end.row.value, end.first, end.stride != 0 ? link.count : 1, in.known_links);
    }
    const bool fewer = in.links_at.count(a.row.value, a.first) <= in.links_at.count(b.row.value, b.first);
    const TargetRange& node = fewer ? a : b;
    std::vector<std::uint32_t> rows;
    in.links_at.find(node.row.value, node.first, [&](std::uint32_t row) { rows.push_back(row); });
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<LinkSlice> found;
    for (const std::uint32_t row : rows) {
        const LinkArray& link = in.network.links[row];
        for (const auto& [left, right] : {std::pair(&a, &b), std::pair(&b, &a)}) {
            const LinkEnd &x = link.end[0], &y = link.end[1];
            if (x.row != left->row || y.row != right->row) continue;
            std::uint32_t first = 0, count = link.count;
            for (const auto& [end, node] : {std::pair(&x, left), std::pair(&y, right)}) {
                if (end->stride == 0) {
                    if (end->first != node->first) count = 0;
                    continue;
                }
                const std::uint32_t element = node->first - end->first;  // modulo 2^32
                if (element >= link.count || (count == 1 && element != first && link.count > 1)) count = 0;
                if (count == 0) break;
                first = element;
                count = 1;
            }
            if (count > 0) found.push_back({LinkRowId{row}, first, count});
        }
    }
    return found;
}

// What needs the run's duration and the routes' metric: where `every` ends, and what never happens or never counts.
void finish_timeline(Elaboration& in)
{
    ValuePool& pool = in.network.values;
    const double end = pool.evaluate(in.network.duration, in.tunable_defaults);
    const auto begins = [&](const TimelineInfo& info) { return pool.evaluate(info.first, in.tunable_defaults); };
    // What happens every so often and last at the end has happened before.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> before;
    const auto key = [](Span span) { return std::tuple(span.file.value, span.begin, span.end); };
    for (const TimelineInfo& info : in.network.timeline)
        if (begins(info) < end) before.insert(key(info.span));
    for (const auto& [time, span] : in.required_times)
        if (time < end) before.insert(key(span));
    const auto happens = [&](double time, Span span) {
        return time < end || (time == end && before.contains(key(span)));
    };
    std::set<double> late;  // reported
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> many;
    for (const TimelineInfo& info : in.network.timeline)
        if (!happens(begins(info), info.span)) many.insert(key(info.span));
    constexpr std::size_t kFewLate = 3;  // of more the run is too short
    if (many.size() > kFewLate)
        in.report(Diag::never_happens, in.run_at.value_or(Span{}),
                  fmt::format("the run ends at {}, and {} changes of the timeline come at its end or later",
                              format_quantity(end, dimension::time), many.size()));
    for (TimelineInfo& info : in.network.timeline) {
        if (info.last == abi::kNone) info.last = in.network.duration;
        in.report.path = info.instance;
        if (abi::is_impairment(info.attribute)) impair_at_rest(in, info);
        if (happens(begins(info), info.span)) continue;
        late.insert(begins(info));
        if (many.size() > kFewLate) continue;
        in.report(Diag::never_happens, info.span,
                  fmt::format("this would happen at {}, and the run ends at {}",
                              format_quantity(begins(info), dimension::time), format_quantity(end, dimension::time)));
    }
    in.report.path.clear();
    for (const auto& [time, span] : in.required_times)
        if (!happens(time, span) && !late.contains(time))
            in.report(Diag::never_happens, span,
                      fmt::format("this is asked for {}, and the run ends at {}",
                                  format_quantity(time, dimension::time), format_quantity(end, dimension::time)));
    const auto moments =
        abi::moments_of(static_cast<std::uint32_t>(in.network.timeline.size()), [&](std::uint32_t row) {
            const TimelineInfo& t = in.network.timeline[row];
            const auto time = [&](ValueExprId id) { return pool.evaluate(id, in.tunable_defaults); };
            return abi::TimelineTimes{t.form, time(t.first), time(t.last), time(t.step)};
        });
    if (!moments)
        in.report(Diag::timeline_too_long, in.network.timeline.back().span,
                  fmt::format("with this the timeline has more than {} moments", abi::kMostMoments));
}

}  // namespace anml
