#include "transport/ports/local_ports.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/mix.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::local_ports {

namespace {

constexpr Time kReuseAfter = kSecond;             // Linux's tcp_tw_reuse_delay
constexpr std::uint32_t kBehindOld = 0xffff + 2;  // as Linux's tcp_twsk_unique()

// A real host still has the connections of the run before: a SYN from the port of one of them would be answered after
// its repetition only.
std::uint16_t first_of_run(const Transport& k, const Settings& settings)
{
    if (k.epoch == 0) return settings.first_port;
    const std::uint64_t ports = static_cast<std::uint64_t>(settings.last_port - settings.first_port) + 1;
    return static_cast<std::uint16_t>(settings.first_port + mix(static_cast<std::uint64_t>(k.epoch)) % ports);
}

Time free_at(const Settings& settings, const TimeWaitRecord& waiting)
{
    const Time since = waiting.expires - settings.time_wait;
    return settings.time_wait_reuse && waiting.timestamps ? std::min(waiting.expires, since + kReuseAfter)
                                                          : waiting.expires;
}

Taken try_port(Transport& k, const Settings& settings, const Tuple& t)
{
    if (find(k, t) != kNone) return {};
    TimeWaitRecord* const waiting = k.tcp.time_wait.find(t, k.now);
    if (!waiting) return {t.local_port};
    if (free_at(settings, *waiting) > k.now) return {};
    const std::uint32_t sequence = waiting->sequence + kBehindOld;
    TimeWait::forget(*waiting);
    return {t.local_port, sequence};
}

Shortage::Server server_of(const Tuple& t) { return {t.node, t.remote, t.remote_port}; }

void note(Transport& k, Shortage& shortage, const Settings& settings, const Tuple& t)
{
    const TimeWaitRecord* const waiting = k.tcp.time_wait.find(t, k.now);
    const std::pair port(waiting ? free_at(settings, *waiting) : k.now, t.local_port);
    auto at = shortage.coming.end();
    while (at != shortage.coming.begin() && std::prev(at)->first > port.first) --at;
    shortage.coming.insert(at, port);
}

// Of those that are to come free the first that is.
Taken next_of(Transport& k, Shortage& shortage, const Settings& settings, Tuple t)
{
    while (!shortage.coming.empty() && shortage.coming.front().first <= k.now) {
        t.local_port = shortage.coming.front().second;
        shortage.coming.pop_front();
        if (const Taken taken = try_port(k, settings, t); taken.port != 0) return taken;
    }
    return {};
}

}  // namespace

Taken take(Transport& k, const node::Self& self, Address remote, std::uint16_t remote_port)
{
    const Settings& settings = k.tcp.settings[self.row.tcp];
    Tuple t{self.id, remote, 0, remote_port};
    if (!k.tcp.shortages.empty()) [[unlikely]]
        if (const auto at = k.tcp.shortages.find(server_of(t)); at != k.tcp.shortages.end())
            return next_of(k, at->second, settings, t);
    std::uint16_t& next = k.nodes[self.id].next_port;
    if (next == 0) next = first_of_run(k, settings);
    const int ports = settings.last_port - settings.first_port + 1;
    for (int tries = 0; tries < ports; ++tries) {
        t.local_port = next;
        next = t.local_port == settings.last_port ? settings.first_port : static_cast<std::uint16_t>(t.local_port + 1);
        if (const Taken taken = try_port(k, settings, t); taken.port != 0) return taken;
    }
    Shortage& shortage = k.tcp.shortages[server_of(t)];
    for (int port = settings.first_port; port <= settings.last_port; ++port) {
        t.local_port = static_cast<std::uint16_t>(port);
        if (find(k, t) != kNone) continue;
        const TimeWaitRecord* const waiting = k.tcp.time_wait.find(t, k.now);
        shortage.coming.emplace_back(free_at(settings, *waiting), t.local_port);
    }
    std::sort(shortage.coming.begin(), shortage.coming.end());
    return {};
}

void released(Transport& k, const Tuple& tuple)
{
    const auto at = k.tcp.shortages.find(server_of(tuple));
    if (at == k.tcp.shortages.end()) return;
    const Settings& settings = k.tcp.settings[node::self(k, tuple.node).row.tcp];
    if (tuple.local_port < settings.first_port || tuple.local_port > settings.last_port) return;
    note(k, at->second, settings, tuple);
}

}  // namespace anml::rt::tcp::local_ports
