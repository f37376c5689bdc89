// A record of each TCP connection that hosts of workloads open, where the run is to have them (--connections): what its
// client sees of it. One is made when the connection is gone, whatever ended it, or could not begin.
//
// Of the calls below each costs a test of a flag where nobody wants records.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/failure_cause.h"
#include "base/ids.h"
#include "base/time.h"
#include "net/address/address.h"
#include "transport/transport.h"
#include "transport/upcalls.h"

namespace anml::rt {

struct Cluster;

struct ConnectionRecord {
    Time start = 0, end = 0;  // its SYN; the end of TCP's connection, TIME_WAIT not included, or of the run
    // From the SYN to its answer, from there until TLS has shaken hands, from the first request to the first byte of
    // its response; kNever: it did not come to that.
    Time connect = kNever, tls = kNever, first_byte = kNever;
    Time finished = kNever;  // when the last response, transfer or failure on it was over
    // Payload of TCP: what the peer has acknowledged, what came in order (RFC 4898: HCThruOctetsAcked,
    // HCThruOctetsReceived).
    std::uint64_t sent = 0, received = 0;
    std::uint64_t request_bytes = 0, response_bytes = 0;    // as in the results, of completed transactions
    std::uint32_t requests = 0, completed = 0, failed = 0;  // sent on it; transactions or transfers that ended on it
    std::uint32_t workload = 0;                             // row
    NodeId node = 0;
    Address local = Address::none, remote = Address::none;
    std::uint16_t local_port = 0, remote_port = 0;
    bool open = false;                    // when the run ended
    std::optional<FailureCause> failure;  // the last on it
};

// "closed", "open", or by which it failed.
std::string_view connection_outcome(const ConnectionRecord& record);
// By end, workload, host, its port, and who the peer is: the order of the file, which says nothing of threads.
bool comes_before(const ConnectionRecord& a, const ConnectionRecord& b);

struct ConnectionRecords {
    struct Current {
        ConnectionRecord record;
        std::uint32_t una = 0;     // up to where what was acknowledged is counted
        std::uint64_t offset = 0;  // of a stream's first byte in its content
        Time asked = kNever;       // first
        bool used = false;
    };
    std::vector<Current> by_slot;
    std::vector<ConnectionRecord> ended;  // since they were taken, by their end
};

namespace app::connection_records {

// --- where there are any
// Of a host that wanted to connect.
void note_begun(Cluster& k, std::uint32_t workload, NodeId node, Address remote, std::uint16_t remote_port,
                const tcp::Opened& opened);
void note_connected(Cluster& k, std::uint32_t slot);
void note_secured(Cluster& k, std::uint32_t slot);
void note_offset(Cluster& k, std::uint32_t slot, std::uint64_t offset);
// `requests`: 0 of what is asked before the first one, as a socket is.
void note_asked(Cluster& k, std::uint32_t slot, std::uint32_t requests = 1);
// Of a request that nothing answers.
void note_bytes(Cluster& k, std::uint32_t slot, std::uint64_t requested);
void note_answered(Cluster& k, std::uint32_t slot);
// A response, or what it is for, is over.
void note_response(Cluster& k, std::uint32_t slot);
void note_finished(Cluster& k, std::uint32_t slot, std::optional<FailureCause> failure, std::uint64_t requested,
                   std::uint64_t responded);
void note_transfer(Cluster& k, const tcp::Connection& c, std::optional<FailureCause> failure);
void note_released(Cluster& k, std::uint32_t slot);
// Those that are open when the run ends.
void end_all(Cluster& k);

}  // namespace app::connection_records
}  // namespace anml::rt
