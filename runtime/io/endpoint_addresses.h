// Endpoints as real hosts see them: their names, their addresses, and what they reach through the model.
#pragma once

#include <cstdint>
#include <string>

#include "abi/image.h"
#include "io/device/tap.h"
#include "io/live.h"

namespace anml::rt {

class Model;

namespace io {

std::string endpoint_name(const Model& model, std::uint32_t endpoint);
bool has_prefix(const abi::Image& image, std::uint32_t endpoint, abi::PrefixKind kind);
// "hosts of 192.168.7.0/24 (bridged)"; "": it is one host.
std::string hosts_shown(const abi::Image& image, std::uint32_t endpoint);
HostAddresses addresses_of(const Model& model, const LiveOptions& options, std::uint32_t endpoint);
// The model's hosts and routers, as lines of /etc/hosts.
std::string names_of_nodes(const Model& model);

}  // namespace io
}  // namespace anml::rt
