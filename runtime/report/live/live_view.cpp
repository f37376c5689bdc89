#include "report/live/live_view.h"

namespace anml::rt {

WorkloadView view_of(std::span<const WorkloadStatistics* const> clusters)
{
    WorkloadView view;
    for (const WorkloadStatistics* counted : clusters) {
        const WorkloadStatistics& w = *counted;
        view.completed += w.completed;
        view.in_progress += w.in_progress;
        for (std::size_t i = 0; i < kFailureCauses; ++i) view.failed[i] += w.failures[i].count;
        view.request_bytes += w.request_bytes;
        view.response_bytes += w.response_bytes;
        view.response_seconds +=
            w.response_time.took.mean() * static_cast<double>(w.response_time.took.count()) / kSecond;
        view.datagrams_sent += w.datagrams.sent;
        view.datagrams_received += w.datagrams.received;
        view.datagrams_lost += w.datagrams.lost;
        view.echoes_sent += w.echoes.sent;
        view.echoes_received += w.echoes.received;
        view.echoes_lost += w.echoes.lost;
    }
    return view;
}

}  // namespace anml::rt
