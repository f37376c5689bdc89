// Who talks to whom through a middlebox, as it remembers it: a session for each pair of ends of TCP, UDP and echo
// messages. One that is unused for as long as its phase allows is over (RFC 4787, 4.3; 5382, 5; 5508, 3.2).
//
// There are no timers: what has ended is forgotten when somebody asks. Sessions of a phase stand in the order of their
// last use, so that those which are over are the first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <unordered_map>

#include "base/time.h"
#include "net/packet/rewrite.h"

namespace anml::rt {

class Sessions {
  public:
    // tcp_established: both ends have sent something, and a SYN-ACK has been acknowledged. tcp_transitory: not yet, or
    // the connection has been closed or reset.
    enum Phase : std::uint8_t { udp, icmp, tcp_transitory, tcp_established };
    using Timeouts = std::array<Time, 4>;  // by phase

    // Ends as the first packet had them.
    struct Key {
        std::uint8_t protocol = 0;
        Ends ends{};
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Session {
        Key key{};
        Phase phase{};
        struct Side {
            bool sent = false;     // since its connection began
            bool answers = false;  // by a SYN-ACK that the other one has not acknowledged
            bool closed = false;   // by a FIN, or by a reset of either
        };
        Side sides[2];  // by direction: [0] is that of the first packet
        Time used = 0;
        std::uint32_t note = 0;  // its owner's
    };

    Sessions(const Timeouts& timeouts, std::size_t most) : timeouts_(timeouts), most_(most) {}

    bool full() const { return index_.size() >= most_; }
    std::size_t size() const { return index_.size(); }
    // Null: there is none with these ends.
    Session* find(const Key& key);
    // A new one, for which there is room.
    Session& begin(const Key& key, Time now);
    // A packet of the session passes now, in its first one's direction or back.
    void use(Session& session, const Packet& packet, bool back, Time now);
    // Whether a connection is being closed, or has been: a FIN or a reset was seen.
    static bool closing(const Session& session) { return session.sides[0].closed || session.sides[1].closed; }
    static bool closed(const Session& session) { return session.sides[0].closed && session.sides[1].closed; }
    // Forgets it before its time.
    void end(const Session& session);
    // Forgets those that are over at `now`, each by over(session, since when it is).
    void expire(Time now, const std::function<void(const Session&, Time)>& over);

  private:
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    using List = std::list<Session>;

    Timeouts timeouts_;
    std::size_t most_;
    std::array<List, 4> lists_;  // by phase, what was used longest ago first
    std::unordered_map<Key, List::iterator, Hash> index_;
};

// The key of a packet's session, and of one that came the other way. None: a protocol that has no sessions.
inline bool has_session(const Packet& packet)
{
    return packet.protocol == protocol::tcp || packet.protocol == protocol::udp || is_echo(packet);
}
inline Ends turned(const Ends& ends)
{
    return {ends.destination, ends.source, ends.destination_port, ends.source_port};
}

}  // namespace anml::rt
