// The network at one time of its timeline: what links have then, which of them carry nothing, and the tables of the
// epoch. Tunables are at their defaults.
#pragma once

#include <unordered_set>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/timeline/link_values.h"

namespace anml {

// Whether the timeline acts at time 0: then the network as it is declared is never there, and what is asked of its
// beginning is asked of that moment.
bool acts_at_start(const Network& network);

// Where `--at` names a time, ns, behind the end of the run.
void warn_behind_end(const Network& network, double time, Diagnostics& diagnostics);

class NetworkMoment {
  public:
    NetworkMoment(const Network& network, double time);  // ns

    double time() const { return time_; }
    bool down(std::uint32_t link) const { return down_.contains(link); }  // directed
    std::size_t down_count() const { return down_.size(); }
    bool touches(std::size_t link_row) const
    {
        return touched_[link_row];
    }  // its rate, delay or queue may have changed
    double rate(std::uint32_t link) { return value(link, abi::TimelineAttribute::rate); }
    double delay(std::uint32_t link) { return value(link, abi::TimelineAttribute::delay); }
    double queue(std::uint32_t link) { return value(link, abi::TimelineAttribute::queue); }  // bytes
    RouteTables tables(const RouteTables& routes) const;

  private:
    double value(std::uint32_t link, abi::TimelineAttribute attribute);
    void find_down();

    const Network& network_;
    double time_;
    std::vector<double> tunables_;
    TimedLinks links_;
    ValuePool values_;
    std::vector<bool> touched_;  // by row
    std::unordered_set<std::uint32_t> down_;
};

}  // namespace anml
