// What stands between hosts: a router's middlebox sees each packet that reaches it, before it goes on, and says what is
// to become of it (node/middlebox.cpp does that). A middlebox is a file of its own, with
//
//   std::unique_ptr<Middlebox> make(const Model&, std::uint32_t record)
//
// in a namespace of its name, which reads what the model says (NAME.def); runtime/constructs.txt lists it. What it
// remembers of a router is its own: nobody else touches it, whatever task the router is in. Times and addresses come
// from what it is given, nothing else, so that a run is the same everywhere; it sets no timers, and forgets when it is
// asked next.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "net/counters.h"
#include "net/node/node.h"
#include "net/packet/rewrite.h"

namespace anml::rt {

struct Decision {
    enum What : std::uint8_t {
        pass,    // it goes on, or is for the router, with these ends
        drop,    // nobody is told
        tell,    // its sender is told: ICMP unreachable, `code`
        reject,  // the same, or a reset, of TCP
    };
    What what = pass;
    std::uint8_t code = 0;
    Ends ends{};
    bool quote = false;  // it is an ICMP error: its quote gets `quoted`
    Ends quoted{};
    bool clamp_mss = false;  // the MSS that a SYN offers is lowered to what the MTUs of the links here let through
};

class Middlebox {
  public:
    // What it has counted, in the measured window, by name.
    using Figures = std::vector<std::pair<std::string_view, std::uint64_t>>;

    virtual ~Middlebox() = default;
    // A whole packet of IPv4 has reached the router.
    virtual Decision see(const Net& k, const node::Self& self, const Packet& packet) = 0;
    // One that it has given other ends goes on: it has not died of its time to live, or without a way.
    virtual void translated(const Net& k);
    // There is no way for one that it has given other ends, which it has as it came.
    virtual void without_way(const Net& k, const Packet& packet);
    // At `now`.
    virtual Figures figures(Time now) = 0;
    // The same of each node to which it sends what it gets, where it does.
    virtual std::vector<BackEndCounters> back_ends(Time now);
};

}  // namespace anml::rt
