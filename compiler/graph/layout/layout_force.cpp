// Stress minimisation by stochastic gradient descent (Zheng, Pawar, Goodman, IEEE TVCG 2019), from Pivot MDS (Brandes
// and Pich, GD 2006) as the start, which makes it stable under small changes. Above kExact nodes the distances to
// a sample of nodes stand for those to all.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

constexpr std::size_t kExact = 1200;
constexpr std::size_t kPivots = 50;   // far apart, for the start
constexpr std::size_t kSamples = 30;  // of each node, for the descent

struct Term {
    std::uint32_t i, j;
    float distance, weight_i, weight_j;  // how much i and j are moved by it
};

// A number in [0, 1) from a node's name and a salt: no state, so that other nodes don't change it.
double hashed(std::string_view name, std::uint64_t salt)
{
    std::uint64_t h = 1469598103934665603ULL ^ salt;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    h ^= h >> 31;
    h *= 0x94d049bb133111ebULL;
    h ^= h >> 29;
    return static_cast<double>(h >> 11) * 0x1p-53;
}

class Random {  // splitmix64
  public:
    std::size_t below(std::size_t n)
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<std::size_t>((z ^ (z >> 31)) % n);
    }

  private:
    std::uint64_t state_ = 1;
};

class Component {
  public:
    Component(const Picture& picture, const Adjacency& graph, const std::vector<std::uint32_t>& members,
              std::vector<Point>& at)
        : picture_(picture), graph_(graph), members_(members), at_(at)
    {
    }

    void lay_out()
    {
        if (members_.size() == 1) {
            at_[members_[0]] = {};
            return;
        }
        find_pivots();
        place_by_pivots();
        members_.size() <= kExact ? all_terms() : sparse_terms();
        descend();
        turn();
    }

  private:
    void find_pivots()
    {
        std::vector<std::uint32_t> nearest(graph_.size(), Adjacency::kFar), distance;
        std::uint32_t pivot = members_[0];
        for (std::size_t i = 0; i < std::min(kPivots, members_.size()); ++i) {
            pivots_.push_back(pivot);
            graph_.distances(std::span(&pivot, 1), distance);
            std::vector<float>& column = columns_.emplace_back();
            for (const std::uint32_t m : members_) {
                column.push_back(static_cast<float>(distance[m]));
                nearest[m] = std::min(nearest[m], distance[m]);
            }
            pivot = *std::max_element(members_.begin(), members_.end(),
                                      [&](std::uint32_t a, std::uint32_t b) { return nearest[a] < nearest[b]; });
        }
    }

    // The two main axes of the doubly centred squared distances to the pivots.
    void place_by_pivots()
    {
        const std::size_t n = members_.size(), k = pivots_.size();
        std::vector<double> c(n * k), row_mean(n, 0), column_mean(k, 0);
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t p = 0; p < k; ++p) {
                const double d = columns_[p][i], square = d * d;
                c[i * k + p] = square;
                row_mean[i] += square / static_cast<double>(k);
                column_mean[p] += square / static_cast<double>(n);
                mean += square / static_cast<double>(n * k);
            }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t p = 0; p < k; ++p)
                c[i * k + p] = -0.5 * (c[i * k + p] - row_mean[i] - column_mean[p] + mean);
        std::vector<double> axis[2];
        for (int a = 0; a < 2; ++a) {
            axis[a] = main_axis(c, n, k, a == 1 ? &axis[0] : nullptr);
            double length = 0;
            std::vector<double> on(n, 0);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t p = 0; p < k; ++p) on[i] += c[i * k + p] * axis[a][p];
                length += on[i] * on[i];
            }
            // The spread along an axis is that of the distances: eigenvalues' fourth root of C^T C.
            const double scale =
                length > 0 ? std::sqrt(std::sqrt(length) * std::sqrt(double(n) / double(k))) / std::sqrt(length) : 0;
            for (std::size_t i = 0; i < n; ++i) (a == 0 ? at_[members_[i]].x : at_[members_[i]].y) = on[i] * scale;
        }
        // What is alike to all pivots would lie in one point.
        for (const std::uint32_t m : members_) {
            at_[m].x += 0.4 * (hashed(picture_.nodes[m].name, 1) - 0.5);
            at_[m].y += 0.4 * (hashed(picture_.nodes[m].name, 2) - 0.5);
        }
    }

    static std::vector<double> main_axis(const std::vector<double>& c, std::size_t n, std::size_t k,
                                         const std::vector<double>* other)
    {
        std::vector<double> v(k), product(k);
        for (std::size_t p = 0; p < k; ++p) v[p] = 1 + 0.1 * std::sin(static_cast<double>(p + (other ? 7 : 0)));
        for (int round = 0; round < 60; ++round) {
            if (other) {
                const double along = std::inner_product(v.begin(), v.end(), other->begin(), 0.0);
                for (std::size_t p = 0; p < k; ++p) v[p] -= along * (*other)[p];
            }
            std::fill(product.begin(), product.end(), 0);
            for (std::size_t i = 0; i < n; ++i) {
                double on = 0;
                for (std::size_t p = 0; p < k; ++p) on += c[i * k + p] * v[p];
                for (std::size_t p = 0; p < k; ++p) product[p] += c[i * k + p] * on;
            }
            const double norm = std::sqrt(std::inner_product(product.begin(), product.end(), product.begin(), 0.0));
            if (norm == 0) break;
            for (std::size_t p = 0; p < k; ++p) v[p] = product[p] / norm;
        }
        return v;
    }

    void add_term(std::uint32_t i, std::uint32_t j, double distance, double share_i = 1, double share_j = 1)
    {
        const double weight = 1 / (distance * distance);
        terms_.push_back({i, j, static_cast<float>(distance), static_cast<float>(share_i * weight),
                          static_cast<float>(share_j * weight)});
    }

    void all_terms()
    {
        std::vector<std::uint32_t> distance;
        for (const std::uint32_t i : members_) {
            graph_.distances(std::span(&i, 1), distance);
            for (const std::uint32_t j : members_)
                if (i < j) add_term(i, j, distance[j]);
        }
    }

    void sparse_terms()
    {
        constexpr std::size_t kFewNeighbours = 24;
        for (const std::uint32_t i : members_) {
            const auto near = graph_.of(i);
            for (const std::uint32_t j : near)
                if (i < j) add_term(i, j, 1);
            if (near.size() > kFewNeighbours) continue;
            for (std::size_t a = 0; a < near.size(); ++a)
                for (std::size_t b = a + 1; b < near.size(); ++b)
                    if (!std::binary_search(graph_.of(near[a]).begin(), graph_.of(near[a]).end(), near[b]))
                        add_term(near[a], near[b], 2);
        }
        sampled_terms();
    }

    // Of the far ones each node takes a few at random, which stand for all. Breadth-first searches from 64 nodes at a
    // time: a bit for each (Then et al., VLDB 2014).
    void sampled_terms()
    {
        constexpr std::size_t kBatch = 64;
        struct Sample {
            std::uint32_t source, target;
            std::uint64_t bit;
        };
        const double share = static_cast<double>(members_.size()) / (2.0 * kSamples);
        Random random;
        std::vector<std::uint64_t> seen(graph_.size()), next(graph_.size());
        for (std::size_t begin = 0; begin < members_.size(); begin += kBatch) {
            std::vector<Sample> samples;
            std::vector<std::pair<std::uint32_t, std::uint64_t>> front;
            std::fill(seen.begin(), seen.end(), 0);
            for (std::size_t i = begin; i < std::min(begin + kBatch, members_.size()); ++i) {
                const std::uint64_t bit = std::uint64_t{1} << (i - begin);
                seen[members_[i]] |= bit;
                front.emplace_back(members_[i], bit);
                for (std::size_t s = 0; s < kSamples; ++s)
                    samples.push_back({members_[i], members_[random.below(members_.size())], bit});
            }
            std::erase_if(samples, [](const Sample& s) { return s.source == s.target; });
            for (std::uint32_t distance = 1; !front.empty(); ++distance) {
                std::vector<std::uint32_t> touched;
                for (const auto& [node, bits] : front) {
                    for (const std::uint32_t to : graph_.of(node)) {
                        if ((bits & ~seen[to]) == 0) continue;
                        if (next[to] == 0) touched.push_back(to);
                        next[to] |= bits & ~seen[to];
                    }
                }
                front.clear();
                for (const std::uint32_t node : touched) {
                    seen[node] |= next[node];
                    front.emplace_back(node, next[node]);
                    next[node] = 0;
                }
                std::erase_if(samples, [&](const Sample& s) {
                    if ((seen[s.target] & s.bit) == 0) return false;
                    if (distance > 1) add_term(s.source, s.target, distance, share, share);
                    return true;
                });
            }
        }
    }

    void descend()
    {
        const int rounds = terms_.size() > 500000 ? 20 : 60;  // 15 are said to do (Zheng and others)
        float least = 1, most = 0;
        for (const Term& t : terms_) {
            least = std::min({least, std::max(t.weight_i, t.weight_j)});
            most = std::max({most, t.weight_i, t.weight_j});
        }
        const double start = 0.03 / static_cast<double>(least), end = 0.02 / static_cast<double>(most);
        Random random;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = terms_.size(); i > 1; --i) std::swap(terms_[i - 1], terms_[random.below(i)]);
            const double step = start * std::pow(end / start, double(round) / (rounds - 1));
            for (const Term& t : terms_) {
                const Point apart = at_[t.i] - at_[t.j];
                const double length = std::max(std::sqrt(apart.x * apart.x + apart.y * apart.y), 1e-6);
                const Point pull = (length - static_cast<double>(t.distance)) / (2 * length) * apart;
                at_[t.i] = at_[t.i] - std::min(step * static_cast<double>(t.weight_i), 1.0) * pull;
                at_[t.j] = at_[t.j] + std::min(step * static_cast<double>(t.weight_j), 1.0) * pull;
            }
        }
    }

    // The longest extent lies horizontally, the first node in the upper left.
    void turn()
    {
        Point centre;
        for (const std::uint32_t m : members_) centre = centre + at_[m];
        centre = 1 / static_cast<double>(members_.size()) * centre;
        double xx = 0, xy = 0, yy = 0;
        for (const std::uint32_t m : members_) {
            const Point p = at_[m] - centre;
            xx += p.x * p.x;
            xy += p.x * p.y;
            yy += p.y * p.y;
        }
        const double angle = 0.5 * std::atan2(2 * xy, xx - yy), cosine = std::cos(angle), sine = std::sin(angle);
        for (const std::uint32_t m : members_) {
            const Point p = at_[m] - centre;
            at_[m] = {cosine * p.x + sine * p.y, cosine * p.y - sine * p.x};
        }
        const double x = at_[members_[0]].x, y = at_[members_[0]].y;
        for (const std::uint32_t m : members_) at_[m] = {x > 0 ? -at_[m].x : at_[m].x, y > 0 ? -at_[m].y : at_[m].y};
    }

    const Picture& picture_;
    const Adjacency& graph_;
    const std::vector<std::uint32_t>& members_;
    std::vector<Point>& at_;
    std::vector<std::uint32_t> pivots_;
    std::vector<std::vector<float>> columns_;  // by pivot: distance of each member
    std::vector<Term> terms_;
};

struct Box {
    double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
    void add(Point p)
    {
        left = std::min(left, p.x);
        right = std::max(right, p.x);
        top = std::min(top, p.y);
        bottom = std::max(bottom, p.y);
    }
};

}  // namespace

PictureLayout lay_out_stress(const Picture& picture)
{
    PictureLayout layout;
    layout.at.resize(picture.nodes.size());
    const Adjacency graph(picture);
    // Parts that don't hang together stand in rows, largest first.
    constexpr double kApart = 1.5;
    double area = 0, x = 0, y = 0, row = 0;
    std::vector<Box> boxes;
    const auto parts = graph.components();
    for (const auto& part : parts) {
        if (!lay_out_star(graph, part, layout.at) && !lay_out_circle(graph, part, layout.at))
            Component(picture, graph, part, layout.at).lay_out();
        Box box;
        for (const std::uint32_t m : part) box.add(layout.at[m]);
        boxes.push_back(box);
        area += (box.right - box.left + kApart) * (box.bottom - box.top + kApart);
    }
    const double width = boxes.empty() ? 1 : std::max(boxes[0].right - boxes[0].left, 1.6 * std::sqrt(area));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Box& box = boxes[i];
        if (x > 0 && x + box.right - box.left > width) {
            x = 0;
            y += row + kApart;
            row = 0;
        }
        for (const std::uint32_t m : parts[i]) layout.at[m] = layout.at[m] + Point{x - box.left, y - box.top};
        x += box.right - box.left + kApart;
        row = std::max(row, box.bottom - box.top);
    }
    return layout;
}

}  // namespace anml
