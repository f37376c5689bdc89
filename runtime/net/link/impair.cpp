#include "net/link/impair.h"

#include <algorithm>
#include <cmath>

#include "net/net.h"
#include "net/record.h"

namespace anml::rt {

namespace {

// The draws for one packet, each with the words of state that belong to it.
class Drawing {
  public:
    Drawing(const Model& model, Draws draws, double* state) : model_(model), draws_(draws), state_(state) {}

    double value(const Impairments::Part& part)
    {
        if (!part.drawn) return part.fixed;
        double* const words = state_;
        state_ += part.words();
        return sample(model_, part.distribution, draws_, words);
    }
    bool happens(const Impairments::Part& probability)
    {
        const double p = value(probability);
        return p > 0 && draws_.unit() < p;
    }
    Time time(const Impairments::Part& part) { return std::llround(value(part)); }

  private:
    const Model& model_;
    Draws draws_;
    double* state_;
};

void send(Net& k, const LinkState& link, const Event& arrival, const Packet& packet)
{
    const std::uint32_t outbox = link.outbox & ~std::uint32_t{LinkState::kImpaired};
    if (outbox == 0) {
        k.queue.push(arrival);
        if (facts.timeline && k.changes) k.changes->note_arrival(arrival.stream, arrival.time, k.now);
    } else {
        k.outboxes[outbox - 1]->send(arrival, packet, k.buffers);
        k.release(packet, arrival.payload);
    }
}

PacketId copy_of(Net& k, const Packet& packet)
{
    const PacketId id = k.packets.allocate();
    Packet& copy = k.packets[id];
    copy = packet;
    if (copy.protocol == protocol::udp) copy.flags |= packet_flag::copied;
    if (copy.buffer != kNone) {
        copy.buffer = k.buffers.store(k.buffers.bytes(copy.buffer));
        k.buffers.hold_addresses(copy);
    }
    return id;
}

}  // namespace

bool Impairments::Part::operator==(const Part& other) const
{
    if (drawn != other.drawn) return false;
    const abi::Distribution &a = distribution, &b = other.distribution;
    return drawn ? a.kind == b.kind && a.a == b.a && a.b == b.b : fixed == other.fixed;
}

std::uint32_t Impairments::words() const
{
    std::uint32_t sum = 0;
    for (const Part& part : parts) sum += part.words();
    return sum;
}

Impairments::Part impairment_part(const Model& model, const abi::Distribution& distribution)
{
    Impairments::Part part;
    part.drawn = distribution.kind != abi::DistributionKind::constant;
    if (part.drawn)
        part.distribution = distribution;
    else
        part.fixed = std::max(0.0, model.value(distribution.a));
    return part;
}

Impairments impairments_of(const Model& model, std::uint32_t record)
{
    Impairments law;
    auto part = law.parts.begin();
    each_field(model.image(), record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (abi::is_random(field.kind))
            *part++ = impairment_part(model, abi::distribution_at(words));
        else
            (part++)->fixed = model.value(words[0]);
    });
    return law;
}

void change_impairments(NetworkState& network, LinkId link, std::uint32_t law)
{
    if (law == kNone) return;
    ImpairedLink& state = network.impaired[link];
    if (state.law == law) return;
    const Impairments &before = network.laws[state.law], &after = network.laws[law];
    state.law = law;
    double* const words = network.sampler_states.data() + std::size_t{link} * network.sampler_words;
    const std::vector<double> old(words, words + before.words());
    std::fill_n(words, after.words(), 0.0);
    std::uint32_t from = 0, to = 0;
    for (std::size_t i = 0; i < Impairments::kParts; ++i) {
        if (before.parts[i] == after.parts[i]) std::copy_n(old.data() + from, before.parts[i].words(), words + to);
        from += before.parts[i].words();
        to += after.parts[i].words();
    }
}

namespace {

ArrivalOrder& order_of(Net& k, ImpairedLink& link)
{
    if (link.order == 0) {
        k.arrival_orders.emplace_back();
        link.order = static_cast<std::uint32_t>(k.arrival_orders.size());
    }
    return k.arrival_orders[link.order - 1];
}

}  // namespace

void impair(Net& k, LinkState& link, const Event& arrival, Packet& packet)
{
    if (k.changes && k.changes->hold(k, arrival.stream, arrival.payload)) return;
    send_impaired(k, link, arrival, packet);
}

void send_impaired(Net& k, LinkState& link, Event arrival, Packet& packet)
{
    const LinkId id = arrival.stream;
    ImpairedLink& state = k.network.impaired[id];
    const auto& parts = k.network.laws[state.law].parts;
    double* const words = k.network.sampler_states.data() + std::size_t{id} * k.network.sampler_words;
    Drawing draw(k.model, Draws(k.seed, id, Purpose::impairment, 0, state.packets++), words);
    // Every process has its turn, whatever becomes of the packet.
    const bool lost = draw.happens(parts[Impairments::loss]), corrupted = draw.happens(parts[Impairments::corrupt]),
               duplicated = draw.happens(parts[Impairments::duplicate]),
               held = draw.happens(parts[Impairments::reorder]);
    const Time hold = draw.time(parts[Impairments::reorder_delay]), jitter = draw.time(parts[Impairments::jitter]);
    const std::uint64_t counts = k.measuring();
    if (lost) {
        state.lost += counts;
        k.drop(packet, arrival.payload, DropReason::lost);
        return;
    }
    if (corrupted) {
        state.corrupted += counts;
        packet.flags |= packet_flag::corrupted;
    }
    arrival.time += jitter;
    if (held) {
        arrival.time += hold;
    } else if (parts[Impairments::in_order].fixed != 0) {
        arrival.time = std::max(arrival.time, state.last);
        state.last = arrival.time;
    }
    if (parts[Impairments::jitter] != Impairments::Part{} || parts[Impairments::reorder] != Impairments::Part{} ||
        state.order != 0 || k.changes)
        state.reordered += counts * order_of(k, state).send(k.now, arrival.time);
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
