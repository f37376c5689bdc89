// Nagle's algorithm: the simulated server answers a real client that asks twice at once, and acknowledges when the test
// says so.
#include <algorithm>
#include <catch2/catch.hpp>

#include "talk.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::Talk;

namespace {

test::TcpOptions with_nagle(double nagle)
{
    test::TcpOptions tcp = test::linux_tcp();
    tcp.nagle = nagle;
    return tcp;
}

std::size_t segments(const Talk& talk)
{
    return static_cast<std::size_t>(
        std::count_if(talk.heard.begin(), talk.heard.end(), [](const Packet& p) { return p.payload > 0; }));
}

constexpr std::uint16_t kMss = 536;  // no option

}  // namespace

TEST_CASE("RFC 9293 3.7.4: a small segment waits until the small one before it is acknowledged", "[tcp]")
{
    for (const double nagle : {0.0, 1.0}) {
        CAPTURE(nagle);
        Talk talk(with_nagle(nagle));
        talk.ask();
        talk.ask();
        talk.wait(100 * kMillisecond);
        REQUIRE(segments(talk) == (nagle == 0 ? 2 : 1));
        const std::uint32_t first = talk.data() / static_cast<std::uint32_t>(segments(talk));
        talk.say(talk.start + first);
        talk.wait(100 * kMillisecond);
        CHECK(talk.data() == (nagle == 0 ? 0 : first));
    }
}

TEST_CASE("RFC 9293 3.7.4: small writes that have waited leave together", "[tcp]")
{
    Talk talk(with_nagle(1));
    for (int i = 0; i < 3; ++i) talk.ask();
    talk.wait(100 * kMillisecond);
    REQUIRE(segments(talk) == 1);
    const std::uint32_t first = talk.data();
    talk.say(talk.start + first);
    talk.wait(5 * kMillisecond);
    CHECK(talk.data() == 2 * first);
}

TEST_CASE("RFC 9293 3.10.7.4: what an acknowledgment lets go acknowledges what comes with it", "[tcp]")
{
    Talk talk(with_nagle(1));
    talk.ask();
    talk.ask();
    talk.wait(100 * kMillisecond);
    const std::uint32_t first = talk.data();
    talk.start += first;  // the third request acknowledges the first response, and lets the second go
    talk.ask();
    talk.wait(5 * kMillisecond);
    REQUIRE(segments(talk) >= 1);
    CHECK(talk.heard.front().payload > 0);
    CHECK(talk.heard.front().tcp().acknowledgment == talk.sequence);
    CHECK(std::none_of(talk.heard.begin(), talk.heard.end(), [](const Packet& p) { return p.payload == 0; }));
}

TEST_CASE("RFC 9293 3.7.4: full segments never wait, and as Minshall has it the end of a large write does not either",
          "[tcp]")
{
    Talk talk(with_nagle(1), 2000);
    talk.ask("2000");
    talk.wait(100 * kMillisecond);
    const std::uint32_t full = talk.data() / kMss * kMss;
    REQUIRE(segments(talk) == full / kMss + 1);
    CHECK(talk.heard.back().payload < kMss);
    // Of the next response the full segments leave, and its end waits for the end of the first.
    const std::uint32_t first = talk.data();
    talk.ask("2000");
    talk.wait(100 * kMillisecond);
    CHECK(talk.data() == full);
    // All but the small one are acknowledged.
    talk.say(talk.start + full);
    talk.wait(50 * kMillisecond);
    CHECK(talk.data() == 0);
    talk.say(talk.start + first);
    talk.wait(50 * kMillisecond);
    CHECK(talk.data() == first - full);
}

TEST_CASE("RFC 9293 3.7.4: what is sent again does not wait, nor what a FIN follows", "[tcp]")
{
    test::Chain chain = test::Download::chain(100, with_nagle(1));
    chain.close = test::CloseMode::at_once;
    Talk talk(0, chain);
    talk.ask();
    talk.wait(100 * kMillisecond);
    const std::uint32_t first = talk.data();
    REQUIRE(first > 0);
    talk.wait(2 * kSecond);  // nobody acknowledges it
    CHECK(talk.data() >= first);
    talk.say(talk.start + first);
    talk.wait(100 * kMillisecond);
    talk.ask();
    talk.wait(100 * kMillisecond);
    CHECK(talk.data() == first);
    // A response that ends the connection, while the one before is under way.
    const std::string last = "GET /100 HTTP/1.0\r\n\r\n";
    talk.client.send_text(talk.segment(talk.sequence, talk.start + first), last, talk.model, talk.simulator.now());
    talk.wait(100 * kMillisecond);
    REQUIRE(segments(talk) == 1);
    CHECK((talk.heard.back().tcp().flags & tcp_flag::fin) != 0);
}

}  // namespace ANML_UNIT_FILE
