// Layouts: which one a network gets, that they repeat, that labels keep off each other.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "elaborate_text.h"
#include "graph/figure.h"
#include "graph/fold_plan.h"
#include "graph/layout/layout.h"
#include "network_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

Picture draw(const Network& network)
{
    Diagnostics diagnostics;
    const auto plan = plan_folds(network, nullptr, {}, diagnostics);
    REQUIRE(plan);
    return make_picture({network}, *plan);
}

Picture random_picture(std::uint32_t nodes, std::uint32_t more_links, bool late = false)
{
    std::mt19937 random(7);
    anml::test::NetworkBuilder builder;
    std::vector<NodeRowId> routers;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        routers.push_back(builder.router("r" + std::to_string(i)));
        if (i > 0) builder.link("t" + std::to_string(i), routers[random() % i], routers[i], 1e6);
    }
    for (std::uint32_t i = 0; i < more_links; ++i) {
        const auto a = random() % nodes, b = random() % nodes;
        if (a != b) builder.link("m" + std::to_string(i), routers[a], routers[b], 1e6);
    }
    if (late) {
        const NodeRowId row = builder.router("late");
        builder.link("l0", row, routers[nodes / 2], 1e6);
        builder.link("l1", row, routers[nodes / 3], 1e6);
    }
    return draw(builder.network);
}

void check_labels(const Picture& picture, const Figure& figure)
{
    std::vector<PlacedText> all = figure.labels;
    all.insert(all.end(), figure.edge_labels.begin(), figure.edge_labels.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            INFO(all[i].text << " and " << all[j].text);
            CHECK_FALSE(all[i].box.grown(-0.5).overlaps(all[j].box));
        }
        for (std::size_t n = 0; n < picture.nodes.size(); ++n) {
            INFO(all[i].text << " on " << picture.nodes[n].name);
            CHECK_FALSE(all[i].box.overlaps(extent(picture.nodes[n], figure.at[n], figure.radius).grown(-0.5)));
        }
    }
}

// No label of a link lies across the border of a box.
void check_borders(const Figure& figure)
{
    for (const PlacedText& label : figure.edge_labels)
        for (const GroupBox& box : figure.boxes) {
            const Rect &l = label.box, &b = box.rect;
            const bool inside = l.left > b.left && l.right < b.right && l.top > b.top && l.bottom < b.bottom;
            INFO(label.text << " at " << l.left << ", " << l.top);
            CHECK((inside || !l.overlaps(b)));
        }
}

}  // namespace

TEST_CASE("the paper's network is a line with its subnets below", "[graph]")
{
    for (const std::uint32_t routers : {1u, 8u, 32u}) {
        const auto wan = anml::test::make_wan(routers, 4096);
        const Picture picture = draw(wan.builder.network);
        const auto layout = lay_out(picture, LayoutKind::automatic);
        REQUIRE(layout);
        CHECK(layout->kind == LayoutKind::tree);
        const Figure figure = arrange(picture, *layout);
        CHECK(figure.boxes.size() == routers);
        CHECK(figure.labels.size() == picture.nodes.size() + routers);  // every node and box has its label
        check_labels(picture, figure);
        check_borders(figure);
        // Links that do not only join a stack have rate and delay, up to the number that figures label.
        if (picture.edges.size() <= kMostLabelledEdges) CHECK(figure.edge_labels.size() == 2 * picture.edges.size());
        CHECK(figure.frame.right - figure.frame.left < 2200);
    }
}

TEST_CASE("links in every direction have their labels beside them", "[graph]")
{
    anml::test::NetworkBuilder builder;
    const NodeRowId hub = builder.router("hub");
    constexpr int kSpokes = 7;
    for (int i = 0; i < kSpokes; ++i) {
        const std::string n = std::to_string(i);
        builder.link("spoke" + n, hub, builder.router("end" + n), 1e6);
    }
    const Picture picture = draw(builder.network);
    PictureLayout layout;
    layout.kind = LayoutKind::plane;
    layout.at.push_back({0, 0});
    for (int i = 0; i < kSpokes; ++i) layout.at.push_back({std::cos(0.3 + 0.9 * i), std::sin(0.3 + 0.9 * i)});
    const Figure figure = arrange(picture, layout);
    CHECK(figure.edge_labels.size() >= kSpokes);
    check_labels(picture, figure);
    for (const PlacedText& label : figure.edge_labels)
        for (const auto& line : figure.lines)
            for (double t = 0; t <= 1; t += 0.01) {
                INFO(label.text);
                CHECK_FALSE(label.box.holds(line[0] + t * (line[1] - line[0])));
            }
}

TEST_CASE("a fat tree has its tiers one above the other", "[graph]")
{
    std::ostringstream text;
    text << std::ifstream(ANML_SOURCE_DIR "/tests/bench/models/fat_tree.anml").rdbuf();
    for (const char* k : {"4", "8", "16"}) {
        const auto made = anml::test::elaborate_text(text.str(), {{"k", k}});
        REQUIRE(made.network);
        const Picture picture = draw(*made.network);
        const auto layout = lay_out(picture, LayoutKind::automatic);
        REQUIRE(layout);
        CHECK(layout->kind == LayoutKind::layered);
        const Figure figure = arrange(picture, *layout);
        CHECK(figure.boxes.size() == static_cast<std::size_t>(std::stoi(k)));
        check_labels(picture, figure);
        check_borders(figure);
    }
}

TEST_CASE("a mesh is laid out alike every time, and nearly so with one node more", "[graph]")
{
    const Picture picture = random_picture(120, 60);
    const PictureLayout once = lay_out_force(picture), again = lay_out_force(picture);
    for (std::size_t i = 0; i < once.at.size(); ++i) {
        CHECK(once.at[i].x == again.at[i].x);
        CHECK(once.at[i].y == again.at[i].y);
    }
    const PictureLayout more = lay_out_force(random_picture(120, 60, true));
    double moved = 0, left = 1e9, right = -1e9;
    for (std::size_t i = 0; i < once.at.size(); ++i) {
        moved += std::hypot(once.at[i].x - more.at[i].x, once.at[i].y - more.at[i].y);
        left = std::min(left, once.at[i].x);
        right = std::max(right, once.at[i].x);
    }
    CHECK(moved / static_cast<double>(once.at.size()) < 0.06 * (right - left));
    check_labels(picture, arrange(picture, once));
}

TEST_CASE("links curve around nodes that they would run behind", "[graph]")
{
    // A grid of four by four with wrapping links, which run behind the nodes between.
    anml::test::NetworkBuilder builder;
    std::vector<NodeRowId> routers;
    PictureLayout layout;
    layout.kind = LayoutKind::force;
    for (std::uint32_t i = 0; i < 16; ++i) {
        routers.push_back(builder.router("r" + std::to_string(i)));
        layout.at.push_back({i % 4 + 0.0, i / 4 + 0.0});
    }
    for (std::uint32_t i = 0; i < 16; ++i) {
        builder.link("x" + std::to_string(i), routers[i], routers[i % 4 == 3 ? i - 3 : i + 1], 1e6);
        builder.link("y" + std::to_string(i), routers[i], routers[(i + 4) % 16], 1e6);
    }
    const Picture picture = draw(builder.network);
    const Figure figure = arrange(picture, layout);
    std::size_t curves = 0;
    for (std::size_t e = 0; e < picture.edges.size(); ++e) {
        curves += figure.lines[e].size() == 3;
        const std::vector<Point> line = drawn_line(figure.lines[e]);
        for (std::uint32_t n = 0; n < picture.nodes.size(); ++n) {
            if (n == picture.edges[e].a || n == picture.edges[e].b) continue;
            for (const Point p : line) CHECK(std::hypot(figure.at[n].x - p.x, figure.at[n].y - p.y) > figure.radius);
        }
        for (const Point p : line) CHECK(figure.frame.grown(1).holds(p));
    }
    CHECK(curves == 8);
    check_labels(picture, figure);
}

TEST_CASE("distances in a picture follow those in the network", "[graph]")
{
    // A ring: opposite nodes are farthest apart, neighbours about one unit.
    anml::test::NetworkBuilder builder;
    std::vector<NodeRowId> routers;
    constexpr std::uint32_t kNodes = 24;
    for (std::uint32_t i = 0; i < kNodes; ++i) routers.push_back(builder.router("r" + std::to_string(i)));
    for (std::uint32_t i = 0; i < kNodes; ++i)
        builder.link("l" + std::to_string(i), routers[i], routers[(i + 1) % kNodes], 1e6);
    const PictureLayout layout = lay_out_force(draw(builder.network));
    const auto apart = [&](std::uint32_t a, std::uint32_t b) {
        return std::hypot(layout.at[a].x - layout.at[b].x, layout.at[a].y - layout.at[b].y);
    };
    for (std::uint32_t i = 0; i < kNodes; ++i) {
        CHECK(apart(i, (i + 1) % kNodes) == Approx(1).margin(0.3));
        CHECK(apart(i, (i + kNodes / 2) % kNodes) > 6);
    }
}

TEST_CASE("large graphs and parts that don't hang together", "[graph]")
{
    const Picture large = random_picture(2500, 3000);
    const PictureLayout layout = lay_out_force(large);
    double longest = 0;
    for (const PictureEdge& edge : large.edges)
        longest = std::max(
            longest, std::hypot(layout.at[edge.a].x - layout.at[edge.b].x, layout.at[edge.a].y - layout.at[edge.b].y));
    CHECK(std::isfinite(longest));
    CHECK(longest > 0);

    anml::test::NetworkBuilder builder;
    for (int i = 0; i < 5; ++i) {
        const std::string n = std::to_string(i);
        builder.link("l" + n, builder.router("a" + n), builder.router("b" + n), 1e6);
    }
    builder.router("alone");
    const Picture parts = draw(builder.network);
    const Figure figure = arrange(parts, lay_out_force(parts));
    for (std::size_t i = 0; i < figure.at.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            CHECK(std::hypot(figure.at[i].x - figure.at[j].x, figure.at[i].y - figure.at[j].y) > figure.radius);
}

TEST_CASE("nodes with positions on the earth are on a map", "[graph]")
{
    const auto made = anml::test::elaborate_body(R"(
model Pacific {
  router tokyo { position = geo(35.7, 139.7) }
  router seattle { position = geo(47.6, -122.3) }
  router sydney { position = geo(-33.9, 151.2) }
  router between
  host pc
  link a: tokyo -- seattle : ether.gigabit
  link b: tokyo -- sydney : ether.gigabit
  link c: tokyo -- between : ether.gigabit
  link d: between -- sydney : ether.gigabit
  link e: pc -- seattle : ether.fast
  run { duration = 1 s }
})");
    const Picture picture = draw(*made.network);
    const auto layout = lay_out(picture, LayoutKind::automatic);
    REQUIRE(layout);
    CHECK(layout->kind == LayoutKind::map);
    CHECK(layout->at[0].x < layout->at[1].x);  // across the date line: Seattle lies east of Tokyo
    CHECK(layout->at[1].x - layout->at[0].x == Approx(98).margin(0.1));
    CHECK(layout->at[2].y > layout->at[0].y);
    CHECK(layout->at[3].x == Approx((layout->at[0].x + layout->at[2].x) / 2));
    CHECK(std::hypot(layout->at[4].x - layout->at[1].x, layout->at[4].y - layout->at[1].y) < 10);
    const Figure figure = arrange(picture, *layout);
    CHECK_FALSE(figure.land.empty());
    check_labels(picture, figure);
    CHECK_FALSE(lay_out(picture, LayoutKind::plane));
}

TEST_CASE("nodes with positions on a plane stand there", "[graph]")
{
    const auto made = anml::test::elaborate_body(R"(
model Room {
  router a { position = plane(0, 0) }
  router b { position = plane(10, 5) }
  router c
  link a -- b : ether.gigabit
  link b -- c : ether.gigabit
  run { duration = 1 s }
})");
    const Picture picture = draw(*made.network);
    const auto layout = lay_out(picture, LayoutKind::automatic);
    REQUIRE(layout);
    CHECK(layout->kind == LayoutKind::plane);
    CHECK(layout->at[1].x - layout->at[0].x == 10);
    CHECK(layout->at[1].y - layout->at[0].y == -5);  // y grows upwards
    CHECK_FALSE(lay_out(picture, LayoutKind::map));
}

namespace {

Picture picture_of(const std::string& body)
{
    const auto made = anml::test::elaborate_body(body);
    INFO(made.first_error());
    REQUIRE(made.network);
    return draw(*made.network);
}

// Every instance has a box, and no two overlap.
void check_boxes(const Picture& picture, const Figure& figure)
{
    CHECK(figure.boxes.size() == picture.groups.size());
    for (std::size_t i = 0; i < figure.boxes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(figure.boxes[i].rect.overlaps(figure.boxes[j].rect));
}

}  // namespace

TEST_CASE("a wide star is a star", "[graph]")
{
    const Picture picture = picture_of(R"(
model Rack(n: int = 20) {
  switch rack
  endpoint server[n]
  for i in 0 ..< n { link wire[i]: server[i] -- rack { rate = (i + 1) * 1 Mbps } }
  run { duration = 1 s }
})");
    const auto layout = lay_out(picture, LayoutKind::automatic);
    REQUIRE(layout);
    CHECK(layout->kind == LayoutKind::force);
    REQUIRE(layout->at.size() == 21);
    std::vector<double> angles;
    for (std::size_t i = 1; i < layout->at.size(); ++i) {
        const Point p = layout->at[i] - layout->at[0];
        angles.push_back(std::atan2(p.y / 1, p.x / 1.25));
    }
    std::sort(angles.begin(), angles.end());
    for (std::size_t i = 1; i < angles.size(); ++i) CHECK(angles[i] - angles[i - 1] == Approx(2 * M_PI / 20));
    CHECK(lay_out(picture, LayoutKind::tree));  // where it is asked for
}

TEST_CASE("instances have boxes in rows and in meshes", "[graph]")
{
    const std::string site = R"(
component Site(pcs: int) {
  router box
  host pc[pcs]
  host phone
  link a: pc[*] -- box { rate = 1 Gbps }
  link b: phone -- box { rate = 1 Mbps }
}
)";
    const Picture rows = picture_of(site + R"(
model Two {
  router left
  router right
  host office
  router hub
  Site site[4](5 + index)
  link site[*].box -- left { rate = 1 Gbps }
  link site[*].box -- right { rate = 2 Gbps }
  link [left, right] -- hub { rate = 1 Gbps }
  link hub -- office { rate = 1 Gbps }
  run { duration = 1 s }
})");
    auto layout = lay_out(rows, LayoutKind::automatic);
    REQUIRE(layout);
    CHECK(layout->kind == LayoutKind::layered);
    check_boxes(rows, arrange(rows, *layout));

    const Picture mesh = picture_of(site + R"(
model Mesh {
  Site site[5](3 + index)
  for i in 0 ..< 5 { link ring[i]: site[i].box -- site[(i + 1) % 5].box { rate = 1 Gbps } }
  link site[0].box -- site[2].box { rate = 1 Gbps }
  run { duration = 1 s }
})");
    layout = lay_out(mesh, LayoutKind::automatic);
    REQUIRE(layout);
    CHECK(layout->kind == LayoutKind::force);
    const Figure figure = arrange(mesh, *layout);
    check_boxes(mesh, figure);
    check_labels(mesh, figure);
}

TEST_CASE("a dense core stands on a circle, in the order of the text", "[graph]")
{
    const Picture picture = picture_of(R"(
model Exchange(n: int = 12) {
  router r[n]
  host pc[n]
  for a in 0 ..< n { for b in a + 1 ..< n { link s[a][b]: r[a] -- r[b] { rate = (a + b) * 1 Gbps } } }
  for i in 0 ..< n { link w[i]: pc[i] -- r[i] { rate = (i + 1) * 1 Mbps } }
  run { duration = 1 s }
})");
    const auto layout = lay_out(picture, LayoutKind::force);
    REQUIRE(layout);
    Point middle;
    for (std::size_t i = 0; i < 12; ++i) middle = middle + 1.0 / 12 * layout->at[i];
    const auto away = [&](std::size_t i) {
        const Point p = layout->at[i] - middle;
        return std::hypot(p.x, p.y);
    };
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(away(i) == Approx(away(0)));
        CHECK(away(12 + i) == Approx(away(0) + 1.2));  // its host behind it
        const Point a = layout->at[i], b = layout->at[(i + 1) % 12];
        CHECK(std::hypot(a.x - b.x, a.y - b.y) == Approx(2 * away(0) * std::sin(M_PI / 12)));
    }
}

TEST_CASE("links over the border of a map leave on one side and come back on the other", "[graph]")
{
    const Picture picture = picture_of(R"(
model Around {
  router r[4] { position = geo(10 * index, -135 + 90 * index) }
  for i in 0 ..< 4 { link hop[i]: r[i] -- r[(i + 1) % 4] { rate = 1 Gbps } }
  run { duration = 1 s }
})");
    const auto layout = lay_out(picture, LayoutKind::automatic);
    REQUIRE(layout);
    const Figure figure = arrange(picture, *layout);
    std::size_t torn = 0;
    for (std::size_t e = 0; e < picture.edges.size(); ++e) {
        torn += figure.torn[e] != 0;
        if (!figure.torn[e]) continue;
        REQUIRE(figure.lines[e].size() == 4);
        CHECK(figure.lines[e][1].y == figure.lines[e][2].y);
        const double width = std::abs(figure.lines[e][1].x - figure.lines[e][2].x);
        CHECK(width > std::abs(figure.lines[e][0].x - figure.lines[e][3].x));
    }
    CHECK(torn == 1);
}

}  // namespace ANML_UNIT_FILE
