// Instances stay together: each is laid out by itself, and stands as one block in the layout of all of them. So boxes
// around instances hold what belongs to them and nothing else.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

constexpr double kMostStretch = 4;  // of a layout, so that nothing has to be moved
constexpr double kGroupPad = 0.5, kNodePad = 0.3;  // around a block's nodes, for boxes and labels

std::uint32_t outermost(const Picture& picture, std::uint32_t node)
{
    std::uint32_t group = picture.nodes[node].group;
    while (group != abi::kNone && picture.groups[group].parent != abi::kNone) group = picture.groups[group].parent;
    return group;
}

// An instance, or a node that is in none.
struct Block {
    std::uint32_t group = abi::kNone;
    std::vector<std::uint32_t> nodes;
    std::vector<Point> at;  // by node, around the block's middle
    Point half, middle;
};

class Blocks {
  public:
    explicit Blocks(const Picture& picture) : picture_(picture), block_of_(picture.nodes.size())
    {
        const std::vector<char> open = find_open();
        std::map<std::uint32_t, std::uint32_t> known;
        for (std::uint32_t i = 0; i < picture.nodes.size(); ++i) {
            std::uint32_t group = outermost(picture, i);
            if (group != abi::kNone && open[group]) group = abi::kNone;
            auto block = static_cast<std::uint32_t>(blocks_.size());
            if (group != abi::kNone) block = known.try_emplace(group, block).first->second;
            if (block == blocks_.size()) blocks_.emplace_back().group = group;
            blocks_[block].nodes.push_back(i);
            block_of_[i] = block;
        }
    }

    bool worth_it() const
    {
        return blocks_.size() > 1 && std::any_of(blocks_.begin(), blocks_.end(), [](const Block& b) {
                   return b.group != abi::kNone && b.nodes.size() > 1;
               });
    }

    PictureLayout lay_out()
    {
        for (Block& block : blocks_) lay_out_inside(block);
        place();
        for (int round = 0; round < 2; ++round)
            for (Block& block : blocks_) turn(block);
        push_apart();
        if (const double more = room_for_boxes(); more > 0) {
            for (Block& block : blocks_)
                if (block.group != abi::kNone) block.half = block.half + Point{more, more};
            push_apart();
        }
        PictureLayout layout;
        layout.kind = LayoutKind::force;
        layout.at.resize(picture_.nodes.size());
        for (const Block& block : blocks_)
            for (std::size_t i = 0; i < block.nodes.size(); ++i)
                layout.at[block.nodes[i]] = block.middle + block.at[i];
        return layout;
    }

  private:
    // By instance: whether links lead out from so many of its nodes, as from a fabric, that these have to stand among
    // those that they lead to.
    std::vector<char> find_open() const
    {
        constexpr std::size_t kFew = 6;
        std::vector<char> leads_out(picture_.nodes.size(), 0), open(picture_.groups.size(), 0);
        std::vector<std::size_t> nodes(picture_.groups.size(), 0), out(picture_.groups.size(), 0);
        for (const PictureEdge& edge : picture_.edges)
            if (outermost(picture_, edge.a) != outermost(picture_, edge.b)) leads_out[edge.a] = leads_out[edge.b] = 1;
        for (std::uint32_t i = 0; i < picture_.nodes.size(); ++i) {
            const std::uint32_t group = outermost(picture_, i);
            if (group == abi::kNone) continue;
            ++nodes[group];
            out[group] += leads_out[i] != 0;
        }
        for (std::size_t g = 0; g < open.size(); ++g) open[g] = out[g] > std::max(kFew, nodes[g] / 4);
        return open;
    }

    // The block as a picture of its own, without the instance that it is.
    Picture inside(const Block& block) const
    {
        Picture part;
        std::vector<std::uint32_t> group(picture_.groups.size(), abi::kNone), node(picture_.nodes.size(), abi::kNone);
        for (std::uint32_t g = 0; g < picture_.groups.size(); ++g) {
            const std::uint32_t parent = picture_.groups[g].parent;
            if (parent == abi::kNone || (parent != block.group && group[parent] == abi::kNone)) continue;
            group[g] = static_cast<std::uint32_t>(part.groups.size());
            part.groups.push_back(picture_.groups[g]);
            part.groups.back().parent = group[parent];
        }
        for (const std::uint32_t i : block.nodes) {
            node[i] = static_cast<std::uint32_t>(part.nodes.size());
            part.nodes.push_back(picture_.nodes[i]);
            if (part.nodes.back().group != abi::kNone) part.nodes.back().group = group[part.nodes.back().group];
        }
        for (const PictureEdge& edge : picture_.edges) {
            if (node[edge.a] == abi::kNone || node[edge.b] == abi::kNone) continue;
            part.edges.push_back(edge);
            part.edges.back().a = node[edge.a];
            part.edges.back().b = node[edge.b];
        }
        return part;
    }

    void lay_out_inside(Block& block) const
    {
        block.at.assign(1, {});
        if (block.nodes.size() > 1) block.at = lay_out_force(inside(block)).at;
        Point low = block.at[0], high = low;
        for (const Point p : block.at) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const double pad = block.group == abi::kNone ? kNodePad : kGroupPad;
        block.half = 0.5 * (high - low) + Point{pad, pad};
        for (Point& p : block.at) p = p - 0.5 * (low + high);
    }

    // Blocks as single nodes, so far apart that most of those that are linked don't overlap.
    void place()
    {
        Picture whole;
        for (const Block& block : blocks_) {
            whole.nodes.push_back(picture_.nodes[block.nodes[0]]);
            whole.nodes.back().group = abi::kNone;
        }
        for (const PictureEdge& edge : picture_.edges) {
            if (block_of_[edge.a] == block_of_[edge.b]) continue;
            whole.edges.push_back(edge);
            whole.edges.back().a = block_of_[edge.a];
            whole.edges.back().b = block_of_[edge.b];
        }
        const std::vector<Point> at = lay_out_stress(whole).at;
        std::vector<double> wanted{1};
        for (const PictureEdge& edge : whole.edges) {
            const Point a = blocks_[edge.a].half, b = blocks_[edge.b].half, way = at[edge.a] - at[edge.b];
            const double length = std::max(std::hypot(way.x, way.y), 1e-3);
            wanted.push_back((0.6 + 0.8 * (std::hypot(a.x, a.y) + std::hypot(b.x, b.y))) / length);
        }
        const auto most = wanted.begin() + static_cast<std::ptrdiff_t>(wanted.size() * 7 / 10);
        std::nth_element(wanted.begin(), most, wanted.end());
        const double scale = std::max(*most, 1.0), clear = clear_scale(at);
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            blocks_[b].middle = (clear < kMostStretch * scale ? std::max(scale, clear) : scale) * at[b];
    }

    // With which no two blocks overlap.
    double clear_scale(const std::vector<Point>& at) const
    {
        double scale = 1;
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            for (std::size_t j = i + 1; j < blocks_.size(); ++j) {
                const Point way = at[i] - at[j], reach = blocks_[i].half + blocks_[j].half;
                scale = std::max(scale, std::min(reach.x / std::max(std::abs(way.x), 1e-9),
                                                 reach.y / std::max(std::abs(way.y), 1e-9)));
            }
        return scale;
    }

    // Turned and mirrored so that links to others are shortest.
    void turn(Block& block) const
    {
        if (block.nodes.size() < 2) return;
        std::vector<std::uint32_t> place(picture_.nodes.size(), abi::kNone);
        for (std::uint32_t i = 0; i < block.nodes.size(); ++i) place[block.nodes[i]] = i;
        std::vector<std::pair<std::uint32_t, Point>> out;  // who has a link to where
        for (const PictureEdge& edge : picture_.edges)
            for (const auto& [here, there] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)})
                if (place[here] != abi::kNone && place[there] == abi::kNone) {
                    const Block& other = blocks_[block_of_[there]];
                    const auto at = std::find(other.nodes.begin(), other.nodes.end(), there) - other.nodes.begin();
                    out.emplace_back(place[here], other.middle + other.at[static_cast<std::size_t>(at)]);
                }
        if (out.empty()) return;
        using Turn = std::array<double, 4>;
        constexpr Turn kTurns[] = {{1, 0, 0, 1},  {0, -1, 1, 0}, {-1, 0, 0, -1}, {0, 1, -1, 0},
                                   {-1, 0, 0, 1}, {0, 1, 1, 0},  {1, 0, 0, -1},  {0, -1, -1, 0}};
        const auto turned = [](const Turn& t, Point p) {
            return Point{t[0] * p.x + t[1] * p.y, t[2] * p.x + t[3] * p.y};
        };
        const Turn* best = kTurns;
        double least = 1e300;
        for (const Turn& t : kTurns) {
            double sum = 0;
            for (const auto& [node, to] : out) {
                const Point way = to - (block.middle + turned(t, block.at[node]));
                sum += std::hypot(way.x, way.y);
            }
            if (sum > least - 1e-9) continue;
            least = sum;
            best = &t;
        }
        for (Point& p : block.at) p = turned(*best, p);
        if ((*best)[0] == 0) std::swap(block.half.x, block.half.y);
    }

    // How much wider blocks have to be for the boxes around their nodes, which are as large as arrange() makes them.
    double room_for_boxes() const
    {
        Point low{1e300, 1e300}, high{-1e300, -1e300};
        for (const Block& block : blocks_) {
            low = {std::min(low.x, block.middle.x - block.half.x), std::min(low.y, block.middle.y - block.half.y)};
            high = {std::max(high.x, block.middle.x + block.half.x), std::max(high.y, block.middle.y + block.half.y)};
        }
        const double area = (high.x - low.x) * (high.y - low.y);
        const double radius = 0.14 * std::sqrt(area / static_cast<double>(picture_.nodes.size()));
        return 2.6 * radius - kGroupPad;
    }

    // Off each other, along the axis on which that takes less.
    void push_apart()
    {
        constexpr int kRounds = 400;
        for (int round = 0; round < kRounds; ++round) {
            bool moved = false;
            for (std::size_t i = 0; i < blocks_.size(); ++i) {
                for (std::size_t j = i + 1; j < blocks_.size(); ++j) {
                    Block &a = blocks_[i], &b = blocks_[j];
                    const Point way = b.middle - a.middle, reach = a.half + b.half;
                    const double x = reach.x - std::abs(way.x), y = reach.y - std::abs(way.y);
                    if (x <= 1e-6 || y <= 1e-6) continue;
                    moved = true;
                    const Point step = x < y ? Point{way.x < 0 ? -x : x, 0} : Point{0, way.y < 0 ? -y : y};
                    a.middle = a.middle - 0.51 * step;
                    b.middle = b.middle + 0.51 * step;
                }
            }
            if (!moved) return;
        }
    }

    const Picture& picture_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> block_of_;
};

}  // namespace

PictureLayout lay_out_force(const Picture& picture)
{
    constexpr std::size_t kMostNodes = 700;  // of those that have boxes
    if (picture.groups.empty() || picture.nodes.size() > kMostNodes) return lay_out_stress(picture);
    Blocks blocks(picture);
    return blocks.worth_it() ? blocks.lay_out() : lay_out_stress(picture);
}

}  // namespace anml
