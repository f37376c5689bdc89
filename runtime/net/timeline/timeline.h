// The timeline with its values bound: what changes when. Read-only once made, and shared by the clusters.
//
// A link that changes has versions, each from one change to the next. Times count from the workloads' start.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/image.h"
#include "base/time.h"
#include "net/link/impair.h"
#include "net/model.h"
#include "net/packet/packet.h"
#include "net/timeline/entered.h"
#include "net/timeline/population.h"

namespace anml::rt {

// Per direction, as LinkState has them.
struct LinkVersion {
    Time time = 0;  // since when
    Time delay[2] = {0, 0};
    double rate[2] = {0, 0};
    std::uint32_t capacity[2] = {0, 0};
    std::uint16_t packet_limit[2] = {0, 0};
    std::uint32_t law[2] = {abi::kNone, abi::kNone};         // of NetworkState::laws; kNone: it never has impairments
    std::uint32_t discipline[2] = {abi::kNone, abi::kNone};  // row of the image's records; kNone: drop-tail
    bool up = true;
};

struct ChangingLink {
    LinkId link = 0;                    // direction 0
    std::vector<LinkVersion> versions;  // the first from the start
    bool traced[2] = {false, false};    // by direction: it follows a trace
    bool held[2] = {false, false};      // the same: it is impaired, packets leave it at an event (changes.h)
};

class Timeline {
  public:
    // `entered`: besides the model's own, of all times. What happens before a time does not depend on what is entered
    // behind it; versions of links and laws are numbered alike, then.
    explicit Timeline(const Model& model, std::span<const EnteredChange> entered = {});

    // Why the emulator cannot run it with these tunables; "": it can.
    const std::string& error() const { return error_; }
    bool empty() const { return instants.empty() && links.empty(); }

    struct Change {  // of a link, to a version
        std::uint32_t link;
        std::uint32_t version;
    };
    struct Switch {  // of a workload: so many of its hosts are on
        std::uint32_t workload;
        std::uint64_t hosts;
        Turn behind;  // the turns of these
        bool active;  // it is not switched off as a whole
    };
    struct Pace {  // of a workload: its `load` or `rate`; kDeclared: as the model has it without the timeline
        std::uint32_t workload;
        double value;
    };
    static constexpr double kDeclared = -1;
    struct Instant {
        Time time;
        abi::Slice changes, switches, paces;  // rows of the tables below
        std::uint32_t epoch = abi::kNone;     // row of Image::epochs that begins
    };
    std::vector<Instant> instants;  // by time
    std::vector<ChangingLink> links;
    std::vector<Change> changes;
    std::vector<Switch> switches;
    std::vector<Pace> paces;
    std::vector<Impairments> laws;  // that it makes, numbered behind the image's records; the first does nothing

    std::uint32_t index_of(LinkId link) const;  // of `links`, kNone: it never changes

    // Whether the other one does the same before a time, and has links in the same places: a run that is not there yet
    // may go on with it. Both are of the same image.
    bool is_same_before(Time time, const Timeline& other) const;

    // For the lookahead of channels: the least delay and the greatest rate that a direction of a link of the row has.
    struct Bounds {
        Time delay;
        double rate;
        bool held;     // packets leave one of them at an event
        Time rounded;  // by which what is transmitted while the rate changes may end earlier
    };
    Bounds bounds(std::uint32_t link_row, std::uint32_t direction) const;

    // How long a link was down in [0, end).
    static Time downtime(const ChangingLink& link, Time end);

  private:
    const Model& model_;
    std::string error_;
    std::vector<std::uint32_t> index_;  // by directed link / 2: 1 + index of `links`; empty: none changes
};

}  // namespace anml::rt
