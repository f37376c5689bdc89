// Addresses: of instances with prefixes, around each other and around those that are set.
#include "base/address.h"
#include "elaborate/value.h"
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

std::string address_of(const Elaborated& e, std::string_view name)
{
    for (const NodeArray& group : e.network->nodes)
        if (group.name == name) return format_address(group.address);
    return "";
}

}  // namespace

TEST_CASE("an instance's prefix is for all of its nodes, and the pool steps around it")
{
    const auto e = elaborate_body(R"(
component Inner(where: prefix) { addressing { prefix = where }  host pc[3] }
component Site(where: prefix) {
  host first[2]
  addressing { prefix = where }
  Inner inner(subnet(where, 26, 0))
  host last
}
model M {
  addressing { pool = 10.0.0.0/16 }
  host before
  Site site[2](subnet(10.0.0.0/23, 24, index))
  Site far(172.16.5.0/24)
  host set { address = 10.0.2.0 }
  host after[2]
  run { duration = 1 s }
})");
    CHECK(address_of(e, "site[0].inner.pc") == "10.0.0.1");
    CHECK(address_of(e, "site[0].first") == "10.0.0.64");
    CHECK(address_of(e, "site[0].last") == "10.0.0.66");
    CHECK(address_of(e, "site[1].inner.pc") == "10.0.1.1");
    CHECK(address_of(e, "site[1].first") == "10.0.1.64");
    CHECK(address_of(e, "far.inner.pc") == "172.16.5.1");
    CHECK(address_of(e, "before") == "10.0.2.1");
    CHECK(address_of(e, "after") == "10.0.2.2");
}

namespace {

std::string ipv6_of(const Elaborated& e, std::string_view name)
{
    for (const NodeArray& group : e.network->nodes)
        if (group.name == name) return group.has_ipv6 ? format_address(group.ipv6, true) : "";
    return "?";
}

bool has_ipv4(const Elaborated& e, std::string_view name)
{
    for (const NodeArray& group : e.network->nodes)
        if (group.name == name) return group.has_ipv4();
    return false;
}

}  // namespace

TEST_CASE("a set address is that of the first element, and rows of an array count on")
{
    const auto e = elaborate_body(R"(
model M {
  addressing { pool = 10.0.0.0/16 }
  endpoint e[2] { address = 10.0.1.1, ipv6 = 2001:db8::1 }
  host h[2][3] { address = 10.0.2.1 }
  endpoint f[2][2] { address = 10.0.3.1 }
  run { duration = 1 s }
})");
    CHECK(address_of(e, "e[0]") == "10.0.1.1");
    CHECK(address_of(e, "e[1]") == "10.0.1.2");
    CHECK(ipv6_of(e, "e[1]") == "2001:db8::2");
    CHECK(address_of(e, "h[0]") == "10.0.2.1");
    CHECK(address_of(e, "h[1]") == "10.0.2.4");
    CHECK(address_of(e, "f[1][0]") == "10.0.3.3");
    CHECK(address_of(e, "f[1][1]") == "10.0.3.4");
}

TEST_CASE("nodes have IPv4, IPv6 or both, as their pool and their own addresses say")
{
    const auto e = elaborate_body(R"(
component Both { addressing { prefix = 10.1.0.0/24, ipv6 = 2001:db8:1::/64 }  host pc[3] }
component Four { addressing { prefix = 10.2.0.0/24 }  host pc }
component Six { addressing { prefix = 2001:db8:3::/64 }  host pc[2]
  Four inner
}
component Second { addressing { ipv6 = 2001:db8:4::/64 }  host pc }
model M {
  addressing { pool = 10.0.0.0/16, ipv6 = 2001:db8::/64 }
  host a
  host b { address = 2001:db8::1 }
  host c { address = 192.168.0.1 }
  host d { ipv6 = 2001:db8:ffff:ffff:ffff:ffff:ffff:fffe }
  Both both
  Six six
  Second second
  switch s
  run { duration = 1 s }
})");
    CHECK(address_of(e, "a") == "10.0.0.1");
    CHECK(ipv6_of(e, "a") == "2001:db8::2");
    CHECK(!has_ipv4(e, "b"));
    CHECK(ipv6_of(e, "c") == "2001:db8::3");
    CHECK(address_of(e, "d") == "10.0.0.2");
    CHECK(address_of(e, "both.pc") == "10.1.0.1");
    CHECK(ipv6_of(e, "both.pc") == "2001:db8:1::1");
    CHECK(!has_ipv4(e, "six.pc"));
    CHECK(ipv6_of(e, "six.pc") == "2001:db8:3::1");
    CHECK(address_of(e, "six.inner.pc") == "10.2.0.1");
    CHECK(ipv6_of(e, "six.inner.pc") == "");
    CHECK(address_of(e, "second.pc") == "10.0.0.3");
    CHECK(ipv6_of(e, "second.pc") == "2001:db8:4::1");
    CHECK(ipv6_of(e, "s") == "");
    // The handle of IPv6 alone is the node's number.
    for (const NodeArray& group : e.network->nodes)
        if (group.only_ipv6) CHECK(group.address == abi::kIpv6Handles + group.first_node);
}

TEST_CASE("a static route to a prefix of IPv6 is one for each array in it, of the prefix's weight")
{
    const auto e = elaborate_body(R"(
model M {
  addressing { pool = 2001:db8::/64 }
  router r
  router s
  host near[4] { address = 2001:db8:7::1 }
  host far[4] { address = 2001:db8:7::ffff:ffff }
  link r -- s { rate = 1 Gbps }
  route r to 2001:db8:7::2/127 via s
  route r to 2001:db8:7::/64 via s
  run { duration = 1 s }
})");
    const auto& routes = e.network->static_routes;
    REQUIRE(routes.size() == 3);
    const std::uint32_t near = e.network->nodes[2].address, far = e.network->nodes[3].address;
    CHECK((routes[0].first == near + 1 && routes[0].last == near + 2 && routes[0].others == 1));
    CHECK((routes[1].first == near && routes[1].last == near + 3));
    CHECK((routes[2].first == far && routes[2].last == far + 3));
    CHECK(routes[1].others == routes[2].others);
    CHECK(routes[1].others > 1e19);
}

}  // namespace ANML_UNIT_FILE
