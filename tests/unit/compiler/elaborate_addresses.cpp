// Addresses: of instances with prefixes, around each other and around those that are set.
#include "base/address.h"
#include "elaborate/value.h"
#include "elaborate_text.h"

using namespace anml;
using namespace anml::test;

namespace {

std::string address_of(const Elaborated& e, std::string_view name)
{
    for (const NodeGroup& group : e.network->nodes)
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
