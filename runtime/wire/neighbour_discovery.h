// Messages of neighbour discovery (RFC 4861) over Ethernet (RFC 2464): checking one that came, and making those that a
// router with one interface sends. Each fits into kMostDiscovery bytes, but a report of groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/address/address_table.h"
#include "wire/ethernet.h"
#include "wire/ipv6.h"

namespace anml::rt::wire {

namespace discovery_type {
inline constexpr std::uint8_t router_solicitation = 133, router_advertisement = 134, solicitation = 135,
                              advertisement = 136, redirect = 137;
}

inline constexpr Ipv6 kAllRouters{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
inline constexpr Ipv6 kMldRouters{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x16};  // RFC 3810
inline constexpr Ipv6 kAllNodes{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

// ff02::1:ffXX:XXXX, to which a node with that address listens (RFC 4291, 2.7.1).
Ipv6 solicited_node(const Ipv6& address);
// Where a packet to that group goes (RFC 2464, 7).
MacAddress group_mac(const Ipv6& group);

// Whether the packet is one of them, right or wrong: no router passes it on.
bool is_discovery(const Ipv6View& ip);

struct Discovery {
    std::uint8_t type = 0;
    Ipv6 source{};                    // :: of one that looks whether an address is taken (RFC 4862, 5.4)
    Ipv6 target{};                    // whom a solicitation asks for, or an advertisement is about
    bool solicited = false;           // of advertisements
    bool overrides = false;           // what was known before
    std::optional<MacAddress> mac{};  // the option: of the source of solicitations, of the target of advertisements
};

// What a host says: a router's or neighbour's solicitation, or a neighbour's advertisement. False: it is another
// message, or the receiver has to discard it (6.1.1, 7.1.1, 7.1.2): it came from another link, its checksum is wrong,
// it is too short, an option has length 0 or ends behind it.
bool parse_discovery(const Ipv6View& ip, Discovery& message);

inline constexpr std::size_t kMostDiscovery = Ipv6View::kHeader + 32;

// Each writes a packet and returns its length. A neighbour's solicitation goes to the group that `target` listens to,
// or to `target` itself.
std::size_t write_solicitation(std::uint8_t* out, const Ipv6& source, const MacAddress& mac, const Ipv6& target,
                               bool to_group);

struct Advertised {
    Ipv6 source, target;
    MacAddress mac;
    bool router;     // the target is one
    bool overrides;  // nobody else has the target
};
// To `asker`; to all nodes where that is ::.
std::size_t write_advertisement(std::uint8_t* out, const Advertised& what, const Ipv6& asker);

// To `asker`, or all nodes. `lifetime`: as a default router, seconds; 0: it is one no longer. `mtu`: of the link,
// bytes; 0: not said. No prefix: see docs/decisions/0080.
std::size_t write_router_advertisement(std::uint8_t* out, const Ipv6& source, const MacAddress& mac, const Ipv6& asker,
                                       std::uint16_t lifetime, std::uint32_t mtu);

// Which groups are listened to, for switches that pass nothing else on (MLD, RFC 3810): whether a packet asks for it,
// and the report, to them. `asked`: as an answer; else as news.
bool is_listener_query(const Ipv6View& ip);
std::size_t write_listener_report(std::uint8_t* out, const Ipv6& source, std::span<const Ipv6> groups, bool asked);

}  // namespace anml::rt::wire
