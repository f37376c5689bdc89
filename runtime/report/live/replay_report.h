// What became of capture files that took the places of hosts (io/capture/pcap_device.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anml::rt {

struct ReplayReport {
    // Why a packet of a file did not enter the network.
    enum class Ignored : std::uint8_t { foreign, not_ip, groups, ipv6, malformed, too_long };
    struct Cause {
        std::string_view key, words;
    };
    static constexpr std::array<Cause, 6> kCauses = {{
        {"foreign", "their source is not the endpoint's address, nor behind it"},
        {"not_ip", "of other protocols than IP"},
        {"groups", "they stay on their link: to a group, to all, or with a link-local address of IPv6"},
        {"ipv6", "they are of no subnet of IPv6 behind the endpoint"},
        {"malformed", "their headers are not whole, or contradict each other"},
        {"too_long", "of more than 64 KB, and no TCP that could be cut into segments"},
    }};

    // Packets of the file, but for `packets`. What was read has entered or is ignored, once.
    struct Files {
        std::uint64_t read = 0;
        std::uint64_t entered = 0;  // the network
        std::uint64_t packets = 0;  // those that entered, as so many, since TCP may be cut into segments
        std::array<std::uint64_t, kCauses.size()> ignored{};
        // Of those that entered:
        std::uint64_t cut_short = 0;       // the file has the beginning only
        std::uint64_t repaired = 0;        // the IP header's checksum or length was not right
        std::uint64_t wrong_checksum = 0;  // of the transport, which no router looks at
        std::uint64_t back_in_time = 0;    // of all that were read: captured before the one before them
        bool goes_on = false;              // behind the end of the run
        std::uint64_t written = 0;
    };
    struct Endpoint {
        std::uint32_t row;
        std::string in, out;  // "": none
        Files counted;
    };
    std::vector<Endpoint> endpoints;
};

}  // namespace anml::rt
