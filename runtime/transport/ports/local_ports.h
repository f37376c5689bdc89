// Which local port a connection from here takes: the next in turn that no connection to that server has, or has had so
// lately that it is in TIME_WAIT. So a host has all its ports for each address and port of a server (as Linux's
// connect()). With `time_wait_reuse` a port in TIME_WAIT is free after a second, if the connection had timestamps, and
// the new one begins behind the old one's last sequence number: Linux's net.ipv4.tcp_tw_reuse = 1, RFC 6191's condition.
//
// A host that once had none left for a server has a list of those that come free, by time: it is not looked for them
// again.
#pragma once

#include <cstdint>
#include <optional>

#include "net/node/node.h"
#include "transport/connection_table.h"
#include "transport/transport.h"

namespace anml::rt::tcp::local_ports {

struct Taken {
    std::uint16_t port = 0;                   // 0: there is none
    std::optional<std::uint32_t> sequence{};  // the initial one, of one that was in TIME_WAIT
};
Taken take(Transport& k, const node::Self& self, Address remote, std::uint16_t remote_port);

// Of a host with a shortage: no connection has the port any more; it may be in TIME_WAIT.
void released(Transport& k, const Tuple& tuple);

}  // namespace anml::rt::tcp::local_ports
