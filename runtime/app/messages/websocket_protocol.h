// WebSocket (RFC 6455): the opening handshake's key and its answer, frames, and what comes of them, read in pieces of
// any size. A message is not kept: it is its length and a hash, and where somebody wants it, its bytes. Compressed ones
// (websocket_deflate.h) are what they unpack to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/messages/websocket_deflate.h"

namespace anml::rt::app::websocket {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Section 7.4.1.
inline constexpr std::uint16_t kNormal = 1000, kGoingAway = 1001, kProtocolError = 1002, kNoStatus = 1005,
                               kInvalidText = 1007, kTooLarge = 1009;
inline constexpr std::size_t kMostCodes = 5000;  // codes are below

std::string key(std::uint64_t a, std::uint64_t b);       // Sec-WebSocket-Key, of 16 random bytes (4.1)
bool is_key(std::string_view text);                      // base64 of 16 bytes (4.2.1)
std::string accept_key(std::string_view key);            // Sec-WebSocket-Accept (4.2.2)
// Appends a whole frame (5.2); with a key it is masked, as a client's has to be (5.3), and a message compressed by what
// its connection has agreed on.
void add_frame(std::vector<std::uint8_t>& out, Opcode opcode, std::span<const std::uint8_t> payload,
               std::optional<std::uint32_t> mask, Compression* compression = nullptr);
void add_close(std::vector<std::uint8_t>& out, std::uint16_t code, std::optional<std::uint32_t> mask);
// What a message that was read as Reader::hash() has, with all of its payload.
std::uint64_t hash_of(bool text, std::span<const std::uint8_t> payload);

// Whether bytes that come in pieces are UTF-8 (RFC 3629).
class Utf8 {
  public:
    bool take(std::uint8_t byte);  // false: they are not, whatever follows
    bool complete() const { return left_ == 0; }

  private:
    std::uint8_t left_ = 0, least_ = 0x80, most_ = 0xbf;  // bytes of the character that come yet; bounds of the next
};

class Reader {
  public:
    static constexpr std::uint64_t kMostKept = 1 << 20;       // bytes of a message
    static constexpr std::uint64_t kMostUnpacked = 16 << 20;  // bytes that a compressed one unpacks to
    static constexpr std::size_t kMostControl = 125;     // of a control frame (5.5)
    enum class What : std::uint8_t { nothing, message, ping, pong, close, wrong };
    enum class Wrong : std::uint8_t {
        none,
        masked,      // a server's frame is
        unmasked,    // a client's frame is not
        reserved,    // a bit of an extension that nobody has offered
        opcode,      // one that RFC 6455 doesn't know
        control,     // a control frame that is cut, or longer than 125 bytes
        length,      // not the shortest way to write it, or above 2^63
        fragment,    // a message begins within another one, or goes on that has not begun
        utf8,        // a text, or the reason of a close, is none
        close_code,  // of one byte, or none that may be sent
        large,       // a message that is kept is longer than kMostKept
        packed,      // a compressed message is no deflated data, or cut
        unpacked,    // it unpacks to more than kMostUnpacked
    };

    // `masked`: as clients' frames are, which a server reads.
    explicit Reader(bool masked = false) : masked_(masked) {}

    // Reads up to the end of a message or of a control frame: how many bytes it took. what() says what they end; a new
    // call begins with the next. Behind what is wrong nothing is taken.
    std::size_t read(std::span<const std::uint8_t> bytes);

    What what() const { return what_; }
    Wrong wrong() const { return wrong_; }
    std::string_view why() const;    // "a reserved bit is set"
    std::uint16_t code() const;      // that a connection is closed with, where something is wrong (7.4.1)
    bool within_message() const { return open_; }
    // Of the message that has ended: its bytes, its hash, what kind it is.
    std::uint64_t length() const { return length_; }
    std::uint64_t hash() const { return hash_; }
    bool text() const { return text_; }
    // Of a control frame that has ended.
    std::span<const std::uint8_t> control() const { return {control_.data(), control_size_}; }
    std::uint16_t close_code() const;  // kNoStatus: it says none

    std::vector<std::uint8_t>* keeps = nullptr;  // who wants the bytes of messages
    Compression* compression = nullptr;          // messages may be compressed

  private:
    enum class State : std::uint8_t { first, size, more_size, key, payload };

    void begin_frame(std::uint8_t byte);
    void size_byte(std::uint8_t byte);
    void end_size();
    void end_head();
    std::size_t payload(std::span<const std::uint8_t> bytes);
    bool unpack(std::span<const std::uint8_t> bytes);
    bool take_byte(std::uint8_t byte);
    bool take_unpacked(std::span<const std::uint8_t> bytes);
    void end_frame();
    void fail(Wrong wrong);
    bool is_control() const { return (opcode_ & 8) != 0; }

    std::uint64_t left_ = 0;    // bytes of the frame's payload; while it is read, its length
    std::uint64_t length_ = 0;  // of the message
    std::uint64_t hash_ = 0;
    std::array<std::uint8_t, kMostControl> control_{};
    std::array<std::uint8_t, 4> key_{};
    std::uint8_t control_size_ = 0;
    std::uint8_t at_ = 0;      // in a length, or the key; in the payload the place in the key
    std::uint8_t size_ = 0;    // bytes of a longer length
    std::uint8_t opcode_ = 0;  // of the frame
    State state_ = State::first;
    What what_ = What::nothing;
    Wrong wrong_ = Wrong::none;
    Utf8 utf8_;
    bool masked_ = false;
    bool final_ = false;  // the frame's FIN
    bool open_ = false;   // a message has begun
    bool text_ = false;
    bool packed_ = false;
};

}  // namespace anml::rt::app::websocket
