// What links carry now: what two looks at their counters (net/link/link_views.h) tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "net/link/link_views.h"
#include "net/model.h"

namespace anml::rt::entry {

struct LinkRate {  // of a directed link
    LinkId link = 0;
    double bits_per_second = 0;         // of IP
    std::optional<double> utilisation;  // of its rate, framing included; absent where it has none
    std::uint64_t waiting = 0;          // bytes
    double dropped_per_second = 0;      // by its queue
    double lost_per_second = 0;         // on the way, by its impairments
    bool down = false;
};

class LinkRates {
  public:
    LinkRates(const Model& model, LinkViews& views) : model_(model), views_(views) {}

    // Looks; what follows is about the time since the look before.
    void look();
    const LinkRate& operator[](LinkId link) const { return rates_[link]; }
    // At most so many of those that something uses, the most utilised first.
    std::vector<LinkRate> busiest(std::size_t count) const;

  private:
    const Model& model_;
    LinkViews& views_;
    std::vector<LinkView> last_;
    std::vector<LinkRate> rates_;
};

}  // namespace anml::rt::entry
