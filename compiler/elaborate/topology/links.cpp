// Links: a row for each pair of ranges that their ends select. One selection makes a link per element, two are paired
// in order.
#include <fmt/format.h>

#include <array>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

constexpr std::uint32_t kMaxDirectedLinks = 1u << 30;

// Each element by itself.
NodeSet singles(const NodeSet& set)
{
    NodeSet result;
    for (const TargetRange& range : set)
        for (std::uint32_t i = 0; i < range.count; ++i) result.push_back({range.row, range.first + i, 1});
    return result;
}

// "a--b" from the ends, relative to the instance; a second one is "a--b#2".
std::string unnamed(Elaboration& in, const TargetRange& left, const TargetRange& right, bool is_array)
{
    const auto end_name = [&](const TargetRange& range) {
        const NodeArray& group = in.network.nodes[range.row.value];
        std::string_view name = group.name;
        if (!in.report.path.empty() && name.starts_with(in.report.path + "."))
            name.remove_prefix(in.report.path.size() + 1);
        const bool whole = is_array && range.count > 1;
        return group.is_array && !whole ? element_of_array(name, group.keys.get(), range.first) : std::string(name);
    };
    const std::string name = in.report.path_of(fmt::format("{}--{}", end_name(left), end_name(right)));
    const unsigned seen = ++*in.unnamed.try_emplace(name, 0).first;
    return seen == 1 ? name : fmt::format("{}#{}", name, seen);
}

// Of a link without a name, whose elements are called as those of the array that it has some of.
std::shared_ptr<const KeySet> keys_of_part(const NodeArray& of, const TargetRange& part)
{
    auto keys = std::make_shared<KeySet>("this array");
    for (std::uint32_t i = part.first; i < part.first + part.count; ++i)
        keys->add(of.keys ? (*of.keys)[i] : fmt::format("{}", i));
    return keys;
}

void link_row(Elaboration& in, std::string name, bool is_array, std::shared_ptr<const KeySet> keys, std::uint32_t count,
              const LinkEnd& left, const LinkEnd& right, const SchemaValue& attributes, bool one_way, Span span)
{
    if (!claim(in, name, span)) return;
    if (count > (kMaxDirectedLinks - in.network.directed_links) / 2) {
        in.report(Diag::network_too_large, span,
                  fmt::format("with this the network has more than {} links", kMaxDirectedLinks / 2));
        return;
    }
    if (left.row == right.row) {
        for (std::uint32_t i = 0; i < count; ++i) {
            if (left.first + i * left.stride != right.first + i * right.stride) continue;
            const NodeArray& group = in.network.nodes[left.row.value];
            in.report(Diag::link_to_self, span,
                      fmt::format("`{}` is linked with itself", group.element_name(left.first + i * left.stride)));
            return;
        }
    }
    const SchemaValue* const directions[] = {&attributes, one_way ? &attributes : &attributes.downwards()};
    for (const std::string_view name : {"mtu", "overhead", "wired", "transparent"}) {
        if (number_of(in.program, *directions[0], name) == number_of(in.program, *directions[1], name)) continue;
        in.report(Diag::symmetric_attribute, span, fmt::format("`{}` comes out different in the two directions", name));
        return;
    }
    const auto* relation = attribute_of(in.program, attributes, "relation").as<EnumValue>();
    if (const auto* back = attribute_of(in.program, *directions[1], "relation").as<EnumValue>();
        relation && back && relation->ordinal != back->ordinal)
        in.report(Diag::symmetric_attribute, span, "`relation` comes out different in the two directions");
    LinkArray& link = in.network.links.emplace_back();
    if (relation) link.relation = static_cast<AsRelation>(relation->ordinal);
    link.name = std::move(name);
    link.is_array = is_array;
    if (is_array) link.keys = std::move(keys);
    link.one_way = one_way;
    // What the shape of the network depends on may not depend on tunables.
    const auto fixed = [&](const SchemaValue& from, const char* name, const char* what) {
        const ValueExprId number = number_of(in.program, from, name);
        const std::optional<double> value = in.network.values.as_constant(number);
        if (!value) report_shape(in, number, span, what);
        return value;
    };
#define ANML_LINK_TRUTH(name, what) link.name = fixed(attributes, #name, what).value_or(0) != 0;
#include "base/link_attributes.def"
    link.count = count;
    link.first_link = in.network.directed_links;
    link.end[0] = left;
    link.end[1] = right;
    link.span = span;
    for (int direction = 0; direction < 2; ++direction) {
        const SchemaValue& one = *directions[direction];
        const SchemaValue* queue = attribute_of(in.program, one, "queue").schema();
        link.rate[direction] = number_of(in.program, one, "rate");
        link.delay[direction] = number_of(in.program, one, "delay");
        if (const TraceValue* trace = attribute_of(in.program, one, "rate").as<TraceValue>())
            link.trace[direction] = trace->index;
        link.impairment[direction] = impairment_of(in, one, static_cast<std::uint32_t>(in.network.links.size() - 1),
                                                   static_cast<std::uint32_t>(direction));
#define ANML_LINK_NUMBER(name, type, usual, least, most, what) \
    link.name[direction] = static_cast<type>(fixed(one, #name, what).value_or(usual));
#include "base/link_attributes.def"
        link.queue[direction] = queue ? number_of(in.program, *queue, "capacity") : in.constant(0);
        link.queue_packets[direction] = queue ? number_of(in.program, *queue, "packets") : in.constant(0);
        if (queue) link.discipline[direction] = record_of(in, *queue);
        if (link.discipline[direction] != abi::kNone && link.trace[direction] != abi::kNone)
            in.report(Diag::traced_discipline, span,
                      fmt::format("`{}` follows a trace, and its queue is a `{}`", link.name,
                                  in.program.schema(queue->schema).name))
                .help("what waits for a trace is first in, first out: give it a `droptail` queue");
        if (on_air(in.network, link)) queue_on_air(in.network, in.report, link, direction);
    }
    link.mtu = number_of(in.program, attributes, "mtu");
    link.overhead = number_of(in.program, attributes, "overhead");
    in.network.directed_links += 2 * count;
}

}  // namespace

void link(Elaboration& in, const LinkStatement& s, const Statement& at, Frame& frame)
{
    if (s.slot != abi::kNone && frame.slots[s.slot].absent()) frame.slots[s.slot] = {Failed{}};
    const Value left_value = evaluate(in, s.left, frame), right_value = evaluate(in, s.right, frame);
    ExprId profile_expr = s.profile;
    Frame* profile_frame = &frame;
    for (const ActiveOverride& o : overrides_of(in, s.name))
        if (o.override->profile) profile_expr = o.override->profile, profile_frame = o.frame;
    const auto attributes_of_link = [&]() -> std::shared_ptr<const SchemaValue> {
        std::shared_ptr<const SchemaValue> result;
        if (const auto fixed = profile_expr ? module_profile(in, profile_expr) : nullptr) {
            result = s.attributes.empty()
                         ? fixed
                         : schema_value(in, s.schema, s.attributes, frame, fixed.get(), at.span, "the link");
        } else if (profile_expr) {
            const Value profile = evaluate(in, profile_expr, *profile_frame);
            if (!profile.schema()) return nullptr;
            result = schema_value(in, s.schema, s.attributes, frame, profile.schema(), at.span, "the link");
        } else {
            result = schema_value(in, in.program.link, s.attributes, frame, nullptr, at.span, "the link");
        }
        return overridden(in, s.name, std::move(result), "the link");
    };
    // Links whose attributes ask for `index` or `key` are made one by one, and joined where they come out alike.
    const bool each = s.index_slot != abi::kNone || s.key_slot != abi::kNone;
    const std::shared_ptr<const SchemaValue> attributes = each ? nullptr : attributes_of_link();
    if (!each && !attributes) return;
    const NodeSet *left = left_value.as<NodeSet>(), *right = right_value.as<NodeSet>();
    if (!left || !right) return;

    const auto given = numbers(in, s.numbers, s.name, frame);
    if (!given) return;
    const std::vector<std::int64_t>& indices = *given;
    const std::string name = bracketed(in.program, s.name, indices, s.keys);
    LinkSet* named = nullptr;  // what the name means
    if (s.slot != abi::kNone) {
        named = std::get_if<LinkSet>(&frame.slots[s.slot].form);
        if (!named) named = &frame.slots[s.slot].form.emplace<LinkSet>();
    }
    const Expr &left_expr = in.program.expr(s.left), &right_expr = in.program.expr(s.right);
    const bool left_many = left_expr.type.many, right_many = right_expr.type.many;
    // What an array consists of that was made piece by piece is no array of arrays.
    const NodeSet& driver = left_many || !right_many ? *left : *right;
    const Selection selection = selection_of(in.program, left_many || !right_many ? s.left : s.right);
    // Of the elements that are linked; of an array that is whole those of its type.
    const std::shared_ptr<const KeySet> keys = keys_in(in.program, left_many || !right_many ? left_value : right_value,
                                                       left_many || !right_many ? left_expr.type : right_expr.type),
                                        all_keys = in.program.keys_of(left_many || !right_many ? left_expr.type
                                                                                               : right_expr.type);
    const auto place = [&](std::size_t k) {
        return static_cast<std::int64_t>(keys && keys != all_keys ? all_keys->find((*keys)[k]).value_or(0) : k);
    };
    bool alike = (!selection.nodes || selection.instances || driver.size() < 2) && keys == all_keys;
    // and both ends choose as many of as many
    if (left_many && right_many) {
        alike = alike && left->size() == right->size();
        for (std::size_t i = 0; alike && i < left->size(); ++i) alike = (*left)[i].count == (*right)[i].count;
        const std::uint64_t a = size_of(*left), b = size_of(*right);
        if (a != b) {
            in.report(Diag::shape_mismatch, at.span,
                      fmt::format("the ends of the link choose {} and {} elements, which cannot be paired", a, b))
                .also(left_expr.span, fmt::format("{} elements", a))
                .also(right_expr.span, fmt::format("{} elements", b))
                .help("pairs need equally many; a link from each to each needs a `for`");
            return;
        }
    }
    if ((left->empty() && !left_many) || (right->empty() && !right_many)) return;
    if (!alike || each) {  // pair by pair
        if (!within_budget(in, size_of(driver), at.span,
                           each ? "the link's attributes are worked out" : "nodes are paired one by one"))
            return;
        const bool nested = each && selection.instances && selection.nodes;  // the nodes of each instance are counted
        const Expr& chosen = left_many || !right_many ? left_expr : right_expr;
        const Type counted = !nested                          ? chosen.type
                             : chosen.kind == ExprKind::every ? in.program.expr(in.program.operands_of(chosen)[0]).type
                                                              : Type{};
        const std::array<std::uint32_t, 2> sets{nested ? abi::kNone : in.program.keys_index(counted),
                                                nested ? in.program.keys_index(counted) : abi::kNone};
        const KeySet* own_keys = nested ? in.program.keys_of(counted).get() : keys.get();
        const NodeSet lefts = singles(*left), rights = singles(*right);
        std::size_t range = 0, of_range = 0;
        for (std::size_t k = 0; k < size_of(driver); ++k, ++of_range) {
            while (of_range == driver[range].count) ++range, of_range = 0;
            const TargetRange &a = lefts[left_many ? k : 0], &b = rights[right_many ? k : 0];
            const auto number = static_cast<std::int64_t>(nested ? of_range : k);
            std::vector<std::int64_t> own{nested ? number : place(k)};
            if (nested) own.insert(own.begin(), static_cast<std::int64_t>(range));
            set_index(in, s.index_slot, s.key_slot, own, sets, frame);
            const auto values = each ? attributes_of_link() : attributes;
            if (!values) return;
            const std::string base = nested ? element_of_array(name, nullptr, own.front()) : name;
            const std::size_t rows = in.network.links.size();
            link_row(
                in,
                name.empty() ? unnamed(in, a, b, false) : in.report.path_of(element_of_array(base, own_keys, number)),
                false, nullptr, 1, {a.row, a.first, 0}, {b.row, b.first, 0}, *values, s.one_way, at.span);
            if (!named || in.network.links.size() == rows) continue;
            if (each && alike && !keys && !nested && indices.empty() && joins_links(in, s, frame, number, at.span)) {
                named->extend_last();
                continue;
            }
            LinkPart part{{LinkRowId{rows}, 0, 1}, indices};
            part.indices.insert(part.indices.end(), own.begin(), own.end());
            named->add(std::move(part));
        }
        return;
    }
    // Links of a whole array of nodes have its keys, also where it is one of those of several instances.
    const Expr& driven = left_many || !right_many ? left_expr : right_expr;
    const bool all = driven.type.keys || (driven.kind == ExprKind::every &&
                                          in.program.expr(in.program.operands_of(driven)[0]).type.array > 0);
    // A `let` may stand for one selection, a list hold several.
    const bool numbered = selection.instances && (selection.nodes || driver.size() != 1 || driver[0].count == 1);
    for (std::size_t k = 0; k < driver.size(); ++k) {
        const TargetRange& a = (*left)[left_many ? k : 0];
        const TargetRange& b = (*right)[right_many ? k : 0];
        const std::uint32_t count = driver[k].count;
        const bool is_array = selection.nodes || count > 1;
        std::string row_name =
            name.empty()
                ? unnamed(in, a, b, is_array)
                : in.report.path_of(numbered ? element_of_array(name, keys.get(), static_cast<std::int64_t>(k)) : name);
        const std::size_t rows = in.network.links.size();
        const NodeArray& of = in.network.nodes[driver[k].row.value];
        const bool whole = all && of.is_array && driver[k].first == 0 && count == of.count;
        const bool some = name.empty() && is_array && of.is_array && !whole && (of.keys || driver[k].first != 0);
        link_row(in, std::move(row_name), is_array,
                 whole  ? of.keys
                 : some ? keys_of_part(of, driver[k])
                        : nullptr,
                 count,
                 {a.row, a.first, left_many && count > 1}, {b.row, b.first, right_many && count > 1}, *attributes,
                 s.one_way, at.span);
        if (in.network.links.size() == rows) continue;
        const bool keyed = !s.keys.empty() && s.keys.front() != abi::kNone;
        const bool single = indices.size() == 1 && !keyed && !left_many && !right_many;
        if (single && joins_links(in, s, frame, indices.front(), at.span)) {
            if (named) named->extend_last();
            continue;
        }
        if (!named) continue;
        LinkPart part{{LinkRowId{rows}, 0, count}, indices};
        if (numbered) part.indices.push_back(static_cast<std::int64_t>(k));
        named->add(std::move(part));
    }
}

// Links that follow the same trace share it.
Value trace(Network& network, const LinkTrace& trace)
{
    std::uint32_t index = 0;
    for (; index < network.traces.size(); ++index)
        if (network.traces[index].opportunities == trace.opportunities) break;
    if (index == network.traces.size()) network.traces.push_back({trace.name, trace.opportunities, trace.path});
    return {TraceValue{index, network.values.constant(mean_rate(*trace.opportunities))}};
}

}  // namespace anml
