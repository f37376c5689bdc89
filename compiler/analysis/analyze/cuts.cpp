#include "analysis/analyze/cuts.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace anml {
namespace {

constexpr std::uint32_t kNone = Places::kNone;

struct Joint {
    std::uint32_t to, slot;  // slot: of the direction from left to right
};

// Nodes that pass packets on, and by them what hangs there.
class Transit {
  public:
    explicit Transit(const Places& places) : places_(places), joints_(places.places().size()), homes_(joints_.size())
    {
        for (std::uint32_t s = 0; s < places.slots().size(); ++s) {
            const Slot& slot = places.slots()[s];
            const bool onwards = passes(slot.from) && passes(slot.to);
            if (onwards) joints_[slot.from].push_back({slot.to, lane_of(s)});
            if (!passes(slot.from) && passes(slot.to)) homes_[slot.from].push_back(slot.to);
        }
        for (std::uint32_t p = 0; p < homes_.size(); ++p)
            if (!passes(p)) joints_[p].clear();
    }

    bool passes(std::uint32_t place) const { return places_.places()[place].transit; }
    const std::vector<Joint>& joints(std::uint32_t place) const { return joints_[place]; }
    const std::vector<std::uint32_t>& homes(std::uint32_t place) const { return homes_[place]; }

    // Terminals by the part of the network that they are in, without a node or link.
    struct Parts {
        std::vector<double> sizes;
        std::vector<std::uint32_t> of;  // by place, of those that pass packets on
        double pairs() const
        {
            double sum = 0;
            for (const double size : sizes) sum += size * (size - 1) / 2;
            return sum;
        }
    };

    Parts parts_without(std::uint32_t place, std::uint32_t slot) const
    {
        Parts parts;
        std::vector<std::uint32_t>& part = parts.of;
        std::vector<std::uint32_t> stack;
        part.assign(joints_.size(), kNone);
        for (std::uint32_t start = 0; start < part.size(); ++start) {
            if (start == place || part[start] != kNone || !passes(start)) continue;
            const auto id = static_cast<std::uint32_t>(parts.sizes.size());
            parts.sizes.push_back(0);
            part[start] = id;
            stack.push_back(start);
            while (!stack.empty()) {
                const std::uint32_t at = stack.back();
                stack.pop_back();
                if (places_.places()[at].terminal) parts.sizes[id] += 1;
                for (const Joint& joint : joints_[at]) {
                    if (joint.slot == slot || joint.to == place || part[joint.to] != kNone) continue;
                    part[joint.to] = id;
                    stack.push_back(joint.to);
                }
            }
        }
        for (std::uint32_t p = 0; p < part.size(); ++p) {
            const Place& terminal = places_.places()[p];
            if (!terminal.terminal || passes(p)) continue;
            // A host with links into several parts is in the largest of them; it joins none.
            std::uint32_t best = kNone;
            for (const std::uint32_t home : homes_[p])
                if (home != place && (best == kNone || parts.sizes[part[home]] > parts.sizes[best])) best = part[home];
            if (best == kNone)
                parts.sizes.insert(parts.sizes.end(), terminal.count, 1);
            else
                parts.sizes[best] += terminal.count;
        }
        return parts;
    }

  private:
    // The slot of the other direction belongs to the same link: the one from left to right stands for both.
    std::uint32_t lane_of(std::uint32_t slot)
    {
        if (both_.empty())
            for (std::uint32_t s = 0; s < places_.slots().size(); ++s)
                if (places_.slots()[s].link % 2 == 0) both_[places_.slots()[s].link] = s;
        const auto at = both_.find(places_.slots()[slot].link & ~1u);
        return at == both_.end() ? slot : at->second;
    }

    const Places& places_;
    std::vector<std::vector<Joint>> joints_;
    std::vector<std::vector<std::uint32_t>> homes_;
    std::map<std::uint32_t, std::uint32_t> both_;
};

// Articulation points and bridges (Tarjan, "Depth-first search and linear graph algorithms", 1972). Parallel links are
// no bridges: a link is left out by its slot, not by its end.
class LowPoints {
  public:
    explicit LowPoints(const Transit& transit, std::size_t places) : transit_(transit), found_(places), low_(places)
    {
        for (std::uint32_t root = 0; root < places; ++root)
            if (transit.passes(root) && found_[root] == 0) search(root);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }

    std::vector<std::uint32_t> nodes, links;  // places; slots

  private:
    void search(std::uint32_t root)
    {
        struct Frame {
            std::uint32_t at, by;
            std::size_t next;
        };
        std::vector<Frame> stack{{root, kNone, 0}};
        std::uint32_t children = 0;
        found_[root] = low_[root] = ++clock_;
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const std::vector<Joint>& joints = transit_.joints(frame.at);
            if (frame.next < joints.size()) {
                const Joint joint = joints[frame.next++];
                if (joint.slot == frame.by) continue;
                if (found_[joint.to] != 0) {
                    low_[frame.at] = std::min(low_[frame.at], found_[joint.to]);
                    continue;
                }
                found_[joint.to] = low_[joint.to] = ++clock_;
                stack.push_back({joint.to, joint.slot, 0});
                continue;
            }
            const Frame done = frame;
            stack.pop_back();
            if (stack.empty()) break;
            const std::uint32_t parent = stack.back().at;
            low_[parent] = std::min(low_[parent], low_[done.at]);
            if (low_[done.at] > found_[parent]) links.push_back(done.by);
            if (parent == root)
                ++children;
            else if (low_[done.at] >= found_[parent])
                nodes.push_back(parent);
        }
        if (children > 1) nodes.push_back(root);
    }

    const Transit& transit_;
    std::vector<std::uint32_t> found_, low_;
    std::uint32_t clock_ = 0;
};

}  // namespace

Cuts find_cuts(const Places& places)
{
    const Transit transit(places);
    const LowPoints low(transit, places.places().size());
    Cuts cuts;
    std::vector<char> candidate(places.places().size());
    for (const std::uint32_t node : low.nodes) candidate[node] = 1;
    for (const std::uint32_t terminal : places.terminals()) {
        if (places.places()[terminal].transit) continue;
        const std::vector<std::uint32_t>& homes = transit.homes(terminal);
        if (homes.size() == 1) cuts.single_homed += places.places()[terminal].count;
        // Even all of several links may lead to one node.
        if (!homes.empty() && std::all_of(homes.begin(), homes.end(), [&](auto home) { return home == homes[0]; }))
            candidate[homes[0]] = 1;
    }
    for (std::uint32_t place = 0; place < candidate.size(); ++place)
        if (candidate[place]) cuts.list.push_back({false, place, 0, 0, 0});
    for (const std::uint32_t slot : low.links) cuts.list.push_back({true, 0, slot, 0, 0});

    const Transit::Parts whole = transit.parts_without(kNone, kNone);
    cuts.pairs = whole.pairs();
    tbb::parallel_for(std::size_t{0}, cuts.list.size(), [&](std::size_t i) {
        Cut& cut = cuts.list[i];
        const Transit::Parts left = transit.parts_without(cut.link ? kNone : cut.place, cut.link ? cut.slot : kNone);
        // What was one part, and the largest of its pieces.
        const std::uint32_t part = whole.of[cut.link ? places.slots()[cut.slot].from : cut.place];
        const double itself = !cut.link && places.places()[cut.place].terminal ? 1 : 0;
        double largest = std::min(whole.sizes[part] - itself, 1.0);
        for (std::uint32_t place = 0; place < whole.of.size(); ++place)
            if (whole.of[place] == part && left.of[place] != kNone)
                largest = std::max(largest, left.sizes[left.of[place]]);
        cut.pairs = cuts.pairs - left.pairs() - itself * (whole.sizes[part] - 1);
        cut.nodes = whole.sizes[part] - itself - largest;
    });
    std::erase_if(cuts.list, [](const Cut& cut) { return cut.pairs <= 0; });
    std::sort(cuts.list.begin(), cuts.list.end(), [](const Cut& a, const Cut& b) {
        return std::tuple(-a.pairs, a.link, a.place, a.slot) < std::tuple(-b.pairs, b.link, b.place, b.slot);
    });
    return cuts;
}

}  // namespace anml
