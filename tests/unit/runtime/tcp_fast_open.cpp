// Fast Open, segment by segment: a virtual client with a scripted server, and the simulated server with a scripted
// client.
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/packet/ecn.h"
#include "simulator/statistics.h"
#include "transport/options/cookies.h"
#include "transport/options/tcp_options.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::ChainModel;
using test::FakeHost;

namespace {

constexpr std::uint32_t kIsn = 7000;
constexpr std::uint64_t kCookie = 0x0123456789abcdef;
const std::string kResponse = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc";

struct Base {
    explicit Base(const test::Chain& chain, std::uint32_t endpoint, Address address)
        : built(chain), model(built.model()), simulator(model, 1), host(simulator, endpoint, address)
    {
    }
    std::optional<Packet> next(Time within = 100 * kSecond)
    {
        const Time limit = simulator.now() + within;
        while (seen == host.received.size() && simulator.next_event() <= limit)
            simulator.run_until(simulator.next_event());
        if (seen == host.received.size()) return std::nullopt;
        return host.received[seen++].packet;
    }
    Packet must()
    {
        const auto packet = next();
        REQUIRE(packet);
        return *packet;
    }
    bool quiet(Time within = 20 * kMillisecond) { return !next(within); }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost host;
    std::size_t seen = 0;
};

// A client whose transactions have a connection each, a second from the end of one to the next.
struct Client : Base {
    explicit Client(test::Chain chain = given()) : Base(chain, 0, ChainModel::server_address())
    {
        simulator.start_workloads(0, 0, 10000 * kSecond);
    }
    static test::Chain given()
    {
        test::Chain chain;
        chain.client_tcp.fast_open = 1;
        chain.client_tcp.syn_timeout = 1e9;
        chain.client_tcp.syn_retries = 6;
        chain.connect_timeout = 0;
        chain.think = {abi::DistributionKind::constant, 1e9, 0};
        chain.until = test::TransactionEnd::complete;
        return chain;
    }
    Packet syn_comes() { return syn_comes_with(0); }
    Packet syn_comes_with(std::uint8_t flags)
    {
        const Packet p = must();
        REQUIRE(p.tcp().flags == (syn | flags));
        isn = p.tcp().sequence;
        port = p.source_port;
        return p;
    }
    Packet segment(std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgment) const
    {
        return FakeHost::segment(ChainModel::client_address(0, 0), 80, port, flags, sequence, acknowledgment);
    }
    // The SYN/ACK, for so many bytes behind the SYN.
    void accept(std::uint32_t bytes, std::optional<std::uint64_t> cookie, std::uint16_t mss = 1460)
    {
        Packet p = segment(syn | ack, kIsn, isn + 1 + bytes);
        p.tcp_syn().mss = mss;
        if (cookie) tcp_options::set_cookie(p, *cookie);
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        host.send(p, simulator.now());
    }
    void answer(std::uint32_t bytes)
    {
        host.send_text(segment(ack, kIsn + 1, isn + 1 + bytes), kResponse, model, simulator.now());
        const Packet last = must();
        if (!(last.tcp().flags & fin)) must();
        host.send(segment(ack | fin, kIsn + 1 + static_cast<std::uint32_t>(kResponse.size()), isn + 2 + bytes),
                  simulator.now());
        must();
    }
    // A first connection, in which the server gives a cookie. Its request is that long.
    std::uint32_t first(std::uint64_t cookie = kCookie, std::uint16_t mss = 1460, std::uint8_t asks = 0)
    {
        syn_comes_with(asks);
        accept(0, cookie, mss);
        must();
        const std::uint32_t length = must().payload;
        answer(length);
        return length;
    }
    const WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }

    std::uint32_t isn = 0;
    std::uint16_t port = 0;
};

// A real client of the simulated server.
struct Server : Base {
    explicit Server(test::Chain chain = given()) : Base(chain, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
    }
    static test::Chain given()
    {
        test::Chain chain;
        chain.peer = true;
        chain.documents = {100};
        chain.service = {abi::DistributionKind::constant, 0, 0};
        chain.close = test::CloseMode::at_once;
        chain.server_tcp.fast_open = 1;
        return chain;
    }
    Packet opening(std::optional<std::uint64_t> cookie)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), ++port, 80, syn, kIsn, 0);
        p.tcp_syn().mss = 1460;
        if (cookie) tcp_options::set_cookie(p, *cookie);
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        return p;
    }
    void send(const Packet& p) { host.send(p, simulator.now()); }
    // As from a device: the packet's bytes, and what they are read as.
    void send_with(Packet p, std::string_view text)
    {
        p.source = ChainModel::peer_address();
        p.payload = static_cast<std::uint16_t>(text.size());
        p.length = static_cast<std::uint16_t>(p.length + text.size());
        std::vector<std::uint8_t> bytes(p.length);
        wire::emit(p, model, simulator.buffers(), bytes);
        std::copy(text.begin(), text.end(), bytes.end() - static_cast<std::ptrdiff_t>(text.size()));
        Packet read;
        REQUIRE(wire::parse(bytes, false, read) == wire::ParseError::none);
        read.buffer = simulator.buffers().store(bytes);
        send(read);
    }
    std::uint64_t ask_for_cookie()
    {
        send(opening(0));
        const Packet reply = must();
        CHECK(reply.tcp().flags == (syn | ack));
        CHECK(tcp_options::has_fast_open(reply));
        return tcp_options::cookie(reply);
    }

    std::uint16_t port = 40000;
};

const std::string kRequest = "GET /100 HTTP/1.0\r\nHost: x\r\n\r\n";

}  // namespace

TEST_CASE("RFC 7413 4.2.1: a client without a cookie asks for one, and keeps what the SYN-ACK brings", "[tcp]")
{
    Client w;
    const Packet asking = w.syn_comes();
    CHECK(tcp_options::has_fast_open(asking));
    CHECK(tcp_options::cookie(asking) == 0);
    CHECK(asking.payload == 0);
    CHECK(asking.length == 40 + 4 + 4);
    w.accept(0, kCookie);
    CHECK(w.must().tcp().flags == ack);
    const Packet request = w.must();
    w.answer(request.payload);
    const Packet with = w.syn_comes();
    CHECK(tcp_options::cookie(with) == kCookie);
    CHECK(with.payload == request.payload);
    CHECK(with.content == request.content);
    CHECK(with.length == 40 + 4 + 12 + request.payload);
}

TEST_CASE("RFC 7413 4.2.2: what the SYN-ACK acknowledges of the SYN's data is not sent again", "[tcp]")
{
    Client w;
    const std::uint32_t length = w.first();
    w.syn_comes();
    w.accept(length, std::nullopt);
    const Packet reply = w.must();
    CHECK(reply.tcp().flags == ack);
    CHECK(reply.payload == 0);
    CHECK(reply.tcp().sequence == w.isn + 1 + length);
    CHECK(reply.tcp().acknowledgment == kIsn + 1);
    CHECK(w.quiet());
    w.answer(length);
    CHECK(w.result().completed == 2);
    CHECK(w.simulator.statistics().retransmissions == 0);
}

TEST_CASE("RFC 7413 4.2.2: data that the SYN-ACK does not acknowledge are sent behind it", "[tcp]")
{
    Client w;
    const std::uint32_t length = w.first();
    w.syn_comes();
    w.accept(0, kCookie + 1);
    const Packet again = w.must();
    CHECK(again.payload == length);
    CHECK(again.tcp().sequence == w.isn + 1);
    CHECK(again.tcp().acknowledgment == kIsn + 1);
    w.answer(length);
    CHECK(w.result().completed == 2);
    CHECK(tcp_options::cookie(w.syn_comes()) == kCookie + 1);  // what it was told last
}

TEST_CASE("RFC 7413 4.2.2: a SYN that is repeated has neither data nor the option", "[tcp]")
{
    Client w;
    const std::uint32_t length = w.first();
    const Packet lost = w.syn_comes();
    const Packet again = w.syn_comes();
    CHECK(again.tcp().sequence == lost.tcp().sequence);
    CHECK(again.payload == 0);
    CHECK_FALSE(tcp_options::has_fast_open(again));
    CHECK(again.length == 44);
    SECTION("the first had not arrived")
    {
        w.accept(0, std::nullopt);
        CHECK(w.must().payload == length);
    }
    SECTION("the answer to the first was lost")
    {
        w.accept(length, std::nullopt);
        CHECK(w.must().payload == 0);
        CHECK(w.quiet());
    }
    w.answer(length);
    CHECK(w.result().completed == 2);
}

TEST_CASE("RFC 7413 4.1.3: no data go with a SYN for a while where two came to nothing", "[tcp]")
{
    Client w;
    const std::uint32_t length = w.first();
    Time lost = 0;
    for (int i = 0; i < 2; ++i) {
        CHECK(w.syn_comes().payload == length);
        CHECK(w.syn_comes().payload == 0);
        w.accept(0, std::nullopt);
        lost = w.simulator.now();
        CHECK(w.must().payload == length);
        w.answer(length);
    }
    Packet plain = w.syn_comes();
    while (w.simulator.now() < lost + 239 * kSecond) {
        CHECK(plain.payload == 0);
        CHECK_FALSE(tcp_options::has_fast_open(plain));
        w.accept(0, std::nullopt);
        w.must();
        w.must();
        w.answer(length);
        plain = w.syn_comes();
    }
    while (w.simulator.now() < lost + 241 * kSecond) {
        w.accept(plain.payload, std::nullopt);
        w.must();
        if (plain.payload == 0) w.must();
        w.answer(length);
        plain = w.syn_comes();
    }
    CHECK(plain.payload == length);
}

TEST_CASE("RFC 7413 4.1.3: the SYN's data fit the MSS that came with the cookie", "[tcp]")
{
    Client w;
    const auto length = static_cast<std::uint16_t>(content::length(w.model, content::request(0)));
    REQUIRE(w.first(kCookie, length) == length);
    const std::uint32_t part = length - 40u;  // of options
    CHECK(w.syn_comes().payload == part);
    w.accept(part, std::nullopt, length);
    const Packet rest = w.must();
    CHECK(rest.tcp().sequence == w.isn + 1 + part);
    CHECK(rest.payload == 40);
    w.answer(length);
    CHECK(w.result().completed == 2);
}

TEST_CASE("a host remembers so many servers, and forgets the first", "[tcp]")
{
    tcp::Cookies cookies;
    for (std::uint32_t i = 1; i <= tcp::Cookies::kMost + 1; ++i)
        cookies.keep(3, {.cookie = i, .server = Address{i}, .mss = 1460});
    CHECK(cookies.find(3, Address{1}) == nullptr);
    REQUIRE(cookies.find(3, Address{2}) != nullptr);
    CHECK(cookies.find(3, Address{tcp::Cookies::kMost + 1})->cookie == tcp::Cookies::kMost + 1);
    CHECK(cookies.find(4, Address{2}) == nullptr);
}

TEST_CASE("RFC 7413 4.1.2: a server gives a client the same cookie each time, and takes data with it alone", "[tcp]")
{
    Server w;
    const std::uint64_t cookie = w.ask_for_cookie();
    CHECK(cookie != 0);
    CHECK(w.ask_for_cookie() == cookie);
    // A wrong one: the SYN is acknowledged, the data are not, and the right one comes along.
    w.send_with(w.opening(cookie + 1), kRequest);
    Packet reply = w.must();
    CHECK(reply.tcp().flags == (syn | ack));
    CHECK(reply.tcp().acknowledgment == kIsn + 1);
    CHECK(tcp_options::cookie(reply) == cookie);
    CHECK(w.quiet());
    // Without the option data in a SYN wait for nobody.
    w.send_with(w.opening(std::nullopt), kRequest);
    reply = w.must();
    CHECK(reply.tcp().acknowledgment == kIsn + 1);
    CHECK_FALSE(tcp_options::has_fast_open(reply));
    CHECK(w.quiet());
}

TEST_CASE("RFC 7413 4.2.2: with a good cookie the server acknowledges the data, and answers before the handshake ends",
          "[tcp]")
{
    Server w;
    const std::uint64_t cookie = w.ask_for_cookie();
    w.send_with(w.opening(cookie), kRequest);
    const Packet reply = w.must();
    CHECK(reply.tcp().flags == (syn | ack));
    CHECK(reply.tcp().acknowledgment == kIsn + 1 + kRequest.size());
    CHECK_FALSE(tcp_options::has_fast_open(reply));
    const Packet response = w.must();
    CHECK(response.payload == content::length(w.model, content::response(0)));
    CHECK(response.tcp().sequence == reply.tcp().sequence + 1);
    CHECK(response.tcp().flags == (ack | psh | fin));
    CHECK(response.tcp().acknowledgment == kIsn + 1 + kRequest.size());
    CHECK(w.quiet());
    const auto asked = static_cast<std::uint32_t>(kIsn + 1 + kRequest.size());
    w.send(FakeHost::segment(ChainModel::server_address(), w.port, 80, ack | fin, asked,
                             response.tcp().sequence + response.payload + 1));
    CHECK(w.must().tcp().acknowledgment == asked + 1);
}

TEST_CASE("RFC 7413 4.2.2: until its SYN-ACK is acknowledged the server repeats that, and nothing else", "[tcp]")
{
    Server w;
    const std::uint64_t cookie = w.ask_for_cookie();
    w.send(FakeHost::segment(ChainModel::server_address(), w.port, 80, rst, kIsn + 1, 0));  // that one is over
    w.send_with(w.opening(cookie), kRequest);
    const Packet reply = w.must();
    const Packet response = w.must();
    const Time sent = w.host.received[w.seen - 1].at;
    const Packet again = w.must();
    CHECK(w.host.received[w.seen - 1].at - sent == Approx(kSecond).epsilon(0.001));
    CHECK(again.tcp().flags == (syn | ack));
    CHECK(again.tcp().sequence == reply.tcp().sequence);
    CHECK(again.tcp().acknowledgment == reply.tcp().acknowledgment);
    CHECK(w.quiet());
    // The client's SYN, which it repeats without data, brings it, too.
    Packet repeated = FakeHost::segment(ChainModel::server_address(), w.port, 80, syn, kIsn, 0);
    w.send(repeated);
    CHECK(w.must().tcp().flags == (syn | ack));
    CHECK(w.quiet());
    // The handshake is done; what had been lost of the response comes after a time-out of its own.
    const auto asked = static_cast<std::uint32_t>(kIsn + 1 + kRequest.size());
    w.send(FakeHost::segment(ChainModel::server_address(), w.port, 80, ack, asked, response.tcp().sequence));
    const Packet late = w.must();
    CHECK(late.tcp().sequence == response.tcp().sequence);
    CHECK(late.payload == response.payload);
}

TEST_CASE("RFC 7413 4.1.2: who has no Fast Open neither asks nor gives, and takes no data", "[tcp]")
{
    test::Chain chain = Server::given();
    chain.server_tcp.fast_open = 0;
    Server w(chain);
    w.send_with(w.opening(0), kRequest);
    const Packet reply = w.must();
    CHECK_FALSE(tcp_options::has_fast_open(reply));
    CHECK(reply.tcp().acknowledgment == kIsn + 1);
    chain = Client::given();
    chain.client_tcp.fast_open = 0;
    Client client(chain);
    CHECK_FALSE(tcp_options::has_fast_open(client.syn_comes()));
}

TEST_CASE("RFC 7413 4.1.1: the option is read as it is written, in SYNs alone", "[wire]")
{
    Server w;
    for (const std::uint8_t flags : {std::uint8_t{syn}, std::uint8_t(syn | ack)})
        for (const std::uint64_t cookie : {std::uint64_t{0}, kCookie})
            for (const bool stamped : {false, true}) {
                Packet p = FakeHost::segment(ChainModel::server_address(), 1, 2, flags, 5, flags & ack ? 6 : 0);
                p.source = ChainModel::peer_address();
                p.tcp_syn().mss = 1460;
                if (stamped) tcp_options::set_timestamps(p, 77, flags & ack ? 78 : 0);
                tcp_options::set_window_scale(p, 7);
                p.flags |= packet_flag::sack;
                tcp_options::set_cookie(p, cookie);
                p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
                std::vector<std::uint8_t> bytes(p.length);
                REQUIRE(wire::emit(p, w.model, w.simulator.buffers(), bytes) == p.length);
                if (!(flags & ack)) CHECK(std::count(bytes.begin() + 28, bytes.begin() + 32, 0) == 4);
                Packet read;
                REQUIRE(wire::parse(bytes, true, read) == wire::ParseError::none);
                CHECK(tcp_options::has_fast_open(read));
                CHECK(tcp_options::cookie(read) == cookie);
                CHECK(tcp_options::window_scale(read) == 7);
                CHECK(read.tcp_syn().mss == 1460);
                CHECK(tcp_options::has_timestamps(read) == stamped);
                if (flags & ack) CHECK(read.tcp().acknowledgment == 6);
                if (stamped) CHECK(tcp_options::timestamp(read) == 77);
            }
}

TEST_CASE("RFC 9768 3.2.2.1: how the SYN-ACK came goes back in an acknowledgment without data, whatever waits", "[tcp]")
{
    test::Chain chain = Client::given();
    chain.client_tcp.ecn = abi::Ecn::accurate;
    Client w(chain);
    const std::uint32_t length = w.first(kCookie, 1460, ae | cwr | ece);
    w.syn_comes_with(ae | cwr | ece);
    Packet reply = w.segment(syn | ack | cwr, kIsn, w.isn + 1);  // it takes no data, and agrees
    reply.traffic_class = ecn::kEct0;
    w.host.send(reply, w.simulator.now());
    const Packet bare = w.must();
    CHECK(bare.payload == 0);
    CHECK(bare.tcp().flags == (ack | ae));
    const Packet again = w.must();
    CHECK(again.payload == length);
    CHECK((again.tcp().flags & (ae | cwr | ece)) == (ae | ece));
}

TEST_CASE("RFC 9768 3.2.2.1: a server that has answered before the handshake ends hears it, too", "[tcp]")
{
    for (const std::uint8_t told : {std::uint8_t{0}, std::uint8_t{cwr}}) {
        test::Chain chain = Server::given();
        chain.documents = {40'000};
        chain.server_tcp.ecn = abi::Ecn::accurate;
        Server w(chain);
        Packet opening = w.opening(w.ask_for_cookie());
        opening.tcp().flags |= ae | cwr | ece;
        w.send_with(opening, "GET /40000 HTTP/1.0\r\nHost: x\r\n\r\n");
        const Packet reply = w.must();
        CHECK(reply.tcp().flags == (syn | ack | cwr));
        std::uint32_t next = reply.tcp().sequence + 1;
        for (int i = 0; i < 10; ++i) {  // the first window
            const Packet p = w.must();
            CHECK(ecn::capable(p));
            next = p.tcp().sequence + p.payload;
        }
        CHECK(w.quiet());
        const std::uint32_t asked = reply.tcp().acknowledgment;
        const auto answer = [&](std::uint8_t field, std::uint32_t acknowledgment) {
            w.send(FakeHost::segment(ChainModel::server_address(), w.port, 80, static_cast<std::uint8_t>(ack | field),
                                     asked, acknowledgment));
        };
        answer(told, reply.tcp().sequence + 1);
        CHECK(w.quiet());
        answer(ae | ece, next);
        CHECK(ecn::capable(w.must()) == (told != 0));  // Table 4
    }
}

}  // namespace ANML_UNIT_FILE
