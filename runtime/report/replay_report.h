// What became of capture files that took the places of hosts (io/pcap_device.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anml::rt {

struct ReplayReport {
    struct Files {
        std::uint64_t read = 0;       // packets
        std::uint64_t cut_short = 0;  // of these the file had only the beginning
        std::uint64_t entered = 0;    // the network, so many packets
        std::uint64_t written = 0;
    };
    struct Endpoint {
        std::uint32_t row;
        std::string in, out;  // "": none
        Files counted;
    };
    std::vector<Endpoint> endpoints;
    // Of packets that were read and did not enter, in a run that simulates; a live one has them among its own.
    std::uint64_t malformed = 0, foreign = 0, ipv6 = 0, tagged = 0;
};

}  // namespace anml::rt
