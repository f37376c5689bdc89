// Looking a destination up in forwarding tables: the one reading of them that the compiler and the runtime share.
#pragma once

#include <cstdint>
#include <cstring>

#include "image.h"

namespace anml::abi {

// The tables that a lookup reads; rows as in Image.
struct Forwarding {
    const RouteRange* ranges;
    const NextHop* hops;
    const RouteColumn* columns;
    std::uint32_t column_count;
    const std::uint8_t* codes;
    const std::uint32_t* alternatives;
};

// What routers that give packets segments look at beside the destination.
struct SteeredPacket {
    std::uint32_t source = 0;    // as tables know it
    std::uint32_t dscp = 0;      // RFC 2474
    std::uint32_t protocol = 0;  // 1 of ICMP, for either family
    std::uint32_t ports[2] = {0, 0};
};
inline bool takes(const SteeringRow& row, const SteeredPacket& packet)
{
    return packet.source >= row.first_source && packet.source <= row.last_source &&
           (row.dscp == kNone || row.dscp == packet.dscp) &&
           (row.protocol == kNone || row.protocol == packet.protocol) &&
           (row.port == kNone || row.port == packet.ports[0] || row.port == packet.ports[1]);
}

// The last of the rows that begins at or before the address, if it holds it. Destinations come in no order, so that a
// branch on the comparison would be mispredicted every second time.
template <class Row>
const Row* row_with(const Row* rows, std::uint32_t count, std::uint32_t address)
{
    if (count == 0) return nullptr;
    for (std::uint32_t left = count; left > 1;) {
        const std::uint32_t half = left / 2;
        const Row* const other = rows + half;
        rows = __builtin_unpredictable(other->first <= address) ? other : rows;
        left -= half;
    }
    return rows->first <= address && address <= rows->last ? rows : nullptr;
}

inline std::uint32_t code_at(const std::uint8_t* codes, std::uint32_t column, std::uint32_t bits)
{
    const std::uint64_t bit = std::uint64_t{column} * bits;
    std::uint64_t word;
    std::memcpy(&word, codes + bit / 8, sizeof word);
    return static_cast<std::uint32_t>(word >> bit % 8 & ((std::uint64_t{1} << bits) - 1));
}

// The bytes around the code are written, too, as they are.
inline void set_code(std::uint8_t* codes, std::uint32_t column, std::uint32_t bits, std::uint32_t code)
{
    const std::uint64_t bit = std::uint64_t{column} * bits;
    std::uint64_t word;
    std::memcpy(&word, codes + bit / 8, sizeof word);
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << bit % 8;
    word = (word & ~mask) | (std::uint64_t{code} << bit % 8);
    std::memcpy(codes + bit / 8, &word, sizeof word);
}

// Null: network unreachable.
inline const NextHop* next_hop(const Forwarding& f, const RouteTable& table, std::uint32_t destination)
{
    if (const auto* range = row_with(f.ranges + table.ranges.first, table.ranges.count, destination))
        return &range->hop;
    if (table.hops.count == 0) return nullptr;
    const RouteColumn* column = row_with(f.columns, f.column_count, destination);
    if (!column) return nullptr;
    const std::uint32_t code = table.bits == 0 ? 1 : code_at(f.codes + table.first_code, column->column, table.bits);
    return code == 0 ? nullptr : f.hops + table.hops.first + code - 1;
}

// The directed link of path `path`, below hop.paths.
inline std::uint32_t link_of(const Forwarding& f, const NextHop& hop, std::uint32_t destination, std::uint32_t element,
                             std::uint32_t path)
{
    const std::uint32_t link = hop.paths == 1 ? hop.link : f.alternatives[hop.link + path];
    return link + destination * hop.by_destination + element * hop.by_element;
}

}  // namespace anml::abi
