// Network address and port translation (RFC 3022, 4787, 5382, 5508): std.middlebox.Nat says what it does.
#pragma once

#include <memory>

#include "net/middlebox/middlebox.h"

namespace anml::rt::nat {

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record);

}  // namespace anml::rt::nat
