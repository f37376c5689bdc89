// The parts, one after the other, and what they share.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diff/parts.h"
#include "elaborate/topology/label_table.h"

namespace anml {

const char* change_name(Change change)
{
    constexpr const char* kNames[] = {"added", "removed", "changed", "renamed"};
    return kNames[static_cast<std::size_t>(change)];
}

const char* part_name(Part part)
{
    constexpr const char* kNames[] = {"parameters", "settings", "nodes",         "addresses", "links",
                                      "workloads",  "timeline", "stated_routes", "routes",    "requirements"};
    return kNames[static_cast<std::size_t>(part)];
}

std::uint64_t NetworkDifference::count(Part p, Change change) const
{
    std::uint64_t sum = 0;
    for (const DifferenceEntry& entry : part(p))
        if (entry.change == change) sum += entry.count;
    return sum;
}

bool NetworkDifference::empty() const
{
    return std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
}

std::string changes_text(const std::vector<AttributeChange>& changes)
{
    std::string text;
    for (const AttributeChange& change : changes) {
        const auto value = [](const std::string& v) { return v.empty() ? "none" : v; };
        text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : "\n", change.name, value(change.before),
                            value(change.after));
    }
    return text;
}

void Comparison::add_all(Part part, const Attributes& before_values, const Attributes& after_values)
{
    for (AttributeChange& change : attribute_changes(before_values, after_values)) {
        const Change kind = change.before.empty()  ? Change::added
                            : change.after.empty() ? Change::removed
                                                   : Change::changed;
        DifferenceEntry& entry = add(part, kind, change.name);
        entry.attributes.push_back({"value", std::move(change.before), std::move(change.after)});
    }
}

struct LabelComparison::Key {
    Key(const Network& first, const Network& second, std::string_view key)
        : name(fmt::format("label {}", key)), before(first, key), after(second, key)
    {
    }
    std::string name;
    Labels before, after;
};

LabelComparison::LabelComparison(const Comparison& comparison)
{
    std::set<std::string_view> keys;
    for (const Network* network : {&comparison.before.network, &comparison.after.network})
        for (const std::string_view key : label_keys(*network)) keys.insert(key);
    for (const std::string_view key : keys)
        keys_.push_back(std::make_shared<const Key>(comparison.before.network, comparison.after.network, key));
}

std::vector<Stretch> LabelComparison::split(Labelled kind, std::uint32_t before_row, std::uint32_t after_row,
                                            Stretch whole) const
{
    std::vector<Stretch> list{std::move(whole)};
    for (const auto& key : keys_) {
        const auto runs = [&](const Labels& labels, std::uint32_t row) {
            return kind == Labelled::nodes ? labels.of_nodes(row) : labels.of_links(row);
        };
        const std::vector<LabelRun> first = runs(key->before, before_row), second = runs(key->after, after_row);
        const auto at = [](const std::vector<LabelRun>& all, std::uint32_t element) {
            const auto next = std::upper_bound(all.begin(), all.end(), element,
                                               [](std::uint32_t e, const LabelRun& run) { return e < run.first; });
            if (next == all.begin() || element >= (next - 1)->first + (next - 1)->count)
                return std::pair(std::string_view(), next == all.end() ? ~0u : next->first);
            return std::pair((next - 1)->value, (next - 1)->first + (next - 1)->count);
        };
        std::vector<Stretch> cut;
        for (const Stretch& stretch : list) {
            for (std::uint32_t i = 0; i < stretch.count;) {
                const auto [then, then_ends] = at(first, stretch.b + i);
                const auto [now, now_ends] = at(second, stretch.a + i);
                const std::uint32_t count =
                    std::min({stretch.count - i, then_ends - stretch.b - i, now_ends - stretch.a - i});
                Stretch part{stretch.b + i, stretch.a + i, count, stretch.changes};
                if (then != now) part.changes.push_back({key->name, std::string(then), std::string(now)});
                i += count;
                if (!cut.empty() && cut.back().b + cut.back().count == part.b &&
                    cut.back().a + cut.back().count == part.a && cut.back().changes == part.changes)
                    cut.back().count += count;
                else
                    cut.push_back(std::move(part));
            }
        }
        list = std::move(cut);
    }
    return list;
}

Attributes LabelComparison::of_workload(bool after, std::size_t workload) const
{
    Attributes list;
    for (const auto& key : keys_) {
        const std::string_view value = (after ? key->after : key->before).of_workload(workload);
        if (!value.empty()) list.emplace_back(key->name, value);
    }
    return list;
}

std::optional<NetworkDifference> diff_networks(BuiltNetwork& before, const BuiltNetwork& after,
                                               Diagnostics& diagnostics)
{
    std::vector<std::string> old_names;
    std::vector<std::uint32_t> after_row;
    {
        ComparedTexts texts(before, after);
        after_row = match_rows(before.network, after.network, texts, old_names);
    }
    // Anew, since texts may mention rows by their names.
    Comparison comparison(before, after, old_names);
    comparison.before_row.assign(after.network.nodes.size(), abi::kNone);
    for (std::uint32_t b = 0; b < after_row.size(); ++b)
        if (after_row[b] != abi::kNone) comparison.before_row[after_row[b]] = b;
    comparison.result.after_row = std::move(after_row);

    const LabelComparison labels(comparison);
    compare_nodes(comparison, labels);
    compare_links(comparison, labels);
    compare_workloads(comparison, labels);
    compare_timelines(comparison);
    compare_stated_routes(comparison);
    compare_routes(comparison);
    compare_requirements(comparison);
    compare_settings(comparison);  // last: processes are known by who mentions them
    for (const NetworkTexts* texts : {&comparison.texts.before, &comparison.texts.after}) {
        if (texts->failure().empty()) continue;
        diagnostics.report(Diag::inexpressible, {}, "the networks cannot be compared: " + texts->failure());
        return std::nullopt;
    }
    return std::move(comparison.result);
}

}  // namespace anml
