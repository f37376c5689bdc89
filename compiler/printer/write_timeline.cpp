// The timeline, and requirements: those of a moment stand in it.
#include <fmt/format.h>

#include "printer/program_writer.h"

namespace anml {

namespace {

// "at 30 s", "every 10 s from 5 s to 60 s"
std::string when(ProgramWriter& in, const TimelineInfo& info)
{
    const auto time = [&](ValueExprId id) { return in.values.number(id, dimension::time); };
    switch (info.form) {
        case abi::TimelineForm::once:
            return fmt::format("at {}", time(info.first));
        case abi::TimelineForm::every:
            return fmt::format("every {}{}{}", time(info.step),
                               info.first == info.step ? "" : " from " + time(info.first),
                               info.last == in.network.duration ? "" : " to " + time(info.last));
        case abi::TimelineForm::interval:
            return fmt::format("from {} to {}", time(info.first), time(info.last));
        case abi::TimelineForm::ramp:
            return fmt::format("ramp from {} to {} every {}", time(info.first), time(info.last), time(info.step));
    }
    return "";
}

// Of one row, which may take the next ones with it.
std::string actions(ProgramWriter& in, std::size_t& row)
{
    using Attribute = abi::TimelineAttribute;
    const TimelineInfo& info = in.network.timeline[row++];
    std::vector<std::string> subjects;
    for (const LinkSlice& slice : info.links) {
        const LinkArray& link = in.network.links[slice.row.value];
        subjects.push_back(written_link_name(in.network, slice.row.value) +
                           elements(link.is_array, link.count, slice.first, slice.count));
    }
    for (const TargetRange& range : info.nodes) subjects.push_back(node_selection(in.network, {range}));
    for (const std::uint32_t w : info.workloads) subjects.push_back(quoted_name(in.network.workloads[w].name));

    const bool on = in.network.values.as_constant(info.value) == 1.0;
    std::string change;
    const auto number = [&](Dimension d) {
        change = in.values.number(info.value, d);
        if (info.form == abi::TimelineForm::ramp) change += " .. " + in.values.number(info.value_to, d);
    };
    switch (info.attribute) {
        case Attribute::up:
            change = on ? "up" : "down";
            break;
        case Attribute::active:
            change = on ? "on" : "off";
            break;
        case Attribute::share:
        case Attribute::load:
            number(dimension::none);
            break;
        case Attribute::rate:
        case Attribute::sending_rate:
            number(dimension::rate);
            break;
        case Attribute::delay:
            number(dimension::time);
            break;
        case Attribute::cost:
            number(dimension::none);
            break;
        case Attribute::queue: {  // the packets follow, and what there is besides
            const ValueExprId packets = in.network.timeline[row++].value;
            const bool more = row < in.network.timeline.size() && in.network.timeline[row].subject.empty();
            const std::uint32_t discipline = more ? record_index(in.network, in.network.timeline[row++]) : abi::kNone;
            change = queue(in, info.value, packets, discipline);
            break;
        }
        case Attribute::queue_packets:
        case Attribute::discipline:
            in.fail("a change of a queue's packets without one of its bytes");
            break;
        default: {  // an impairment
            const abi::FieldKind kind = abi::impairment_field(info.attribute).kind;
            if (kind == abi::FieldKind::truth)
                change = in.values.condition(info.draw.a);
            else if (info.form == abi::TimelineForm::ramp)
                number(dimension_of(kind));
            else
                change = in.values.drawn(info.draw, dimension_of(kind));
            break;
        }
    }
    if (info.attribute != Attribute::up && info.attribute != Attribute::active) {
        change = fmt::format("{} = {}", abi::timeline_attribute_name(info.attribute), change);
        if (info.directions != 3) change = fmt::format("{} {{ {} }}", info.directions == 1 ? "up" : "down", change);
        change = fmt::format("{{ {} }}", change);
    }
    std::string text;
    for (const std::string& subject : subjects) text += fmt::format("{} {}\n", subject, change);
    return text;
}

// Of the paths that it asks for; all are of one moment.
double time_of(const Network& network, ValueExprId condition)
{
    std::vector<ValueExprId> todo{condition};
    std::set<ValueExprId> seen;
    while (!todo.empty()) {
        const ValueExprId id = todo.back();
        todo.pop_back();
        if (!seen.insert(id).second) continue;
        const ValueNode& n = network.values.node(id);
        if (n.op == ValueOp::tunable && n.a >= network.tunables.size() && n.a < kFirstMeasure)
            return network.queries[n.a - network.tunables.size()].time;
        const ValueExprId operands[] = {n.a, n.b, n.c};
        for (int i = 0; i < operand_count(n.op); ++i) todo.push_back(operands[i]);
    }
    return 0;
}

}  // namespace

void timeline(ProgramWriter& in)
{
    const auto& rows = in.network.timeline;
    for (std::size_t row = 0; row < rows.size();) {
        const TimelineInfo& first = rows[row];
        const auto together = [&](const TimelineInfo& t) {
            return t.form == first.form && t.first == first.first && t.last == first.last && t.step == first.step;
        };
        const std::string head = when(in, first);
        std::string text;
        while (row < rows.size() && together(rows[row])) text += actions(in, row);
        in.out += fmt::format("\n{} {{\n{}}}\n", head, text);
    }
}

// `of_moments`: those too that stand in the timeline.
void requirements(ProgramWriter& in, bool of_moments)
{
    bool first = true;
    for (const RequirementInfo& r : in.network.requirements) {
        const double time = time_of(in.network, r.holds);
        if (r.implied || (time != 0 && !of_moments)) continue;
        if (first) in.out += "\n";
        first = false;
        const std::string text =
            fmt::format("require {} else {}", in.values.condition(r.holds), string_literal(r.message));
        if (time == 0)
            in.out += text + "\n";
        else
            in.out += fmt::format("at {} {{ {} }}\n", exact_quantity(time, dimension::time), text);
    }
}

}  // namespace anml
