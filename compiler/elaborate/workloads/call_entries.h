// For which requests servers make their calls: `entry` of web.Calls.
#pragma once

#include <string_view>
#include <vector>

#include "elaborate/network.h"

namespace anml {

// Empty: for all.
std::vector<std::string_view> entries_of(const Network& network, const WorkloadInfo& call);
// The share of a document's requests, or of a set's, each of which is asked for as often, that begin with one of these.
double share_of_entries(const Network& network, const std::vector<std::string_view>& entries,
                        const DocumentInfo& document);
// Whether a server that is asked for what `by` asks for would make the call, and for which share of these requests.
// Of a relay: whether it sends on what `by` sends.
bool is_made_for(const Network& network, const WorkloadInfo& call, const WorkloadInfo& by);
double share_made(const Network& network, const WorkloadInfo& call, const WorkloadInfo& by);

}  // namespace anml
