#include "net/fluid/solve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace anml::rt::fluid {

namespace {

std::span<const std::uint32_t> links_of(const Problem& problem, const Demand& demand)
{
    return std::span(problem.links).subspan(demand.first, demand.count);
}

// What links lose decides what comes to others, which may lie on the way to the first: repeated until it stays.
void solve_inelastic(const Problem& problem, Solution& solution)
{
    constexpr int kMost = 1000;
    constexpr double kSame = 1e-12;
    const std::size_t links = problem.capacity.size();
    std::vector<double> passes(links, 1.0);
    for (int round = 0; round < kMost; ++round) {
        std::fill(solution.inflow.begin(), solution.inflow.end(), 0.0);
        for (std::size_t i = 0; i < problem.demands.size(); ++i) {
            const Demand& demand = problem.demands[i];
            if (demand.elastic) continue;
            double rate = solution.offered[i] = demand.flows * demand.rate;
            for (const std::uint32_t link : links_of(problem, demand)) {
                solution.inflow[link] += rate;
                rate *= passes[link];
            }
            solution.carried[i] = rate;
        }
        bool same = true;
        for (std::size_t link = 0; link < links; ++link) {
            const double in = solution.inflow[link], most = problem.capacity[link];
            const double next = in > most ? most / in : 1;
            same = same && std::fabs(next - passes[link]) <= kSame;
            passes[link] = next;
        }
        if (same) return;
    }
}

class MaxMin {
  public:
    MaxMin(const Problem& problem, Solution& solution) : problem_(problem), solution_(solution) {}

    // Each flow's rate grows alike, until one of its links is full or it has its most. A link's level, at which it will
    // be full, only rises when flows stop.
    void run()
    {
        list();
        if (waiting_.empty()) return;
        using Full = std::pair<double, std::uint32_t>;
        std::priority_queue<Full, std::vector<Full>, std::greater<>> full;
        for (std::uint32_t link = 0; link < room_.size(); ++link)
            if (weight_[link] > 0) full.emplace(level(link), link);
        for (std::size_t next = 0;;) {
            while (next < waiting_.size() && stopped_[waiting_[next]]) ++next;
            if (next == waiting_.size()) return;
            const double most = problem_.demands[waiting_[next]].rate;
            while (!full.empty() && (left_[full.top().second] == 0 || full.top().first != level(full.top().second))) {
                const std::uint32_t link = full.top().second;
                full.pop();
                if (left_[link] != 0) full.emplace(level(link), link);
            }
            if (full.empty() || most <= full.top().first) {
                stop(waiting_[next], most);
                continue;
            }
            const auto [reached, link] = full.top();
            full.pop();
            for (std::uint32_t at = first_[link]; at < first_[link + 1]; ++at)
                if (!stopped_[crossing_[at]]) stop(crossing_[at], reached);
        }
    }

  private:
    double level(std::uint32_t link) const { return std::max(room_[link], 0.0) / weight_[link]; }

    void list()
    {
        const std::size_t links = problem_.capacity.size();
        room_.resize(links);
        weight_.assign(links, 0);
        left_.assign(links, 0);
        first_.assign(links + 1, 0);
        stopped_.assign(problem_.demands.size(), 1);
        for (std::size_t link = 0; link < links; ++link)
            room_[link] = std::max(problem_.capacity[link] - solution_.inflow[link], 0.0) * problem_.fill[link];
        for (std::uint32_t i = 0; i < problem_.demands.size(); ++i) {
            const Demand& demand = problem_.demands[i];
            if (!demand.elastic) continue;
            solution_.offered[i] = solution_.carried[i] = 0;
            if (demand.flows <= 0) continue;
            waiting_.push_back(i);
            stopped_[i] = 0;
            for (const std::uint32_t link : links_of(problem_, demand)) {
                weight_[link] += demand.flows;
                ++left_[link];
                ++first_[link + 1];
            }
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        crossing_.resize(first_.back());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (const std::uint32_t i : waiting_)
            for (const std::uint32_t link : links_of(problem_, problem_.demands[i])) crossing_[next[link]++] = i;
        std::sort(waiting_.begin(), waiting_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(problem_.demands[a].rate, a) < std::pair(problem_.demands[b].rate, b);
        });
    }

    void stop(std::uint32_t i, double rate)
    {
        const Demand& demand = problem_.demands[i];
        stopped_[i] = 1;
        const double together = demand.flows * rate;
        solution_.offered[i] = solution_.carried[i] = together;
        for (const std::uint32_t link : links_of(problem_, demand)) {
            room_[link] -= together;
            weight_[link] -= demand.flows;
            --left_[link];
            solution_.inflow[link] += together;
        }
    }

    const Problem& problem_;
    Solution& solution_;
    std::vector<double> room_, weight_;            // by link: what is left, and the flows that still grow
    std::vector<std::uint32_t> left_;              // the same: demands that still grow
    std::vector<std::uint32_t> first_, crossing_;  // by link: its demands
    std::vector<std::uint32_t> waiting_;           // demands, by their most
    std::vector<std::uint8_t> stopped_;            // by demand
};

}  // namespace

void solve(const Problem& problem, Solution& solution)
{
    solution.inflow.assign(problem.capacity.size(), 0);
    solution.offered.assign(problem.demands.size(), 0);
    solution.carried.assign(problem.demands.size(), 0);
    solve_inelastic(problem, solution);
    MaxMin(problem, solution).run();
}

}  // namespace anml::rt::fluid
