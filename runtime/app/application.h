// What an application is: a namespace with a type State, of which each cluster has one, and with those of these
// functions that it needs. It begins with `using namespace otherwise`, which has them all, doing nothing.
//
// Timers of its own: k.schedule(node, at, timer_of(Number::its_name, which), payload), `which` below 4, comes back as
// timer(k, which, payload, at).
#pragma once

#include <cstdint>

#include "app/datagrams/datagram.h"
#include "app/figure_kind.h"
#include "app/phase.h"
#include "application_list.h"
#include "base/ids.h"
#include "base/time.h"
#include "net/net.h"
#include "transport/upcalls.h"

namespace anml::rt {

struct Cluster;
struct AppStatistics;

namespace app {

#define ANML_NUMBER(name) name,
enum class Number : tcp::Application { ANML_APPLICATIONS(ANML_NUMBER) };
#undef ANML_NUMBER

// By which it is known whether the model needs an application (net/facts.h).
#define ANML_RECORDS(name) (bit_of(app::name::Row::kSchema) | app::name::kActsFor)

// Whether a timer is one of before: its host was given another time to begin when its workload was switched on.
inline bool overtaken(Time at, Time due) { return facts.timeline && at != due; }

constexpr tcp::Application owner_number(Number application) { return static_cast<tcp::Application>(application); }

inline constexpr std::uint32_t kTimersEach = 4;
constexpr std::uint32_t timer_of(Number application, std::uint32_t which = 0)
{
    return timer_kind::kApplications + kTimersEach * static_cast<std::uint32_t>(application) + which;
}

namespace otherwise {

struct State {};

// All have a record that says that there are any, `using Row = abi::record::its_name`. A workload says which figures it
// comes to, and by its row what passes between two events of a host (phase.h).
inline constexpr FigureKind kFigureKind = FigureKind::none;
// Workloads whose hosts it acts for besides its own (Row): bits of their records.
inline constexpr RecordSet kActsFor = 0;
inline constexpr bool kHttp2 = false;  // it is only there for models that speak HTTP/2
template <class Row>
Rhythm rhythm(const Row&)
{
    return {};
}

// A workload: a host that is to talk to `peer` begins at `first`; some are switched on, and those of them that wait
// begin as at the start (phase.h), whether their time came while they were off or would come later; some are switched
// off; its load or rate is another one (Timeline::Pace); links that were chosen are to be chosen again.
inline void start(Cluster&, NodeId /*host*/, NodeId /*peer*/, std::uint32_t /*workload*/, Time /*first*/) {}
inline void resume(Cluster&, const Hosts&) {}
inline void stop(Cluster&, const Hosts&) {}
inline void change_pace(Cluster&, std::uint32_t /*workload*/, double /*pace*/) {}
inline void routes_changed(Cluster&) {}

// A datagram of the workload has reached its destination, a virtual host or the real one behind an endpoint. A real
// host has sent one to the port from which a host of the workload sends; false: nobody waits for it.
inline void received(Cluster& k, const node::Self&, const Packet& packet) { datagram::received(k, packet); }
inline void handed_over(Cluster& k, const Packet& packet) { datagram::received(k, packet); }
inline bool answered(Cluster&, const node::Self&, const Packet&) { return false; }
// A real host's ICMP says that nobody listens where a datagram of the workload went; `offender` is what it quotes.
inline void refused(Cluster& k, std::uint32_t workload, const Packet&) { datagram::refused(k, workload); }

inline void timer(Cluster&, std::uint32_t /*which*/, std::uint32_t /*payload*/, Time /*at*/) {}

// A server: whether it listens there, and then as which of its kind; whether it has room for one more; a SYN arrived.
inline bool listens(const Cluster&, NodeId, std::uint16_t /*port*/, std::uint32_t& /*owner*/) { return false; }
inline bool take_syn(Cluster&, std::uint32_t /*owner*/) { return true; }
inline bool admits(Cluster&, std::uint32_t /*slot*/) { return true; }
inline void accepted(Cluster&, std::uint32_t /*slot*/) {}

// Its connections: transport/upcalls.h.
inline void established(Cluster&, std::uint32_t /*slot*/) {}
inline void read(Cluster&, std::uint32_t /*slot*/, const tcp::Piece&) {}
inline void data(Cluster&, std::uint32_t /*slot*/) {}
inline void acknowledged(Cluster&, std::uint32_t /*slot*/, std::uint64_t /*bytes*/) {}
inline void arrived(Cluster&, std::uint32_t /*slot*/, std::uint32_t /*bytes*/) {}
inline void all_acknowledged(Cluster&, std::uint32_t /*slot*/) {}
inline void peer_closed(Cluster&, std::uint32_t /*slot*/) {}
inline void failed(Cluster&, std::uint32_t /*slot*/, tcp::Failure) {}
inline void connection_timer(Cluster&, std::uint32_t /*slot*/) {}
// What TLS tells of those that have it (web_stream.h): their streams are open; something is wrong with it.
inline void opened(Cluster&, std::uint32_t /*slot*/) {}
inline void broke(Cluster&, std::uint32_t /*slot*/, const char* /*why*/) {}
inline bool waits_for_peer(const Cluster&, const tcp::Connection&) { return false; }

// Adds to the results what lies in its state.
inline void collect(const Cluster&, AppStatistics&, Time /*now*/) {}

}  // namespace otherwise
}  // namespace app
}  // namespace anml::rt
