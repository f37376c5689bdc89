// Bodies of real servers compared with the SHA-256 that a list has of its documents, of workloads that ask for it
// (`check_content`). Simulated servers have no documents, only their sizes: what they send is not compared.
//
// A response that is compared is shown whole (web_stream.h), and has a hash from its first byte to its transaction's
// end; there are as many as responses have been under way at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "net/facts.h"
#include "tls/hash.h"

namespace anml::rt {

class Model;
struct Cluster;
struct WorkloadStatistics;

namespace app {

struct Client;

struct BodyChecks {
    explicit BodyChecks(const Model& model);
    bool asks(std::uint32_t workload) const { return !asking.empty() && asking[workload]; }

    std::vector<bool> asking;  // by workload; empty: none does
    std::vector<std::unique_ptr<tls::Hash>> hashes;
    std::vector<std::uint32_t> free;  // of these
};

namespace body_check {

// What the client asks for now: whether its body is to be compared. What came before it is forgotten.
void begin(Cluster& k, Client& client);
bool wanted(const Client& client);
// What the bytes of the body are given to; null: it is not compared.
tls::Hash* hash(Cluster& k, Client& client);
// All of the body has come.
void compare(Cluster& k, Client& client, WorkloadStatistics& statistics);
void end(Cluster& k, Client& client);  // it is not compared any more

}  // namespace body_check
}  // namespace app
}  // namespace anml::rt
