// Shortest paths towards one vertex: the least length (path_lengths.h), then at each vertex the outgoing link of the
// lowest id. Only routers and switches are passed through. The number of links is in every length, so that no path of
// equals can turn back, and all of them have as many.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "route/search/bucket_queue.h"
#include "route/search/path_graph.h"
#include "route/search/path_lengths.h"
#include "route/search/radix_heap.h"

namespace anml {

inline constexpr std::uint32_t kNoPort = 0xffffffffu;

template <class Rule>
class PathSearch {
  public:
    using Length = typename Rule::Length;

    PathSearch(const PathGraph& graph, const Rule& rule)
        : graph_(graph), rule_(rule), length_(graph.size()), port_(graph.size()), state_(graph.size())
    {
        if constexpr (!Rule::kRefuses) {
            // Zeroes among long delays, say, would make too long a ring.
            constexpr Length kMostBuckets = 1u << 14;
            const Length least = rule.of(graph.least_weight()), greatest = rule.of(graph.greatest_weight());
            if (BucketQueue<Length>::buckets_for(least, greatest) <= kMostBuckets) buckets_.emplace(least, greatest);
        }
    }

    void run(std::uint32_t root)
    {
        root_ = root;
        length_.assign(length_.size(), kFar);
        port_.assign(port_.size(), kNoPort);
        state_.assign(state_.size(), 0);
        if (graph_.changes()) {
            buckets_ ? search<true>(*buckets_) : search<true>(heap_);
        } else {
            buckets_ ? search<false>(*buckets_) : search<false>(heap_);
        }
    }

    // Towards the root of the last run: the port of the lowest link; kNoPort: no path, or the root itself.
    std::uint32_t port(std::uint32_t vertex) const { return port_[vertex]; }
    // Whether other links are as good.
    bool tied(std::uint32_t vertex) const { return (state_[vertex] & kTied) != 0; }
    // All ports that are as good, ascending; of the root those on which it would send to itself.
    std::vector<std::uint32_t> equal_ports(std::uint32_t vertex) const
    {
        std::vector<std::uint32_t> ports;
        Length best = kFar;
        for (const PathGraph::Link& link : graph_.leaving(vertex)) {
            if (link.weight == PathGraph::kClosed) continue;
            if (length_[link.other] == kFar || (link.other != root_ && !graph_.transit(link.other))) continue;
            const Length through = rule_.through(length_[link.other], link);
            if (through == kFar || through > best) continue;
            if (through < best) ports.clear();
            best = through;
            ports.push_back(link.port);
        }
        return ports;
    }

  private:
    static constexpr Length kFar = ~Length{0};
    static constexpr std::uint8_t kDone = 1, kTied = 2;

    // `changing`: links may be closed.
    template <bool changing, class Queue>
    void search(Queue& queue)
    {
        length_[root_] = 0;
        queue.start(0);
        queue.push(0, root_);
        for (std::uint32_t at = 0; queue.pop(at);) {
            if (state_[at] & kDone) continue;
            state_[at] |= kDone;
            if (at != root_ && !graph_.transit(at)) continue;
            for (const PathGraph::Link& link : takers(at)) {
                const std::uint32_t from = link.other;
                if (changing && link.weight == PathGraph::kClosed) continue;
                const Length through = rule_.through(length_[at], link);
                if (Rule::kRefuses && through == kFar) continue;
                if (through < length_[from]) {
                    length_[from] = through;
                    port_[from] = link.port;
                    state_[from] &= static_cast<std::uint8_t>(~kTied);
                    if (tells(from, through)) queue.push(through, from);
                } else if (through == length_[from]) {
                    state_[from] |= kTied;
                    port_[from] = std::min(port_[from], link.port);
                }
            }
        }
    }

    // Links on which others may take what the vertex has, now that its length is known.
    std::span<const PathGraph::Link> takers(std::uint32_t vertex) const
    {
        if constexpr (Rule::kRefuses)
            if (rule_.is_not_for_all(length_[vertex])) return graph_.told_all(vertex);
        return graph_.entering(vertex);
    }

    // Whether anybody may take a route of this length from the vertex: most systems of the Internet have no customer,
    // and tell nobody what others told them.
    bool tells(std::uint32_t vertex, Length length) const
    {
        if constexpr (Rule::kRefuses) return !rule_.is_not_for_all(length) || !graph_.told_all(vertex).empty();
        return true;
    }

    const PathGraph& graph_;
    Rule rule_;
    std::uint32_t root_ = 0;
    std::vector<Length> length_;
    std::vector<std::uint32_t> port_;
    std::vector<std::uint8_t> state_;
    std::optional<BucketQueue<Length>> buckets_;
    RadixHeap<Length> heap_;
};

}  // namespace anml
