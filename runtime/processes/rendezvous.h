// How the processes of a live run come together: one listens, the others join it, and then each is connected with each.
// What they say to each other before they are known is JSON in frames of limited length.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "processes/tcp_ranks.h"

namespace anml::rt::processes {

// What a process says of itself.
struct Introduction {
    // What all must have alike, by what a message calls it: "the model", "--seed".
    std::vector<std::pair<std::string, std::string>> alike;
    std::vector<std::uint32_t> endpoints;                        // rows, that are attached here
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  // that it is to have: first and count
    std::vector<std::pair<std::uint32_t, std::string>> subnets;  // endpoints and prefixes behind them
};

// The processes that have come together.
struct Rendezvous {
    std::unique_ptr<TcpRanks> ranks;
    std::vector<Introduction> all;  // by rank
};

struct RendezvousOptions {
    unsigned processes = 2;  // of the one that listens: how many there are to be
    Time patience = 60 * kSecond;
    std::function<std::string(std::uint32_t)> endpoint_name;
    std::function<void(const std::string&)> say;
    const std::atomic<bool>& stop;
};

// Rank 0. Whoever does not fit is told so, and the next one may come. Nothing: `error`.
std::optional<Rendezvous> host_rendezvous(const SocketAddress& address, const Introduction& own,
                                          const RendezvousOptions& options, std::string& error);
// The others. Tries again while nobody listens.
std::optional<Rendezvous> join_rendezvous(const SocketAddress& address, const Introduction& own,
                                          const RendezvousOptions& options, std::string& error);

}  // namespace anml::rt::processes
