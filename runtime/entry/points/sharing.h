// Which points of an experiment are the same run, and until when. Points that differ in values of the timeline alone
// are, up to the first moment at which it does something else for one of them than for another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/image.h"
#include "base/time.h"

namespace anml::rt::entry {

class Sharing {
  public:
    struct Point {
        std::vector<double> tunables;
        std::string otherwise;  // what else tells runs apart: their seed
    };
    Sharing(const abi::Image& image, std::span<const Point> points);

    using Group = std::vector<std::uint32_t>;  // of points, by number
    // Those that are the same at the start.
    std::vector<Group> at_start() const { return split(everything_, 0); }
    // Until when those of the group are the same: at that time one is another. kNever: all are, always.
    Time until(const Group& group) const;
    // The group, whose points are the same before the time, by what they are at it. The first one's group is the first.
    std::vector<Group> split(const Group& group, Time time) const;

  private:
    struct Use {  // of the timeline
        std::size_t time;
        std::vector<std::size_t> values;  // both indices of a point's values
    };
    using Values = std::vector<double>;
    static Time time_of(const Use& use, const Values& values);

    std::vector<Values> points_;        // of each the values that not all have alike
    std::vector<std::uint32_t> start_;  // by point: how it is from the start, numbered
    std::vector<Use> uses_;
    Group everything_;
};

}  // namespace anml::rt::entry
