// Server-sent events (WHATWG HTML, 9.2): where each event of a stream ends, read in pieces of any size. Lines end in
// CR, LF or both; an event is the lines up to an empty one, and one without a field `data` is none. Nothing is kept but
// what the next connection is told: the last `id`, up to kMostId bytes without control characters, and `retry`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace anml::rt::app {

class EventStream {
  public:
    static constexpr std::size_t kMostId = 256;
    static constexpr std::int64_t kNoRetry = -1;

    // Reads up to the end of an event: how many bytes it took. ended() says whether they end one.
    std::size_t read(std::span<const std::uint8_t> bytes);
    bool ended() const { return ended_; }
    std::uint64_t length() const { return length_; }  // bytes of the event so far, with the lines' ends
    const std::string& id() const { return id_; }     // of the last event that had one
    std::int64_t retry() const { return retry_; }     // ms to the next connection; kNoRetry: the server has not said it
    void begin_again();                               // on another connection

  private:
    void end_line();
    void take_field(std::string_view line);

    std::string line_, next_id_, id_;  // the line that may be `id` or `retry`; of the event that is read
    std::int64_t retry_ = kNoRetry;
    std::uint64_t length_ = 0;
    std::uint8_t at_ = 0;     // in the line, up to where a name could be `data`
    std::uint8_t mark_ = 0;   // bytes of a byte order mark at the stream's beginning
    bool begun_ = false;      // the mark is over
    bool data_ = true;        // the line is `data` so far
    bool has_data_ = false;   // a line of the event was
    bool after_cr_ = false;
    bool ended_ = false;
    bool keeps_ = false;      // the line may be `id` or `retry`
    bool has_id_ = false;     // a line of the event was `id`
};

}  // namespace anml::rt::app
