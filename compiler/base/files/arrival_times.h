// When transactions begin. A line each: seconds from the start; behind blanks or a comma, if that is said, which client
// begins it, from 0; then which document it asks for, from 1. Lines may stand in any order. Empty ones and those that
// begin with # say nothing.
#pragma once

#include "base/files/data_file.h"

namespace anml {

inline constexpr std::size_t kLargestTimes = std::size_t{1} << 30;  // bytes of a file
inline constexpr std::size_t kMostArrivals = 100000000;

class ArrivalTimesReader {
  public:
    LineError take(std::string_view line);
    std::string finish();  // "", or what is wrong with the file as a whole
    std::vector<FileArrival> arrivals;
    std::uint32_t clients = 0;   // 1 + the largest number that was said
    std::uint32_t documents = 0;  // the same
};

}  // namespace anml
