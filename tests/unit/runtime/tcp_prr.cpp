// Proportional rate reduction by RFC 6937, section 3, and its examples, section 4: twenty segments are under way, some
// of which are lost, and a real client acknowledges each that arrives.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "transfers.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::Download;
using test::kMss;

namespace {

constexpr std::uint32_t kFlight = 20;  // segments, of which half may be under way behind a loss

test::TcpOptions reno(bool adaptive)
{
    test::TcpOptions tcp = test::linux_tcp();
    tcp.initial_window = kFlight;
    tcp.adaptive = adaptive ? 1 : 0;
    tcp.timestamps = 0;
    return tcp;
}

// What each acknowledgment has the server send, in segments: of those that arrive of the first flight without `lost`.
struct Recovery {
    Recovery(const test::TcpOptions& tcp, std::uint32_t first_lost, std::uint32_t lost)
        : w(400'000, tcp, packet_flag::sack)
    {
        hear();
        for (std::uint32_t i = 0; i < kFlight; ++i)
            if (i < first_lost || i >= first_lost + lost) arrive(i);
    }
    void hear()
    {
        w.simulator.run_until(w.simulator.now() + 6 * kMillisecond);  // a round trip is 4 ms
        int now = 0, now_again = 0;
        for (; w.seen < w.client.received.size(); ++w.seen) {
            const Packet& p = w.client.received[w.seen].packet;
            if (p.payload == 0) continue;
            ++now;
            const std::uint32_t number = (p.tcp().sequence - w.start) / kMss;
            now_again += number < next;
            next = std::max(next, number + 1);
            came.push_back(number);
        }
        sent.push_back(now);
        again.push_back(now_again);
    }
    // Acknowledges segment `number` at once, with all before it that are there.
    void arrive(std::uint32_t number)
    {
        w.latest = w.start + number * kMss;
        w.held.add(w.latest, w.latest + kMss);
        if (w.held[0].begin == w.start + in_order * kMss) in_order = (w.held[0].end - w.start) / kMss;
        w.held.trim(w.start + in_order * kMss);
        w.acknowledge(w.start + in_order * kMss);
        hear();
    }
    int all(std::size_t from = 1) const
    {
        return std::accumulate(sent.begin() + static_cast<long>(from), sent.end(), 0);
    }

    Download w;
    std::vector<int> sent, again;     // behind each acknowledgment; the first is the flight
    std::vector<std::uint32_t> came;  // segments, in their order
    std::uint32_t next = 0, in_order = 0;
};

}  // namespace

TEST_CASE("RFC 6937 4: of one loss in twenty, one segment is sent for every other acknowledgment", "[tcp][prr]")
{
    const Recovery r(reno(false), 0, 1);
    // Limited transmit, twice; the retransmission; one for each two that have arrived, when both have: what is sent is
    // not more than `sndcnt`, in bytes (RFC 6937, 3); and until ten segments are under way.
    CHECK(std::vector<int>(r.sent.begin(), r.sent.end()) ==
          std::vector<int>{20, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1});
    CHECK(std::accumulate(r.again.begin(), r.again.end(), 0) == 1);
}

TEST_CASE("RFC 6675 4: three ranges behind a segment say that it is lost, two small ones do not", "[tcp][prr]")
{
    Recovery r(reno(false), 0, kFlight);
    r.arrive(1);
    r.arrive(3);
    CAPTURE(r.sent);
    CHECK(r.again.back() == 0);
    r.arrive(5);
    CHECK(r.again.back() > 0);
}

TEST_CASE("RFC 6675 4: blocks of what was not sent say nothing", "[tcp][prr]")
{
    for (const auto& blocks : {std::vector{100u, 102u, 104u}, std::vector{kFlight - 3u, kFlight - 1u}}) {
        Recovery r(reno(false), 0, kFlight);
        // Of two within the flight, the second ends far behind it.
        const bool within = blocks.size() == 2;
        for (const std::uint32_t i : blocks)
            r.w.held.add(r.w.start + i * kMss, r.w.start + (within && i == blocks.back() ? 60 : i + 1) * kMss);
        r.w.latest = r.w.start + blocks.back() * kMss;
        r.w.acknowledge(r.w.start);
        r.hear();
        CAPTURE(r.sent, within);
        CHECK(r.again.back() == 0);
    }
}

TEST_CASE("RFC 6937 3: at the end of a recovery as much is under way as the window law says", "[tcp][prr]")
{
    for (const bool adaptive : {false, true}) {
        Recovery r(reno(adaptive), 0, 1);
        // All of the flight but one has arrived: what is under way was sent since.
        CAPTURE(adaptive, r.sent);
        CHECK(r.all() >= 9);
        CHECK(r.all() <= 11);
    }
}

TEST_CASE("RFC 6937 3.1: PRR-SSRB lets a segment more leave than has arrived, as in slow start", "[tcp][prr]")
{
    // Fifteen of twenty are lost, so that far less is under way than the window may be.
    const Recovery r(reno(false), 0, 15);
    CAPTURE(r.sent);
    // The first retransmission is one of them.
    CHECK(std::vector<int>(r.sent.begin() + 3, r.sent.end()) == std::vector<int>{2, 2, 2});
}

TEST_CASE("RFC 6937 3: of what has arrived when a recovery begins the first retransmission is a part", "[tcp][prr]")
{
    for (const bool adaptive : {false, true}) {
        Recovery r(reno(adaptive), 0, kFlight);
        for (const std::uint32_t i : {15u, 16u}) r.w.held.add(r.w.start + i * kMss, r.w.start + (i + 1) * kMss);
        r.arrive(17);  // and tells of these two
        CAPTURE(adaptive, r.sent);
        CHECK(r.sent.back() == (adaptive ? 3 : 4));  // the one more is PRR-SSRB's
        CHECK(r.again.back() == r.sent.back());
    }
}

TEST_CASE("RFC 6937 3.1: PRR-CRB lets as much leave as has arrived", "[tcp][prr]")
{
    // Linux's choice while nothing in order arrives: then a loss may follow a loss.
    const Recovery r(reno(true), 0, 15);
    CAPTURE(r.sent);
    CHECK(std::vector<int>(r.sent.begin() + 3, r.sent.end()) == std::vector<int>{1, 1, 1});
}

TEST_CASE("RFC 6937 3.1: with good progress in order Linux's bound is that of slow start", "[tcp][prr]")
{
    Recovery r(reno(true), 0, 15);
    // What was sent again arrives, in order.
    const std::size_t before = r.sent.size();
    for (std::uint32_t i = 0; i < 3; ++i) r.arrive(i);
    CAPTURE(r.sent);
    for (std::size_t i = before; i < r.sent.size(); ++i) CHECK(r.sent[i] == 2);
}

}  // namespace ANML_UNIT_FILE
