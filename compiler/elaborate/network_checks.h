// What needs the whole network, and nothing of how it was made.
#pragma once

#include "elaborate/report_once.h"

namespace anml {

void number_nodes(Network& network);  // dense ids, when all rows are made
void number_ipv6(Network& network);   // nodes without an address of IPv4 are known by handles

void check_nodes_in_prefixes(const Network& network, ReportOnce& report);
void check_transparent_links(const Network& network, ReportOnce& report);
void balancers_have_ipv4(const Network& network, ReportOnce& report);
void find_call_cycles(const Network& network, ReportOnce& report);
void check_call_stages(const Network& network, ReportOnce& report);
void check_call_entries(const Network& network, ReportOnce& report);

}  // namespace anml
