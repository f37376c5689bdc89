// Fills the page's template: the parts of the program as they are, and the network as JSON, in which rows stay rows.
// The page folds and unfolds by itself; positions are computed here, of every run of alike elements, and stay the same
// whatever is folded.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "analysis/network_queries.h"
#include "base/json.h"
#include "common/base64.h"
#include "elaborate/topology/label_table.h"
#include "graph/figure.h"
#include "graph/writers/embedded_files.h"
#include "graph/writers/page.h"

namespace anml {

namespace {

std::string joined(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",\n")); }

std::string optional_index(std::uint32_t index) { return index == abi::kNone ? "-1" : fmt::format("{}", index); }

bool has_policy(const Network& network)
{
    return std::any_of(network.links.begin(), network.links.end(),
                       [](const LinkArray& link) { return link.relation != AsRelation::none; });
}

class Data {
  public:
    Data(const PictureInput& input, const FoldPlan& plan, const PictureOptions& options)
        : input_(input), network_(input.network), plan_(plan), options_(options), tunables_(default_tunables(network_))
    {
    }

    std::string json()
    {
        static constexpr const char* kColorBy[] = {"role", "task", "delay", "rate", "load", "change"};
        std::string out = fmt::format(
            "{{\"title\":{},\"metric\":\"{}\",\"multipath\":{},\"colour\":\"{}\",\"dark\":{},\"compared\":{},\n",
            json_string(network_.model_name), route_metric_name(network_.metric), network_.multipath,
            kColorBy[static_cast<int>(options_.color_by)], options_.dark, input_.marks != nullptr);
        out += fmt::format("\"rows\":{},\n\"groups\":{},\n\"links\":{},\n", rows(), groups(), links());
        out += runs();
        if (input_.marks) out += fmt::format("\"others\":{},\n", others());
        out += fmt::format("\"tasks\":{},\n\"load\":{},\n{}}}", tasks(), load(), tables());
        return out;
    }

  private:
    double value(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }

    std::string rows() const
    {
        const Labels given(network_, "name");
        std::vector<std::string> items;
        for (const NodeArray& row : network_.nodes)
            items.push_back(
                fmt::format("{{\"name\":{},\"kind\":{},\"count\":{},\"first\":{},\"array\":{},\"address\":{}{}{}{}{}}}",
                            json_string(row.name), static_cast<int>(row.kind), row.count, row.first_node, row.is_array,
                            row.address, keys(row), given_names(given.runs_of_nodes(items.size())), middlebox(row),
                            input_.marks ? changes(input_.marks->nodes[items.size()]) : ""));
        return joined(items);
    }

    template <class Row>
    static std::string keys(const Row& row)
    {
        if (!row.keys) return "";
        std::string list;
        for (std::uint32_t i = 0; i < row.count; ++i)
            list += (i > 0 ? "," : "") + json_string(key_in_names((*row.keys)[i]));
        return fmt::format(",\"keys\":[{}]", list);
    }

    std::string middlebox(const NodeArray& row) const
    {
        if (row.middlebox == abi::kNone) return "";
        std::string name(abi::record_layout(network_.records[row.middlebox].layout).name);
        std::replace(name.begin(), name.end(), '_', ' ');
        return ",\"middlebox\":" + json_string(name);
    }

    // Where networks are compared: first, how many, which mark, and what is said of them.
    static std::string changes(const RowMarks& marks)
    {
        std::string list;
        for (const MarkedRun& run : marks)
            list += fmt::format("{}[{},{},{},{}]", list.empty() ? "" : ",", run.first, run.count,
                                static_cast<int>(run.mark), json_string(run.text));
        return list.empty() ? "" : fmt::format(",\"changes\":[{}]", list);
    }

    std::string others() const
    {
        std::vector<std::string> parts;
        for (const MarkedPart& part : input_.marks->others) {
            std::vector<std::string> entries;
            for (const MarkedEntry& entry : part.entries)
                entries.push_back(fmt::format(
                    "[{},{},{},{}]", static_cast<int>(entry.mark), json_string(entry.name), json_string(entry.text),
                    entry.row ? static_cast<std::int64_t>(network_.nodes[*entry.row].first_node) + entry.element : -1));
            parts.push_back(fmt::format("{{\"title\":{},\"more\":{},\"entries\":{}}}", json_string(part.title),
                                        part.more, joined(entries)));
        }
        return joined(parts);
    }

    // Of elements with a name that the model gives them: first, how many, and the name.
    static std::string given_names(const std::vector<LabelRun>& runs)
    {
        std::string names;
        for (const LabelRun& run : runs)
            names +=
                fmt::format("{}[{},{},{}]", names.empty() ? "" : ",", run.first, run.count, json_string(run.value));
        return names.empty() ? "" : fmt::format(",\"given\":[{}]", names);
    }

    std::string groups() const
    {
        const Labels given(network_, "name");
        std::vector<std::string> items;
        for (const InstanceGroup& group : plan_.groups())
            items.push_back(fmt::format("{{\"name\":{},\"array\":{},\"parent\":{},\"instances\":{},\"given\":{}}}",
                                        json_string(group.name), group.array, optional_index(group.parent),
                                        group.instances, json_string(given.own_of_instance(group.name))));
        return joined(items);
    }

    std::string links() const
    {
        const std::vector<std::int64_t> weights = lane_weights(network_, tunables_);
        const Labels given(network_, "name");
        std::vector<std::string> items;
        for (std::size_t i = 0; i < network_.links.size(); ++i) {
            const LinkArray& link = network_.links[i];
            const auto end = [&](int side) {
                return fmt::format("[{},{},{}]", link.end[side].row.value, link.end[side].first, link.end[side].stride);
            };
            const auto both = [&](const ValueExprId(&v)[2]) {
                return fmt::format("[{},{}]", json_number(value(v[0])), json_number(value(v[1])));
            };
            const std::string cost =
                network_.metric == RouteMetric::cost
                    ? fmt::format(",\"cost\":[{},{}]", cost_weight(link.cost[0]), cost_weight(link.cost[1]))
                    : "";
            items.push_back(fmt::format(
                "{{\"name\":{},\"array\":{},\"count\":{},\"first\":{},\"end\":[{},{}],\"rate\":{},\"delay\":{},"
                "\"queue\":{}{},\"weight\":[{},{}],\"mtu\":{},\"overhead\":{},\"oneWay\":{}{}{}{}}}",
                json_string(link.name), link.is_array, link.count, link.first_link, end(0), end(1), both(link.rate),
                both(link.delay), both(link.queue), cost, weights[2 * i], weights[2 * i + 1],
                json_number(value(link.mtu)), json_number(value(link.overhead)), link.one_way, keys(link),
                given_names(given.runs_of_links(i)), input_.marks ? changes(input_.marks->links[i]) : ""));
        }
        return joined(items);
    }

    // Runs with their places, which of them are open and which instances folded at first, and the coast.
    std::string runs() const
    {
        FoldPlan stacks(network_, nullptr, input_.marks);
        stacks.show_elements_up_to(1);
        const Picture picture = make_picture({network_, input_.tasks}, stacks);
        const auto layout = lay_out(picture, options_.layout).value_or(lay_out_force(picture));
        const Figure figure = arrange(picture, layout);
        std::vector<std::string> items, open, folded, land;
        for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
            const PictureNode& node = picture.nodes[i];
            items.push_back(fmt::format(
                "{{\"row\":{},\"first\":{},\"count\":{},\"x\":{:.1f},\"y\":{:.1f},\"group\":{},\"task\":{}}}", node.row,
                node.first, node.count, figure.at[i].x, figure.at[i].y, optional_index(plan_.group_of(node.row)),
                optional_index(node.task)));
            const bool stacked = plan_.stacks(node.row, {node.first, node.count});
            if (node.count > 1 && plan_.row_fold(node.row) != RowFold::whole && !stacked)
                open.push_back(fmt::format("{}", i));
        }
        for (std::size_t g = 0; g < plan_.groups().size(); ++g)
            if (plan_.folded(static_cast<std::uint32_t>(g))) folded.push_back(fmt::format("{}", g));
        for (const auto& ring : figure.land) {
            std::vector<std::string> points;
            for (const Point p : ring) points.push_back(fmt::format("{:.1f},{:.1f}", p.x, p.y));
            land.push_back(joined(points));
        }
        return fmt::format("\"runs\":{},\n\"open\":{},\n\"folded\":{},\n\"land\":{},\n\"step\":{:.1f},\n",
                           joined(items), joined(open), joined(folded), joined(land), 2 * figure.radius);
    }

    std::string tasks() const
    {
        if (!input_.tasks) return "null";
        std::vector<std::string> items;
        for (const Task& task : input_.tasks->tasks) items.push_back(json_string(task.name));
        return joined(items);
    }

    // The tables that routes are looked up in, where a search on the page would not find the same.
    std::string tables() const
    {
        constexpr std::size_t kMostBytes = 4u << 20;
        const bool plain = page_finds_routes(network_) && !input_.moment;
        std::string out = fmt::format("\"plain\":{},\"segments\":{}", plain, !network_.segment_routes.empty());
        if (plain || !input_.routes) return out;
        const RouteTables& r = *input_.routes;
        out += fmt::format(",\"rules\":{}", json_string(rules()));
        const std::size_t bytes = 24 * (r.tables.size() + r.ranges.size()) + 16 * r.hops.size() +
                                  12 * r.columns.size() + 4 * r.alternatives.size() + r.codes.size();
        if (bytes > kMostBytes) return out + ",\"tooLarge\":true";
        std::vector<std::string> rows;
        for (const RowTable& row : r.table_of_row) rows.push_back(fmt::format("[{},{}]", row.table, row.stride));
        std::string tables, ranges, hops, columns, alternatives;
        for (const abi::RouteTable& t : r.tables)
            numbers(tables, {t.ranges.first, t.ranges.count, t.hops.first, t.hops.count, t.first_code, t.bits});
        const auto hop = [](std::string& to, const abi::NextHop& h) {
            numbers(to, {h.link, h.paths, h.by_destination, h.by_element});
        };
        for (const abi::RouteRange& range : r.ranges) {
            numbers(ranges, {range.first, range.last});
            hop(ranges, range.hop);
        }
        for (const abi::NextHop& h : r.hops) hop(hops, h);
        for (const abi::RouteColumn& c : r.columns) numbers(columns, {c.first, c.last, c.column});
        numbers(alternatives, r.alternatives);
        const std::string codes(reinterpret_cast<const char*>(r.codes.data()), r.codes.size());
        std::vector<std::string> down;  // that routes may still lead over
        for (std::size_t link = 0; link < r.down.size(); ++link)
            if (r.down[link] != 0) down.push_back(std::to_string(link));
        out += fmt::format(",\n\"down\":{}", joined(down));
        return out + fmt::format(
                         ",\n\"tables\":{{\"rows\":{},\"tables\":\"{}\",\"ranges\":\"{}\",\"hops\":\"{}\","
                         "\"columns\":\"{}\",\"alternatives\":\"{}\",\"codes\":\"{}\"}}",
                         joined(rows), base64(tables), base64(ranges), base64(hops), base64(columns),
                         base64(alternatives), base64(codes));
    }

    // What decides about routes besides the metric.
    std::string rules() const
    {
        std::string out = route_metric_name(network_.metric);
        if (network_.multipath) out += ", all equally short";
        if (converges_late(network_)) out += ", converging";
        if (!network_.regions.empty()) out += ", regions";
        if (has_policy(network_)) out += ", policy between autonomous systems";
        if (!network_.static_routes.empty()) out += ", static routes";
        if (!network_.segment_routes.empty()) out += ", routes by segments";
        return out;
    }

    static void numbers(std::string& out, std::span<const std::uint32_t> values)
    {
        for (const std::uint32_t value : values)
            for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 255);
    }
    static void numbers(std::string& out, std::initializer_list<std::uint32_t> values)
    {
        numbers(out, std::span(values.begin(), values.size()));
    }

    std::string load() const
    {
        if (!input_.load) return "null";
        std::vector<std::pair<std::uint32_t, double>> sorted(input_.load->begin(), input_.load->end());
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::string> items;
        for (const auto& [link, share] : sorted) items.push_back(fmt::format("[{},{:.6g}]", link, share));
        return joined(items);
    }

    const PictureInput& input_;
    const Network& network_;
    const FoldPlan& plan_;
    const PictureOptions& options_;
    std::vector<double> tunables_;
};

}  // namespace

bool page_finds_routes(const Network& network)
{
    return network.regions.empty() && network.static_routes.empty() && network.segment_routes.empty() &&
           !has_policy(network);
}

std::string write_page(const PictureInput& input, const FoldPlan& plan, const PictureOptions& options)
{
    return fill_page(embedded_file("page"), [&](std::string_view name) -> std::string {
        if (name == "title") return for_text(input.network.model_name);
        if (name == "data") return for_script(Data(input, plan, options).json());
        return std::string(embedded_file(name));
    });
}

std::string_view embedded_file(std::string_view name) { return find_file(embedded_files(), name); }

}  // namespace anml
