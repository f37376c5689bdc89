// A family of addresses while they are given out: what nodes have of it, and what they are taken from.
#pragma once

#include <fmt/format.h>

#include "base/address.h"
#include "elaborate/addressing/addressing.h"
#include "elaborate/addressing/reserved_addresses.h"

namespace anml {

// What addresses are taken from: the model's pool, or an instance's prefix. The first and the last belong to nobody.
struct Pool {
    AddressBits first = 0, last = 0;
    std::uint32_t length = 0;
    bool ipv6 = false;
    std::string attribute;  // that says it
    std::string instance;   // "": the model
    Span span;
    std::uint64_t wanted = 0;  // by nodes without an address of their own

    AddressBits lowest() const { return first + 1; }
    AddressBits highest() const { return last - 1; }
    std::string name() const { return format_prefix(first, length, ipv6); }
};

// A run of addresses that is not free: of a row that sets them, or of an instance's prefix.
struct Taken {
    AddressBits first = 0, last = 0;
    std::uint32_t row = abi::kNone, pool = abi::kNone;  // one of them
};

// Which of these a node takes its address of a family from; `alone`: it has no other.
struct PoolChoice {
    std::uint32_t pool = abi::kNone;
    bool alone = false;
};

struct Family {
    bool ipv6 = false;
    std::vector<Pool> pools = {};
    std::vector<std::uint32_t> pool_of = {};  // by number of the prefix, 0: the model's pool; kNone: it has none

    std::optional<std::uint32_t> pool_for(const PoolChoice& choice) const
    { return choice.pool == abi::kNone ? std::nullopt : std::optional(pool_of[choice.pool]); }
    bool is_set(const NodeArray& row) const { return ipv6 ? row.explicit_ipv6 : row.explicit_address; }
    AddressBits of(const NodeArray& row) const { return ipv6 ? row.ipv6 : row.address; }
    // What the row shares with others; 0: nothing of this family.
    AddressBits shared(const NodeArray& row) const
    { return ipv6 ? row.anycast_ipv6 : row.anycast < abi::kIpv6Handles ? row.anycast : 0; }
    Span span(const NodeArray& row) const { return ipv6 ? row.ipv6_span : row.address_span; }
    bool usable(AddressBits first, AddressBits last) const
    {
        return ipv6 ? usable_anywhere_ipv6(first, last)
                    : usable_anywhere(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last));
    }
    std::string_view reserved(AddressBits first, AddressBits last) const
    {
        return ipv6 ? reserved_for_ipv6(first, last)
                    : reserved_for(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last));
    }
    std::string show(AddressBits first, AddressBits last) const
    {
        const std::string text = format_address(first, ipv6);
        return first == last ? text : fmt::format("{} .. {}", text, format_address(last, ipv6));
    }
};

// families.cpp
PoolChoice pool_of_row(Elaboration& in, std::uint32_t row, bool ipv6);

// addresses.cpp

// anycast.cpp
void take_anycast(const Network& network, ReportOnce& report, const Family& family, std::vector<Taken>& taken);

}  // namespace anml
