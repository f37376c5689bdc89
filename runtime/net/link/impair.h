// What impaired links do to packets: lose, corrupt, duplicate, hold back and delay them at random.
//
// It happens behind the transmitter: the packet has had its place in the queue and its time on the link. Each directed
// link draws from a stream of its own, by the number of the packet, so that no other link, thread or task matters.
// Nothing arrives before its propagation delay: what the partition promises stays true.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "abi/image.h"
#include "kernel/event.h"
#include "net/packet/packet.h"
#include "net/samples.h"

namespace anml::rt {

struct Net;
struct LinkState;
struct NetworkState;

// What a link does to packets, for as long as the timeline does not change it: a record of impairment.def with its
// constants looked up, a part for each field.
struct Impairments {
    struct Part {
        double fixed = 0;  // where nothing is drawn
        bool drawn = false;
        abi::Distribution distribution = {abi::DistributionKind::constant, 0, 0};  // of what is drawn

        std::uint32_t words() const { return drawn ? state_words(distribution) : 0; }
        bool operator==(const Part& other) const;
    };
    enum : std::size_t {
#define ANML_RECORD(name, schema)
#define ANML_FIELD(kind, name) name,
#include "net/link/impairment.def"
#undef ANML_FIELD
#undef ANML_RECORD
        kParts
    };
    std::array<Part, kParts> parts;

    std::uint32_t words() const;  // of state that each link needs
};

Impairments::Part impairment_part(const Model& model, const abi::Distribution& distribution);
Impairments impairments_of(const Model& model, std::uint32_t record);

// From now on the link does this to packets. What it goes on drawing it draws with the state that it had; what is new
// begins anew.
void change_impairments(NetworkState& network, LinkId link, std::uint32_t law);

// The link has taken a packet: sends what is left of it to the far end, at once or, where the link changes, when its
// departure comes (net/timeline/changes.h). `arrival`: as if the link did nothing.
[[gnu::noinline]] void impair(Net& k, LinkState& link, const Event& arrival, Packet& packet);
void send_impaired(Net& k, LinkState& link, Event arrival, Packet& packet);

}  // namespace anml::rt
