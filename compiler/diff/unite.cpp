// Both networks as one: rows of the second network keep their numbers, arrays that shrank their old length, and rows
// that are gone stand behind them.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/network_queries.h"
#include "diff/phrases.h"

namespace anml {

namespace {

Mark mark_of(Change change)
{
    return change == Change::added ? Mark::added : change == Change::removed ? Mark::removed : Mark::changed;
}

class NetworkUnion {
  public:
    NetworkUnion(const BuiltNetwork& before, const BuiltNetwork& after, const NetworkDifference& difference)
        : before_(before.network), difference_(difference), tunables_(default_tunables(before_))
    {
        Network& n = united_.network;
        n = after.network;
        n.workloads.clear(), n.static_routes.clear(), n.segment_routes.clear(), n.timeline.clear(), n.regions.clear();
        n.queries.clear(), n.requirements.clear(), n.measures.clear(), n.measured.clear();
        n.model_doc.clear();
        if (before_.model_name != n.model_name)
            n.model_name = fmt::format("{} and {}", before_.model_name, n.model_name);
    }

    UnitedNetwork make()
    {
        add_nodes();
        add_links();
        add_others();
        std::uint32_t id = 0;
        for (NodeArray& row : united_.network.nodes) {
            row.first_node = id;
            id += row.count;
        }
        united_.network.node_count = id;
        id = 0;
        for (LinkArray& row : united_.network.links) {
            row.first_link = id;
            id += 2 * row.count;
        }
        united_.network.directed_links = id;
        for (auto* rows : {&united_.marks.nodes, &united_.marks.links})
            for (RowMarks& row : *rows) tidy(row);
        return std::move(united_);
    }

  private:
    void add_nodes()
    {
        Network& n = united_.network;
        for (std::uint32_t b = 0; b < before_.nodes.size(); ++b) {
            const NodeArray& gone = before_.nodes[b];
            const std::uint32_t partner = difference_.after_row[b];
            row_of_.push_back(partner == abi::kNone ? static_cast<std::uint32_t>(n.nodes.size()) : partner);
            if (partner == abi::kNone) {
                n.nodes.push_back(gone);
                NodeArray& row = n.nodes.back();
                row.tcp = row.processing = row.icmp_limits = row.buffer = row.radio = row.task = abi::kNone;
                if (row.middlebox != abi::kNone) {  // pictures say what it is, and no more
                    n.records.push_back({before_.records[gone.middlebox].layout, {}});
                    row.middlebox = static_cast<std::uint32_t>(n.records.size() - 1);
                }
                continue;
            }
            NodeArray& row = n.nodes[partner];
            if (gone.count <= row.count) continue;
            if (!row.positions.empty() || !gone.positions.empty()) {
                const std::uint32_t kept = row.count;
                std::vector<NodePosition> places;
                for (std::uint32_t e = 0; e < gone.count; ++e) {
                    const auto place = e < kept ? row.position_of(e) : gone.position_of(e);
                    if (place) places.push_back(*place);
                }
                row.positions = places.size() == gone.count ? std::move(places) : std::vector<NodePosition>();
            }
            row.count = gone.count;
        }
        united_.marks.nodes.resize(n.nodes.size());
        for (const MarkedElements& m : difference_.nodes) {
            const std::uint32_t row = m.change == Change::removed ? row_of_[m.row] : m.row;
            united_.marks.nodes[row].push_back({m.first, m.count, mark_of(m.change), m.text});
        }
    }

    void add_links()
    {
        Network& n = united_.network;
        std::vector<std::pair<std::uint32_t, MarkedRun>> marks;
        for (const MarkedElements& m : difference_.links) {
            if (m.change != Change::removed) {
                marks.emplace_back(m.row, MarkedRun{m.first, m.count, mark_of(m.change), m.text});
                continue;
            }
            // Rows begin with element 0: of what does not each link is a row with the name that it had.
            constexpr std::uint32_t kMostSingle = 256;
            const bool single = m.first > 0 && m.count <= kMostSingle;
            for (std::uint32_t i = 0; i < (single ? m.count : 1); ++i) {
                add_gone(m.row, m.first + i, single ? 1 : m.count);
                marks.emplace_back(n.links.size() - 1, MarkedRun{0, n.links.back().count, Mark::removed, m.text});
            }
        }
        united_.marks.links.resize(n.links.size());
        for (auto& [row, mark] : marks) united_.marks.links[row].push_back(std::move(mark));
    }

    void add_gone(std::uint32_t row, std::uint32_t first, std::uint32_t count)
    {
        Network& n = united_.network;
        LinkArray link = before_.links[row];
        if (link.is_array && first > 0) {
            link.name = link.element_name(first);
            link.is_array = count > 1;
            link.keys = nullptr;
        }
        link.count = count;
        for (LinkEnd& end : link.end) {
            end.first += first * end.stride;
            end.row = NodeRowId{row_of_[end.row.value]};
        }
        const auto number = [&](ValueExprId& id) { id = n.values.constant(before_.values.evaluate(id, tunables_)); };
        for (int d = 0; d < 2; ++d) {
            for (ValueExprId* id : {&link.rate[d], &link.delay[d], &link.queue[d], &link.queue_packets[d]}) number(*id);
            link.discipline[d] = link.trace[d] = link.impairment[d] = abi::kNone;
        }
        number(link.mtu);
        number(link.overhead);
        n.links.push_back(std::move(link));
    }

    // The parts that are not in the picture.
    void add_others()
    {
        constexpr std::size_t kMostEntries = 500;
        for (std::size_t p = 0; p < kParts; ++p) {
            const Part part = static_cast<Part>(p);
            const auto& entries = difference_.part(part);
            if (entries.empty() || part == Part::nodes || part == Part::links) continue;
            MarkedPart& said = united_.marks.others.emplace_back();
            said.title = fmt::format("{}: {}", phrases_of(part).title, counts_text(difference_, part));
            said.more = entries.size() - std::min(entries.size(), kMostEntries);
            for (std::size_t i = 0; i + said.more < entries.size(); ++i) {
                const DifferenceEntry& entry = entries[i];
                MarkedEntry& one = said.entries.emplace_back();
                one.mark = mark_of(entry.change);
                one.name = entry.name;
                if (!entry.what.empty() && part != Part::addresses) one.name += fmt::format(" ({})", entry.what);
                one.text = entry_text(part, entry);
                if (entry.row != abi::kNone) one.row = entry.row;
                one.element = entry.element;
            }
        }
    }

    static std::string entry_text(Part part, const DifferenceEntry& entry)
    {
        if (entry.change == Change::added || entry.change == Change::removed) return facts_text(entry);
        if (has_one_value(entry)) return change_text(entry.attributes[0]);
        constexpr std::size_t kMostLines = 12;
        std::string text;
        if (entry.of != 0)
            text = fmt::format("{} of {} routes{}", entry.count / entry.nodes, entry.of / entry.nodes,
                               entry.nodes > 1 ? " each" : "");
        const std::size_t lines = std::min(entry.attributes.size(), kMostLines);
        for (std::size_t i = 0; i < lines; ++i)
            text += (text.empty() ? "" : "\n") + attribute_line(part, entry.attributes[i], false);
        if (lines < entry.attributes.size()) text += fmt::format("\nand {} more", entry.attributes.size() - lines);
        return text;
    }

    // What is said of one element by two runs is one: a renamed row of which something changed besides.
    static void tidy(RowMarks& row)
    {
        std::stable_sort(row.begin(), row.end(),
                         [](const MarkedRun& x, const MarkedRun& y) { return x.first < y.first; });
        RowMarks apart;
        std::vector<std::uint32_t> cuts;
        for (const MarkedRun& run : row) {
            cuts.push_back(run.first);
            cuts.push_back(run.first + run.count);
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::size_t from = 0;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            MarkedRun part{cuts[i], cuts[i + 1] - cuts[i], Mark::same, ""};
            while (from < row.size() && row[from].first + row[from].count <= cuts[i]) ++from;
            for (std::size_t k = from; k < row.size() && row[k].first <= cuts[i]; ++k) {
                if (row[k].first + row[k].count <= cuts[i]) continue;
                part.mark = row[k].mark;
                part.text += (part.text.empty() ? "" : "\n") + row[k].text;
            }
            if (part.mark != Mark::same) apart.push_back(std::move(part));
        }
        row = std::move(apart);
    }

    const Network& before_;
    const NetworkDifference& difference_;
    const std::vector<double> tunables_;
    UnitedNetwork united_;
    std::vector<std::uint32_t> row_of_;  // by row of the first network
};

}  // namespace

UnitedNetwork unite_networks(const BuiltNetwork& before, const BuiltNetwork& after, const NetworkDifference& difference)
{
    return NetworkUnion(before, after, difference).make();
}

}  // namespace anml
