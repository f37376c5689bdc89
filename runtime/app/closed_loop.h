// Closed-loop web clients: one HTTP/1.0 GET per connection, the next transaction after the end of the one before and a
// think time.
//
// A transaction begins with its SYN; unanswered for connect_timeout, or as long as TCP repeats it, it is abandoned and
// counted as failed. It ends when the response is whole by its own framing (http_response.h), and the client closes,
// whether the server does or not; or, where the workload says so (TransactionEnd in web_client.def), when the server's
// FIN has arrived behind all data, as the paper's do. A response that is cut short or whose framing is broken has
// failed. After every transaction comes the think time, and after refusals in a row a growing pause (outcome.h).
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/http_response.h"
#include "base/time.h"
#include "net/packet.h"

namespace anml::rt {

namespace app {

struct Client {
    Time started = 0;    // of the current transaction
    Time connected = 0;  // the SYN was answered
    Time answered = 0;   // the response began; 0: it has not
    NodeId node = 0;
    std::uint32_t workload = 0;      // row
    std::uint32_t transactions = 0;  // begun
    std::uint32_t document = 0;      // asked for
    std::uint32_t state = 0;         // of its think times: the first word in Cluster::sampler_states
    std::uint32_t choices = 0;       // the same of the documents that it draws
    std::uint32_t refusals = 0;      // in a row (outcome.h)
    bool open = false;               // a transaction is under way
    bool dormant = false;            // its next one waits until the workload is switched on
    http::Response response;
};

namespace closed_loop {

using namespace otherwise;
using Row = abi::record::closed_loop;
using State = std::vector<Client>;
inline constexpr Figures kFigures = Figures::transactions;
inline constexpr std::uint32_t kActsFor = bit_of(abi::RecordSchema::open_loop);
inline Rhythm rhythm(const Row& row) { return {&row.think}; }
// Words of state that each user of the workload's documents needs.
std::uint32_t choice_words(const Cluster& k, const abi::WorkloadRow& workload);
// The client's next transaction begins now.
void begin(Cluster& k, std::uint32_t client);
void timer(Cluster& k, std::uint32_t which, std::uint32_t client, Time at);  // its next transaction begins
void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
void resume(Cluster& k, std::uint32_t workload);  // it is switched on: those that wait begin
// Its connections.
void established(Cluster& k, std::uint32_t slot);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void data(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);
void collect(const Cluster& k, AppStatistics& all, Time now);
}  // namespace closed_loop

}  // namespace app
}  // namespace anml::rt
