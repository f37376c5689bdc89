// Hierarchical shaping against arithmetic: what classes are sure of, borrow, and may not exceed; and against the same
// rules where all classes are looked at for each packet.
#include <bit>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <vector>

#include "flow_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::TimelineChange;
using test::LinkOptions;
using test::Offer;

namespace {

using By = htb::Parameters::ShapedBy;

std::vector<double> fields(double rate, double ceil, By by = By::source, double burst = 15000)
{
    return {double(by), rate, ceil, burst};
}

LinkOptions ten_megabits()
{
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 30000;  // of each class
    return link;
}

// Rates of hosts in seconds 2 to 6, that offer so much in packets of so many bytes.
struct Host {
    double rate;
    std::uint32_t length;
};
std::vector<double> shares(const std::vector<double>& parameters, const std::vector<Host>& hosts)
{
    FlowLink w(ten_megabits(), Discipline::htb, parameters);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        std::uint32_t i = 0;
        for (double at = 0; at < 6e9; at += hosts[h].length * 8e9 / hosts[h].rate)
            w.offer({i++, std::llround(at), hosts[h].length, static_cast<std::uint16_t>(h), 0,
                     0x0a630001 + static_cast<std::uint32_t>(h)});
    }
    w.simulator.run_until(6 * kSecond);
    std::vector<double> rates;
    for (std::uint16_t h = 0; h < hosts.size(); ++h)
        rates.push_back(static_cast<double>(w.bytes_of(h, 6 * kSecond) - w.bytes_of(h, 2 * kSecond)) * 8 / 4);
    return rates;
}

// What is sent when. Looks at everything each time.
class Reference {
  public:
    Reference(double rate, double own, double ceil, double burst, std::uint32_t capacity)
        : link_(rate), own_(own), ceil_(ceil), burst_(burst), capacity_(capacity)
    {
    }

    void run(const std::vector<Offer>& arrivals)
    {
        std::size_t i = 0;
        for (Time now = 0; now != kNever;) {
            for (; i < arrivals.size() && arrivals[i].at == now; ++i) {
                if (!enqueue(arrivals[i], now)) continue;
                if (busy_until_ <= now)
                    serve(now);
                else
                    asked_ = busy_until_;
            }
            if (asked_ == now) serve(now);
            now = std::min(asked_, i < arrivals.size() ? arrivals[i].at : kNever);
        }
    }
    std::vector<std::pair<std::uint32_t, Time>> begun;
    std::uint64_t refused = 0;
    std::size_t most = 0;  // classes that waited

  private:
    struct Class {
        std::uint16_t flow;
        std::deque<Offer> queue{};
        std::uint64_t bytes = 0;
        Time at = 0;
        double missing = 0, missing_of_ceil = 0;
        std::int64_t had = 0, borrowed = 0;
    };
    static double left(double missing, double speed, Time passed)
    {
        return std::max(0.0, missing - static_cast<double>(passed) / 8e9 * speed);
    }
    // As htb.cpp does: a full table forgets what classes had whose buckets are full, and that don't wait.
    void forget(Time now)
    {
        for (auto one = classes_.begin(); one != classes_.end();) {
            const bool waits = std::find(listed_.begin(), listed_.end(), &one->second) != listed_.end();
            const Class& it = one->second;
            const bool full =
                left(it.missing, own_, now - it.at) == 0 && left(it.missing_of_ceil, ceil_, now - it.at) == 0;
            one = waits || !full ? std::next(one) : classes_.erase(one);
        }
        places_ = std::max<std::size_t>(64, std::bit_ceil(4 * classes_.size()));
    }
    bool enqueue(const Offer& packet, Time now)
    {
        if (2 * classes_.size() >= places_) forget(now);
        Class& mine = classes_.try_emplace(packet.flow, Class{.flow = packet.flow, .at = now}).first->second;
        const bool alone = waiting_ == 0 && busy_until_ <= now;
        if (!alone && mine.bytes + packet.length > capacity_) {
            ++refused;
            return false;
        }
        mine.queue.push_back(packet);
        mine.bytes += packet.length;
        ++waiting_;
        if (std::find(listed_.begin(), listed_.end(), &mine) == listed_.end()) listed_.push_back(&mine);
        most = std::max(most, listed_.size());
        return true;
    }
    void serve(Time now)
    {
        asked_ = kNever;
        std::erase_if(listed_, [](const Class* one) { return one->queue.empty(); });
        Class *own = nullptr, *borrowed = nullptr;
        Time earliest = kNever;
        for (Class* one : listed_) {
            if (left(one->missing_of_ceil, ceil_, now - one->at) > burst_) {
                const Time owes = std::llround((one->missing_of_ceil - burst_) * 8e9 / ceil_);
                earliest = std::min(earliest, std::max(now, one->at + owes) + 1);
            } else if (left(one->missing, own_, now - one->at) <= burst_) {
                if (!own || std::max(one->had, had_) < std::max(own->had, had_)) own = one;
            } else {
                if (!borrowed || std::max(one->borrowed, borrowed_) < std::max(borrowed->borrowed, borrowed_))
                    borrowed = one;
            }
        }
        Class* const one = own ? own : borrowed;
        if (!one) {
            asked_ = earliest;
            return;
        }
        const Offer packet = one->queue.front();
        one->queue.pop_front();
        one->bytes -= packet.length;
        --waiting_;
        one->missing_of_ceil = left(one->missing_of_ceil, ceil_, now - one->at) + packet.length;
        one->missing = left(one->missing, own_, now - one->at) + (own ? packet.length : 0);
        one->at = now;
        if (own) {
            had_ = std::max(one->had, had_);
            one->had = had_ + packet.length;
        } else {
            borrowed_ = std::max(one->borrowed, borrowed_);
            one->borrowed = borrowed_ + packet.length;
        }
        begun.emplace_back(packet.number, now);
        busy_until_ = now + std::llround(packet.length * 8e9 / link_);
        if (waiting_ != 0) asked_ = busy_until_;
    }

    const double link_, own_, ceil_, burst_;
    const std::uint32_t capacity_;
    std::map<std::uint16_t, Class> classes_;
    std::vector<Class*> listed_;
    std::size_t waiting_ = 0, places_ = 0;
    Time busy_until_ = 0, asked_ = kNever;
    std::int64_t had_ = 0, borrowed_ = 0;
};

}  // namespace

TEST_CASE("classes send what those do of which all are looked at, at the same times", "[htb]")
{
    const auto seed = GENERATE(1u, 2u);
    const std::uint32_t flows = GENERATE(3u, 30u, 300u);
    // Sure of a hundredth of their share, of it, of more than there is; up to twice that, and the whole link.
    const double share = GENERATE(0.01, 0.9, 5.0) * 1e7 / flows, ceil = GENERATE_COPY(2 * share, 1e7);
    const double burst = GENERATE(1.0, 15000.0);
    if (share > ceil) return;
    CAPTURE(seed, flows, share, ceil, burst);
    std::vector<Offer> arrivals = test::bursts(1e7, seed, flows, 2);
    FlowLink w(ten_megabits(), Discipline::htb, fields(share, ceil, By::flow, burst));
    for (const Offer& offer : arrivals) w.offer(offer);
    Reference reference(1e7, share, ceil, burst, 30000);
    reference.run(arrivals);
    w.simulator.run_until(5000 * kSecond);
    for (std::size_t i = 0; i < std::min(w.tap.begun.size(), reference.begun.size()); ++i) {
        INFO(i);
        REQUIRE(w.tap.begun[i].first == reference.begun[i].first);
        REQUIRE(w.tap.begun[i].second == reference.begun[i].second);
    }
    REQUIRE(w.tap.begun.size() == reference.begun.size());
    CHECK(w.counters().dropped == reference.refused);
    if (flows == 300) CHECK(reference.most > 100);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("classes share what the link has, up to their ceiling", "[htb]")
{
    // Alone: its ceiling. Two: theirs, and the link is idle for the rest.
    CHECK(shares(fields(2e6, 3e6), {{9e6, 1000}})[0] == Approx(3e6).epsilon(0.005));
    for (const double rate : shares(fields(2e6, 3e6), {{9e6, 1000}, {9e6, 400}}))
        CHECK(rate == Approx(3e6).epsilon(0.005));
    // Three that want more than there is: a third each, whatever the length of their packets.
    for (const double rate : shares(fields(2e6, 6e6), {{9e6, 1500}, {9e6, 400}, {9e6, 900}}))
        CHECK(rate == Approx(1e7 / 3).epsilon(0.01));
    // What one leaves the others borrow.
    const std::vector<double> rates = shares(fields(2e6, 6e6), {{9e6, 1500}, {1e6, 400}, {9e6, 900}});
    CHECK(rates[1] == Approx(1e6).epsilon(0.01));
    CHECK(rates[0] == Approx(4.5e6).epsilon(0.01));
    CHECK(rates[2] == Approx(4.5e6).epsilon(0.01));
}

TEST_CASE("a class within its rate goes before those that borrow", "[htb]")
{
    FlowLink w(ten_megabits(), Discipline::htb, fields(2e6, 1e7));
    for (std::uint32_t i = 0; i < 4000; ++i)
        for (std::uint32_t h = 0; h < 2; ++h)
            w.offer({i, i * 600 * kMicrosecond, 1500, static_cast<std::uint16_t>(h), 0, 0x0a630001 + h});
    for (std::uint32_t i = 0; i < 200; ++i)
        w.offer({10000 + i, i * 10 * kMillisecond + 100 * kMicrosecond, 500, 7, 0, 0x0a630007});
    w.simulator.run_until(10 * kSecond);
    int late = 0, seen = 0;
    for (const auto& [number, start] : w.tap.begun) {
        if (number < 10000) continue;
        ++seen;
        // A packet in transmission, and one of each of the others, if they are within their rates just then.
        late += start - (number - 10000) * 10 * kMillisecond - 100 * kMicrosecond > 3 * 1200 * kMicrosecond;
    }
    CHECK(seen == 200);
    CHECK(late == 0);
}

TEST_CASE("a class that was silent sends a burst, then at its ceiling, to the nanosecond", "[htb]")
{
    // 0.8 ms per packet at the link's rate, 4 ms at the ceiling.
    FlowLink w(ten_megabits(), Discipline::htb, fields(1e6, 2e6, By::source, 5000));
    for (std::uint32_t i = 0; i < 20; ++i) w.offer({i, 0, 1000});
    w.simulator.run_until(kSecond);
    REQUIRE(w.tap.begun.size() == 20);
    // Packet n begins when the bucket owes nothing: 1000 n bytes are sent, 5000 may be, and 250 bytes come per ms.
    for (std::uint32_t i = 0; i < 20; ++i) {
        const Time tokens = (Time(i) - 5) * 4 * kMillisecond, link = i * 800 * kMicrosecond;
        const Time due = std::max(tokens, link), begun = w.tap.begun[i].second;
        CHECK(begun >= due);
        CHECK(begun <= due + 5);
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("hundreds of subscribers each have a class of their own", "[htb]")
{
    LinkOptions link;
    link.rate = 1e9;
    link.queue = 30000;
    FlowLink w(link, Discipline::htb, fields(1e6, 1e6, By::source, 1500));
    constexpr std::uint32_t kSubscribers = 700;
    for (std::uint32_t i = 0; i < 15; ++i)
        for (std::uint32_t s = 0; s < kSubscribers; ++s)
            w.offer({i, 0, 1500, static_cast<std::uint16_t>(s), 0, 0x0a630001 + s});
    w.simulator.run_until(10 * kSecond);
    std::map<std::uint16_t, std::vector<Time>> times;
    for (const auto& got : w.peer.received) times[got.packet.source_port].push_back(got.at);
    REQUIRE(times.size() == kSubscribers);
    for (const auto& [port, at] : times) {
        REQUIRE(at.size() == 15);
        // 12 ms each once the burst is gone, and what others are in transmission just then.
        CHECK(at[14] - at[2] == Approx(12 * 12e6).margin(9e6));
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("classes are told apart by hosts, flows or DSCP", "[htb]")
{
    // Four flows of two hosts with two DSCPs; each class gets 1 Mbps.
    for (const auto& [by, classes] : {std::pair{By::source, 2}, std::pair{By::destination, 1}, std::pair{By::hosts, 2},
                                      std::pair{By::flow, 4}, std::pair{By::dscp, 2}})
    {
        FlowLink w(ten_megabits(), Discipline::htb, fields(1e6, 1e6, by));
        for (std::uint32_t i = 0; i < 1500; ++i)
            for (std::uint32_t f = 0; f < 4; ++f)
                w.offer({i, i * 2 * kMillisecond, 1000, static_cast<std::uint16_t>(f),
                         static_cast<std::uint8_t>(f < 1 ? 46 << 2 : 0), 0x0a630001 + f % 2});
        w.simulator.run_until(3 * kSecond);
        double bytes = 0;
        for (std::uint16_t f = 0; f < 4; ++f)
            bytes += static_cast<double>(w.bytes_of(f, 3 * kSecond) - w.bytes_of(f, kSecond));
        CHECK(bytes * 8 / 2 == Approx(classes * 1e6).epsilon(0.01));
    }
}

TEST_CASE("what is held back is lost in a failure, and goes at once when the ceiling rises", "[htb][changes]")
{
    using abi::TimelineAttribute;
    FlowLink w(ten_megabits(), Discipline::htb, fields(1e5, 1e5, By::source, 1),
               {{"entry", TimelineAttribute::up, 30e6, 0}, {"entry", TimelineAttribute::up, 40e6, 1}});
    for (std::uint32_t i = 0; i < 5; ++i) w.offer({i, 0, 1000});
    for (std::uint32_t i = 5; i < 8; ++i) w.offer({i, 50 * kMillisecond, 1000});
    w.simulator.run_until(kSecond);
    // 80 ms each: the first one goes before the failure, and behind it those that come then.
    CHECK(w.order() == std::vector<std::uint32_t>{0, 5, 6, 7});
    CHECK(w.simulator.statistics().dropped.link == 4);
    CHECK(test::silent(w.simulator));
}

}  // namespace ANML_UNIT_FILE
