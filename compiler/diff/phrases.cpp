#include "diff/phrases.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

namespace {

constexpr std::size_t kLongestValue = 100;

// Of two long values what is between their common beginning and end.
void shorten(std::string& a, std::string& b)
{
    if (a.size() <= kLongestValue && b.size() <= kLongestValue) return;
    constexpr std::size_t kContext = 24;
    const auto is_middle = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };  // of a code point
    const std::size_t least = std::min(a.size(), b.size());
    std::size_t begin = 0, end = 0;
    while (begin < least && a[begin] == b[begin]) ++begin;
    while (end < least - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    begin = begin > kContext ? begin - kContext : 0;
    end = end > kContext ? end - kContext : 0;
    for (std::string* text : {&a, &b}) {
        std::size_t from = begin, to = text->size() - end;
        while (from > 0 && is_middle((*text)[from])) --from;
        while (to < text->size() && is_middle((*text)[to])) ++to;
        std::string cut = text->substr(from, to - from);
        if (cut.size() > 2 * kLongestValue) {
            std::size_t most = 2 * kLongestValue;
            while (most > 0 && is_middle(cut[most])) --most;
            cut = cut.substr(0, most) + " ...";
        }
        *text = (from > 0 ? "... " : "") + cut + (to < text->size() ? " ..." : "");
    }
}

std::string way_text(const AttributeChange& change)
{
    if (change.after == "no route") return fmt::format("no route any more, it was via {}", change.before);
    if (change.before == "no route") return fmt::format("via {}, there was no route", change.after);
    return fmt::format("via {} instead of {}", change.after, change.before);
}

// The first names of a long list, and how many more there are.
std::string list_text(const std::string& names, bool all)
{
    if (all || names.size() <= kLongestValue) return names;
    std::size_t end = names.rfind(", ", kLongestValue);
    if (end == names.npos) return names;
    std::size_t more = 0;
    for (std::size_t at = end; at != names.npos; at = names.find(", ", at + 2)) ++more;
    return fmt::format("{} and {} more", names.substr(0, end), more);
}

}  // namespace

PartPhrases phrases_of(Part part)
{
    switch (part) {
        case Part::parameters:
            return {"Parameters", "parameter", "parameters"};
        case Part::settings:
            return {"Settings", "setting", "settings"};
        case Part::nodes:
            return {"Nodes", "node", "nodes"};
        case Part::addresses:
            return {"Addresses that follow", "node", "nodes"};
        case Part::links:
            return {"Links", "link", "links"};
        case Part::workloads:
            return {"Workloads", "workload", "workloads"};
        case Part::timeline:
            return {"Timeline", "entry", "entries"};
        case Part::stated_routes:
            return {"Stated routes", "route", "routes"};
        case Part::routes:
            return {"Routes", "route", "routes"};
        case Part::requirements:
            return {"Requirements", "requirement", "requirements"};
    }
    return {"", "", ""};
}

std::string counts_text(const NetworkDifference& difference, Part part)
{
    if (part == Part::routes) {
        std::uint64_t nodes = 0;
        for (const DifferenceEntry& entry : difference.part(part)) nodes += entry.nodes;
        return fmt::format("{} of {} change, at {} node{}", difference.count(part, Change::changed), difference.routes,
                           nodes, nodes == 1 ? "" : "s");
    }
    std::string counts;
    for (std::size_t c = 0; c < kChanges; ++c) {
        const std::uint64_t count = difference.count(part, static_cast<Change>(c));
        if (count > 0)
            counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, change_name(static_cast<Change>(c)));
    }
    return counts;
}

std::string facts_text(const DifferenceEntry& entry)
{
    std::string facts;
    for (const AttributeChange& change : entry.attributes) {
        const std::string& value = change.before.empty() ? change.after : change.before;
        facts += fmt::format("{}{} {}", facts.empty() ? "" : ", ",
                             change.name == "value" || change.name == "verdict" ? "" : change.name, value);
    }
    if (facts.starts_with(" ")) facts.erase(0, 1);
    return facts;
}

bool has_one_value(const DifferenceEntry& entry)
{
    return entry.attributes.size() == 1 &&
           (entry.attributes[0].name == "value" || entry.attributes[0].name == "verdict" ||
            entry.attributes[0].name == "when");
}

std::string change_text(const AttributeChange& change)
{
    std::string before = change.before.empty() ? "none" : change.before,
                after = change.after.empty() ? "none" : change.after;
    shorten(before, after);
    return fmt::format("{} -> {}", before, after);
}

std::string attribute_line(Part part, const AttributeChange& change, bool all)
{
    if (part == Part::routes) return fmt::format("{}: {}", list_text(change.name, all), way_text(change));
    return fmt::format("{}: {}", change.name, change_text(change));
}

}  // namespace anml
