// What CoDel remembers of a list of packets (net/queue/codel.h). All zero: they have not waited for long.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace anml::rt::codel {

struct Control {
    Time first_above = 0;  // when the list will have been above the target for an interval; 0: it is not
    Time drop_next = 0;
    std::uint32_t drops = 0;       // since it began to drop
    std::uint32_t drops_then = 0;  // as it began to
    bool dropping = false;
};

}  // namespace anml::rt::codel
