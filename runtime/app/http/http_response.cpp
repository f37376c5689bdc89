#include "app/http/http_response.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "app/http/http_words.h"

namespace anml::rt::app::http {

namespace {

constexpr std::string_view kStatusLine = "HTTP/1.x NNN";  // x: any digit
constexpr std::string_view kNames[] = {"content-length", "transfer-encoding", "connection"};
constexpr std::string_view kCodings[] = {"chunked", "identity"};
constexpr std::string_view kOptions[] = {"close", "keep-alive"};
constexpr std::uint64_t kMost = std::uint64_t{1} << 60;  // bytes of a body or a chunk: more is an attack, or a mistake

}  // namespace

Response Response::of_chunks()
{
    Response response;
    response.state_ = State::chunk_size;
    return response;
}

Response Response::of_upgrade()
{
    Response response;
    response.upgrades_ = true;
    return response;
}

void Response::read(std::span<const std::uint8_t> bytes, Fields* fields, const BodyTaker& taker)
{
    fields_ = fields;
    for (std::size_t i = 0; i < bytes.size();) {
        if (state_ == State::complete || state_ == State::broken) return;
        if (!needs_bytes()) {
            const std::uint64_t before = length_, body = body_;
            skip(bytes.size() - i);
            taker.add(bytes.subspan(i, body_ - body));
            i += length_ - before;
        } else if (state_ == State::chunk) {
            const std::uint64_t count = std::min<std::uint64_t>(left_, bytes.size() - i);
            taker.add(bytes.subspan(i, count));
            length_ += count;
            body_ += count;
            left_ -= count;
            i += count;
            if (left_ == 0) state_ = State::chunk_end;
        } else {
            const std::span<const std::uint8_t> rest = bytes.subspan(i);
            const std::size_t passed = state_ == State::line_start ? whole_name(rest) : meaningless(rest);
            length_ += passed;
            i += passed;
            if (i == bytes.size()) return;
            ++length_;
            take(bytes[i++]);
        }
    }
}

// How many of the next bytes change nothing: most of a head does not, and is passed over at once.
std::size_t Response::meaningless(std::span<const std::uint8_t> bytes) const
{
    const bool in_value = state_ == State::value && field_ == Field::other && !fields_;
    if (in_value || state_ == State::reason || state_ == State::chunk_extension || state_ == State::trailer) {
        const auto* end = static_cast<const std::uint8_t*>(std::memchr(bytes.data(), '\n', bytes.size()));
        return end ? static_cast<std::size_t>(end - bytes.data()) : bytes.size();
    }
    return 0;
}

// At the start of a line: takes the name of a field with its colon at once, where all of it is there and nobody else
// takes it. So many bytes.
std::size_t Response::whole_name(std::span<const std::uint8_t> bytes)
{
    if (fields_) return 0;
    const auto end = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte <= ' ' || byte == ':'; });
    if (end == bytes.begin() || end == bytes.end() || *end != ':') return 0;
    const std::span name = bytes.first(static_cast<std::size_t>(end - bytes.begin()));
    end_field();
    at_ = static_cast<std::uint8_t>(std::min<std::size_t>(name.size(), kLongestWord));
    alike_ = 0;
    for (unsigned i = 0; i < std::size(kNames); ++i)
        if (std::ranges::equal(name, kNames[i], {}, lower)) alike_ |= static_cast<std::uint8_t>(1u << i);
    begin_field();
    return name.size() + 1;
}

void Response::skip(std::uint64_t count)
{
    if (state_ == State::complete || state_ == State::broken) return;
    const bool measured = state_ == State::counted || state_ == State::expected;
    if (measured) count = std::min(count, left_);
    length_ += count;
    if (state_ == State::counted || state_ == State::until_close) body_ += count;
    if (!measured) return;
    left_ -= count;
    if (left_ == 0) state_ = State::complete;
}

void Response::expect(std::uint16_t status, std::uint64_t length, std::uint64_t body, bool closes)
{
    status_ = status;
    left_ = length;
    body_ = body;
    keep_alive_ = !closes;
    state_ = State::expected;
}

void Response::take(std::uint8_t byte)
{
    const bool line_end = byte == '\n';
    switch (state_) {
        case State::status_line:
            status_byte(byte);
            break;
        case State::reason:
            if (line_end) state_ = State::line_start;
            break;
        case State::line_start:
            if (blank(byte) && field_ != Field::none) {  // the value goes on (RFC 9112, 5.2)
                state_ = State::value;
                value_byte(byte);
                break;
            }
            end_field();
            if (line_end) {
                end_head();
            } else if (byte == '\r') {
                state_ = State::empty_line;
            } else {
                state_ = State::name;
                at_ = 0;
                alike_ = kAnyWord;
                name_byte(byte);
            }
            break;
        case State::name:
        case State::name_end:
            name_byte(byte);
            break;
        case State::value:
            value_byte(byte);
            break;
        case State::empty_line:
            if (line_end)
                end_head();
            else
                state_ = State::reason;  // a line that means nothing
            break;
        case State::chunk_size:
            chunk_size_byte(byte);
            break;
        case State::chunk_extension:
            if (line_end) end_chunk_size();
            break;
        case State::chunk_size_end:
            if (line_end)
                end_chunk_size();
            else
                state_ = State::broken;
            break;
        case State::chunk_end:
        case State::chunk_end_line:
            if (line_end) {
                state_ = State::chunk_size;
                at_ = 0;
            } else {
                state_ = byte == '\r' && state_ == State::chunk_end ? State::chunk_end_line : State::broken;
            }
            break;
        case State::trailer_start:
            state_ = line_end ? State::complete : byte == '\r' ? State::trailer_end : State::trailer;
            break;
        case State::trailer:
            if (line_end) state_ = State::trailer_start;
            break;
        case State::trailer_end:
            state_ = line_end ? State::complete : State::trailer;
            break;
        default:  // read() has dealt with those
            break;
    }
}

void Response::status_byte(std::uint8_t byte)
{
    if (at_ == kStatusLine.size()) {
        state_ = byte == '\n' ? State::line_start : byte == ' ' || byte == '\r' ? State::reason : State::other;
        if (state_ == State::other) status_ = 0;
        return;
    }
    const char expected = kStatusLine[at_++];
    const bool number = expected == 'x' || expected == 'N';
    if (number ? !digit(byte) : byte != static_cast<std::uint8_t>(expected)) {
        state_ = State::other;
        status_ = 0;
    } else if (expected == 'x') {
        version_1_1_ = byte != '0';
    } else if (expected == 'N') {
        status_ = static_cast<std::uint16_t>(status_ * 10 + (byte - '0'));
    }
}

void Response::name_byte(std::uint8_t byte)
{
    if (byte == '\n') {
        state_ = State::line_start;
        field_ = Field::other;
        if (fields_) fields_->end_value();
    } else if (byte == ':') {
        begin_field();
    } else if (blank(byte)) {
        state_ = State::name_end;
    } else {
        if (fields_ && state_ == State::name_end) fields_->name_byte(' ');  // it is none of ours then
        if (fields_) fields_->name_byte(byte);
        alike_ = state_ == State::name ? still_alike(kNames, alike_, at_, lower(byte)) : std::uint8_t{0};
        state_ = State::name;
        if (at_ < kLongestWord) ++at_;
    }
}

void Response::begin_field()
{
    field_ = is(kNames, 0, alike_, at_)   ? Field::length
             : is(kNames, 1, alike_, at_) ? Field::coding
             : is(kNames, 2, alike_, at_) ? Field::connection
                                          : Field::other;
    state_ = State::value;
    token_ = Token::before;
    any_ = false;
    if (fields_) fields_->end_name();
}

void Response::value_byte(std::uint8_t byte)
{
    if (byte == '\n') {
        if (token_ == Token::within) token_ = Token::behind;  // the value may go on in the next line
        state_ = State::line_start;
        return;
    }
    if (fields_) fields_->value_byte(byte);
    if (field_ == Field::length) length_byte(byte);
    if (field_ == Field::coding || field_ == Field::connection) token_byte(byte);
}

void Response::length_byte(std::uint8_t byte)
{
    if (byte == ',') {
        end_element();
    } else if (blank(byte) || byte == '\r') {
        if (token_ == Token::within) token_ = Token::behind;
    } else if (!digit(byte) || token_ == Token::behind) {
        bad_length_ = true;
    } else {
        if (token_ == Token::before) left_ = 0;
        token_ = Token::within;
        left_ = left_ * 10 + (byte - '0');
        if (left_ > kMost) {
            bad_length_ = true;
            left_ = kMost;
        }
    }
}

void Response::token_byte(std::uint8_t byte)
{
    if (byte == ',') {
        end_element();
    } else if (blank(byte) || byte == '\r') {
        if (token_ == Token::within) token_ = Token::behind;
    } else if (token_ == Token::behind || byte == ';') {  // parameters: of no coding that we know
        token_ = Token::behind;
        alike_ = 0;
    } else {
        if (token_ == Token::before) {
            token_ = Token::within;
            at_ = 0;
            alike_ = kAnyWord;
        }
        alike_ = field_ == Field::coding ? still_alike(kCodings, alike_, at_, lower(byte))
                                         : still_alike(kOptions, alike_, at_, lower(byte));
        if (at_ < kLongestWord) ++at_;
    }
}

// Of a list: the same length may be said several times (RFC 9112, 6.3), the last coding counts.
void Response::end_element()
{
    if (token_ == Token::before) return;
    token_ = Token::before;
    any_ = true;
    if (field_ == Field::length) {
        bad_length_ |= has_length_ && stated_ != left_;
        has_length_ = true;
        stated_ = left_;
    } else if (field_ == Field::coding && !is(kCodings, 1, alike_, at_)) {
        coded_ = true;
        chunked_ = is(kCodings, 0, alike_, at_);
    } else if (field_ == Field::connection) {
        close_ |= is(kOptions, 0, alike_, at_);
        keep_alive_ |= is(kOptions, 1, alike_, at_);
    }
}

void Response::end_field()
{
    end_element();
    if (field_ == Field::length && !any_) bad_length_ = true;
    if (fields_) fields_->end_value();
    field_ = Field::none;
}

void Response::end_head()
{
    if (status_ >= 100 && status_ < 200 && status_ != 101) {  // interim: the response is still to come
        const std::uint64_t length = length_;
        Fields* const fields = fields_;
        const bool upgrades = upgrades_;
        *this = Response(headed_);
        upgrades_ = upgrades;
        length_ = length;
        if (fields) fields->clear();
        fields_ = fields;
        return;
    }
    behind_head_ = true;
    if (status_ == 101) {  // another protocol
        state_ = upgrades_ ? State::complete : State::broken;
    } else if (status_ == 204 || status_ == 304 || headed_) {
        state_ = State::complete;
    } else if (chunked_) {
        state_ = State::chunk_size;
        at_ = 0;
    } else if (coded_) {
        state_ = State::until_close;
    } else if (bad_length_) {
        state_ = State::broken;
    } else if (has_length_) {
        left_ = stated_;
        state_ = left_ == 0 ? State::complete : State::counted;
    } else {
        state_ = State::until_close;
    }
}

void Response::chunk_size_byte(std::uint8_t byte)
{
    const std::uint8_t c = lower(byte);
    const bool letter = c >= 'a' && c <= 'f';
    if (digit(byte) || letter) {
        left_ = (at_ == 0 ? 0 : left_ * 16) + static_cast<std::uint64_t>(letter ? c - 'a' + 10 : c - '0');
        at_ = 1;
        if (left_ >= kMost) state_ = State::broken;
    } else if (at_ == 0) {
        state_ = State::broken;
    } else if (byte == '\n') {
        end_chunk_size();
    } else {
        state_ = byte == '\r'                 ? State::chunk_size_end
                 : byte == ';' || blank(byte) ? State::chunk_extension
                                              : State::broken;
    }
}

void Response::end_chunk_size() { state_ = left_ == 0 ? State::trailer_start : State::chunk; }

}  // namespace anml::rt::app::http
