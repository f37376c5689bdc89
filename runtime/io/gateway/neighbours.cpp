#include "io/gateway/neighbours.h"

namespace anml::rt::io {

Neighbours::Host* Neighbours::find(Address address)
{
    const auto found = by_address_.find(address);
    return found == by_address_.end() ? nullptr : &*found->second;
}

Address Neighbours::hear(Address address, const wire::MacAddress& mac, Time now)
{
    if (const auto found = by_address_.find(address); found != by_address_.end()) {
        hosts_.splice(hosts_.end(), hosts_, found->second);
        *found->second = {address, mac, now};
        return Address::none;
    }
    Address gone = Address::none;
    if (by_address_.size() == room_) {
        gone = hosts_.front().address;
        by_address_.erase(gone);
        hosts_.pop_front();
    }
    hosts_.push_back({address, mac, now});
    by_address_.emplace(address, std::prev(hosts_.end()));
    return gone;
}

void Neighbours::forget(Address address)
{
    const auto found = by_address_.find(address);
    if (found == by_address_.end()) return;
    hosts_.erase(found->second);
    by_address_.erase(found);
}

}  // namespace anml::rt::io
