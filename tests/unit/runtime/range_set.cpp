// Ranges of sequence numbers against a set that has each number.
#include "transport/recovery/range_set.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace ANML_UNIT_FILE {

using namespace anml::rt::tcp;

namespace {

class Numbers {
  public:
    explicit Numbers(std::uint32_t base) : base_(base), held_(kSpan) {}
    std::uint32_t add(std::uint32_t begin, std::uint32_t end)
    {
        std::uint32_t added = 0;
        for (std::uint32_t at = begin; at != end; ++at) {
            added += !held_[at - base_];
            held_[at - base_] = true;
        }
        return added;
    }
    void trim(std::uint32_t sequence) { std::fill(held_.begin(), held_.begin() + (sequence - base_), false); }
    std::uint32_t before(std::uint32_t sequence) const
    {
        return static_cast<std::uint32_t>(std::count(held_.begin(), held_.begin() + (sequence - base_), true));
    }
    std::uint32_t ranges() const
    {
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < kSpan; ++i) count += held_[i] && (i == 0 || !held_[i - 1]);
        return count;
    }

    static constexpr std::uint32_t kSpan = 3000;

  private:
    std::uint32_t base_;
    std::vector<bool> held_;
};

}  // namespace

TEST_CASE("ranges come, merge and go as the numbers in them, and what lies before a place is counted", "[tcp]")
{
    RangeSet set;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
        const std::uint32_t base = seed % 2 ? 0xffffff00u : static_cast<std::uint32_t>(random());  // some wrap
        Numbers numbers(base);
        set.clear();  // its room stays, as in the pool
        std::uint32_t una = base, reached = base + 1;
        for (int step = 0; step < 400; ++step) {
            const std::uint32_t behind = below(4) == 0 ? 0 : below(reached - una);
            const std::uint32_t begin = below(3) == 0 ? reached + 1 + below(3) : una + behind;
            const std::uint32_t end = begin + 1 + below(5);
            if (end - base >= Numbers::kSpan) break;
            reached = later(reached, end);
            REQUIRE(set.add(begin, end) == numbers.add(begin, end));
            if (below(6) == 0) {
                una += below(std::min(reached - una, 40u));
                set.trim(una);
                numbers.trim(una);
            }
            REQUIRE(set.count == numbers.ranges());
            REQUIRE(set.bytes == numbers.before(base + Numbers::kSpan));
            const std::uint32_t lost = una + below(reached - una + 1), next = una + below(reached - una + 1);
            REQUIRE(set.bytes_before(lost, RangeSet::lost) == numbers.before(lost));
            if (step % 3 == 0) REQUIRE(set.bytes_before(next, RangeSet::next) == numbers.before(next));
            if (step % 7 == 0) REQUIRE(set.bytes_before(reached, RangeSet::sent_again) == numbers.before(reached));
            for (std::uint32_t i = 1; i < set.count; ++i) REQUIRE(before(set[i - 1].end, set[i].begin));
        }
    }
}

TEST_CASE("in a window that moves on, few ranges or many", "[tcp]")
{
    for (const std::uint32_t holes : {1u, 2u, 15u, 16u, 17u, 100u}) {
        RangeSet set;
        const std::uint32_t base = 0xfffff000u;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            const std::uint32_t end = base + 2 * (i + 1);
            REQUIRE(set.add(end - 1, end) == 1);
            if (i >= holes) set.trim(end - 2 * holes);
            REQUIRE(set.count == std::min(i + 1, holes));
            REQUIRE(set.bytes == set.count);
            REQUIRE(set.end() == end);
            REQUIRE(set[0].end == end - 2 * (set.count - 1));
            REQUIRE(set.bytes_before(end - 1, RangeSet::lost) == set.count - 1);
            if (i % 7 == 0 && set.count > 2) {  // one in its middle, beside another
                const std::uint32_t at = set[set.count / 2].begin;
                REQUIRE(set.add(at - 1, at) == 1);
                set.trim(end);
                REQUIRE(set.count == 0);
                for (std::uint32_t k = std::min(i + 1, holes); k-- > 0;) set.add(end - 2 * k - 1, end - 2 * k);
            }
        }
    }
}

TEST_CASE("ranges half of the numbers apart do no harm", "[tcp]")
{
    RangeSet set;
    set.add(0x7fffffff, 0xfffffffe);
    set.add(1460, 2920);
    CHECK(set.count == 2);
}

}  // namespace ANML_UNIT_FILE
