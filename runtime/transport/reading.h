// What a connection keeps of an application that reads at a rate (Tcp's `read_rate`).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace anml::rt::tcp {

struct Reading {
    Time at = 0;             // up to which it has read
    double unread = 0;       // bytes that wait for it in the buffer then
    std::uint32_t slot = 0;  // of the connection
};

}  // namespace anml::rt::tcp
