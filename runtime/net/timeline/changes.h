// A cluster's view of the timeline: how far it has come, and what it does at an instant (changes.cpp), before the
// events of the same time. Changes are rare; what they cost is no part of a packet's way.
//
// Where a changing link is impaired, packets stay in its transmitter until their departure, for which there is an
// event; a change finds them there, and nothing that has left. On other links a packet carries, in its arrival's
// Event::kind, the version of the link whose delay it has. At a change of rate, packets that have not left the queue or
// the transmitter by then move in time, each at its place: what is left of the transmission goes on at the new rate. At
// a failure all packets on the link are lost. Packets that come from another cluster later than it made a change are
// made up for as they come.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "kernel/event.h"
#include "net/link/arrivals.h"
#include "net/link/droptail.h"
#include "net/link/new_rate.h"
#include "net/link/transmitter.h"
#include "net/timeline/timeline.h"

namespace anml::rt {

struct Net;
struct Crossing;
struct NetworkState;

class Changes {
  public:
    // Bits of a changing link's role: this cluster has the end that sends, or receives, in direction 0 (1: one
    // further).
    static constexpr std::uint8_t kSends = 1, kReceives = 4;

    Changes(const Timeline& timeline, std::uint32_t workloads, std::vector<std::uint8_t> roles);

    // Times of the timeline count from `origin`. Returns when the first instant is.
    Time begin(Time origin);
    // While the model runs, in the place of `before`, which had the same timeline so far; null: there was none. What
    // links have under way that change from now on is found in the events. Returns when the next instant is.
    Time take_over(Net& k, Changes* before, Time origin);
    // Makes the changes of the next instant. Returns when the one after it is.
    Time make(Net& k);

    // Of a link that was not used so far.
    void fill_in(LinkId id, NetworkState& network) const;
    bool known(LinkId id) const { return timeline_.index_of(id) != kNone; }
    // Of a link that is not known any.
    bool has_version(LinkId id, std::uint32_t version) const
    {
        const std::uint32_t index = timeline_.index_of(id);
        return index == kNone || version < timeline_.links[index].versions.size();
    }
    // The link, which is known, takes a packet of so many IP bytes that came to it at `came`. Returns the version that
    // it gets.
    std::uint32_t take(LinkId id, std::uint32_t bytes, Time start, Time departure, Time came, Time now, bool measured)
    {
        const std::uint32_t index = timeline_.index_of(id);
        Transmitter& transmitter = transmitters_[index][id & 1];
        transmitter.take({start, departure, bytes, measured, came}, now);
        if (measured) transmitter.transmitting += departure - start;
        return versions_[index];
    }
    // A packet on its way over the link, which may be known, has its arrival among this cluster's events.
    void note_arrival(LinkId id, Time at, Time now)
    {
        const std::uint32_t index = timeline_.index_of(id);
        if (index != kNone) arrivals_[index][id & 1].add(at, now);
    }
    // Keeps the packet that the link took just now until its departure. False: the link never changes.
    bool hold(Net& k, LinkId id, PacketId packet);
    // The event for it.
    void depart(Net& k, LinkId id);
    bool down(LinkId id) const
    {
        const std::uint32_t index = timeline_.index_of(id);
        return index != kNone && !timeline_.links[index].versions[versions_[index]].up;
    }
    void lost(LinkId id) { ++lost_[timeline_.index_of(id)][id & 1]; }
    bool active(std::uint32_t workload) const { return behind_[workload] != 0; }  // any of its hosts
    bool active(const Model& model, std::uint32_t workload, NodeId host) const
    {
        const Turn behind = behind_[workload];
        return behind == kEveryTurn || (behind != 0 && Hosts{workload, 0, behind}.have(model, host));
    }

    // Makes up for the changes that came between a crossing's sending and now. False: it was lost, at `lost_at`.
    bool catch_up(Event& arrival, Time& lost_at) const;

    // Packets that were lost on a link, measured, by direction.
    const std::vector<std::array<std::uint64_t, 2>>& lost_packets() const { return lost_; }
    const std::vector<std::array<Transmitter, 2>>& transmitters() const { return transmitters_; }
    void forget_longest_delays()
    {
        for (auto& directions : transmitters_)
            for (Transmitter& direction : directions) direction.forget_longest_delay();
    }

  private:
    void change_link(Net& k, std::uint32_t index, std::uint32_t version, Time now);
    void change_rate(Net& k, LinkId id, Transmitter& transmitter, const RateChange& change);
    void expect_departure(Net& k, LinkId id, Transmitter& transmitter);
    void fail(Net& k, LinkId id, Transmitter& transmitter);
    void change_arrivals(Net& k, Time now);
    void change_routes(Net& k, std::uint32_t epoch);
    void switch_workload(Net& k, std::uint32_t workload, Turn behind);
    bool affect(Event& arrival, std::uint32_t index, std::uint32_t version, Time now, bool on_air) const;
    void adopt(Net& k, const std::vector<std::uint32_t>& links);
    void adopt(Net& k, LinkId id, std::span<const Event> arrivals);
    std::vector<Time> times_of(std::span<const LinkId> links, Time now) const;
    void hold_back(Net& k);

    const Timeline& timeline_;
    Time origin_ = 0;
    std::size_t next_ = 0;                 // of Timeline::instants
    std::vector<std::uint8_t> roles_;      // by changing link
    std::vector<std::uint32_t> versions_;  // the same
    std::vector<std::array<std::uint64_t, 2>> lost_;
    std::vector<std::array<Transmitter, 2>> transmitters_;
    std::vector<Turn> behind_;  // by workload: behind the turns of its hosts that are on
    std::vector<std::array<Arrivals, 2>> arrivals_;  // by changing link, of the packets on their way to here
    std::vector<Timeline::Change> concerned_;        // of the instant, by link: those that concern such packets
};

}  // namespace anml::rt
