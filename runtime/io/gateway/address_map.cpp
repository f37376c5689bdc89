#include "io/gateway/address_map.h"

#include "wire/translate.h"

namespace anml::rt::io {

void translate_in(const AddressMap& map, Packet& packet, std::span<std::uint8_t> bytes, Address source)
{
    if (source != packet.source) wire::replace_address(bytes, wire::AddressField::source, source);
    packet.source = source;
    // What it says of a packet that came from here.
    const Address about = wire::quoted_address(bytes, wire::AddressField::destination);
    const Address place = map.virtual_of(about);
    if (about != Address::none && place != Address::none && place != about)
        wire::replace_quoted_address(bytes, wire::AddressField::destination, place);
}

void translate_out(const AddressMap& map, const Packet& packet, Address to, std::span<std::uint8_t> bytes)
{
    if (to == Address::none) return;
    if (to != packet.destination) wire::replace_address(bytes, wire::AddressField::destination, to);
    const Address about = wire::quoted_address(bytes, wire::AddressField::source);
    const Address real = map.real_of(about);
    if (about != Address::none && real != Address::none && real != about)
        wire::replace_quoted_address(bytes, wire::AddressField::source, real);
}

}  // namespace anml::rt::io
