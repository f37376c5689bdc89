// The facts of the model at hand (abi/facts.h).
#pragma once

#include "abi/facts.h"
#include "abi/image.h"
#include "abi/records.h"

#ifdef ANML_SPECIALISED
extern "C" const anml::abi::Facts anml_facts;  // defined by the model's object
#endif

namespace anml::rt {

#ifdef ANML_SPECIALISED
inline constexpr const abi::Facts& facts = anml_facts;
#else
inline constexpr abi::Facts facts;
#endif

// In a switch over kinds or laws: those that the model has none of need no code.
inline void assume_present(abi::NodeKind kind)
{
    if (!(facts.node_kinds >> static_cast<std::uint32_t>(kind) & 1)) __builtin_unreachable();
}
inline void assume_present(abi::Congestion law)
{
    if (!(facts.window_laws >> static_cast<std::uint32_t>(law) & 1)) __builtin_unreachable();
}

}  // namespace anml::rt
