// `--map ENDPOINT=VIRTUAL:REAL[,...]`, `--map ENDPOINT=FILE`: real addresses of the hosts that take virtual places.
//
// A file has a line for each pair, `VIRTUAL,REAL`; empty lines and what follows a `#` are left out, and so is a first
// line `virtual,real`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abi/image.h"
#include "io/live.h"

namespace anml::rt::entry {

// Adds the pairs of one option. "": done; else what is wrong, and where.
std::string read_address_map(std::uint32_t endpoint, const std::string& text, std::vector<io::MappedAddress>& all);

// What is wrong with the tables of a run: a virtual address that is not the endpoint's, a real one that is a node's of
// the model, two of either. "": nothing.
std::string check_address_maps(const abi::Image& image, const std::vector<io::SubnetBehind>& subnets,
                               const std::vector<io::MappedAddress>& all);

}  // namespace anml::rt::entry
