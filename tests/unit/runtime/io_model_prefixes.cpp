// What real hosts send to the model: its pool, and exactly what lies outside of it.
#include <catch2/catch.hpp>

#include "io/device/dotted.h"
#include "io/device/model_prefixes.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt::io;

TEST_CASE("the pool, and prefixes of addresses outside of it")
{
    const auto row = [](std::uint32_t address, std::uint32_t count) {
        abi::NodeRow node{};
        node.address = address;
        node.count = count;
        return node;
    };
    constexpr std::uint32_t kOwn = 0xc0000209;
    const abi::NodeRow rows[] = {
        row(0x0a000001, 1000),  // inside
        row(0, 3),              // switches
        row(0xc0000201, 4),     // 192.0.2.1 .. 4
        row(0xc0000205, 3),     // goes on
        row(kOwn, 1),
        row(0x0afffffe, 4),  // out of the pool's end: 11.0.0.0 and 11.0.0.1
        row(0x09ffffff, 2),  // into it: 9.255.255.255
    };
    abi::Image image{};
    image.pool_first = 0x0a000000;
    image.pool_length = 8;
    image.node_rows = rows;
    image.node_row_count = std::size(rows);
    std::vector<std::string> shown_prefixes;
    for (const AddressPrefix& prefix : model_prefixes(image, kOwn)) shown_prefixes.push_back(shown(prefix));
    CHECK(shown_prefixes == std::vector<std::string>{"10.0.0.0/8", "9.255.255.255/32", "11.0.0.0/31", "192.0.2.1/32",
                                                     "192.0.2.2/31", "192.0.2.4/30"});
}

TEST_CASE("of IPv6 exactly the nodes' addresses, over the ends of words too, and what others speak by")
{
    const auto row = [](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t count) {
        abi::NodeRow node{};
        const std::uint32_t words[] = {a, b, c, d};
        std::copy(std::begin(words), std::end(words), node.ipv6);
        node.count = count;
        return node;
    };
    const abi::NodeRow rows[] = {
        row(0x20010db8, 0, 0, 5, 3),          // 2001:db8::5 .. 7
        row(0, 0, 0, 0, 9),                   // of IPv4 alone
        row(0x20010db8, 0, 0, 1, 4),          // 2001:db8::1 .. 4
        row(0x20010db8, 0, 0, 8, 0),          // an empty array
        row(0x20010db8, 1, ~0u, ~0u - 1, 4),  // two before the end of a /64, two behind
        row(0xfd000000, 0, 0, 0x10000, 65536),
    };
    abi::Image image{};
    image.node_rows = rows;
    image.node_row_count = std::size(rows);
    std::vector<std::string> shown_prefixes;
    for (const rt::Subnet& prefix : model_prefixes_ipv6(image)) shown_prefixes.push_back(shown(prefix));
    CHECK(shown_prefixes == std::vector<std::string>{"64:ff9b:1::/96", "2001:db8::1/128", "2001:db8::2/127",
                                                     "2001:db8::4/126", "2001:db8:0:1:ffff:ffff:ffff:fffe/127",
                                                     "2001:db8:0:2::/127", "fd00::1:0/112"});
}

}  // namespace ANML_UNIT_FILE
