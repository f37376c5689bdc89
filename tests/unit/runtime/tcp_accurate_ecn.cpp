// Accurate ECN feedback by the sentences of RFC 9768, section 3, and its appendix A.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "net/packet/ecn.h"
#include "transfers.h"
#include "transport/law/dctcp.h"
#include "transport/options/accurate_ecn.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::Chain;
using test::ChainModel;
using test::Download;
using test::FakeHost;
using test::kMss;

namespace {

constexpr std::uint8_t kAe = tcp_flag::ae, kCwr = tcp_flag::cwr, kEce = tcp_flag::ece;
constexpr std::uint8_t kAsks = kAe | kCwr | kEce, kAsksOld = kCwr | kEce;

test::TcpOptions with(abi::Ecn ecn, abi::Congestion law = abi::Congestion::newreno)
{
    test::TcpOptions tcp = test::linux_tcp();
    tcp.ecn = ecn;
    tcp.congestion = law;
    return tcp;
}

std::uint8_t said(const Packet& p) { return p.tcp().flags & kAsks; }
std::uint32_t ace(const Packet& p)
{
    return (said(p) & kAe ? 4u : 0u) | (said(p) & kCwr ? 2u : 0u) | (said(p) & kEce ? 1u : 0u);
}
std::uint8_t flags_of(std::uint32_t value)
{
    return static_cast<std::uint8_t>((value & 4 ? kAe : 0) | (value & 2 ? kCwr : 0) | (value & 1 ? kEce : 0));
}

// A real client of the simulated server, which it asks with a SYN of these flags and codepoint.
struct Client {
    Client(const test::TcpOptions& tcp, std::uint8_t asks, std::uint8_t codepoint = 0, bool sack = false)
        : built(Download::chain(1000, tcp)),
          model(built.model()),
          simulator(model, 1),
          client(simulator, 1, ChainModel::peer_address())
    {
        Packet syn = FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::syn | asks, 100, 0);
        syn.traffic_class = codepoint;
        if (sack) syn.flags |= packet_flag::sack;
        client.send(syn, 0);
        simulator.run_until(kSecond / 2);
        REQUIRE(!client.received.empty());
        reply = client.received[0].packet;
        seen = client.received.size();
    }
    Packet segment(std::uint8_t codepoint, std::uint8_t flags) const
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::ack | flags, sequence,
                                     reply.tcp().sequence + 1);
        p.traffic_class = codepoint;
        return p;
    }
    // The handshake's last acknowledgment: the SYN/ACK came so.
    void confirm(std::uint32_t value)
    {
        client.send(segment(0, flags_of(value)), simulator.now());
        simulator.run_until(simulator.now() + 100 * kMillisecond);
        seen = client.received.size();
    }
    void send(std::uint8_t codepoint, const std::string& text = "GET ", std::uint32_t ahead = 0)
    {
        Packet p = segment(codepoint, 5);
        p.tcp().sequence += ahead;
        p.tcp().flags = tcp_flag::ack | flags_of(5);
        client.send_text(p, text, model, simulator.now());
        if (ahead == 0) sequence += static_cast<std::uint32_t>(text.size());
    }
    // The acknowledgments that come within that time.
    std::vector<Packet> hear(Time time = 100 * kMillisecond)
    {
        simulator.run_until(simulator.now() + time);
        std::vector<Packet> heard;
        for (; seen < client.received.size(); ++seen) heard.push_back(client.received[seen].packet);
        return heard;
    }
    Packet answer_to(std::uint8_t codepoint)
    {
        send(codepoint);
        const std::vector<Packet> heard = hear();
        REQUIRE(heard.size() == 1);
        return heard[0];
    }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    Packet reply;
    std::size_t seen = 0;
    std::uint32_t sequence = 101;
};

// A virtual client, and a real server that answers its SYN.
struct Server {
    explicit Server(const test::TcpOptions& tcp)
        : built(chain(tcp)),
          model(built.model()),
          simulator(model, 1),
          server(simulator, 0, ChainModel::server_address())
    {
        simulator.start_workloads(0, 0, 1000 * kSecond);
        while (server.received.empty()) simulator.run_until(simulator.next_event());
    }
    static Chain chain(const test::TcpOptions& tcp)
    {
        Chain chain;
        chain.documents = {1024};
        chain.close = test::CloseMode::at_once;
        chain.connect_timeout = 0;
        chain.client_tcp = chain.server_tcp = tcp;
        return chain;
    }
    const Packet& syn() const { return server.received[0].packet; }
    // What comes behind a SYN/ACK: the acknowledgment, and the request.
    std::vector<Packet> answer(std::uint32_t value, std::uint8_t codepoint)
    {
        Packet p = FakeHost::segment(ChainModel::client_address(0, 0), 80, syn().source_port,
                                     tcp_flag::syn | tcp_flag::ack | flags_of(value), 7000, syn().tcp().sequence + 1);
        p.traffic_class = codepoint;
        const std::size_t before = server.received.size();
        server.send(p, simulator.now());
        simulator.run_until(simulator.now() + 100 * kMillisecond);
        std::vector<Packet> came;
        for (std::size_t i = before; i < server.received.size(); ++i) came.push_back(server.received[i].packet);
        REQUIRE(came.size() >= 2);
        return came;
    }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server;
};

}  // namespace

TEST_CASE("RFC 9768 3.1.1: a SYN/ACK feeds back the codepoint of the SYN, and agrees by that", "[tcp][ecn][accecn]")
{
    const auto told = [](std::uint8_t codepoint) {
        return ace(Client(with(abi::Ecn::accurate), kAsks, codepoint).reply);
    };
    CHECK(told(ecn::kNotCapable) == 2);
    CHECK(told(ecn::kEct1) == 3);
    CHECK(told(ecn::kEct0) == 4);
    CHECK(told(ecn::kCongestion) == 6);
}

TEST_CASE("RFC 9768 3.1.2: with hosts that know less it is RFC 3168's ECN, or none", "[tcp][ecn][accecn]")
{
    CHECK(said(Client(with(abi::Ecn::accurate), kAsksOld).reply) == kEce);
    CHECK(said(Client(with(abi::Ecn::accurate), 0).reply) == 0);
    CHECK(said(Client(with(abi::Ecn::accepted), kAsks).reply) == kEce);
    CHECK(said(Client(with(abi::Ecn::none), kAsks).reply) == 0);

    Server older(with(abi::Ecn::accurate));
    CHECK((older.syn().tcp().flags & (kAsks | tcp_flag::syn)) == (kAsks | tcp_flag::syn));
    std::vector<Packet> came = older.answer(1, 0);
    CHECK(said(came[0]) == 0);
    CHECK(ecn::codepoint(came[1]) == ecn::kEct0);
    // No ECN; and the broken ones that reflect the flags.
    for (const std::uint32_t value : {0u, 7u}) {
        Server without(with(abi::Ecn::accurate));
        came = without.answer(value, 0);
        CHECK(said(came[0]) == 0);
        CHECK(said(came[1]) == 0);
        CHECK(ecn::codepoint(came[1]) == ecn::kNotCapable);
    }
}

TEST_CASE("RFC 9768 3.1.3: other combinations are taken for those of today", "[tcp][ecn][accecn]")
{
    for (const std::uint32_t value : {1u, 2u, 4u, 5u, 6u})
        CHECK(ace(Client(with(abi::Ecn::accurate), flags_of(value)).reply) == 2);
    Server reserved(with(abi::Ecn::accurate));
    const std::vector<Packet> came = reserved.answer(5, 0);
    CHECK(ace(came[0]) == 2);
    CHECK(ecn::codepoint(came[1]) == ecn::kEct0);
}

TEST_CASE("RFC 9768 3.1.4.1: the first repetition of a SYN asks, too, further ones do not", "[tcp][ecn][accecn]")
{
    Server silent(with(abi::Ecn::accurate));
    silent.simulator.run_until(8 * kSecond);
    std::vector<std::uint8_t> asked;
    for (const auto& got : silent.server.received) asked.push_back(said(got.packet));
    CHECK(asked == std::vector<std::uint8_t>{kAsks, kAsks, 0, 0});
}

TEST_CASE("RFC 9768 3.1.5: who hears a SYN without a question later labels nothing, and counts on",
          "[tcp][ecn][accecn]")
{
    Client c(with(abi::Ecn::accurate), kAsks);
    c.client.send(FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::syn, 100, 0), c.simulator.now());
    const std::vector<Packet> again = c.hear();
    REQUIRE(!again.empty());
    CHECK(ace(again[0]) == 2);
    c.confirm(2);
    CHECK(ace(c.answer_to(ecn::kCongestion)) == 6);
    c.send(0, "/1000 HTTP/1.0\r\n\r\n");
    for (const Packet& p : c.hear(kSecond)) CHECK(ecn::codepoint(p) == ecn::kNotCapable);
}

TEST_CASE("RFC 9768 3.2.2.1: the acknowledgment of a SYN/ACK feeds back its codepoint, a mark counts once",
          "[tcp][ecn][accecn]")
{
    const std::pair<std::uint8_t, std::uint32_t> all[] = {
        {ecn::kNotCapable, 2}, {ecn::kEct1, 3}, {ecn::kEct0, 4}, {ecn::kCongestion, 6}};
    for (const auto& [codepoint, value] : all) {
        Server server(with(abi::Ecn::accurate));
        const std::vector<Packet> came = server.answer(2, codepoint);
        CHECK(came[0].payload == 0);
        CHECK(ace(came[0]) == value);
        CHECK(ace(came[1]) == (codepoint == ecn::kCongestion ? 6 : 5));
        CHECK(ecn::codepoint(came[1]) == ecn::kEct0);
    }
    // Table 4: a server that is told nothing labels nothing.
    for (const std::uint32_t value : {0u, 2u}) {
        Client c(with(abi::Ecn::accurate), kAsks);
        c.confirm(value);
        c.send(0, "GET /1000 HTTP/1.0\r\n\r\n");
        int labelled = 0;
        for (const Packet& p : c.hear(kSecond)) labelled += ecn::capable(p);
        CHECK((labelled > 0) == (value == 2));
    }
}

TEST_CASE("RFC 9768 3.2.2.2: each segment has the three lowest bits of the count of marked packets",
          "[tcp][ecn][accecn]")
{
    Client c(with(abi::Ecn::accurate), kAsks);
    c.confirm(2);
    std::uint32_t marked = 5;
    for (int i = 0; i < 20; ++i) {
        const bool mark = i % 3 != 0;
        marked += mark;
        CHECK(ace(c.answer_to(mark ? ecn::kCongestion : ecn::kEct0)) == marked % 8);
    }
}

TEST_CASE("RFC 9768 3.2.2.3: a codepoint that has changed on the way ends labelling", "[tcp][ecn][accecn]")
{
    // What was not ECT comes as ECT, or what was ECT (DCTCP's SYN) as not ECT; a mark is no such change.
    const auto labels = [](abi::Congestion law, std::uint32_t told) {
        Server server(with(abi::Ecn::accurate, law));
        return ecn::capable(server.answer(told, 0)[1]);
    };
    CHECK(labels(abi::Congestion::newreno, 2));
    CHECK_FALSE(labels(abi::Congestion::newreno, 4));
    CHECK(labels(abi::Congestion::dctcp, 4));
    CHECK(labels(abi::Congestion::dctcp, 6));
    CHECK_FALSE(labels(abi::Congestion::dctcp, 2));
}

TEST_CASE("RFC 9768 3.2.2.5.1: the first mark of several, and each second one, is acknowledged at once",
          "[tcp][ecn][accecn]")
{
    test::TcpOptions tcp = with(abi::Ecn::accurate);
    tcp.quick_acks = 0;  // others wait
    Client c(tcp, kAsks);
    c.confirm(2);
    std::vector<bool> at_once;
    for (const std::uint8_t codepoint : {ecn::kEct0, ecn::kCongestion, ecn::kCongestion, ecn::kCongestion, ecn::kEct0})
    {
        c.send(codepoint, at_once.empty() ? "GET " : "/");  // two of the later ones are less than a segment
        at_once.push_back(!c.hear(20 * kMillisecond).empty());
        if (codepoint == ecn::kEct0) c.hear();
    }
    CHECK(at_once == std::vector<bool>{false, true, false, true, false});
}

TEST_CASE("RFC 9768 3.2.2.5.1: three marked acknowledgments have one", "[tcp][ecn][accecn]")
{
    Client c(with(abi::Ecn::accurate), kAsks);
    c.confirm(2);
    std::vector<std::size_t> answers;
    for (int i = 0; i < 6; ++i) {
        c.client.send(c.segment(ecn::kCongestion, flags_of(5)), c.simulator.now());
        answers.push_back(c.hear().size());
    }
    CHECK(answers == std::vector<std::size_t>{0, 0, 1, 0, 0, 1});
}

TEST_CASE("RFC 9768 3.2.3.3: an option tells the bytes of each codepoint that has come, and no others",
          "[tcp][ecn][accecn]")
{
    Client c(with(abi::Ecn::accurate), kAsks);
    // 3.2.3.2.1: the SYN/ACK shows that the option comes through.
    CHECK(tcp_options::counters(c.reply).any());
    CHECK(tcp_options::counters(c.reply).ect0 == 1);
    c.confirm(2);
    CHECK_FALSE(tcp_options::counters(c.answer_to(ecn::kNotCapable)).any());
    tcp_options::Counters told = tcp_options::counters(c.answer_to(ecn::kEct0));
    CHECK(told.present == 1);
    CHECK(told.ect0 == 1 + 4);
    told = tcp_options::counters(c.answer_to(ecn::kCongestion));
    CHECK(told.present == 3);
    CHECK(told.ect0 == 1 + 4);
    CHECK(told.ce == 4);
    const Packet last = c.answer_to(ecn::kEct1);
    told = tcp_options::counters(last);
    CHECK(told.present == 7);
    CHECK(told.ect1 == 1 + 4);
    CHECK(told.ce == 4);
    CHECK(last.length == 40 + 12);
}

TEST_CASE("RFC 9768 3.2.3.3: blocks have precedence over the option, which goes beside one", "[tcp][ecn][accecn]")
{
    Client c(with(abi::Ecn::accurate), kAsks, 0, true);
    c.confirm(2);
    c.send(ecn::kCongestion, "GET ", 10);  // out of order
    Packet p = c.hear().at(0);
    REQUIRE(tcp_options::block_count(p) == 1);
    CHECK(tcp_options::block(p, 0).begin == c.sequence + 10);
    CHECK(tcp_options::block(p, 0).end == c.sequence + 14);
    CHECK(tcp_options::counters(p).present == 3);
    CHECK(tcp_options::counters(p).ce == 4);
    CHECK(p.length == 40 + 12 + 8);
    c.send(ecn::kCongestion, "GET ", 20);
    p = c.hear().at(0);
    CHECK(tcp_options::block_count(p) == 2);
    CHECK_FALSE(tcp_options::counters(p).any());
    CHECK(ace(p) == 7);
    // What could not be said is said with the next one that has room: nothing is lost.
    c.send(ecn::kNotCapable, std::string(30, ' '));
    p = c.hear().at(0);
    CHECK(tcp_options::counters(p).ce == 8);
}

TEST_CASE("RFC 9768 3.2.2.5.2: the field alone may have gone round, which the most that it can mean says", "[accecn]")
{
    tcp::Connection c;
    c.mss = 1000;
    const auto learn = [&](std::uint32_t value, std::uint32_t segments) {
        tcp::law::Accurate state;
        state.agreed = true;
        Packet p =
            FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(value)), 1, 1);
        return tcp::accurate::learn(state, c, p, segments * 1000);
    };
    CHECK(learn(5, 3).packets == 0);
    CHECK(learn(7, 3).packets == 2);
    CHECK(learn(1, 5).packets == 4);  // beyond its end
    CHECK(learn(7, 7).packets == 2);  // it cannot have
    CHECK(learn(7, 10).packets == 10);
    CHECK(learn(7, 10).bytes == 10'000);
    CHECK(learn(7, 17).packets == 10);
    CHECK(learn(7, 18).packets == 18);
    CHECK(learn(0, 1).packets == 3);  // 3.2.2.5.2: more than were acknowledged: control packets
    CHECK(learn(0, 1).bytes == 1000);
}

TEST_CASE("RFC 9768 3.2.3: with the option it is known how often it went round", "[accecn]")
{
    tcp::Connection c;
    c.mss = 1000;
    for (std::uint32_t marked = 0; marked <= 40; ++marked) {
        tcp::law::Accurate state;
        Packet p =
            FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(5 + marked)), 1, 1);
        tcp_options::set_counters(p, {1 + (40 - marked) * 1000, marked * 1000, 1, 3});
        const tcp::accurate::Marks marks = tcp::accurate::learn(state, c, p, 40'000);
        CHECK(marks.packets == marked);
        CHECK(marks.bytes == marked * 1000);
        CHECK(state.delivered.packets == 5 + marked);
    }
}

TEST_CASE("RFC 9768 3.2.2.5.1: a peer of tiny segments that tells of ever so many bytes costs no time", "[accecn]")
{
    tcp::Connection c;
    c.mss = 1;
    tcp::law::Accurate state;
    for (std::uint32_t i = 1; i <= 20'000; ++i) {
        Packet p = FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(5)), 1, 1);
        tcp_options::set_counters(p, {1, i * 0x7fffff & 0xffffff, 1, 3});
        const tcp::accurate::Marks marks = tcp::accurate::learn(state, c, p, 1);
        CHECK(marks.bytes == 0x7fffff);
        CHECK(marks.packets == 0x800000);
    }
}

TEST_CASE("RFC 9768 3.2.3.2.5: what acknowledgments told without the option is not counted twice", "[accecn]")
{
    tcp::Connection c;
    c.mss = 1000;
    tcp::law::Accurate state;
    std::uint32_t packets = 0, bytes = 0;
    for (std::uint32_t i = 1; i <= 30; ++i) {  // each tells of two segments, one of them marked
        Packet p =
            FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(5 + i)), 1, 1);
        if (i % 3 == 0) tcp_options::set_counters(p, {1 + i * 1000, i * 1000, 1, 3});
        const tcp::accurate::Marks marks = tcp::accurate::learn(state, c, p, 2000);
        packets += marks.packets;
        bytes += marks.bytes;
    }
    CHECK(packets == 30);
    CHECK(bytes == 30'000);
}

TEST_CASE("RFC 9768 3.2.3.1: counters of 24 bits go round, too, and an older one changes nothing", "[accecn]")
{
    tcp::Connection c;
    c.mss = 1000;
    tcp::law::Accurate state;
    std::uint32_t ce = 0, cep = 5;
    for (int i = 0; i < 100; ++i) {
        ce += 1'000'000;
        cep += 1000;
        Packet p = FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(cep)), 1, 1);
        tcp_options::set_counters(p, {1, ce & 0xffffff, 1, 3});
        const tcp::accurate::Marks marks = tcp::accurate::learn(state, c, p, 1'000'000);
        REQUIRE(marks.packets == 1000);
        REQUIRE(marks.bytes == 1'000'000);
    }
    CHECK(state.delivered.ce == 100'000'000);
    Packet old = FakeHost::segment(Address{1}, 1, 2, static_cast<std::uint8_t>(tcp_flag::ack | flags_of(cep)), 1, 1);
    tcp_options::set_counters(old, {1, (ce - 5000) & 0xffffff, 1, 3});
    CHECK(tcp::accurate::learn(state, c, old, 1000).bytes == 0);
    CHECK(state.delivered.ce == 100'000'000);
}

TEST_CASE("RFC 9768 3.1.5: a sender in this mode says nothing of a reduction, and reduces once in a round trip",
          "[tcp][ecn][accecn]")
{
    const auto fetch = [](std::uint32_t step) {
        Download w(400'000, with(abi::Ecn::accurate), packet_flag::sack, kAsks);
        w.says = flags_of(5);
        // Each acknowledgment tells of one mark more, or of none.
        std::uint32_t told = 5, in_order = w.start;
        const auto end = w.start + static_cast<std::uint32_t>(content::length(w.model, content::response(0)));
        const Time begin = w.simulator.now();
        while (in_order != end) {
            const Packet p = w.next();
            CHECK(ace(p) == 5);  // as a counter, which CWR would change
            if (p.payload == 0) continue;
            in_order = p.tcp().sequence + p.payload;
            w.says = flags_of(told += step);
            w.acknowledge(in_order);
        }
        CHECK(w.retransmissions() == 0);
        return w.simulator.now() - begin;
    };
    const Time without = fetch(0), marked = fetch(1);
    CHECK(marked > 2 * without);
}

TEST_CASE("RFC 8257 3.3: over accurate feedback DCTCP knows the share of marks from acknowledgments of many segments",
          "[tcp][ecn][accecn]")
{
    // One segment in twenty is marked. An acknowledgment is for `every` segments, with what RFC 9768 tells, or with
    // RFC 3168's echo where one of them was marked. The window W settles where W * alpha / 2 is a segment.
    const auto window = [](std::uint32_t every, bool accurate) {
        Download w(3'000'000, with(abi::Ecn::accurate, abi::Congestion::dctcp), packet_flag::sack,
                   accurate ? kAsks : kAsksOld);
        w.says = accurate ? flags_of(5) : std::uint8_t{0};
        std::uint32_t marked = 0, segments = 0, waiting = 0;
        bool echo = false;
        Time half = 0;
        std::uint32_t in_order = w.start;
        const auto end = w.start + static_cast<std::uint32_t>(content::length(w.model, content::response(0)));
        while (in_order != end) {
            const Packet p = w.next();
            if (p.payload == 0) continue;
            if (p.tcp().sequence != in_order) continue;
            in_order = p.tcp().sequence + p.payload;
            if (++segments == 1500) half = w.simulator.now();
            const bool mark = segments % 20 == 0;
            marked += mark;
            echo |= mark;
            if (++waiting < every && in_order != end) continue;
            waiting = 0;
            w.says = accurate ? flags_of(5 + marked) : echo ? tcp_flag::ece : std::uint8_t{0};
            echo = false;
            w.acknowledge(in_order);
        }
        // Segments in a round trip of 4 ms, of the second half.
        return static_cast<double>(segments - 1500) * 4e6 / static_cast<double>(w.simulator.now() - half);
    };
    const double each = window(1, true), second = window(2, true), echoed = window(2, false);
    CAPTURE(each, second, echoed);
    CHECK(each > 8);
    CHECK(each < 20);
    CHECK(std::abs(second / each - 1) < 0.01);
    CHECK(echoed < 0.9 * second);  // one in ten acknowledgments has an echo
}

}  // namespace ANML_UNIT_FILE
