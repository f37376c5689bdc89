// Sending a packet in fragments that are no longer than its path, or its sender, has them; and reassembling them.
#pragma once

#include "net/node/node.h"

namespace anml::rt::node {

// fragment.cpp: fragments of `most` bytes at most.
void send_fragments(Net& k, LinkId link, Packet& packet, PacketId id, std::uint32_t most);

// reassemble.cpp: a fragment has come. None: it was not the last one that was missing.
struct Whole {
    PacketId id = kNone;
    std::uint32_t largest = 0, identification = 0;  // of its fragments
};
Whole reassemble(Net& k, const Self& self, Packet& packet, PacketId id);

}  // namespace anml::rt::node
