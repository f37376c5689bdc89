// What happens in a network: workloads by their names, and the timeline, entry by entry.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/record_fields.h"
#include "diff/parts.h"

namespace anml {

namespace {

std::string document_text(NetworkTexts& texts, const DocumentInfo& d)
{
    std::string text = d.path.empty() ? "" : fmt::format("\"{}\" ", d.path);
    text += texts.drawn(d.size, dimension::size);
    if (!d.set) return text;
    text += fmt::format(" x{}, choice {}, seed {}", d.count, texts.drawn(d.choice, dimension::none), d.seed);
    if (d.record != abi::kNone) text += ", " + texts.record_line(d.record);
    return text;
}

void add_traits(NetworkTexts& texts, const WorkloadTraits& t, Attributes& list)
{
    list.emplace_back("trait transport", transport_name(t.transport));
    list.emplace_back("trait answers", t.answers ? "true" : "false");
    list.emplace_back("trait load", load_name(t.load));
    list.emplace_back("trait interval", texts.number(t.interval, dimension::time));
    list.emplace_back("trait share", texts.number(t.share, dimension::none));
    list.emplace_back("trait request", texts.number(t.request, dimension::size));
    list.emplace_back("trait reply", texts.number(t.reply, dimension::size));
    list.emplace_back("trait per_connection", texts.number(t.per_connection, dimension::none));
    list.emplace_back("trait at_once", texts.number(t.at_once, dimension::none));
    list.emplace_back("trait fragments", texts.truth(t.fragments));
    list.emplace_back("trait fluid", texts.truth(t.fluid));
}

Attributes workload_attributes(NetworkTexts& texts, const WorkloadInfo& w)
{
    Attributes list = texts.record(w.record);
    list.front().first = "schema";
    list.emplace_back("on", texts.nodes(w.targets));
    list.emplace_back("to", texts.nodes(w.peers));
    if (!find_value(texts.network().records[w.record], "pairing"))
        list.emplace_back("pairing", abi::pairing_name(w.pairing));
    list.emplace_back("port", std::to_string(w.port));
    for (std::size_t i = 0; i < w.documents.size(); ++i)
        list.emplace_back(fmt::format("documents[{}]", i), document_text(texts, w.documents[i]));
    if (w.parts != 0) list.emplace_back("parts", std::to_string(w.parts));
    if (w.own_traits) add_traits(texts, w.traits, list);
    list.emplace_back("start", w.start == abi::Start::phase ? "phase" : texts.number(w.start_spread, dimension::time));
    list.emplace_back("dscp", std::to_string(w.dscp));
    list.emplace_back("family", !w.family ? "none" : *w.family == AddressFamily::ipv6 ? "ipv6" : "ipv4");
    return list;
}

// "every 10 s from 5 s to 60 s"
std::string when_text(NetworkTexts& texts, const TimelineInfo& info)
{
    const auto time = [&](ValueExprId id) { return texts.number(id, dimension::time); };
    switch (info.form) {
        case abi::TimelineForm::once:
            return "at " + time(info.first);
        case abi::TimelineForm::every:
            return fmt::format("every {} from {} to {}", time(info.step), time(info.first), time(info.last));
        case abi::TimelineForm::interval:
            return fmt::format("from {} to {}", time(info.first), time(info.last));
        case abi::TimelineForm::ramp:
            return fmt::format("ramp from {} to {} every {}", time(info.first), time(info.last), time(info.step));
    }
    return "";
}

std::string value_text(NetworkTexts& texts, const TimelineInfo& info)
{
    using Attribute = abi::TimelineAttribute;
    Dimension dim = dimension::none;
    switch (info.attribute) {
        case Attribute::up:
            return texts.network().values.as_constant(info.value) == 1.0 ? "up" : "down";
        case Attribute::active:
            return texts.network().values.as_constant(info.value) == 1.0 ? "on" : "off";
        case Attribute::discipline:
            return texts.record_line(record_index(texts.network(), info));
        case Attribute::rate:
        case Attribute::sending_rate:
            dim = dimension::rate;
            break;
        case Attribute::delay:
            dim = dimension::time;
            break;
        case Attribute::queue:
            dim = dimension::size;
            break;
        default:
            if (!abi::is_impairment(info.attribute)) break;
            const abi::FieldKind kind = abi::impairment_field(info.attribute).kind;
            if (kind == abi::FieldKind::truth) return texts.truth(info.draw.a);
            dim = dimension_of(kind);
            if (info.form != abi::TimelineForm::ramp) return texts.drawn(info.draw, kind);
    }
    std::string text = texts.number(info.value, dim);
    if (info.form == abi::TimelineForm::ramp) text += " .. " + texts.number(info.value_to, dim);
    return text;
}

struct TimelineEntry {
    std::string when, what, value;  // "at 30 s", "core.hop[2] rate", "5 Mbps"
    bool done = false;
};

std::vector<TimelineEntry> timeline_entries(NetworkTexts& texts)
{
    std::vector<TimelineEntry> list;
    for (const TimelineInfo& info : texts.network().timeline) {
        // One for each subject: a statement of several is as good as several statements.
        std::vector<std::string> subjects;
        for (const LinkSlice& slice : info.links) subjects.push_back(texts.links({slice}));
        for (const TargetRange& range : info.nodes) subjects.push_back(texts.nodes({range}));
        for (const std::uint32_t w : info.workloads) subjects.push_back(texts.network().workloads[w].name);
        const std::string when = when_text(texts, info), value = value_text(texts, info);
        for (std::string& what : subjects) {
            if (info.directions != 3 && !info.links.empty()) what += info.directions == 1 ? " up" : " down";
            if (info.attribute != abi::TimelineAttribute::up && info.attribute != abi::TimelineAttribute::active)
                what += fmt::format(" {}", abi::timeline_attribute_name(info.attribute));
            list.push_back({when, what, value});
        }
    }
    return list;
}

// Pairs entries that are not paired yet, each with the first that fits, and calls take(before, after).
template <class Key, class Take>
void pair_entries(std::vector<TimelineEntry>& before, std::vector<TimelineEntry>& after, const Key& key,
                  const Take& take)
{
    std::map<std::string, std::vector<TimelineEntry*>> then;
    for (TimelineEntry& entry : before)
        if (!entry.done) then[key(entry)].push_back(&entry);
    for (TimelineEntry& entry : after) {
        const auto found = entry.done ? then.end() : then.find(key(entry));
        if (found == then.end() || found->second.empty()) continue;
        TimelineEntry& first = *found->second.front();
        found->second.erase(found->second.begin());
        first.done = entry.done = true;
        take(first, entry);
    }
}

}  // namespace

void compare_workloads(Comparison& c, const LabelComparison& labels)
{
    const auto &then = c.before.network.workloads, &now = c.after.network.workloads;
    std::unordered_map<std::string_view, std::size_t> named;
    for (std::size_t i = 0; i < then.size(); ++i) named.emplace(then[i].name, i);
    std::vector<char> seen(then.size(), 0);
    const auto attributes = [&](bool after, std::size_t i) {
        Attributes list = workload_attributes(after ? c.texts.after : c.texts.before, (after ? now : then)[i]);
        for (auto& label : labels.of_workload(after, i)) list.push_back(std::move(label));
        return list;
    };
    const auto alone = [&](Change change, std::size_t i) {
        const bool added = change == Change::added;
        const Attributes all = attributes(added, i);
        DifferenceEntry& entry = c.add(Part::workloads, change, (added ? now : then)[i].name);
        entry.what = all.front().second;
        for (const auto& [name, value] : all)
            if (name == "on" || name == "to")
                entry.attributes.push_back({name, added ? "" : value, added ? value : ""});
    };
    for (std::size_t i = 0; i < now.size(); ++i) {
        const auto found = named.find(now[i].name);
        if (found == named.end()) {
            alone(Change::added, i);
            continue;
        }
        seen[found->second] = 1;
        auto changes = attribute_changes(attributes(false, found->second), attributes(true, i));
        if (!changes.empty()) c.add(Part::workloads, Change::changed, now[i].name).attributes = std::move(changes);
    }
    for (std::size_t i = 0; i < then.size(); ++i)
        if (!seen[i]) alone(Change::removed, i);
}

void compare_timelines(Comparison& c)
{
    std::vector<TimelineEntry> before = timeline_entries(c.texts.before), after = timeline_entries(c.texts.after);
    const auto changed = [&](const std::string& name, const char* attribute, const std::string& first,
                             const std::string& second) {
        c.add(Part::timeline, Change::changed, name).attributes.push_back({attribute, first, second});
    };
    pair_entries(
        before, after, [](const TimelineEntry& e) { return e.when + "\n" + e.what + "\n" + e.value; },
        [](const TimelineEntry&, const TimelineEntry&) {});
    pair_entries(
        before, after, [](const TimelineEntry& e) { return e.when + "\n" + e.what; },
        [&](const TimelineEntry& b, const TimelineEntry& a) {
            changed(a.when + ": " + a.what, "value", b.value, a.value);
        });
    pair_entries(
        before, after, [](const TimelineEntry& e) { return e.what + "\n" + e.value; },
        [&](const TimelineEntry& b, const TimelineEntry& a) {
            changed(fmt::format("{} {}", a.what, a.value), "when", b.when, a.when);
        });
    const auto rest = [&](Change change, const std::vector<TimelineEntry>& entries) {
        for (const TimelineEntry& e : entries)
            if (!e.done) c.add(Part::timeline, change, fmt::format("{}: {} {}", e.when, e.what, e.value));
    };
    rest(Change::added, after);
    rest(Change::removed, before);
}

}  // namespace anml
