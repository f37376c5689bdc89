// All that is counted adds up, and what was counted before can be taken off: each field, those of tomorrow too.
#include <catch2/catch.hpp>
#include <vector>

#include "base/archive.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

// Gives each number another value, from `next` on, and each list two elements.
class Fill {
  public:
    explicit Fill(int from) : next_(from) {}
    template <class... T>
    void operator()(T&... values)
    {
        (fill(values), ...);
    }

  private:
    template <class T>
    void fill(T& value)
    {
        if constexpr (is_number<T>)
            value = static_cast<T>(next_++);
        else
            exchange(*this, value);
    }
    void fill(bool& value) { value = true; }
    void fill(std::string_view& text) { text = "text"; }
    template <int Bits>
    void fill(BasicHistogram<Bits>& histogram)
    {
        const int value = next_++;
        histogram.record(value, static_cast<std::uint64_t>(value));
    }
    template <class T>
    void fill(std::vector<T>& values)
    {
        values.resize(2);
        for (T& value : values) fill(value);
    }
    template <class T, std::size_t N>
    void fill(std::array<T, N>& values)
    {
        for (T& value : values) fill(value);
    }
    template <class T>
    void fill(std::optional<T>& value)
    {
        fill(value.emplace());
    }

    int next_;
};

// All numbers, one after the other; of a histogram how many values it has, and their sum.
class Numbers {
  public:
    template <class... T>
    void operator()(T&... values)
    {
        (list(values), ...);
    }
    std::vector<double> all;

  private:
    template <class T>
    void list(T& value)
    {
        if constexpr (is_number<T>)
            all.push_back(static_cast<double>(value));
        else
            exchange(*this, value);
    }
    void list(std::string_view&) {}
    template <int Bits>
    void list(BasicHistogram<Bits>& histogram)
    {
        all.push_back(static_cast<double>(histogram.count()));
        all.push_back(histogram.mean() * static_cast<double>(histogram.count()));
    }
    template <class T>
    void list(std::vector<T>& values)
    {
        for (T& value : values) list(value);
    }
    template <class T, std::size_t N>
    void list(std::array<T, N>& values)
    {
        for (T& value : values) list(value);
    }
    template <class T>
    void list(std::optional<T>& value)
    {
        if (value) list(*value);
    }
    template <class T>
    void list(Boxed<T>& value)
    {
        list(value.make());
    }
};

template <class T>
T filled(int from)
{
    T value;
    Fill fill(from);
    fill(value);
    return value;
}

template <class T>
std::vector<double> numbers(T value)
{
    Numbers numbers;
    numbers(value);
    return numbers.all;
}

// `drop` empties the fields of which there is no sum and no difference.
template <class T, class Drop>
void adds_up(Drop&& drop)
{
    const T a = filled<T>(1), b = filled<T>(1001);
    T sum = a, own = b, other = a;
    add_up(sum, b);
    for (T* each : {&sum, &own, &other}) drop(*each);
    std::vector<double> expected = numbers(own);
    const std::vector<double> more = numbers(other), got = numbers(sum);
    REQUIRE(more.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += more[i];
    CHECK_THAT(got, Catch::Matchers::Approx(expected));
}

template <class T, class Drop>
void takes_off(T all, const T& earlier, Drop&& drop)
{
    T own = all, before = earlier;
    take_off(all, earlier);
    for (T* each : {&all, &own, &before}) drop(*each);
    std::vector<double> expected = numbers(own);
    const std::vector<double> less = numbers(before), got = numbers(all);
    REQUIRE(less.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= less[i];
    CHECK_THAT(got, Catch::Matchers::Approx(expected));
}

void drop_extremes(WorkloadStatistics& w)
{
    for (Durations& cause : w.failures) cause.least.value = cause.most.value = 0;
    for (TransactionStatistics& request : w.by_request)
        for (Durations& cause : request.failures) cause.least.value = cause.most.value = 0;
    w.flows.most.value = 0;
    w.flows.open.clear();
    w.flows.arrived.clear();
    w.first_broken = w.first_wrong = {0, {}};
    w.first_unexpected_size = w.first_unexpected_status = w.first_bad_status = {0, 0, 0};
    w.first_unexpected_content = {0, 0, {}};
    w.first_failed_check = {0, 0, 0, 0, {}};
    w.checks_content = false;
    w.delivered.clear();  // of the elements of arrays, and of senders that may be in another order
}

void forget_ages(WorkloadStatistics& w)
{
    for (auto* ages : {&w.offered.ages, &w.pages.ages, &w.open_ages}) ages->clear();
    for (TransactionStatistics& request : w.by_request) request.open_ages.clear();
}

}  // namespace

TEST_CASE("what clusters have counted adds up in each field")
{
    const auto nothing = [](auto&) {};
    adds_up<DatagramStatistics>(nothing);
    adds_up<EchoStatistics>(nothing);
    adds_up<CallStatistics>(nothing);
    adds_up<ServerStatistics>(nothing);
    adds_up<NetCounters>([](NetCounters& n) { n.begin = n.end = 0; });
    adds_up<Second>([](Second& s) { s.longest.value = s.longest_from_due.value = 0; });
    adds_up<GroupStatistics>(nothing);
    adds_up<WorkloadStatistics>([](WorkloadStatistics& w) {
        drop_extremes(w);
        forget_ages(w);  // those of both
    });
}

TEST_CASE("what was counted before a batch is taken off each field, and nothing is open in it")
{
    const WorkloadStatistics earlier = filled<WorkloadStatistics>(1);
    WorkloadStatistics all = earlier;
    add_up(all, filled<WorkloadStatistics>(1001));
    takes_off(all, earlier, [](WorkloadStatistics& w) {
        drop_extremes(w);
        w.in_progress = w.calls.in_progress = w.offered.waiting = w.pages.in_progress = 0;
        forget_ages(w);
    });
    all.remove(earlier);
    CHECK(all.in_progress + all.calls.in_progress + all.offered.waiting + all.pages.in_progress == 0);
    CHECK(all.open_ages.size() + all.offered.ages.size() + all.pages.ages.size() == 0);
    REQUIRE(all.delivered.size() == 1);
    takes_off(filled<LinkCounters>(1001), filled<LinkCounters>(1), [](LinkCounters& link) {
        link.link = 0;
        link.longest_queue_delay.value = 0;
    });
}

}  // namespace ANML_UNIT_FILE
