#include "simulator/check_crossing.h"

#include <cstring>

#include "app/content.h"
#include "net/address/address_table.h"
#include "net/timeline/changes.h"

namespace anml::rt {

namespace {

// Addresses of external hosts are entries of a table, which is of one process (docs/decisions/0103).
bool is_of_model(const Model& model, Address address)
{
    return !AddressTable::has(address) && (!is_ipv6_of_node(address) || ipv6_node(address) < model.image().nodes);
}

// Segments of TCP without contents have other uses for the word.
bool has_content(const Packet& packet)
{
    return packet.protocol != protocol::tcp || (packet.payload != 0 && packet.buffer == kNone);
}

}  // namespace

bool is_of_model(const Cluster& k, const Crossing& crossing)
{
    Packet packet;
    std::memcpy(&packet, crossing.packet, sizeof packet);
    if (!is_of_model(k.model, packet.source) || !is_of_model(k.model, packet.destination)) return false;
    if (packet.segment != 0 && packet.segment >= k.image.segment_count) return false;
    const std::uint32_t header = packet.segment == 0 ? 0 : k.image.segments[packet.segment].bytes;
    if (packet.payload + header > packet.length) return false;
    if (packet.buffer != kNone && crossing.bytes > 0xffff) return false;
    const bool bytes = packet.protocol == protocol::tcp && packet.payload != 0 && packet.buffer != kNone;
    if (bytes && crossing.bytes < packet.length - header) return false;
    if (has_content(packet) && !content::exists(k.model, packet.content)) return false;
    return !k.changes || k.changes->has_version(crossing.stream, crossing.version);
}

}  // namespace anml::rt
