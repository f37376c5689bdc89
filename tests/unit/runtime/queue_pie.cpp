// PIE against the pseudo-code of RFC 8033, appendix A and sections 5.1, 5.4 and 5.5, with a timer of its own.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "flow_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;

namespace {

constexpr double kRate = 1e7;

std::vector<double> usual(bool ecn = false, bool derandomized = true)
{
    return {15e6, 15e6, 150e6, 0.125, 1.25, double(ecn), 0.1, double(derandomized)};
}

struct Queue {
    explicit Queue(const std::vector<double>& record) : parameters(pie::parameters_of(FieldReader(record)))
    {
        line.rate = kRate;
        line.capacity = LinkState::kUnbounded;
        line.mtu = 1500;
    }
    bool offer(std::uint8_t codepoint, std::uint32_t length, Time now)
    {
        packet.length = static_cast<std::uint16_t>(length);
        packet.traffic_class = codepoint;
        Arrival arrival{line, starts, packet, now, LinkDraws(1, 7, draws), marked};
        return pie::admit(state, parameters, arrival).accepted;
    }

    pie::Parameters parameters;
    pie::State state;
    LinkState line;
    StartTimes starts;
    Packet packet;
    std::uint64_t draws = 0, marked = 0;
};

// The names are the RFC's. Times in seconds; the queue is what the link has not transmitted.
class Reference {
  public:
    Reference(bool ecn, bool derandomized) : ecn_(ecn), derandomized_(derandomized) {}
    enum Verdict { ENQUEUE, MARK, DROP };

    Verdict enqueue(bool ecn_capable, std::uint32_t size, Time now)
    {
        for (; timer_ <= now; timer_ += T_UPDATE) calculate_drop_prob(timer_);
        Verdict verdict = ENQUEUE;
        if (burst_allowance_ == 0 && drop_early(now)) {
            verdict = ecn_ && drop_prob_ < MAX_ECNTH && ecn_capable ? MARK : DROP;
            accu_prob_ = 0;
        }
        if (verdict != DROP) empty_at_ = std::max(now, empty_at_) + std::llround(size * 8e9 / kRate);
        return verdict;
    }
    double drop_prob_ = 0;

  private:
    static constexpr Time QDELAY_REF = 15 * kMillisecond, T_UPDATE = 15 * kMillisecond, MAX_BURST = 150 * kMillisecond;
    static constexpr double MAX_ECNTH = 0.1;

    bool drop_early(Time now)
    {
        const double byte_length = static_cast<double>(std::max<Time>(0, empty_at_ - now)) * kRate / 8e9;
        if (qdelay_old_ < QDELAY_REF / 2 && drop_prob_ < 0.2) return false;
        if (std::floor(byte_length) <= 2 * 1500) return false;
        if (derandomized_) {
            if (drop_prob_ == 0) accu_prob_ = 0;
            accu_prob_ += drop_prob_;
            if (accu_prob_ < 0.85) return false;
            if (accu_prob_ >= 8.5) return true;
        }
        return LinkDraws(1, 7, draws_).unit() < drop_prob_;
    }
    void calculate_drop_prob(Time now)
    {
        const Time current_qdelay = std::max<Time>(0, empty_at_ - now);
        double p = 0.125 * (static_cast<double>(current_qdelay - QDELAY_REF) / 1e9) +
                   1.25 * (static_cast<double>(current_qdelay - qdelay_old_) / 1e9);
        if (drop_prob_ < 0.000001)
            p /= 2048;
        else if (drop_prob_ < 0.00001)
            p /= 512;
        else if (drop_prob_ < 0.0001)
            p /= 128;
        else if (drop_prob_ < 0.001)
            p /= 32;
        else if (drop_prob_ < 0.01)
            p /= 8;
        else if (drop_prob_ < 0.1)
            p /= 2;
        if (drop_prob_ >= 0.1 && p > 0.02) p = 0.02;
        drop_prob_ += p;
        if (current_qdelay == 0 && qdelay_old_ == 0) drop_prob_ *= 0.98;
        if (drop_prob_ < 0) drop_prob_ = 0;
        if (drop_prob_ > 1) drop_prob_ = 1;
        burst_allowance_ = std::max<Time>(0, burst_allowance_ - T_UPDATE);
        if (drop_prob_ == 0 && current_qdelay < QDELAY_REF / 2 && qdelay_old_ < QDELAY_REF / 2)
            burst_allowance_ = MAX_BURST;
        qdelay_old_ = current_qdelay;
    }

    const bool ecn_, derandomized_;
    Time timer_ = T_UPDATE, empty_at_ = 0, qdelay_old_ = 0, burst_allowance_ = MAX_BURST;
    double accu_prob_ = 0;
    std::uint64_t draws_ = 0;
};

}  // namespace

TEST_CASE("PIE decides as the RFC's pseudo-code with a timer does", "[pie]")
{
    const bool ecn = GENERATE(false, true), derandomized = GENERATE(true, false);
    const auto seed = GENERATE(1u, 2u, 3u);
    Queue queue(usual(ecn, derandomized));
    Reference reference(ecn, derandomized);
    std::mt19937 random(seed);
    int dropped = 0, marked = 0;
    Time now = 0;
    double highest = 0;
    for (int burst = 0; burst < 60; ++burst) {
        // From a tenth to three times what the link transmits, for up to 4 s, then nothing for up to 30 s.
        const double load = 0.1 + 0.1 * (random() % 30);
        const Time end = now + Time(random() % 4000) * kMillisecond;
        while (now < end) {
            const std::uint32_t length = 40 + random() % 1461;
            const std::uint8_t codepoint = random() % 5 == 0 ? ecn::kNotCapable : ecn::kEct0;
            const Reference::Verdict verdict = reference.enqueue(codepoint != ecn::kNotCapable, length, now);
            REQUIRE(queue.offer(codepoint, length, now) == (verdict != Reference::DROP));
            REQUIRE(ecn::congestion(queue.packet) == (verdict == Reference::MARK));
            REQUIRE(queue.state.probability == Approx(reference.drop_prob_).margin(1e-12));
            dropped += verdict == Reference::DROP;
            marked += verdict == Reference::MARK;
            highest = std::max(highest, reference.drop_prob_);
            now += 1 + std::llround(length * 8e9 / kRate / load * (0.5 + random() % 1001 / 1000.0));
        }
        now += Time(random() % 3 == 0 ? random() % 30000 : random() % 100) * kMillisecond;
    }
    CHECK(dropped > 500);
    CHECK((marked > 50) == ecn);
    CHECK(queue.marked == static_cast<std::uint64_t>(marked));
    CHECK(highest > 0.3);
}

TEST_CASE("PIE that nobody came to for a day is at once where it would be", "[pie]")
{
    Queue queue(usual());
    for (Time now = 0; now < 5 * kSecond; now += 500 * kMicrosecond) queue.offer(0, 1500, now);
    CHECK(queue.state.probability > 0.1);
    const Time later = 86400 * kSecond;
    REQUIRE(queue.offer(0, 1500, later));
    CHECK(queue.state.probability == 0);
    CHECK(queue.state.burst_left == 150 * kMillisecond);
    CHECK(queue.state.next_update == later + 15 * kMillisecond);
}

TEST_CASE("PIE leaves bursts alone, and holds a steady overload at its target", "[pie]")
{
    // 1.2 ms each; a quarter too many come for 60 s.
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    FlowLink w(link, Discipline::pie, usual());
    for (std::uint32_t i = 0; i < 60'000; ++i) w.offer({i, i * 960 * kMicrosecond});
    w.simulator.run_until(100 * kSecond);
    const auto& begun = w.tap.begun;
    for (std::uint32_t i = 0; i < 150; ++i) CHECK(begun[i].first == i);  // for 150 ms
    double sum = 0;
    int counted = 0;
    for (const auto& [number, start] : begun) {
        if (start < 20 * kSecond || start > 55 * kSecond) continue;
        sum += static_cast<double>(start - number * 960 * kMicrosecond);
        ++counted;
    }
    CHECK(sum / counted == Approx(15e6).epsilon(0.1));
    CHECK(w.counters().dropped + w.counters().packets == 60'000);
    CHECK(test::silent(w.simulator));
}

}  // namespace ANML_UNIT_FILE
