// Traces of a link's capacity, as Mahimahi writes and reads them: a line for each opportunity to deliver
// abi::kOpportunityBytes, with its time in whole milliseconds, ascending; several at one time have a line each. The
// last time is the length of the trace, which then begins anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

inline constexpr std::size_t kLargestTrace = std::size_t{64} << 20;  // bytes of a file

struct LinkTrace {
    std::string name;                                                 // of the file, as the model writes it
    std::shared_ptr<const std::vector<std::uint32_t>> opportunities;  // ms
    std::string path;                                                 // that it was read from
};

// What is wrong with a trace's text, and where.
struct TraceError {
    std::string message;   // "": nothing
    std::size_t line = 0;  // from 1; 0: the text as a whole
    std::size_t begin = 0, end = 0;
};
TraceError read_trace(std::string_view text, std::vector<std::uint32_t>& opportunities);

// bit/s over the whole trace.
double mean_rate(const std::vector<std::uint32_t>& opportunities);

}  // namespace anml
