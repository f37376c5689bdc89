// The state of all nodes and links of a model, shared by its clusters.
//
// A model may have millions of hosts that do nothing in a run, so everything here begins as zero pages: a link's state
// is filled in, from its row, when a node first asks for it (Net::link), and an untouched host costs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/zero_pages.h"
#include "net/counters.h"
#include "net/disciplines.h"
#include "net/edge.h"
#include "net/external_hosts.h"
#include "net/facts.h"
#include "net/link/impair.h"
#include "net/link/link_state.h"
#include "net/model.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Timeline;
namespace fluid {
class Fluid;
struct FluidLink;
}  // namespace fluid
class Processing;
class Middleboxes;
class IcmpLimits;
class SharedBuffers;
class Airs;

struct NodeState {
    std::uint32_t timer_sequence;   // of the stream of the node's timers
    std::uint32_t free_connection;  // slot + 1 of the first of the node's free connections, 0: none
    std::uint32_t last_connection;  // slot + 1 of the one that the last segment was for, 0: it is not known
    std::uint16_t next_port;        // local port to try next; 0: none was taken yet
    std::uint16_t identification;   // of the last packet of its own that may be cut into fragments
};

// Of a link of which nothing more is known.
inline FarEnd end_at(const Model& model, NodeId node)
{
    const std::uint32_t row = model.row_of(node);
    return {.node = node, .kind = static_cast<std::uint32_t>(model.image().node_rows[row].kind) & 3, .row = row};
}

// Arrays whose elements belong to the cluster of their node (a link to that of the node it leaves), which alone
// touches them.
struct NetworkState {
    NetworkState(const Model& model, const Timeline& timeline);
    ~NetworkState();

    // Fills in an untouched link, and its far end where it is of the same cluster. `outbox_to`: by task, what
    // LinkState::outbox says of links to it; empty: there is one task.
    void set_up(LinkId link, const std::vector<std::uint16_t>& outbox_to);
    void look_up_far_end(LinkId link);  // if it is not yet: by the cluster that the link leads to
    // Where the rate, the bounds and the busy time of a link are: its own state, but what its discipline has of it.
    LinkState& line(LinkId link)
    {
        if (DisciplinedLink* const own = disciplines.of(link)) return own->line;
        if (present(abi::RecordSchema::background) && fluid)
            if (LinkState* const shared = line_of_fluid(link)) return *shared;
        return links[link];
    }
    // Null: it has none.
    fluid::FluidLink* fluid_of(LinkId link)
    {
        return present(abi::RecordSchema::background) && fluid ? find_fluid(link) : nullptr;
    }
    const LinkState& line(LinkId link) const { return const_cast<NetworkState*>(this)->line(link); }
    // What the links that carried or dropped anything have counted, by link.
    std::vector<LinkCounters> counters() const;
    // The links that will still transmit at `at` what they have admitted, by link, and for how long.
    using BusyLinks = std::vector<std::pair<LinkId, Time>>;
    BusyLinks busy_beyond(Time at) const;

    const Model& model;
    ZeroPages<LinkState> links;         // by directed link
    ZeroPages<std::uint64_t> dropped;   // by directed link: packets that found the queue full, in the measured window
    ZeroPages<QueueDelay> queue_delay;  // by directed link, without those of links that change (net/link/transmitter.h)
    ZeroPages<ImpairedLink> impaired;   // by directed link; none where no link of the model is
    std::vector<Impairments>
        laws;  // what links do: the image's records, of those of this kind, then what the timeline makes of them
    const std::uint32_t sampler_words;      // of the impaired link with the most
    ZeroPages<double> sampler_states;       // by directed link, so many words each
    ZeroPages<TracedLink> traced;           // by directed link; none where no link of the model follows a trace
    Disciplines disciplines;                // of links that have one
    ZeroPages<FarEnd> far_ends;             // by directed link, of the cluster that it leads to
    ZeroPages<std::uint8_t> far_end_known;  // the same: 1 where far_ends has it
    ZeroPages<NodeState> nodes;             // by node id
    ZeroPages<std::uint8_t> used;           // by directed link / kUsedTogether: 1 where one of them is filled in
    std::vector<Edge*> edges;               // by endpoint row; null: not attached
    std::vector<std::pair<LinkId, LinkTap*>> taps;
    ExternalHosts external_hosts;  // of runs with real hosts
    // Of the nodes that have such; null: the model has none.
    std::unique_ptr<Processing> processing;
    std::unique_ptr<Middleboxes> middleboxes;
    std::unique_ptr<IcmpLimits> icmp_limits;
    std::unique_ptr<SharedBuffers> shared_buffers;
    std::unique_ptr<Airs> airs;
    std::unique_ptr<fluid::Fluid> fluid;  // null: the model has none

    static constexpr std::uint32_t kUsedTogether = 64;

    // Of links when the timeline is this one.
    static std::vector<Impairments> all_laws(const Model& model, const Timeline& timeline);

  private:
    fluid::FluidLink* find_fluid(LinkId link);
    LinkState* line_of_fluid(LinkId link);
    template <class Visit>
    void each_used_link(Visit&& visit) const;
};

}  // namespace anml::rt
