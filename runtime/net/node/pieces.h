// Sending a packet in pieces that are no longer than its path, or its sender, has them; and putting pieces together.
#pragma once

#include "net/node/node.h"

namespace anml::rt::node {

// fragment.cpp: pieces of `most` bytes at most.
void send_in_pieces(Net& k, LinkId link, Packet& packet, PacketId id, std::uint32_t most);

// reassemble.cpp: a fragment has come. None: it was not the last one that was missing.
struct Whole {
    PacketId id = kNone;
    std::uint32_t largest = 0, identification = 0;  // of its fragments
};
Whole put_together(Net& k, const Self& self, Packet& packet, PacketId id);

}  // namespace anml::rt::node
