#include "transport/options/keep_alive.h"

namespace anml::rt::tcp::keep_alive {

void heard(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (c.state != State::established && c.state != State::close_wait) return;
    if (c.timer != Timer::none && c.timer != Timer::keep_alive) return;
    c.attempts = 0;
    start_timer(k, slot, Timer::keep_alive, k.now + k.tcp.settings[c.settings].keep_alive);
}

void expired(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const Settings& settings = k.tcp.settings[c.settings];
    if (c.attempts >= settings.keep_alive_probes) {
        send_reset(k, c);
        fail(k, slot, Failure::exhausted);
        return;
    }
    ++c.attempts;
    send_keep_alive(k, c);
    start_timer(k, slot, Timer::keep_alive, k.now + settings.keep_alive_interval);
}

}  // namespace anml::rt::tcp::keep_alive
