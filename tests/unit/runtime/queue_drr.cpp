// Deficit round robin against the pseudo-code of Shreedhar and Varghese (1996), figure 4, SFQ against Linux's code, and
// its hash that changes.
#include <algorithm>
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

class Reference {
  public:
    Reference(double rate, int quantum, std::size_t buffers) : quantum_(quantum), buffers_(buffers), rate_(rate) {}
    virtual ~Reference() = default;

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

  protected:
    virtual void enqueue(const Offer& packet) = 0;
    virtual Offer dequeue() = 0;

    const int quantum_;
    const std::size_t buffers_;
    std::size_t waiting_ = 0;

  private:
    const double rate_;
};

// The names are the paper's. The dequeuing module runs on where it was when it sent a packet.
class RoundRobin : public Reference {
  public:
    using Reference::Reference;

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
    void enqueue(const Offer& packet) override
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
    Offer dequeue() override
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

    std::map<std::uint16_t, Flow> flows_;
    std::deque<Flow*> active_list_;
};

// net/sched/sch_sfq.c, whose names these are: `dep` has the slots of each length, the one that has changed last first.
class LinuxSfq : public Reference {
  public:
    using Reference::Reference;

  private:
    struct Slot {
        std::deque<Offer> skbs;
        int allot = 0;
    };
    void link(Slot& slot) { dep_[slot.skbs.size()].push_front(&slot); }
    void unlink(Slot& slot)
    {
        std::deque<Slot*>& same = dep_[slot.skbs.size()];
        if (const auto at = std::find(same.begin(), same.end(), &slot); at != same.end()) same.erase(at);
    }
    void enqueue(const Offer& packet) override
    {
        Slot& slot = slots_[packet.flow];
        unlink(slot);
        slot.skbs.push_back(packet);
        link(slot);
        if (slot.skbs.size() == 1) {
            ring_.push_back(&slot);
            slot.allot = quantum_;
        }
        if (++waiting_ > buffers_) sfq_drop();
    }
    void sfq_drop()
    {
        auto longest = dep_.rbegin();
        while (longest->second.empty()) ++longest;
        Slot* slot = longest->second.front();
        if (longest->first == 1) {
            slot = ring_.front();
            ring_.pop_front();
        }
        unlink(*slot);
        slot->skbs.pop_back();
        link(*slot);
        --waiting_;
        ++freed;
    }
    Offer dequeue() override
    {
        while (ring_.front()->allot <= 0) {
            ring_.front()->allot += quantum_;
            ring_.push_back(ring_.front());
            ring_.pop_front();
        }
        Slot& slot = *ring_.front();
        const Offer packet = slot.skbs.front();
        unlink(slot);
        slot.skbs.pop_front();
        link(slot);
        --waiting_;
        if (slot.skbs.empty())
            ring_.pop_front();
        else
            slot.allot -= static_cast<int>(packet.length);
        return packet;
    }

    std::map<std::uint16_t, Slot> slots_;
    std::map<std::size_t, std::deque<Slot*>> dep_;
    std::deque<Slot*> ring_;
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
    RoundRobin reference(1e7, quantum, packets);
    const auto expected = reference.run(arrivals);
    REQUIRE(w.tap.begun == expected);
    CHECK(w.counters().dropped == static_cast<std::uint64_t>(reference.freed));
    CHECK(reference.freed > 100);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("SFQ transmits what Linux's does, at the same times", "[sfq]")
{
    const auto seed = GENERATE(1u, 2u, 3u);
    const int quantum = GENERATE(1514, 400);
    // Of many flows the longest one is found otherwise than of few.
    const auto [flows, packets] = GENERATE(std::pair{12u, 127u}, std::pair{150u, 300u}, std::pair{150u, 80u});
    const std::vector<Offer> arrivals = test::bursts(1e7, seed, flows, 2);
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    link.queue_packets = packets;
    FlowLink w(link, Discipline::sfq, {65536, 0, double(quantum), 0});
    for (const Offer& offer : arrivals) w.offer(offer);
    w.simulator.run_until(100 * kSecond);
    LinuxSfq reference(1e7, quantum, packets);
    const auto expected = reference.run(arrivals);
    REQUIRE(w.tap.begun == expected);
    CHECK(w.counters().dropped == static_cast<std::uint64_t>(reference.freed));
    CHECK(reference.freed > 100);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("SFQ drops of queues with a packet each the one whose turn is next", "[sfq]")
{
    LinkOptions link;
    link.rate = 1e7;
    link.queue_packets = 3;
    FlowLink w(link, Discipline::sfq, {65536, 0, 1514, 0});
    std::uint32_t number = 0;
    for (const std::uint16_t flow : {1, 2, 3, 4, 5, 6, 2}) w.offer({number++, 0, 1500, flow});
    w.simulator.run_until(kSecond);
    // The first one is in transmission; each behind the fourth takes the place of the one that would be next.
    CHECK(w.order() == std::vector<std::uint32_t>{0, 4, 5, 6});
    CHECK(w.counters().dropped == 3);
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
                w.offer({i + 1, (i * kFlows + (f * 7 + i * 13) % kFlows) * 600 * kMicrosecond, 1500,
                         static_cast<std::uint16_t>(f)});
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
        // The first one is in transmission. Deficit round robin keeps the last ten, of which the first two make room for
        // the other flow's; SFQ the first ten, of which the last two do.
        const std::vector<std::uint32_t> order = w.order();
        CHECK(order.size() == 11);
        CHECK(std::count(order.begin(), order.end(), 100u) == 1);
        CHECK(std::count(order.begin(), order.end(), 101u) == 1);
        CHECK(order.back() == (discipline == Discipline::drr ? 39 : 8));
        CHECK(w.counters().dropped == 31);
    }
}

}  // namespace ANML_UNIT_FILE
