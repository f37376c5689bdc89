// Instances from the names of rows, runs from the row graph, and the choices on them.
#include "graph/fold_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "analysis/routes/row_graph.h"
#include "analysis/tasks/task_graph_walk.h"
#include "elaborate/topology/label_table.h"

namespace anml {

bool matches(std::string_view pattern, std::string_view name)
{
    // Backtracks to the last star only: what came before it is matched as early as can be.
    std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p, ++n;
        } else if (star != std::string_view::npos && name[from] != '.') {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

FoldPlan::FoldPlan(const Network& network, const TaskGraph* tasks, const NetworkMarks* marks)
    : network_(&network),
      runs_(network.nodes.size()),
      row_fold_(network.nodes.size(), RowFold::runs),
      pinned_row_(network.nodes.size(), 0)
{
    std::unordered_map<std::string, std::uint32_t> known;
    const auto group_of = [&](std::string_view path, std::uint32_t parent, bool array, std::uint32_t depth) {
        const auto [at, fresh] = known.try_emplace(std::string(path), static_cast<std::uint32_t>(groups_.size()));
        if (fresh) groups_.push_back({at->first, array, parent, depth, 0});
        return std::pair(at->second, fresh);
    };
    for (const NodeArray& row : network.nodes) {
        std::uint32_t parent = abi::kNone, depth = 0;
        for (std::size_t dot = row.name.find('.'); dot != std::string::npos; dot = row.name.find('.', dot + 1)) {
            const std::string_view path = std::string_view(row.name).substr(0, dot);
            ++depth;
            std::uint32_t array = abi::kNone;
            if (path.back() == ']')
                parent = array = group_of(path.substr(0, path.rfind('[')), parent, true, depth).first;
            const auto [group, fresh] = group_of(path, parent, false, depth);
            if (fresh && array != abi::kNone) ++groups_[array].instances;
            parent = group;
        }
        group_of_row_.push_back(parent);
    }
    folded_.assign(groups_.size(), 0);
    pinned_.assign(groups_.size(), 0);

    const RowGraph graph(network);
    for (const RouteVertex& vertex : graph.vertices()) runs_[vertex.row.value].push_back({vertex.first, vertex.count});
    if (marks) cut(*marks);
    if (!tasks) return;
    const TaskMap map(network, tasks->tasks);
    for (std::size_t row = 0; row < runs_.size(); ++row) {
        std::vector<Run> cut;
        for (Run run : runs_[row]) {
            while (run.count > 0) {
                const std::uint32_t node = network.nodes[row].first_node + run.first;
                const abi::TaskRow& task = map.run_of(node);
                const std::uint32_t count = std::min(run.count, task.first_node + task.count - node);
                cut.push_back({run.first, count});
                run = {run.first + count, run.count - count};
            }
        }
        runs_[row] = std::move(cut);
    }
}

void FoldPlan::cut(const std::vector<std::vector<std::uint32_t>>& borders)
{
    for (std::size_t row = 0; row < runs_.size(); ++row) {
        std::vector<Run> cut;
        for (const Run& run : runs_[row]) {
            std::uint32_t at = run.first;
            const std::uint32_t end = run.first + run.count;
            for (const std::uint32_t border : borders[row]) {
                if (border <= at || border >= end) continue;
                cut.push_back({at, border - at});
                at = border;
            }
            cut.push_back({at, end - at});
        }
        runs_[row] = std::move(cut);
    }
}

void FoldPlan::cut(const NetworkMarks& marks)
{
    std::vector<std::vector<std::uint32_t>> borders(runs_.size());
    for (std::size_t row = 0; row < runs_.size(); ++row)
        for (const MarkedRun& marked : marks.nodes[row])
            borders[row].insert(borders[row].end(), {marked.first, marked.first + marked.count});
    cut(borders);
}

void FoldPlan::tell_apart_by_workloads()
{
    std::vector<std::vector<std::uint32_t>> borders(runs_.size());
    for (const WorkloadInfo& workload : network_->workloads)
        for (const auto* ranges : {&workload.targets, &workload.peers})
            for (const TargetRange& range : *ranges)
                borders[range.row.value].insert(borders[range.row.value].end(),
                                                {range.first, range.first + range.count});
    for (auto& of_row : borders) std::sort(of_row.begin(), of_row.end());
    cut(borders);
}

std::vector<std::string_view> FoldPlan::names() const
{
    std::vector<std::string_view> names;
    for (const InstanceGroup& group : groups_) names.push_back(group.name);
    for (const NodeArray& row : network_->nodes)
        if (row.is_array) names.push_back(row.name);
    return names;
}

// False: there is neither a group nor an array of such a name.
template <typename OfGroup, typename OfRow>
bool FoldPlan::each_match(std::string_view pattern, OfGroup of_group, OfRow of_row)
{
    const auto fits = [&](const std::string& name) { return matches(pattern, name) || pattern == "all"; };
    bool found = pattern == "all";
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
        if (!fits(groups_[i].name)) continue;
        of_group(i);
        found = true;
    }
    for (std::size_t row = 0; row < network_->nodes.size(); ++row) {
        if (!network_->nodes[row].is_array || !fits(network_->nodes[row].name)) continue;
        of_row(row);
        pinned_row_[row] = 1;
        found = true;
    }
    return found;
}

bool FoldPlan::fold(std::string_view pattern)
{
    return each_match(
        pattern, [&](std::uint32_t group) { folded_[group] = pinned_[group] = 1; },
        [&](std::size_t row) { row_fold_[row] = RowFold::whole; });
}

bool FoldPlan::unfold(std::string_view pattern)
{
    return each_match(
        pattern, [&](std::uint32_t group) { open(group); },
        [&](std::size_t row) {
            row_fold_[row] = RowFold::elements;
            open(group_of_row_[row]);
        });
}

void FoldPlan::open(std::uint32_t group)
{
    for (; group != abi::kNone; group = groups_[group].parent) {
        folded_[group] = 0;
        pinned_[group] = 1;
    }
}

void FoldPlan::show_elements_up_to(std::uint32_t count) { elements_up_to_ = count; }

bool FoldPlan::fold_more()
{
    std::uint32_t deepest = 0;
    bool array = true;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (pinned_[i] || folded_[i] || groups_[i].depth < deepest) continue;
        // Instances before the arrays of them.
        array = groups_[i].depth > deepest ? groups_[i].array : array && groups_[i].array;
        deepest = groups_[i].depth;
    }
    if (deepest == 0) return false;
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (!pinned_[i] && groups_[i].depth == deepest && groups_[i].array == array) folded_[i] = 1;
    return true;
}

bool FoldPlan::fold_wider()
{
    const std::size_t before = shown_nodes();
    if (elements_up_to_ > 1) show_elements_up_to(1);
    return shown_nodes() < before || fold_more();
}

// Alike are instances with the same rows of nodes, none of which has a position or the model calls by a name.
void FoldPlan::fold_alike(std::uint32_t least)
{
    const Labels given(*network_, "name");
    std::vector<std::string> rows(groups_.size());  // by instance: what is in it
    std::vector<char> apart(groups_.size(), 0);
    for (std::size_t row = 0; row < group_of_row_.size(); ++row) {
        const NodeArray& nodes = network_->nodes[row];
        for (std::uint32_t g = group_of_row_[row]; g != abi::kNone; g = groups_[g].parent) {
            rows[g] += fmt::format("{} {} {}\n", std::string_view(nodes.name).substr(groups_[g].name.size()),
                                   static_cast<int>(nodes.kind), nodes.count);
            apart[g] |= !nodes.positions.empty() || nodes.position_of(0).has_value();
        }
    }
    std::vector<std::int64_t> first(groups_.size(), -1);  // by array: its first instance
    std::vector<char> differ(groups_.size(), 0);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        const std::uint32_t array = groups_[g].parent;
        if (groups_[g].array || array == abi::kNone || !groups_[array].array) continue;
        if (first[array] < 0) first[array] = g;
        differ[array] |= apart[g] || rows[g] != rows[static_cast<std::size_t>(first[array])] ||
                         !given.own_of_instance(groups_[g].name).empty();
    }
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
        if (groups_[g].array && groups_[g].instances >= least && !differ[g] && !pinned_[g]) folded_[g] = 1;
}

std::uint32_t FoldPlan::folded_outside(std::uint32_t group) const
{
    std::uint32_t outermost = abi::kNone;
    for (; group != abi::kNone; group = groups_[group].parent)
        if (folded_[group]) outermost = group;
    return outermost;
}

std::uint32_t FoldPlan::folded_around(std::size_t row) const { return folded_outside(group_of_row_[row]); }

std::size_t FoldPlan::shown_nodes() const
{
    std::size_t shown = 0;
    std::vector<char> seen(groups_.size(), 0);
    for (std::size_t row = 0; row < runs_.size(); ++row) {
        if (const std::uint32_t group = folded_around(row); group != abi::kNone) {
            shown += !seen[group];
            seen[group] = 1;
        } else if (row_fold_[row] == RowFold::whole) {
            ++shown;
        } else {
            for (const Run& run : runs_[row]) shown += stacks(row, run) ? 1 : run.count;
        }
    }
    return shown;
}

namespace {

bool apply(FoldPlan& plan, const FoldRequest& request, Diagnostics& diagnostics)
{
    const auto unknown = [&](const std::string& name) {
        auto report =
            diagnostics.report(Diag::unknown_part, {}, fmt::format("no array or instance is called `{}`", name));
        if (const std::string_view similar = similar_name(name, plan.names()); !similar.empty())
            report.help(fmt::format("there is `{}`", similar));
        return false;
    };
    for (const std::string& name : request.fold)
        if (!plan.fold(name)) return unknown(name);
    for (const std::string& name : request.unfold)
        if (!plan.unfold(name)) return unknown(name);
    return true;
}

}  // namespace

std::optional<FoldPlan> plan_folds(const Network& network, const TaskGraph* tasks, const FoldRequest& request,
                                   Diagnostics& diagnostics, const NetworkMarks* marks)
{
    constexpr std::size_t kFewNodes = 60;  // with more of them arrays are stacks, however short
    constexpr std::uint32_t kManyAlike = 12;
    FoldPlan plan(network, tasks, marks);
    if (!request.automatic) plan.show_elements_up_to(std::numeric_limits<std::uint32_t>::max());
    if (request.calls) plan.tell_apart_by_workloads();
    if (!apply(plan, request, diagnostics)) return std::nullopt;
    if (request.automatic && request.alike && !marks) plan.fold_alike(kManyAlike);
    if (request.automatic && plan.shown_nodes() > kFewNodes) plan.show_elements_up_to(1);
    while (request.automatic && plan.shown_nodes() > request.most_nodes && plan.fold_more()) {
    }
    return plan;
}

}  // namespace anml
