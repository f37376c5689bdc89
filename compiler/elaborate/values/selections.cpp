// Members of instances; elements, slices and wildcards of arrays of nodes and instances; lists of nodes.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// What is chosen of so many, and not there. `of`: "an array", `empty`: one without elements.
std::string outside(const Expr& e, std::int64_t low, std::int64_t high, std::size_t size, std::string_view of,
                    std::string_view empty)
{
    const std::string chosen =
        e.kind == ExprKind::element ? fmt::format("index {}", low) : fmt::format("slice {} .. {}", low, high - 1);
    if (low > high) return chosen + " runs backwards";
    if (size == 0) return fmt::format("{} of {}", chosen, empty);
    return fmt::format("{} of {} of {}, whose last index is {}", chosen, of, size, size - 1);
}

// `pc[0 .. n]` of n.
void help_with_slice(const Elaboration& in, Diagnostics::Builder& said, const Expr& e, std::int64_t high,
                     std::int64_t size)
{
    if (e.kind != ExprKind::slice || e.index != 0 || high != size + 1) return;
    const auto operands = in.program.operands_of(e);
    const Span low = in.program.expr(operands[1]).span, top = in.program.expr(operands[2]).span;
    said.help("`..` includes its end, and `..<` does not").fix({low.file, low.end, top.begin}, " ..< ");
}

Value not_made(ReportOnce& report, const Expr& e, const Frame& inside)
{ return failed(report(Diag::absent_name, e.span, fmt::format("no `if` or loop made this in `{}`", inside.path))); }

// A parameter, or a port that is a value; of several instances a list.
Value port_value(Elaboration& in, const InstanceSet& set, const Expr& e)
{
    ListValue values;
    for (const auto& group : set.groups)
        for (const std::uint32_t index : group) {
            values.push_back(in.frames[index].slots[e.index]);
            if (values.back().failed() || (values.back().absent() && in.skipped)) return {Failed{}};
            if (values.back().absent()) return not_made(in.report, e, in.frames[index]);
        }
    const bool several = in.program.expr(in.program.operands_of(e)[0]).type.many ||
                         in.program.expr(in.program.operands_of(e)[0]).type.list;
    if (several) return {std::make_shared<const ListValue>(std::move(values))};
    return values.empty() ? Value{Failed{}} : std::move(values.front());
}

// Of what was chosen before, whatever it was chosen from.
Value select_flat(Elaboration& in, const Value& object, const Expr& e, std::int64_t low, std::int64_t high, Span place)
{
    if (e.kind == ExprKind::every) return object;
    if (object.as<std::shared_ptr<NumberedArray>>()) return select_flat(in, flat(object), e, low, high, place);
    const NodeSet* nodes = object.as<NodeSet>();
    const InstanceSet* instances = object.as<InstanceSet>();
    if (!nodes && !instances) return {Failed{}};
    static const NodeSet kNoNodes;
    static const InstanceSet kNoInstances;
    const auto& before = (nodes ? *nodes : kNoNodes).before();
    std::int64_t size = static_cast<std::int64_t>(before.back());
    NodeSet chosen;
    if (nodes && low >= 0) {
        const auto behind = static_cast<std::uint64_t>(high), first = static_cast<std::uint64_t>(low);
        std::size_t at =
            static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), first) - before.begin());
        for (; at < before.size() && before[at - 1] < behind; ++at) {
            const TargetRange& range = (*nodes)[at - 1];
            const std::uint64_t from = std::max(first, before[at - 1]), to = std::min(behind, before[at]);
            if (from < to)
                chosen.push_back({range.row, range.first + static_cast<std::uint32_t>(from - before[at - 1]),
                                  static_cast<std::uint32_t>(to - from)});
        }
    }
    InstanceSet found;
    for (const auto& group : (instances ? *instances : kNoInstances).groups)
        for (const std::uint32_t index : group) {
            if (size >= low && size < high) found.groups.push_back({index});
            ++size;
        }
    if (low >= 0 && high <= size && low <= high) return instances ? Value{std::move(found)} : Value{std::move(chosen)};
    const auto count = static_cast<std::size_t>(size);
    if (missing_element(in, e, place)) return {Failed{}};
    report_index(in, place, outside(e, low, high, count, "a selection", "an empty selection"), low, count);
    return {Failed{}};
}

// The first of the indices that are still to be given: of the parts, or of their elements.
Value select_links(Elaboration& in, const LinkSet& set, const Expr& e, std::int64_t low, std::int64_t high, Span place)
{
    const bool every = e.kind == ExprKind::every;
    LinkSet result;
    std::size_t groups = 0, hit = 0;  // instances, and those of them that have a link of such an index
    std::uint32_t group = abi::kNone, hit_group = abi::kNone;
    auto begin = set.parts.begin(), end = set.parts.end();
    if (set.ascending && !every) {
        const auto from = [&](std::int64_t index) {
            return std::partition_point(set.parts.begin(), set.parts.end(),
                                        [&](const LinkPart& part) { return part.last() < index; });
        };
        begin = from(low);
        end = std::partition_point(begin, set.parts.end(),
                                   [&](const LinkPart& part) { return part.indices.front() < std::max(low, high); });
        groups = begin == end && !set.parts.empty();
    }
    for (auto at = begin; at != end; ++at) {
        const LinkPart& part = *at;
        if (part.group != group) ++groups;
        group = part.group;
        LinkPart chosen = part;
        if (!part.indices.empty()) {
            const std::int64_t index = part.indices.front();
            if (!every && (part.last() < low || index >= high)) continue;
            if (part.run) {
                const std::int64_t first = every ? index : std::max(low, index),
                                   behind = every ? part.last() + 1 : std::min(high, part.last() + 1);
                chosen.links.first += static_cast<std::uint32_t>(first - index);
                chosen.links.count = static_cast<std::uint32_t>(behind - first);
                chosen.run = false;
            }
            chosen.indices.erase(chosen.indices.begin());
        } else if (!every) {
            if (low < 0 || high > part.links.count || low > high) continue;
            chosen.links.first += static_cast<std::uint32_t>(low);
            chosen.links.count = static_cast<std::uint32_t>(high - low);
        }
        if (group != hit_group) ++hit;
        hit_group = group;
        if (chosen.links.count > 0) result.add(std::move(chosen));
    }
    if (!every && (hit < groups || set.parts.empty()) && low < high) {
        if (in.skipped || in.link_missing || missing_element(in, e, place)) return {Failed{}};
        if (set.parts.empty())
            return failed(
                in.report(Diag::index_out_of_range, place, fmt::format("index {} where there are no links", low)));
        std::int64_t last = -1;
        for (const LinkPart& part : set.parts)
            last =
                std::max<std::int64_t>(last, part.indices.empty() ? part.links.count - std::int64_t{1} : part.last());
        const std::int64_t asked = e.kind == ExprKind::slice && low <= last ? std::max(high - 1, low) : low;
        auto said = in.report(Diag::index_out_of_range, place,
                              fmt::format("there is no link with index {}; the last one has {}", asked, last));
        help_with_slice(in, said, e, high, last + 1);
        return {Failed{}};
    }
    return {std::move(result)};
}

}  // namespace

const std::vector<std::uint64_t>& NodeSet::before() const
{
    if (before_.size() == size() + 1) return before_;
    before_.assign(1, 0);
    for (const TargetRange& range : *this) before_.push_back(before_.back() + range.count);
    return before_;
}

Value member(Elaboration& in, const Expr& e, Frame& frame)
{
    Value own;
    const Value& object = seen(in, in.program.operands_of(e)[0], frame, own);
    const InstanceSet* set = object.as<InstanceSet>();
    InstanceSet listed;
    if (const auto* list = object.as<std::shared_ptr<const ListValue>>()) {
        for (const Value& element : **list)
            if (const InstanceSet* one = element.as<InstanceSet>())
                listed.groups.insert(listed.groups.end(), one->groups.begin(), one->groups.end());
        set = &listed;
    }
    if (!set) return {Failed{}};
    if (!is_part(e.type)) return port_value(in, *set, e);
    NodeSet nodes;
    InstanceSet instances;
    LinkSet links;
    WorkloadSet workloads;
    std::uint32_t links_group = 0;
    bool numbered = false;  // arrays of arrays, or with gaps: each by itself
    for (const auto& group : set->groups) {
        for (std::uint32_t index : group) {
            const Frame& inner = in.frames[index];
            const Value& v = inner.slots[e.index];
            if (v.failed() || (v.absent() && in.skipped)) return {Failed{}};
            if (v.absent()) return not_made(in.report, e, inner);
            if (v.as<std::shared_ptr<NumberedArray>>()) numbered = true;
            if (const NodeSet* n = v.as<NodeSet>()) nodes.insert(nodes.end(), n->begin(), n->end());
            if (const InstanceSet* i = v.as<InstanceSet>())
                instances.groups.insert(instances.groups.end(), i->groups.begin(), i->groups.end());
            if (const LinkSet* l = v.as<LinkSet>()) {
                for (LinkPart part : l->parts) {
                    part.group = links_group;
                    links.add(std::move(part));
                }
                ++links_group;
            }
            if (const WorkloadSet* w = v.as<WorkloadSet>()) workloads.insert(workloads.end(), w->begin(), w->end());
        }
    }
    if (numbered) {
        std::vector<Value> pieces;
        for (const auto& group : set->groups)
            for (const std::uint32_t index : group) pieces.push_back(in.frames[index].slots[e.index]);
        return e.type.many ? together(std::move(pieces), true) : std::move(pieces.front());
    }
    if (e.type.keys && e.type.many && !e.type.array) nodes.keys = instances.keys = set->keys;
    if (e.type.keys && set->groups.size() == 1 && set->groups[0].size() == 1) {
        const Value& own = in.frames[set->groups[0][0]].slots[e.index];
        if (const NodeSet* n = own.as<NodeSet>()) nodes.keys = n->keys;
        if (const InstanceSet* i = own.as<InstanceSet>()) instances.keys = i->keys;
    }
    if (e.type.kind == TypeKind::node) return {std::move(nodes)};
    if (e.type.kind == TypeKind::link) return {std::move(links)};
    if (e.type.kind == TypeKind::workload) return {std::move(workloads)};
    return {std::move(instances)};
}

// A port of one instance, where it is without a copy; nothing where it is not that.
const Value* port_of_one(Elaboration& in, const Expr& e, Frame& frame)
{
    Value own;
    const InstanceSet* set = seen(in, in.program.operands_of(e)[0], frame, own).as<InstanceSet>();
    if (!set || set->groups.size() != 1 || set->groups[0].size() != 1) return nullptr;
    const Value& value = in.frames[set->groups[0][0]].slots[e.index];
    return value.as<NodeSet>() ? &value : nullptr;
}

Value node_list(Elaboration& in, const Expr& e, Frame& frame)
{
    NodeSet result;
    result.unnamed = in.program.operands_of(e).empty();
    for (ExprId operand : in.program.operands_of(e)) {
        const Value element = evaluate(in, operand, frame);
        const NodeSet* nodes = element.as<NodeSet>();
        if (!nodes) return {Failed{}};
        result.insert(result.end(), nodes->begin(), nodes->end());
    }
    return {std::move(result)};
}

Value select(Elaboration& in, const Expr& e, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    Value own;
    const Value& object = seen(in, operands[0], frame, own);
    if (object.failed()) return {Failed{}};
    if (const auto* list = object.as<std::shared_ptr<const ListValue>>()) return list_part(in, **list, e, frame);
    const bool of_list = in.program.expr(operands[0]).type.list;  // one element without brackets
    if (of_list) return list_part(in, {object}, e, frame);
    std::int64_t low = 0, high = 0;  // [low, high)
    Span place = e.span;
    const Type& type = in.program.expr(operands[0]).type;
    std::string asked;
    if (e.kind == ExprKind::element) {
        place = in.program.expr(operands[1]).span;
        const bool by_key = in.program.expr(operands[1]).type.kind == TypeKind::string;
        const auto keys = !by_key         ? nullptr
                          : is_flat(type) ? keys_in(in.program, object, type)
                                          : in.program.keys_of(type);
        const auto i = index(in, operands[1], keys.get(), frame, "an index");
        if (!i) return {Failed{}};
        low = *i;
        high = low + 1;
        if (by_key) asked = (*keys)[static_cast<std::size_t>(low)];
    } else if (e.kind == ExprKind::slice) {
        place = in.program.expr(operands[1]).span;
        place.end = in.program.expr(operands[2]).span.end;
        const auto a = shape(in, operands[1], frame, "a slice"), b = shape(in, operands[2], frame, "a slice");
        if (!a || !b) return {Failed{}};
        low = *a;
        high = e.index ? *b : *b + 1;
    }
    const std::string* const outer = std::exchange(in.asked_key, asked.empty() ? nullptr : &asked);
    Value chosen =
        is_flat(type) ? select_flat(in, object, e, low, high, place) : select_in(in, object, e, low, high, place);
    in.asked_key = outer;
    if (e.kind == ExprKind::every && e.type.keys && !e.type.array && !is_flat(type)) {
        const auto keys = keys_of_chosen(in.program, object, type);
        if (auto* nodes = std::get_if<NodeSet>(&chosen.form)) nodes->keys = keys;
        if (auto* instances = std::get_if<InstanceSet>(&chosen.form)) instances->keys = keys;
    }
    return chosen;
}

// Whether what is chosen from is an array that loops of the same body make.
bool grows(Elaboration& in, const Expr& e)
{
    const Expr& array = in.program.expr(in.program.operands_of(e)[0]);
    return array.kind == ExprKind::local && in.component &&
           std::any_of(in.component->numbered.begin(), in.component->numbered.end(),
                       [&](const Member& m) { return m.slot == array.index; });
}

bool missing_element(Elaboration& in, const Expr& e, Span place)
{
    if (!in.asked_key) return false;
    auto said = in.report(Diag::absent_name, place,
                          fmt::format("no loop or `if` made the element of the key \"{}\"", *in.asked_key));
    if (!in.report.rounds.empty() && grows(in, e))
        said.help("the elements of later rounds are not made yet: name them in a loop behind this one");
    return true;
}

Value select_in(Elaboration& in, const Value& object, const Expr& e, std::int64_t low, std::int64_t high, Span place)
{
    if (const auto* numbered = object.as<std::shared_ptr<NumberedArray>>())
        return select_numbered(in, **numbered, e, low, high, place);
    const auto fits = [&](std::size_t size) {
        if (e.kind == ExprKind::every) {
            low = 0;
            high = static_cast<std::int64_t>(size);
            return true;
        }
        if (low >= 0 && high <= static_cast<std::int64_t>(size) && low <= high) return true;
        if ((in.skipped && grows(in, e)) || missing_element(in, e, place)) return false;
        report_index(in, place, outside(e, low, high, size, "an array", "an array without elements"), low, size,
                     grows(in, e));
        return false;
    };
    if (const NodeSet* nodes = object.as<NodeSet>()) {
        NodeSet result;
        for (const TargetRange& range : *nodes) {
            if (!fits(range.count)) return {Failed{}};
            if (high > low)
                result.push_back(
                    {range.row, range.first + static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high - low)});
        }
        if (nodes->empty() && e.kind == ExprKind::element && !fits(0)) return {Failed{}};
        return {std::move(result)};
    }
    if (const LinkSet* links = object.as<LinkSet>()) return select_links(in, *links, e, low, high, place);
    if (const WorkloadSet* workloads = object.as<WorkloadSet>()) {
        if (!fits(workloads->size())) return {Failed{}};
        return {WorkloadSet(workloads->begin() + low, workloads->begin() + high)};
    }
    const InstanceSet* set = object.as<InstanceSet>();
    if (!set) return {Failed{}};
    InstanceSet result;
    for (const auto& group : set->groups) {
        if (!fits(group.size())) return {Failed{}};
        for (std::int64_t i = low; i < high; ++i) result.groups.push_back({group[static_cast<std::size_t>(i)]});
    }
    return {std::move(result)};
}

}  // namespace anml
