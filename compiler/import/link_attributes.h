// What texts and numbers of other tools say about a link.
#pragma once

#include <optional>
#include <string_view>

namespace anml {

std::optional<double> read_number(std::string_view text);  // finite, and nothing behind it but blanks

// Bits per second, from labels as networks' maps have them: "155 Mbps", "2,5 Gbit/s", "OC-3", "STM-16", "45 Mbps DS-3",
// "E1", "10GE", "2 x 10G", "Fast Ethernet". Nothing where there is no rate in it.
std::optional<double> read_rate(std::string_view text);
// Seconds, from "10 ms", "250us"; nothing without a unit.
std::optional<double> read_delay(std::string_view text);
// Metres, from "173.5 km", "12 mi"; nothing without a unit.
std::optional<double> read_length(std::string_view text);

}  // namespace anml
