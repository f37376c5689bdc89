// Fluid background traffic: flows that send no packets. What they come to on each link is a rate, constant from one
// epoch to the next, which the links share with packets (link.h).
//
// Rates follow from the flows, the routes and the links alone, never from packets. So whichever cluster needs an epoch
// first solves it for all, and every run of a model has the same ones, whatever its tasks and threads. Epochs begin at
// the instants of the timeline, and at multiples of a workload's `step` where its flows come and go.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "abi/records.h"
#include "base/zero_pages.h"
#include "net/counters.h"
#include "net/fluid/link.h"
#include "net/fluid/solve.h"
#include "net/fluid/totals.h"
#include "net/timeline/population.h"
#include "net/timeline/timeline.h"

namespace anml::rt {

struct Net;

namespace fluid {

class Fluid {
  public:
    explicit Fluid(const Model& model);
    static bool needed(const abi::Image& image);

    // The flows of a host, while workloads are started.
    void add(std::uint32_t workload, NodeId host, NodeId peer);
    // They have been: finds their ways, those too that later epochs of routes bring. `timeline`: what holds, which may
    // be exchanged for another one while the model runs.
    void begin(std::uint64_t seed, Time now, Time origin, Window window,
               const std::unique_ptr<const Timeline>& timeline, std::uint32_t clusters);

    // Another timeline holds, of the same past.
    void exchanged() { followed_ = nullptr; }

    // All links that some of the fluid may take, in no order.
    std::span<const LinkId> links() const { return ids_; }
    FluidLink* of(LinkId link)
    {
        const std::uint32_t index = index_[link];
        return index == 0 ? nullptr : &links_[index - 1];
    }
    const FluidLink* of(LinkId link) const { return const_cast<Fluid*>(this)->of(link); }
    // Such a link is filled in: from now on `state` is busy for ever, and what it said is the FluidLink's.
    void set_up(LinkId link, LinkState& state);

    // Of a cluster, which has Net::fluid_links. Up to an instant, before the timeline's changes.
    void advance_links(Net& k, Time at);
    // Behind those: the rates that hold from now on. Returns when they change next, but for the timeline.
    Time apply(Net& k, Time at);

    Totals totals(std::uint32_t workload, Time now) const;
    // Adds what happened to the fluid, in `counters`, which are by link.
    void count(std::vector<LinkCounters>& counters, Time now) const;

  private:
    // Flows between two hosts that take the same way. Of many that equal paths part there are several.
    struct Class {
        std::uint32_t workload = 0;
        NodeId host = 0, peer = 0;
        std::uint32_t part = 0, parts = 1;
        std::uint64_t population = 0;  // flows
        std::uint64_t sending = 0;     // of them; of those that come and go, under way
        bool arrives = false;
    };
    struct Workload {
        std::uint64_t flows = 0;
        double rate = 0, fill = 1;    // bytes per ns
        double burst = 0, pause = 0;  // ns, means; 0: they always send, or come and go
        Time step = 0;
        std::uint64_t steps = 0;  // begun
        bool elastic = false;
        Turn behind = kEveryTurn;  // of its hosts that are on
        double pace = 1;           // how many times the declared rate
        Totals totals, rates;      // rates: per ns, of the epoch
    };
    struct Epoch {
        Time time = 0, next = kNever;
        std::vector<double> inflow;  // by link, bytes per ns
        std::uint32_t readers = 0;   // clusters that have not applied it
    };

    void divide(std::uint32_t at, bool& parted);
    bool walk(const Class& flows, std::vector<LinkId>* way, bool* parted) const;
    void find_ways();
    void follow_timeline(Time at);
    void draw_flows(Workload& workload, std::uint32_t number);
    const Epoch& solve_at(Time at);
    void integrate(Workload& workload, Totals& totals, Time until) const;

    const Model& model_;
    std::vector<Workload> workloads_;  // by row
    std::vector<Class> classes_;
    std::uint64_t seed_ = 0;
    Time origin_ = 0;
    Window window_;
    bool begun_ = false;
    const std::unique_ptr<const Timeline>* timeline_ = nullptr;
    const Timeline* followed_ = nullptr;
    std::size_t next_instant_ = 0;
    std::vector<abi::RouteTable> tables_;  // of the present epoch of routes
    std::vector<std::uint8_t> codes_;

    ZeroPages<std::uint32_t> index_;  // by directed link: 1 + index of those below; 0: no fluid takes it
    std::vector<LinkId> ids_;
    std::vector<FluidLink> links_;
    std::vector<double> declared_;  // by link: its rate, bytes per ns

    std::mutex mutex_;  // of what follows
    Problem problem_;
    Solution solution_;
    std::deque<Epoch> epochs_;
    std::uint64_t first_epoch_ = 0;  // number of the first in `epochs_`
    Time solved_ = 0;                // when the last one begins
    std::uint32_t clusters_ = 0;
};

}  // namespace fluid
}  // namespace anml::rt
