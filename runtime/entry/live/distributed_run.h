// A live run that is divided between several processes (`live --listen`, `--join`): how they come together, and how
// process 0 gets what all have found out.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "entry/run/run.h"
#include "io/live.h"
#include "kernel/post.h"
#include "processes/coordinator.h"
#include "processes/rendezvous.h"
#include "simulator/divide.h"

namespace anml::rt::entry {

class DistributedRun {
  public:
    // Meets the others, divides the run's model, and agrees with them on what time it is. Null: `error`.
    static std::unique_ptr<DistributedRun> meet(Run& run, io::LiveOptions& live, const std::atomic<bool>& stop,
                                                std::string& error);

    bool first() const { return ranks_->rank() == 0; }
    cct::Post* post() { return &post_; }
    void begin(Simulator& simulator) { coordinator_->begin(post_, simulator); }
    void fail(const std::string& error) { coordinator_->fail(error); }

    // Behind the run: process 0 has what all have counted from then on. What one that has gone had is missing, and
    // `report` says why.
    void gather(Simulator& simulator, LiveReport& report);
    // What process 0 says; it waits for nobody. Nothing: it has gone.
    std::optional<int> status(int own);

  private:
    explicit DistributedRun(processes::Rendezvous met) : ranks_(std::move(met.ranks)), post_(*ranks_) {}
    bool divide(Run& run, io::LiveOptions& live, const std::vector<processes::Introduction>& all, std::string& error);

    std::unique_ptr<processes::TcpRanks> ranks_;
    cct::Post post_;
    Parts parts_;
    std::unique_ptr<processes::Coordinator> coordinator_;
};

}  // namespace anml::rt::entry
