#include "kernel/impair.h"

#include <algorithm>
#include <cmath>

#include "kernel/cluster.h"

namespace anml::rt {

namespace {

// The draws for one packet, each with the words of state that belong to it.
class Drawing {
  public:
    Drawing(const Model& model, Draws draws, double* state) : model_(model), draws_(draws), state_(state) {}

    double value(const abi::Distribution& distribution)
    {
        double* const words = state_;
        state_ += state_words(distribution);
        return sample(model_, distribution, draws_, words);
    }
    bool happens(const abi::Distribution& probability)
    {
        const double p = value(probability);
        return p > 0 && draws_.unit() < p;
    }
    Time time(const abi::Distribution& distribution) { return std::llround(value(distribution)); }

  private:
    const Model& model_;
    Draws draws_;
    double* state_;
};

void send(Cluster& k, const LinkState& link, const Event& arrival, const Packet& packet)
{
    const std::uint32_t outbox = link.outbox & ~std::uint32_t{LinkState::kImpaired};
    if (outbox == 0) {
        k.queue.push(arrival);
    } else {
        k.outboxes[outbox - 1]->send(arrival, packet, k.buffers);
        k.release(packet, arrival.payload);
    }
}

PacketId copy_of(Cluster& k, const Packet& packet)
{
    const PacketId id = k.packets.allocate();
    Packet& copy = k.packets[id];
    copy = packet;
    if (copy.buffer != kNone) copy.buffer = k.buffers.store(k.buffers.bytes(copy.buffer));
    return id;
}

}  // namespace

void impair(Cluster& k, LinkState& link, Event arrival, Packet& packet)
{
    const LinkId id = arrival.stream;
    ImpairedLink& state = k.network.impaired[id];
    const abi::ImpairmentRow& row = k.image.impairments[state.row];
    double* const words = k.network.sampler_states.data() + std::size_t{id} * k.network.sampler_words;
    Drawing draw(k.model, Draws(k.seed, id, Purpose::impairment, 0, state.packets++), words);
    // Every process has its turn, whatever becomes of the packet.
    const bool lost = draw.happens(row.loss), corrupted = draw.happens(row.corrupt),
               duplicated = draw.happens(row.duplicate), held = draw.happens(row.reorder);
    const Time hold = draw.time(row.reorder_delay), jitter = draw.time(row.jitter);
    const std::uint32_t counts = k.measuring();
    if (lost) {
        state.lost += counts;
        k.drop(packet, arrival.payload, Fate::lost);
        return;
    }
    if (corrupted) {
        state.corrupted += counts;
        packet.flags |= packet_flag::corrupted;
    }
    arrival.time += jitter;
    if (held) {
        arrival.time += hold;
    } else if (k.model.value(row.in_order) != 0) {
        arrival.time = std::max(arrival.time, state.last);
        state.last = arrival.time;
    }
    if (arrival.time < state.latest) state.reordered += counts;
    state.latest = std::max(state.latest, arrival.time);
    Event second = arrival;
    if (duplicated) {
        state.duplicated += counts;
        second.sequence = link.sequence++;
        second.payload = copy_of(k, packet);
    }
    send(k, link, arrival, packet);
    if (duplicated) send(k, link, second, k.packets[second.payload]);
}

}  // namespace anml::rt
