// Readers of foreign graphs, and what their graphs mean.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "import/graphs/read_graph.h"
#include "import/interpret.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

struct Read {
    SourceSet sources;
    Diagnostics diagnostics;
    std::optional<ForeignGraph> graph;
    std::optional<ImportedNetwork> network;
    ImportLosses losses;
    std::string error() const { return diagnostics.list().empty() ? "" : diagnostics.list().front().message; }
};

Read read(GraphFormat format, std::string text)
{
    Read result;
    const FileId file = result.sources.add("test", std::move(text), "");
    result.graph = read_graph(result.sources, file, format, result.diagnostics);
    if (!result.graph) return result;
    result.network = interpret_graph(*result.graph, result.losses, result.diagnostics);
    if (result.network) name_nodes(*result.network, *result.graph, {"pc"});
    return result;
}

// "a b; a--b 1e+09 1000", for comparisons.
std::string shape(const Read& read)
{
    if (!read.network) return "error: " + read.error();
    std::string out;
    for (const ImportedNode& node : read.network->nodes) out += (out.empty() ? "" : " ") + node.name;
    for (const ImportedLink& link : read.network->links)
        out += fmt::format("; {}--{}", read.network->nodes[link.from].name, read.network->nodes[link.to].name);
    return out;
}

}  // namespace

TEST_CASE("GraphML: keys, defaults, nested graphs, yEd's labels, hyperedges", "[import]")
{
    const Read r = read(GraphFormat::graphml, R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key id="d0" for="edge" attr.name="LinkLabel" attr.type="string"><default>10 Gbps</default></key>
<key id="d1" for="node" yfiles.type="nodegraphics"/>
<graph id="G" edgedefault="undirected">
<node id="n0"><data key="d1"><y:ShapeNode><y:Geometry x="3" y="4"/><y:NodeLabel>Hamburg <y:x/></y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><graph edgedefault="undirected"><node id="n1::n0"/></graph></node>
<edge source="n0" target="n1"/>
<edge source="n1" target="n1::n0"><data key="d0">E1</data></edge>
<hyperedge/>
</graph></graphml>)");
    CHECK(shape(r) == "Hamburg n1 n1_n0; Hamburg--n1; n1--n1_n0");
    REQUIRE(r.network);
    CHECK(r.network->links[0].rate == 10e9);
    CHECK(r.network->links[1].rate == 2.048e6);
    CHECK(r.network->nodes[0].position == NodePosition{false, 3, 4});
    CHECK(r.losses.elements.at("hyperedges") == 1);
}

TEST_CASE("GML: comments, nested lists, entities, words without quotes", "[import]")
{
    const Read r = read(GraphFormat::gml, R"(# made by hand
Creator "x" Version 1
graph [
  directed 1
  node [ id 0 label "M&#xFC;nchen" graphics [ x 1.5 y -2 fill [ r 1 ] ] ]
  node [ id 1 label for ]
  node [ id 2 label "for" ]
  edge [ source 0 target 1 capacity 100 ]
  edge [ source 1 target 0 ]
  edge [ source 2 target 9 bandwidth 1e9 ]
])");
    CHECK(shape(r) == "Munchen for_2 for_3 node_9; Munchen--for_2; for_3--node_9");
    REQUIRE(r.network);
    CHECK(r.network->nodes[0].position == NodePosition{false, 1.5, -2});
    CHECK(r.network->links[0].rate == 100e6);
    CHECK(r.network->links[1].rate == 1e9);
    CHECK(r.network->components == 2);
}

TEST_CASE("node-link JSON: `links`, `edges`, numbered ends, positions, NaN", "[import]")
{
    for (const char* key : {"links", "edges"})
        CHECK(shape(read(GraphFormat::json, fmt::format(R"({{"graph":{{"demands":{{"a":{{"b":1}}}}}},
            "nodes":[{{"id":"a"}},{{"id":"b","x":NaN}}],"{}":[{{"source":"a","target":"b"}}]}})",
                                                        key))) == "a b; a--b");
    // before NetworkX 2.0
    CHECK(shape(read(GraphFormat::json, R"({"links":[{"source":0,"target":1}],"nodes":[{"id":"x"},{"id":"y"}]})")) ==
          "x y; x--y");
    CHECK(shape(read(GraphFormat::json,
                     R"({"nodes":[{"name":"x"},{"name":"y"}],"links":[{"source":0,"target":1}]})")) == "x y; x--y");
    const Read places = read(GraphFormat::json, R"({"nodes":[{"id":1,"name":"A","pos":[13.4,52.5]},
        {"id":2,"name":"B","pos":[2.35,48.85]}],"edges":[{"source":1,"target":2,"dist":878.5,"more":{"deep":[1,[2]]}}]})");
    REQUIRE(places.network);
    CHECK(places.network->nodes[0].position == NodePosition{true, 13.4, 52.5});
    CHECK(places.network->links[0].length == Approx(878500));
    const Read plane = read(GraphFormat::json, R"({"nodes":[{"id":1,"pos":[10,20]},{"id":2,"pos":[13,24]}],
        "edges":[{"source":1,"target":2,"dist":5}]})");
    CHECK_FALSE(plane.network->nodes[0].position->geographic);
    CHECK(shape(read(GraphFormat::json, "[1]")) == "error: the file holds a list, not an object with `nodes`");
    CHECK(shape(read(GraphFormat::json, R"({"nodes":[]})")) ==
          "error: the object has neither a list `links` nor a list `edges`");
}

TEST_CASE("DOT: subgraphs, defaults, chains, ports, strings", "[import]")
{
    const Read r = read(GraphFormat::dot, R"(/* c */ strict graph "G" {
  graph [rankdir=LR]; rankdir = LR
  node [label="x"] edge [label="1 Gbps"]
  subgraph cluster_0 { node [label="inner"]; p; q }
  a:e -- {p q} -- b:w:n [color=red]; "c " + "d" [label=<<b>bold</b> text>, pos="1,2!"]
  # comment
})");
    CHECK(shape(r) == "inner inner_2 x x_2 bold_text; x--inner; x--inner_2; inner--x_2; inner_2--x_2");
    REQUIRE(r.network);
    CHECK(r.network->links[3].rate == 1e9);
    CHECK(r.network->nodes[4].position == NodePosition{false, 1, 2});
    CHECK(shape(read(GraphFormat::dot, "graph { a -- }")) == "error: a node or a subgraph is expected here");
}

TEST_CASE("GraphML of yEd Live: labels and places", "[import]")
{
    const Read r = read(GraphFormat::graphml, R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:x="http://www.yworks.com/xml/yfiles-common/markup/3.0"
         xmlns:y="http://www.yworks.com/xml/yfiles-common/3.0">
<key id="d0" for="node" attr.name="NodeLabels"/><key id="d1" for="node" attr.name="NodeGeometry"/><key id="d2" for="edge" attr.name="EdgeLabels"/>
<graph edgedefault="undirected">
<node id="n0"><data key="d0"><x:List><y:Label><y:Label.Text><![CDATA[ Hamburg
]]></y:Label.Text><y:Label.LayoutParameter/></y:Label></x:List></data><data key="d1"><y:RectD X="3" Y="4" Width="30" Height="30"/></data></node>
<node id="n1"><data key="d0"><x:List><y:Label Text="Kiel" LayoutParameter="{x:Static y:InteriorLabelModel.Center}"/></x:List></data></node>
<edge source="n0" target="n1"><data key="d2"><x:List><y:Label><y:Label.Text>10 MB/s</y:Label.Text></y:Label></x:List></data></edge>
</graph></graphml>)");
    CHECK(shape(r) == "Hamburg Kiel; Hamburg--Kiel");
    REQUIRE(r.network);
    CHECK(r.network->links[0].rate == 80e6);
    CHECK(r.network->nodes[0].position == NodePosition{false, 3, 4});
}

TEST_CASE("GML: nodes without an id have their labels", "[import]")
{
    CHECK(shape(read(GraphFormat::gml,
                     "graph [ node [ label \"a\" ] node [ id 0 label \"b\" ] edge [ source a target 0 ] ]")) ==
          "b a; a--b");
    const Read r = read(GraphFormat::gml,
                        "graph [ node [ label \"0\" ] node [ ] node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]");
    CHECK(r.losses.elements.at("nodes without an `id`") == 2);
}

TEST_CASE("DOT: a strict graph has one edge between two nodes", "[import]")
{
    const Read r = read(GraphFormat::dot, "strict graph { a -- b [label=x]; edge [delay=3]; b -- a; a -- b [bandwidth=\"1Gbps\"]; b -- c }");
    CHECK(shape(r) == "a b c; a--b; b--c");
    CHECK(r.network->links[0].rate == 1e9);
    CHECK_FALSE(r.network->links[0].delay);
    CHECK(r.network->links[1].delay == 0.003);
    CHECK(read(GraphFormat::dot, "STRICT digraph { a -> b; a -> b; b -> a; {a b} -> {a b} }").graph->edges.size() == 4);
    CHECK(read(GraphFormat::dot, "graph { a -- b; b -- a }").network->links.size() == 2);
}

TEST_CASE("DOT: escapes of labels, subgraphs that are opened again, keys, names with dashes", "[import]")
{
    // The oracle is gvpr of Graphviz 2.42.
    CHECK(shape(read(GraphFormat::dot,
                     R"(graph G { node [label="\N"]; a -- b; b [label="x\N"]; c [label="\G:\N"]; b -- c })")) ==
          "a xb G_c; a--xb; xb--G_c");
    const auto rates = [](std::string text) {
        const Read r = read(GraphFormat::dot, std::move(text));
        std::string out = r.network ? "" : r.error();
        for (std::size_t i = 0; r.network && i < r.network->links.size(); ++i)
            out += fmt::format("{}{}", i > 0 ? " " : "", r.network->links[i].rate.value_or(0));
        return out;
    };
    CHECK(rates(R"(graph { a -- b [label="\T\H 5 Gbps"] })") == "5000000000");
    CHECK(
        rates(
            "graph { subgraph s { edge [rate=2]; a--b } subgraph s { c--d } e--f subgraph { subgraph s { g--h } } }") ==
        "2 2 0 0");
    CHECK(rates("graph { edge [rate=3] subgraph s { edge [rate=2] } edge [rate=4] subgraph s { a--b } c--d }") ==
          "2 4");
    CHECK(shape(read(GraphFormat::dot, "graph { subgraph s { a b } subgraph s { c } -- x }")) ==
          "a b c x; a--x; b--x; c--x");
    CHECK(rates("graph { a -- b [key=1] a -- b [key=2, rate=2] a -- b [key=1, rate=4] b -- a [key=2, rate=3] }") ==
          "4 3");
    CHECK(rates("digraph { a -> b [key=1] b -> a [key=1, rate=2] a -> b [key=1, rate=4] }") == "4");
    CHECK(rates("graph { a -- b [rate=1] a -- b [rate=2] }") == "1 2");
    CHECK(rates("strict graph { a -- b [key=1] a -- b [key=2, rate=2] }") == "0");
    CHECK(rates("strict graph { a -- b [key=1] a -- b [rate=2] }") == "2");
    for (const char* text : {"graph { core-a -- b }", "graph { a-b }", "graph { r-1 -- r-2 }", "graph { a -- -b }"})
        CHECK(shape(read(GraphFormat::dot, text)) == "error: `-` is no part of a name");
    CHECK(shape(read(GraphFormat::dot, "graph { \"a-b\" -- -1.5 }")) == "a_b node_15; a_b--node_15");
    const Read both = read(GraphFormat::dot, R"(graph { a -- b [rate="10 Mbps / 2 Mbps", delay="20 ms / 25 ms"] })");
    REQUIRE(both.network);
    CHECK((both.network->links[0].rate == 10e6 && both.network->links[0].rate_back == 2e6));
    CHECK((both.network->links[0].delay == Approx(0.02) && both.network->links[0].delay_back == Approx(0.025)));
    CHECK(both.losses.unread.empty());
}

TEST_CASE("edges there and back keep their values apart", "[import]")
{
    const Read r = read(GraphFormat::gml,
                        "graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ]"
                        " edge [ source 0 target 1 latency \"20 ms\" packet_loss 0.1 bandwidth \"1 Mbit\" ]"
                        " edge [ source 1 target 0 dist 100 bandwidth \"2 Mbit\" mtu 1400 ]"
                        " edge [ source 1 target 2 dist 100 loss 0 cost 7 ]"
                        " edge [ source 2 target 1 dist 300 loss \"1 %\" ] ]");
    REQUIRE(r.network);
    const ImportedLink &a = r.network->links[0], &b = r.network->links[1];
    CHECK(a.rate == 1e6);
    CHECK(a.rate_back == 2e6);
    CHECK(a.delay_back == Approx(0.0005));
    CHECK(a.details.at("loss") == "0.1");
    CHECK(a.details_back.at("loss") == "0");
    CHECK(b.delay_back == Approx(0.0015));
    CHECK_FALSE(b.details.contains("loss"));
    CHECK(b.details_back.at("loss") == "0.01");
    CHECK(b.details_back.at("cost") == "1");
    CHECK(r.losses.edge_attributes.at("mtu") == 1);
}

TEST_CASE("values that cannot be read are told apart from attributes that mean nothing", "[import]")
{
    const Read r = read(GraphFormat::gml,
                        "graph [\n node [ id 0 type \"server\" ]\n node [ id 1 type \"city\" ]\n edge [ source 0 target 1\n"
                        "  bandwidth \"10 MBPS\"\n  latency \"soon\"\n  colour red\n loss 7 ]\n]");
    REQUIRE(r.network);
    CHECK(r.network->nodes[0].kind == abi::NodeKind::host);
    CHECK(r.losses.node_attributes.at("type") == 1);
    CHECK(r.losses.edge_attributes == std::map<std::string, std::uint64_t>{{"colour", 1}});
    REQUIRE(r.losses.unread.size() == 3);
    const auto& rate = r.losses.unread.at("bandwidth").first.at(0);
    CHECK(rate.value == "10 MBPS");
    CHECK(r.sources.position(rate.place.file, rate.place.begin).line == 5);
}

TEST_CASE("speeds with their units in an attribute of their own", "[import]")
{
    const Read r = read(GraphFormat::gml,
                        "graph [ node [ id 0 ] node [ id 1 ]"
                        " edge [ source 0 target 1 LinkSpeed \"10\" LinkSpeedUnits \"M\" ]"
                        " edge [ source 0 target 1 LinkSpeed \"10\" LinkSpeedUnits \"MB/s\" ]"
                        " edge [ source 0 target 1 LinkSpeed \"10\" LinkSpeedUnits \"MB\" ] ]");
    REQUIRE(r.network);
    CHECK(r.network->links[0].rate == 10e6);
    CHECK(r.network->links[1].rate == 80e6);
    CHECK_FALSE(r.network->links[2].rate);
    CHECK(r.losses.unread.at("LinkSpeed").count == 1);
}

TEST_CASE("containerlab: what leads nowhere, stands elsewhere, or is a variable", "[import]")
{
    const auto lab = [](std::string_view links) {
        return fmt::format("topology:\n  nodes:\n    a: {{ kind: ${{KIND_NOT_SET:=bridge}} }}\n    b:\n  links:\n{}", links);
    };
    const Read r = read(GraphFormat::containerlab,
                        lab("    - endpoints: [\"a:e1\", \"${NOT_SET_B:-b}:e1\"]\n    - endpoints: [\"b:e2\", \"host:e2\"]\n"
                            "    - type: vxlan\n      endpoint: { node: a, interface: e9 }\n"));
    CHECK(shape(r) == "a b; a--b");
    CHECK(r.network->nodes[0].kind == abi::NodeKind::switch_);
    CHECK(r.losses.elements.at(std::string(kLinksOutside)) == 2);
    for (const auto& [links, said] :
         {std::pair{"    - endpoints: [\"a:e1\", \"bb:e1\"]\n", "a link leads to `bb`, and there is no such node"},
          {"    - endpoints: [\"a:e1\", \"$NOT_SET_C\"]\n", "an end of a link names no node"},
          {"    - type: dummy\n      endpoint: { node: c }\n", "a link leads to `c`, and there is no such node"},
          {"    - type: vethh\n      endpoint: { node: a }\n", "a link of the type `vethh` has no `endpoint`"},
          {"    - endpoints: [\"a:e1\", \"${:=b}\"]\n", "a variable's name is expected behind `${`"},
          {"    - endpoints: [\"a:e1\", \"${X:=b\"]\n", "this `${` is never closed"},
          {"  edges:\n", "`topology` has no `edges`"}})
        CHECK(read(GraphFormat::containerlab, lab(links)).error() == said);
    CHECK(read(GraphFormat::containerlab, "topology:\n  nodes:\n    a:\nlinks:\n  - endpoints: [a, b]\n").error() ==
          "`links` stands outside of `topology`");
    CHECK(read(GraphFormat::containerlab, "topology:\n  nodes:\n    a:\n    links:\n      - endpoints: [a, b]\n").error() ==
          "`links` stands inside `nodes`");
    // The place is the file's, not that of the text with the values.
    const Read wrong = read(GraphFormat::containerlab, "name: ${NOT_SET:-a much longer name than before}\n" +
                                                           lab("    - endpoints: [\"a:e1\", \"c:e1\"]\n"));
    CHECK(wrong.sources.position(wrong.diagnostics.list().front().span.file, wrong.diagnostics.list().front().span.begin).line == 7);
}

TEST_CASE("containerlab: ends without an interface, unknown types, values of another shape", "[import]")
{
    const auto said = [](const std::string& nodes, const std::string& links) {
        const std::string text = fmt::format("name: x\ntopology:\n  nodes: {{{}}}\n  links: [{}]\n", nodes, links);
        return shape(read(GraphFormat::containerlab, text));
    };
    const std::string two = "a: , b: {kind: linux}";
    CHECK(said(two, "{endpoints: ['a:1', b]}") == "error: an end of a link names no interface of `b`");
    CHECK(said(two, "{endpoints: ['a:', 'b:1']}") == "error: an end of a link names no interface of `a`");
    CHECK(said(two, "{endpoints: [{node: a}, 'b:1']}") == "error: an end of a link names no interface of `a`");
    CHECK(said(two, "{endpoints: ['a:1', host]}") == "error: an end of a link names no interface of `host`");
    CHECK(said(two, "{type: veht, endpoints: ['a:1', 'b:1']}") == "error: there is no type of links `veht`");
    CHECK(said(two, "{type: dumy, endpoint: 'a:1'}") == "error: a link of the type `dumy` has no `endpoint`");
    CHECK(said(two, "{type: host, endpoints: ['a:1', 'b:1']}") ==
          "error: a link of the type `host` has no `endpoints`");
    CHECK(said(two, "{endpoint: ['a:1', 'b:1']}") == "error: a link without a `type` has no `endpoint`");
    CHECK(said("a: linux, b: ", "{endpoints: ['a:1', 'b:1']}") == "error: `a` is no map");
    CHECK(said("a: {kind: [linux]}, b: ", "{endpoints: ['a:1', 'b:1']}") ==
          "error: `kind` is a list or a map, and no word");
    CHECK(said(two, "{endpoints: ['a:1', 'b:1'], vars: 5}") == "error: `vars` is no map");
    const Read good = read(GraphFormat::containerlab,
                           "name: x\ntopology:\n  nodes: {a: , b: }\n  links:\n  - {type: veth, endpoints: [{node: a, "
                           "interface: e, vars: {x: 1}}, 'b:1']}\n  - {type: dummy, endpoint: 'a:2'}\n---\nname: y\n");
    CHECK(shape(good) == "a b; a--b");
    CHECK(good.losses.edge_attributes.empty());
    CHECK(good.losses.elements.contains("further documents of the file"));
    CHECK(good.losses.elements.contains("values `vars` of ends of links"));
}

TEST_CASE("netlab: forms of links, who has them, and what leads nowhere", "[import]")
{
    const auto lab = [](std::string_view links) {
        return fmt::format("groups: {{ g: {{ members: [h], device: linux }} }}\nnodes: [a, b, a-b, h]\nlinks:\n{}", links);
    };
    const auto of = [&](std::string_view links) { return shape(read(GraphFormat::netlab, lab(links))); };
    CHECK(of("- a-b-h\n") == "a b a_b h lan1; a--lan1; b--lan1; h--lan1");
    CHECK(shape(read(GraphFormat::netlab, "nodes: [a-b, h]\nlinks: [a-b-h]\n")) == "a_b h; a_b--h");
    CHECK(of("- a - h\n- [a, b]\n- a: { mtu: 9000 }\n  b:\n") == "a b a_b h; a--h; a--b; a--b");
    CHECK(of("- [a, b, h]\n") == "a b a_b h lan1; a--lan1; b--lan1; h--lan1");
    CHECK(of("- { group: 1, tc.delay: 3, members: [a-h, b-h] }\n- lag.members: [a-h]\n") == "a b a_b h; a--h; b--h; a--h");
    CHECK(of("- { interfaces: [a, b], disable: true }\n- { a: , b: , type: tunnel }\n- a-h\n") == "a b a_b h; a--h");
    CHECK(shape(read(GraphFormat::netlab, "nodes: [a, b]\nvlans: { red: { links: [a-b] } }\nlinks: { core: [a-b], edge: a-b }\n")) ==
          "a b; a--b; a--b; a--b");
    const Read r = read(GraphFormat::netlab, lab("- { a: { tc: { rate: 800, corrupt: 2 } }, h: , tc.delay: 1s, tc.loss: 50 }\n"));
    REQUIRE(r.network->links.size() == 1);
    CHECK(r.network->nodes[3].kind == abi::NodeKind::host);
    const ImportedLink& link = r.network->links[0];
    CHECK(link.rate == 800e3);
    CHECK(link.rate_back == 1e9);
    CHECK(link.delay == 1);
    CHECK(link.delay_back == 1);
    CHECK(link.details == LinkDetails{{"corrupt", "0.02"}, {"loss", "0.5"}});
    CHECK(link.details_back == LinkDetails{{"corrupt", "0"}, {"loss", "0.5"}});
    for (const auto& [links, said] : {std::pair{"- a-c\n", "the link `a-c` leads to `c`, and there is no such node"},
                                      {"- [a, c]\n", "a link leads to `c`, and there is no such node"},
                                      {"- { a: , c: }\n", "a link leads to `c`, and there is no such node"}})
        CHECK(read(GraphFormat::netlab, lab(links)).error() == said);
    CHECK(read(GraphFormat::netlab, "links: [a-b]\n").error() == "there are no `nodes` in the file");
    CHECK(guess_graph_format("lab.yml", "topology:\n  nodes:\n") == GraphFormat::containerlab);
    CHECK(guess_graph_format("lab.yml", "nodes: [a]\n") == GraphFormat::netlab);
}

TEST_CASE("what readers take is bounded", "[import]")
{
    const auto repeated = [](std::string_view text, std::size_t times) {
        std::string out;
        for (std::size_t i = 0; i < times; ++i) out += text;
        return out;
    };
    for (const auto& [format, text] : std::vector<std::pair<GraphFormat, std::string>>{
             {GraphFormat::gml, "graph [ node [ id 1 " + repeated("a [ ", 5000)},
             {GraphFormat::gml, repeated("a [ ", 5000)},
             {GraphFormat::json, repeated("{\"nodes\":", 5000)},
             {GraphFormat::dot, "graph " + repeated("{ ", 5000)},
             {GraphFormat::dot, "graph { a -- " + repeated("{ b -- ", 5000)},
             {GraphFormat::containerlab, "topology: " + repeated("[", 5000)},
             {GraphFormat::netlab, "links: " + repeated("[", 5000)},
             {GraphFormat::graphml, "<graphml><graph>" + repeated("<node id='a'><graph>", 5000) +
                                        repeated("</graph></node>", 5000) + "</graph></graphml>"},
         })
    {
        const Read r = read(format, text);
        INFO(graph_format_name(format) << ": " << r.error());
        CHECK_FALSE(r.graph);
        CHECK(r.diagnostics.errors() == 1);
    }
    const Read wide = read(
        GraphFormat::gml, "graph [ node [ id 1 " + [] {
            std::string out;
            for (int i = 0; i < 2000; ++i) out += fmt::format("a{} 1 ", i);
            return out;
        }() + "] ]");
    CHECK(wide.error() == "this has more than 1000 attributes");
    std::string many = "graph {";
    for (int i = 0; i < 1000; ++i) many += fmt::format(" a{0} b{0}", i);
    std::string left, right;
    for (int i = 0; i < 1000; ++i) left += fmt::format("a{} ", i), right += fmt::format("b{} ", i);
    CHECK(read(GraphFormat::dot, fmt::format("{} {{{}}} -- {{{}}} }}", many, left, right)).error() ==
          "the graph has more than 500000 edges");
}

TEST_CASE("aliases of YAML that go round or multiply end", "[import]")
{
    std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 30; ++i)
        laughs += fmt::format("a{0}: &a{0} [*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1}]\n", i, i - 1);
    const std::string rest = "topology: &t {nodes: {p: *a29, q: {<<: *t}}, links: [{endpoints: ['p:1', 'q:1']}]}\n";
    CHECK(shape(read(GraphFormat::containerlab, laughs + rest)) == "p q; p--q");
}

}  // namespace ANML_UNIT_FILE
