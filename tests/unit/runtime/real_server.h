// A real web server behind the model, for tests: what its clients say comes as text, and it answers what a test says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace anml::test {

// Links so fast that a transaction takes its round trips, of 2.4 ms each.
inline Chain keeping(double requests)
{
    Chain chain;
    for (LinkOptions* link : {&chain.backbone, &chain.uplink, &chain.edge}) link->rate = 1e12;
    chain.until = TransactionEnd::complete;
    chain.close = CloseMode::at_once;
    chain.service = {abi::DistributionKind::constant, 0, 0};
    chain.documents = {100};
    chain.requests = requests;
    return chain;
}

// A real server behind the model; the first connection is established, and its first request has come.
struct Real {
    static constexpr std::uint32_t kIsn = 1000;

    explicit Real(const Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), server(simulator, 0, ChainModel::server_address())
    {
        simulator.start_workloads(0, 0, 1000 * rt::kSecond);
        pass();
        accept();
    }
    void pass(rt::Time time = 20 * rt::kMillisecond) { simulator.run_until(simulator.now() + time); }
    rt::Packet segment(std::uint8_t flags)
    {
        return FakeHost::segment(ChainModel::client_address(0, 0), 80, port, flags, at, asked);
    }
    // Answers the last SYN.
    void accept()
    {
        for (auto& got : server.received) {
            if (!(got.packet.tcp().flags & rt::tcp_flag::syn)) continue;
            port = got.packet.source_port;
            asked = got.packet.tcp().sequence + 1;
        }
        server.received.clear();
        at = kIsn;
        rt::Packet reply = segment(rt::tcp_flag::syn | rt::tcp_flag::ack);
        reply.tcp_syn().mss = 1460;
        reply.length += 4;
        server.send(reply, simulator.now());
        at = kIsn + 1;
        pass();
        take();
    }
    // Text of the requests that have come.
    std::string take()
    {
        std::string text;
        for (auto& got : server.received) {
            if (got.packet.source_port != port || got.packet.payload == 0) continue;
            std::string piece(got.packet.payload, '\0');
            if (got.bytes.empty())
                rt::content::produce(model, got.packet.content, got.packet.offset_in_content(),
                                     {reinterpret_cast<std::uint8_t*>(piece.data()), piece.size()});
            else
                piece.assign(got.bytes.end() - got.packet.payload, got.bytes.end());
            text += piece;
            asked += got.packet.payload;
        }
        last = text;
        server.received.clear();
        return text;
    }
    std::size_t syns()
    {
        std::size_t count = 0;
        for (auto& got : server.received) count += (got.packet.tcp().flags & (rt::tcp_flag::syn | rt::tcp_flag::ack)) == rt::tcp_flag::syn;
        return count;
    }
    void say(std::string_view text, std::uint8_t flags = rt::tcp_flag::ack)
    {
        server.send_text(segment(flags), text, model, simulator.now());
        at += static_cast<std::uint32_t>(text.size()) + ((flags & rt::tcp_flag::fin) ? 1u : 0u);
        pass();
    }
    void say_flags(std::uint8_t flags)
    {
        server.send(segment(flags), simulator.now());
        at += (flags & rt::tcp_flag::fin) ? 1u : 0u;
        pass();
    }
    const rt::WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }

    ChainModel built;
    rt::Model model;
    rt::Simulator simulator;
    FakeHost server;
    std::uint16_t port = 0;
    std::uint32_t asked = 0, at = kIsn;
    std::string last;
};

inline std::string response(std::string_view fields = "", std::string_view line = "HTTP/1.1 200 OK")
{
    return std::string(line) + "\r\nContent-Length: 3\r\n" + std::string(fields) + "\r\nabc";
}

inline std::size_t requests_in(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = text.find("GET "); at != text.npos; at = text.find("GET ", at + 1)) ++count;
    return count;
}

}  // namespace anml::test
