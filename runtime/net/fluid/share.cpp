// A packet comes to a link that has fluid.
#include "net/fluid/fluid.h"
#include "net/net.h"

namespace anml::rt {

droptail::Admission Net::share_with_fluid(fluid::FluidLink& link, LinkId id, std::uint32_t length)
{
    fluid::advance(link, now, {counters.begin, counters.end});
    return fluid::admit(link, length, LinkDraws(seed, id, link.draws), measuring());
}

}  // namespace anml::rt
