// Addresses that change in packets: everything else stays, and all checksums are right.
#include <catch2/catch.hpp>

#include "net/link/buffers.h"
#include "wire/checksum.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/packet_codec.h"
#include "wire/translate.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace anml::rt::wire;
using namespace wire_test;

namespace {

constexpr Address kNow{0xc0a80701};

Bytes with_source(Bytes packet, Address source)
{
    replace_address(packet, AddressField::source, source);
    return packet;
}

// Of TCP or UDP from its first byte; the pseudo header is of the packet that it is in.
bool transport_good(std::span<const std::uint8_t> ip)
{
    Ipv4View view;
    REQUIRE(Ipv4View::check(ip, false, view) == ParseError::none);
    return fold(sum_bytes(view.payload(), view.pseudo(view.payload().size()))) == 0xffff;
}

}  // namespace

TEST_CASE("a packet whose address was replaced is right in all its checksums", "[wire]")
{
    for (const Bytes* packet : kAll) {
        for (const AddressField field : {AddressField::source, AddressField::destination}) {
            Bytes bytes = *packet;
            replace_address(bytes, field, kNow);
            Packet now, before;
            REQUIRE(parse(bytes, true, now) == ParseError::none);
            REQUIRE(parse(*packet, true, before) == ParseError::none);
            CHECK((field == AddressField::source ? now.source : now.destination) == kNow);
            CHECK((field == AddressField::source ? now.destination : now.source) ==
                  (field == AddressField::source ? before.destination : before.source));
            CHECK(now.length == before.length);
            // And back: not a bit is lost.
            replace_address(bytes, field, field == AddressField::source ? before.source : before.destination);
            CHECK(bytes == *packet);
        }
    }
}

TEST_CASE("a checksum that is wrong stays wrong, and none stays none", "[wire]")
{
    Bytes wrong = kDatagram;
    wrong.back() ^= 1;
    Packet packet;
    CHECK(parse(with_source(wrong, kNow), true, packet) == ParseError::bad_checksum);
    Bytes none = kDatagram;
    store16(none.data() + 26, 0);
    CHECK(load16(with_source(none, kNow).data() + 26) == 0);
}

TEST_CASE("a datagram whose checksum comes out as 0 says 0xffff", "[wire]")
{
    // Some source makes it 0: the sum of all others goes through all values.
    std::size_t seen = 0;
    for (std::uint32_t low = 0; low < 0x10000; ++low) {
        const Bytes bytes = with_source(kDatagram, Address{0x0a090000 | low});
        CHECK(load16(bytes.data() + 26) != 0);
        if (load16(bytes.data() + 26) != 0xffff) continue;
        ++seen;
        CHECK(transport_good(bytes));
    }
    CHECK(seen >= 1);
}

TEST_CASE("later fragments have no checksum of their transport to change", "[wire]")
{
    Bytes fragment = kDatagram;
    store16(fragment.data() + 6, 185);
    finish_ipv4(fragment.data());
    const Bytes now = with_source(fragment, kNow);
    CHECK(std::equal(fragment.begin() + 20, fragment.end(), now.begin() + 20));
    Ipv4View view;
    REQUIRE(Ipv4View::check(now, true, view) == ParseError::none);
    CHECK(view.checksum_good());
}

TEST_CASE("what an ICMP error quotes is changed with all checksums inside and out", "[wire]")
{
    const Address quoted = quoted_address(kPortUnreachable, AddressField::source);
    CHECK(quoted == Address{0x0a090001});
    Bytes bytes = kPortUnreachable;
    replace_quoted_address(bytes, AddressField::source, kNow);
    CHECK(quoted_address(bytes, AddressField::source) == kNow);
    CHECK(quoted_address(bytes, AddressField::destination) == Address{0x0a090002});
    Packet packet;
    REQUIRE(parse(bytes, true, packet) == ParseError::none);  // the ICMP checksum
    const auto inner = std::span(bytes).subspan(28);
    Ipv4View view;
    REQUIRE(Ipv4View::check(inner, false, view) == ParseError::none);
    CHECK(view.checksum_good());
    CHECK(transport_good(inner));  // the datagram is quoted whole
    replace_quoted_address(bytes, AddressField::source, quoted);
    CHECK(bytes == kPortUnreachable);
    // No error, and a quote that is cut off: nothing to change.
    CHECK(quoted_address(kEchoRequest, AddressField::source) == Address::none);
    CHECK(quoted_address(kDatagram, AddressField::source) == Address::none);
    CHECK(quoted_address(std::span(kPortUnreachable).first(40), AddressField::source) == Address::none);
    Bytes same = kEchoRequest;
    replace_quoted_address(same, AddressField::source, kNow);
    CHECK(same == kEchoRequest);
}

TEST_CASE("the MSS of a SYN is replaced wherever its option begins", "[wire]")
{
    const std::size_t before = GENERATE(0u, 1u, 2u, 3u);                                        // bytes of padding
    Bytes syn = {0x45, 0, 0, 48, 0, 1, 0x40, 0, 64, 6, 0, 0, 10,   0, 0,    1,    10, 0, 0, 2,  // IP
                 0x10, 0, 0, 80, 0, 0, 0,    1, 0,  0, 0, 0, 0x70, 2, 0xff, 0xff, 0,  0, 0, 0,  // TCP
                 1,    1, 1, 1,  1, 1, 1,    1};
    const Bytes option = {2, 4, 0x05, 0xb4};
    std::copy(option.begin(), option.end(), syn.begin() + static_cast<std::ptrdiff_t>(40 + before));
    const auto store = [&](std::size_t at, std::uint32_t sum) {
        store16(syn.data() + at, static_cast<std::uint16_t>(~fold(sum)));
    };
    store(10, sum_bytes(std::span(syn).first(20)));
    store(36, sum_bytes(std::span(syn).subspan(20), pseudo_header(Address{0x0a000001}, Address{0x0a000002}, 6, 28)));
    REQUIRE(transport_good(syn));
    Packet packet;
    REQUIRE(parse(syn, true, packet) == ParseError::none);
    CHECK(packet.tcp_syn().mss == 1460);
    lower_mss(syn, 1461);
    REQUIRE(parse(syn, true, packet) == ParseError::none);
    CHECK(packet.tcp_syn().mss == 1460);  // never raised
    lower_mss(syn, 0x0357);
    CHECK(transport_good(syn));
    REQUIRE(parse(syn, true, packet) == ParseError::none);
    CHECK(packet.tcp_syn().mss == 0x0357);
    // One without the option stays as it is.
    Bytes none = syn;
    std::fill(none.begin() + 40, none.end(), std::uint8_t{1});
    const Bytes same = none;
    lower_mss(none, 500);
    CHECK(none == same);
}

TEST_CASE("each of several options for the MSS is lowered, none raised", "[wire]")
{
    Bytes syn(20 + 28);
    syn[0] = 0x45;
    syn[9] = 6;
    syn[32] = 0x70;
    const Bytes options{2, 4, 0x05, 0xb4, 2, 4, 0x02, 0x00};
    std::copy(options.begin(), options.end(), syn.begin() + 40);
    lower_mss(syn, 1000);
    CHECK(load16(syn.data() + 42) == 1000);
    CHECK(load16(syn.data() + 46) == 0x200);
}

}  // namespace ANML_UNIT_FILE
