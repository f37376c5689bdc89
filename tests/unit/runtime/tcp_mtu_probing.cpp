// Path MTU discovery by the packets that arrive, on paths whose routers do not say what they drop.
#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <vector>

#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "transfers.h"
#include "transport/options/mtu_probing.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using test::kPort;

namespace {

constexpr Time kRoundTrip = 20 * kMillisecond;
constexpr std::uint16_t kPlain = 40;  // bytes of headers

test::TcpOptions probing(abi::MtuProbing how)
{
    test::TcpOptions options = test::linux_tcp();
    options.mtu_probing = how;
    options.timestamps = 0;
    return options;
}

// A real client that fetches a document from the simulated server. Packets above `largest` are lost on the way to it,
// and those of `lost`, by their number among the ones with data. It acknowledges each one that comes, at once.
struct Hole {
    struct Seen {
        Time at;
        std::uint32_t begin;  // of the stream
        std::uint16_t length;
        bool lost, again;
    };

    Hole(double size, const test::TcpOptions& tcp, std::uint16_t largest, bool sack = true)
        : largest(largest),
          built(chain(size, tcp)),
          model(built.model()),
          simulator(model, 1),
          client(simulator, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
        Packet syn = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::syn, 5000, 0);
        syn.tcp_syn().mss = 1460;
        if (sack) syn.flags |= packet_flag::sack;
        tcp_options::set_window_scale(syn, 7);
        syn.length = static_cast<std::uint16_t>(40 + tcp_options::length(syn));
        sacks = sack;
        client.send(syn, 0);
        run_to_next();
        start = in_order = client.received[taken++].packet.tcp().sequence + 1;
        const std::string request = "GET /" + std::to_string(static_cast<int>(size)) + " HTTP/1.0\r\n\r\n";
        client.send_text(FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::ack, 5001, start),
                         request, model, simulator.now());
        asked += static_cast<std::uint32_t>(request.size());
        end = start + static_cast<std::uint32_t>(content::length(model, content::response(0)));
    }
    static test::Chain chain(double size, const test::TcpOptions& tcp)
    {
        test::Chain chain = test::Download::chain(size, tcp);
        chain.backbone.rate = chain.edge.rate = chain.uplink.rate = 1e9;
        chain.backbone.delay = kRoundTrip / 2 / 2;  // of two such links
        chain.backbone.queue = 16 << 20;
        return chain;
    }
    void run_to_next()
    {
        while (taken == client.received.size() && simulator.next_event() < kNever)
            simulator.run_until(simulator.next_event());
    }
    bool all() const { return in_order == end; }
    // Until all has arrived, or nothing happens any more, or so many packets with data have come.
    void fetch(std::size_t most = std::numeric_limits<std::size_t>::max())
    {
        while (!all() && seen.size() < most) {
            run_to_next();
            if (taken == client.received.size()) return;
            const Packet p = client.received[taken++].packet;
            if (p.tcp().flags & tcp_flag::rst) return;
            if (p.payload == 0) continue;
            const std::uint32_t begin = p.tcp().sequence, to = begin + p.payload;
            const bool gone = p.length > largest || lost.contains(seen.size());
            seen.push_back({simulator.now(), begin - start, p.length, gone, tcp::before(begin, highest)});
            highest = tcp::later(highest, to);
            if (gone) continue;
            if (tcp::after(to, in_order)) held.add(tcp::later(begin, in_order), to);
            const bool filled = held.count > 0 && held[0].begin == in_order;
            if (filled) in_order = held[0].end;
            held.trim(in_order);
            acknowledge(begin);
        }
    }
    void acknowledge(std::uint32_t latest)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::ack, asked, in_order);
        if (sacks && held.count > 0) {
            const std::uint32_t i = held.holds(latest) ? held.find(latest) : 0;
            tcp_options::add_block(p, {held[i].begin, held[i].end});
        }
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        p.tcp().window = window;
        client.send(p, simulator.now());
    }
    // Lengths of the probes: longer than the one before, and than the one behind where that is the same.
    std::vector<std::uint16_t> probes() const
    {
        std::vector<std::uint16_t> all;
        for (std::size_t i = 1; i + 1 < seen.size(); ++i)
            if (!seen[i].again && seen[i].length > seen[i - 1].length && seen[i].length > seen[i + 1].length &&
                (all.empty() || all.back() != seen[i].length))
                all.push_back(seen[i].length);
        return all;
    }
    std::uint64_t retransmissions() { return simulator.statistics().retransmissions; }

    std::uint16_t largest;
    std::set<std::size_t> lost;
    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    std::vector<Seen> seen;
    tcp::RangeSet held;
    std::size_t taken = 0;
    std::uint32_t start = 0, in_order = 0, end = 0, asked = 5001, highest = 0;
    std::uint16_t window = 65535;
    bool sacks = true;
};

}  // namespace

TEST_CASE("RFC 4821 7.7: after a full-stop timeout segments are small, and the transfer goes on", "[tcp]")
{
    Hole hole(300'000, probing(abi::MtuProbing::black_holes), 1300);
    hole.fetch();
    CHECK(hole.all());
    // As Linux: time-outs for three seconds, from the first of them on; then 1024 bytes.
    std::size_t first = 0;
    while (hole.seen[first].lost) ++first;
    CHECK(hole.seen[first].length == 1024 + kPlain);
    CHECK(hole.seen[first].begin == 0);
    std::size_t again = 0;
    while (!hole.seen[again].again || hole.seen[again].begin != 0) ++again;
    CHECK(hole.seen[first].at - hole.seen[again].at >= tcp::mtu_probing::kBlackHole);
    CHECK(hole.seen[first].at - hole.seen[again].at < 2 * tcp::mtu_probing::kBlackHole);

    // A smaller one than that: half of it, one more time-out later.
    Hole narrow(30'000, probing(abi::MtuProbing::black_holes), 700);
    narrow.fetch();
    CHECK(narrow.all());
    first = 0;
    while (narrow.seen[first].lost) ++first;
    CHECK(narrow.seen[first].length == 512 + kPlain);
    CHECK(narrow.seen[first - 1].length == 1024 + kPlain);
}

TEST_CASE("RFC 2923 2.1: who does not look for it sends what falls into a black hole until the connection fails",
          "[tcp]")
{
    Hole hole(30'000, probing(abi::MtuProbing::off), 1300);
    hole.fetch();
    CHECK_FALSE(hole.all());
    CHECK(hole.in_order == hole.start);
    CHECK(hole.seen.back().length == 1500);
    CHECK(hole.seen.back().at > 800 * kSecond);  // fifteen time-outs; it fails after another one
    CHECK(test::silent(hole.simulator));
}

TEST_CASE("RFC 4821 7.3: a probe lies halfway between what arrives and what does not, until that is 8 bytes apart",
          "[tcp]")
{
    Hole hole(3'000'000, probing(abi::MtuProbing::black_holes), 1300);
    hole.fetch();
    REQUIRE(hole.all());
    std::vector<std::uint16_t> expected;
    std::uint32_t low = 1024 + kPlain, high = 1500;
    while (high >= low + 8) {
        const std::uint32_t middle = (low + high) / 2;
        expected.push_back(static_cast<std::uint16_t>(middle));
        (middle <= 1300 ? low : high) = middle <= 1300 ? middle : middle - 1;
    }
    CHECK(expected == std::vector<std::uint16_t>{1282, 1391, 1336, 1308, 1294, 1300});
    CHECK(hole.probes() == expected);
    CHECK(hole.seen[hole.seen.size() - 2].length == 1300);
}

TEST_CASE("RFC 4821 7.4: no probe leaves before the window is large enough for its loss to be seen, nor at the end",
          "[tcp]")
{
    // Slow start from one segment on: F-RTO would have new data arrive before the old.
    test::TcpOptions tcp = probing(abi::MtuProbing::black_holes);
    tcp.frto = 0;
    Hole hole(300'000, tcp, 1300);
    hole.fetch();
    REQUIRE(hole.all());
    std::size_t first = 0;
    while (hole.seen[first].lost) ++first;
    std::size_t probe = first;
    while (hole.seen[probe].length <= 1024 + kPlain) ++probe;
    int latest = 0;
    for (std::size_t i = probe; i-- > first && hole.seen[probe].at - hole.seen[i].at < kRoundTrip;) ++latest;
    CHECK(latest >= 9);  // two of its window's eleven it takes itself

    // Of what is left nobody would tell.
    Hole brief(20'000, tcp, 1300);
    brief.fetch();
    REQUIRE(brief.all());
    CHECK(brief.probes().empty());
}

TEST_CASE("RFC 4821 7.6.2: a lost probe is sent again at once, and the window is not reduced", "[tcp]")
{
    const bool sack = GENERATE(true, false);
    // The first probe is 1282 bytes long, and lost.
    Hole hole(1'000'000, probing(abi::MtuProbing::black_holes), 1200, sack);
    hole.fetch();
    REQUIRE(hole.all());
    std::size_t probe = 0;
    while (hole.seen[probe].length != 1282) ++probe;
    std::size_t again = probe;
    while (!hole.seen[again].again) ++again;
    CHECK(hole.seen[again].begin == hole.seen[probe].begin);
    CHECK(hole.seen[again].length == 1024 + kPlain);
    CHECK(hole.seen[again].at - hole.seen[probe].at < 2 * kRoundTrip);
    const auto within = [&](Time from, Time to) {
        int count = 0;
        for (const Hole::Seen& seen : hole.seen) count += seen.at >= from && seen.at < to;
        return count;
    };
    const Time at = hole.seen[probe].at;
    // Two round trips around the loss, which take up to three.
    CHECK(within(at + 4 * kRoundTrip, at + 5 * kRoundTrip) >= within(at - kRoundTrip, at));
}

TEST_CASE("RFC 4821 7.6.1: a probe that arrives sets the size of segments; the window stays as many bytes", "[tcp]")
{
    Hole hole(1'000'000, probing(abi::MtuProbing::black_holes), 1499);
    hole.fetch();
    REQUIRE(hole.all());
    std::size_t probe = 0;
    while (hole.seen[probe].length != 1282) ++probe;
    std::size_t next = probe + 1;
    while (hole.seen[next].length < 1282) ++next;
    CHECK(hole.seen[next].length == 1282);
    // It was the last of its round trip; the next one's have left before it is acknowledged.
    CHECK(hole.seen[next].at - hole.seen[probe].at >= kRoundTrip);
    CHECK(hole.seen[next].at - hole.seen[probe].at < 2 * kRoundTrip + kMillisecond);
    // A window of eleven segments of 1024 bytes is one of nine of 1242.
    std::uint32_t segments = 0;
    for (std::size_t i = next; hole.seen[i].at - hole.seen[next].at < kMillisecond; ++i) ++segments;
    CHECK(segments >= 8);
    CHECK(segments <= 9);
}

TEST_CASE("RFC 4821 7.6.4: a probe that is lost with what was sent before it tells nothing, and is sent anew", "[tcp]")
{
    Hole undisturbed(1'000'000, probing(abi::MtuProbing::black_holes), 1300);
    undisturbed.fetch();
    std::size_t probe = 0;
    while (undisturbed.seen[probe].length != 1282) ++probe;

    Hole hole(1'000'000, probing(abi::MtuProbing::black_holes), 1300);
    hole.lost = {probe - 2, probe};
    hole.fetch();
    REQUIRE(hole.all());
    REQUIRE(hole.seen[probe].length == 1282);
    std::size_t anew = probe + 1;
    while (hole.seen[anew].length <= 1024 + kPlain) ++anew;
    CHECK(hole.seen[anew].length == 1282);
    CHECK_FALSE(hole.seen[anew].again);
}

namespace {

// A router tells the server of a packet of a connection that it let through up to so much.
void tell(Hole& hole, std::uint32_t sequence, std::uint32_t mtu)
{
    Packet offender;
    offender.source = ChainModel::server_address();
    offender.destination = ChainModel::peer_address();
    offender.protocol = protocol::tcp;
    offender.flags = packet_flag::dont_fragment;
    offender.source_port = 80;
    offender.destination_port = kPort;
    offender.length = 1500;
    offender.payload = 1460;
    offender.tcp().sequence = sequence;
    Packet error;
    REQUIRE(wire::make_icmp_error(offender, ChainModel::peer_address(), node::icmp::unreachable,
                                  node::icmp::fragmentation_needed, mtu, hole.model, hole.simulator.buffers(), error));
    hole.client.send(error, hole.simulator.now());
}

}  // namespace

TEST_CASE("RFC 1191 6.2, RFC 8201 5.2: what one connection is told holds for others to the same host", "[tcp]")
{
    Hole hole(1'000'000, probing(abi::MtuProbing::off), 1500);
    const auto pass = [&] { hole.simulator.run_until(hole.simulator.now() + 2 * kRoundTrip); };
    const std::uint16_t other = kPort + 1;
    Packet syn = FakeHost::segment(ChainModel::server_address(), other, 80, tcp_flag::syn, 9000, 0);
    syn.tcp_syn().mss = 1460;
    syn.length = static_cast<std::uint16_t>(40 + tcp_options::length(syn));
    hole.client.send(syn, hole.simulator.now());
    pass();
    std::uint32_t begin = 0;
    std::uint16_t longest = 0;
    const auto hear = [&] {
        for (; hole.taken < hole.client.received.size(); ++hole.taken) {
            const Packet& p = hole.client.received[hole.taken].packet;
            if (p.destination_port != other) continue;
            if (p.tcp().flags & tcp_flag::syn) begin = p.tcp().sequence + 1;
            longest = std::max(longest, p.length);
        }
    };
    hear();
    REQUIRE(begin != 0);
    longest = 0;
    tell(hole, hole.start, 1000);
    pass();
    hole.client.send_text(FakeHost::segment(ChainModel::server_address(), other, 80, tcp_flag::ack, 9001, begin),
                          "GET /1000000 HTTP/1.0\r\n\r\n", hole.model, hole.simulator.now());
    pass();
    hear();
    CHECK(longest == 1000);
}

TEST_CASE("RFC 1191 6.3: segments grow again when what a router said is ten minutes old", "[tcp]")
{
    Hole hole(60'000'000, probing(abi::MtuProbing::off), 1500);
    hole.fetch(20);
    const Time told = hole.simulator.now() + kRoundTrip / 2;
    tell(hole, hole.in_order + 1460, 1000);
    // The longest packet of those that come when the client opens its window, which it has closed since.
    const auto longest_at = [&](Time when) {
        hole.window = 0;
        while (hole.simulator.now() < told + when) hole.fetch(hole.seen.size() + 1);
        hole.window = 65535;
        hole.acknowledge(hole.in_order);
        const std::size_t from = hole.seen.size();
        hole.fetch(from + 40);
        std::uint16_t longest = 0;
        for (std::size_t i = from; i < hole.seen.size(); ++i) longest = std::max(longest, hole.seen[i].length);
        return longest;
    };
    CHECK(longest_at(kSecond) == 1000);
    CHECK(longest_at(300 * kSecond) == 1000);
    CHECK(longest_at(600 * kSecond) == 1500);
    REQUIRE_FALSE(hole.all());
}

}  // namespace ANML_UNIT_FILE
