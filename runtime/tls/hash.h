// SHA-256 (FIPS 180-4) of bytes that come in pieces, by OpenSSL, as tls.h: it lies in the same archive, and only
// emulators of models that use it are linked with it. It needs no random numbers, and no clock.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace anml::rt::tls {

class Hash {
  public:
    virtual ~Hash() = default;

    virtual void begin() = 0;  // anew; first of all
    virtual void add(std::span<const std::uint8_t> bytes) = 0;
    virtual std::array<std::uint8_t, 32> end() = 0;  // of all since begin(), which has to come next
};

}  // namespace anml::rt::tls

// Null where it is not linked; else the caller's.
extern "C" [[gnu::weak]] anml::rt::tls::Hash* anml_new_sha256();
