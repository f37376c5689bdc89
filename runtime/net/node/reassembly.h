// Datagrams of which fragments have arrived, until they are complete (RFC 791, 815, 1122).
//
// As in Linux: what arrives twice is ignored, overlaps discard the datagram (RFC 5722 has it for IPv6), and after 30
// seconds it is given up, of IPv6 after 60 (net.ipv4.ipfrag_time, net.ipv6.ip6frag_time; RFC 1122 asks for 60 to 120).
// Where a node's unfinished datagrams take more than 4 MiB (net.ipv4.ipfrag_high_thresh), or those of all nodes of a
// task more than 64 MiB, no new one is begun. Tasks are those of the model, whatever clusters they are joined into, so
// that a run doesn't depend on its threads; with real hosts there is one cluster, and one share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "net/packet/fragments.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct Net;
struct NetCounters;

class Reassembly {
  public:
    static constexpr Time kTimeout = 30 * kSecond, kTimeoutOfIpv6 = 60 * kSecond;
    static constexpr std::size_t kRoomOfNode = std::size_t{4} << 20, kRoom = std::size_t{64} << 20;

    // Whom the datagram is for: the node, the gateway behind which the model is for a real host, which doesn't say if
    // some of it is missing; or others, who have got the fragment themselves and are not counted.
    enum class For : std::uint8_t { node, gateway, others };

    // A fragment that has reached the node; `fragment` views its bytes. True: it was the last that was missing, and
    // `whole` is the datagram: with a buffer, if a real host has sent it. `largest`: of its fragments, bytes.
    bool take(Net& k, NodeId node, const Packet& packet, const wire::FragmentView& fragment, For whom, Packet& whole,
              std::uint32_t* largest = nullptr);

    // Those of the node whose time is up. `tell`: the first fragment of one is there, with a buffer for the time of the
    // call (RFC 792).
    void expire(Net& k, NodeId node, const std::function<void(const Packet&)>& tell);

    // The first fragments of those that began in the measured window, and are lost as far as anybody can tell before
    // their time is up: a later datagram of the same hosts is complete.
    void each_overtaken(const NetCounters& counters, const std::function<void(const Packet&)>& tell) const;

    std::size_t waiting() const { return index_.size(); }
    std::size_t held(NodeId node) const;  // bytes

  private:
    struct Key {
        NodeId node;
        Address source, destination;
        std::uint32_t identification;
        std::uint8_t protocol;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    struct Range {
        std::uint32_t begin, end;
    };
    struct Datagram {
        Key key;
        For whom;
        Time begun;
        Packet first;                       // the first fragment's record, without its buffer
        std::vector<std::uint8_t> head;     // its header and some of what follows; empty: it is not there
        std::vector<std::uint8_t> payload;  // as far as it is known
        std::vector<Range> there;           // in order, none of them touch
        std::uint32_t end = 0;              // of the payload; 0: the last fragment is not there
        std::uint32_t largest = 0;
        std::uint8_t ecn = 0;       // bit 1 << the field of a fragment
        bool overtaken = false;     // a later one of the same hosts and protocol is complete
        std::size_t charged = 0;    // bytes
    };
    using Datagrams = std::list<Datagram>;  // the oldest first
    struct Node {
        Datagrams waiting;
        std::size_t held = 0;
        bool timed = false;  // a timer is pending
    };

    static Time timeout(const Key& key);
    std::size_t& held_by_task_of(Net& k, NodeId node);
    Datagrams::iterator begin(Net& k, const Key& key, For whom);
    // Whether the range is new; false: there is all of it, or it overlaps (`sound` is false then).
    static bool add(Datagram& datagram, const wire::FragmentView& fragment, bool& sound);
    static bool another(const Datagram& datagram, const Packet& first);
    static bool complete(const Datagram& datagram);
    bool join(Net& k, const Datagram& datagram, Packet& whole) const;
    void charge(Net& k, Datagram& datagram);
    void overtake(Datagrams::iterator complete);
    void forget(Net& k, Datagrams::iterator datagram);
    // It will not be complete.
    void give_up(Net& k, Datagrams::iterator datagram, std::uint64_t& counter);

    std::unordered_map<NodeId, Node> nodes_;
    std::map<std::uint32_t, std::size_t> held_by_task_;  // bytes
    std::unordered_map<Key, Datagrams::iterator, Hash> index_;
};

}  // namespace anml::rt
