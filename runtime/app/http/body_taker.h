// What the bytes of a response's body are given to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "tls/hash.h"

namespace anml::rt::app {

struct BodyTaker {
    static constexpr std::size_t kMostText = 256 * 1024;

    tls::Hash* hash = nullptr;
    std::string* text = nullptr;  // its first kMostText bytes

    void add(std::span<const std::uint8_t> bytes) const
    {
        if (hash) hash->add(bytes);
        if (!text || bytes.empty()) return;
        const std::size_t count = std::min(bytes.size(), kMostText - std::min(kMostText, text->size()));
        text->append(reinterpret_cast<const char*>(bytes.data()), count);
    }
};

}  // namespace anml::rt::app
