#include "kernel/post.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

namespace anml::rt::cct {

namespace {

// A message begins with one of these words, four bytes more, and then records, or a part of what is broadcast or
// gathered.
enum class Kind : std::uint64_t { records, part, last_part };

struct Record {
    std::uint32_t channel;   // kStepRecord: the sender has finished step `value`, and `messages` is what it has to say
    std::uint32_t messages;  // that follow; kTakenMessages: none, but so many have been taken: `value`
    std::uint64_t value;     // else: the clock behind them
};
constexpr std::uint32_t kStepRecord = ~std::uint32_t{0}, kTakenMessages = ~std::uint32_t{0};

// What MPI sends at once between processes of a machine; more is another message.
constexpr std::size_t kFullMessage = 3800;
constexpr unsigned kMostReceived = 64;  // messages in a row, before it is looked at what is to be sent
constexpr std::size_t kPartBytes = std::size_t{32} << 10;

template <class T>
void append_value(std::vector<std::uint8_t>& bytes, const T& value)
{
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}

template <class T>
T take_value(std::span<const std::uint8_t>& bytes)
{
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

}  // namespace

struct Post::Out {
    std::uint32_t number;
    std::unique_ptr<Departure> end;
    Time told = 0;                      // the clock
    std::uint64_t sent = 0, taken = 0;  // messages
};

struct Post::In {
    std::uint32_t number;
    std::unique_ptr<Arrival> end;
    Time clock = 0;                   // which the sender has promised
    std::uint64_t put = 0, told = 0;  // messages: put in; taken, as its sender knows
};

struct Post::Peer {
    std::deque<Out> out;
    std::deque<In> in;
    std::vector<std::uint8_t> outgoing;           // what is to be sent next
    std::vector<std::uint8_t> incomplete;         // parts that have come of the next one of `whole`
    std::deque<std::vector<std::uint8_t>> whole;  // that has come of what is broadcast or gathered
    std::uint64_t told_step = 0;                  // which it was told that this process has finished
    std::uint64_t step = 0;                       // which it has finished
};

Post::Post(Ranks& ranks) : ranks_(ranks), peers_(ranks.size())
{
    for (Peer& peer : peers_) append_value(peer.outgoing, Kind::records);
}

Post::~Post() = default;

void Post::add(std::uint32_t number, unsigned rank, std::unique_ptr<Departure> end)
{
    out_.resize(std::max<std::size_t>(out_.size(), number + 1));
    out_[number] = &peers_[rank].out.emplace_back(Out{number, std::move(end)});
}

void Post::add(std::uint32_t number, unsigned rank, std::unique_ptr<Arrival> end)
{
    in_.resize(std::max<std::size_t>(in_.size(), number + 1));
    in_[number] = &peers_[rank].in.emplace_back(In{number, std::move(end)});
}

// What another process promised may concern a step that has not begun here: it holds.
void Post::begin(Time begin, Time end)
{
    end_ = end;
    ++step_;
    for (Peer& peer : peers_) {
        for (Out& out : peer.out) out.end->state.restart(begin);
        for (In& in : peer.in) in.end->state.advance(in.clock);
    }
}

bool Post::flush(Peer& peer, unsigned rank)
{
    if (!ranks_.send(rank, peer.outgoing)) return false;
    peer.outgoing.resize(sizeof(Kind));
    return true;
}

// A channel whose task has finished promises that nothing will come in this step, and no more than that.
bool Post::send_some(Scheduler* scheduler, unsigned rank, bool finished, Time stride)
{
    Peer& peer = peers_[rank];
    std::vector<std::uint8_t>& bytes = peer.outgoing;
    if (bytes.size() >= kFullMessage && !flush(peer, rank)) return false;
    bool moved = false, all = true;
    for (In& in : peer.in) {
        const std::uint64_t taken = in.end->taken();
        if (taken - in.told < in.end->room / 4) continue;
        append_value(bytes, Record{in.number, kTakenMessages, in.told = taken});
    }
    for (Out& out : peer.out) {
        Departure& end = *out.end;
        for (bool again = true; again;) {
            const Time clock = std::min(end.state.clock(), end_);
            const std::size_t at = bytes.size();
            append_value(bytes, Record{});
            const Departure::Taken taken = end.take(bytes, end.room - (out.sent - out.taken), kFullMessage);
            again = taken.messages != 0 && !taken.all && out.sent + taken.messages - out.taken < end.room;
            out.sent += taken.messages;
            if (taken.starved && scheduler) scheduler->wake(end.task);
            all &= taken.all;
            const bool clock_moves = taken.all && clock > out.told + (taken.messages == 0 ? stride : 0);
            if (taken.messages == 0 && !clock_moves) {
                bytes.resize(at);
                break;
            }
            if (clock_moves) out.told = clock;
            const Record record{out.number, taken.messages, static_cast<std::uint64_t>(out.told)};
            std::memcpy(&bytes[at], &record, sizeof record);
            moved = true;
            if (bytes.size() >= kFullMessage && !flush(peer, rank)) return moved;
        }
    }
    if (finished && all && peer.told_step != step_)
        append_value(bytes, Record{kStepRecord, word_, peer.told_step = step_});
    if (bytes.size() > sizeof(Kind)) moved |= flush(peer, rank);
    return moved;
}

void Post::read_records(Scheduler* scheduler, unsigned from, std::span<const std::uint8_t> bytes)
{
    while (bytes.size() >= sizeof(Record)) {
        const Record record = take_value<Record>(bytes);
        if (record.channel == kStepRecord) {
            peers_[from].step = record.value;
            heard_ = std::max(heard_, record.messages);
        } else if (record.messages == kTakenMessages) {
            Out* const out = record.channel < out_.size() ? out_[record.channel] : nullptr;
            if (!out || record.value > out->sent) return refuse(from);
            out->taken = record.value;
        } else {
            if (record.channel >= in_.size() || !in_[record.channel]) return refuse(from);
            In& in = *in_[record.channel];
            if (record.messages > in.end->room - (in.put - in.end->taken())) return refuse(from);
            const auto behind = in.end->put(bytes, record.messages);
            if (!behind) return refuse(from);
            bytes = *behind;
            in.put += record.messages;
            in.clock = std::max(in.clock, static_cast<Time>(record.value));
            // A task that has nothing to wait for any more makes room, too.
            const bool waited = in.end->state.advance(in.clock);
            const bool filled = record.messages != 0 && in.put - in.end->taken() > in.end->room / 2;
            if (scheduler && (waited || filled)) scheduler->wake(in.end->task);
        }
    }
}

void Post::refuse(unsigned from)
{
    if (wrong_.empty()) wrong_ = fmt::format("what rank {} sends is damaged", from);
    ranks_.refused(from);
}

bool Post::receive_some(Scheduler* scheduler)
{
    for (unsigned i = 0; i < kMostReceived; ++i) {
        std::optional<Ranks::Message> message = ranks_.receive();
        if (!message) return i != 0;
        std::span<const std::uint8_t> bytes = message->bytes;
        if (bytes.size() < sizeof(Kind)) {
            refuse(message->from);
            continue;
        }
        const Kind kind = take_value<Kind>(bytes);
        if (kind == Kind::records) {
            read_records(scheduler, message->from, bytes);
            continue;
        }
        Peer& peer = peers_[message->from];
        peer.incomplete.insert(peer.incomplete.end(), bytes.begin(), bytes.end());
        if (kind == Kind::last_part) peer.whole.push_back(std::exchange(peer.incomplete, {}));
    }
    return true;
}

bool Post::carry(Scheduler& scheduler, bool finished)
{
    bool moved = receive_some(&scheduler);
    for (unsigned rank = 0; rank < peers_.size(); ++rank)
        if (rank != ranks_.rank()) moved |= send_some(&scheduler, rank, finished, 0);
    return moved;
}

void Post::send_off(Time stride, bool finished)
{
    for (unsigned rank = 0; rank < peers_.size(); ++rank)
        if (rank != ranks_.rank()) send_some(nullptr, rank, finished, stride);
}

bool Post::over() const
{
    for (unsigned rank = 0; rank < peers_.size(); ++rank) {
        const Peer& peer = peers_[rank];
        if (rank == ranks_.rank()) continue;
        if (peer.step < step_ || peer.told_step != step_ || peer.outgoing.size() > sizeof(Kind)) return false;
    }
    return true;
}

// Who has not finished the step; all have: the next one.
unsigned Post::awaited() const
{
    for (unsigned rank = 0; rank < peers_.size(); ++rank)
        if (rank != ranks_.rank() && peers_[rank].step < step_) return rank;
    return (ranks_.rank() + 1) % ranks_.size();
}

void Post::rest(std::uint32_t times) { ranks_.rest(times, awaited()); }

void Post::send_whole(unsigned to, std::span<const std::uint8_t> bytes)
{
    std::vector<std::uint8_t> message;
    do {
        const std::span<const std::uint8_t> some = bytes.first(std::min(bytes.size(), kPartBytes));
        bytes = bytes.subspan(some.size());
        message.clear();
        append_value(message, bytes.empty() ? Kind::last_part : Kind::part);
        message.insert(message.end(), some.begin(), some.end());
        for (std::uint32_t times = 1; !ranks_.send(to, message); ++times)
            if (receive_some(nullptr))
                times = 0;
            else if (!ranks_.rest(times, to))
                return;
    } while (!bytes.empty());
}

std::vector<std::uint8_t> Post::receive_whole(unsigned from)
{
    Peer& peer = peers_[from];
    for (std::uint32_t times = 1; peer.whole.empty(); ++times)
        if (receive_some(nullptr))
            times = 0;
        else if (!ranks_.rest(times, from))
            return {};
    std::vector<std::uint8_t> bytes = std::move(peer.whole.front());
    peer.whole.pop_front();
    return bytes;
}

std::vector<std::uint8_t> Post::broadcast(std::vector<std::uint8_t> said)
{
    if (ranks_.rank() != 0) return receive_whole(0);
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) send_whole(rank, said);
    return said;
}

std::vector<std::vector<std::uint8_t>> Post::gather(std::vector<std::uint8_t> said)
{
    std::vector<std::vector<std::uint8_t>> all;
    if (ranks_.rank() != 0) {
        send_whole(0, said);
        return all;
    }
    all.push_back(std::move(said));
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) all.push_back(receive_whole(rank));
    return all;
}

}  // namespace anml::rt::cct
