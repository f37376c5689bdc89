// Addresses of IPv4 and IPv6: as numbers and as texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anml {

std::string format_address(std::uint32_t bits);  // host byte order: "10.0.0.1"

// An address as a number; of IPv4 the lower 32 bits.
__extension__ typedef unsigned __int128 AddressBits;

std::string format_address(AddressBits bits, bool ipv6);  // of IPv6 as RFC 5952 has it: "2001:db8::1"
std::string format_prefix(AddressBits bits, std::uint32_t length, bool ipv6);

// None: it is none.
std::optional<std::uint32_t> parse_ipv4(std::string_view text);
std::optional<AddressBits> parse_ipv6(std::string_view text);

constexpr std::uint32_t address_length(bool ipv6) { return ipv6 ? 128 : 32; }
// How many addresses a prefix has, less one: the bits that it leaves open.
constexpr AddressBits open_bits(std::uint32_t length, bool ipv6)
{
    const std::uint32_t open = address_length(ipv6) - length;
    return open >= 128 ? ~AddressBits{0} : (AddressBits{1} << open) - 1;
}

}  // namespace anml
