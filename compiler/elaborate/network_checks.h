// What needs the whole network, and nothing of how it was made.
#pragma once

#include <functional>
#include <string>

#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

// Once per place.
using ReportOnce = std::function<Diagnostics::Builder(Diag diag, Span span, std::string message)>;

void number_nodes(Network& network);  // dense ids, when all rows are made
void number_ipv6(Network& network);   // nodes without an address of IPv4 are known by handles

void check_nodes_in_prefixes(const Network& network, const ReportOnce& report);
void check_transparent_links(const Network& network, const ReportOnce& report);
void balancers_have_ipv4(const Network& network, const ReportOnce& report);
void find_call_cycles(const Network& network, const ReportOnce& report);
void check_call_stages(const Network& network, const ReportOnce& report);
void check_call_entries(const Network& network, const ReportOnce& report);

}  // namespace anml
