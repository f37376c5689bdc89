// What a simulator consists of, for the files of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernel/post.h"
#include "kernel/scheduler.h"
#include "net/network_state.h"
#include "net/timeline/timeline.h"
#include "profile/recorder.h"
#include "simulator/cluster_task.h"
#include "simulator/join_tasks.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"
#include "transport/ports/open_ports.h"

namespace anml::rt {

struct Simulator::State {
    State(const Model& model, std::uint64_t seed, Time epoch, unsigned workers, unsigned most_tasks,
          std::span<const EnteredChange> entered, cct::Post* post);
    // The cluster of a node; null: another process has it.
    Cluster* owner(NodeId node) const;
    void follow_timeline();
    void begin_fluid(Time at);

    std::unique_ptr<const Timeline> timeline;
    NetworkState network;
    const OpenPorts ports;
    const Model& model;
    Division division;                                // into tasks, of which this process has some
    std::vector<std::unique_ptr<ClusterTask>> tasks;  // these
    cct::Post* const post;                            // null: there is one process
    std::unique_ptr<cct::Scheduler> scheduler;        // null: sequential
    std::unique_ptr<cct::Recorder> recorder;          // null: no profile is wanted
    std::vector<Statistics> others;                   // of the other processes, once they were gathered
    bool damaged = false;                             // some that came of them could not be read
    std::uint64_t other_digests = 0;                  // the same
    Time now = 0;
    Time timeline_origin = 0;
    NetworkState::BusyLinks busy_at_begin, busy_at_end;       // of the measured window, where time has passed those
    std::optional<Streams> streams_at_begin, streams_at_end;  // the same
    std::vector<ConnectionRecord> connections;                // that were taken last
    Statistics statistics;                                    // gathered from the clusters
    std::uint32_t batch_count = 0;
    struct Cut {
        Time at;
        bool batch;  // its end; else an end of a part that is measured
    };
    std::vector<Cut> cuts;  // by time
    std::size_t cuts_over = 0, cuts_filed = 0;
    std::vector<std::vector<std::uint8_t>> cut_parts;      // in real time: what each process had counted at them
    std::vector<Snapshot> snapshots;                       // at rank 0
    std::vector<WorkloadStatistics> counted;               // at the end of the last batch
    std::vector<std::vector<WorkloadStatistics>> batches;  // that are over, at rank 0
    std::vector<LinkCounters> counted_links;               // the same
    std::vector<std::vector<LinkCounters>> batch_links;
    std::map<LinkId, Time> longest_delays;  // in queues, of batches that are over

    void run_until(Time limit);
    void reach_boundaries(Time limit);
    void stand_at(Time time);
    void make_cuts();
    void take_cut();
    void forget_longest_delays(const std::vector<LinkCounters>& links);
    void join_cut(const std::vector<std::vector<std::uint8_t>>& parts);
    void file_cut(Statistics all);
    void file_batch(Statistics all);
    void gather_cuts();
    std::vector<LinkCounters> count_links() const;
    Streams streams() const;
    void count_streams(Statistics& all) const;
    void count(Statistics& all) const;
    void count_network(Statistics& all) const;
};

}  // namespace anml::rt
