// What autonomous systems are to each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anml {

// What one end of a link between autonomous systems is to the other. `none`: both are in one system.
enum class AsRelation : std::uint8_t { none, customer, peer, provider };
constexpr const char* as_relation_name(AsRelation relation)
{
    constexpr const char* kNames[] = {"none", "customer", "peer", "provider"};
    return kNames[static_cast<std::size_t>(relation)];
}

}  // namespace anml
