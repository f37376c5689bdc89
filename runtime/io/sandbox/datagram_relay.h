// UDP of relay.h: datagrams of a client come to the one socket that is named, and go on from one of the client's own,
// so that what comes back there is for it. Who was silent for two minutes is forgotten (RFC 4787, REQ-5), and where
// there is no room for one more, who was so the longest.
#pragma once

#include <functional>
#include <string>

#include "io/device/descriptor.h"

namespace anml::rt::io {

// A socket of IPv4 at this address, which can say where a datagram was sent to; an invalid one: errno.
Descriptor receive_datagrams_at(const std::string& address, std::uint16_t port);
// One at all addresses, of both families where there are.
Descriptor receive_datagrams(std::uint16_t port);

// Until there is something to read at `channel`, which ends. `front` is the socket that is named; `connect` makes a
// client's own.
void relay_datagrams(int channel, const Descriptor& front, const std::function<Descriptor()>& connect);

}  // namespace anml::rt::io
