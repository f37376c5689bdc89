#include "net/radio/wifi.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "abi/records.h"
#include "net/net.h"

namespace anml::rt {

struct WifiCell::Port : AirPort {
    struct Frame {
        Waiting packet;
        std::uint32_t tries = 0;  // that failed
        Time until = 0;           // the end of its part of the last transmission that it was in
        bool received = false;    // but one before it was not
    };
    Port(WifiCell& cell, LinkId link, Contender& by) : AirPort(cell, link), contender(by) {}
    Contender& contender;
    std::deque<Frame> frames;  // taken from its queue
};

struct WifiCell::Contender {
    std::uint32_t stream = 0;  // of its random numbers
    std::map<LinkId, std::unique_ptr<Port>> ports;
    Port* current = nullptr;   // of the transmission that failed, which it repeats
    LinkId last = 0;           // that it has served
    bool wants = false;        // it has packets
    Time since = 0;            // for so long
    std::uint64_t slots = 0;   // of backoff, when the air is idle
    std::uint32_t window = 0;  // of the next backoff
    std::uint64_t draws = 0;
};

// Packets that may be under way: 64 with 802.11n and ac, 256 with ax, 1024 with be.
static std::uint64_t window_of(std::uint64_t frames) { return frames <= 64 ? 64 : frames <= 256 ? 256 : 1024; }

WifiCell::WifiCell(const Model& model, NodeId access_point, std::uint32_t number)
    : AirCell(access_point), own_stream_(model.image().directed_links + access_point)
{
    const auto& record = abi::row_of<abi::record::wifi>(model.image(), number);
    slot_ = std::max<Time>(1, model.time(record.slot));
    sifs_ = model.time(record.sifs);
    aifsn_ = model.integer(record.aifsn);
    cw_min_ = static_cast<std::uint32_t>(model.integer(record.cw_min));
    cw_max_ = std::max(cw_min_, static_cast<std::uint32_t>(model.integer(record.cw_max)));
    preamble_ = model.time(record.preamble);
    answer_ = model.time(record.answer);
    airtime_ = model.time(record.airtime);
    frames_ = model.integer(record.frames);
    window_ = window_of(frames_);
    aggregate_ = model.integer(record.aggregate);
    retries_ = model.integer(record.retries);
    error_ = model.value(record.error);
}

WifiCell::~WifiCell() = default;

AirPort& WifiCell::begin(LinkId link, bool down)
{
    const std::uint32_t stream = down ? own_stream_ : link;
    const auto [at, fresh] = contenders_.try_emplace(stream);
    Contender& contender = at->second;
    if (fresh) {
        contender.stream = stream;
        contender.window = cw_min_;
    }
    std::unique_ptr<Port>& port = contender.ports[link];
    port = std::make_unique<Port>(*this, link, contender);
    return *port;
}

void WifiCell::offered(Net& k, AirPort& port)
{
    contend(k, static_cast<Port&>(port).contender);
    expect(k);
}

// Slots that the air has been idle for at `time`, begun ones included.
static std::uint64_t slots_at(Time idle, Time slot, Time time)
{
    return time <= idle ? 0 : static_cast<std::uint64_t>((time - idle + slot - 1) / slot);
}

Time WifiCell::start_of(const Contender& contender) const
{
    const std::uint64_t slots = std::max(contender.slots, slots_at(idle_, slot_, contender.since));
    return idle_ + static_cast<Time>(slots) * slot_;
}

// It has packets now. Who had none, and whose last backoff is over, draws another one if the air is taken.
void WifiCell::contend(Net& k, Contender& contender)
{
    if (contender.wants) return;
    contender.wants = true;
    contender.since = k.now;
    if (contender.slots == 0 && k.now < idle_) draw_backoff(k, contender);
}

void WifiCell::expect(Net& k)
{
    Time first = kNever;
    for (const auto& [stream, contender] : contenders_)
        if (contender.wants) first = std::min(first, start_of(contender));
    if (first >= expected_) return;
    expected_ = first;
    k.schedule(node(), first, timer_kind::air, node());
}

void WifiCell::draw_backoff(const Net& k, Contender& contender) const
{
    const double unit = Draws(k.seed, contender.stream, Purpose::air, 0, contender.draws++).unit();
    contender.slots = static_cast<std::uint64_t>(unit * (1.0 + contender.window));
}

bool WifiCell::has_any(Net& k, const Port& port) const { return !port.frames.empty() || waiting(k, port); }

// Takes a packet from the port's queue. False: there is none.
bool WifiCell::fetch(Net& k, Port& port)
{
    const Waiting packet = take(k, port);
    if (packet.packet == kNone) return false;
    port.frames.push_back({packet});
    return true;
}

// The port that failed, else the next one that has a packet: disciplines may drop all that wait. Null: none has.
WifiCell::Port* WifiCell::choose(Net& k, Contender& contender)
{
    if (contender.current && !contender.current->frames.empty()) return contender.current;
    contender.current = nullptr;
    const auto from = contender.ports.upper_bound(contender.last);
    const auto has = [&](Port& port) { return !port.frames.empty() || fetch(k, port); };
    for (auto at = from; at != contender.ports.end(); ++at)
        if (has(*at->second)) return at->second.get();
    for (auto at = contender.ports.begin(); at != from; ++at)
        if (has(*at->second)) return at->second.get();
    return nullptr;
}

// How long so many bytes of a transmission take, and its end is rounded as a link's is (queue/droptail.h).
static Time part_of_transmission(const LinkState& line, std::uint64_t bytes)
{
    std::uint32_t fraction = line.fraction;
    return droptail::transmission_time(static_cast<std::uint32_t>(bytes), line.rate, fraction);
}

// What a transmission of the port has, the first one in any case.
WifiCell::Sent WifiCell::gather(Net& k, Port& port)
{
    const LinkState& line = k.network.line(port.link);
    Sent sent;
    std::uint64_t count = 0, bytes = 0, length = 0;
    for (std::size_t i = 0; i < window_ && count < frames_; ++i) {
        if (i == port.frames.size() && !fetch(k, port)) break;
        if (port.frames[i].received) {
            ++sent.frames;
            continue;
        }
        length = bytes + port.frames[i].packet.bytes;
        const Time duration = preamble_ + part_of_transmission(line, length);
        if (bytes != 0 && (length > aggregate_ || duration > airtime_)) break;
        bytes = length;
        sent.duration = duration;
        ++sent.frames;
        ++count;
    }
    return sent;
}

// What becomes of the frames. Whether one was received.
bool WifiCell::receive(Net& k, Port& port, const Sent& sent, bool alone)
{
    bool any = false;
    LinkState& line = k.network.line(port.link);
    std::uint64_t repeated = 0, bytes = 0;
    for (std::uint32_t i = 0; i < sent.frames; ++i) {
        Port::Frame& frame = port.frames[i];
        if (frame.received) continue;
        bytes += frame.packet.bytes;
        frame.until = k.now + preamble_ + part_of_transmission(line, bytes);
        const bool wrong =
            !alone ||
            (error_ > 0 && Draws(k.seed, k.image.directed_links + node(), Purpose::air, 1, errors_++).unit() < error_);
        repeated += wrong;
        if (wrong)
            ++frame.tries;
        else
            any = frame.received = true;
    }
    droptail::transmission_time(static_cast<std::uint32_t>(bytes), line.rate, line.fraction);
    if (k.measuring()) counters.failed += repeated;
    return any;
}

// Frames leave in order: those that were received reach the far end, at the end of their part of the transmission or
// with the one that they waited for; those that failed too often are lost.
void WifiCell::deliver_frames(Net& k, Port& port)
{
    const LinkState& line = k.network.line(port.link);
    Time end = k.now;
    while (!port.frames.empty() && (port.frames.front().received || port.frames.front().tries > retries_)) {
        const auto [packet, tries, until, received] = port.frames.front();
        port.frames.pop_front();
        end = std::max(end, until);
        if (!received) {
            give_up(k, port, packet);
            continue;
        }
        const Time start = until > k.now ? until - part_of_transmission(line, packet.bytes) : end;
        deliver(k, port, packet, std::max(start, k.now), end);
    }
}

void WifiCell::act(Net& k)
{
    if (expected_ != k.now) return;
    expected_ = kNever;
    struct Begun {
        Contender* contender;
        Port* port;
        Sent sent;
    };
    std::vector<Begun> begun;
    for (auto& [stream, contender] : contenders_) {
        if (!contender.wants || start_of(contender) != k.now) continue;
        Port* const port = choose(k, contender);
        if (port)
            begun.push_back({&contender, port, gather(k, *port)});
        else
            contender.wants = false;  // its queues have dropped all
    }
    if (begun.empty()) return expect(k);
    Time longest = 0;
    for (const Begun& one : begun) longest = std::max(longest, one.sent.duration);
    const Time end = k.now + longest;
    const std::uint64_t passed = slots_at(idle_, slot_, k.now);
    for (auto& [stream, contender] : contenders_) contender.slots -= std::min(contender.slots, passed);
    idle_ = end + sifs_ + answer_ + sifs_ + static_cast<Time>(aifsn_) * slot_;
    if (k.measuring()) {
        ++counters.transmissions;
        counters.collisions += begun.size() > 1;
        const Time taken = longest + sifs_ + answer_;
        counters.taken += taken;
        if (begun.size() > 1) counters.collided += taken;
    }
    for (const Begun& one : begun) {
        Contender& contender = *one.contender;
        const bool received = receive(k, *one.port, one.sent, begun.size() == 1);
        const std::size_t before = one.port->frames.size();
        deliver_frames(k, *one.port);
        const bool over = received || one.port->frames.size() != before;
        contender.window = over ? cw_min_ : std::min(2 * contender.window + 1, cw_max_);
        contender.current = over ? nullptr : one.port;
        contender.last = one.port->link;
        draw_backoff(k, contender);
        contender.wants = std::any_of(contender.ports.begin(), contender.ports.end(),
                                      [&](const auto& port) { return has_any(k, *port.second); });
        contender.since = k.now;
    }
    expect(k);
}

void WifiCell::clear(Net& k, AirPort& at)
{
    Port& of = static_cast<Port&>(at);
    lose_queue(k, of);
    for (const Port::Frame& frame : of.frames) k.lose(of.link, frame.packet.packet);
    of.frames.clear();
    Contender& contender = of.contender;
    contender.wants = std::any_of(contender.ports.begin(), contender.ports.end(),
                                  [&](const auto& port) { return port.first != of.link && has_any(k, *port.second); });
}

}  // namespace anml::rt
