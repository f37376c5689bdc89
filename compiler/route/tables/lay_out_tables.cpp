#include "route/tables/lay_out_tables.h"

#include <algorithm>

namespace anml {
namespace {

class Layout {
  public:
    Layout(const RowGraph& graph, const TableStore& store, const std::vector<std::uint32_t>& first,
           const std::vector<LaterTable>& later, const EpochChanges& changes, RouteTables& routes)
        : graph_(graph),
          store_(store),
          later_(later),
          changes_(changes),
          present_(first),
          place_(first.size()),
          cut_off_(first.size(), 0)
    {
        find_rows();
        std::uint32_t count = 0;
        for (std::size_t row = 0; row < begins_.size(); ++row) {
            const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
            routes.table_of_row.push_back({count, uniform_[row] ? 0u : 1u});
            for (std::uint32_t v = begin; v < end; ++v) {
                place_[v] = {count, uniform_[row] ? (v == begin ? 1u : 0u) : graph.vertices()[v].count};
                count += place_[v].count;
            }
        }
        routes.tables.reserve(count);
        for (std::uint32_t v = 0; v < place_.size(); ++v)
            for (std::uint32_t i = 0; i < place_[v].count; ++i) routes.tables.push_back(store.table(present_[v]));
    }

    // Those of an epoch, in the order of epochs.
    void add_changes(std::uint32_t epoch, std::vector<abi::TableChange>& changes)
    {
        for (; next_ < later_.size() && later_[next_].epoch == epoch; ++next_) {
            const auto [of, vertex, number] = later_[next_];
            for (std::uint32_t i = 0; i < place_[vertex].count && present_[vertex] != number; ++i)
                changes.push_back({place_[vertex].first + i, store_.table(number)});
            present_[vertex] = number;
        }
    }

    void add_tables(const std::vector<std::uint32_t>& vertices, std::vector<std::uint32_t>& tables) const
    {
        for (const std::uint32_t v : vertices)
            for (std::uint32_t i = 0; i < place_[v].count; ++i) tables.push_back(place_[v].first + i);
    }

    std::uint32_t first_table(std::uint32_t vertex) const { return place_[vertex].first; }

  private:
    struct Place {
        std::uint32_t first = 0, count = 0;
    };

    void find_rows()
    {
        for (std::size_t row = 0; row < graph_.rows(); ++row) {
            begins_.push_back(graph_.first_vertex(row));
            uniform_.push_back(alike(present_, row));
        }
        std::vector<std::uint32_t> present = present_;
        std::vector<std::size_t> rows;
        const auto touch = [&](std::uint32_t vertex) {
            const auto after = std::upper_bound(begins_.begin(), begins_.end(), vertex);
            rows.push_back(static_cast<std::size_t>(after - begins_.begin() - 1));
        };
        std::size_t next = 0;
        for (std::uint32_t epoch = 0; epoch < changes_.epochs().size(); ++epoch) {
            rows.clear();
            for (; next < later_.size() && later_[next].epoch == epoch; ++next) {
                present[later_[next].vertex] = later_[next].number;
                touch(later_[next].vertex);
            }
            for (const std::uint32_t v : changes_.epochs()[epoch].cut_off) cut_off_[v] = 1, touch(v);
            for (const std::uint32_t v : changes_.epochs()[epoch].joined) cut_off_[v] = 0, touch(v);
            for (const std::size_t row : rows) uniform_[row] = uniform_[row] && alike(present, row);
        }
    }

    bool alike(const std::vector<std::uint32_t>& numbers, std::size_t row) const
    {
        const std::uint32_t begin = graph_.first_vertex(row), end = graph_.first_vertex(row + 1);
        for (std::uint32_t v = begin; v < end; ++v)
            if (numbers[v] != numbers[begin] || cut_off_[v] != cut_off_[begin]) return false;
        return true;
    }

    const RowGraph& graph_;
    const TableStore& store_;
    const std::vector<LaterTable>& later_;
    const EpochChanges& changes_;
    std::vector<std::uint32_t> present_;  // by vertex
    std::vector<Place> place_;            // by vertex: its tables; of a uniform row the first vertex has the one
    std::vector<std::uint32_t> begins_;   // by row: its first vertex
    std::vector<bool> uniform_;           // by row
    std::vector<char> cut_off_;           // by vertex, while rows are found
    std::size_t next_ = 0;                // of later_
};

}  // namespace

void lay_out_tables(const RowGraph& graph, const TableStore& store, const std::vector<std::uint32_t>& first,
                    const std::vector<LaterTable>& later, const std::vector<Epoch>& epochs, const EpochChanges& changes,
                    const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& codes, RouteTables& routes)
{
    Layout layout(graph, store, first, later, changes, routes);
    std::vector<abi::ColumnChange> patches;
    for (const CodePatch& patch : changes.patches()) {
        patches.push_back(
            {patch.column,
             {static_cast<std::uint32_t>(routes.code_changes.size()), static_cast<std::uint32_t>(patch.codes.size())}});
        for (const auto& [index, code] : patch.codes) {
            const std::uint32_t vertex = changes.vertex(index);
            routes.code_changes.push_back({layout.first_table(vertex), codes.at(vertex)[code]});
        }
    }
    for (std::uint32_t e = 0; e < epochs.size(); ++e) {
        const EpochChanges::OfEpoch& of = changes.epochs()[e];
        RouteEpoch& epoch = routes.epochs.emplace_back();
        epoch.time = epochs[e].time;
        epoch.moment = epochs[e].moment;
        epoch.later = epochs[e].later;
        layout.add_changes(e, epoch.changes);
        for (const std::uint32_t patch : of.patches) epoch.columns.push_back(patches[patch]);
        epoch.links = of.links;
        epoch.told = of.told;
        epoch.settled = of.settled;
        layout.add_tables(of.cut_off, epoch.cut_off);
        layout.add_tables(of.joined, epoch.joined);
    }
}

}  // namespace anml
