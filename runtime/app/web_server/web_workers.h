// What requests to a simulated server wait for, whatever version of HTTP they came with: its workers and processors, as
// web_server.h describes them.
#pragma once

#include <cstdint>
#include <vector>

#include "app/web_server/web_server.h"

namespace anml::rt::app::web_workers {

inline bool any_free(const WebServer& server) { return server.workers == 0 || server.busy < server.workers; }
void occupy(Cluster& k, WebServer& server);
void vacate(Cluster& k, WebServer& server);  // the next that waits takes it: web_server::granted()
void wait(Cluster& k, std::uint32_t server, const WebServer::Waiting& who);

// A random time on a processor begins, and a request's service. When it ends; kNever: that depends on others, and
// web_server::served() tells.
Time work(Cluster& k, std::uint32_t server, const WebServer::Waiting& who, const abi::Distribution& random,
          std::vector<double>& state);
Time serve(Cluster& k, std::uint32_t server, const WebServer::Waiting& who);
void give_up(Cluster& k, std::uint32_t server);  // one that is in service is not wanted any more
void interrupt(Cluster& k, WebServer& server);   // by a SYN
void timer(Cluster& k, std::uint32_t server, Time at);

}  // namespace anml::rt::app::web_workers
