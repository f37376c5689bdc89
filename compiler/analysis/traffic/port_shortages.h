// Hosts that will run out of local ports: each connection that they close first keeps its port in TIME_WAIT for a while
// (RFC 9293, 3.6), and they open more in that time than they have ports for their server. An estimate, as the expected
// traffic is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/traffic/expected_traffic.h"
#include "analysis/traffic/flows.h"
#include "base/diagnostics.h"

namespace anml {

struct PortShortage {
    const WorkloadInfo* workload = nullptr;  // of several of the host that with most connections
    std::uint32_t client = 0, server = 0;    // node ids
    double connections = 0;                  // that the host opens to the server's port, per second
    double in_all = 0;                       // that it opens at most
    double ports = 0, wait = 0;              // for the server; how long each is kept, ns
    double within = 0;                       // that long, or the run, ns

    double badness() const { return std::min(connections * within * 1e-9, in_all) / ports; }
};
std::vector<PortShortage> port_shortages(const Network& network, const std::vector<Flow>& flows,
                                         const ExpectedTraffic& traffic, const std::vector<double>& tunables);

std::string describe_shortage(const Network& network, const PortShortage& shortage);
const char* more_ports(const PortShortage& shortage);  // what helps

// Of each workload the worst, as warnings. Flows are looked for only where a workload may open so many connections.
void warn_of_port_shortages(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);

}  // namespace anml
