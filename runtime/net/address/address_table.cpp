#include "net/address/address_table.h"

#include <cassert>

namespace anml::rt {

Address AddressTable::handle(const Ipv6& address, std::uint32_t owner)
{
    const auto handle_of = [](std::uint32_t entry) { return Address{kBlock << 28 | entry}; };
    const auto found = known_.find(address);
    if (found != known_.end()) return handle_of(found->second);
    std::uint32_t entry = oldest_;
    if (entries_.size() < room_) {
        entry = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back({address, owner, 0, kNobody, kNobody});
    } else if (entry == kNobody) {
        return Address::none;
    } else {
        remove(entry);
        known_.erase(entries_[entry].address);
        entries_[entry].address = address;
        entries_[entry].owner = owner;
    }
    known_.emplace(address, entry);
    append(entry);
    return handle_of(entry);
}

void AddressTable::hold(Address handle)
{
    const std::uint32_t entry = index(handle);
    if (entries_[entry].holders++ == 0) remove(entry);
}

void AddressTable::let_go(Address handle)
{
    const std::uint32_t entry = index(handle);
    assert(entries_[entry].holders > 0);
    if (--entries_[entry].holders == 0) append(entry);
}

void AddressTable::append(std::uint32_t entry)
{
    entries_[entry].before = newest_;
    entries_[entry].behind = kNobody;
    (newest_ == kNobody ? oldest_ : entries_[newest_].behind) = entry;
    newest_ = entry;
}

void AddressTable::remove(std::uint32_t entry)
{
    const Entry& e = entries_[entry];
    (e.before == kNobody ? oldest_ : entries_[e.before].behind) = e.behind;
    (e.behind == kNobody ? newest_ : entries_[e.behind].before) = e.before;
}

}  // namespace anml::rt
