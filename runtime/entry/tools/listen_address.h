// Where a live run listens for readers of its figures (--metrics) and for clients of its API (--api).
#pragma once

#include <string>
#include <string_view>

#include "io/device/descriptor.h"

namespace anml::rt::entry {

// `127.0.0.1:9100`, `[::1]:9100`, `:9100` (this machine only). Nothing: `error`, of this option.
struct ListenAddress {
    std::string host, port;
};
bool parse_listen_address(std::string_view option, const std::string& text, ListenAddress& address, std::string& error);

// Listens there; an invalid descriptor: `error`.
io::Descriptor listen_at_address(std::string_view option, const ListenAddress& address, std::string& error);

}  // namespace anml::rt::entry
