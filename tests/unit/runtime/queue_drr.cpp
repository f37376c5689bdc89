// Deficit round robin against the pseudo-code of Shreedhar and Varghese (1996), figure 4, and SFQ's hash that changes.
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "flow_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;
using test::Offer;

namespace {

// The names are the paper's. The dequeuing module runs on where it was when it sent a packet.
class Reference {
  public:
    Reference(double rate, int quantum, std::size_t buffers) : rate_(rate), quantum_(quantum), buffers_(buffers) {}

    std::vector<std::pair<std::uint32_t, Time>> run(const std::vector<Offer>& arrivals)
    {
        std::vector<std::pair<std::uint32_t, Time>> begun;
        Time idle_from = 0;
        for (std::size_t i = 0; i < arrivals.size() || waiting_ != 0;) {
            const Time now = waiting_ == 0 ? std::max(idle_from, arrivals[i].at) : idle_from;
            const bool found_idle = waiting_ == 0 && arrivals[i].at >= idle_from;
            for (; i < arrivals.size() && arrivals[i].at <= now; ++i) {
                enqueue(arrivals[i]);
                if (found_idle) {
                    ++i;
                    break;
                }
            }
            const Offer packet = dequeue();
            begun.emplace_back(packet.number, now);
            idle_from = now + std::llround(packet.length * 8e9 / rate_);
        }
        return begun;
    }
    int freed = 0;

  private:
    struct Flow {
        std::deque<Offer> queue;
        std::uint64_t bytes = 0;
        int DC = 0;
        bool active = false, in_turn = false;
    };
    Offer take(Flow& flow)
    {
        const Offer packet = flow.queue.front();
        flow.queue.pop_front();
        flow.bytes -= packet.length;
        --waiting_;
        return packet;
    }
    void enqueue(const Offer& packet)
    {
        Flow& flow = flows_[packet.flow];
        if (!flow.active) {
            active_list_.push_back(&flow);
            flow.active = true;
            flow.DC = 0;
        }
        flow.queue.push_back(packet);
        flow.bytes += packet.length;
        ++waiting_;
        if (waiting_ <= buffers_) return;
        Flow* longest = active_list_.front();
        for (Flow* other : active_list_)
            if (other->bytes > longest->bytes) longest = other;
        take(*longest);
        ++freed;
    }
    Offer dequeue()
    {
        for (;;) {
            Flow& flow = *active_list_.front();
            if (!flow.in_turn && !flow.queue.empty()) flow.DC += quantum_;
            flow.in_turn = true;
            if (!flow.queue.empty() && static_cast<int>(flow.queue.front().length) <= flow.DC) {
                flow.DC -= static_cast<int>(flow.queue.front().length);
                return take(flow);
            }
            flow.in_turn = false;
            active_list_.pop_front();
            if (flow.queue.empty()) {
                flow.DC = 0;
                flow.active = false;
            } else {
                active_list_.push_back(&flow);
            }
        }
    }

    const double rate_;
    const int quantum_;
    const std::size_t buffers_;
    std::size_t waiting_ = 0;
    std::map<std::uint16_t, Flow> flows_;
    std::deque<Flow*> active_list_;
};

}  // namespace

TEST_CASE("deficit round robin transmits what the paper's pseudo-code does, at the same times", "[drr]")
{
    const auto seed = GENERATE(1u, 2u, 3u);
    const int quantum = GENERATE(1500, 400, 4000);
    // Of many flows the longest one is found otherwise than of few.
    const auto [flows, packets] = GENERATE(std::pair{12u, 100u}, std::pair{150u, 300u});
    const std::vector<Offer> arrivals = test::bursts(1e7, seed, flows, 2);
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    link.queue_packets = packets;
    FlowLink w(link, Discipline::drr, {65536, 0, double(quantum)});
    for (const Offer& offer : arrivals) w.offer(offer);
    w.simulator.run_until(100 * kSecond);
    Reference reference(1e7, quantum, packets);
    const auto expected = reference.run(arrivals);
    REQUIRE(w.tap.begun == expected);
    CHECK(w.counters().dropped == static_cast<std::uint64_t>(reference.freed));
    CHECK(reference.freed > 100);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("SFQ's hash changes, and no flow overtakes itself", "[sfq]")
{
    // Thirty flows that send twice what the link carries, in four queues.
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    link.queue_packets = 127;
    for (const double perturbation : {0.0, 5e8}) {
        FlowLink w(link, Discipline::sfq, {4, 0, 1514, perturbation});
        constexpr std::uint32_t kFlows = 30, kEach = 1200;
        for (std::uint32_t i = 0; i < kEach; ++i)
            for (std::uint32_t f = 0; f < kFlows; ++f)
                w.offer(
                    {i + 1, (i * kFlows + f * 7 % kFlows) * 600 * kMicrosecond, 1500, static_cast<std::uint16_t>(f)});
        w.simulator.run_until(60 * kSecond);
        std::map<std::uint16_t, std::uint32_t> last;
        std::map<std::uint16_t, double> bytes;
        for (const auto& got : w.peer.received) {
            const std::uint32_t number = got.packet.tcp().acknowledgment;
            REQUIRE(number > last[got.packet.source_port]);
            last[got.packet.source_port] = number;
            bytes[got.packet.source_port] += got.packet.length;
        }
        const auto [least, most] = std::minmax_element(
            bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        // A place of few flows serves each of them better than one of many, until others share it.
        if (perturbation == 0)
            CHECK(most->second > 1.8 * least->second);
        else
            CHECK(most->second < 1.4 * least->second);
        CHECK(test::silent(w.simulator));
    }
}

TEST_CASE("round robin without room takes from the longest queue", "[drr][sfq]")
{
    LinkOptions link;
    link.rate = 1e7;
    link.queue_packets = 10;
    for (const Discipline discipline : {Discipline::drr, Discipline::sfq}) {
        FlowLink w(link, discipline, {65536, 0, 1500, 0});
        for (std::uint32_t i = 0; i < 40; ++i) w.offer({i, 0, 1500, 1});
        w.offer({100, 0, 1500, 2});
        w.offer({101, 0, 1500, 2});
        w.simulator.run_until(kSecond);
        // The first one is in transmission; the last ten stay, of which the first two make room for the other flow's.
        const std::vector<std::uint32_t> order = w.order();
        CHECK(order.size() == 11);
        CHECK(std::count(order.begin(), order.end(), 100u) == 1);
        CHECK(std::count(order.begin(), order.end(), 101u) == 1);
        CHECK(order.back() == 39);
        CHECK(w.counters().dropped == 31);
    }
}

}  // namespace ANML_UNIT_FILE
