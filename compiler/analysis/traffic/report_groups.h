// Groups of transactions that `report by` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elaborate/network.h"

namespace anml {

// What one `report by` makes of the transactions: which group those of a host are in, by workload.
struct ReportGroups {
    static constexpr std::size_t kMost = 256;
    struct Hosts {
        std::uint32_t first_node = 0, count = 0, group = 0;
    };
    std::vector<std::vector<std::string>> groups;  // a label for each key, "-": none; empty: all further ones
    std::vector<std::vector<Hosts>> hosts;  // by workload, in the order of nodes; none of what asks for no documents
};
ReportGroups report_groups(const Network& network, const ReportInfo& report);

}  // namespace anml
