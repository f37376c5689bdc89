// Words of HTTP that are read a byte at a time: which of a few may still be meant is a bit each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace anml::rt::app::http {

// As the library's `Method` has them.
enum class Method : std::uint8_t { get, head, post, put, del, patch, options };

// Whose requests have a body, unless they are written out; and that may be sent again (RFC 9110, 9.2.2).
inline bool has_body(Method method)
{
    return method == Method::post || method == Method::put || method == Method::patch;
}
inline bool is_idempotent(Method method) { return method != Method::post && method != Method::patch; }

inline constexpr std::uint8_t kAnyWord = 0xff;
inline constexpr std::uint8_t kLongestWord = 0xff;  // its length is counted up to here

inline bool digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }
inline bool blank(std::uint8_t byte) { return byte == ' ' || byte == '\t'; }
inline std::uint8_t lower(std::uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? static_cast<std::uint8_t>(byte + 32) : byte;
}

// Those of `words` among `alike` that go on with `byte` at `at`.
template <std::size_t N>
std::uint8_t still_alike(const std::string_view (&words)[N], std::uint8_t alike, std::uint8_t at, std::uint8_t byte)
{
    static_assert(N <= 8);
    for (unsigned i = 0; i < N; ++i)
        if (at >= words[i].size() || static_cast<std::uint8_t>(words[i][at]) != byte)
            alike &= static_cast<std::uint8_t>(~(1u << i));
    return alike;
}

// Whether it is that word, after `at` bytes.
template <std::size_t N>
bool is(const std::string_view (&words)[N], unsigned word, std::uint8_t alike, std::uint8_t at)
{
    return (alike >> word & 1) && at == words[word].size();
}

}  // namespace anml::rt::app::http
