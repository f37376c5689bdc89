#include "transport/options/accurate_ecn.h"

#include <algorithm>
#include <utility>

#include "net/packet/ecn.h"
#include "transport/options/tcp_options.h"

namespace anml::rt::tcp::accurate {

namespace {

constexpr std::uint32_t kCycle = 8;          // the field's
constexpr std::uint32_t kOption = 0xffffff;  // an option's counters have 24 bits

// The field's bits from high to low are AE, CWR and ECE.
std::uint8_t flags_of(std::uint32_t value)
{
    return static_cast<std::uint8_t>((value & 4 ? tcp_flag::ae : 0) | (value & 2 ? tcp_flag::cwr : 0) |
                                     (value & 1 ? tcp_flag::ece : 0));
}
std::uint32_t value_of(const Packet& packet)
{
    const std::uint8_t flags = packet.tcp().flags;
    return (flags & tcp_flag::ae ? 4u : 0u) | (flags & tcp_flag::cwr ? 2u : 0u) | (flags & tcp_flag::ece ? 1u : 0u);
}

bool pure(const Packet& packet)
{
    return packet.payload == 0 && !(packet.tcp().flags & tcp_flag::fin) && !(packet.flags & packet_flag::sack);
}

// 3.2.2.3: the codepoint may have become congestion experienced, and nothing else.
bool mangled(std::uint8_t sent, std::uint8_t told)
{
    return sent != told && (sent == ecn::kNotCapable || told != ecn::kCongestion);
}

void stop_labelling(law::Accurate& state, Connection& c)
{
    state.labels = false;
    c.traffic_class = ecn::without(c.traffic_class);
}

// A counter of 24 bits has reached `told`: by how much it has grown.
std::uint32_t grown(std::uint32_t& counter, std::uint32_t told)
{
    const std::uint32_t by = (told - counter) & kOption;
    if (by > kOption / 2) return 0;  // it tells of a time before
    counter += by;
    return by;
}

}  // namespace

std::uint8_t encode_opening(std::uint8_t codepoint)
{
    switch (codepoint) {
        case ecn::kEct1:
            return flags_of(3);
        case ecn::kEct0:
            return flags_of(4);
        case ecn::kCongestion:
            return flags_of(6);
        default:
            return flags_of(2);
    }
}

// All but what an older host answers, or one that reflects what it is sent (3.1.2); one of them is reserved (3.1.3).
bool confirms(std::uint8_t field)
{
    return (field & kField) != 0 && (field & kField) != tcp_flag::ece && (field & kField) != kField;
}

bool asks(std::uint8_t field) { return (field & kField) != 0 && (field & kField) != (tcp_flag::cwr | tcp_flag::ece); }

void opened_again(law::Accurate& state, Connection& c, const Packet& packet)
{
    state.opening = ecn::codepoint(packet);
    if (packet.tcp().flags & tcp_flag::ack)
        state.acknowledges_opening = true;
    else if ((packet.tcp().flags & kField) == 0)
        stop_labelling(state, c);  // 3.1.5: it may have given up ECN
}

bool opened(law::Accurate& state, Connection& c, const Packet& packet)
{
    const std::uint8_t sent = c.traffic_class & ecn::kMask;
    const std::uint32_t value = value_of(packet);
    if (packet.tcp().flags & tcp_flag::syn) {
        state.acknowledges_opening = true;
        if (state.opening == ecn::kCongestion) ++state.received.packets;
    } else {
        if (!pure(packet)) return false;
        if (value == 0) {  // table 4, note 1
            stop_labelling(state, c);
            state.heeds = false;
            return false;
        }
        if (value == 6) ++state.delivered.packets;
    }
    for (const std::uint8_t told : {ecn::kNotCapable, ecn::kEct1, ecn::kEct0, ecn::kCongestion})
        if (flags_of(value) == encode_opening(told) && mangled(sent, told)) stop_labelling(state, c);
    return value == 6;
}

void count(Transport& k, Connection& c, law::Accurate& state, const Packet& packet)
{
    const std::uint8_t codepoint = ecn::codepoint(packet);
    const bool marked = codepoint == ecn::kCongestion;
    state.untold |= packet.payload > 0 && codepoint != ecn::kNotCapable;
    state.marks_begin = marked && !state.was_marked;
    state.was_marked = marked;
    if (codepoint == ecn::kEct0) state.received.ect0 += packet.payload;
    if (codepoint == ecn::kEct1) state.received.ect1 += packet.payload;
    if (!marked) return;
    state.received.ce += packet.payload;
    ++state.received.packets;
    ++state.unsaid;
    // 3.2.2.5.1: so many marks of what asks for no acknowledgment have one.
    constexpr std::uint8_t kMost = 3;
    if (packet.payload == 0 && state.unsaid >= kMost) send_ack(k, c);
}

bool at_once(const law::Accurate& state, const Packet& packet)
{
    constexpr std::uint8_t kMost = 2;
    return packet.payload > 0 && (state.marks_begin || state.unsaid >= kMost);
}

std::uint8_t field(law::Accurate& state, std::uint8_t flags)
{
    if (flags & tcp_flag::syn) return 0;
    state.unsaid = 0;
    if (state.acknowledges_opening) {
        state.acknowledges_opening = false;
        state.untold = true;  // the option goes with it, to show that it comes through (3.2.3.2.1)
        return encode_opening(state.opening);
    }
    return flags_of(state.received.packets);
}

void add_option(law::Accurate& state, Packet& packet)
{
    if (!state.untold) return;
    const law::Accurate::Counts& counts = state.received;
    // Those that have never grown are left out, from the end (3.2.3.3).
    const std::uint8_t present = counts.ect1 != 1 ? 7 : counts.ce != 0 ? 3 : 1;
    if (tcp_options::set_counters(packet, {counts.ect0, counts.ce, counts.ect1, present})) state.untold = false;
}

Marks learn(law::Accurate& state, const Connection& c, const Packet& packet, std::uint32_t delivered)
{
    const tcp_options::Counters told = tcp_options::counters(packet);
    law::Accurate::Counts& known = state.delivered;
    std::uint32_t bytes = 0;
    if (told.has_ect0()) grown(known.ect0, told.ect0);
    if (told.has_ect1()) grown(known.ect1, told.ect1);
    if (told.has_ce()) bytes = grown(known.ce, told.ce);

    std::uint32_t packets = (value_of(packet) - known.packets) % kCycle;
    const std::uint32_t arrived = (delivered + c.mss - 1) / c.mss;
    if (told.any()) {
        bytes -= std::min(bytes, std::exchange(state.guessed, 0));
        // As many cycles as so many bytes have needed at least.
        const std::uint32_t least = bytes / c.mss + (bytes % c.mss != 0);
        if (packets < least) packets += (least - packets + kCycle - 1) / kCycle * kCycle;
    } else {
        // Appendix A.2.1: the most that there may have been.
        if (arrived >= kCycle) packets = arrived - (arrived - packets) % kCycle;
        bytes = std::min(packets * c.mss, delivered);
        state.guessed += bytes;
    }
    known.packets += packets;
    if (!state.heeds) return {0, 0};
    return {packets, bytes};
}

}  // namespace anml::rt::tcp::accurate
