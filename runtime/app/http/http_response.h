// The framing of a web server's response (RFC 9112, section 6), read as it comes, in pieces of any size: where it ends,
// and whether it is whole. Nothing is kept but a few numbers, however long its lines are.
//
// The body is as long as its chunks say, else as Content-Length says; else the server's close ends it. 204, 304 and
// what answers HEAD have none. Interim responses (1xx) come before the one that counts. Read as browsers do: lines may
// end in LF alone, header names in any case, values folded over lines, lines without a colon mean nothing. Not
// repaired: lengths that differ or are no numbers, chunks whose frame is wrong.
#pragma once

#include <cstdint>
#include <span>

#include "app/http/body_taker.h"
#include "app/http/http_fields.h"

namespace anml::rt::app::http {

class Response {
  public:
    Response() = default;
    // `headed`: of one to HEAD, which has no body whatever its head says.
    explicit Response(bool headed) : headed_(headed) {}
    // The chunks of a body alone (RFC 9112, 7.1), a request's too.
    static Response of_chunks();

    // What answers a request for another protocol: 101 is its end (RFC 9110, 7.8).
    static Response of_upgrade();

    // The next bytes. None behind the end are taken. `fields`: takes those of the head that counts; `taker`: is given
    // the body's, without the frames of chunks. The same each time.
    void read(std::span<const std::uint8_t> bytes, Fields* fields = nullptr, const BodyTaker& taker = {});
    // So many bytes of the body came that nobody has. Only where needs_bytes() is false.
    void skip(std::uint64_t count);
    // So many bytes it took, where it came in frames.
    void came_as(std::uint64_t length) { length_ = length; }
    // What counts as its status, where a protocol above says it.
    void answers(std::uint16_t status) { status_ = status; }
    // One that a simulated server sends, of `length` bytes, `body` of them behind the head: all of them are skipped.
    // `closes`: its connection ends with it.
    void expect(std::uint16_t status, std::uint64_t length, std::uint64_t body, bool closes = true);

    bool needs_bytes() const { return state_ <= kLastRead; }
    bool complete() const { return state_ == State::complete; }
    bool broken() const { return state_ == State::broken; }
    // What has come would be whole if the server closed now.
    bool whole() const { return complete() || state_ == State::until_close; }
    // What has come cannot be HTTP.
    bool other() const { return state_ == State::other; }
    // The head of the response that counts has come.
    bool behind_head() const { return behind_head_; }
    // The connection ends behind this response, as it says (RFC 9112, 9.3); of one that is whole.
    bool closes() const { return !complete() || close_ || !(version_1_1_ || keep_alive_); }
    // Bytes of the body that are still to come, where they are counted alone; else 0.
    std::uint64_t left() const { return state_ == State::counted || state_ == State::expected ? left_ : 0; }

    std::uint16_t status() const { return status_; }  // 0: not known yet
    std::uint64_t length() const { return length_; }  // bytes taken so far, of all heads and frames too
    std::uint64_t body() const { return body_; }      // of them the body's, without the frames of chunks

  private:
    enum class State : std::uint8_t {
        status_line,
        reason,
        line_start,
        name,
        name_end,  // blanks between a name and its colon
        value,
        empty_line,  // its CR
        chunk_size,
        chunk_extension,
        chunk_size_end,  // the LF of its line
        chunk,
        chunk_end,
        chunk_end_line,  // the LF behind it
        trailer_start,
        trailer,
        trailer_end,  // the CR of the empty line
        // No byte is looked at any more.
        counted,
        until_close,
        expected,
        complete,
        broken,
        other,
    };
    static constexpr State kLastRead = State::trailer_end;
    enum class Field : std::uint8_t { none, other, length, coding, connection };
    enum class Token : std::uint8_t { before, within, behind };

    std::size_t whole_name(std::span<const std::uint8_t> bytes);
    std::size_t meaningless(std::span<const std::uint8_t> bytes) const;
    void take(std::uint8_t byte);
    void status_byte(std::uint8_t byte);
    void name_byte(std::uint8_t byte);
    void value_byte(std::uint8_t byte);
    void length_byte(std::uint8_t byte);
    void token_byte(std::uint8_t byte);
    void chunk_size_byte(std::uint8_t byte);
    void begin_field();
    void end_element();
    void end_field();
    void end_head();
    void end_chunk_size();

    Fields* fields_ = nullptr;  // while it reads
    std::uint64_t length_ = 0, body_ = 0;
    std::uint64_t left_ = 0;    // of the body or the chunk; while it is read, a number
    std::uint64_t stated_ = 0;  // Content-Length, where has_length_
    std::uint16_t status_ = 0;
    State state_ = State::status_line;
    Field field_ = Field::none;
    Token token_ = Token::before;
    std::uint8_t at_ = 0;     // in the status line, a name or a token
    std::uint8_t alike_ = 0;  // names or tokens that what was read is the beginning of: a bit each
    bool has_length_ : 1 = false;
    bool bad_length_ : 1 = false;
    bool coded_ : 1 = false;    // Transfer-Encoding, other than identity
    bool chunked_ : 1 = false;  // the last of its codings
    bool any_ : 1 = false;      // the field has an element
    bool version_1_1_ : 1 = false;
    bool close_ : 1 = false;       // options of Connection
    bool keep_alive_ : 1 = false;  //
    bool headed_ : 1 = false;
    bool upgrades_ : 1 = false;
    bool behind_head_ : 1 = false;
};

}  // namespace anml::rt::app::http
