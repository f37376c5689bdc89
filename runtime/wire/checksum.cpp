#include "wire/checksum.h"

#include <cstring>

#include "wire/packet_codec.h"

namespace anml::rt::wire {

std::uint32_t sum_bytes(std::span<const std::uint8_t> bytes, std::uint32_t sum)
{
    // Ones' complement addition does not care about byte order (RFC 1071, section 2 B): add native 32-bit words into
    // 64 bits, fold, and swap once.
    std::uint64_t total = 0;
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    while (left >= 16) {
        std::uint32_t words[4];
        std::memcpy(words, at, sizeof words);
        total += static_cast<std::uint64_t>(words[0]) + words[1] + words[2] + words[3];
        at += 16;
        left -= 16;
    }
    while (left >= 2) {
        std::uint16_t word;
        std::memcpy(&word, at, sizeof word);
        total += word;
        at += 2;
        left -= 2;
    }
    if (left) total += *at;  // little-endian: the low byte is the first, a word's high half on the wire
    while (total >> 16) total = (total & 0xffff) + (total >> 16);
    const std::uint32_t swapped = __builtin_bswap16(static_cast<std::uint16_t>(total));
    return static_cast<std::uint32_t>(fold(sum)) + swapped;
}

std::uint16_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t sum)
{
    return static_cast<std::uint16_t>(~fold(sum_bytes(bytes, sum)));
}

}  // namespace anml::rt::wire
