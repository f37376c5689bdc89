// A real client that talks to the simulated server segment by segment, for the tests of TCP's rules.
#pragma once

#include <string>
#include <vector>

#include "transfers.h"

namespace anml::test {

// It acknowledges what the test has it acknowledge.
struct Talk {
    // `stamp`: the SYN has timestamps, from there on; 0: it has none.
    explicit Talk(const TcpOptions& tcp, double size = 100, std::uint32_t stamp = 0)
        : Talk(stamp, Download::chain(size, tcp))
    {
    }
    Talk(std::uint32_t stamp, const Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), client(simulator, 1, ChainModel::peer_address())
    {
        Packet syn = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::syn, 100, 0);
        if (stamp != 0) tcp_options::set_timestamps(syn, stamp, 0);
        syn.length = static_cast<std::uint16_t>(40 + tcp_options::length(syn));
        client.send(syn, 0);
        wait(100 * kMillisecond);
        start = heard.at(0).tcp().sequence + 1;
        say(start);
        wait(100 * kMillisecond);
    }
    Packet segment(std::uint32_t from, std::uint32_t acknowledgment) const
    {
        return FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::ack, from, acknowledgment);
    }
    void say(std::uint32_t acknowledgment) { client.send(segment(sequence, acknowledgment), simulator.now()); }
    void ask(const std::string& path = "100")
    {
        const std::string request = "GET /" + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
        client.send_text(segment(sequence, start), request, model, simulator.now());
        sequence += static_cast<std::uint32_t>(request.size());
    }
    // What comes meanwhile goes to `heard`, and its times to `at`.
    void wait(Time time)
    {
        simulator.run_until(simulator.now() + time);
        heard.clear();
        at.clear();
        for (; seen < client.received.size(); ++seen) {
            heard.push_back(client.received[seen].packet);
            at.push_back(client.received[seen].at);
        }
    }
    std::uint32_t data() const
    {
        std::uint32_t bytes = 0;
        for (const Packet& p : heard) bytes += p.payload;
        return bytes;
    }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    std::vector<Packet> heard;
    std::vector<Time> at;
    std::size_t seen = 0;
    std::uint32_t start = 0, sequence = 101;
};

}  // namespace anml::test
