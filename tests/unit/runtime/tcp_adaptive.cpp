// What `tcp.linux` does beyond the RFCs of recovery: SYNs that come again, windows that grow, losses told from
// reordering, the ends of transfers probed, and what was sent again in vain taken back.
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

#include "transfers.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::Download;
using test::FakeHost;
using test::Transaction;

namespace {

// One document over 100 Mbps.
test::Chain path(double bytes, double one_way, double queue = 16e6)
{
    test::Chain chain;
    chain.documents = {bytes};
    chain.close = test::CloseMode::at_once;
    chain.service = {};
    chain.backbone.delay = one_way - 2e5;
    chain.edge.queue = chain.uplink.queue = chain.backbone.queue = queue;
    chain.client_tcp = chain.server_tcp = test::linux_tcp();
    return chain;
}

test::Chain jittered(double bytes, double one_way, double jitter)
{
    test::Chain chain = path(bytes, one_way);
    chain.backbone.impairments.emplace();
    chain.backbone.impairments->jitter = {abi::DistributionKind::uniform, 0, jitter};
    chain.backbone.impairments->in_order = 0;
    chain.backbone.impaired_back = true;
    return chain;
}

}  // namespace

TEST_CASE("RFC 6298 5.5: a SYN is repeated after 1, 3, 7, 15, 31 and 63 s, and given up after 127 s", "[tcp]")
{
    test::Chain chain = path(1024, 1e6);
    chain.connect_timeout = 0;
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    FakeHost server(simulator, 0, ChainModel::server_address());
    simulator.start_workloads(0, 0, 1000 * kSecond);
    simulator.run_until(126 * kSecond);
    std::vector<Time> after;
    for (const auto& [packet, at, bytes] : server.received) {
        CHECK(packet.tcp().flags == tcp_flag::syn);
        CHECK(packet.tcp().sequence == server.received[0].packet.tcp().sequence);
        CHECK(packet.source_port == 32768);
        after.push_back((at - server.received[0].at) / kSecond);
    }
    CHECK(after == std::vector<Time>{0, 1, 3, 7, 15, 31, 63});
    CHECK(simulator.statistics().workloads[0].failed(FailureCause::connect) == 0);
    simulator.run_until(128 * kSecond);
    CHECK(simulator.statistics().workloads[0].failed(FailureCause::connect) == 1);
    CHECK(server.received.back().packet.source_port == 32769);
}

TEST_CASE("with real hosts local ports begin where the run before did not, and all have their turn", "[tcp]")
{
    const auto ports = [](Time epoch) {
        test::Chain chain = path(1024, 1e6);
        chain.connect_timeout = 5e8;
        chain.client_tcp.first_port = 65530, chain.client_tcp.last_port = 65535;
        ChainModel built(chain);
        Model model = built.model();
        Simulator simulator(model, 1, epoch);
        FakeHost silent(simulator, 0, ChainModel::server_address());
        simulator.start_workloads(0, 0, 1000 * kSecond);
        simulator.run_until(10 * kSecond);
        std::vector<int> seen;
        for (const auto& [packet, at, bytes] : silent.received) seen.push_back(packet.source_port);
        return seen;
    };
    CHECK(ports(0).front() == 65530);
    std::set<int> first;
    for (Time epoch = 1'800'000'000 * kSecond; epoch < 1'800'000'020 * kSecond; epoch += kSecond) {
        const std::vector<int> seen = ports(epoch);
        REQUIRE(seen.size() > 12);
        first.insert(seen.front());
        for (std::size_t i = 0; i + 1 < seen.size(); ++i)
            CHECK(seen[i + 1] == (seen[i] == 65535 ? 65530 : seen[i] + 1));
    }
    CHECK(first.size() > 3);
}

TEST_CASE("what a lost SYN takes counts into the response time, and does not shrink the window", "[tcp]")
{
    test::Chain chain = path(1024, 1e6);
    chain.connect_timeout = 0;
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    simulator.measure(0, kNever);
    FakeHost server(simulator, 0, ChainModel::server_address());
    simulator.start_workloads(0, 0, 1000 * kSecond);
    while (server.received.size() < 2) simulator.run_until(simulator.next_event());
    const Packet syn = server.received[1].packet;
    const auto segment = [&](std::uint8_t flags, std::uint32_t sequence) {
        return FakeHost::segment(ChainModel::client_address(0, 0), 80, syn.source_port, flags, sequence,
                                 server.received.back().packet.tcp().sequence + 1);
    };
    server.send(segment(tcp_flag::syn | tcp_flag::ack, 7000), simulator.now());
    simulator.run_until(simulator.now() + 100 * kMillisecond);
    server.send_text(segment(tcp_flag::ack | tcp_flag::fin, 7001), "HTTP/1.0 200 OK\r\n\r\n", model, simulator.now());
    simulator.run_until(simulator.now() + 100 * kMillisecond);
    const WorkloadStatistics& result = simulator.statistics().workloads[0];
    CHECK(result.completed == 1);
    CHECK(result.connect.maximum() >= kSecond);
    CHECK(result.connect.maximum() < kSecond + 20 * kMillisecond);
    CHECK(simulator.statistics().retransmissions == 1);
}

TEST_CASE("1 MB over 100 Mbps and 100 ms takes the round trips of slow start", "[tcp]")
{
    // Handshake and request 0.2 s, windows of 14, 29, 58 ... KB for 6.1 round trips: Linux takes 0.815 s.
    Transaction w(path(1e6, 50e6));
    CHECK(w.time() > 740 * kMillisecond);
    CHECK(w.time() < 860 * kMillisecond);
    CHECK(w.statistics().retransmissions == 0);
}

TEST_CASE("the receiver's window grows with what it receives", "[tcp]")
{
    test::Chain chain = path(1024, 1e6);
    chain.client_tcp.receive_buffer = 1 << 30;
    chain.client_tcp.quick_acks = 255;
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    FakeHost server(simulator, 0, ChainModel::server_address());
    simulator.start_workloads(0, 0, 1000 * kSecond);
    while (server.received.empty()) simulator.run_until(simulator.next_event());
    const Packet syn = server.received[0].packet;
    CHECK(syn.tcp().window == 65535);
    CHECK(tcp_options::window_scale(syn) == 14);
    Packet reply = FakeHost::segment(ChainModel::client_address(0, 0), 80, syn.source_port,
                                     tcp_flag::syn | tcp_flag::ack, 7000, syn.tcp().sequence + 1);
    reply.tcp_syn().mss = 1460;
    tcp_options::set_window_scale(reply, 7);
    server.send(reply, simulator.now());
    simulator.run_until(simulator.now() + 100 * kMillisecond);
    CHECK(server.received.back().packet.tcp().window == 65535 >> 14);
    const std::string text = "HTTP/1.0 200 OK\r\n\r\n" + std::string(1400, 'x');
    std::uint32_t sequence = 7001;
    for (int i = 0; i < 100; ++i) {
        server.send_text(FakeHost::segment(ChainModel::client_address(0, 0), 80, syn.source_port, tcp_flag::ack,
                                           sequence, syn.tcp().sequence + 1),
                         text, model, simulator.now());
        sequence += static_cast<std::uint32_t>(text.size());
        simulator.run_until(simulator.now() + kMillisecond);
    }
    simulator.run_until(simulator.now() + 10 * kMillisecond);
    CHECK(server.received.back().packet.tcp().acknowledgment == sequence);
    CHECK(server.received.back().packet.tcp().window == (65535 + 2 * 100 * text.size()) >> 14);
}

TEST_CASE("RFC 8985 7.2: the last segment's loss is probed for after two round trips", "[tcp]")
{
    const test::TcpOptions tcp = test::linux_tcp();
    Download tail(100000, tcp, packet_flag::sack);
    CHECK(tail.fetch({99, 100}) < 100 * kMillisecond);  // a round trip is 4 ms, a time-out more than 200 ms
    CHECK(tail.retransmissions() == 2);
    // One segment alone: its acknowledgment may be a delayed one, and the probe waits as long as the time-out.
    Download last(100000, tcp, packet_flag::sack);
    CHECK(last.fetch({100}) > 200 * kMillisecond);
    CHECK(last.retransmissions() == 1);
    Download end(100000, tcp, packet_flag::sack);
    CHECK(end.fetch({97, 98, 99, 100}) < 100 * kMillisecond);
    CHECK(end.retransmissions() >= 4);
    CHECK(end.retransmissions() <= 5);
}

TEST_CASE("RFC 8985 7.3: the time-out counts from the probe on", "[tcp]")
{
    Download whole(100000, test::linux_tcp(), packet_flag::sack);
    const Time usual = whole.fetch({});
    Download tail(100000, test::linux_tcp(), packet_flag::sack);
    const Time late = tail.fetch({99, 100, 99}) - usual;  // the probe is of the last 1000 bytes
    CHECK(tail.retransmissions() == 3);
    CHECK(late > 205 * kMillisecond + 2 * 4 * kMillisecond);  // 4 ms is the round trip, 204 the time-out
    CHECK(late < 230 * kMillisecond);
}

TEST_CASE("RFC 8985 7.3: the probe of a lone segment comes with the time-out, and backs nothing off", "[tcp]")
{
    Time took[4];
    for (std::size_t losses = 0; losses < 4; ++losses) {
        Download last(100000, test::linux_tcp(), packet_flag::sack);
        std::multiset<std::uint32_t> lost;
        for (std::size_t i = 0; i < losses; ++i) lost.insert(100);
        took[losses] = last.fetch(lost);
    }
    const Time time_out = took[1] - took[0];
    CHECK(time_out > 200 * kMillisecond);
    CHECK(took[2] - took[1] == Approx(time_out).epsilon(0.03));
    CHECK(took[3] - took[2] == Approx(2 * time_out).epsilon(0.03));
}

TEST_CASE("RFC 8985 6.2: a retransmission that is lost too is sent again, without a time-out", "[tcp]")
{
    Download again(200000, test::linux_tcp(), packet_flag::sack);
    CHECK(again.fetch({25, 25}) < 100 * kMillisecond);
    CHECK(again.retransmissions() == 2);
    Download third(200000, test::linux_tcp(), packet_flag::sack);
    CHECK(third.fetch({25, 25, 25, 31, 31, 40, 40, 40}) < 100 * kMillisecond);
    CHECK(third.retransmissions() == 8);
    // Of what a time-out sent again, too.
    Download all(100000, test::linux_tcp(), packet_flag::sack);
    CHECK(all.fetch({1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10}) < 300 * kMillisecond);
    CHECK(all.retransmissions() == 11);
}

TEST_CASE("no more is sent again than was lost, however often", "[tcp]")
{
    std::mt19937 draw(17);
    for (int i = 0; i < 300; ++i) {
        std::multiset<std::uint32_t> lost;
        const auto every = 10 + draw() % 40;
        for (std::uint32_t segment = 20; segment < 270; ++segment)
            while (draw() % every == 0) lost.insert(segment);
        Download w(300000, test::linux_tcp(), packet_flag::sack);
        const Time took = w.fetch(lost);
        CAPTURE(i, every, lost.size(), took);
        CHECK(w.retransmissions() >= lost.size());
        CHECK(w.retransmissions() <= lost.size() + 1);  // a probe
    }
}

TEST_CASE("RFC 7323 4.3: a repetition whose acknowledgment was lost is answered with its own timestamp", "[tcp]")
{
    Download w(1000, test::linux_tcp(), packet_flag::sack | packet_flag::timestamps);
    for (std::uint32_t stamp : {5000u, 9000u}) {
        Packet again =
            FakeHost::segment(ChainModel::server_address(), test::kPort, 80, tcp_flag::ack, w.asked - 1, w.start);
        again.payload = 1;
        tcp_options::set_timestamps(again, stamp, 0);
        again.length = 40 + 12 + 1;
        w.client.send(again, w.simulator.now());
        Packet answer = w.next();
        while (answer.payload > 0) answer = w.next();  // the response is on its way
        REQUIRE(tcp_options::has_timestamps(answer));
        CHECK(tcp_options::timestamp_echo(answer) == stamp);
    }
}

TEST_CASE("RFC 8985 6.2: in recovery what is only late is waited for, and sent again without a time-out", "[tcp]")
{
    Time all = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        test::Chain chain = jittered(400e3, 10e6, 4e6);
        chain.backbone.impairments->loss = {abi::DistributionKind::constant, 0.04, 0};
        all += Transaction(chain, seed).time();
    }
    CHECK(all / 40 < 795 * kMillisecond);  // 816 where the end of a recovery waits for a time-out
}

TEST_CASE("RFC 8985 6.2: reordering is found out, and then hardly repeated", "[tcp]")
{
    Transaction w(jittered(20e6, 50e6, 10e6));
    const auto& statistics = w.statistics();
    CHECK(statistics.retransmissions < 100);  // of 13 812 segments
    CHECK(w.time() < 3500 * kMillisecond);
}

TEST_CASE("RFC 4015 3.2: a path that grows longer costs few repetitions: time-outs in vain are undone", "[tcp]")
{
    // Two megabits, 520 ms, and a queue of seconds.
    test::Chain chain = path(3e6, 260e6);
    chain.edge.rate = 2e6;
    Transaction w(chain);
    CHECK(w.statistics().retransmissions <= 23);
    CHECK(w.time() < 17 * kSecond);
}

TEST_CASE("selective acknowledgments reach further than 16 MB", "[tcp]")
{
    test::Chain chain = path(150e6, 50e6, 1e9);
    for (test::LinkOptions* link : {&chain.edge, &chain.uplink, &chain.backbone}) link->rate = 10e9;
    for (test::TcpOptions* tcp : {&chain.client_tcp, &chain.server_tcp})
        tcp->receive_buffer = tcp->send_buffer = 1 << 30;
    chain.backbone.impairments.emplace();
    chain.backbone.impairments->loss = {abi::DistributionKind::constant, 3e-5, 0};
    chain.backbone.impaired_back = true;
    Transaction w(chain);
    CHECK(w.statistics().dropped.lost > 0);
    CHECK(w.statistics().retransmissions == w.statistics().dropped.lost);
}

}  // namespace ANML_UNIT_FILE
