// The processes of one run, and the bytes that they send each other: what the post (post.h) needs, and MPI has. Tests
// have another one, of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace anml::rt::cct {

class Ranks {
  public:
    static constexpr std::size_t kMostBytes = std::size_t{128} << 10;  // of a message

    struct Message {
        unsigned from;
        std::span<const std::uint8_t> bytes;
    };

    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    virtual unsigned rank() const = 0;  // 0 .. size() - 1
    virtual unsigned size() const = 0;

    // One thread at a time calls what follows. Messages from one rank to another arrive in the order in which they were
    // sent. False: there is no room for another one, as long as nothing is received.
    virtual bool send(unsigned to, std::span<const std::uint8_t> message) = 0;
    // The next one that has arrived, which is there until the next call; nothing: none has.
    virtual std::optional<Message> receive() = 0;
    // Nothing was to do for `times` looks in a row, because something must come from rank `awaited`: lets others have
    // the processor. False: nothing can come from there any more.
    virtual bool rest(std::uint32_t times, unsigned awaited) = 0;
    // What rank `from` sent is damaged: the post has refused it (Post::wrong), and the step it belongs to may never end.
    virtual void refused(unsigned from) { static_cast<void>(from); }
};

}  // namespace anml::rt::cct
