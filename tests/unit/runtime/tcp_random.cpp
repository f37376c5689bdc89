// Anything may arrive: random segments, near enough to the connections to hit every state, break nothing and leave
// nothing behind.
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "../tier.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/node/icmp_messages.h"
#include "simulator/statistics.h"
#include "transport/options/tcp_options.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;

TEST_CASE("random segments to the simulated server and to virtual clients", "[tcp]")
{
    auto seed = GENERATE(range(1u, 17u));
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto pick = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };

    test::Chain chain;
    chain.peer = true;
    chain.hosts = 3;
    chain.documents = {30000};
    chain.close = seed % 2 ? test::CloseMode::at_once : test::CloseMode::after_ack;
    chain.think = {abi::DistributionKind::constant, 20e6, 0};
    chain.workers = 1;
    const bool options = seed > 8;  // of which the speaker makes nonsense
    if (options)
        for (test::TcpOptions* tcp : {&chain.client_tcp, &chain.server_tcp}) {
            tcp->receive_buffer = 1 << 20;
            tcp->window_scaling = tcp->sack = tcp->timestamps = 1;
        }
    bool to_clients = seed % 4 < 2;  // the endpoint `server` is real then, and talks nonsense
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, seed);
    FakeHost peer(simulator, 1, ChainModel::peer_address());
    std::optional<FakeHost> server;
    if (to_clients) server.emplace(simulator, 0, ChainModel::server_address());
    FakeHost& speaker = to_clients ? *server : peer;
    simulator.start_workloads(0, 0, 1000 * kSecond);

    constexpr std::string_view kTexts[] = {
        "GET /30000 HTTP/1.0\r\n\r\n", "GET ", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1", "\n\n", "x"};
    Packet last;  // what was heard last
    for (int i = 0; i < static_cast<int>(anml::testing::rounds(20000)); ++i) {
        simulator.run_until(simulator.now() + pick(500000));
        if (i % 5000 == 4999) simulator.run_until(simulator.now() + 5 * kSecond);
        if (!speaker.received.empty() && pick(4) == 0)
            last =
                speaker
                    .received[speaker.received.size() - 1 - pick(std::min<std::uint32_t>(5, speaker.received.size()))]
                    .packet;
        Packet p =
            FakeHost::segment(ChainModel::server_address(), static_cast<std::uint16_t>(1024 + pick(20)), 80, 0, 0, 0);
        p.tcp().flags = static_cast<std::uint8_t>(pick(3) == 0 ? pick(32) : tcp_flag::ack);
        p.tcp().window = static_cast<std::uint16_t>(pick(3) == 0 ? pick(3000) : 65535);
        if (last.protocol == protocol::tcp && pick(8) != 0) {
            p.destination = last.source;
            p.source_port = last.destination_port;
            p.destination_port = last.source_port;
            p.tcp().sequence = last.tcp().acknowledgment + pick(4) * 100;
            p.tcp().acknowledgment =
                last.tcp().sequence + last.payload + ((last.tcp().flags & 3) ? 1 : 0) - pick(3) * pick(500);
        } else if (to_clients) {
            p.destination = ChainModel::client_address(0, pick(3));
            std::swap(p.source_port, p.destination_port);
        }
        if (p.tcp().flags & tcp_flag::syn) {
            p.tcp_syn().mss = static_cast<std::uint16_t>(pick(2) ? 1 + pick(1460) : 0);
            p.length += 4;
        }
        // Blocks of what was never sent, of what was acknowledged, overlapping, empty, backwards; stamps of any time.
        if (options && pick(2)) {
            if (p.tcp().flags & tcp_flag::syn) {
                p.flags |= packet_flag::sack;
                tcp_options::set_window_scale(p, static_cast<std::uint8_t>(pick(256)));
            } else {
                for (std::uint32_t blocks = pick(3); blocks > 0; --blocks) {
                    const std::uint32_t begin = p.tcp().acknowledgment + pick(40) * 500 - 5000;
                    tcp_options::add_block(p, {begin, begin + (pick(4) ? pick(3000) : pick(~0u))});
                }
            }
            const std::uint32_t stamp = last.protocol == protocol::tcp ? last.tcp().timestamp : 0;
            if (pick(2)) tcp_options::set_timestamps(p, pick(~0u), pick(2) ? pick(~0u) : stamp);
            if (pick(4) == 0) p.tcp().window = 0;
            p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        }
        if (!(p.tcp().flags & tcp_flag::syn) && p.length == 40 && pick(2))
            speaker.send_text(p, kTexts[pick(std::size(kTexts))], model, simulator.now());
        else
            speaker.send(p, simulator.now());
        if (pick(50) == 0) {
            Packet error;
            if (!speaker.received.empty() &&
                wire::make_icmp_error(speaker.received.back().packet, ChainModel::gateway_address(0), 3, pick(5),
                                      100 + pick(1400), model, simulator.buffers(), error))
                simulator.inject(to_clients ? 0 : 1, error, simulator.now());
        }
        speaker.received.erase(
            speaker.received.begin(),
            speaker.received.end() - std::min<std::ptrdiff_t>(5, static_cast<std::ptrdiff_t>(speaker.received.size())));
    }
    simulator.run_until(simulator.now() + 400 * kSecond);
    // Silence at last, but for the clients, which go on: against a dumb server one connection each.
    Simulator::Pending pending = simulator.pending();
    CHECK(pending.buffers == 0);
    CHECK(pending.connections <= 12);
    CHECK(pending.packets <= 60);
    const WorkloadStatistics& result = simulator.statistics().workloads[0];
    CHECK(result.in_progress <= 3);
    if (!to_clients) CHECK(result.completed > 1000);
}

}  // namespace ANML_UNIT_FILE
