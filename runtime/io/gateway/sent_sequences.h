// Which TCP segments of real hosts are sent again: those that begin below the highest sequence number that their sender
// has used on the connection.
//
// A table of fixed size: where more connections are open than it holds, those that were idle longest are forgotten, and
// their next segment is taken for new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/mix.h"
#include "net/packet/packet.h"

namespace anml::rt::io {

class SentSequences {
  public:
    static constexpr std::size_t kSets = 4096, kWays = 4;

    SentSequences() : sets_(std::make_unique<Set[]>(kSets)) {}

    // A packet that its sender has sent now. True: some of what it carries was sent before.
    bool again(const Packet& packet)
    {
        if (packet.protocol != protocol::tcp || (packet.flags & packet_flag::fragment)) return false;
        const bool syn = packet.tcp().flags & tcp_flag::syn, fin = packet.tcp().flags & tcp_flag::fin;
        const std::uint32_t length = packet.payload + std::uint32_t{syn} + std::uint32_t{fin};
        if (length == 0 || (packet.tcp().flags & tcp_flag::rst)) return false;
        const std::uint32_t end = packet.tcp().sequence + length;
        const std::uint64_t key = key_of(packet);
        Set& set = sets_[(key >> 32) % kSets];
        for (std::size_t i = 0; i < kWays; ++i) {
            Sender& sender = set.senders[i];
            if (sender.key != key) continue;
            const std::uint32_t highest = sender.end;
            // A SYN with another number begins a new connection between the same ports.
            const bool known = !syn || highest - end < kWindow;
            const bool repeated = known && static_cast<std::int32_t>(highest - packet.tcp().sequence) > 0;
            if (!known || static_cast<std::int32_t>(end - highest) > 0) sender.end = end;
            to_front(set, i);
            return repeated;
        }
        set.senders[kWays - 1] = {key, end};
        to_front(set, kWays - 1);
        return false;
    }

  private:
    // How far a sender gets between a SYN and the same one, its acknowledgment having been lost: not far.
    static constexpr std::uint32_t kWindow = 1 << 16;
    struct Sender {
        std::uint64_t key;  // 0: none
        std::uint32_t end;  // behind the highest sequence number used
    };
    struct alignas(64) Set {
        Sender senders[kWays];  // used last first
    };

    static std::uint64_t key_of(const Packet& packet)
    {
        const std::uint64_t addresses = std::uint64_t{number(packet.source)} << 32 | number(packet.destination);
        const std::uint64_t ports = std::uint64_t{packet.source_port} << 16 | packet.destination_port;
        return mix(mix(addresses) + ports) | 1;
    }
    static void to_front(Set& set, std::size_t i)
    {
        const Sender found = set.senders[i];
        for (; i > 0; --i) set.senders[i] = set.senders[i - 1];
        set.senders[0] = found;
    }

    std::unique_ptr<Set[]> sets_;
};

}  // namespace anml::rt::io
