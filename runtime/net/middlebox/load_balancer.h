// A load balancer of layer 4 by full network address translation: std.middlebox.LoadBalancer says what it does. It
// follows IPVS of Linux (net/netfilter/ipvs) in what begins a connection, how long one is known, and what counts as
// active.
#pragma once

#include <memory>

#include "net/middlebox/middlebox.h"

namespace anml::rt::load_balancer {

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record);

}  // namespace anml::rt::load_balancer
