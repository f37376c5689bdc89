#include "transport/recovery/frto.h"

#include "transport/congestion.h"

namespace anml::rt::tcp::frto {

namespace {

// Step 2 b: new data, as far as the windows allow; nothing else is under way.
void send_forward(Transport& k, Connection& c, Frto& frto)
{
    const std::uint32_t resume = c.nxt, max = c.max;
    std::uint32_t sent = 0;
    while (sent < c.cwnd) {
        const std::uint32_t size = send_new(k, c);
        if (size == 0) break;
        sent += size;
    }
    if (sent == 0) {  // no room, or nothing to send: conventional recovery
        frto.active = false;
        return;
    }
    frto.resume = resume;
    frto.fresh = {max, c.max};
}

}  // namespace

Frto prepare(Transport& k, Connection& c, bool first)
{
    Frto frto;
    if (!c.adaptive || !k.tcp.settings[c.settings].frto) return frto;
    Scoreboard& board = k.tcp.scoreboard(c);
    // Not within a recovery, whose retransmissions would be taken for the first sending; but of time-outs in a row the
    // last one, too (3.2).
    frto.active = !first || (!c.recovering && !congestion::after_time_out(c));
    // Without selective acknowledgments a recovery keeps nothing to go back to.
    if (first && c.recovering && !c.sack) board.cwnd = board.ssthresh = 0;
    frto.again = later(board.high_rxt, before(c.nxt, c.max) ? c.nxt : c.una);
    if (!first) frto.again = later(frto.again, board.frto.again);
    // What the peer said it has is forgotten, and says nothing when it is acknowledged.
    if (board.arrived.count > 0 && (!first || board.arrived.holds(c.una)))
        frto.again = later(frto.again, board.arrived.end());
    frto.end = c.probing ? last_segment(k, c, c.una, c.max) : c.max;
    return frto;
}

void begin(Transport& k, Connection& c, const Frto& frto)
{
    if (!c.adaptive || !k.tcp.settings[c.settings].frto) return;
    Frto& now = k.tcp.scoreboard(c).frto;
    now = frto;
    now.again = later(now.again, c.nxt);
    now.fresh = {c.una, c.una};
}

void advanced(Transport& k, Connection& c, std::uint32_t una)
{
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    Frto& frto = board.frto;
    if (!before(c.una, frto.fresh.end)) frto.fresh = {c.una, c.una};
    // Without selective acknowledgments the peer may have had it before the time-out: only behind new data it tells.
    if (!frto.active || (!c.sack && frto.fresh.begin == frto.fresh.end)) return;
    board.arrived.missing(una, c.una, [&](std::uint32_t begin, std::uint32_t end) { frto.arrived(begin, end); });
    if (!frto.original) return;
    // What was sent again has not come, whose acknowledgment seemed to say that all that was sent before it is lost.
    board.retransmissions.clear(c.una);
    take_back(k, c);
}

void acknowledged(Transport& k, Connection& c, bool moved, bool duplicate)
{
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    Frto& frto = board.frto;
    if (!frto.active) return;
    if (frto.original) {
        // The first segment is under way a second time.
        board.high_rxt = later(board.high_rxt, frto.again);
        take_back(k, c);
    } else if (!before(c.una, c.recover)) {
        frto.active = false;  // 2 a
    } else if (frto.fresh.begin != frto.fresh.end) {
        if (!moved && !duplicate) return;
        frto.active = false;  // 3 a: nothing has arrived but new data, and what was sent again
        c.nxt = later(frto.resume, c.una);
    } else if (moved) {
        send_forward(k, c, frto);
    }
}

}  // namespace anml::rt::tcp::frto
