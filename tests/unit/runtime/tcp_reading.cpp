// Applications that read at a rate: the window that is left (RFC 9293, 3.8.6), against arithmetic.
#include <catch2/catch.hpp>
#include <algorithm>
#include <string>

#include "talk.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FakeHost;
using test::Talk;

namespace {

constexpr std::uint32_t kSegment = 1000;

// A real client that sends a body to a simulated server which reads 10 bytes in a millisecond, as the window lets it.
struct Upload {
    explicit Upload(double buffer, bool scaled = false) : talk(settings(buffer, scaled))
    {
        edge = talk.sequence + static_cast<std::uint32_t>(std::min(buffer, 65535.0));
        const std::string head = "POST /100 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n";
        talk.client.send_text(talk.segment(talk.sequence, talk.start), head, talk.model, talk.simulator.now());
        talk.sequence += static_cast<std::uint32_t>(head.size());
        begin = talk.simulator.now();
    }
    static test::TcpOptions settings(double buffer, bool scaled)
    {
        test::TcpOptions tcp;
        tcp.receive_buffer = buffer;
        tcp.read_rate = 8e4;
        tcp.window_scaling = scaled;
        tcp.delayed_ack = 40e6;
        return tcp;
    }
    // A millisecond passes. True: the window has opened.
    bool step()
    {
        talk.wait(kMillisecond);
        bool opened = false;
        for (const Packet& p : talk.heard) {
            REQUIRE(p.tcp().flags == tcp_flag::ack);
            const std::uint32_t told = p.tcp().acknowledgment + p.tcp().window;
            REQUIRE_FALSE(tcp::before(told, edge));
            if (told != edge) {
                least = std::min(least, told - edge);
                opened = true;
            }
            edge = told;
            taken = p.tcp().acknowledgment;
        }
        return opened;
    }
    void fill()
    {
        while (tcp::before(talk.sequence, edge)) {
            const std::uint32_t size = std::min(kSegment, edge - talk.sequence);
            talk.client.send_text(talk.segment(talk.sequence, talk.start), std::string(size, 'x'), talk.model,
                                  talk.simulator.now());
            talk.sequence += size;
        }
    }

    Talk talk;
    std::uint32_t edge = 0, taken = 0, least = ~0u;
    Time begin = 0;
};

}  // namespace

TEST_CASE("RFC 9293 3.8.6.2.2: the window of a slow reader never shrinks, and opens by a segment or half of the buffer",
          "[tcp]")
{
    const double buffer = GENERATE(512, 1400, 4096, 60000);
    Upload u(buffer);
    constexpr Time kLasts = 100 * kSecond;
    while (u.talk.simulator.now() < u.begin + kLasts) {
        u.step();
        u.fill();
    }
    const double all = u.taken - 101.0, read = 10.0 * static_cast<double>(kLasts / kMillisecond);
    CHECK(all <= read + buffer + 1);
    CHECK(all >= 0.99 * read);
    // The first segment, the request's head, is the largest that has come before the window moves.
    CHECK(u.least >= std::min(buffer / 2, 60.0));
}

TEST_CASE("RFC 9293 3.10.7.4: a closed window takes nothing, is told to who probes it, and takes a reset", "[tcp]")
{
    Upload u(4096);
    while (u.edge != u.taken) {
        u.step();
        u.fill();
    }
    const std::uint32_t closed = u.edge;
    u.talk.client.send_text(u.talk.segment(closed, u.talk.start), "x", u.talk.model, u.talk.simulator.now());
    u.talk.wait(5 * kMillisecond);
    REQUIRE(u.talk.heard.size() == 1);
    CHECK(u.talk.heard[0].tcp().acknowledgment == closed);
    CHECK(u.talk.heard[0].tcp().window == 0);
    CHECK(u.talk.simulator.pending().connections == 1);
    Packet reset = u.talk.segment(closed, u.talk.start);
    reset.tcp().flags = tcp_flag::rst;
    u.talk.client.send(reset, u.talk.simulator.now());
    u.talk.wait(5 * kMillisecond);
    CHECK(u.talk.simulator.pending().connections == 0);
}

TEST_CASE("a slow client takes a document in the time that it needs to read it, for any round trip and buffer", "[tcp]")
{
    test::Chain chain;
    chain.documents = {4e6};
    chain.backbone.delay = GENERATE(1e6, 3e7);
    chain.client_tcp = chain.server_tcp = test::linux_tcp();
    chain.client_tcp.receive_buffer = GENERATE(65536.0, 1048576.0);
    chain.client_tcp.read_rate = 4e6;
    test::Transaction slow(chain);
    // The last of it waits to be read; how much it is, window updates tell by and by.
    const double read = (4e6 - chain.client_tcp.receive_buffer) / 5e5;
    const double round_trip = 4 * chain.backbone.delay / 1e9 + 1e-3;
    const double took = static_cast<double>(slow.time()) / kSecond;
    CHECK(took >= read);
    CHECK(took <= read + 4 * round_trip);
}

}  // namespace ANML_UNIT_FILE
