// A cluster: a sequential simulator over all nodes, or those of a task, with all that runs on them.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "app/connection_records.h"
#include "app/statistics.h"
#include "app/web_client/body_check.h"
#include "app/web_client/request_script.h"
#include "app/web_client/web_origins.h"
#include "app/web_client/web_stream.h"
#include "application_headers.h"
#include "transport/transport.h"

namespace anml::rt {

struct Cluster : Transport {
    Cluster(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network, const OpenPorts& open);

    // What each application keeps.
#define ANML_STATE(name) app::name::State name;
    ANML_APPLICATIONS(ANML_STATE)
#undef ANML_STATE

    app::WebOrigins web_origins;
    app::WebStreams web_streams;
    app::BodyChecks body_checks;
    app::RequestScripts request_scripts;
    std::vector<double> sampler_states;  // of their random times
    AppStatistics statistics;
    ConnectionRecords connection_records;

    Time passed() const { return now - statistics.origin; }  // since the workloads' start

    // The first of the words that one more user of the distribution needs.
    std::uint32_t sampler_state(const abi::Distribution& distribution)
    {
        return take_sampler_words(state_words(distribution));
    }
    std::uint32_t take_sampler_words(std::uint32_t words)
    {
        const auto first = static_cast<std::uint32_t>(sampler_states.size());
        sampler_states.resize(first + words);
        return first;
    }
};

// Every network has them: what net/ and transport/ call are parts of one.
inline Cluster& cluster(Net& k) { return static_cast<Cluster&>(k); }
inline const Cluster& cluster(const Net& k) { return static_cast<const Cluster&>(k); }

namespace app {

// Adds to the results what lies in the applications' states.
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace app
}  // namespace anml::rt
