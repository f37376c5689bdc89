#include "app/cluster.h"

namespace anml::rt {

namespace {

template <class State>
State make_state(const Model& model, bool real)
{
    if constexpr (std::is_constructible_v<State, const Model&, bool>)
        return State(model, real);
    else
        return State();
}

}  // namespace

#define ANML_MADE(name) , name(make_state<app::name::State>(m, e != 0))
Cluster::Cluster(const Model& m, std::uint64_t s, Time e, NetworkState& n, const OpenPorts& open)
    : Transport(m, s, e, n, open) ANML_APPLICATIONS(ANML_MADE), web_origins(m), web_streams(m, web_origins, s, e != 0),
      body_checks(m), request_scripts(m)
{
    statistics.workloads.resize(image.workload_count);
    for (std::uint32_t i = 0; i < image.workload_count; ++i)
        statistics.workloads[i].checks_content = body_checks.asks(i);
}
#undef ANML_MADE

#define ANML_COLLECT(name) app::name::collect(k, all, now);
void app::collect(const Cluster& k, AppStatistics& all, Time now)
{
    ANML_APPLICATIONS(ANML_COLLECT)
    datagram::collect(k, all);
}
#undef ANML_COLLECT

}  // namespace anml::rt
