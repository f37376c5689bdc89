// permessage-deflate (RFC 7692): what both ends of a WebSocket say of it, and the two streams of a connection, zlib's.
//
// zlib and what calls it (websocket_streams.cpp) are only linked into the emulators of models in which somebody may
// compress (`anml_deflate`); others never come to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace anml::rt::app::websocket {

inline constexpr std::uint8_t kMostBits = 15;  // of a window

struct Direction {
    bool takeover = true;            // a message's window is that of the message before it
    std::uint8_t bits = kMostBits;   // its window has two to the power of it
    bool operator==(const Direction&) const = default;
};

struct Deflate {
    Direction server, client;  // what each of them sends
    bool operator==(const Deflate&) const = default;
};

// Values of Sec-WebSocket-Extensions: what a client offers; what of a client's offers a server takes, the first that is
// one, and what it answers then; and whether an answer is one to that offer (7.1).
std::string offer_of(const Deflate& offered);
std::optional<Deflate> accepted(std::string_view offers);
std::string answer_of(const Deflate& taken);
std::optional<Deflate> agreed(std::string_view answer, const Deflate& offered);

// One direction's stream. What it needs of memory it has from the first message on, without takeover during messages.
class Stream {
  public:
    explicit Stream(const Direction& of) : of_(of) {}

  protected:
    struct Close {
        void (*close)(z_stream_s*);
        void operator()(z_stream_s* stream) const { close(stream); }
    };
    Direction of_;
    std::unique_ptr<z_stream_s, Close> stream_{nullptr, Close{}};
};

class Deflater : Stream {
  public:
    using Stream::Stream;
    [[gnu::weak]] std::vector<std::uint8_t> message(std::span<const std::uint8_t> payload);  // (7.2.1)
};

class Inflater : Stream {
  public:
    using Stream::Stream;
    enum class End : std::uint8_t { more, all, wrong };
    // Takes of `bytes`, which is cut by it, and sets `out` to what comes of that, at most a room's; all: it has taken
    // them all, and nothing more comes of them.
    [[gnu::weak]] End read(std::span<const std::uint8_t>& bytes, std::span<const std::uint8_t>& out);
    [[gnu::weak]] bool end(std::span<const std::uint8_t>& out);  // of a message: it is whole; and the last of it (7.2.2)

  private:
    std::array<std::uint8_t, 4096> room_;
};

struct Compression {  // of a connection, as one of its ends has it
    Deflater sent;
    Inflater read;
    static std::unique_ptr<Compression> of(const Direction& sent, const Direction& read)
    {
        return std::make_unique<Compression>(Compression{Deflater(sent), Inflater(read)});
    }
};

}  // namespace anml::rt::app::websocket
