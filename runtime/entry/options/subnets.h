// `--behind ENDPOINT=PREFIX[,PREFIX...]`: subnets behind the real host that is attached to an endpoint.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "abi/image.h"
#include "io/live.h"

namespace anml::rt::entry {

// "192.168.7.0/24", "fd00:7::/64". Nothing: `error` says what is wrong with it, as the end of a sentence.
std::optional<Subnet> parse_subnet(std::string_view text, std::string& error);

// What is wrong with the subnets of a run: they overlap each other, or hold an address of the model. "": nothing.
std::string check_subnets(const abi::Image& image, const std::vector<io::SubnetBehind>& subnets);

}  // namespace anml::rt::entry
