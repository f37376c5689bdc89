#include "route/epochs/route_updates.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analysis/network_queries.h"
#include "route/search/path_search.h"

namespace anml {
namespace {

std::uint64_t mixed(std::uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Of all weights that are not as at first: 128 bits, so that two states that are not equal never meet.
struct StateKey {
    std::uint64_t low = 0, high = 0;
    std::uint32_t column = 0;

    void toggle(std::uint32_t edge, std::uint64_t weight)
    {
        const std::uint64_t one = mixed(weight + mixed(edge + 0x9e3779b97f4a7c15u));
        low ^= one;
        high ^= mixed(one ^ (std::uint64_t{edge} << 32 | 0x5bd1e995u));
    }
    friend bool operator==(const StateKey&, const StateKey&) = default;
};
struct StateHash {
    std::size_t operator()(const StateKey& key) const { return key.low ^ mixed(key.column); }
};

template <class Rule>
class Updates : public RouteUpdates {
  public:
    Updates(PathGraph& core, CoreRoutes& routes, const Rule& rule)
        : core_(core),
          routes_(routes),
          rule_(rule),
          searches_([this] { return PathSearch<Rule>(core_, rule_); }),
          present_(routes.columns()),
          affected_(routes.columns())
    {
    }

    std::uint32_t code(std::uint32_t column, std::uint32_t index) const override
    {
        return present_[column].empty() ? routes_.code(column, index) : present_[column][index];
    }

    const std::vector<Change>& update(const WeightChanges& changes) override
    {
        changes_.clear();
        take(changes);
        if (moves_.empty()) return changes_;
        const std::uint32_t columns = routes_.columns();
        for (std::uint32_t column = 0; column < columns; ++column) affected_[column] = is_affected(column);
        for (const Move& move : moves_) core_.set(move.place, move.after);
        for (const std::uint32_t host : hosts_) routes_.renew_default(host);
        std::vector<std::vector<Change>> found(columns);
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, columns, grain()),
                          [&](const tbb::blocked_range<std::uint32_t>& range) {
                              for (std::uint32_t column = range.begin(); column != range.end(); ++column)
                                  if (affected_[column]) renew(column, found[column]);
                          });
        // Follows codes, of which the searches make new ones.
        for (std::uint32_t column = 0; column < columns; ++column)
            if (!affected_[column]) renew_hosts(column, found[column]);
        for (std::uint32_t column = 0; column < columns; ++column) {
            apply(column, found[column]);
            changes_.insert(changes_.end(), found[column].begin(), found[column].end());
        }
        return changes_;
    }

  private:
    using Length = typename Rule::Length;
    static constexpr Length kFar = ~Length{0};
    static constexpr std::size_t kMostKnown = std::size_t{64} << 20;  // bytes

    struct Move {
        PathGraph::Place place;
        std::uint32_t to;
        std::uint64_t before, after;
    };

    void take(const WeightChanges& changes)
    {
        moves_.clear();
        hosts_.clear();
        for (const auto& [edge, weight] : changes) {
            const auto place = core_.place(edge);
            if (!place) continue;
            const PathGraph::Link& link = core_.leaving(place->from)[place->port];
            const std::uint64_t after = core_.weight_of(edge, weight);
            if (link.weight == after) continue;
            const auto [first, fresh] = first_.try_emplace(edge, link.weight);
            if (link.weight != first->second) state_.toggle(edge, link.weight);
            if (after != first->second) state_.toggle(edge, after);
            moves_.push_back({*place, link.other, link.weight, after});
            if (!core_.transit(place->from)) hosts_.push_back(place->from);
        }
        std::sort(hosts_.begin(), hosts_.end());
        hosts_.erase(std::unique(hosts_.begin(), hosts_.end()), hosts_.end());
    }

    // So many columns at a time that it is worth a thread.
    std::uint32_t grain() const { return 1 + 20'000 / (1 + core_.size()); }

    // Whether more than what a host sends on is to be found anew. Weights are still as before.
    bool is_affected(std::uint32_t column) const
    {
        const std::uint32_t root = routes_.root(column);
        for (const Move& move : moves_) {
            const std::uint32_t from = move.place.from;
            if (from == root) {
                if (routes_.is_run(column)) return true;
                continue;
            }
            if (!core_.transit(from) || (move.to != root && !core_.transit(move.to))) continue;
            if (move.after > move.before) {
                if (uses(column, from, move.place.port)) return true;
                continue;
            }
            const auto rest = length(column, move.to);
            if (!rest) continue;
            PathGraph::Link link = core_.leaving(from)[move.place.port];
            link.weight = move.after;
            const Length through = rule_.through(*rest, link);
            if (Rule::kRefuses && through == kFar) continue;
            const auto present = length(column, from);
            if (!present || through <= *present) return true;
        }
        return false;
    }

    bool uses(std::uint32_t column, std::uint32_t index, std::uint32_t port) const
    {
        std::uint32_t single = 0;
        const auto ports = routes_.ports(index, code(column, index), single);
        return std::find(ports.begin(), ports.end(), port) != ports.end();
    }

    // Of the path from a router, or the root itself; nothing: there is none.
    std::optional<Length> length(std::uint32_t column, std::uint32_t index) const
    {
        const std::uint32_t root = routes_.root(column);
        std::vector<const PathGraph::Link*> path;
        for (std::uint32_t at = index; at != root;) {
            std::uint32_t single = 0;
            const auto ports = routes_.ports(at, code(column, at), single);
            if (ports.empty()) return std::nullopt;
            path.push_back(&core_.leaving(at)[ports[0]]);
            at = path.back()->other;
        }
        Length sum = 0;
        for (std::size_t i = path.size(); i-- > 0;) sum = rule_.through(sum, *path[i]);
        return sum;
    }

    void renew(std::uint32_t column, std::vector<Change>& found)
    {
        StateKey key = state_;
        key.column = column;
        std::vector<std::uint32_t> fresh(core_.size(), 0);
        const auto known = known_.find(key);
        if (known != known_.end() || key == StateKey{0, 0, column}) {
            for (std::uint32_t v = 0; v < core_.size(); ++v) fresh[v] = routes_.code(column, v);
            if (known != known_.end())
                for (const auto& [v, code] : known->second) fresh[v] = code;
        } else {
            routes_.column_codes(column, searches_.local(),
                                 [&](std::uint32_t v, std::uint32_t code) { fresh[v] = code; });
        }
        for (std::uint32_t v = 0; v < core_.size(); ++v)
            if (const std::uint32_t before = code(column, v); before != fresh[v])
                found.push_back({column, v, before, fresh[v]});
    }

    void renew_hosts(std::uint32_t column, std::vector<Change>& found)
    {
        const std::uint32_t root = routes_.root(column);
        for (const std::uint32_t host : hosts_) {
            if (host == root) continue;
            std::vector<std::uint32_t> ports;
            Length best = kFar;
            for (const PathGraph::Link& link : core_.leaving(host)) {
                if (link.weight == PathGraph::kClosed || (link.other != root && !core_.transit(link.other))) continue;
                const auto rest = length(column, link.other);
                if (!rest) continue;
                const Length through = rule_.through(*rest, link);
                if (through == kFar || through > best) continue;
                if (through < best) ports.clear();
                best = through;
                ports.push_back(link.port);
            }
            const std::uint32_t port = ports.empty() ? routes_.default_port(host) : ports[0];
            const std::uint32_t before = code(column, host);
            const std::uint32_t after = port == kNoPort ? 0 : routes_.code_for(column, host, port, std::move(ports));
            if (before != after) found.push_back({column, host, before, after});
        }
    }

    void apply(std::uint32_t column, const std::vector<Change>& found)
    {
        if (found.empty()) return;
        std::vector<std::uint32_t>& codes = present_[column];
        if (codes.empty()) {
            codes.resize(core_.size());
            for (std::uint32_t v = 0; v < core_.size(); ++v) codes[v] = routes_.code(column, v);
        }
        for (const Change& change : found) codes[change.vertex] = change.code;
        if (!affected_[column] || known_bytes_ > kMostKnown) return;
        StateKey key = state_;
        key.column = column;
        if (key == StateKey{0, 0, column}) return;
        const auto [at, fresh] = known_.try_emplace(key);
        if (!fresh) return;
        for (std::uint32_t v = 0; v < core_.size(); ++v)
            if (codes[v] != routes_.code(column, v)) at->second.emplace_back(v, codes[v]);
        at->second.shrink_to_fit();
        known_bytes_ += at->second.size() * sizeof at->second[0] + 100;
    }

    PathGraph& core_;
    CoreRoutes& routes_;
    Rule rule_;
    tbb::enumerable_thread_specific<PathSearch<Rule>> searches_;
    std::vector<std::vector<std::uint32_t>> present_;  // by column, then vertex; empty: as at first
    std::vector<char> affected_;                       // by column
    std::vector<Move> moves_;
    std::vector<std::uint32_t> hosts_;  // that they leave
    std::vector<Change> changes_;
    StateKey state_;
    std::unordered_map<std::uint32_t, std::uint64_t> first_;  // weights of edges that have changed
    // Codes that differ from those at first, by state and column.
    std::unordered_map<StateKey, std::vector<std::pair<std::uint32_t, std::uint32_t>>, StateHash> known_;
    std::size_t known_bytes_ = 0;
};

}  // namespace

std::unique_ptr<RouteUpdates> RouteUpdates::make(PathGraph& core, CoreRoutes& routes)
{
    std::unique_ptr<RouteUpdates> made;
    with_lengths(core, false, [&](const auto& rule) {
        made = std::make_unique<Updates<std::decay_t<decltype(rule)>>>(core, routes, rule);
    });
    return made;
}

}  // namespace anml
