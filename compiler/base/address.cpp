// Addresses as numbers and as texts.
#include "base/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <charconv>

namespace anml {

std::string format_address(std::uint32_t bits)
{
    return fmt::format("{}.{}.{}.{}", bits >> 24, bits >> 16 & 255, bits >> 8 & 255, bits & 255);
}

std::string format_address(AddressBits bits, bool ipv6)
{
    if (!ipv6) return format_address(static_cast<std::uint32_t>(bits));
    std::array<std::uint8_t, 16> bytes;
    for (std::size_t i = bytes.size(); i-- > 0; bits >>= 8) bytes[i] = static_cast<std::uint8_t>(bits);
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, bytes.data(), text, sizeof text);
    return text;
}

std::string format_prefix(AddressBits bits, std::uint32_t length, bool ipv6)
{
    return fmt::format("{}/{}", format_address(bits, ipv6), length);
}

std::optional<std::uint32_t> parse_ipv4(std::string_view text)
{
    std::uint32_t bits = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (!text.starts_with('.')) return std::nullopt;
            text.remove_prefix(1);
        }
        std::uint32_t value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code != std::errc{} || value > 255) return std::nullopt;
        bits = bits << 8 | value;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return text.empty() ? std::optional(bits) : std::nullopt;
}

std::optional<AddressBits> parse_ipv6(std::string_view text)
{
    std::array<std::uint8_t, 16> bytes;
    if (inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) return std::nullopt;
    AddressBits bits = 0;
    for (const std::uint8_t byte : bytes) bits = bits << 8 | byte;
    return bits;
}

}  // namespace anml
