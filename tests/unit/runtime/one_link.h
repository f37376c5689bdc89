// A link with a queue discipline between two real hosts, `server` and `peer`, for the tests: entry, towards the peer's
// side, is the link; what leaves it passes another one as fast, which nothing waits for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fake_host.h"
#include "image_builder.h"
#include "net/queue/disciplines.h"
#include "simulator/statistics.h"

namespace anml::test {

struct OneLink {
    struct Tap : rt::LinkTap {
        // The number of each packet, and when its transmission begins.
        void packet(rt::LinkId, const rt::Packet& p, rt::Time, rt::Time start) override
        {
            begun.emplace_back(p.tcp().acknowledgment, start);
        }
        void rate_changed(rt::LinkId, const rt::RateChange&) override {}
        void failed(rt::LinkId, rt::Time) override {}
        std::vector<std::pair<std::uint32_t, rt::Time>> begun;
    };

    OneLink(const LinkOptions& link, rt::Discipline discipline, const std::vector<double>& parameters,
            std::vector<TimelineChange> timeline = {})
        : built(chain_of(link, discipline, parameters, std::move(timeline))),
          model(built.model()),
          simulator(model, 1),
          server(simulator, 0, ChainModel::server_address()),
          peer(simulator, 1, ChainModel::peer_address())
    {
        simulator.watch(built.entry_down(), tap);
        simulator.measure(0, rt::kNever);
        simulator.start_timeline(0);
    }
    static Chain chain_of(const LinkOptions& link, rt::Discipline discipline, const std::vector<double>& parameters,
                          std::vector<TimelineChange> timeline)
    {
        Chain chain;
        chain.peer = true;
        chain.backbone = link;
        chain.discipline = discipline;
        chain.parameters = parameters;
        chain.timeline = std::move(timeline);
        return chain;
    }

    // A packet of `length` bytes reaches the link's queue.
    void send(std::uint32_t number, rt::Time at, std::uint16_t length = 1500)
    {
        const auto payload = static_cast<std::uint16_t>(length - 40);
        server.send(FakeHost::segment(ChainModel::peer_address(), 80, 5000, rt::tcp_flag::ack, 1, number, payload), at);
    }
    std::vector<std::uint32_t> order() const
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& got : peer.received) numbers.push_back(got.packet.tcp().acknowledgment);
        return numbers;
    }
    rt::LinkCounters counters() const
    {
        for (const rt::LinkCounters& c : simulator.statistics().links)
            if (c.link == built.entry_down()) return c;
        return {};
    }

    ChainModel built;
    rt::Model model;
    rt::Simulator simulator;
    FakeHost server, peer;
    Tap tap;
};

}  // namespace anml::test
