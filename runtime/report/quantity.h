// Quantities as an emulator reads and writes them, in the language's own units: "30 s", "0.1ms", "64 KB", "10 Mbps".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/image.h"

namespace anml::rt {

// Canonical value (ns, bytes, bit/s, m, or plain) of `text`. nullopt: `error` says what is wrong and what would be
// right.
std::optional<double> parse_quantity(std::string_view text, abi::Unit unit, std::string& error);

// The shortest form that a reader of the language would write: "1 ms", "512 KB", "1 Gbps".
std::string format_quantity(double canonical, abi::Unit unit);

// What a message quotes of a word: its beginning where it is long.
std::string excerpt(std::string_view text);

std::string_view unit_name(abi::Unit unit);     // "time"
std::string_view unit_example(abi::Unit unit);  // "30 s"

// Of the summary.
std::string duration(double seconds);                             // "3.203 ms"
std::string plural(std::uint64_t count, std::string_view thing);  // "1 reply", "2 replies"

}  // namespace anml::rt
