// TCP's settings on a class of hosts: each changes what the engine does as its RFC says, and only where both sides
// agree.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "simulator/statistics.h"
#include "transfers.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/range_set.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::Download;
using test::FakeHost;
using test::kMss;
using test::kPort;
using test::Transaction;

namespace {

test::TcpOptions with_sack(double on = 1)
{
    test::TcpOptions options;
    options.sack = on;
    return options;
}

}  // namespace

TEST_CASE("ranges of sequence numbers merge, and are forgotten from below", "[tcp]")
{
    tcp::RangeSet set;
    const std::uint32_t base = 0xfffffff0;  // they wrap
    CHECK(set.add(base + 10, base + 20) == 10);
    CHECK(set.add(base + 30, base + 40) == 10);
    CHECK(set.add(base + 50, base + 60) == 10);
    CHECK(set.add(base + 12, base + 18) == 0);
    CHECK(set.count == 3);
    CHECK(set.add(base + 20, base + 35) == 10);
    CHECK(set.count == 2);
    CHECK(set.holds(base + 39));
    CHECK_FALSE(set.holds(base + 40));
    CHECK(set.bytes == 40);
    CHECK(set.bytes_before(base + 55, tcp::RangeSet::next) == 35);
    set.trim(base + 15);
    CHECK(set.bytes == 35);
    CHECK(set[0].begin == base + 15);
    set.trim(base + 45);
    CHECK(set.count == 1);
    CHECK(set.add(base + 41, base + 70) == 19);
    CHECK(set.count == 1);
    for (std::uint32_t i = 1; i < tcp::RangeSet::kMost; ++i) REQUIRE(set.add(base + 100 * i, base + 100 * i + 1) == 1);
    CHECK(set.add(base + 1, base + 2) == 0);  // no room
    CHECK(set.add(base + 70, base + 71) == 1);
    CHECK(set.holds(base + 100 * 2000));
    CHECK_FALSE(set.holds(base + 100 * 2000 + 1));
}

TEST_CASE("RFC 6675 5: with selective acknowledgments each lost segment is sent once more, within two round trips",
          "[tcp]")
{
    const std::multiset<std::uint32_t> pattern =
        GENERATE(std::multiset<std::uint32_t>{12}, std::multiset<std::uint32_t>{12, 14, 16, 18},
                 std::multiset<std::uint32_t>{12, 13, 14}, std::multiset<std::uint32_t>{11, 13, 15, 17, 19, 21, 23});
    constexpr Time kRoundTrip = 4 * kMillisecond;
    Download with(100000, with_sack(), packet_flag::sack);
    CHECK((with.reply.flags & packet_flag::sack) != 0);
    CHECK(with.fetch(pattern) < 60 * kMillisecond);
    CHECK(with.retransmissions() == pattern.size());
    CHECK(with.last_again - with.first_again < 2 * kRoundTrip);

    // NewReno: one in a round trip.
    Download without(100000, with_sack(0), packet_flag::sack);
    CHECK((without.reply.flags & packet_flag::sack) == 0);
    Time slow = without.fetch(pattern);
    CHECK(without.retransmissions() == pattern.size());
    CHECK(without.last_again - without.first_again >= static_cast<Time>(pattern.size() - 1) * kRoundTrip);

    Download not_offered(100000, with_sack(), 0);
    CHECK((not_offered.reply.flags & packet_flag::sack) == 0);
    CHECK(not_offered.fetch(pattern) == slow);
}

TEST_CASE(
    "RFC 6675 5.1: a lost retransmission and a lost last segment take a time-out, and no more than is lost is sent "
    "again",
    "[tcp]")
{
    Download tail(100000, with_sack(), packet_flag::sack);
    CHECK(tail.fetch({100}) > kSecond);
    CHECK(tail.retransmissions() == 1);
    Download again(100000, with_sack(), packet_flag::sack);
    CHECK(again.fetch({15, 15, 17, 19}) > kSecond);
    CHECK(again.retransmissions() == 4);
    // Two of ten arrive: limited transmit brings the acknowledgments that recovery needs.
    Download most(100000, with_sack(), packet_flag::sack);
    CHECK(most.fetch({0, 1, 2, 3, 5, 6, 7, 8}) < 200 * kMillisecond);
    CHECK(most.retransmissions() == 8);
    // Where what was sent before something that arrived is lost at once, one is enough.
    Download all_but_one(100000, test::linux_tcp(), packet_flag::sack);
    CHECK(all_but_one.fetch({0, 1, 2, 3, 5, 6, 7, 8, 9}) < 200 * kMillisecond);
    CHECK(all_but_one.retransmissions() == 9);
}

TEST_CASE("RFC 6675 5: in recovery a segment leaves when there is room for all of it", "[tcp]")
{
    // Of eleven segments the first is lost, and half of them are five and a half. The news of two that have arrived
    // lets two leave (limited transmit), and that of three more one and a half. Linux's windows are whole segments,
    // rounded up.
    const bool adaptive = GENERATE(false, true);
    test::TcpOptions options = with_sack();
    options.initial_window = 11;
    options.adaptive = adaptive;
    Download half(100000, options, packet_flag::sack);
    for (std::uint32_t i = 0; i < 6; ++i) {
        const Packet p = half.next();
        REQUIRE(p.tcp().sequence == half.start + i * kMss);
        if (i == 0) continue;
        half.latest = p.tcp().sequence;
        half.held.add(half.latest, half.latest + p.payload);
        half.acknowledge(half.start);
    }
    half.simulator.run_until(half.simulator.now() + 100 * kMillisecond);
    std::uint32_t sent = 0;
    for (; half.seen < half.client.received.size(); ++half.seen) sent += half.client.received[half.seen].packet.payload;
    CHECK(sent == (5 + 2 + (adaptive ? 2 : 1)) * kMss);
}

TEST_CASE("RFC 6675 5.1: what had arrived before a second time-out in a row is not sent again", "[tcp]")
{
    // The first segment is lost four times, and the sender goes on behind it.
    Download stuck(300000, with_sack(), packet_flag::sack);
    CHECK(stuck.fetch({0, 0, 0, 0}) > 7 * kSecond);
    CHECK(stuck.retransmissions() == 4);
}

TEST_CASE("RFC 3465 2.3: what a time-out has forgotten is no news as it is acknowledged", "[tcp]")
{
    test::TcpOptions options = with_sack();
    options.byte_counting = 1;
    Download stuck(1000000, options, packet_flag::sack);
    std::uint32_t lost = 0, all = stuck.start;
    // The first segment is lost twice. As it has come the receiver seems to have dropped all that it said it had.
    for (bool again = false; !again;) {
        const Packet p = stuck.next();
        if (p.payload == 0) continue;
        all = tcp::later(all, p.tcp().sequence + p.payload);
        if (p.tcp().sequence == stuck.start) {
            again = lost++ == 2;
            if (!again) continue;
            stuck.held.clear();
            stuck.acknowledge(stuck.start + p.payload);
            break;
        }
        stuck.latest = p.tcp().sequence;
        stuck.held.add(stuck.latest, stuck.latest + p.payload);
        stuck.acknowledge(stuck.start);
    }
    CHECK(all - stuck.start > 20 * kMss);  // it went on behind the hole
    // Another time-out, and the second segment is sent again. Then the receiver has all of it after all.
    for (bool again = false; !again;) {
        const Packet p = stuck.next();
        all = tcp::later(all, p.tcp().sequence + p.payload);
        again = p.tcp().sequence == stuck.start + kMss;
    }
    stuck.acknowledge(all);
    const std::size_t before = stuck.client.received.size();
    stuck.simulator.run_until(stuck.simulator.now() + 100 * kMillisecond);
    CHECK(stuck.client.received.size() - before == 2);
}

TEST_CASE("RFC 6298 5: a round trip that is measured while losses go on ends a time-out's back-off", "[tcp]")
{
    // Two of the first window are lost. Behind the first time-out, of a second, new segments leave and arrive before
    // the second one of the two does: the next time-outs are of two seconds each, and not of two and four.
    Download longer(1000000, with_sack(), packet_flag::sack);
    const Time took = longer.fetch({10, 10, 12, 12, 12, 12});
    CHECK(took > 5 * kSecond);
    CHECK(took < 6 * kSecond);
}

TEST_CASE("the least time-out is a setting", "[tcp]")
{
    test::TcpOptions fast = with_sack();
    fast.minimum_rto = 2e8;
    Download tail(100000, fast, packet_flag::sack);
    Time took = tail.fetch({100});
    CHECK(took > 200 * kMillisecond);
    CHECK(took < 300 * kMillisecond);
}

TEST_CASE("the initial window and the segment size are settings", "[tcp]")
{
    for (double window : {1.0, 4.0, 10.0}) {
        test::TcpOptions tcp;
        tcp.initial_window = window;
        tcp.segment = 500;
        Download w(100000, tcp, 0);
        CHECK(w.reply.tcp_syn().mss == 500);
        w.simulator.run_until(w.simulator.now() + 500 * kMillisecond);
        CHECK(w.client.received.size() - w.seen == static_cast<std::size_t>(window));
        CHECK(w.next().payload == 500);
    }
}

TEST_CASE("RFC 7323 3.2: timestamps take 12 bytes of each segment, and echo the peer's", "[tcp]")
{
    test::TcpOptions tcp;
    tcp.timestamps = 1;
    Download with(100000, tcp, packet_flag::timestamps);
    CHECK(tcp_options::has_timestamps(with.reply));
    CHECK(tcp_options::timestamp_echo(with.reply) == 77);
    Packet data = with.next();
    CHECK(data.payload == kMss - 12);
    CHECK(data.length == kMss + 40);
    CHECK(tcp_options::timestamp_echo(data) == 77);
    CHECK(tcp_options::timestamp(data) ==
          static_cast<std::uint32_t>(with.client.received.back().at / kMillisecond) - 2);

    // A segment from the past is acknowledged and dropped (PAWS).
    Packet old = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::fin | tcp_flag::ack, with.asked,
                                   with.start);
    tcp_options::set_timestamps(old, 76, 0);
    old.length = 52;
    with.client.send(old, with.simulator.now());
    with.simulator.run_until(with.simulator.now() + 100 * kMillisecond);
    CHECK(with.client.received.back().packet.tcp().acknowledgment == with.asked);
    tcp_options::set_timestamps(old, 78, 0);
    with.client.send(old, with.simulator.now());
    with.simulator.run_until(with.simulator.now() + 100 * kMillisecond);
    CHECK(with.client.received.back().packet.tcp().acknowledgment == with.asked + 1);

    Download without(100000, {}, packet_flag::timestamps);
    CHECK_FALSE(tcp_options::has_timestamps(without.reply));
    CHECK(without.next().payload == kMss);
}

TEST_CASE("RFC 1122 4.2.3.2: a delayed acknowledgment waits for a second segment, or its time", "[tcp]")
{
    test::Chain chain;
    chain.documents = {100000};
    chain.close = test::CloseMode::at_once;
    Transaction at_once(chain);
    chain.client_tcp.delayed_ack = 40e6;
    Transaction delayed(chain);
    auto saved = at_once.statistics().packets_sent - delayed.statistics().packets_sent;
    CHECK(saved >= 32);  // of 69
    CHECK(saved <= 36);

    // The paper's server closes once all is acknowledged: one segment waits for its acknowledgment.
    chain.documents = {1024};
    chain.close = test::CloseMode::after_ack;
    Transaction small(chain);
    chain.client_tcp.delayed_ack = 0;
    CHECK(small.time() - Transaction(chain).time() == 40 * kMillisecond);
}

TEST_CASE("RFC 7323 2.2: window scaling lets a megabyte of window fill 100 Mbps times 50 ms", "[tcp]")
{
    test::Chain chain;
    chain.documents = {20e6};
    chain.backbone.delay = 25e6;
    chain.edge.queue = 4e6;
    chain.client_tcp.receive_buffer = 1 << 20;
    Transaction small(chain);
    chain.client_tcp.window_scaling = 1;
    Transaction one_side(chain);
    CHECK(one_side.time() - small.time() < kMicrosecond);  // the SYN's option
    chain.server_tcp.window_scaling = 1;
    Transaction scaled(chain);
    CHECK(small.time() > 15 * kSecond);  // 65535 bytes per round trip of 50 ms
    CHECK(scaled.time() < 2200 * kMillisecond);
}

TEST_CASE("bulk through a short queue recovers without time-outs", "[tcp]")
{
    test::Chain chain;
    chain.documents = {20e6};
    chain.backbone.delay = 10e6;
    chain.edge.queue = 100 * 1500;
    for (test::TcpOptions* tcp : {&chain.client_tcp, &chain.server_tcp}) {
        tcp->receive_buffer = 1 << 20;
        tcp->window_scaling = tcp->sack = tcp->timestamps = 1;
        tcp->delayed_ack = 200e6;
    }
    Transaction bulk(chain);
    CHECK(bulk.statistics().dropped.queue > 20);
    CHECK(bulk.statistics().retransmissions == bulk.statistics().dropped.queue);
    CHECK(bulk.time() < 2200 * kMillisecond);  // 1.6 s at 100 Mbps
}

}  // namespace ANML_UNIT_FILE
