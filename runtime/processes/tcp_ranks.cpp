#include "processes/tcp_ranks.h"

#include <fmt/format.h>

#include <ctime>

#include "io/device/clock.h"

namespace anml::rt::processes {

TcpRanks::TcpRanks(unsigned rank, std::vector<Connection> connections)
    : rank_(rank), connections_(std::move(connections)), spoken_(connections_.size())
{
    for (const Connection& connection : connections_)
        addresses_.push_back(connection.open() ? connection.peer() : connections_[rank == 0 ? 1 : 0].local());
}

bool TcpRanks::send(unsigned to, std::span<const std::uint8_t> message)
{
    return connections_[to].send(Connection::Kind::post, message);
}

std::optional<cct::Ranks::Message> TcpRanks::receive() { return receive(false); }

bool TcpRanks::hear()
{
    const std::uint64_t before = words_;
    receive(true);
    return words_ != before;
}

std::optional<cct::Ranks::Message> TcpRanks::receive(bool words_only)
{
    // Twice round: first what has been read already, whose bytes reading would move.
    for (unsigned i = 0; i < 2 * size(); ++i) {
        const unsigned from = (next_ + i) % size();
        Connection& connection = connections_[from];
        if (from == rank_ || (i >= size() && !connection.pull())) continue;
        while (const auto frame = connection.next(words_only)) {
            spoken_[from] = true;
            if (frame->kind == Connection::Kind::word) {
                ++words_;
                if (heard) heard(from, frame->bytes);
            }
            if (frame->kind != Connection::Kind::post) continue;
            next_ = (from + 1) % size();
            return Message{from, frame->bytes};
        }
    }
    next_ = (next_ + 1) % size();
    return std::nullopt;
}

bool TcpRanks::rest(std::uint32_t times, unsigned awaited)
{
    constexpr std::uint32_t kLooks = 100;
    constexpr timespec kWait{0, 1'000'000};
    push();
    const Time now = io::read_clock(CLOCK_MONOTONIC);
    if (times <= 1) resting_since_ = now;
    if (!connections_[awaited].open() || now - resting_since_ > patience) return false;
    if (times < kLooks) return true;
    std::vector<pollfd> all = waits();
    ppoll(all.data(), all.size(), &kWait, nullptr);
    return true;
}

void TcpRanks::say(unsigned to, std::span<const std::uint8_t> word)
{
    connections_[to].send(Connection::Kind::word, word);
}

void TcpRanks::say_all(std::span<const std::uint8_t> word)
{
    for (unsigned to = 0; to < size(); ++to)
        if (to != rank_) say(to, word);
}

void TcpRanks::push()
{
    for (Connection& connection : connections_) connection.push();
}

std::vector<pollfd> TcpRanks::waits() const
{
    std::vector<pollfd> all;
    for (const Connection& connection : connections_)
        if (connection.open()) all.push_back({connection.descriptor(), POLLIN, 0});
    return all;
}

std::string TcpRanks::name(unsigned rank) const { return fmt::format("process {} ({})", rank, addresses_[rank]); }

std::string TcpRanks::gone() const
{
    for (unsigned rank = 0; rank < size(); ++rank)
        if (rank != rank_ && !connections_[rank].open()) return fmt::format("{} has gone", name(rank));
    return "";
}

}  // namespace anml::rt::processes
