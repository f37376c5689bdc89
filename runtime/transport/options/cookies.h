// The Fast Open cookies that hosts have of servers (RFC 7413, 4.1.3): each host remembers, of the servers that gave it
// one last, the cookie and the MSS that came with it, and how often in a row a SYN with data came to nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt::tcp {

class Cookies {
  public:
    static constexpr std::size_t kMost = 64;  // servers of a host; another one takes the place of the first

    struct Known {
        std::uint64_t cookie = 0;
        Address server = Address::none;
        std::uint16_t mss = 0;  // as the server's SYN/ACK said it
        std::uint8_t lost = 0;  // SYNs with data in a row that only came through without
        Time lost_at = 0;       // the last of them
    };

    // Null: it has none.
    Known* find(NodeId host, Address server)
    {
        const auto at = hosts_.find(host);
        if (at == hosts_.end()) return nullptr;
        for (Known& known : at->second.servers)
            if (known.server == server) return &known;
        return nullptr;
    }

    void keep(NodeId host, const Known& fresh)
    {
        Host& of = hosts_[host];
        for (Known& known : of.servers) {
            if (known.server != fresh.server) continue;
            known = fresh;
            return;
        }
        if (of.servers.size() < kMost) {
            of.servers.push_back(fresh);
            return;
        }
        of.servers[of.oldest] = fresh;
        of.oldest = (of.oldest + 1) % kMost;
    }

  private:
    struct Host {
        std::vector<Known> servers;
        std::size_t oldest = 0;
    };
    std::unordered_map<NodeId, Host> hosts_;
};

}  // namespace anml::rt::tcp
