// Path MTU discovery by the packets that arrive (RFC 4821), as Linux's TCP does it (net.ipv4.tcp_mtu_probing), where
// routers do not tell, or nobody hears them; and segments that grow again when what routers have told is forgotten.
//
// A probe is a longer segment of the data that is to be sent in any case. If it is lost, that is no sign of congestion.
// Sizes are found by bisection between one that arrives and one that does not.
#pragma once

#include "abi/facts.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::mtu_probing {

// Linux's tcp_base_mss and tcp_mtu_probe_floor, bytes of payload; tcp_probe_threshold, bytes; tcp_probe_interval.
inline constexpr std::uint32_t kBase = 1024, kFloor = 48, kPrecision = 8;
inline constexpr Time kInterval = 600 * kSecond;
// Time-outs for so long, from the first of them on, are taken for a black hole: as long as Linux's tcp_retries1, 3,
// last with a time-out of 200 ms.
inline constexpr Time kBlackHole = 3 * kSecond;
inline constexpr std::uint32_t kLeastWindow = 11;  // segments, of who sends a probe
inline constexpr std::uint32_t kBehind = 4;        // segments that are to follow it, so that its loss is seen

// Whether the connection has a search.
inline bool has(const Transport& k, const Connection& c)
{
    return facts.mtu_searches && c.beyond && c.law_state != kNone && k.tcp.law_states[c.law_state].mtu.begun;
}

// Whether a connection may need one: it probes, or some path's MTU is known.
inline bool may_begin(const Transport& k, const Settings& settings)
{
    return facts.mtu_searches && (settings.probing != 0 || k.path_mtus.any());
}
// The handshake has settled c.mss, and is with a peer that wants so much in a segment (the MSS option).
void begin(Transport& k, Connection& c, std::uint16_t peer_mss);
// Before anything is sent that the window allows. False: nothing is to be, so that there will be room for a probe.
bool prepare(Transport& k, Connection& c);
// All before una is acknowledged: the probe may have arrived.
void acknowledged(Transport& k, Connection& c);
// What is sent again tells nothing of the probe.
inline void sent_again(Transport& k, const Connection& c) { k.tcp.law_states[c.law_state].mtu.probe = 0; }
// Something is lost, the first of what is not acknowledged. True: it is the probe, and the window is not to be reduced.
bool lost(Transport& k, Connection& c);
// The third duplicate acknowledgment, where there are no selective ones. True: it was the probe that is lost, and
// recovery has begun.
bool lost_by_duplicates(Transport& k, Connection& c);
// Nothing was acknowledged for a time-out; `first`: of those in a row.
void timed_out(Transport& k, Connection& c, bool first);
// A router has said so, of a packet under way; the host knows it already. True: segments are shorter from here on; the
// congestion window is as it was (RFC 1191, 6.4).
bool told(Transport& k, Connection& c, std::uint32_t mtu);
// What another of the host's connections to the same destination has been told holds for this one, too (RFC 1191, 6.2;
// RFC 8201, 5.2): as in Linux it notices before it sends, with nothing under way or after a time-out. Of what is under
// way and too long routers tell it itself.
void follow(Transport& k, Connection& c);

}  // namespace anml::rt::tcp::mtu_probing
