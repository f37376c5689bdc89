// Base64 (RFC 4648): its usual alphabet, with `=` at the end, or that of URLs and file names, without.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anml {

enum class Base64 : std::uint8_t { usual, url };

inline void add_base64(std::string_view bytes, Base64 kind, std::string& text)
{
    constexpr char kUsual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr char kUrl[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char* const digits = kind == Base64::url ? kUrl : kUsual;
    text.reserve(text.size() + (bytes.size() + 2) / 3 * 4);
    for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 3 ? bytes.size() : 3)) {
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i)
            three = three << 8 | (i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0);
        for (std::size_t i = 0; i < 4; ++i)
            if (i <= bytes.size())
                text += digits[three >> (18 - 6 * i) & 63];
            else if (kind == Base64::usual)
                text += '=';
    }
}

inline std::string base64(std::string_view bytes)
{
    std::string text;
    add_base64(bytes, Base64::usual, text);
    return text;
}

}  // namespace anml
