// Links by their ends: rows that join the same rows alike element by element, then single links between the same two
// nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "diff/parts.h"

namespace anml {

namespace {

// Links of one row, one after the other.
struct LinkRun {
    std::uint32_t row = 0, first = 0, count = 0;
};
struct LinkPair {
    std::uint32_t before_row = 0, after_row = 0, b = 0, a = 0, count = 0;
    bool turned = false;  // the left end is the right one of the other
};

class LinkComparison {
  public:
    LinkComparison(Comparison& c, const LabelComparison& labels)
        : c_(c), labels_(labels), before_(c.before.network), after_(c.after.network)
    {
    }

    void run()
    {
        c_.after_link.assign(before_.directed_links, abi::kNone);
        pair_rows();
        pair_single();
        std::sort(pairs_.begin(), pairs_.end(), [](const LinkPair& x, const LinkPair& y) {
            return std::pair(x.after_row, x.a) < std::pair(y.after_row, y.a);
        });
        for (const LinkPair& pair : pairs_) both(pair);
        alone(Change::added, after_, left_after_);
        alone(Change::removed, before_, left_before_);
    }

  private:
    // A row of nodes under one number for both networks.
    std::uint64_t key_of(bool after, std::uint32_t row) const
    {
        if (after) return row;
        const std::uint32_t partner = c_.result.after_row[row];
        return partner == abi::kNone ? after_.nodes.size() + row : partner;
    }
    using EndKey = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;
    EndKey end_key(bool after, const LinkEnd& end) const
    {
        return {key_of(after, end.row.value), end.first, end.stride};
    }

    void pair_rows()
    {
        std::map<std::pair<EndKey, EndKey>, std::vector<std::uint32_t>> then;
        const auto key_for = [&](bool after, const LinkArray& link) {
            EndKey a = end_key(after, link.end[0]), b = end_key(after, link.end[1]);
            if (b < a) std::swap(a, b);
            return std::pair(a, b);
        };
        for (std::uint32_t row = 0; row < before_.links.size(); ++row)
            then[key_for(false, before_.links[row])].push_back(row);
        std::map<std::pair<EndKey, EndKey>, std::vector<std::uint32_t>> now;
        for (std::uint32_t row = 0; row < after_.links.size(); ++row)
            now[key_for(true, after_.links[row])].push_back(row);
        for (auto& [key, rows] : now) {
            const auto found = then.find(key);
            if (found == then.end()) continue;
            match(rows, found->second, [&](std::uint32_t a, std::uint32_t b) {
                const std::uint32_t common = std::min(before_.links[b].count, after_.links[a].count);
                add_pair({b, a, 0, 0, common, is_turned(b, a)});
                if (common < before_.links[b].count)
                    left_before_.push_back({b, common, before_.links[b].count - common});
                if (common < after_.links[a].count) left_after_.push_back({a, common, after_.links[a].count - common});
            });
        }
        for (const auto& [key, rows] : now)
            for (const std::uint32_t row : rows) left_after_.push_back({row, 0, after_.links[row].count});
        for (const auto& [key, rows] : then)
            for (const std::uint32_t row : rows) left_before_.push_back({row, 0, before_.links[row].count});
    }

    bool is_turned(std::uint32_t b, std::uint32_t a) const
    {
        const bool straight = end_key(false, before_.links[b].end[0]) == end_key(true, after_.links[a].end[0]);
        return !straight;
    }

    // Parallel ones by their names, the rest by their order; takes out those that have a partner.
    template <class Take>
    void match(std::vector<std::uint32_t>& now, std::vector<std::uint32_t>& then, const Take& take) const
    {
        const auto take_if = [&](const auto& fits) {
            std::erase_if(now, [&](std::uint32_t a) {
                const auto found = std::find_if(then.begin(), then.end(), [&](std::uint32_t b) { return fits(b, a); });
                if (found == then.end()) return false;
                take(a, *found);
                then.erase(found);
                return true;
            });
        };
        take_if([&](std::uint32_t b, std::uint32_t a) { return before_.links[b].name == after_.links[a].name; });
        take_if([&](std::uint32_t, std::uint32_t) { return true; });
    }

    // What is left by its nodes, element by element.
    void pair_single()
    {
        constexpr std::uint64_t kMost = 4'000'000;
        std::uint64_t size = 0;
        for (const auto* runs : {&left_before_, &left_after_})
            for (const LinkRun& run : *runs) size += run.count;
        if (left_before_.empty() || left_after_.empty() || size > kMost) return;
        using Node = std::pair<std::uint64_t, std::uint32_t>;
        using Ends = std::pair<Node, Node>;
        struct Element {
            std::uint32_t row, element;
            bool turned;
        };
        const auto ends_of = [&](bool after, const LinkArray& link, std::uint32_t i) {
            const auto node = [&](int side) {
                const LinkEnd& end = link.end[side];
                return Node{key_of(after, end.row.value), end.first + i * end.stride};
            };
            return Ends{node(0), node(1)};
        };
        std::map<Ends, std::vector<Element>> then;
        for (const LinkRun& run : left_before_)
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                Ends ends = ends_of(false, before_.links[run.row], i);
                const bool turned = ends.second < ends.first;
                if (turned) std::swap(ends.first, ends.second);
                then[ends].push_back({run.row, i, turned});
            }
        std::vector<LinkRun> still;
        std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
        for (const bool by_name : {true, false}) {
            still.clear();
            for (const LinkRun& run : left_after_)
                for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                    Ends ends = ends_of(true, after_.links[run.row], i);
                    const bool turned = ends.second < ends.first;
                    if (turned) std::swap(ends.first, ends.second);
                    const auto found = then.find(ends);
                    auto one = std::vector<Element>::iterator();
                    bool fits = found != then.end();
                    if (fits) {
                        one = std::find_if(found->second.begin(), found->second.end(), [&](const Element& e) {
                            return !by_name || element_name(before_.links[e.row], e.element) ==
                                                   element_name(after_.links[run.row], i);
                        });
                        fits = one != found->second.end();
                    }
                    if (!fits) {
                        extend(still, {run.row, i, 1});
                        continue;
                    }
                    add_pair({one->row, run.row, one->element, i, 1, one->turned != turned});
                    taken.emplace(one->row, one->element);
                    found->second.erase(one);
                }
            left_after_ = still;
        }
        std::vector<LinkRun> gone;
        for (const LinkRun& run : left_before_)
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
                if (!taken.contains({run.row, i})) extend(gone, {run.row, i, 1});
        left_before_ = std::move(gone);
    }

    static std::string element_name(const LinkArray& link, std::uint32_t element)
    {
        return link.element_name(element);
    }

    static void extend(std::vector<LinkRun>& runs, LinkRun next)
    {
        if (!runs.empty() && runs.back().row == next.row && runs.back().first + runs.back().count == next.first)
            runs.back().count += next.count;
        else
            runs.push_back(next);
    }

    void add_pair(LinkPair pair)
    {
        for (std::uint32_t i = 0; i < pair.count; ++i)
            for (std::uint32_t d = 0; d < 2; ++d)
                c_.after_link[before_.links[pair.before_row].first_link + 2 * (pair.b + i) + d] =
                    after_.links[pair.after_row].first_link + 2 * (pair.a + i) + (pair.turned ? 1 - d : d);
        if (!pairs_.empty() && pair.count == 1) {
            LinkPair& last = pairs_.back();
            if (last.before_row == pair.before_row && last.after_row == pair.after_row && last.turned == pair.turned &&
                last.b + last.count == pair.b && last.a + last.count == pair.a)
            {
                last.count += 1;
                return;
            }
        }
        if (pair.count > 0) pairs_.push_back(pair);
    }

    static std::string end_text(const Network& network, const LinkEnd& end, std::uint32_t first, std::uint32_t count)
    {
        const NodeArray& row = network.nodes[end.row.value];
        return run_name(row, end.first + first * end.stride, end.stride ? count : 1);
    }

    static std::string ends_text(const Network& network, const LinkArray& link, std::uint32_t first,
                                 std::uint32_t count)
    {
        return fmt::format("{} {} {}", end_text(network, link.end[0], first, count), link.one_way ? "->" : "--",
                           end_text(network, link.end[1], first, count));
    }

    // Names that the compiler makes of the ends say nothing.
    static bool has_name(const LinkArray& link) { return link.name.find("--") == std::string::npos; }

    DifferenceEntry& entry_for(Change change, const Network& network, std::uint32_t row, std::uint32_t first,
                               std::uint32_t count)
    {
        const LinkArray& link = network.links[row];
        const std::string ends = ends_text(network, link, first, count);
        DifferenceEntry& entry = c_.add(
            Part::links, change, has_name(link) ? run_name(link, first, count) : ends);
        if (has_name(link)) entry.what = ends;
        entry.count = count;
        return entry;
    }

    void alone(Change change, const Network& network, std::vector<LinkRun>& runs)
    {
        std::sort(runs.begin(), runs.end(), [](const LinkRun& x, const LinkRun& y) {
            return std::pair(x.row, x.first) < std::pair(y.row, y.first);
        });
        const bool added = change == Change::added;
        NetworkTexts& texts = added ? c_.texts.after : c_.texts.before;
        for (const LinkRun& run : runs) {
            if (run.count == 0) continue;
            const LinkArray& link = network.links[run.row];
            DifferenceEntry& entry = entry_for(change, network, run.row, run.first, run.count);
            const Attributes up = direction_attributes(texts, link, 0), down = direction_attributes(texts, link, 1);
            constexpr std::size_t kShown = 3;  // rate, delay, queue
            std::string text = change_name(change);
            for (std::size_t i = 0; i < kShown; ++i) {
                std::string value = up[i].second;
                if (!link.one_way && down[i].second != value) value += " / " + down[i].second;
                text += fmt::format("\n{}: {}", up[i].first, value);
                entry.attributes.push_back({up[i].first, added ? "" : value, added ? value : ""});
            }
            c_.result.links.push_back({run.row, run.first, run.count, change, text});
        }
    }

    void both(const LinkPair& pair)
    {
        for (const Stretch& stretch : labels_.split(Labelled::links, pair.before_row, pair.after_row,
                                                    {pair.b, pair.a, pair.count, changes(pair)}))
        {
            if (stretch.changes.empty()) continue;
            DifferenceEntry& entry = entry_for(Change::changed, after_, pair.after_row, stretch.a, stretch.count);
            entry.attributes = stretch.changes;
            c_.result.links.push_back(
                {pair.after_row, stretch.a, stretch.count, Change::changed, changes_text(stretch.changes)});
        }
    }

    std::vector<AttributeChange> changes(const LinkPair& pair)
    {
        const auto [at, fresh] = known_.try_emplace({pair.before_row, pair.after_row, pair.turned});
        if (fresh) at->second = work_out(pair);
        return at->second;
    }

    std::vector<AttributeChange> work_out(const LinkPair& pair)
    {
        const LinkArray &then = before_.links[pair.before_row], &now = after_.links[pair.after_row];
        std::vector<AttributeChange> list;
        if (has_name(then) && has_name(now) && then.name != now.name) list.push_back({"name", then.name, now.name});
        const auto way = [](const LinkArray& link, bool turned) -> std::string {
            return !link.one_way ? "both ways" : turned ? "one way, from the right" : "one way, from the left";
        };
        if (way(then, pair.turned) != way(now, false))
            list.push_back({"direction", way(then, pair.turned), way(now, false)});
        if (relation(then, pair.turned) != relation(now, false))
            list.push_back({"relation", relation(then, pair.turned), relation(now, false)});
        std::vector<AttributeChange> way_changes[2];
        for (int d = 0; d < 2; ++d) {
            const int from = pair.turned ? 1 - d : d;
            way_changes[d] = attribute_changes(direction_attributes(c_.texts.before, then, from),
                                               direction_attributes(c_.texts.after, now, d));
        }
        if (now.one_way && then.one_way && !pair.turned)
            way_changes[1] = way_changes[0];  // the other one carries nothing
        const auto same = [](const AttributeChange& x, const std::vector<AttributeChange>& all) {
            return std::find(all.begin(), all.end(), x) != all.end();
        };
        for (int d = 0; d < 2; ++d)
            for (AttributeChange change : way_changes[d]) {
                const bool alike = same(change, way_changes[1 - d]);
                if (alike && d == 1) continue;
                if (!alike) change.name += fmt::format(" towards {}", after_.nodes[now.end[1 - d].row.value].name);
                list.push_back(std::move(change));
            }
        const auto rest =
            attribute_changes(link_attributes(c_.texts.before, then), link_attributes(c_.texts.after, now));
        list.insert(list.end(), rest.begin(), rest.end());
        return list;
    }

    static std::string relation(const LinkArray& link, bool turned)
    {
        const std::string name = as_relation_name(link.relation);
        if (!turned) return name;
        return name == "customer" ? "provider" : name == "provider" ? "customer" : name;
    }

    Comparison& c_;
    const LabelComparison& labels_;
    const Network &before_, &after_;
    std::vector<LinkPair> pairs_;
    std::vector<LinkRun> left_before_, left_after_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::vector<AttributeChange>> known_;
};

}  // namespace

void compare_links(Comparison& comparison, const LabelComparison& labels) { LinkComparison(comparison, labels).run(); }

}  // namespace anml
