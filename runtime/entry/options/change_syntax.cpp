#include "entry/options/change_syntax.h"

#include <fmt/format.h>

#include <algorithm>

#include "abi/timeline.h"
#include "abi/workload_changes.h"
#include "common/ascii.h"
#include "entry/options/tunable_effects.h"
#include "entry/tools/suggestion.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

using abi::TimelineAttribute;
using abi::TimelineTarget;
using abi::Unit;

constexpr double kHour = 3600e9, kTera = 1e12, kTerabyte = 1024.0 * 1024 * 1024 * 1024;  // ns, bit/s, bytes
constexpr LinkAttribute kLinkAttributes[] = {
    {"rate", TimelineAttribute::rate, Unit::rate, 1, 1000 * kTera},
    {"delay", TimelineAttribute::delay, Unit::time, 0, kHour},
    {"queue", TimelineAttribute::queue, Unit::size, 1, kTerabyte},
    {"loss", abi::impairment_attribute("loss"), Unit::none, 0, 1},
    {"corrupt", abi::impairment_attribute("corrupt"), Unit::none, 0, 1},
    {"duplicate", abi::impairment_attribute("duplicate"), Unit::none, 0, 1},
    {"jitter", abi::impairment_attribute("jitter"), Unit::time, 0, kHour},
};

// A mistake in the words, thrown inside this file only.
struct ChangeError {
    std::string message;
};

// Takes what stands before the first `separator`, or all.
std::string_view take(std::string_view& text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view word = trimmed(text.substr(0, end));
    text = trimmed(text.substr(std::min(end + 1, text.size())));
    return word;
}

// Neighbours of an array together.
std::vector<TimelineTarget> targets_of(const Model& model, std::string_view name)
{
    std::vector<TimelineTarget> targets;
    for (const LinkId id : model.links_named(name)) {
        const LinkId link = id & ~1u;
        const std::uint32_t direction = 1u << (id & 1);
        if (!targets.empty() && targets.back().first == link) {
            targets.back().directions |= direction;
        } else {
            targets.push_back({link, 1, abi::TimelineCause::itself, direction});
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 1; i < targets.size(); ++i) {
        TimelineTarget& run = targets[kept];
        if (targets[i].first == run.first + 2 * run.count && targets[i].directions == run.directions)
            ++run.count;
        else
            targets[++kept] = targets[i];
    }
    if (!targets.empty()) targets.resize(kept + 1);
    return targets;
}

// Whether `has` is true of a direction of a link among them.
template <class Has>
bool any_of(const Model& model, const std::vector<TimelineTarget>& targets, Has&& has)
{
    for (const TimelineTarget& target : targets)
        for (std::uint32_t i = 0; i < target.count; ++i) {
            const abi::LinkRow& row = model.image().link_rows[model.link_row_of(target.first + 2 * i)];
            for (std::uint32_t d = 0; d < 2; ++d)
                if (target.directions >> d & 1 && has(row, d)) return true;
        }
    return false;
}

// "rate=5 Mbps" as a value within its limits.
double value_of(std::string_view key, std::string_view value, Unit unit, double least, double most)
{
    std::string error;
    const std::optional<double> quantity = parse_quantity(value, unit, error);
    if (!quantity) throw ChangeError{fmt::format("{}: {}", key, error)};
    if (*quantity < least || *quantity > most) {
        throw ChangeError{fmt::format("{}: {} is outside {} .. {}", key, format_quantity(*quantity, unit),
                                      format_quantity(least, unit), format_quantity(most, unit))};
    }
    return *quantity;
}

EnteredChange attribute_change(const Model& model, std::string_view text, std::string_view name,
                               const std::vector<TimelineTarget>& targets, Time time)
{
    std::string_view value = text;
    const std::string_view key = take(value, '=');
    const auto* found = std::find_if(std::begin(kLinkAttributes), std::end(kLinkAttributes),
                                     [&](const LinkAttribute& known) { return known.name == key; });
    if (found == std::end(kLinkAttributes)) {
        if (text == "up" || text == "down")
            throw ChangeError{fmt::format("`{}` stands alone: link {} {}", text, name, text)};
        std::vector<std::string> known{"up", "down"};
        for (const LinkAttribute& attribute : kLinkAttributes) known.emplace_back(attribute.name);
        throw ChangeError{
            fmt::format("`{}` is nothing of a link that can be changed{}", excerpt(key), suggestion(key, known))};
    }
    if (key.size() == text.size() || value.empty())
        throw ChangeError{fmt::format("`{}` needs a value: {}={}", key, key, unit_example(found->unit))};
    if (key == "rate" &&
        any_of(model, targets, [](const abi::LinkRow& row, std::uint32_t d) { return row.trace[d] != abi::kNone; }))
        throw ChangeError{fmt::format("link `{}` follows a trace, which has no rate to change", name)};
    return {time, found->attribute, value_of(key, value, found->unit, found->least, found->most), targets};
}

std::vector<EnteredChange> link_change(const Model& model, std::string_view rest, Time time)
{
    const std::string_view name = take(rest, ' ');
    if (name.empty() || rest.empty()) throw ChangeError{"write it as link NAME up, down or ATTRIBUTE=VALUE,..."};
    std::vector<TimelineTarget> targets = targets_of(model, name);
    if (targets.empty()) throw ChangeError{fmt::format("no such link `{}`{}", excerpt(name), link_hint(model, name))};
    if (rest == "up" || rest == "down") {
        if (name.ends_with('>') || name.ends_with('<'))
            throw ChangeError{
                fmt::format("a link goes {0} in both directions: link {1} {0}", rest, name.substr(0, name.size() - 1))};
        return {{time, TimelineAttribute::up, rest == "up" ? 1.0 : 0.0, std::move(targets)}};
    }
    const bool backwards = name.ends_with('<');
    if (backwards && any_of(model, targets, [](const abi::LinkRow& row, std::uint32_t) { return row.one_way != 0; }))
        throw ChangeError{fmt::format("link `{}` leads one way, and not back", name.substr(0, name.size() - 1))};
    std::vector<EnteredChange> changes;
    while (!rest.empty()) changes.push_back(attribute_change(model, take(rest, ','), name, targets, time));
    return changes;
}

EnteredChange workload_attribute_change(const Model& model, std::string_view text, std::string_view name,
                                        std::uint32_t workload, Time time)
{
    const abi::RecordSchema schema = abi::schema_of(model.image(), model.image().workloads[workload].record);
    std::string_view value = text;
    const std::string_view key = take(value, '=');
    const abi::WorkloadAttribute* const found = abi::workload_attribute(key);
    if (!found || !abi::can_change(schema, found->attribute)) {
        if (text == "start" || text == "stop")
            throw ChangeError{fmt::format("`{}` stands alone: workload {} {}", text, name, text)};
        std::vector<std::string> known{"start", "stop"};
        for (const abi::WorkloadAttribute& attribute : abi::kWorkloadAttributes)
            if (abi::can_change(schema, attribute.attribute)) known.emplace_back(attribute.name);
        throw ChangeError{fmt::format("`{}` is nothing of workload `{}` that can be changed{}", excerpt(key), name,
                                      suggestion(key, known))};
    }
    if (key.size() == text.size() || value.empty())
        throw ChangeError{fmt::format("`{}` needs a value: {}={}", key, key,
                                      found->unit == Unit::rate ? unit_example(found->unit)
                                      : found->most == 1        ? "40 %"
                                                               : "3")};
    return {time,
            found->attribute,
            value_of(key, value, found->unit, found->least, found->most),
            {{workload, 1, abi::TimelineCause::itself, 0}}};
}

std::vector<EnteredChange> workload_change(const Model& model, std::string_view rest, Time time)
{
    const std::string_view name = take(rest, ' ');
    if (name.empty() || rest.empty()) throw ChangeError{"write it as workload NAME start, stop or ATTRIBUTE=VALUE,..."};
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < model.image().workload_count; ++i) {
        known.emplace_back(model.text(model.image().workloads[i].name));
        if (known.back() != name) continue;
        if (rest == "start" || rest == "stop")
            return {{time,
                     TimelineAttribute::active,
                     rest == "start" ? 1.0 : 0.0,
                     {{i, 1, abi::TimelineCause::itself, 0}}}};
        std::vector<EnteredChange> changes;
        while (!rest.empty()) changes.push_back(workload_attribute_change(model, take(rest, ','), name, i, time));
        return changes;
    }
    throw ChangeError{fmt::format("no such workload `{}`{}", excerpt(name), suggestion(name, known))};
}

}  // namespace

std::span<const LinkAttribute> link_attributes() { return kLinkAttributes; }

std::string link_hint(const Model& model, std::string_view name)
{
    if (name.ends_with('>') || name.ends_with('<')) name.remove_suffix(1);
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < model.image().link_row_count; ++i)
        known.emplace_back(model.text(model.image().link_rows[i].name));
    return suggestion(name, known);
}

std::optional<std::vector<EnteredChange>> ChangeReader::read(std::string_view words, Time time, std::string& error)
{
    error.clear();
    before_ = tunables_;
    std::string_view rest = trimmed(words);
    if (rest.size() > kLongestChange) {
        error = fmt::format("a change is at most {} bytes long", kLongestChange);
        return std::nullopt;
    }
    const std::string_view verb = take(rest, ' ');
    try {
        if (verb == "link") return link_change(model_, rest, time);
        if (verb == "workload") return workload_change(model_, rest, time);
        if (verb == "set") {
            auto changes = set_tunable(model_, rest, tunables_, time, error);
            return changes;
        }
        throw ChangeError{
            fmt::format("`{}` is no change; there are link, workload and set", excerpt(verb.empty() ? words : verb))};
    } catch (const ChangeError& wrong) {
        error = wrong.message;
        return std::nullopt;
    }
}

}  // namespace anml::rt::entry
