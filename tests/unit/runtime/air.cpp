// Cells of IEEE 802.11 against closed forms: stations that always have something to send against Bianchi's model (IEEE
// Journal on Selected Areas in Communications 18(3), 2000), an access point alone against arithmetic.
#include <catch2/catch.hpp>
#include <cmath>

#include "fake_host.h"
#include "middlebox_world.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

constexpr double kSlot = 20e3, kSifs = 10e3, kPreamble = 192e3, kAnswer = 248e3;  // ns, as `wifi.b`
constexpr double kPacket = 1500, kOverhead = 36;

struct Radio {
    double cw_min = 31, cw_max = 1023, frames = 1, aggregate = 1e6, airtime = 100e6, error = 0, retries = 255;
};

// The clients of a chain's switch are stations. Without `ping` they have nothing to say; else each sends a packet of
// 1500 bytes every 10 ms, which nobody answers.
struct World {
    World(std::uint32_t stations, double rate, const Radio& radio, bool ping)
        : records(chain_of(stations, rate, ping)),
          model(finish(radio), records.values),
          simulator(model, 1),
          server(simulator, 0, test::ChainModel::server_address()),
          peer(simulator, 1, test::ChainModel::peer_address())
    {
    }
    static test::Chain chain_of(std::uint32_t stations, double rate, bool ping)
    {
        test::Chain chain;
        chain.hosts = stations;
        chain.peer = true;
        chain.connect_timeout = 1e12;  // the web's clients send a SYN, and wait
        if (!ping) chain.nets = 0;
        chain.backbone.queue = chain.uplink.queue = 1e9;
        chain.edge = {rate, 0, 1e9, 1500, kOverhead, 0};
        if (ping) chain.pings = {{.size = kPacket - 28}};
        return chain;
    }
    const abi::Image& finish(const Radio& radio)
    {
        const auto value = [&](double v) { return records.value(v); };
        const std::uint32_t record = records.record(abi::record::wifi{.slot = value(kSlot),
                                                                      .sifs = value(kSifs),
                                                                      .aifsn = value(2),
                                                                      .cw_min = value(radio.cw_min),
                                                                      .cw_max = value(radio.cw_max),
                                                                      .preamble = value(kPreamble),
                                                                      .answer = value(kAnswer),
                                                                      .frames = value(radio.frames),
                                                                      .aggregate = value(radio.aggregate),
                                                                      .airtime = value(radio.airtime),
                                                                      .error = value(radio.error),
                                                                      .retries = value(radio.retries)});
        records.done();
        rows.assign(records.image.node_rows, records.image.node_rows + records.image.node_row_count);
        for (abi::NodeRow& row : rows)
            if (row.kind == abi::NodeKind::switch_) row.radio = record;
        records.image.node_rows = rows.data();
        return records.image;
    }
    // An answer that the station did not ask for, and does not answer, arrives at the access point.
    void send(std::uint32_t station, Time at)
    {
        Packet packet = test::FakeHost::echo(test::ChainModel::client_address(0, station), kPacket);
        packet.icmp().type = 0;
        server.send(packet, at);
    }
    AirCounters air() const { return simulator.statistics().airs.at(0); }

    std::vector<abi::NodeRow> rows;
    test::RecordImage records;
    Model model;
    Simulator simulator;
    test::FakeHost server, peer;
};

// (7) and (9) of the paper.
double bianchi(double n, double window, double stages)
{
    double low = 0, high = 1, tau = 0;
    for (int i = 0; i < 200; ++i) {
        const double p = (low + high) / 2 + 1e-12;
        tau = 2 * (1 - 2 * p) / ((1 - 2 * p) * (window + 1) + p * window * (1 - std::pow(2 * p, stages)));
        (1 - std::pow(1 - tau, n - 1) > p ? low : high) = p;
    }
    return tau;
}

double transmission(double rate) { return kPreamble + (kPacket + kOverhead) * 8e9 / rate; }

}  // namespace

TEST_CASE("stations that always have something to send collide and get as much as Bianchi's", "[air]")
{
    constexpr double kRate = 2e6;
    for (const std::uint32_t n : {2u, 5u, 10u}) {
        World world(n, kRate, {}, true);
        const Time begin = 2 * kSecond, end = 42 * kSecond;
        world.simulator.start_workloads(0, begin, end);
        world.simulator.run_until(end);
        double received = 0;
        for (const auto& got : world.peer.received) received += got.at >= begin && got.at < end;
        const double tau = bianchi(n, 32, 5), some = 1 - std::pow(1 - tau, n);
        const double alone = n * tau * std::pow(1 - tau, n - 1) / some;
        const double taken = transmission(kRate) + kSifs + kAnswer, space = kSifs + 2 * kSlot;
        const double cycle = (1 - some) * kSlot + some * (taken + space);
        const AirCounters air = world.air();
        INFO(n << " stations: " << received << " packets, " << some * alone / cycle * 40e9 << " by Bianchi; collisions "
               << double(air.collisions) / double(air.transmissions) << ", " << 1 - alone << " by Bianchi");
        CHECK(received == Approx(some * alone / cycle * 40e9).epsilon(0.01));
        CHECK(double(air.collisions) / double(air.transmissions) == Approx(1 - alone).margin(0.01));
        CHECK(double(air.taken) == Approx(double(air.transmissions) * taken).epsilon(0.003));  // some are SYNs
        CHECK(double(air.collided) == Approx(double(air.collisions) * taken).epsilon(0.01));
        CHECK(air.lost == 0);
    }
}

TEST_CASE("an access point alone sends as many packets at once as the bounds of a transmission allow", "[air]")
{
    constexpr double kRate = 100e6;
    const auto cycle = [](double packets) {
        return kSifs + 2 * kSlot + 15.5 * kSlot + kPreamble + packets * (kPacket + kOverhead) * 8e9 / kRate + kSifs +
               kAnswer;
    };
    struct Case {
        Radio radio;
        double packets;
    };
    Radio by_frames, by_bytes, by_time;
    by_frames.frames = 7;
    by_bytes.frames = by_time.frames = 64;
    by_bytes.aggregate = 10 * (kPacket + kOverhead) + 100;
    by_time.airtime = kPreamble + 4.5 * (kPacket + kOverhead) * 8e9 / kRate;
    // As much as may be is not too much.
    Radio exact_bytes = by_bytes, exact_time = by_time;
    exact_bytes.aggregate = 10 * (kPacket + kOverhead);
    exact_time.airtime = kPreamble + 4 * (kPacket + kOverhead) * 8e9 / kRate;
    for (const auto& [radio, packets] : {Case{Radio{}, 1}, Case{by_frames, 7}, Case{by_bytes, 10}, Case{by_time, 4},
                                         Case{exact_bytes, 10}, Case{exact_time, 4}})
    {
        World world(2, kRate, radio, false);
        world.simulator.measure(0, kNever);
        constexpr int kSent = 5600;
        for (int i = 0; i < kSent; ++i) world.send(i % 2, 1000);
        world.simulator.run_until(100 * kSecond);
        const AirCounters air = world.air();
        INFO(packets << " packets: " << air.transmissions << " transmissions");
        CHECK(double(air.transmissions) == Approx(kSent / packets).margin(2));
        CHECK(world.simulator.statistics().packets_delivered == kSent);
        CHECK(air.collisions == 0);
        const double taken = cycle(packets) - kSifs - 17.5 * kSlot;
        CHECK(double(air.taken) == Approx(double(air.transmissions) * taken).epsilon(0.002));
    }
}

TEST_CASE("what was not received is repeated, in order, and lost after so many repetitions", "[air]")
{
    for (const double frames : {1.0, 16.0}) {
        for (const double retries : {0.0, 1.0, 3.0}) {
            Radio radio;
            radio.frames = frames;
            radio.error = 0.3;
            radio.retries = retries;
            World world(1, 100e6, radio, false);
            world.simulator.measure(0, kNever);
            constexpr int kSent = 8000;
            for (int i = 0; i < kSent; ++i) world.send(0, 1000);
            world.simulator.run_until(100 * kSecond);
            const AirCounters air = world.air();
            const double lost = std::pow(0.3, retries + 1);
            const double sent = (1 - lost) / (1 - 0.3);  // each, on average
            INFO(frames << " frames, " << retries << " retries: " << air.lost << " lost, " << air.failed << " failed");
            CHECK(double(air.lost) / kSent == Approx(lost).margin(0.016));
            CHECK(double(air.failed) / kSent == Approx(0.3 * sent).margin(0.025));
            CHECK(world.simulator.statistics().packets_delivered + air.lost == kSent);
            CHECK(world.simulator.statistics().dropped.lost == air.lost);
        }
    }
}

TEST_CASE("transmissions are filled up within a window of block acknowledgment of 64 packets", "[air]")
{
    // Packets of a transmission by a simulation of the window alone. With a window of 16 the first one had 11.07.
    struct Case {
        double frames, error, packets;
    };
    for (const auto& [frames, error, packets] :
         {Case{16, 0.1, 16.0}, Case{4, 0.1, 4.0}, Case{64, 0.1, 34.17}, Case{64, 0.5, 22.06}, Case{16, 0.5, 15.62}})
    {
        Radio radio;
        radio.frames = frames;
        radio.error = error;
        World world(1, 100e6, radio, false);
        world.simulator.measure(0, kNever);
        constexpr int kSent = 40000;
        for (int i = 0; i < kSent; ++i) world.send(0, 1000);
        world.simulator.run_until(100 * kSecond);
        const AirCounters air = world.air();
        const double sent = kSent + double(air.failed);
        INFO(frames << " frames, error " << error << ": " << sent / double(air.transmissions));
        CHECK(world.simulator.statistics().packets_delivered == kSent);
        CHECK(sent / double(air.transmissions) == Approx(packets).epsilon(0.02));
    }
}

TEST_CASE("between transmissions the air is idle for a SIFS, the slots of the class and half of a window", "[air]")
{
    for (const double window : {0.0, 1.0, 3.0}) {
        Radio radio;
        radio.cw_min = radio.cw_max = window;
        World world(1, 100e6, radio, false);
        world.simulator.measure(0, kNever);
        for (int i = 0; i < 2000; ++i) world.send(0, 1000);
        world.simulator.run_until(kSecond);
        const double cycle = kSifs + 2 * kSlot + window / 2 * kSlot + transmission(100e6) + kSifs + kAnswer;
        INFO("windows of " << window << ": " << world.air().transmissions << " transmissions");
        CHECK(double(world.air().transmissions) == Approx(1e9 / cycle).epsilon(0.003));
    }
}

TEST_CASE("backoff is drawn from windows of 32, 64, 128 slots and so on to 1024", "[air]")
{
    // 802.11-2020, 10.3.3: CW takes the values 31, 63, 127, 255, 511, 1023, and stays there. Nothing is received.
    for (const double retries : {5.0, 7.0}) {
        Radio radio;
        radio.error = 1;
        radio.retries = retries;
        World world(1, 100e6, radio, false);
        world.simulator.measure(0, kNever);
        const double fixed = kSifs + 2 * kSlot + transmission(100e6) + kSifs + kAnswer;
        double packet = 0, window = 31;
        for (double tried = 0; tried <= retries; ++tried, window = std::min(2 * window + 1, 1023.0))
            packet += fixed + window / 2 * kSlot;
        constexpr double kTime = 400e9;
        for (int i = 0; i < 1.1 * kTime / packet; ++i) world.send(0, 1000);
        world.simulator.run_until(Time(kTime));
        INFO(retries << " retries: " << world.air().lost << " of " << kTime / packet);
        CHECK(double(world.air().lost) == Approx(kTime / packet).epsilon(0.007));
    }
}

}  // namespace ANML_UNIT_FILE
