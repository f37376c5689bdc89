// Arrays whose elements are made one by one, by loops or by several counts: `pc[i]` in a loop, `sat[8][11]`. Those that
// come out as numbers from 0 on of one kind stay an ordinary array.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

std::int64_t elements_in(const Value& value)
{
    if (const NodeSet* nodes = value.as<NodeSet>()) return nodes->empty() ? 0 : nodes->front().count;
    if (const InstanceSet* instances = value.as<InstanceSet>())
        return static_cast<std::int64_t>(instances->groups.front().size());
    if (const WorkloadSet* workloads = value.as<WorkloadSet>()) return static_cast<std::int64_t>(workloads->size());
    return 0;
}

Value none_of(TypeKind kind)
{
    if (kind == TypeKind::instance) return {InstanceSet{{{}}}};
    if (kind == TypeKind::workload) return {WorkloadSet{}};
    return {NodeSet{}};
}

Value none_like(const Value& element)
{
    return none_of(element.as<InstanceSet>()   ? TypeKind::instance
                   : element.as<WorkloadSet>() ? TypeKind::workload
                                               : TypeKind::node);
}

// Behind the elements of an ordinary array. False: it is of another row.
bool append(Value& array, const Value& element)
{
    if (auto* nodes = std::get_if<NodeSet>(&array.form)) {
        const TargetRange& next = element.as<NodeSet>()->front();
        if (nodes->empty()) return *nodes = {next}, true;
        TargetRange& last = nodes->front();
        if (last.row != next.row || last.first + last.count != next.first) return false;
        last.count += next.count;
    } else if (auto* instances = std::get_if<InstanceSet>(&array.form)) {
        instances->groups.front().push_back(element.as<InstanceSet>()->groups.front().front());
    } else {
        std::get<WorkloadSet>(array.form).push_back(element.as<WorkloadSet>()->front());
    }
    return true;
}

// Elements [first, first + count) of an ordinary array, as chosen ones.
Value part(const Value& array, std::int64_t first, std::int64_t count)
{
    const auto begin = static_cast<std::uint32_t>(first), size = static_cast<std::uint32_t>(count);
    if (const NodeSet* nodes = array.as<NodeSet>())
        return {NodeSet{{nodes->front().row, nodes->front().first + begin, size}}};
    if (const WorkloadSet* workloads = array.as<WorkloadSet>())
        return {WorkloadSet(workloads->begin() + begin, workloads->begin() + begin + size)};
    InstanceSet result;
    for (std::uint32_t i = begin; i < begin + size; ++i)
        result.groups.push_back({array.as<InstanceSet>()->groups.front()[i]});
    return {std::move(result)};
}

}  // namespace

NumberedArray::Entries::const_iterator NumberedArray::find(std::int64_t number) const
{
    const auto behind = entries.upper_bound(number);
    return behind == entries.begin() ? entries.end() : std::prev(behind);
}

std::optional<std::vector<std::int64_t>> numbers(Elaboration& in, const std::vector<ExprId>& ids, std::string_view name,
                                                 Frame& frame)
{
    std::vector<std::int64_t> result;
    for (const ExprId id : ids) {
        const auto number = index(in, id, in.program.keys_of(in.program.expr(id).type).get(), frame,
                                  fmt::format("an index of `{}`", name));
        if (!number) return std::nullopt;
        if (*number < 0) {
            in.report(Diag::out_of_range, in.program.expr(id).span,
                      fmt::format("an index of `{}` is {}", name, *number))
                .help("indices are 0 or more");
            return std::nullopt;
        }
        result.push_back(*number);
    }
    return result;
}

std::optional<Dimensions> dimensions(Elaboration& in, const Brackets& brackets, std::string_view name, Frame& frame)
{
    auto own = numbers(in, brackets.numbers, name, frame);
    if (!own) return std::nullopt;
    Dimensions result{std::move(*own), {}};
    for (const ExprId id : brackets.counts) {
        if (const Type& type = in.program.expr(id).type; type.list) {
            const auto keys = in.program.keys_of(type);
            if (!keys) return std::nullopt;
            result.counts.push_back(static_cast<std::int64_t>(keys->size()));
            continue;
        }
        const auto count = shape(in, id, frame, fmt::format("the count of `{}`", name));
        if (!count) return std::nullopt;
        if (*count < 0) {
            in.report(Diag::out_of_range, in.program.expr(id).span,
                      fmt::format("`{}` cannot have {} elements", name, *count));
            return std::nullopt;
        }
        result.counts.push_back(*count);
    }
    return result;
}

std::optional<std::uint64_t> product(std::span<const std::int64_t> counts, std::uint64_t most)
{
    std::uint64_t result = 1;
    for (const std::int64_t count : counts) {
        const auto factor = static_cast<std::uint64_t>(count);
        if (factor != 0 && result > most / factor) return std::nullopt;  // the product itself may not fit 64 bits
        result *= factor;
    }
    return result;
}

void place_at(std::uint64_t i, std::span<const std::int64_t> counts, std::vector<std::int64_t>& numbers)
{
    const std::size_t first = numbers.size();
    numbers.resize(first + counts.size());
    for (std::size_t k = counts.size(); k-- > 0; i /= static_cast<std::uint64_t>(counts[k]))
        numbers[first + k] = static_cast<std::int64_t>(i % static_cast<std::uint64_t>(counts[k]));
}

void empty_arrays(const Component& component, Frame& frame)
{
    for (const Member& m : component.numbered) frame.slots[m.slot] = none_of(m.type.kind);
}

const Value* innermost(const Value& array, std::span<const std::int64_t> numbers)
{
    const Value* at = &array;
    for (const std::int64_t number : numbers.first(numbers.size() - 1)) {
        const auto* numbered = at->as<std::shared_ptr<NumberedArray>>();
        if (!numbered) return nullptr;
        const auto entry = (*numbered)->entries.find(number);
        if (entry == (*numbered)->entries.end()) return nullptr;
        at = &entry->second;
    }
    return at;
}

bool add_element(Value& array, std::span<const std::int64_t> numbers, Value element, bool whole)
{
    const std::int64_t number = numbers.front();
    const bool last = numbers.size() == 1, of_elements = last && !whole;
    if (array.failed()) return true;
    if (array.absent()) array = none_like(element);
    if (!array.as<std::shared_ptr<NumberedArray>>()) {
        const std::int64_t known = elements_in(array);
        if (of_elements && number < known) return false;
        if (of_elements && number == known && append(array, element)) return true;
        auto made = std::make_shared<NumberedArray>();
        made->of_elements = of_elements;
        made->elements = static_cast<std::size_t>(known);
        if (known > 0) made->entries.emplace(0, std::move(array));
        array.form = std::move(made);
    }
    NumberedArray& numbered = *std::get<std::shared_ptr<NumberedArray>>(array.form);
    auto& entries = numbered.entries;
    const auto behind = entries.upper_bound(number);
    if (behind != entries.begin()) {
        const auto before = std::prev(behind);
        if (!last && before->first == number)
            return add_element(before->second, numbers.subspan(1), std::move(element), whole);
        const std::int64_t next = before->first + (of_elements ? elements_in(before->second) : 1);
        if (number < next) return false;
        if (of_elements && number == next && append(before->second, element)) {
            ++numbered.elements;
            return true;
        }
    }
    numbered.elements += of_elements;
    const auto fresh = entries.emplace_hint(behind, number, last ? std::move(element) : none_like(element));
    return last || add_element(fresh->second, numbers.subspan(1), std::move(element), whole);
}

void add_numbered(const CheckedProgram& program, ReportOnce& report, Value& array,
                  std::span<const std::int64_t> numbers, Value element, bool whole, std::string_view name,
                  std::span<const std::uint32_t> keys, Span place)
{
    if (add_element(array, numbers, std::move(element), whole)) return;
    report(Diag::duplicate_name, place,
           fmt::format("`{}` is made twice", report.path_of(bracketed(program, name, numbers, keys))))
        .help("each round of a loop needs an index of its own");
}

std::string bracketed(const CheckedProgram& program, std::string_view name, std::span<const std::int64_t> numbers,
                      std::span<const std::uint32_t> keys)
{
    std::string result{name};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const KeySet* set = i < keys.size() && keys[i] != abi::kNone ? program.key_sets[keys[i]].get() : nullptr;
        result += element_of_array("", set, numbers[i]);
    }
    return result;
}

// `index` and `key`: of several counts lists.
void set_index(Elaboration& in, std::uint32_t slot, std::uint32_t key_slot, std::span<const std::int64_t> place,
               std::span<const std::uint32_t> keys, Frame& frame)
{
    const auto set = [&](std::uint32_t slot, ListValue values) {
        if (slot != abi::kNone)
            frame.slots[slot] =
                values.size() == 1 ? values.front() : Value{std::make_shared<ListValue>(std::move(values))};
    };
    if (slot == abi::kNone && key_slot == abi::kNone) return;
    ListValue numbers, names;
    for (std::size_t i = 0; i < place.size(); ++i) {
        numbers.push_back(number_or_key(in.network.values, nullptr, place[i]));
        if (i < keys.size() && keys[i] != abi::kNone)
            names.push_back(number_or_key(in.network.values, in.program.key_sets[keys[i]].get(), place[i]));
    }
    set(slot, std::move(numbers));
    set(key_slot, std::move(names));
}

Value together(std::vector<Value> values, bool arrays)
{
    if (arrays) {
        auto result = std::make_shared<NumberedArray>();
        result->chosen = true;
        for (Value& value : values) {
            const auto* inner = value.as<std::shared_ptr<NumberedArray>>();
            auto& entries = result->entries;
            const auto put = [&](Value one) {
                entries.emplace_hint(entries.end(), static_cast<std::int64_t>(entries.size()), std::move(one));
            };
            if (inner && (*inner)->chosen)
                for (const auto& [number, one] : (*inner)->entries) put(one);
            else
                put(std::move(value));
        }
        return {std::move(result)};
    }
    Value result = values.empty() ? Value{NodeSet{}} : std::move(values.front());
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (auto* nodes = std::get_if<NodeSet>(&result.form)) {
            const NodeSet& more = *values[i].as<NodeSet>();
            nodes->insert(nodes->end(), more.begin(), more.end());
        } else if (auto* instances = std::get_if<InstanceSet>(&result.form)) {
            const auto& more = values[i].as<InstanceSet>()->groups;
            instances->groups.insert(instances->groups.end(), more.begin(), more.end());
        } else {
            const WorkloadSet& more = *values[i].as<WorkloadSet>();
            auto& workloads = std::get<WorkloadSet>(result.form);
            workloads.insert(workloads.end(), more.begin(), more.end());
        }
    }
    return result;
}

Value flat(const Value& value)
{
    const auto* numbered = value.as<std::shared_ptr<NumberedArray>>();
    if (!numbered) return value;
    std::vector<Value> values;
    for (const auto& [number, entry] : (*numbered)->entries) values.push_back(flat(entry));
    return together(std::move(values), false);
}

std::size_t length_of(const NumberedArray& array)
{
    if (array.of_elements) return array.elements;
    if (!array.chosen) return array.entries.size();
    std::size_t count = 0;
    for (const auto& [number, entry] : array.entries) count += elements(entry).size();
    return count;
}

std::uint64_t count_of(const Value& value)
{
    std::uint64_t count = 0;
    if (const NodeSet* nodes = value.as<NodeSet>())
        count = size_of(*nodes);
    else if (const LinkSet* links = value.as<LinkSet>())
        for (const LinkPart& part : links->parts) count += part.links.count;
    else if (value.as<std::shared_ptr<NumberedArray>>())
        return count_of(flat(value));
    return count;  // of others each is kept anyway
}

std::vector<Value> elements(const Value& value)
{
    std::vector<Value> result;
    if (value.failed() || value.absent()) return result;
    if (value.as<std::shared_ptr<NumberedArray>>()) return elements(flat(value));
    if (const NodeSet* nodes = value.as<NodeSet>()) {
        for (const TargetRange& range : *nodes)
            for (std::uint32_t i = 0; i < range.count; ++i)
                result.push_back({NodeSet{{range.row, range.first + i, 1}}});
    } else if (const InstanceSet* instances = value.as<InstanceSet>()) {
        for (const auto& group : instances->groups)
            for (const std::uint32_t index : group) result.push_back({InstanceSet{{{index}}}});
    } else if (const LinkSet* links = value.as<LinkSet>()) {
        for (const LinkPart& part : links->parts)
            for (std::uint32_t i = 0; i < part.links.count; ++i)
                result.push_back({LinkSet{{{{part.links.row, part.links.first + i, 1}, {}}}}});
    } else if (const WorkloadSet* workloads = value.as<WorkloadSet>()) {
        for (const std::uint32_t index : *workloads) result.push_back({WorkloadSet{index}});
    } else if (const auto* list = value.as<std::shared_ptr<const ListValue>>()) {
        result = **list;
    } else {
        result.push_back(value);  // one element without brackets
    }
    return result;
}

Value select_numbered(Elaboration& in, const NumberedArray& array, const Expr& e, std::int64_t low, std::int64_t high,
                      Span place)
{
    const bool arrays = e.type.array > 0;
    std::vector<Value> values;
    if (array.chosen) {
        for (const auto& [number, entry] : array.entries) {
            Value value = select_in(in, entry, e, low, high, place);
            if (value.failed()) return value;
            values.push_back(std::move(value));
        }
        return together(std::move(values), arrays);
    }
    const auto end_of = [&](NumberedArray::Entries::const_iterator entry) {
        return entry->first + (array.of_elements ? elements_in(entry->second) : 1);
    };
    const auto none = array.entries.end();
    const std::int64_t first = array.entries.empty() ? 0 : array.entries.begin()->first,
                       end = array.entries.empty() ? 0 : end_of(std::prev(none));
    if (e.kind == ExprKind::every) low = first, high = end;
    auto at = array.find(low);
    if (e.kind == ExprKind::element && (at == none || low >= end_of(at))) {
        if (!in.skipped && missing_element(in, e, place)) return {Failed{}};
        const bool dense = first == 0 && static_cast<std::int64_t>(length_of(array)) == end;
        if (!in.skipped)
            report_index(
                in, place,
                array.entries.empty() ? fmt::format("index {} of an array without elements", low)
                : dense ? fmt::format("index {} of an array of {}, whose last index is {}", low, end, end - 1)
                        : fmt::format("index {} of an array that has none of it; its indices lie between {} and {}",
                                      low, first, end - 1),
                low, static_cast<std::size_t>(end), grows(in, e));
        return {Failed{}};
    }
    if (e.kind == ExprKind::slice && low < high && (low < first || high > end)) {
        if (!in.skipped)
            in.report(Diag::index_out_of_range, place,
                      array.entries.empty() ? fmt::format("slice {} .. {} of an array without elements", low, high - 1)
                                            : fmt::format("slice {} .. {} of an array with indices from {} to {}", low,
                                                          high - 1, first, end - 1));
        return {Failed{}};
    }
    if (at == none) at = array.entries.begin();
    for (; at != none && at->first < high; ++at) {
        const std::int64_t from = std::max(low, at->first), to = std::min(high, end_of(at));
        if (from >= to) continue;
        if (e.kind == ExprKind::element && !array.of_elements) return at->second;
        values.push_back(array.of_elements ? part(at->second, from - at->first, to - from) : at->second);
    }
    return together(std::move(values), arrays);
}

}  // namespace anml
