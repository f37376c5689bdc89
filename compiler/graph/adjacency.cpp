// Neighbours as sorted slices, and breadth-first searches on them.
#include "graph/adjacency.h"

#include <algorithm>

namespace anml {

Adjacency::Adjacency(const Picture& picture)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const PictureEdge& edge : picture.edges) {
        pairs.emplace_back(edge.a, edge.b);
        pairs.emplace_back(edge.b, edge.a);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    first_.assign(picture.nodes.size() + 1, 0);
    for (const auto& [from, to] : pairs) {
        ++first_[from + 1];
        neighbours_.push_back(to);
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

void Adjacency::distances(std::span<const std::uint32_t> from, std::vector<std::uint32_t>& distance) const
{
    distance.assign(size(), kFar);
    std::vector<std::uint32_t> queue(from.begin(), from.end());
    for (const std::uint32_t node : queue) distance[node] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const std::uint32_t to : of(queue[next])) {
            if (distance[to] != kFar) continue;
            distance[to] = distance[queue[next]] + 1;
            queue.push_back(to);
        }
    }
}

std::vector<std::vector<std::uint32_t>> Adjacency::components() const
{
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<char> seen(size(), 0);
    for (std::uint32_t start = 0; start < size(); ++start) {
        if (seen[start]) continue;
        std::vector<std::uint32_t>& part = parts.emplace_back(1, start);
        seen[start] = 1;
        for (std::size_t next = 0; next < part.size(); ++next) {
            for (const std::uint32_t to : of(part[next])) {
                if (seen[to]) continue;
                seen[to] = 1;
                part.push_back(to);
            }
        }
        std::sort(part.begin(), part.end());
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() > b.size() : a.front() < b.front();
    });
    return parts;
}

}  // namespace anml
