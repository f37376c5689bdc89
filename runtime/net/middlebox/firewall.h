// A stateful firewall: std.middlebox.Firewall says what it does.
#pragma once

#include <memory>

#include "net/middlebox/middlebox.h"

namespace anml::rt::firewall {

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record);

}  // namespace anml::rt::firewall
