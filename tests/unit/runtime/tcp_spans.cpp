// What a connection carries is a queue of spans: contents by reference and real bytes, sent again and again, and what
// is shown of them where segments come before their turn.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "app/cluster.h"
#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/crossing.h"
#include "net/packet/real_bytes.h"
#include "net/timeline/timeline.h"
#include "simulator/run_events.h"
#include "simulator/statistics.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/reassembly_queue.h"
#include "transport/tcp.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint16_t kClientPort = 40000, kMss = 1000;
constexpr std::uint32_t kIsn = 5000;

Bytes text(std::size_t size, unsigned seed)
{
    std::mt19937 random(seed);
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

// A real client that has a connection to the simulated server, whose TCP the test uses itself: the server never sees
// the end of a request, and answers nothing. The client loses segments by their number, counted from 1.
class Talk : public Edge {
  public:
    explicit Talk(const test::TcpOptions& tcp, std::uint8_t options)
        : built_(chain(tcp)),
          model(built_.model()),
          timeline_(model),
          network_(model, timeline_),
          ports_(model),
          k(model, 1, 0, network_, ports_),
          options_(options)
    {
        network_.edges[1] = this;
        Packet syn = segment(tcp_flag::syn, 0);
        syn.tcp().sequence = kIsn;
        syn.tcp_syn().mss = kMss;
        syn.flags |= options;
        syn.length = static_cast<std::uint16_t>(40 + tcp_options::length(syn));
        inject(syn);
        run();
        REQUIRE(k.tcp.open == 1);
        REQUIRE(connection().state == tcp::State::established);
    }
    tcp::Connection& connection() { return k.tcp.connections[0]; }
    // Until nothing is about to happen but the server's giving up.
    void run()
    {
        while (k.next_time() < k.now + 20 * kSecond) run_events(k, k.next_time());
    }
    // So many bytes more of a request line that does not end.
    void ask(std::size_t size)
    {
        std::string line = sent_ == kIsn + 1 ? "GET /" : "";
        line.resize(size, 'a');
        Packet p = segment(tcp_flag::ack, reached_);
        p.payload = static_cast<std::uint16_t>(size);
        p.length = static_cast<std::uint16_t>(p.length + size);
        wire::carry(p, {reinterpret_cast<const std::uint8_t*>(line.data()), line.size()}, model, k.buffers);
        sent_ += static_cast<std::uint32_t>(size);
        inject(p);
        run();
    }
    // All that has come in order.
    Bytes stream() const { return {stream_.begin(), stream_.begin() + (reached_ - start_)}; }
    void lose(std::multiset<std::uint32_t> numbers) { lost_ = std::move(numbers); }
    std::uint32_t segments() const { return number_; }
    bool fin() const { return fin_; }

    void release(std::uint32_t, const Packet& packet, Time) override
    {
        Bytes bytes(packet.length);
        wire::emit(packet, model, k.buffers, bytes);
        Packet parsed;
        REQUIRE(wire::parse(bytes, true, parsed) == wire::ParseError::none);  // checksums are right
        if (packet.tcp().flags & tcp_flag::syn) {
            start_ = reached_ = packet.tcp().sequence + 1;
            acknowledge();
            return;
        }
        if (packet.payload == 0 && !(packet.tcp().flags & tcp_flag::fin)) return;
        if (lost_.erase(++number_) > 0) return;
        const std::size_t at = packet.tcp().sequence - start_;
        if (stream_.size() < at + packet.payload) stream_.resize(at + packet.payload);
        std::copy(bytes.end() - packet.payload, bytes.end(), stream_.begin() + static_cast<std::ptrdiff_t>(at));
        if (packet.payload > 0) held_.add(packet.tcp().sequence, packet.tcp().sequence + packet.payload);
        if (held_.count > 0 && held_[0].begin == reached_) reached_ = held_[0].end;
        held_.trim(reached_);
        fin_ |= (packet.tcp().flags & tcp_flag::fin) && packet.tcp().sequence + packet.payload == reached_;
        acknowledge();
    }

  private:
    static test::Chain chain(const test::TcpOptions& tcp)
    {
        test::Chain chain;
        chain.peer = true;
        chain.server_tcp = tcp;
        chain.backbone.queue = 4 << 20;
        return chain;
    }
    Packet segment(std::uint8_t flags, std::uint32_t acknowledgment)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), kClientPort, 80, flags, sent_, acknowledgment);
        p.source = ChainModel::peer_address();
        return p;
    }
    void acknowledge()
    {
        Packet p = segment(tcp_flag::ack, reached_ + fin_);
        for (std::uint32_t i = held_.count; options_ & packet_flag::sack && i-- > 0;)
            tcp_options::add_block(p, {held_[i].begin, held_[i].end});
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        inject(p);
    }
    void inject(const Packet& packet)
    {
        const PacketId id = k.packets.allocate();
        k.packets[id] = packet;
        k.schedule(k.image.endpoints[1].node, k.now, timer_kind::injected, id);
    }

    ChainModel built_;

  public:
    Model model;

  private:
    Timeline timeline_;
    NetworkState network_;
    OpenPorts ports_;

  public:
    Cluster k;

  private:
    std::uint8_t options_;
    std::uint32_t sent_ = kIsn + 1, start_ = 0, reached_ = 0, number_ = 0;
    bool fin_ = false;
    tcp::RangeSet held_;
    std::multiset<std::uint32_t> lost_;
    Bytes stream_;
};

void append(Bytes& all, const Model& model, const tcp::Span& span)
{
    Bytes bytes(span.length);
    content::produce(model, span.content, span.offset, bytes);
    all.insert(all.end(), bytes.begin(), bytes.end());
}

// Two requests and their responses on one connection: each response is content, real bytes and content, which are sent
// while what was before is under way.
void converse(const test::TcpOptions& tcp, std::uint8_t options, const std::multiset<std::uint32_t>& lost)
{
    Talk talk(tcp, options);
    talk.lose(lost);
    Bytes expected;
    std::uint64_t asked = 0;
    for (unsigned round = 0; round < 2; ++round) {
        talk.ask(300 + round);
        asked += 300 + round;
        REQUIRE(talk.connection().received == asked);
        const tcp::Span head{.content = content::response(0), .offset = 3 * round, .length = 700};
        const Bytes real = text(20'011 + round, round);
        const tcp::Span tail{.content = content::response(0), .offset = 1000, .length = 40'000};
        tcp::send(talk.k, 0, head, false);
        tcp::send_bytes(talk.k, 0, real, false);
        tcp::send(talk.k, 0, tail, round == 1);
        append(expected, talk.model, head);
        expected.insert(expected.end(), real.begin(), real.end());
        append(expected, talk.model, tail);
        talk.run();
        CHECK(talk.stream() == expected);
        CHECK(talk.connection().all_acknowledged());
        CHECK_FALSE(talk.connection().queued);  // nothing is kept of what has arrived
        CHECK(talk.k.tcp.span_queues.in_use() == 0);
        CHECK(talk.k.buffers.in_use() == 0);
    }
    CHECK(talk.fin());
    tcp::abort(talk.k, 0);
    CHECK(talk.k.tcp.scoreboards.in_use() == 0);
}

}  // namespace

TEST_CASE("a connection sends spans one after another, and every byte arrives, whatever is lost", "[tcp]")
{
    for (const bool modern : {false, true}) {
        const test::TcpOptions tcp = modern ? test::linux_tcp() : test::TcpOptions{};
        const std::uint8_t options = modern ? packet_flag::sack : std::uint8_t{0};
        converse(tcp, options, {});
        converse(tcp, options, {1});
        converse(tcp, options, {2, 3, 4, 9, 22, 23, 24});
        converse(tcp, options, {60, 61, 62, 63, 64});  // the end of the first response
        converse(tcp, options, {5, 5, 6, 30, 31, 70, 80, 90, 91, 92, 120});
    }
}

TEST_CASE("a single span is kept in the connection itself, from any offset", "[tcp]")
{
    Talk talk(test::linux_tcp(), packet_flag::sack);
    Bytes expected;
    for (std::uint64_t offset : {0ull, 5ull, 1ull << 33}) {
        const tcp::Span span{.content = content::response(0), .offset = offset, .length = 5000};
        tcp::send(talk.k, 0, span, false);
        CHECK_FALSE(talk.connection().queued);
        append(expected, talk.model, span);
        talk.run();
    }
    CHECK(talk.stream() == expected);
    CHECK(talk.k.tcp.span_queues.size() == 0);
}

TEST_CASE("a connection that is given up gives its spans back", "[tcp]")
{
    Talk talk(test::linux_tcp(), packet_flag::sack);
    tcp::send_bytes(talk.k, 0, text(100'000, 7), false);
    tcp::send(talk.k, 0, {.length = 100'000}, true);
    CHECK(talk.connection().queued);
    CHECK(talk.k.buffers.in_use() > 0);
    tcp::abort(talk.k, 0);
    talk.run();
    CHECK(talk.k.buffers.in_use() == 0);
    CHECK(talk.k.tcp.span_queues.in_use() == 0);
}

TEST_CASE("RFC 5681 4.1: behind a pause the window begins again, as Linux's does", "[tcp]")
{
    Talk talk(test::linux_tcp(), packet_flag::sack);
    tcp::send(talk.k, 0, {.length = 400'000}, false);
    talk.run();
    const std::uint32_t grown = talk.connection().cwnd;
    REQUIRE(grown > 60 * kMss);
    const Time rto = Time{talk.connection().rto} * kMicrosecond;
    const auto sent_at = [&] { return Time{talk.connection().timed_at} * kMicrosecond; };
    talk.k.now = sent_at() + 2 * rto + rto / 2;
    tcp::send(talk.k, 0, {.length = 1000}, false);
    CHECK(talk.connection().cwnd == grown / 4);
    CHECK(talk.connection().ssthresh >= grown / 4 * 3);
    talk.run();
    talk.k.now = sent_at() + 100 * rto;
    tcp::send(talk.k, 0, {.length = 1000}, false);
    CHECK(talk.connection().cwnd == 10 * kMss);
}

TEST_CASE("what is sent again ends a pause, too, as Linux's lsndtime has it", "[tcp]")
{
    Talk talk(test::linux_tcp(), packet_flag::sack);
    tcp::send(talk.k, 0, {.length = 400'000}, false);
    talk.run();
    tcp::Connection& c = talk.connection();
    c.timing = false;
    talk.k.now = Time{c.timed_at} * kMicrosecond + 100 * Time{c.rto} * kMicrosecond;
    c.una -= kMss;  // of a segment that is under way for long
    tcp::send_data(talk.k, c, c.una, kMss, false);
    c.una = c.max;
    const std::uint32_t window = c.cwnd;
    tcp::send(talk.k, 0, {.length = 1000}, false);
    CHECK(talk.connection().cwnd == window);
}

TEST_CASE("pieces that come before their turn are shown in order, each byte once", "[tcp]")
{
    // A stream of contents and real bytes in turn; pieces of it in any order, some more than once, and overlapping.
    constexpr std::uint32_t kLength = 30'000, kEach = 1700, kBase = 0xfffff000;  // the numbers wrap
    const Bytes stream = text(kLength, 1);
    const auto real_at = [](std::uint32_t at) { return at / kEach % 2 == 1; };
    std::mt19937 random(2);
    for (int round = 0; round < 20; ++round) {
        tcp::ReassemblyQueue held, shown, spare;
        std::uint32_t next = 0;
        Bytes got;
        const auto take = [&](const tcp::Piece& piece, std::uint32_t at) {
            REQUIRE(at == got.size());
            for (std::uint32_t i = 0; i < piece.length; ++i) {
                REQUIRE(piece.real == real_at(at + i));
                if (!piece.real) REQUIRE(piece.offset + i == at + i);  // a content's byte is its offset
                got.push_back(piece.real ? piece.bytes[i] : stream[at + i]);
            }
        };
        while (next < kLength) {
            const std::uint32_t begin = random() % 4 == 0 ? next : static_cast<std::uint32_t>(random() % kLength);
            const std::uint32_t border = (begin / kEach + 1) * kEach;
            const std::uint32_t end =
                std::min({static_cast<std::uint32_t>(begin + 1 + random() % 900), border, kLength});
            tcp::Piece piece{7, begin, end - begin, real_at(begin), {}};
            if (piece.real) {
                piece.content = 0;
                piece.bytes = std::span(stream).subspan(begin, end - begin);
            }
            if (begin > next) {
                held.add(kBase + begin, kBase + end, piece);
                continue;
            }
            if (end <= next) continue;
            piece.offset += next - begin;
            piece.length = end - next;
            if (piece.real) piece.bytes = piece.bytes.subspan(next - begin);
            take(piece, next);
            next = end;
            // As far as the pieces reach without a gap.
            std::uint32_t reached = next;
            for (const auto& each : held.all())
                if (each.begin - kBase <= reached) reached = std::max(reached, each.end - kBase);
            held.take(kBase + reached, shown, spare);
            for (const auto& each : shown.all()) {
                if (each.end - kBase <= next) continue;
                const std::uint32_t from = std::max(each.begin - kBase, next);
                take(shown.piece(each, kBase + from), from);
                next = each.end - kBase;
            }
            shown.clear();
            REQUIRE(next == reached);
        }
        CHECK(got == stream);
        CHECK(held.empty());
    }
}

TEST_CASE("a segment with real bytes crosses between tasks", "[tcp]")
{
    bool waiting = false;
    BufferPool buffers;
    Outbox outbox(waiting);
    Packet packet;
    Event event{};
    // More than the ring has room for, small and large in turn.
    std::vector<Bytes> sent;
    for (unsigned i = 0; i < 2 * Outbox::kRoom; ++i) {
        sent.push_back(text(i % 2 ? 1500 : 60, i));
        packet.buffer = buffers.store(sent.back());
        outbox.send(event, packet, buffers);
        buffers.release(packet.buffer);
    }
    CHECK(waiting);
    std::size_t taken = 0;
    while (taken < sent.size()) {
        outbox.flush();
        outbox.channel.advance(static_cast<Time>(taken) + 1);
        outbox.drain([&](const Crossing&, std::span<const std::uint8_t> bytes) {
            REQUIRE(std::equal(bytes.begin(), bytes.end(), sent[taken].begin(), sent[taken].end()));
            ++taken;
        });
    }
}

}  // namespace ANML_UNIT_FILE
