// On/off sources over UDP: periods in which a host sends datagrams at equal intervals, with silence between them.
//
// Both lengths are drawn. Datagrams are an interval of sending time apart: what is left of one at the end of a period
// is waited for in the next, so that the mean rate is the share of time in which it sends, however short the periods
// are. Where the timeline changes the rate, what is left of an interval goes on at the new one. A host has one pending
// event.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/datagrams/datagram.h"
#include "base/time.h"

namespace anml::rt {

namespace app {

struct OnOffSender {
    DatagramSender to;
    Time until = 0;                 // the present period ends
    Time due = 0;                   // the next event
    Time pause = kNever;            // behind the present period, once it is drawn
    double interval = 0;            // ns of sending time; infinity: it sends none
    double share = 0;               // of an interval that was left when it changed last
    double rest = 0;                // ns of sending time from the last event to the next datagram
    std::uint64_t periods = 0;      // begun
    std::uint32_t on = 0, off = 0;  // of the lengths: the first words in Cluster::sampler_states
    bool silent = true;             // the next event begins a period
};

namespace on_off {

using namespace otherwise;
using Row = abi::record::on_off;
using State = std::vector<OnOffSender>;
inline constexpr FigureKind kFigureKind = FigureKind::datagrams;
inline Rhythm rhythm(const Row& row) { return {&row.pause}; }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t sender, Time at);  // a datagram, or a period, is due
// The workload is switched on: for all a period begins.
void resume(Cluster& k, const Hosts& hosts);
void change_pace(Cluster& k, std::uint32_t workload, double rate);
void routes_changed(Cluster& k);

}  // namespace on_off
}  // namespace app
}  // namespace anml::rt
