// Handles that stand for other addresses, who holds them, and subnets behind endpoints.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "net/external_hosts.h"
#include "net/link/buffers.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

Ipv6 numbered(std::uint32_t i)
{
    return {0xfd,
            0,
            0,
            7,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            static_cast<std::uint8_t>(i >> 16),
            static_cast<std::uint8_t>(i >> 8),
            static_cast<std::uint8_t>(i)};
}

}  // namespace

TEST_CASE("a handle of the table is no IPv4 address of a host", "[net]")
{
    AddressTable table;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const Address handle = table.handle(numbered(i), 3);
        CHECK(number(handle) >> 28 == 0xf);
        CHECK(AddressTable::has(handle));
        CHECK(table.handle(numbered(i), 4) == handle);
        CHECK(table.address(handle) == numbered(i));
        CHECK(table.owner(handle) == 3);
    }
    for (const std::uint32_t ipv4 : {0u, 0x0a000001u, 0xe0000001u, 0xefffffffu})
        CHECK_FALSE(AddressTable::has(Address{ipv4}));
}

TEST_CASE("the table is bounded, and what nobody has held for the longest time goes first", "[net]")
{
    AddressTable table(3);
    const auto used = [&](std::uint32_t i) {
        const Address handle = table.handle(numbered(i), 0);
        table.hold(handle);
        table.let_go(handle);
        return handle;
    };
    const Address first = used(1), second = used(2), third = used(3);
    CHECK(used(1) == first);
    CHECK(used(4) == second);
    CHECK(used(5) == third);
    CHECK(used(1) == first);
    CHECK(used(6) == second);
    CHECK(table.address(first) == numbered(1));
    CHECK(table.size() == 3);

    for (const Address handle : {first, second, third}) table.hold(handle);
    table.hold(second);
    CHECK(table.handle(numbered(7), 0) == Address::none);
    table.let_go(second);
    CHECK(table.handle(numbered(7), 0) == Address::none);  // held twice
    table.let_go(second);
    CHECK(table.handle(numbered(7), 0) == second);
    CHECK(table.address(first) == numbered(1));
}

TEST_CASE("whatever comes, a handle that is held stands for its address", "[net]")
{
    AddressTable table(50);
    std::mt19937 random(7);
    std::vector<std::pair<Address, Ipv6>> held;
    for (int i = 0; i < 100000; ++i) {
        if (held.size() < 60 && random() % 2) {
            const Ipv6 address = numbered(random() % 200);
            const Address handle = table.handle(address, 0);
            if (handle == Address::none) continue;
            table.hold(handle);
            held.emplace_back(handle, address);
        } else if (!held.empty()) {
            std::swap(held[random() % held.size()], held.back());
            table.let_go(held.back().first);
            held.pop_back();
        }
        if (i % 100) continue;
        for (const auto& [handle, address] : held) REQUIRE(table.address(handle) == address);
    }
    CHECK(table.size() == 50);
}

TEST_CASE("a packet's buffer holds its addresses until it is released", "[net]")
{
    AddressTable table(2);
    BufferPool buffers(&table);
    Packet packet;
    packet.source = table.handle(numbered(1), 0);
    packet.destination = Address{0x0a000001};
    packet.buffer = buffers.store(std::vector<std::uint8_t>(40));
    buffers.hold_addresses(packet);
    for (std::uint32_t i = 2; i < 10; ++i) CHECK(table.handle(numbered(i), 0) != packet.source);
    buffers.release(packet.buffer);
    CHECK(table.handle(numbered(20), 0) != table.handle(numbered(21), 0));
    CHECK(table.handle(numbered(1), 0) != Address::none);
    // A buffer is used again without what it held.
    buffers.release(buffers.store(std::vector<std::uint8_t>(40)));
    CHECK(buffers.in_use() == 0);
}

TEST_CASE("a subnet is the first bits of its addresses", "[net]")
{
    ExternalHosts external_hosts(16);
    CHECK_FALSE(external_hosts.speak_ipv6());
    external_hosts.add({false, {192, 168, 8}, 22}, 5);
    external_hosts.add({false, {198, 51, 100, 7}, 32}, 6);
    external_hosts.add({true, {0xfd, 0, 0, 0x70}, 28}, 7);
    CHECK(external_hosts.speak_ipv6());
    const auto behind = [&](std::uint32_t address) { return external_hosts.endpoint_of(Address{address}); };
    CHECK(behind(0xc0a80800) == 5);
    CHECK(behind(0xc0a80bff) == 5);
    CHECK(behind(0xc0a80c00) == kNone);
    CHECK(behind(0xc0a807ff) == kNone);
    CHECK(behind(0xc6336407) == 6);
    CHECK(behind(0xc6336408) == kNone);
    CHECK(behind(0) == kNone);

    const Ipv6 inside{0xfd, 0, 0, 0x7f, 1}, outside{0xfd, 0, 0, 0x80};
    CHECK(external_hosts.endpoint_of(inside) == 7);
    CHECK(external_hosts.endpoint_of(outside) == kNone);
    CHECK(external_hosts.handle(outside) == Address::none);
    const Address handle = external_hosts.handle(inside);
    CHECK(external_hosts.endpoint_of(handle) == 7);
    CHECK(external_hosts.table().size() == 1);

    CHECK(overlap({false, {10}, 8}, {false, {10, 1}, 16}));
    CHECK_FALSE(overlap({false, {10}, 8}, {false, {11, 1}, 16}));
    CHECK_FALSE(overlap({false, {10}, 8}, {true, {10, 1}, 16}));
}

}  // namespace ANML_UNIT_FILE
