#include "entry/control/ctl_capture.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "commandline/streams.h"
#include "io/capture/pcapng.h"

namespace anml::rt::entry {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestBlock = std::size_t{1} << 20;
constexpr auto kLastFrames = std::chrono::seconds(5);  // for the rest, once the end was asked for

bool write_all(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::uint32_t word(std::string_view bytes, std::size_t at)
{
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// Passes whole blocks on, and counts.
class Blocks {
  public:
    explicit Blocks(std::uint64_t most) : most_(most) {}

    enum class State { good, closed, broken };  // nobody reads; that was no pcapng
    State pass(std::string_view bytes)
    {
        buffer_ += bytes;
        std::size_t at = 0;
        State state = State::good;
        while (state == State::good && buffer_.size() - at >= 8) {
            const std::uint32_t length = word(buffer_, at + 4);
            if (length < 12 || length % 4 != 0 || length > kLargestBlock) return State::broken;
            if (buffer_.size() - at < length) break;
            if (!pass_block(std::string_view(buffer_).substr(at, length))) state = State::closed;
            at += length;
        }
        buffer_.erase(0, at);
        return state;
    }
    bool full() const { return most_ != 0 && packets_ >= most_; }
    std::uint64_t packets() const { return packets_; }
    std::uint64_t lost() const { return lost_; }

  private:
    bool pass_block(std::string_view block)
    {
        lost_ += io::pcapng::dropped_in(block);
        if (word(block, 0) == io::pcapng::kEnhancedPacket) {
            if (full()) return true;
            ++packets_;
        }
        return write_all(block);
    }

    std::string buffer_;
    std::uint64_t most_, packets_ = 0, lost_ = 0;
};

}  // namespace

int write_capture(int connection, std::string begun, const Options& options, const std::atomic<bool>& stop)
{
    Blocks blocks(options.count);
    Blocks::State state = blocks.pass(begun);
    Clock::time_point ends = Clock::time_point::max();
    if (options.duration) ends = Clock::now() + std::chrono::nanoseconds(*options.duration);
    bool asked = false;
    while (state == Blocks::State::good) {
        if (!asked && (stop || blocks.full() || Clock::now() >= ends)) {
            shutdown(connection, SHUT_WR);  // whereupon the run sends what is left, and the counts
            asked = true;
            ends = Clock::now() + kLastFrames;
        }
        if (asked && Clock::now() >= ends) break;
        pollfd waits{connection, POLLIN, 0};
        if (poll(&waits, 1, 50) <= 0) continue;
        std::array<char, 65536> bytes;
        const ssize_t count = recv(connection, bytes.data(), bytes.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        state = blocks.pass({bytes.data(), static_cast<std::size_t>(count)});
    }
    if (state == Blocks::State::broken) {
        commandline::say("error: the run sent something else than pcapng\n");
        return kExitFailed;
    }
    const int why = errno;
    commandline::say(
        fmt::format("{} packet{}, {} lost\n", blocks.packets(), blocks.packets() == 1 ? "" : "s", blocks.lost()));
    if (state == Blocks::State::closed && why != EPIPE) {
        commandline::say(fmt::format("error: standard output: {}\n", std::strerror(why)));
        return kExitFailed;
    }
    return kExitOk;
}

}  // namespace anml::rt::entry
