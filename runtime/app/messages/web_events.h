// Clients that listen to a stream of events: web_socket.h acts for them.
#pragma once

#include "abi/records.h"
#include "app/application.h"
#include "app/messages/web_socket.h"

namespace anml::rt::app::web_events {

using namespace otherwise;
using Row = abi::record::web_events;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;

inline void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first)
{
    web_socket::start(k, node, server, workload, first);
}
inline void resume(Cluster& k, const Hosts& hosts) { web_socket::resume(k, hosts); }
inline void stop(Cluster& k, const Hosts& hosts) { web_socket::stop(k, hosts); }

}  // namespace anml::rt::app::web_events
