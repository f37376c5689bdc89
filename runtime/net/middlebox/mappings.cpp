#include "net/middlebox/mappings.h"

#include "common/mix.h"
#include "net/address/address_table.h"

namespace anml::rt {

std::size_t Mappings::Hash::operator()(const End& end) const
{
    return mix(std::uint64_t{number(end.address)} << 24 | std::uint64_t{end.protocol} << 16 | end.port);
}

Mapping* Mappings::of(const End& end)
{
    const auto at = by_end_.find(end);
    return at == by_end_.end() ? nullptr : &at->second;
}

Mapping* Mappings::at(std::uint16_t port, std::uint8_t protocol)
{
    const auto at = by_port_.find(End{Address::none, port, protocol});
    return at == by_port_.end() ? nullptr : at->second;
}

Mapping* Mappings::make(const End& end)
{
    FreePorts& free = ports_of(end.protocol);
    std::uint32_t port = end.port;
    if (!free.has(port)) {
        port = free.next(next_);
        if (port == 0) return nullptr;
        next_ = port == last_ ? first_ : port + 1;
    }
    free.take(port);
    Mapping& made = by_end_[end];
    made = {end, static_cast<std::uint16_t>(port), 0, 0};
    by_port_[End{Address::none, made.port, end.protocol}] = &made;
    return &made;
}

void Mappings::forget(const Mapping& mapping)
{
    const End end = mapping.end;
    by_port_.erase(End{Address::none, mapping.port, end.protocol});
    ports_of(end.protocol).give_back(mapping.port);
    by_end_.erase(end);
}

}  // namespace anml::rt
