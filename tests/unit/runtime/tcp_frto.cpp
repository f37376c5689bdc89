// Forward RTO-recovery by the steps of RFC 5682, 3.1 and 3.2: a real client without timestamps, whose acknowledgments
// are late or whose segments are lost.
#include <catch2/catch.hpp>
#include <vector>

#include "transfers.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::Download;
using test::FakeHost;
using test::kMss;

namespace {

constexpr std::uint32_t kWindow = 10;  // segments

test::TcpOptions with(bool frto)
{
    test::TcpOptions tcp = test::linux_tcp();
    tcp.frto = frto ? 1 : 0;
    return tcp;
}

// The first window is on its way, and nothing is acknowledged.
struct Late {
    explicit Late(const test::TcpOptions& tcp, std::uint8_t options = packet_flag::sack, double size = 100'000)
        : w(size, tcp, options)
    {
    }
    // Until `some` time-outs have sent something again.
    void wait_for_time_outs(int some = 1)
    {
        while (some > 0) {
            const Packet p = w.next();
            if (p.payload == 0) continue;
            some -= tcp::before(p.tcp().sequence, w.highest == 0 ? w.start : w.highest);
            w.highest =
                w.highest == 0 ? p.tcp().sequence + p.payload : tcp::later(w.highest, p.tcp().sequence + p.payload);
        }
    }
    // What an acknowledgment of so many segments has the server send.
    std::vector<Packet> acknowledge(std::uint32_t segments)
    {
        w.acknowledge(w.start + segments * kMss);
        return hear();
    }
    std::vector<Packet> hear()
    {
        w.simulator.run_until(w.simulator.now() + 20 * kMillisecond);  // a round trip is 4 ms
        std::vector<Packet> heard;
        for (; w.seen < w.client.received.size(); ++w.seen)
            if (w.client.received[w.seen].packet.payload > 0) heard.push_back(w.client.received[w.seen].packet);
        for (const Packet& p : heard) again += tcp::before(p.tcp().sequence, w.highest);
        for (const Packet& p : heard) w.highest = tcp::later(w.highest, p.tcp().sequence + p.payload);
        return heard;
    }
    std::uint32_t number(const Packet& p) const { return (p.tcp().sequence - w.start) / kMss; }

    Download w;
    int again = 0;  // segments that came again, beside the time-outs' own
};

}  // namespace

TEST_CASE("RFC 5682 3.1: if the acknowledgment behind a time-out moves on, new data is sent, two segments",
          "[tcp][frto]")
{
    for (const std::uint8_t options : {packet_flag::sack, std::uint8_t{0}}) {
        Late late(with(true), options);
        late.wait_for_time_outs();
        const std::uint32_t sent = (late.w.highest - late.w.start) / kMss;  // a window, and a probe
        const std::vector<Packet> heard = late.acknowledge(1);
        REQUIRE(heard.size() == 2);
        CHECK(late.number(heard[0]) == sent);
        CHECK(late.number(heard[1]) == sent + 1);
        CHECK(late.again == 0);

        Late without(with(false), options);
        without.wait_for_time_outs();
        CHECK(without.number(without.acknowledge(1).at(0)) == 1);
    }
}

TEST_CASE("RFC 5682 3.1: step 3 b, if the next one moves on too, the time-out was spurious, and is taken back",
          "[tcp][frto]")
{
    for (const std::uint8_t options : {packet_flag::sack, std::uint8_t{0}}) {
        Late late(with(true), options);
        late.wait_for_time_outs();
        std::uint32_t acknowledged = 0;
        for (; acknowledged < kWindow; ++acknowledged) late.acknowledge(acknowledged + 1);
        CHECK(late.again == 0);
        CHECK(late.w.retransmissions() == 1);
        // The window is what it was, and has grown by what has arrived since.
        const std::uint32_t all = (late.w.highest - late.w.start) / kMss;
        late.acknowledge(all);
        CHECK((late.w.highest - late.w.start) / kMss - all >= kWindow);
        CHECK(late.again == 0);

        // Without it all of the window comes again, most of it behind its own acknowledgment.
        Late without(with(false), options);
        without.wait_for_time_outs();
        for (acknowledged = 0; acknowledged < kWindow; ++acknowledged) without.acknowledge(acknowledged + 1);
        CHECK(without.again >= static_cast<int>(kWindow) - 2);
    }
}

TEST_CASE("RFC 5682 3.1: step 3 b, with selective acknowledgments, what was sent once may be anywhere", "[tcp][frto]")
{
    Late late(with(true));
    late.wait_for_time_outs();
    // The first two segments are lost; the third is selectively acknowledged, late.
    late.w.held.add(late.w.start + 2 * kMss, late.w.start + 3 * kMss);
    late.w.latest = late.w.start + 2 * kMss;
    late.acknowledge(0);
    // The window is what it was, less what recovery takes: more than a segment may be under way.
    late.w.held.add(late.w.start + 3 * kMss, late.w.start + 10 * kMss);
    late.acknowledge(0);
    CHECK(late.w.highest - late.w.start > (kWindow + 2) * kMss);
}

TEST_CASE(
    "RFC 5682 3.1: step 3 a, where the new data alone arrives, the loss was real, and all of it is sent again once",
    "[tcp][frto]")
{
    for (const std::uint8_t options : {packet_flag::sack, std::uint8_t{0}}) {
        Download w(100'000, with(true), options);
        std::multiset<std::uint32_t> lost;
        for (std::uint32_t i = 0; i <= kWindow; ++i) lost.insert(i);  // and the probe, or the first of the new data
        w.fetch(lost);
        CAPTURE(int{options});
        CHECK(w.retransmissions() == kWindow + 1);
    }
}

TEST_CASE("RFC 5682 3.1: step 2 b, without new data recovery is the conventional one", "[tcp][frto]")
{
    Late late(with(true), 0, 9500);  // and the response's header: ten segments
    late.wait_for_time_outs();
    const std::vector<Packet> heard = late.acknowledge(1);
    REQUIRE(heard.size() == 2);
    CHECK(late.number(heard[0]) == 1);
    CHECK(late.number(heard[1]) == 2);
}

TEST_CASE("RFC 5682 3.2: of time-outs in a row the last one is found to be spurious, too", "[tcp][frto]")
{
    Late late(with(true));
    late.wait_for_time_outs(3);
    for (std::uint32_t i = 1; i <= kWindow; ++i) late.acknowledge(i);
    CHECK(late.again == 0);
    CHECK(late.w.retransmissions() == 3);
}

TEST_CASE("RFC 5682 3.1: no time-out within a recovery is taken back", "[tcp][frto]")
{
    // The retransmission of a fast recovery is lost, and nothing tells: what the time-out sends again is acknowledged
    // with all that was sent behind it, which says nothing of the time-out.
    Late late(with(true), 0);
    late.hear();
    for (int i = 0; i < 3; ++i) late.acknowledge(0);
    REQUIRE(late.w.retransmissions() == 1);
    late.wait_for_time_outs();
    const std::vector<Packet> heard = late.acknowledge(2);
    REQUIRE(!heard.empty());
    CHECK(late.number(heard[0]) == 2);
}

}  // namespace ANML_UNIT_FILE
