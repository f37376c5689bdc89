#include "simulator/divide.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "net/radio/air.h"

namespace anml::rt {

namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Sets of nodes, each with the process that has it.
class Sets {
  public:
    explicit Sets(std::uint32_t nodes) : leader_(nodes), owner_(nodes, kNobody)
    {
        std::iota(leader_.begin(), leader_.end(), 0u);
    }
    std::uint32_t owner(NodeId node) { return owner_[find(node)]; }
    void give(NodeId node, std::uint32_t process) { owner_[find(node)] = process; }
    // False: they belong to different processes, and stay apart.
    bool join(NodeId a, NodeId b)
    {
        a = find(a);
        b = find(b);
        if (a == b) return true;
        if (owner_[a] != kNobody && owner_[b] != kNobody && owner_[a] != owner_[b]) return false;
        if (b < a) std::swap(a, b);
        leader_[b] = a;
        if (owner_[a] == kNobody) owner_[a] = owner_[b];
        return true;
    }

  private:
    std::uint32_t find(std::uint32_t node)
    {
        while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
        return node;
    }
    std::vector<std::uint32_t> leader_, owner_;  // the owner of a leader is that of its set
};

struct LinkSet {
    std::uint32_t row;
    Time delay;  // the lesser direction
    bool whole;  // never cut
};

template <class Use>
void for_each_link(const abi::LinkRow& row, Use&& use)
{
    for (std::uint32_t element = 0; element < row.count; ++element)
        use(row.node[0] + element * row.stride[0], row.node[1] + element * row.stride[1], row.first_link + 2 * element);
}

}  // namespace

bool divide_between(const Model& model, const Timeline& timeline,
                    std::span<const std::pair<NodeId, std::uint32_t>> owned, std::uint32_t processes, Parts& parts,
                    std::string& error)
{
    const abi::Image& image = model.image();
    Sets sets(image.nodes);
    for (const auto& [node, process] : owned) {
        const std::uint32_t other = sets.owner(node);
        if (other != kNobody && other != process) {
            error = fmt::format("{} belongs to two processes", model.node_name(node));
            return false;
        }
        sets.give(node, process);
    }
    std::vector<LinkSet> links;
    for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
        const abi::LinkRow& row = image.link_rows[r];
        Timeline::Bounds least = timeline.bounds(r, 0);
        if (!row.one_way) least.delay = std::min(least.delay, timeline.bounds(r, 1).delay);
        links.push_back(
            {r, least.delay, least.delay - least.rounded < 1 || access_point_side(model, row.first_link) >= 0});
    }
    std::ranges::sort(links, {}, [](const LinkSet& set) { return std::tuple(!set.whole, set.delay, set.row); });
    for (const LinkSet& set : links) {
        const abi::LinkRow& row = image.link_rows[set.row];
        for_each_link(row, [&](NodeId a, NodeId b, LinkId link) {
            if (sets.join(a, b) || !set.whole || !error.empty()) return;
            error = fmt::format("{} and {} cannot belong to different processes: {}", model.node_name(a),
                                model.node_name(b),
                                set.delay <= 1 ? fmt::format("link {} can have no delay",
                                                             model.text(image.link_rows[model.link_row_of(link)].name))
                                               : "they share the air");
        });
        if (!error.empty()) return false;
    }
    const auto owner = [&](NodeId node) {
        const std::uint32_t process = sets.owner(node);
        return process == kNobody ? 0 : process;
    };
    parts.rows.clear();
    parts.nodes.assign(processes, 0);
    for (NodeId node = 0; node < image.nodes; ++node) {
        const std::uint32_t process = owner(node);
        ++parts.nodes[process];
        if (!parts.rows.empty() && parts.rows.back().task == process)
            ++parts.rows.back().count;
        else
            parts.rows.push_back({node, 1, process});
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, Parts::Border> borders;
    for (const LinkSet& set : links)
        for_each_link(image.link_rows[set.row], [&](NodeId a, NodeId b, LinkId link) {
            const std::pair<std::uint32_t, std::uint32_t> ends = std::minmax({owner(a), owner(b)});
            if (ends.first == ends.second) return;
            auto& border =
                borders.try_emplace(ends, Parts::Border{ends.first, ends.second, set.delay, link, 0}).first->second;
            ++border.links;
        });
    parts.borders.clear();
    for (const auto& [ends, border] : borders) parts.borders.push_back(border);
    return true;
}

}  // namespace anml::rt
