// Simulated web servers: HTTP/1.0, a connection per document.
//
// A request waits for one of `workers` (first come, first served; 0: there is always one), is served for a random
// time, and its response goes to TCP. The worker is free as soon as it has handed the response over, or when its
// client is gone. The server closes first: with the last segment (at_once), or once its data is acknowledged.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/image.h"
#include "base/ring.h"
#include "kernel/packet.h"

namespace anml::rt {

class Model;
struct Cluster;

namespace tcp {
struct Connection;
}

namespace app {

struct WebServer {
    struct Waiting {
        std::uint32_t slot, generation;  // of the connection: another one may have the slot by then
    };
    const abi::ServerRow* row;
    std::uint64_t workers = 0;  // 0: unlimited
    std::uint64_t busy = 0;
    std::uint64_t requests = 0;  // served so far, the index of their random service times
    std::vector<double> state;   // of the service times
    Ring<Waiting> waiting;
};

struct WebServers {
    explicit WebServers(const Model& model);
    // Index of the server that listens there, kNone: nobody.
    std::uint32_t find(NodeId node, std::uint16_t port) const;
    // Document with the path of that hash, kNone: there is none.
    std::uint32_t document(std::uint32_t path_hash) const;

    std::vector<WebServer> servers;                                  // by row
    std::vector<std::pair<std::uint64_t, std::uint32_t>> listeners;  // (node, port) and server, sorted
    std::unordered_map<std::uint32_t, std::uint32_t> documents;      // path hash to row
};

namespace server {  // what application.cpp hands over
void accepted(Cluster& k, tcp::Connection& c);
void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count);
void all_acknowledged(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot);
void timer(Cluster& k, std::uint32_t slot);
bool waits_for_request(const tcp::Connection& c);
}  // namespace server

}  // namespace app
}  // namespace anml::rt
