// S-Client: sockets that are kept connecting (Banga and Druschel, USENIX USITS 1997).
//
// A host has so many. Each connects; when it has, or when the connect time-out is over, it connects anew. What it has
// connected to goes on as a transaction of a client record of its own (closed_loop.h), which nobody waits for. A closed
// loop waits for an overloaded server as TCP repeats its SYN, ever more slowly; these don't.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/ids.h"
#include "base/time.h"

namespace anml::rt::app {

struct SClientHost {
    NodeId node = 0;
    std::uint32_t workload = 0;      // row
    std::uint32_t transactions = 0;  // begun: SYNs
    std::uint32_t choices = 0;       // of the documents that it draws: the first word in Cluster::sampler_states
    std::uint32_t memory = kNone;    // of its clients (web_exchange.h)
    std::uint32_t dormant = 0;       // sockets that wait until the workload is switched on
};

struct SClients {
    std::vector<SClientHost> hosts;   // by workload, then by target
    std::vector<std::uint32_t> idle;  // clients without a transaction
};

namespace s_client {

using namespace otherwise;
using Row = abi::record::s_client;
using State = SClients;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline Rhythm rhythm(const Row& row) { return {nullptr, row.connect_timeout}; }

bool is_s_client(const Cluster& k, std::uint32_t workload);
void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t host, Time at);  // one of its sockets connects
void connected(Cluster& k, std::uint32_t client);                          // the socket that it had connects anew
void finished(Cluster& k, std::uint32_t client);                           // its transaction has ended
void resume(Cluster& k, const Hosts& hosts);                               // it is switched on: those that wait begin

}  // namespace s_client
}  // namespace anml::rt::app
