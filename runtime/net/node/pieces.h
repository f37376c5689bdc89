// Sending a packet in pieces that are no longer than its path, or its sender, has them.
#pragma once

#include "net/node/node.h"

namespace anml::rt::node {

// fragment.cpp: pieces of `most` bytes at most.
void send_in_pieces(Net& k, LinkId link, Packet& packet, PacketId id, std::uint32_t most);

}  // namespace anml::rt::node
