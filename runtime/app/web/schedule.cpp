#include "app/web/schedule.h"

#include <algorithm>
#include <cmath>

#include "abi/records.h"
#include "net/model.h"

namespace anml::rt::app::schedule {

namespace {

constexpr double kMost = 4e18;  // ns: what is later never comes

struct Part {
    double duration, begin, end;

    double load(double passed) const { return duration > 0 ? begin + (end - begin) * (passed / duration) : end; }
    double work(double passed) const { return (begin + load(passed)) / 2 * passed; }
    double work() const { return (begin + end) / 2 * duration; }
    // When so much of it is done; there is more.
    double time_of(double work) const
    {
        if (work <= 0) return 0;
        const double slope = (end - begin) / duration;
        return 2 * work / (begin + std::sqrt(std::max(0.0, begin * begin + 2 * slope * work)));
    }
};

class Parts {
  public:
    Parts(const Model& model, abi::Slice stages) : model_(model), listed_(abi::listed(model.image(), stages))
    {
        for (std::size_t i = 0; i < count(); ++i) {
            duration_ += (*this)[i].duration;
            work_ += (*this)[i].work();
        }
    }

    std::size_t count() const { return listed_.size(); }
    Part operator[](std::size_t i) const
    {
        const auto& row = abi::row_of<abi::record::stage>(model_.image(), listed_[i]);
        return {static_cast<double>(model_.time(row.duration)), model_.value(row.begin), model_.value(row.end)};
    }
    double duration() const { return duration_; }  // of all
    double work() const { return work_; }

  private:
    const Model& model_;
    std::span<const std::uint32_t> listed_;
    double duration_ = 0, work_ = 0;
};

// Takes away all whole rounds of `each`, and says how many there were.
double take_rounds(double& what, double each)
{
    const double rounds = std::floor(what / each);
    what -= rounds * each;
    return rounds;
}

Time rounded(double ns) { return ns < kMost ? std::llround(ns) : kNever; }

}  // namespace

Time work_until(const Model& model, abi::Slice stages, bool repeat, Time passed)
{
    const Parts parts(model, stages);
    auto left = static_cast<double>(passed);
    double work = 0;
    if (repeat && parts.duration() > 0) work = take_rounds(left, parts.duration()) * parts.work();
    for (std::size_t i = 0; i < parts.count(); ++i) {
        const Part part = parts[i];
        if (left < part.duration) return rounded(work + part.work(left));
        left -= part.duration;
        work += part.work();
    }
    return rounded(work + (repeat ? 0 : left * parts[parts.count() - 1].end));
}

Time time_of(const Model& model, abi::Slice stages, bool repeat, double work)
{
    const Parts parts(model, stages);
    double left = work, time = 0;
    if (repeat) {
        if (parts.work() <= 0) return kNever;
        time = take_rounds(left, parts.work()) * parts.duration();
    }
    for (std::size_t i = 0; i < parts.count(); ++i) {
        const Part part = parts[i];
        if (left < part.work()) return rounded(time + part.time_of(left));
        left -= part.work();
        time += part.duration;
    }
    if (repeat) return rounded(time);
    const double load = parts[parts.count() - 1].end;
    return load > 0 ? rounded(time + left / load) : kNever;
}

}  // namespace anml::rt::app::schedule
