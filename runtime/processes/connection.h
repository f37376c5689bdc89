// A TCP connection to another process of the run, which carries frames: four bytes of length, one that says what it is,
// and the frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/device/descriptor.h"

namespace anml::rt::processes {

class Connection {
  public:
    enum class Kind : std::uint8_t { rendezvous, post, word };
    struct Frame {
        Kind kind;
        std::span<const std::uint8_t> bytes;
    };
    static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a frame

    Connection() = default;
    // Of a connected socket, which no longer blocks.
    explicit Connection(io::Descriptor socket);

    bool open() const { return socket_.valid() && !ended_; }
    int descriptor() const { return socket_.get(); }

    // False: so much waits to be written that this has to wait, too.
    bool send(Kind kind, std::span<const std::uint8_t> bytes);
    void push();  // writes what the socket takes
    bool pushed() const { return out_.size() == written_; }

    // Reads what has come. False: nothing has.
    bool pull();
    // The next frame that is whole, there until the next pull(). `words_only`: what is for the post stays.
    std::optional<Frame> next(bool words_only = false);

    // The address of the other end, as text.
    std::string peer() const;
    std::string local() const;

  private:
    io::Descriptor socket_;
    bool ended_ = false;  // by the other end, or because it sends no frames
    bool deaf_ = false;   // it takes nothing more; what it has said can be read
    std::vector<std::uint8_t> out_, in_;
    std::size_t written_ = 0, read_ = 0;
};

// "10.0.0.1:7000" or "[fd00::1]:7000".
struct SocketAddress {
    std::string host, port;
    std::string shown() const;
};
// Nothing: the text is none.
std::optional<SocketAddress> parse_socket_address(const std::string& text);

// Does not block. Nothing: `error`.
io::Descriptor listen_at(const SocketAddress& address, std::string& error);
// Of a listener: nothing if nobody comes.
io::Descriptor accept_from(const io::Descriptor& listener);
std::string port_of(const io::Descriptor& listener);
// Waits as long as `patience` says, ns, for an answer. Nothing: `error`.
io::Descriptor connect_to(const SocketAddress& address, std::int64_t patience, std::string& error);

}  // namespace anml::rt::processes
