// Folding: what is one node, which links become one, what they carry.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "driver/show_network.h"
#include "elaborate_text.h"
#include "graph/colouring.h"
#include "graph/fold_plan.h"
#include "graph/formats.h"
#include "graph/graph.h"
#include "graph/picture.h"
#include "network_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

std::set<std::string> names(const Picture& picture)
{
    std::set<std::string> all;
    for (const PictureNode& node : picture.nodes) all.insert(node.name);
    return all;
}

Picture draw(const Network& network, FoldRequest request = {})
{
    Diagnostics diagnostics;
    const auto plan = plan_folds(network, nullptr, request, diagnostics);
    REQUIRE(plan);
    return make_picture({network}, *plan);
}

std::size_t all_links(const Picture& picture)
{
    std::size_t links = 0;
    for (const PictureEdge& edge : picture.edges) links += edge.links;
    for (const PictureNode& node : picture.nodes) links += node.inner_links;
    return links;
}

}  // namespace

TEST_CASE("patterns of names", "[graph]")
{
    CHECK(matches("net[*].client", "net[31].client"));
    CHECK(matches("net[*]", "net[3]"));
    CHECK_FALSE(matches("net[*]", "net[3].client"));
    CHECK(matches("*", "net"));
    CHECK_FALSE(matches("*", "net[0].lan"));
    CHECK(matches("*.*", "net[0].lan"));
    CHECK(matches("n*t[*3]", "net[13]"));
    CHECK_FALSE(matches("net", "nett"));
    CHECK(last_part("a.b[2].c") == "c");
}

TEST_CASE("a large array is a stack, whatever its size", "[graph]")
{
    const auto wan = anml::test::make_wan(4, 4096);
    const Picture picture = draw(wan.builder.network);
    CHECK(picture.nodes.size() == 1 + 4 * 3);
    CHECK(picture.edges.size() == 4 * 3);
    CHECK(all_links(picture) == 4 * (4096 + 2));
    const auto stack = std::find_if(picture.nodes.begin(), picture.nodes.end(),
                                    [](const PictureNode& node) { return node.name == "net[2].client"; });
    REQUIRE(stack != picture.nodes.end());
    CHECK(stack->stacked);
    CHECK(stack->label == "client[4096]");
    CHECK(stack->last_address - stack->address == 4095);
    REQUIRE(stack->group != abi::kNone);
    CHECK(picture.groups[stack->group].name == "net[2]");
}

TEST_CASE("what is folded by name", "[graph]")
{
    const auto wan = anml::test::make_wan(4, 10);
    const Network& network = wan.builder.network;
    CHECK(names(draw(network, {{"net"}, {}, true})) == std::set<std::string>{"net", "server"});
    CHECK(names(draw(network, {{"net[*]"}, {}, true})) ==
          std::set<std::string>{"net[0]", "net[1]", "net[2]", "net[3]", "server"});
    CHECK(
        names(draw(network, {{"net[*]"}, {"net[2]"}, true})) ==
        std::set<std::string>{"net[0]", "net[1]", "net[2].client", "net[2].gateway", "net[2].lan", "net[3]", "server"});
    CHECK(draw(network, {{}, {"net[1].client"}, true}).nodes.size() == 1 + 4 * 3 + 9);
    CHECK(draw(network, {{}, {}, false}).nodes.size() == 1 + 4 * 12);
    CHECK(draw(network, {{"all"}, {}, true}).nodes.size() == 2);
    for (const auto& request :
         {FoldRequest{{"net"}, {}, true}, FoldRequest{{"net[*]"}, {"net[2]"}, true}, FoldRequest{{}, {"all"}, true}})
        CHECK(all_links(draw(network, request)) == 4 * 12);
    const Picture folded = draw(network, {{"net[*]"}, {}, true});
    CHECK(folded.edges.size() == 4);
    CHECK(folded.nodes[1].count == 12);
    CHECK(folded.nodes[1].inner_links == 11);
}

TEST_CASE("instances are folded where a picture would have too many nodes", "[graph]")
{
    const auto wan = anml::test::make_wan(500, 20);
    const Picture picture = draw(wan.builder.network);
    CHECK(picture.nodes.size() == 501);
    CHECK(picture.nodes[1].role == Role::component);
}

TEST_CASE("parallel links and the values of links that are shown as one", "[graph]")
{
    const auto made = anml::test::elaborate_body(R"(
model Two {
  router a
  router b
  host pc[20]
  link first: a -- b { rate = 1 Gbps, delay = 1 ms }
  link second: a -- b { rate = 2 Gbps, delay = 3 ms }
  link left: pc[0 ..< 10] -- a { rate = 10 Mbps }
  link right: pc[10 ..< 20] -- a { rate = 20 Mbps, delay = 5 us }
  run { duration = 1 s }
})");
    const Picture picture = draw(*made.network);
    REQUIRE(picture.edges.size() == 4);
    CHECK(picture.edges[0].parallels == 2);
    CHECK(picture.edges[1].parallel == 1);
    CHECK(picture.edges[2].name == "left[10]");
    CHECK(names(picture).contains("pc[10 .. 19]"));
    const Picture folded = draw(*made.network, {{"pc"}, {}, true});
    REQUIRE(folded.edges.size() == 3);
    CHECK(folded.edges[2].name == "20 links");
    CHECK(folded.edges[2].rate[0].low == 10e6);
    CHECK(folded.edges[2].rate[0].high == 20e6);
    CHECK(folded.edges[2].delay[1].high == 5000);
}

TEST_CASE("a link has the colour of its slower direction", "[graph]")
{
    const auto made = anml::test::elaborate_body(R"(
model Line {
  router r[4]
  link fast: r[0] -- r[1] { rate = 10 Mbps }
  link slow: r[1] -- r[2] { rate = 1 Mbps }
  link adsl: r[2] -- r[3] { rate = 10 Mbps, up { rate = 1 Mbps } }
  run { duration = 1 s }
})");
    const Colouring colours = colour(draw(*made.network), ColorBy::rate);
    REQUIRE(colours.edges.size() == 3);
    CHECK(colours.edges[0] != colours.edges[1]);
    CHECK(colours.edges[2] == colours.edges[1]);
}

TEST_CASE("loads and tasks reach the picture", "[graph]")
{
    const auto wan = anml::test::make_wan(3, 100);
    SourceSet sources;
    Diagnostics diagnostics;
    PictureOptions options;
    options.format = PictureFormat::json;
    for (const ColorBy by : {ColorBy::load, ColorBy::task}) {
        options.color_by = by;
        const auto text = show_network(wan.builder.network, options, {}, sources, diagnostics);
        REQUIRE(text);
        CHECK(text->find(by == ColorBy::load ? "\"load\": 0." : "\"task\": 0") != std::string::npos);
    }
}

TEST_CASE("Mermaid gets what it draws", "[graph]")
{
    std::ostringstream text;
    text << std::ifstream(ANML_SOURCE_DIR "/tests/bench/models/fat_tree.anml").rdbuf();
    const auto made = anml::test::elaborate_text(text.str(), {{"k", "16"}});
    REQUIRE(made.network);
    Diagnostics diagnostics;
    PictureOptions options;
    options.format = PictureFormat::mermaid;
    const auto drawn = draw_network({*made.network}, options, diagnostics);
    REQUIRE(drawn);
    CHECK(drawn->size() <= kMermaidText);
    std::size_t links = 0;
    for (std::size_t at = 0; (at = drawn->find("===", at)) != std::string::npos; at += 3) ++links;
    for (std::size_t at = 0; (at = drawn->find("---", at)) != std::string::npos; at += 3) ++links;
    CHECK(links > 0);
    CHECK(links <= kMermaidEdges);
}

}  // namespace ANML_UNIT_FILE
