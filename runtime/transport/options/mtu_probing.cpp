#include "transport/options/mtu_probing.h"

#include <algorithm>
#include <utility>

#include "transport/congestion.h"
#include "transport/options/tcp_options.h"

namespace anml::rt::tcp::mtu_probing {

namespace {

MtuSearch& search(Transport& k, const Connection& c) { return k.tcp.law_states[c.law_state].mtu; }

// What a packet has besides payload.
std::uint32_t overhead(const Connection& c)
{
    return headers(c.remote) + (c.timestamps ? tcp_options::kTimestamps : 0u);
}

std::uint16_t payload(const Connection& c, std::uint32_t length)
{
    return static_cast<std::uint16_t>(length > overhead(c) ? length - overhead(c) : 1);
}

// The windows are kept in segments, as Linux counts them.
void resize(Transport& k, Connection& c, std::uint16_t mss)
{
    const std::uint32_t old = std::exchange(c.mss, mss);
    if (old == mss) return;
    law::resized(sender(k, c), old);
    if (law::rules(c)) return;
    c.cwnd = std::max(c.cwnd / old, 1u) * mss;
    if (c.ssthresh < congestion::kUnlimited) c.ssthresh = std::max(c.ssthresh / old, 1u) * mss;
}

// What segments may have by all that is known (Linux's tcp_sync_mss).
std::uint16_t size(const Connection& c, const MtuSearch& s)
{
    const std::uint16_t most = payload(c, s.told);
    return s.on ? std::min(most, payload(c, s.low)) : most;
}

void look_up(const Transport& k, const Connection& c, MtuSearch& s)
{
    const PathMtus::Known* const known = k.path_mtus.known(c.local, c.remote, k.now);
    s.told = s.most;
    s.until = kNever;
    if (known == nullptr) return;
    s.told = static_cast<std::uint16_t>(std::min<std::uint32_t>(known->mtu, s.most));
    s.until = known->until;
}

void start(MtuSearch& s, Time now)
{
    s.on = true;
    s.since = now;
}

// What fails of a probe is no loss: recovery leaves the window as it is, and ssthresh as Linux does.
void forgive(Connection& c, MtuSearch& s)
{
    s.high = std::min(s.high, static_cast<std::uint16_t>(s.probe - 1));
    s.probe = 0;
    if (law::rules(c)) return;
    if (!s.keeps_threshold) s.threshold = c.ssthresh;
    s.keeps_threshold = true;
    c.cwnd += c.mss;  // which the probe had taken
    c.ssthresh = c.cwnd;
}

// The state that Linux calls open: nothing is lost, or looks as if.
bool undisturbed(const Transport& k, const Connection& c)
{
    return !c.recovering && !congestion::after_time_out(c) && c.nxt == c.max && c.duplicates == 0 &&
           (c.scoreboard == kNone || k.tcp.scoreboards[c.scoreboard].arrived.count == 0) && c.out_of_order == kNone;
}

// The search has ended. After a while longer packets may arrive than did.
void search_again(const Connection& c, MtuSearch& s, Time now)
{
    if (now - s.since < kInterval) return;
    s.high = s.most;
    s.low = static_cast<std::uint16_t>(c.mss + overhead(c));
    s.since = now;
}

// A segment lies within a span.
bool within_span(const Transport& k, const Connection& c, std::uint32_t bytes)
{
    return !c.queued || k.tcp.span_queues[c.content].find(c.offset(c.nxt)).left >= bytes;
}

// Linux's tcp_mtu_probe. False: the probe waits for room.
bool probe(Transport& k, Connection& c, MtuSearch& s)
{
    if (s.probe != 0 || !undisturbed(k, c) || c.cwnd < kLeastWindow * c.mss || behind_fin(c, c.nxt)) return true;
    if (s.high < s.low + kPrecision) {
        search_again(c, s, k.now);
        return true;
    }
    const auto length = static_cast<std::uint16_t>((s.high + s.low) / 2);
    const std::uint32_t bytes = payload(c, length), flight = c.nxt - c.una;
    const std::uint32_t needed = bytes + kBehind * c.mss;
    const std::uint32_t buffer = k.tcp.settings[c.settings].send_buffer;
    if (left(c, c.nxt) < needed || buffer < flight + needed || c.window < needed) return true;
    if (c.window < flight + needed || c.cwnd < flight + 2 * c.mss) return flight == 0;
    if (!within_span(k, c, bytes) || too_early(k, c)) return true;
    s.begin = c.nxt;
    s.end = c.nxt + bytes;
    send_data(k, c, c.nxt, bytes, false);
    c.nxt = s.end;
    s.probe = length;
    if (!law::rules(c)) c.cwnd -= c.mss;  // it is as two
    return true;
}

}  // namespace

void begin(Transport& k, Connection& c, std::uint16_t peer_mss)
{
    const Settings& settings = k.tcp.settings[c.settings];
    const bool probes = settings.mtu_probing() != abi::MtuProbing::off;
    if (!probes && k.path_mtus.known(c.local, c.remote, k.now) == nullptr) return;
    k.tcp.need_law_state(c);
    c.beyond = true;
    MtuSearch& s = search(k, c);
    s = {};
    s.begun = true;
    const std::uint32_t link = k.link(c.link).mtu, header = headers(c.remote);
    s.most = static_cast<std::uint16_t>(
        std::min({link, 0xffffu, std::uint32_t{settings.segment} + header, std::uint32_t{peer_mss} + header}));
    look_up(k, c, s);
    s.high = s.told;
    s.low = static_cast<std::uint16_t>(kBase + overhead(c));
    if (settings.mtu_probing() != abi::MtuProbing::always) return;
    start(s, k.now);
    // Linux's server comes to that only when its path's MTU changes, or a probe has arrived.
    if (c.state == State::syn_sent) c.mss = size(c, s);
}

bool prepare(Transport& k, Connection& c)
{
    MtuSearch& s = search(k, c);
    if (s.keeps_threshold && !c.recovering) {
        s.keeps_threshold = false;
        c.ssthresh = std::max(s.threshold, c.cwnd / 4 * 3);
    }
    if (k.now >= s.until) {
        look_up(k, c, s);
        resize(k, c, size(c, s));
    }
    return !s.on || probe(k, c, s);
}

void acknowledged(Transport& k, Connection& c)
{
    MtuSearch& s = search(k, c);
    if (s.probe == 0 || after(s.end, c.una)) return;
    // So that as many bytes are under way as before (tcp_mtup_probe_success).
    const std::uint32_t segments = c.cwnd / c.mss * (c.mss + overhead(c)) / s.probe;
    s.low = std::exchange(s.probe, std::uint16_t{0});
    resize(k, c, size(c, s));
    if (law::rules(c)) return;
    c.cwnd = std::max(segments, 1u) * c.mss;
    c.ssthresh = std::max(c.ssthresh, c.cwnd / 4 * 3);
}

bool lost(Transport& k, Connection& c)
{
    MtuSearch& s = search(k, c);
    const bool probe = s.probe != 0 && s.begin == c.una;
    if (probe)
        forgive(c, s);
    else
        s.keeps_threshold = false;
    return probe;
}

bool lost_by_duplicates(Transport& k, Connection& c)
{
    if (c.recovering || c.duplicates != 2 || !after(c.una, c.recover) || !lost(k, c)) return false;
    c.duplicates = 3;
    c.recover = c.max;
    c.recovering = true;
    c.partial_seen = false;
    if (!law::rules(c)) c.cwnd = c.ssthresh + 3 * c.mss;
    return true;
}

void timed_out(Transport& k, Connection& c, bool first)
{
    MtuSearch& s = search(k, c);
    s.keeps_threshold = false;
    if (first) s.first_again = k.now;
    if (first || k.now - s.first_again < kBlackHole) return;
    if (k.tcp.settings[c.settings].mtu_probing() == abi::MtuProbing::off) return;
    if (!s.on) {
        start(s, k.now);
    } else {
        const std::uint32_t half = payload(c, s.low) / 2u;
        s.low = static_cast<std::uint16_t>(std::clamp(half, kFloor, kBase) + overhead(c));
    }
    resize(k, c, size(c, s));
}

bool told(Transport& k, Connection& c, std::uint32_t mtu)
{
    if (!has(k, c)) begin(k, c, static_cast<std::uint16_t>(c.mss + overhead(c) - headers(c.remote)));
    if (has(k, c)) {  // else its host keeps no such one
        MtuSearch& s = search(k, c);
        s.high = static_cast<std::uint16_t>(std::min<std::uint32_t>(s.high, mtu));
        s.told = static_cast<std::uint16_t>(std::min<std::uint32_t>(s.told, mtu));
        if (const PathMtus::Known* const known = k.path_mtus.known(c.local, c.remote, k.now)) s.until = known->until;
    }
    const std::uint16_t most = payload(c, mtu);
    if (most >= c.mss) return false;
    law::resized(sender(k, c), std::exchange(c.mss, most));
    return true;
}

void follow(Transport& k, Connection& c)
{
    const PathMtus::Known* const known = k.path_mtus.known(c.local, c.remote, k.now);
    if (known != nullptr && payload(c, known->mtu) < c.mss) told(k, c, known->mtu);
}

}  // namespace anml::rt::tcp::mtu_probing
