// The folded network: nodes as the plan shows them, then the link rows walked a run at a time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/network_queries.h"
#include "analysis/tasks/task_graph_walk.h"
#include "elaborate/topology/label_table.h"
#include "graph/fold_plan.h"
#include "graph/picture.h"

namespace anml {

std::string_view role_name(Role role)
{
    if (role == Role::component) return "component";
    return abi::node_kind_name(static_cast<abi::NodeKind>(role));
}

bool Picture::has_positions(bool geographic) const
{
    return std::count_if(nodes.begin(), nodes.end(),
                         [&](const PictureNode& n) { return n.position && n.position->geographic == geographic; }) >= 2;
}

namespace {

class Maker {
  public:
    Maker(const PictureInput& input, const FoldPlan& plan)
        : network_(input.network),
          input_(input),
          plan_(plan),
          given_(input.network, "name"),
          tunables_(default_tunables(input.network)),
          node_of_group_(plan.groups().size(), abi::kNone),
          drawn_(plan.groups().size(), abi::kNone),
          places_(input.network.nodes.size())
    {
    }

    Picture make()
    {
        picture_.title = network_.model_name;
        picture_.doc = network_.model_doc;
        picture_.has_load = input_.load != nullptr;
        picture_.load_meaning = input_.load_meaning;
        picture_.has_marks = input_.marks != nullptr;
        if (input_.tasks) {
            picture_.tasks = static_cast<std::uint32_t>(input_.tasks->tasks.size());
            for (const Task& task : input_.tasks->tasks) picture_.task_names.push_back(task.name);
        }
        for (std::size_t row = 0; row < network_.nodes.size(); ++row) add_row(row);
        if (input_.tasks) find_tasks();
        if (input_.load) loads_.assign(input_.load->begin(), input_.load->end());
        std::sort(loads_.begin(), loads_.end());
        for (std::size_t row = 0; row < network_.links.size() && !input_.calls; ++row) add_links(row);
        if (input_.calls) draw_calls();
        number_parallels();
        return std::move(picture_);
    }

  private:
    // Elements [first, first + count) of a row are `node`, or nodes from `node` on.
    struct Place {
        std::uint32_t first, count, node;
        bool one;
    };

    double value(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }

    std::uint32_t drawn_group(std::uint32_t group)
    {
        while (group != abi::kNone && plan_.groups()[group].array) group = plan_.groups()[group].parent;
        if (group == abi::kNone) return group;
        if (drawn_[group] != abi::kNone) return drawn_[group];
        const InstanceGroup& instance = plan_.groups()[group];
        const std::uint32_t parent = drawn_group(instance.parent);
        drawn_[group] = static_cast<std::uint32_t>(picture_.groups.size());
        picture_.groups.push_back({instance.name, std::string(last_part(instance.name)), parent,
                                   std::string(given_.own_of_instance(instance.name))});
        return drawn_[group];
    }

    // What all of them are called by a label of their own: "Staff[40]"; nothing where they differ.
    std::string common_label(std::size_t index, std::uint32_t first, std::uint32_t count) const
    {
        std::string_view given;
        std::uint32_t at = first;
        for (const LabelRun& run : given_.runs_of_nodes(index)) {
            if (run.first > at || (at > first && run.value != given)) break;
            if (run.first + run.count <= at) continue;
            given = run.value;
            at = run.first + run.count;
        }
        if (at < first + count) return "";
        return count == 1 ? std::string(given) : fmt::format("{}[{}]", given, count);
    }

    void add_row(std::size_t index)
    {
        const NodeArray& row = network_.nodes[index];
        if (row.count == 0) return;
        if (const std::uint32_t group = plan_.folded_around(index); group != abi::kNone)
            return add_folded(index, group);
        const std::string short_name(last_part(row.name));
        const std::uint32_t group = drawn_group(plan_.group_of(index));
        const auto add = [&](std::string suffix, std::string label, std::uint32_t first, std::uint32_t count) {
            PictureNode node;
            node.name = row.name + suffix;
            node.label = short_name + label;
            node.given = common_label(index, first, count);
            node.role = static_cast<Role>(row.kind);
            if (row.middlebox != abi::kNone)
                node.middlebox = abi::record_layout(network_.records[row.middlebox].layout).name;
            node.row = static_cast<std::uint32_t>(index);
            node.first = first;
            node.count = count;
            node.stacked = count > 1;
            if (input_.marks) node.mark.add(input_.marks->nodes[index], first, count);
            node.group = group;
            for (std::uint32_t i = first; i < first + (row.positions.empty() ? 1 : count); ++i)
                add_position(node, row.position_of(i), 1);
            if (row.has_ipv4()) {
                node.address = row.address + first;
                node.last_address = node.address + count - 1;
            }
            if (row.has_ipv6) {
                node.has_ipv6 = true;
                node.ipv6 = row.ipv6 + first;
                node.last_ipv6 = node.ipv6 + count - 1;
            }
            picture_.nodes.push_back(std::move(node));
        };
        const auto next = [&] { return static_cast<std::uint32_t>(picture_.nodes.size()); };
        if (plan_.row_fold(index) == RowFold::whole && row.count > 1) {
            places_[index].push_back({0, row.count, next(), true});
            return add("", fmt::format("[{}]", row.count), 0, row.count);
        }
        for (const Run& run : plan_.runs(index)) {
            const bool stack = plan_.stacks(index, run);
            places_[index].push_back({run.first, run.count, next(), stack});
            if (stack && run.count == row.count) {
                add("", fmt::format("[{}]", run.count), run.first, run.count);
            } else if (stack) {
                const std::string range = elements_of_array(row.keys.get(), run.first, run.count);
                add(range, range, run.first, run.count);
            } else {
                for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                    const std::string element = row.is_array ? elements_of_array(row.keys.get(), i, 1) : "";
                    add(element, element, i, 1);
                }
            }
        }
    }

    void add_folded(std::size_t index, std::uint32_t group)
    {
        const NodeArray& row = network_.nodes[index];
        const InstanceGroup& folded = plan_.groups()[group];
        std::uint32_t& at = node_of_group_[group];
        if (at == abi::kNone) {
            at = static_cast<std::uint32_t>(picture_.nodes.size());
            PictureNode node;
            node.name = folded.name;
            node.label = std::string(last_part(folded.name));
            if (folded.array) node.label += fmt::format("[{}]", folded.instances);
            if (!folded.array) node.given = given_.own_of_instance(folded.name);
            node.role = Role::component;
            node.count = 0;
            node.stacked = folded.array && folded.instances > 1;
            node.group = drawn_group(folded.parent);
            picture_.nodes.push_back(std::move(node));
        }
        PictureNode& node = picture_.nodes[at];
        for (std::uint32_t i = 0; i < (row.positions.empty() ? 1 : row.count); ++i)
            add_position(node, row.position_of(i), row.positions.empty() ? row.count : 1);
        node.count += row.count;
        if (input_.marks) node.mark.add(input_.marks->nodes[index], 0, row.count);
        if (row.has_ipv6) {
            node.ipv6 = node.has_ipv6 ? std::min(node.ipv6, row.ipv6) : row.ipv6;
            node.last_ipv6 = std::max(node.last_ipv6, row.ipv6 + row.count - 1);
            node.has_ipv6 = true;
        }
        if (row.has_ipv4()) {
            node.address = node.address == 0 ? row.address : std::min(node.address, row.address);
            node.last_address = std::max(node.last_address, row.address + row.count - 1);
        }
        places_[index].push_back({0, row.count, at, true});
    }

    // The middle of those before, and of `count` more at a place.
    static void add_position(PictureNode& node, const std::optional<NodePosition>& place, std::uint32_t count)
    {
        if (!place || (node.position && node.position->geographic != place->geographic)) return;
        node.positioned += count;
        if (!node.position) {
            node.position = place;
            return;
        }
        const double share = static_cast<double>(count) / node.positioned;
        node.position->x += share * (place->x - node.position->x);
        node.position->y += share * (place->y - node.position->y);
    }

    void find_tasks()
    {
        const TaskMap map(network_, input_.tasks->tasks);
        for (std::size_t row = 0; row < places_.size(); ++row) {
            for (const Place& place : places_[row]) {
                for (std::uint32_t i = 0; i < place.count;) {
                    const std::uint32_t id = network_.nodes[row].first_node + place.first + i;
                    const abi::TaskRow& run = map.run_of(id);
                    PictureNode& node = picture_.nodes[place.one ? place.node : place.node + i];
                    if (node.task == abi::kNone) node.task = run.task;
                    node.several_tasks |= node.task != run.task;
                    i += place.one ? std::min(place.count - i, run.first_node + run.count - id) : 1;
                }
            }
        }
    }

    // The node that holds an element of a row, and how many elements from this one on it holds.
    std::pair<std::uint32_t, std::uint32_t> node_at(NodeRowId row, std::uint32_t element) const
    {
        const std::vector<Place>& places = places_[row.value];
        const auto after = std::upper_bound(places.begin(), places.end(), element,
                                            [](std::uint32_t e, const Place& p) { return e < p.first; });
        const Place& place = *(after - 1);
        if (place.one) return {place.node, place.first + place.count - element};
        return {place.node + element - place.first, 1};
    }

    void add_links(std::size_t index)
    {
        const LinkArray& link = network_.links[index];
        for (std::uint32_t element = 0, count; element < link.count; element += count) {
            std::uint32_t node[2];
            count = link.count - element;
            for (int side = 0; side < 2; ++side) {
                const LinkEnd& end = link.end[side];
                const auto [at, held] = node_at(end.row, end.first + element * end.stride);
                node[side] = at;
                if (end.stride != 0) count = std::min(count, held);
            }
            if (node[0] == node[1]) {
                picture_.nodes[node[0]].inner_links += count;
                if (input_.marks) picture_.nodes[node[0]].mark.add_inner(input_.marks->links[index], element, count);
                continue;
            }
            const bool single = picture_.nodes[node[0]].count == 1 && picture_.nodes[node[1]].count == 1;
            for (std::uint32_t i = element; single && i < element + count; ++i) add_edge(index, i, 1, node, true);
            if (!single) add_edge(index, element, count, node, false);
        }
    }

    void add_edge(std::size_t index, std::uint32_t element, std::uint32_t count, const std::uint32_t (&node)[2],
                  bool apart)
    {
        const LinkArray& link = network_.links[index];
        const auto key = std::minmax(node[0], node[1]);
        auto place = static_cast<std::uint32_t>(picture_.edges.size());
        if (!apart) place = edge_of_.try_emplace(std::pair(key.first, key.second), place).first->second;
        const bool fresh = place == picture_.edges.size();
        if (fresh) picture_.edges.emplace_back();
        PictureEdge& edge = picture_.edges[place];
        if (fresh) {
            edge.a = node[0];
            edge.b = node[1];
            edge.row = static_cast<std::uint32_t>(index);
            edge.links = 0;
            edge.one_way = link.one_way;
        }
        edge.links += count;
        if (input_.marks) edge.mark.add(input_.marks->links[index], element, count);
        edge.one_way = edge.one_way && link.one_way && edge.a == node[0];
        picture_.has_one_way |= link.one_way;
        if (edge.row != index) edge.row = abi::kNone;
        if (edge.links == 1)
            edge.name = link.element_name(element);
        else if (edge.row != abi::kNone)
            edge.name = fmt::format("{}[{}]", link.name, edge.links);
        else
            edge.name = fmt::format("{} links", edge.links);
        edge.given = edge.links == 1 ? given_.own_of_link(index, element) : std::string_view{};
        const auto widen = [&](Extent& extent, ValueExprId id) {
            const double v = value(id);
            if (fresh) extent = {v, v};
            extent.add(v);
        };
        const auto at = [&](std::uint32_t i, int direction) {
            return link.first_link + 2 * i + static_cast<std::uint32_t>(direction);
        };
        NetworkMoment* moment = input_.moment;
        const bool changed = moment && moment->touches(index);
        const auto widen_by = [&](Extent& extent, bool first, double v) {
            if (first) extent = {v, v};
            extent.add(v);
        };
        for (int direction = 0; direction < 2; ++direction) {
            const int to = edge.a == node[0] ? direction : 1 - direction;
            for (std::uint32_t i = element; changed && i < element + count; ++i) {
                widen_by(edge.rate[to], fresh && i == element, moment->rate(at(i, direction)));
                widen_by(edge.delay[to], fresh && i == element, moment->delay(at(i, direction)));
                widen_by(edge.queue[to], fresh && i == element, moment->queue(at(i, direction)));
            }
            if (!changed) widen(edge.rate[to], link.rate[direction]);
            if (!changed) widen(edge.delay[to], link.delay[direction]);
            if (!changed) widen(edge.queue[to], link.queue[direction]);
        }
        for (std::uint32_t i = element; moment && moment->down_count() > 0 && i < element + count; ++i)
            edge.down += moment->down(at(i, 0)) || moment->down(at(i, 1));
        widen(edge.mtu, link.mtu);
        widen(edge.overhead, link.overhead);
        const auto [from, until] = alike(link, element, count);
        for (auto load = std::lower_bound(loads_.begin(), loads_.end(), std::pair(link.first_link + 2 * from, -1.0));
             load != loads_.end() && load->first < link.first_link + 2 * until; ++load)
        {
            const std::uint32_t direction = (load->first - link.first_link) % 2;
            double& most = edge.load[edge.a == node[0] ? direction : 1 - direction];
            most = std::max(most, load->second);
        }
    }

    // The elements of a link row around these that join the same runs: a flow that stands for all hosts of a run is
    // counted on the link of the first.
    std::pair<std::uint32_t, std::uint32_t> alike(const LinkArray& link, std::uint32_t element,
                                                  std::uint32_t count) const
    {
        std::uint32_t from = 0, to = link.count;
        for (const LinkEnd& end : link.end) {
            if (end.stride == 0) continue;
            const std::vector<Run>& runs = plan_.runs(end.row.value);
            const auto after = std::upper_bound(runs.begin(), runs.end(), end.first + element,
                                                [](std::uint32_t e, const Run& run) { return e < run.first; });
            const Run& run = *(after - 1);
            from = std::max(from, run.first > end.first ? run.first - end.first : 0);
            to = std::min(to, run.first + run.count - end.first);
        }
        const bool moves = link.end[0].stride != 0 || link.end[1].stride != 0;
        return moves ? std::pair(from, std::max(to, element + count)) : std::pair(element, element + count);
    }

    std::vector<std::uint32_t> shown(const std::vector<TargetRange>& ranges) const
    {
        std::set<std::uint32_t> nodes;
        for (const TargetRange& range : ranges) {
            for (std::uint32_t i = range.first, held; i < range.first + range.count; i += held) {
                const auto [node, count] = node_at(range.row, i);
                nodes.insert(node);
                held = count;
            }
        }
        return {nodes.begin(), nodes.end()};
    }

    // An arrow from all that a workload runs on to all that it asks, and of nodes those that ask or are asked.
    void draw_calls()
    {
        picture_.has_calls = picture_.has_one_way = true;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string_view>> calls;
        for (const WorkloadInfo& workload : network_.workloads)
            for (const std::uint32_t from : shown(workload.targets))
                for (const std::uint32_t to : shown(workload.peers))
                    if (from != to) calls[{from, to}].push_back(workload.name);
        std::vector<std::uint32_t> place(picture_.nodes.size(), abi::kNone);
        for (const auto& [ends, names] : calls) place[ends.first] = place[ends.second] = 0;
        std::vector<PictureNode> taking_part;
        for (std::size_t i = 0; i < place.size(); ++i) {
            if (place[i] == abi::kNone) continue;
            place[i] = static_cast<std::uint32_t>(taking_part.size());
            taking_part.push_back(std::move(picture_.nodes[i]));
        }
        picture_.nodes = std::move(taking_part);
        for (const auto& [ends, names] : calls) {
            PictureEdge& edge = picture_.edges.emplace_back();
            edge.a = place[ends.first];
            edge.b = place[ends.second];
            edge.one_way = true;
            edge.name = names[0];
            edge.calls = names.size() == 1 ? std::string(names[0]) : fmt::format("{} workloads", names.size());
        }
    }

    void number_parallels()
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> between;
        for (std::uint32_t i = 0; i < picture_.edges.size(); ++i) {
            const auto key = std::minmax(picture_.edges[i].a, picture_.edges[i].b);
            between[std::pair(key.first, key.second)].push_back(i);
        }
        for (const auto& [ends, edges] : between) {
            for (std::size_t i = 0; i < edges.size(); ++i) {
                picture_.edges[edges[i]].parallel = static_cast<std::uint32_t>(i);
                picture_.edges[edges[i]].parallels = static_cast<std::uint32_t>(edges.size());
            }
        }
    }

    const Network& network_;
    const PictureInput& input_;
    const FoldPlan& plan_;
    const Labels given_;  // names that the model gives
    std::vector<double> tunables_;
    Picture picture_;
    std::vector<std::uint32_t> node_of_group_, drawn_;
    std::vector<std::vector<Place>> places_;
    std::vector<std::pair<std::uint32_t, double>> loads_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edge_of_;
};

}  // namespace

Picture make_picture(const PictureInput& input, const FoldPlan& plan) { return Maker(input, plan).make(); }

}  // namespace anml
