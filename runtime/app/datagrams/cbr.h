// Constant bit rate over UDP: hosts that send datagrams at equal intervals, or at drawn ones.
//
// Datagram n of a host leaves at its first one's time plus n intervals, rounded to ns each, so that no error adds up.
// Where the timeline changes the rate, what was left of an interval goes on at the new one, and intervals count from
// there; one that was drawn is over, and the next datagram leaves an interval of the new rate later. A host has one
// pending event.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/datagrams/datagram.h"
#include "base/time.h"

namespace anml::rt {

namespace app {

struct CbrSender {
    Time first = 0;       // when datagram `base` is sent, or was
    double base = 0;      // need not be whole
    double interval = 0;  // ns; infinity: it sends none; 0: intervals are drawn, and `first` is the next one's time
    std::uint32_t drawn = 0;  // of the cluster's sampler states
    DatagramSender to;
};

namespace cbr {

using namespace otherwise;
using Row = abi::record::cbr;
using State = std::vector<CbrSender>;
inline constexpr FigureKind kFigureKind = FigureKind::datagrams;
inline Rhythm rhythm(const Row& row) { return open_rhythm(row.interval); }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t sender, Time at);  // its next datagram is due
// The workload is switched on: all begin again (phase.h), and go on at its intervals.
void resume(Cluster& k, const Hosts& hosts);
void change_pace(Cluster& k, std::uint32_t workload, double rate);
void routes_changed(Cluster& k);

}  // namespace cbr
}  // namespace app
}  // namespace anml::rt
