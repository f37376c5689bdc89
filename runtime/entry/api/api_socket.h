// Where clients of a live run's API come (--api), and the token that they need. The address is anybody's on this
// machine, unlike the socket of `ctl`: who knows the token may do what that may.
#pragma once

#include <string>

#include "entry/tools/listen_address.h"
#include "io/device/descriptor.h"

namespace anml::rt::entry {

struct ApiListener {
    io::Descriptor socket;
    std::string token;
    std::string told;  // to whoever started the run: the address, and the token where it was made here
};

// Takes ANML_API_TOKEN out of the environment, which commands of sandboxes get. An invalid one: `error`.
ApiListener listen_for_api(const ListenAddress& address, std::string& error);

}  // namespace anml::rt::entry
