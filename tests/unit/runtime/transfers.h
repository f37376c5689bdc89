// Transfers for the tests of TCP: a scripted client that loses segments, and a whole transaction of a virtual one.
#pragma once

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "simulator/statistics.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/range_set.h"

namespace anml::test {

using namespace anml::rt;

inline constexpr std::uint16_t kMss = 1000, kPort = 40000;

// A real client that fetches a document from the simulated server. It loses the segments that it is told to, the first
// time, and acknowledges every other one at once.
struct Download {
    // `opening`: what the SYN says besides.
    Download(double size, const test::TcpOptions& tcp, std::uint8_t options, std::uint8_t opening = 0)
        : built(chain(size, tcp)),
          model(built.model()),
          simulator(model, 1),
          client(simulator, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
        Packet syn = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::syn | opening, 5000, 0);
        syn.tcp_syn().mss = kMss;
        syn.flags |= options;
        if (options & packet_flag::timestamps) tcp_options::set_timestamps(syn, 77, 0);
        syn.length = static_cast<std::uint16_t>(40 + tcp_options::length(syn));
        client.send(syn, 0);
        reply = next();
        start = reply.tcp().sequence + 1;
        if (opening & tcp_flag::ae) says = tcp_flag::cwr;  // the SYN/ACK was not ECT (RFC 9768, 3.2.2.1)
        acknowledge(start);
        const std::string request = "GET /" + std::to_string(static_cast<int>(size)) + " HTTP/1.0\r\n\r\n";
        client.send_text(FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::ack, 5001, start),
                         request, model, simulator.now());
        asked += static_cast<std::uint32_t>(request.size());
        next();  // its acknowledgment
    }
    static test::Chain chain(double size, const test::TcpOptions& tcp)
    {
        test::Chain chain;
        chain.peer = true;
        chain.documents = {size};
        chain.service = {};
        chain.backbone.queue = 4 << 20;
        chain.server_tcp = tcp;
        return chain;
    }
    Packet next()
    {
        while (seen == client.received.size()) simulator.run_until(simulator.next_event());
        return client.received[seen++].packet;
    }
    void acknowledge(std::uint32_t sequence)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), kPort, 80, tcp_flag::ack | says, asked, sequence);
        const auto report = [&](std::uint32_t i) {
            if (reply.flags & packet_flag::sack) tcp_options::add_block(p, {held[i].begin, held[i].end});
        };
        // The range that changed last comes first (RFC 2018, section 4).
        const std::uint32_t first = held.count > 0 && held.holds(latest) ? held.find(latest) : held.count;
        if (first < held.count) report(first);
        for (std::uint32_t i = held.count; i-- > 0;)
            if (i != first) report(i);
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        client.send(p, simulator.now());
    }
    // Loses segments by their number, each as often as it is listed; the time until all has arrived.
    Time fetch(std::multiset<std::uint32_t> lost)
    {
        Time begin = simulator.now();
        std::uint32_t in_order = highest = start;
        const auto end = start + static_cast<std::uint32_t>(content::length(model, content::response(0)));
        while (in_order != end) {
            Packet p = next();
            if (p.payload == 0) continue;
            if (tcp::before(p.tcp().sequence, highest)) {
                if (first_again == 0) first_again = simulator.now();
                last_again = simulator.now();
            }
            highest = tcp::later(highest, p.tcp().sequence + p.payload);
            if (auto hit = lost.find((p.tcp().sequence - start) / kMss); hit != lost.end()) {
                lost.erase(hit);
                continue;
            }
            latest = p.tcp().sequence;
            held.add(latest, latest + p.payload);
            if (held[0].begin == in_order) in_order = held[0].end;
            held.trim(in_order);
            acknowledge(in_order);
        }
        return simulator.now() - begin;
    }
    std::uint64_t retransmissions() { return simulator.statistics().retransmissions; }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    Packet reply;
    tcp::RangeSet held;
    std::size_t seen = 0;
    std::uint32_t start = 0, asked = 5001, highest = 0, latest = 0;
    Time first_again = 0, last_again = 0;  // arrivals of retransmissions
    std::uint8_t says = 0;                 // flags of acknowledgments
};

// One transaction of a virtual client with the simulated server.
struct Transaction {
    explicit Transaction(test::Chain chain, std::uint64_t seed = 1)
        : built(once(chain)), model(built.model()), simulator(model, seed)
    {
        simulator.measure(0, kNever);
        simulator.start_workloads(0, 0, 100 * kSecond);
        simulator.run_until(100 * kSecond);
        REQUIRE(simulator.statistics().workloads[0].completed == 1);
        CHECK(test::silent(simulator));
    }
    static test::Chain once(test::Chain chain)
    {
        chain.think = {abi::DistributionKind::constant, 1e12, 0};
        return chain;
    }
    Time time() { return simulator.statistics().workloads[0].response_time.took.minimum(); }
    const Statistics& statistics() { return simulator.statistics(); }

    ChainModel built;
    Model model;
    Simulator simulator;
};

}  // namespace anml::test
