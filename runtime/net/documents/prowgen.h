// Documents and requests for them, as ProWGen makes them up (Busari and Williamson, "On the Sensitivity of Web Proxy
// Cache Performance to Workload Characteristics", INFOCOM 2001), with a static LRU stack. Documents are numbered by
// popularity, from 0.
#pragma once

#include <cstdint>
#include <vector>

namespace anml::rt::prowgen {

struct Parameters {
    std::uint32_t documents = 1;
    std::uint64_t requests = 1;
    double one_timers = 0;   // share of the documents
    double slope = 0;        // of the others' popularity
    double correlation = 0;  // Spearman's, of size and popularity
    std::uint64_t stack = 0;
    std::uint64_t seed = 1;
};

// How often each is asked for: the first in proportion to k^-slope and at least twice, the one-timers once. The sum is
// `requests`, or more where these are too few.
std::vector<std::uint32_t> references(const Parameters& given);

// The requests: numbers of documents.
std::vector<std::uint32_t> sequence(const Parameters& given);

// The same sizes, in an order that has the correlation; none at 0.
void correlate(const Parameters& given, std::vector<std::uint64_t>& sizes);

}  // namespace anml::rt::prowgen
