#include "io/gateway/stations.h"

#include <iterator>

namespace anml::rt::io {

bool Stations::hear(const wire::MacAddress& mac, NodeId side, Time now)
{
    Heard& here = sides_[side];
    const auto found = by_mac_.find(mac);
    if (found == by_mac_.end()) {
        if (here.size() == room_) {
            by_mac_.erase(here.front().mac);
            here.pop_front();
        }
        here.push_back({mac, side, now});
        by_mac_.emplace(mac, std::prev(here.end()));
        return true;
    }
    Station& station = *found->second;
    if (station.side != side) {
        if (now - station.heard < kHeld) return false;
        sides_[station.side].erase(found->second);
        by_mac_.erase(found);
        return hear(mac, side, now);
    }
    station.heard = now;
    here.splice(here.end(), here, found->second);
    return true;
}

NodeId Stations::where(const wire::MacAddress& mac, Time now) const
{
    const auto found = by_mac_.find(mac);
    return found == by_mac_.end() || now - found->second->heard > kAge ? kNone : found->second->side;
}

}  // namespace anml::rt::io
