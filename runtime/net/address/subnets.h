// Where the hosts of web workloads stand in the model: the groups by which their figures are told apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/image.h"
#include "base/ids.h"

namespace anml::rt {

class Subnets {
  public:
    static constexpr std::size_t kMost = 256;

    explicit Subnets(const abi::Image& image);

    // Of a row of nodes: a name's index, or how many names there are, if none of them asks for documents.
    std::uint32_t of_row(std::uint32_t row) const { return by_row_[row]; }
    const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::uint32_t> by_row_;
    std::vector<std::string> names_;  // "subnet[3]"
};

// "net[3].lan" is where net[3].lan.pc[17] stands, to so many parts of the path. Of a host that is in no instance it is
// its array, or its own name.
std::string place_of_host(std::string_view host, std::size_t parts);

}  // namespace anml::rt
