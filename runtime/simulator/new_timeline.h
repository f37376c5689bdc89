// A timeline with changes that were entered while the model runs. It is made beside the run, by any thread, since that
// may take long; Simulator::enter puts it in the place of the one before, which takes as long as there are events
// pending.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/link/impair.h"
#include "net/timeline/changes.h"
#include "net/timeline/entered.h"
#include "net/timeline/timeline.h"

namespace anml::rt {

struct Net;

class NewTimeline {
  public:
    // `entered`: all so far, those of the last command behind the others. Before `from`, a time since the workloads'
    // start, everything stays as it was.
    NewTimeline(const Model& model, std::span<const EnteredChange> entered, Time from);

    // Why it cannot be; "": it can.
    const std::string& error() const { return timeline_->error(); }
    Time from() const { return from_; }
    // Whether it is as the present one up to from().
    bool continues(const Timeline& present) const { return timeline_->is_same_before(from_, present); }
    // Simulator::enter.
    void exchange(Net& k, std::unique_ptr<const Timeline>& present, Time origin);

  private:
    Time from_;
    std::unique_ptr<const Timeline> timeline_;
    std::unique_ptr<Changes> changes_;
    std::vector<Impairments> laws_;
};

}  // namespace anml::rt
