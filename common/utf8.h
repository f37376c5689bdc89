// UTF-8 (RFC 3629).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anml {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // what some editors begin a file with

inline void add_utf8(std::string& text, std::uint32_t code)
{
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
        add(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            add(0xe0 | code >> 12);
        } else {
            add(0xf0 | code >> 18);
            add(0x80 | (code >> 12 & 0x3f));
        }
        add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
}

}  // namespace anml
