// Closed-loop web clients, the paper's: one HTTP/1.0 GET per connection, the next transaction after the end of the one
// before and a think time.
//
// A transaction begins with its SYN: unanswered for connect_timeout, or as long as TCP repeats it, it is abandoned and counted as
// failed, and a late SYN/ACK is answered with RST. It ends when the server's FIN has arrived, behind all data; the
// client acknowledges it with its own FIN in one segment, and the connection lingers in LAST_ACK. After a transaction
// that ended, with whatever status, comes the think time; after any other failure the next one begins at once,
// but a client whose transactions are refused begins no more than one per millisecond, or a refusal without delay would
// be tried for ever at one instant.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

struct Cluster;

namespace tcp {
enum class Failure : std::uint8_t;
}

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
    bool dormant = false;            // its next one waits until the workload is switched on
};

void client_timer(Cluster& k, std::uint32_t client);  // its next transaction begins

namespace client {
// Words of state that each user of the workload's documents needs.
std::uint32_t choice_words(const Cluster& k, const abi::WorkloadRow& workload);
// The client's next transaction begins now.
void begin(Cluster& k, std::uint32_t client);
void start(Cluster& k, NodeId node, std::uint32_t workload, Time first);
void resume(Cluster& k, std::uint32_t workload);  // it is switched on: those that wait begin
// What application.cpp hands over.
void established(Cluster& k, std::uint32_t slot);
void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void timer(Cluster& k, std::uint32_t slot);
}  // namespace client

}  // namespace app
}  // namespace anml::rt
