// How fast this machine is, against the one that the emulator was measured on.
#pragma once

namespace anml {

// Packet-hops that one processor of this machine simulates per second in a model that fits its caches, estimated within
// some milliseconds: the emulator's measured rate on the reference machine, scaled by how long a small loop with the
// kernel's mixture of work (a heap, records of 64 bytes at random places) takes here.
double packet_hops_per_second();

}  // namespace anml
