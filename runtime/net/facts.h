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

// Whether the model has such a record, or one for any of them: what there is none for, real hosts cannot bring along.
using abi::RecordSet;
constexpr RecordSet bit_of(abi::RecordSchema schema) { return RecordSet{1} << static_cast<std::uint32_t>(schema); }
static_assert(abi::kRecordLayouts <= 64);
inline bool present(RecordSet any_of) { return (facts.records & any_of) != 0; }
inline bool present(abi::RecordSchema schema) { return present(bit_of(schema)); }
inline void assume_present(RecordSet any_of)
{
    if (!present(any_of)) __builtin_unreachable();
}
inline void assume_connections()
{
    if (!facts.connections) __builtin_unreachable();
}
inline void assume_http2()
{
    if (!facts.http2) __builtin_unreachable();
}
inline void assume_present(abi::RecordSchema schema) { assume_present(bit_of(schema)); }

}  // namespace anml::rt
