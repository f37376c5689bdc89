// Differences for people: a part after the other, with counts; entries that only differ in the indices of their names
// are one line; of a part with many entries the first ones, unless all are wanted.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diff/phrases.h"

namespace anml {

namespace {

constexpr std::size_t kShownEntries = 12, kShownAttributes = 12;

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
        out_ += '\n';
        line(bold, fmt::format("{}: {}", phrases_of(p).title, counts_text(difference, p)));
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
            const PartPhrases words = phrases_of(p);
            text += fmt::format(", {} {}", count, p == Part::routes ? "nodes" : words.many);
        }
        if (e.of != 0)
            text += fmt::format(": {} of {} routes{}", e.count / e.nodes, e.of / e.nodes,
                                many || e.nodes > 1 ? " each" : "");
        const Style style = kStyles[static_cast<std::size_t>(e.change)];
        if (e.change != Change::changed) {
            const std::string facts = facts_text(e);
            if (!facts.empty()) text += ": " + facts;
            return line(style, text);
        }
        if (has_one_value(e)) return line(style, text + ": " + change_text(e.attributes[0]));
        line(style, text);
        const std::size_t most = options_.all ? e.attributes.size() : std::min(e.attributes.size(), kShownAttributes);
        for (std::size_t i = 0; i < most; ++i) line(plain, "      " + attribute_line(p, e.attributes[i], options_.all));
        if (most < e.attributes.size())
            line(faint, fmt::format("      ... and {} more; --all shows them", e.attributes.size() - most));
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
