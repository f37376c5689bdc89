// The model: names, addresses, routes.
#include <catch2/catch.hpp>

#include "image_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using test::ChainModel;

TEST_CASE("nodes and links have names, addresses and rows", "[kernel]")
{
    test::Chain chain;
    chain.routers = 3;
    chain.hosts = 4;
    ChainModel built(chain);
    rt::Model model = built.model();

    CHECK(model.node_name(built.server()) == "server");
    CHECK(model.node_name(built.client(2, 3)) == "net[2].client[3]");
    CHECK(model.address(built.client(2, 3)) == rt::Address{0x0a030004});
    CHECK(model.node_with(rt::Address{0x0a030004}) == built.client(2, 3));
    CHECK_FALSE(model.node_with(rt::Address{0x0a030005}));
    CHECK_FALSE(model.node_with(rt::Address{1}));
    CHECK(model.node_with(ChainModel::gateway_address(1)) == built.gateway(1));

    CHECK(model.link_name(built.edge_up(1, 2)) == "net[1].edge[2]>");
    CHECK(model.link_name(built.entry_down()) == "entry<");
    CHECK(model.links_named("net[1].edge[2]<") == std::vector<rt::LinkId>{built.edge_down(1, 2)});
    CHECK(model.links_named("net[1].edge[2]") == std::vector<rt::LinkId>{built.edge_up(1, 2), built.edge_down(1, 2)});
    CHECK(model.links_named("net[1].edge").size() == 8);
    CHECK(model.links_named("net[1].edge>").size() == 4);
    CHECK(model.links_named("hop[1]").size() == 2);
    CHECK(model.links_named("hop").size() == 4);  // a loop made them
    CHECK(model.links_named("hop>").size() == 2);
    CHECK(model.links_named("ho").empty());
    CHECK(model.links_named("hop[").empty());
    CHECK(model.links_named("net").empty());
    CHECK(model.links_named("net[1].edge[4]").empty());
    CHECK(model.links_named("net[1].edge[-1]").empty());
    CHECK(model.links_named("nothing").empty());
    CHECK(model.links_named("").empty());
}

TEST_CASE("routes lead along the chain", "[kernel]")
{
    test::Chain chain;
    chain.routers = 3;
    chain.hosts = 4;
    ChainModel built(chain);
    rt::Model model = built.model();

    const auto route = [&](rt::NodeId node, rt::Address destination) {
        const abi::NodeRow& row = model.node_row(node);
        return model.route(model.image().tables, model.image().codes, row, node - row.first_node, destination, 1,
                           [] { return rt::Flow{}; });
    };

    CHECK(route(built.client(1, 3), ChainModel::server_address()) == built.edge_up(1, 3));
    CHECK(route(built.gateway(0), ChainModel::server_address()) == built.entry_up());
    CHECK(route(built.server(), ChainModel::client_address(2, 1)) == built.entry_down());
    CHECK(route(built.gateway(2) + 1, ChainModel::client_address(2, 1)) == built.edge_down(2, 1));
    CHECK(route(built.server(), rt::Address{0x0b000000}) == rt::kNone);
    CHECK(route(built.server(), rt::Address::none) == rt::kNone);
    // Between two ranges, and behind the last one.
    CHECK(route(built.gateway(1), ChainModel::client_address(1, 4)) == rt::kNone);
    CHECK(route(built.gateway(1), rt::Address{0xffffffff}) == rt::kNone);
}

}  // namespace ANML_UNIT_FILE
