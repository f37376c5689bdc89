// One subnet on several Ethernet segments, with the model between them: proxy ARP (RFC 1027), without anything
// configured at the hosts.
//
// A host is where it was heard of first, in ARP or as the source of a packet. Who claims its address at another side
// gets it only after the host did not answer at the old one, so that nobody takes another side's traffic by a forged
// frame. Each side remembers its own hosts (Neighbours), so a flood at one side pushes out nobody of another.
//
// What is no IPv4 of one host to another, groups, IPv6 and all else, crosses as the frame that it is, with its hosts'
// own MAC addresses: to the side where the address was heard, or to all others.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "io/gateway/address_resolution.h"
#include "io/gateway/host_range.h"
#include "io/gateway/stations.h"
#include "io/gateway/wire_end.h"
#include "wire/ethernet.h"

namespace anml::rt {

class Model;
class ExternalHosts;
struct LiveReport;

namespace io {

class Gateway;

class Bridge {
  public:
    static constexpr std::size_t kMostClaims = 256;
    static constexpr Time kClaimInterval = kSecond / 2;
    static constexpr unsigned kClaimTries = 3;

    Bridge(const Model& model, ExternalHosts& external_hosts, LiveReport& report)
        : model_(model), external_hosts_(external_hosts), report_(report)
    {
    }

    void join(Gateway& side, const HostRange& hosts);
    // Whether the address is of a subnet that has this side.
    bool joins(const Gateway& side, Address address) const;

    // A host that says so is at this side. False: it is known to be at another one, or a node of the model.
    bool claims(Gateway& side, Address address, Time now);
    // Nobody is there any more.
    void left(const Gateway& side, Address address);
    // A host wants to know an address.
    void asked(Address address, const AddressResolution::Asker& asker, Time now);
    // A packet, with its buffer, to a host whose side is not known.
    void wait(Gateway& from, const Packet& packet);
    void tick(Time now);
    // Where a frame of a host at this side goes.
    std::span<const WireEnd> ways(const Gateway& side, const wire::EthernetView& frame, Time now);

  private:
    struct Side {
        Gateway* gateway;
        HostRange hosts;
    };
    struct Claim {
        Gateway* by;
        unsigned tries = 0;
        Time next = 0;
        bool refuted = false;
    };

    Gateway* side_of(Address address) const;
    void contest(Gateway& by, Address address);
    void tick_claims(Time now);
    void ask(Address address, const AddressResolution& resolution);
    void answered(Gateway& side, Address address, Time now);
    void learn(Gateway& side, Address address, Time now);
    void drop(const AddressResolution::Waiting& waiting);

    const Model& model_;
    ExternalHosts& external_hosts_;
    LiveReport& report_;
    std::vector<Side> sides_;
    std::map<NodeId, std::vector<WireEnd>> others_;  // of each endpoint: those with a subnet of its own
    Stations stations_;
    AddressResolutions resolutions_;
    std::map<Address, Claim> claims_;
};

}  // namespace io
}  // namespace anml::rt
