// Datagrams for a group (RFC 1112): each link of the source's tree carries one copy, and nodes make more where it
// branches.
//
// A group is of one workload and has the nodes that its hosts send to as members, from the start on. Its tree of a
// source is made of the members' ways back to it, as those of PIM are (RFC 7761; of a group of one source, RFC 4607):
// each node has one link towards the source, and gets the copies there. It moves when routes do. Where the ways there
// and back differ, it is the ways back that count.
//
// A copy knows for how many members it is: who drops it has lost it for all of them. Nodes have no routes for groups,
// so that this begins where a route is missing (no_route.cpp), and costs no other packet anything.
#pragma once

#include "abi/image.h"
#include "net/node/node.h"

namespace anml::rt::multicast {

// Whether the workload's datagrams are for a group; its members, but for the source itself.
bool sends(const abi::Image& image, std::uint32_t workload);
std::uint32_t members(const Net& k, std::uint32_t workload, NodeId source);

// A datagram for a group sets out, or goes on.
void forward(Net& k, const node::Self& self, Packet& packet, PacketId id);
// What is not for its own address has reached a host: of a group it is a member.
void arrive(Net& k, const node::Self& self, Packet& packet, PacketId id);

}  // namespace anml::rt::multicast
