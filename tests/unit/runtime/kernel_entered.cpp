// Changes that are entered while a model runs do what the same changes do that were known beforehand.
#include <catch2/catch.hpp>
#include <functional>

#include "abi/timeline.h"
#include "app/cluster.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/link/link_views.h"
#include "simulator/new_timeline.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using abi::TimelineAttribute;
using test::ChainModel;
using test::FakeHost;

namespace {

constexpr Time ms(Time count) { return count * kMillisecond; }

struct Scene {
    std::optional<test::Impairments> impairments;
    double queue_packets = 0;
    std::vector<test::TimelineChange> timeline;
};

// Two real hosts on both sides of a router; `exit`, from the peer to the router, is what changes: 1 Mbps, 1 ms.
struct EnteredWorld {
    explicit EnteredWorld(const Scene& scene, std::vector<EnteredChange> beforehand = {})
        : built(chain_of(scene)),
          model(built.model()),
          simulator(model, 1, 0, 0, 0, beforehand),
          server(simulator, 0, ChainModel::server_address()),
          peer(simulator, 1, ChainModel::peer_address()),
          entered(std::move(beforehand))
    {
        simulator.measure(0, kNever);
        simulator.start_timeline(0);
        for (std::uint32_t i = 0; i < 40; ++i)
            peer.send(FakeHost::segment(ChainModel::server_address(), 5000, 80, tcp_flag::ack, 1, i, 1460), i * ms(6));
    }
    static test::Chain chain_of(const Scene& scene)
    {
        test::Chain chain;
        chain.peer = true;
        chain.backbone.rate = 1e6;
        chain.backbone.impairments = scene.impairments;
        chain.backbone.queue_packets = scene.queue_packets;
        chain.timeline = scene.timeline;
        return chain;
    }
    // At `at`, while the simulator stands shortly before.
    void enter(const EnteredChange& change)
    {
        simulator.run_until(change.time - kMillisecond);
        entered.push_back(change);
        NewTimeline timeline(model, entered, change.time);
        REQUIRE(timeline.error().empty());
        REQUIRE(simulator.enter(timeline));
    }
    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server, peer;
    std::vector<EnteredChange> entered;
};

std::vector<EnteredChange> changes_of(const Model& model, std::vector<std::tuple<Time, TimelineAttribute, double>> list)
{
    const LinkId exit = model.links_named("exit").front();
    std::vector<EnteredChange> changes;
    for (const auto& [at, attribute, value] : list)
        changes.push_back({at, attribute, value, {{exit, 1, abi::TimelineCause::itself, 3}}});
    return changes;
}

// Both ways: the same packets at the same times, the same digest and counters.
void compare(const Scene& scene, const std::vector<std::tuple<Time, TimelineAttribute, double>>& list)
{
    const ChainModel names(EnteredWorld::chain_of(scene));
    const std::vector<EnteredChange> changes = changes_of(names.model(), list);
    EnteredWorld known(scene, changes), later(scene);
    for (const EnteredChange& change : changes) later.enter(change);
    known.simulator.run_until(10 * kSecond);
    later.simulator.run_until(10 * kSecond);
    REQUIRE(known.server.received.size() == later.server.received.size());
    for (std::size_t i = 0; i < known.server.received.size(); ++i) {
        CHECK(known.server.received[i].at == later.server.received[i].at);
        CHECK(known.server.received[i].packet.tcp().acknowledgment ==
              later.server.received[i].packet.tcp().acknowledgment);
    }
    CHECK(known.simulator.digest() == later.simulator.digest());
    const Statistics &a = known.simulator.statistics(), &b = later.simulator.statistics();
    CHECK(a.dropped.link == b.dropped.link);
    CHECK(a.dropped.queue == b.dropped.queue);
    CHECK(a.total_packet_hops == b.total_packet_hops);
    REQUIRE(a.links.size() == b.links.size());
    for (std::size_t i = 0; i < a.links.size(); ++i) {
        CHECK(a.links[i].packets == b.links[i].packets);
        CHECK(a.links[i].bytes == b.links[i].bytes);
    }
    REQUIRE(a.changing_links.size() == b.changing_links.size());
    for (std::size_t i = 0; i < a.changing_links.size(); ++i)
        CHECK(a.changing_links[i].down == b.changing_links[i].down);
    CHECK(test::silent(known.simulator));
    CHECK(test::silent(later.simulator));
}

}  // namespace

TEST_CASE("rates, delays, queues and failures that are entered under way", "[entered]")
{
    const Scene plain;
    // Packets of 12 ms come each 6 ms: a queue builds up.
    compare(plain, {{ms(100), TimelineAttribute::rate, 2e6}});
    compare(plain, {{ms(100), TimelineAttribute::rate, 3e5}, {ms(150), TimelineAttribute::rate, 1e7}});
    compare(plain, {{ms(100), TimelineAttribute::delay, 20e6}, {ms(130), TimelineAttribute::delay, 1e5}});
    compare(plain, {{ms(100), TimelineAttribute::up, 0}, {ms(140), TimelineAttribute::up, 1}});
    compare(plain, {{ms(50), TimelineAttribute::queue, 4000}});
    Scene packets;
    packets.queue_packets = 12;
    compare(packets, {{ms(60), TimelineAttribute::queue_packets, 3}, {ms(140), TimelineAttribute::rate, 4e6}});
}

TEST_CASE("what is entered lies between what the model's timeline says", "[entered]")
{
    Scene scene;
    scene.timeline = {{"exit", TimelineAttribute::rate, 60e6, 5e5},
                      {"exit", TimelineAttribute::up, 120e6, 0},
                      {"exit", TimelineAttribute::up, 150e6, 1},
                      {"entry", TimelineAttribute::delay, 130e6, 5e6}};
    compare(scene, {{ms(90), TimelineAttribute::rate, 3e6}, {ms(135), TimelineAttribute::delay, 2e6}});
}

TEST_CASE("a link begins to lose and delay packets", "[entered][impair]")
{
    const Scene plain;
    compare(plain, {{ms(100), abi::impairment_attribute("loss"), 1}, {ms(300), abi::impairment_attribute("loss"), 0}});
    compare(plain, {{ms(10), abi::impairment_attribute("jitter"), 30e6}});
    // Half of them, the same half; then all at once, on a link that was changed before.
    compare(plain, {{ms(100), abi::impairment_attribute("loss"), 0.5}});
    compare(plain, {{ms(50), TimelineAttribute::rate, 2e6},
                    {ms(120), abi::impairment_attribute("duplicate"), 0.5},
                    {ms(150), TimelineAttribute::rate, 4e6},
                    {ms(170), TimelineAttribute::up, 0},
                    {ms(180), TimelineAttribute::up, 1}});
    Scene impaired;
    impaired.impairments = test::Impairments{.loss = {abi::DistributionKind::constant, 1e-18, 0}};
    compare(impaired, {{ms(100), TimelineAttribute::up, 0}, {ms(140), TimelineAttribute::up, 1}});
}

TEST_CASE("packets that waited when an impaired link was changed first leave as they would have", "[entered][impair]")
{
    Scene impaired;
    impaired.impairments = test::Impairments{.loss = {abi::DistributionKind::constant, 1e-18, 0}};
    EnteredWorld w(impaired);
    w.enter(changes_of(w.model, {{ms(100), TimelineAttribute::rate, 1e8}})[0]);
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.server.received.size() == 40);
    Time last = 0;
    for (const auto& got : w.server.received) {
        CHECK(got.at >= last);
        last = got.at;
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a change that comes too late is refused, and nothing has happened", "[entered]")
{
    EnteredWorld w(Scene{}), same(Scene{});
    w.simulator.run_until(ms(100));
    const auto changes = changes_of(w.model, {{ms(100), TimelineAttribute::up, 0}});
    NewTimeline timeline(w.model, changes, ms(100));
    CHECK_FALSE(w.simulator.enter(timeline));
    w.simulator.run_until(10 * kSecond);
    same.simulator.run_until(10 * kSecond);
    CHECK(w.simulator.digest() == same.simulator.digest());
}

TEST_CASE("links are shown while the model runs, to who asks", "[entered]")
{
    EnteredWorld w(Scene{});
    LinkViews views(w.model.image().directed_links);
    const LinkId exit = w.model.links_named("exit").front();
    w.simulator.run_until(ms(100));
    w.simulator.show(views);
    CHECK(views.read(exit).at == 0);  // nobody had asked
    views.ask();
    w.simulator.show(views);
    LinkId busy = exit;
    if (views.read(exit).packets == 0) busy = exit + 1;
    const LinkView view = views.read(busy);
    CHECK(view.at == ms(100));
    CHECK(view.packets == 17);  // 0, 6 ... 96 ms
    CHECK(view.bytes == 17 * 1500);
    CHECK(view.rate == 1e6);
    CHECK(view.waiting > 8 * 1500);
    CHECK(view.waiting < 9 * 1500);
    w.simulator.show(views);
    CHECK(views.read(busy).at == ms(100));  // not again at once
    w.simulator.run_until(ms(201));
    w.simulator.show(views);
    CHECK(views.read(busy).at == ms(201));
}

}  // namespace ANML_UNIT_FILE
