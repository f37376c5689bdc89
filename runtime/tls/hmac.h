// HMAC-SHA-256 (RFC 2104).
#pragma once

#include <algorithm>
#include <string_view>

#include "tls/hash.h"

namespace anml::rt::tls {

inline std::span<const std::uint8_t> bytes_of_text(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::array<std::uint8_t, 32> hash_of(Hash& hash, std::string_view text)
{
    hash.begin();
    hash.add(bytes_of_text(text));
    return hash.end();
}

inline std::array<std::uint8_t, 32> hmac_of(Hash& hash, std::string_view key, std::string_view text)
{
    std::array<std::uint8_t, 64> block{};
    if (key.size() > block.size())
        std::ranges::copy(hash_of(hash, key), block.begin());
    else
        std::ranges::copy(bytes_of_text(key), block.begin());
    const auto begin = [&](std::uint8_t with) {
        std::array<std::uint8_t, 64> pad = block;
        for (std::uint8_t& byte : pad) byte ^= with;
        hash.begin();
        hash.add(pad);
    };
    begin(0x36);
    hash.add(bytes_of_text(text));
    const std::array<std::uint8_t, 32> inner = hash.end();
    begin(0x5c);
    hash.add(inner);
    return hash.end();
}

}  // namespace anml::rt::tls
