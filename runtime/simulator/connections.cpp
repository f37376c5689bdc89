// Records of connections, out of all clusters in one order.
#include <algorithm>
#include <span>

#include "app/cluster.h"
#include "app/connection_records.h"
#include "simulator/simulator.h"
#include "simulator/state.h"

namespace anml::rt {

namespace {

// They are in the order of their ends, and those that end at one time in any.
void order_ties(std::span<ConnectionRecord> records)
{
    for (auto first = records.begin(); first != records.end();) {
        const auto last = std::find_if(first, records.end(), [&](const auto& r) { return r.end != first->end; });
        if (last - first > 1) std::sort(first, last, comes_before);
        first = last;
    }
}

}  // namespace

void Simulator::record_connections()
{
    for (auto& task : state_->tasks) task->cluster.records_connections = true;
}

std::span<const ConnectionRecord> Simulator::take_connections(bool last)
{
    std::vector<ConnectionRecord>& all = state_->connections;
    all.clear();
    for (auto& task : state_->tasks) {
        Cluster& k = task->cluster;
        if (last) app::connection_records::end_all(k);
        std::vector<ConnectionRecord>& ended = k.connection_records.ended;
        if (ended.empty()) continue;
        order_ties(ended);
        const auto before = static_cast<std::ptrdiff_t>(all.size());
        all.insert(all.end(), ended.begin(), ended.end());
        ended.clear();
        std::inplace_merge(all.begin(), all.begin() + before, all.end(), comes_before);
    }
    const Time origin = state_->tasks[0]->cluster.statistics.origin;
    for (ConnectionRecord& record : all) {
        record.start -= origin;
        record.end -= origin;
        if (record.finished != kNever) record.finished -= origin;
    }
    return all;
}

}  // namespace anml::rt
