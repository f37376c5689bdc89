// Server-sent events (WHATWG HTML, 9.2): where each event of a stream ends, read in pieces of any size. Lines end in
// CR, LF or both; an event is the lines up to an empty one, and one without a field `data` is none. Nothing is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace anml::rt::app {

class EventStream {
  public:
    // Reads up to the end of an event: how many bytes it took. ended() says whether they end one.
    std::size_t read(std::span<const std::uint8_t> bytes);
    bool ended() const { return ended_; }
    std::uint64_t length() const { return length_; }  // bytes of the event so far, with the lines' ends

  private:
    void end_line();

    std::uint64_t length_ = 0;
    std::uint8_t at_ = 0;     // in the line, up to where a name could be `data`
    std::uint8_t mark_ = 0;   // bytes of a byte order mark at the stream's beginning
    bool begun_ = false;      // the mark is over
    bool data_ = true;        // the line is `data` so far
    bool has_data_ = false;   // a line of the event was
    bool after_cr_ = false;
    bool ended_ = false;
};

}  // namespace anml::rt::app
