// Differences for people: a part after the other, with counts; entries that only differ in the indices of their names
// are one line; of a part with many entries the first ones, unless all are wanted.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compare/difference.h"

namespace anml {

namespace {

constexpr std::size_t kShownEntries = 12, kShownAttributes = 12, kLongestValue = 100;

struct PartWords {
    const char *title, *one, *many;
};
PartWords words_of(Part part)
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

// "net[3].client[4 .. 9]": "net[*].client[*]".
std::string without_indices(const std::string& name)
{
    std::string out;
    for (std::size_t i = 0; i < name.size();) {
        const std::size_t close = name[i] == '[' ? name.find(']', i) : name.npos;
        if (close == name.npos) {
            out += name[i++];
        } else {
            out += "[*]";
            i = close + 1;
        }
    }
    return out;
}

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

class DifferenceWriter {
  public:
    explicit DifferenceWriter(const DifferenceText& options) : options_(options) {}

    std::string write(const NetworkDifference& difference, const BuiltNetwork& before, const BuiltNetwork& after)
    {
        if (difference.empty()) return "";
        line(bold, fmt::format("{} -> {}: {}", before.name, after.name, sizes(before.network, after.network)));
        for (std::size_t p = 0; p < kParts; ++p)
            if (!difference.parts[p].empty()) part(static_cast<Part>(p), difference);
        return std::move(out_);
    }

  private:
    enum Style { plain, bold, green, red, amber, faint };

    void line(Style style, const std::string& text)
    {
        constexpr const char* kCodes[] = {"", "\033[1m", "\033[32m", "\033[31m", "\033[33m", "\033[2m"};
        const bool coloured = options_.colour && style != plain;
        out_ += coloured ? fmt::format("{}{}\033[0m\n", kCodes[style], text) : text + "\n";
    }

    static std::string sizes(const Network& before, const Network& after)
    {
        const auto one = [](std::uint64_t b, std::uint64_t a, const char* what) {
            return b == a ? fmt::format("{} {}", a, what) : fmt::format("{} -> {} {}", b, a, what);
        };
        return one(before.node_count, after.node_count, "nodes") + ", " +
               one(before.directed_links / 2, after.directed_links / 2, "links");
    }

    void part(Part p, const NetworkDifference& difference)
    {
        const auto& entries = difference.part(p);
        const PartWords words = words_of(p);
        std::string counts;
        if (p == Part::routes) {
            const std::uint64_t changed = difference.count(p, Change::changed);
            std::uint64_t nodes = 0;
            for (const DifferenceEntry& entry : entries) nodes += entry.nodes;
            counts =
                fmt::format("{} of {} change, at {} node{}", changed, difference.routes, nodes, nodes == 1 ? "" : "s");
        } else {
            for (std::size_t c = 0; c < kChanges; ++c) {
                const std::uint64_t count = difference.count(p, static_cast<Change>(c));
                if (count > 0)
                    counts +=
                        fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, change_name(static_cast<Change>(c)));
            }
        }
        out_ += '\n';
        line(bold, fmt::format("{}: {}", words.title, counts));
        // Alike but for indices, in the order of the first.
        std::map<std::tuple<Change, std::string, std::string, std::string>, std::size_t> known;
        std::vector<std::vector<const DifferenceEntry*>> groups;
        for (const DifferenceEntry& entry : entries) {
            std::string said;
            for (const AttributeChange& change : entry.attributes)
                said += change.name + "\n" + change.before + "\n" + change.after + "\n";
            if (entry.of != 0) said += fmt::format("{} {}", entry.count / entry.nodes, entry.of / entry.nodes);
            const auto [at, fresh] = known.try_emplace(
                {entry.change, without_indices(entry.name), without_indices(entry.what + entry.before_name), said},
                groups.size());
            if (fresh) groups.emplace_back();
            groups[at->second].push_back(&entry);
        }
        const std::size_t shown = options_.all ? groups.size() : std::min(groups.size(), kShownEntries);
        for (std::size_t g = 0; g < shown; ++g) entry(p, groups[g]);
        if (shown < groups.size())
            line(faint, fmt::format("  ... and {} more; --all shows them", groups.size() - shown));
    }

    void entry(Part p, const std::vector<const DifferenceEntry*>& group)
    {
        const DifferenceEntry& e = *group.front();
        const bool many = group.size() > 1;
        constexpr const char* kSigns[] = {"+", "-", "~", "="};
        constexpr Style kStyles[] = {green, red, amber, amber};
        const auto name = [&](const std::string& text) { return many ? without_indices(text) : text; };
        const bool of_nodes = p == Part::nodes || p == Part::addresses;
        std::string text = fmt::format("  {} ", kSigns[static_cast<std::size_t>(e.change)]);
        if (of_nodes && !e.what.empty()) text += e.what + " ";
        text += name(e.change == Change::renamed ? e.before_name : e.name);
        if (e.change == Change::renamed) text += " is called " + name(e.name) + " now";
        if (!of_nodes && !e.what.empty()) text += fmt::format(" ({})", name(e.what));
        if (many) {
            std::uint64_t count = 0;
            for (const DifferenceEntry* each : group) count += p == Part::routes ? each->nodes : each->count;
            const PartWords words = words_of(p);
            text += fmt::format(", {} {}", count, p == Part::routes ? "nodes" : words.many);
        }
        if (e.of != 0)
            text += fmt::format(": {} of {} routes{}", e.count / e.nodes, e.of / e.nodes,
                                many || e.nodes > 1 ? " each" : "");
        const Style style = kStyles[static_cast<std::size_t>(e.change)];
        if (e.change != Change::changed) {
            std::string facts;
            for (const AttributeChange& change : e.attributes) {
                const std::string& value = change.before.empty() ? change.after : change.before;
                facts += fmt::format("{}{} {}", facts.empty() ? "" : ", ",
                                     change.name == "value" || change.name == "verdict" ? "" : change.name, value);
            }
            if (facts.starts_with(" ")) facts.erase(0, 1);
            if (!facts.empty()) text += ": " + facts;
            return line(style, text);
        }
        const bool single =
            e.attributes.size() == 1 &&
            (e.attributes[0].name == "value" || e.attributes[0].name == "verdict" || e.attributes[0].name == "when");
        if (single) return line(style, text + ": " + values(e.attributes[0]));
        line(style, text);
        const std::size_t most = options_.all ? e.attributes.size() : std::min(e.attributes.size(), kShownAttributes);
        for (std::size_t i = 0; i < most; ++i) {
            const AttributeChange& change = e.attributes[i];
            if (p == Part::routes)
                line(plain, fmt::format("      {}: {}", list(change.name), way(change)));
            else
                line(plain, fmt::format("      {}: {}", change.name, values(change)));
        }
        if (most < e.attributes.size())
            line(faint, fmt::format("      ... and {} more; --all shows them", e.attributes.size() - most));
    }

    static std::string values(const AttributeChange& change)
    {
        std::string before = change.before.empty() ? "none" : change.before,
                    after = change.after.empty() ? "none" : change.after;
        shorten(before, after);
        return fmt::format("{} -> {}", before, after);
    }

    static std::string way(const AttributeChange& change)
    {
        if (change.after == "no route") return fmt::format("no route any more, it was via {}", change.before);
        if (change.before == "no route") return fmt::format("via {}, there was no route", change.after);
        return fmt::format("via {} instead of {}", change.after, change.before);
    }

    // The first names of a long list, and how many more there are.
    std::string list(const std::string& names) const
    {
        if (options_.all || names.size() <= kLongestValue) return names;
        std::size_t end = names.rfind(", ", kLongestValue);
        if (end == names.npos) return names;
        std::size_t more = 0;
        for (std::size_t at = end; at != names.npos; at = names.find(", ", at + 2)) ++more;
        return fmt::format("{} and {} more", names.substr(0, end), more);
    }

    const DifferenceText& options_;
    std::string out_;
};

}  // namespace

std::string write_difference(const NetworkDifference& difference, const BuiltNetwork& before, const BuiltNetwork& after,
                             const DifferenceText& options)
{
    return DifferenceWriter(options).write(difference, before, after);
}

}  // namespace anml
