// What texts and numbers of other tools say about a link. Units are those of base/values/foreign_quantity.h.
#pragma once

#include <optional>
#include <string_view>

namespace anml {

std::optional<double> read_number(std::string_view text);  // finite, and nothing behind it but blanks

// Bits per second, of a text that is nothing but a rate: "155 Mbps", "10 MB/s", "2 x 10G", "OC-3", "E1", "GigE".
std::optional<double> read_rate(std::string_view text);
// The first rate in a label as networks' maps have them: "45 Mbps DS-3", "100-155 Mbit/s", "Fast Ethernet".
std::optional<double> find_rate(std::string_view text);
// Seconds, metres and bytes; nothing without a unit.
std::optional<double> read_delay(std::string_view text);
// A number of milliseconds in ns, rounded once.
std::optional<double> read_milliseconds(std::string_view text);
std::optional<double> read_length(std::string_view text);
std::optional<double> read_size(std::string_view text);
// "0.01", "1 %", "1/100"
std::optional<double> read_ratio(std::string_view text);

}  // namespace anml
