#include "app/http/http_request.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "app/http/http_words.h"

namespace anml::rt::app::http {

namespace {

// Where read_request is, in RequestHead::state.
enum RequestState : std::uint8_t {
    kMethod,
    kPath,
    kVersion,    // the rest of the request line
    kLineStart,  // first byte of a header line
    kCarriage,   // a carriage return at a line's start
    kName,
    kValue,
    kBody,
    kChunks,
    kEnd,
};

constexpr std::uint16_t kLongestPath = 0xffff;
constexpr std::uint8_t kAbsolute = 3;  // slashes of http://host/path, which proxies are asked for (RFC 9112, 3.2.2)
constexpr std::string_view kMethods[] = {"GET ",    "HEAD ",  "POST ",   "PUT ",
                                         "DELETE ", "PATCH ", "OPTIONS "};  // as Method
constexpr std::string_view kHttp1 = "HTTP/1.";
constexpr std::string_view kFields[] = {"connection", "content-length", "transfer-encoding", "host"};
constexpr std::string_view kConnectionOptions[] = {"close", "keep-alive"};
constexpr std::string_view kRequestCodings[] = {"chunked"};
constexpr std::uint64_t kLongestBody = std::uint64_t{1} << 60;  // bytes

void begin_word(RequestHead& head)
{
    head.at = 0;
    head.alike = kAnyWord;
}

void method_byte(RequestHead& head, const PathIndex& paths, std::uint8_t byte)
{
    if (head.at == 0 && (byte == '\r' || byte == '\n')) return;  // empty lines before a request (RFC 9112, 2.2)
    if (head.at == 0) head.alike = kAnyWord;
    head.alike = still_alike(kMethods, head.alike, head.at++, byte);
    for (unsigned i = 0; i < std::size(kMethods); ++i) {
        if (!is(kMethods, i, head.alike, head.at)) continue;
        head.method = static_cast<Method>(i);
        head.wanted = paths.all();
        head.state = kPath;
        head.at = 0;
        return;
    }
    if ((head.alike & ((1u << std::size(kMethods)) - 1)) == 0) {  // none of them, but its end can be found
        head.other = true;
        head.at = kLongestWord;
        head.state = byte == '\n' ? kLineStart : kVersion;
    }
}

void path_byte(RequestHead& head, const PathIndex& paths, std::uint8_t byte)
{
    const bool line_end = byte == '\n', ends = byte == ' ' || line_end;
    if (head.depth == 0 && head.at == 0 && byte != '/' && !ends) head.at = kAbsolute;
    if (head.at > 0 && !ends && (byte != '/' || --head.at > 0)) return;
    if (head.at > 0) path_byte(head, paths, '/');  // http://host
    if (byte == '?' && head.plain == kNone) head.plain = paths.document(head.wanted, head.depth);
    if (ends) {
        head.wanted.first = paths.document(head.wanted, head.depth);
        if (head.wanted.first == kNone) head.wanted.first = head.plain;
        head.state = line_end ? kEnd : kVersion;  // "GET /path" alone is all of an HTTP/0.9 request
        head.at = 0;
    } else if (!head.elsewhere && head.depth == head.before && head.before < head.moved.size() &&
               byte == static_cast<std::uint8_t>(head.moved[head.before]) && ++head.before == head.moved.size())
    {
        head.elsewhere = true;  // what comes next is the document's
        head.wanted = paths.all();
        head.depth = 0;
    } else if (byte != '\r' && head.depth < kLongestPath) {
        head.wanted = ++head.depth < kLongestPath ? paths.narrow(head.wanted, head.depth - 1u, byte) : PathRange{};
    }
}

void version_byte(RequestHead& head, std::uint8_t byte)
{
    if (byte == '\n') {
        head.state = kLineStart;
    } else if (head.at < kHttp1.size()) {
        head.other_version |= byte != static_cast<std::uint8_t>(kHttp1[head.at]);
        head.at = head.other_version ? kLongestWord : static_cast<std::uint8_t>(head.at + 1);
    } else if (head.at == kHttp1.size()) {
        head.version_1_1 = digit(byte) && byte != '0';
        head.at = kLongestWord;
    }
}

void begin_length(RequestHead& head)
{
    head.unclear |= head.sized;  // a second one
    head.sized = true;
    head.left = 0;
}

enum Length : std::uint8_t { kBefore, kWithin, kBehind };  // in `at`

void length_byte(RequestHead& head, std::uint8_t byte)
{
    if (byte == '\n') {
        head.unclear |= head.at == kBefore;
    } else if (blank(byte) || byte == '\r') {
        if (head.at == kWithin) head.at = kBehind;
    } else if (!digit(byte) || head.at == kBehind || head.left > kLongestBody) {
        head.unclear = true;
    } else {
        head.at = kWithin;
        head.left = head.left * 10 + (byte - '0');
    }
}

void coding_byte(RequestHead& head, std::uint8_t byte)
{
    if (byte == ',' || byte == '\n') {
        head.chunked = is(kRequestCodings, 0, head.alike, head.at);
        begin_word(head);
    } else if (!blank(byte) && byte != '\r') {
        head.alike = still_alike(kRequestCodings, head.alike, head.at, lower(byte));
        if (head.at < kLongestWord) ++head.at;
    }
}

void name_byte(RequestHead& head, std::uint8_t byte)
{
    if (byte == '\n') {
        head.state = kLineStart;
        if (head.fields) head.fields->end_value();
    } else if (byte == ':') {
        if (head.fields) head.fields->end_name();
        head.field = RequestHead::Field::other;
        for (unsigned i = 0; i < std::size(kFields); ++i)
            if (is(kFields, i, head.alike, head.at)) head.field = static_cast<RequestHead::Field>(i + 1);
        head.state = kValue;
        head.coded |= head.field == RequestHead::Field::coding;
        head.hosts |= head.hosted && head.field == RequestHead::Field::host;
        head.hosted |= head.field == RequestHead::Field::host;
        begin_word(head);
        if (head.field == RequestHead::Field::length) begin_length(head);
    } else {
        if (head.fields) head.fields->name_byte(byte);
        head.alike = still_alike(kFields, head.alike, head.at, lower(byte));
        if (head.at < kLongestWord) ++head.at;
    }
}

void end_option(RequestHead& head)
{
    head.close |= is(kConnectionOptions, 0, head.alike, head.at);
    head.keep_alive |= is(kConnectionOptions, 1, head.alike, head.at);
    begin_word(head);
}

void value_byte(RequestHead& head, std::uint8_t byte)
{
    const bool line_end = byte == '\n';
    if (head.fields && !line_end) head.fields->value_byte(byte);
    if (head.field == RequestHead::Field::connection) {
        if (byte == ',' || line_end) {
            end_option(head);
        } else if (!blank(byte) && byte != '\r') {
            head.alike = still_alike(kConnectionOptions, head.alike, head.at, lower(byte));
            if (head.at < kLongestWord) ++head.at;
        }
    } else if (head.field == RequestHead::Field::length) {
        length_byte(head, byte);
    } else if (head.field == RequestHead::Field::coding) {
        coding_byte(head, byte);
    }
    if (line_end) head.state = kLineStart;
}

void end_head(RequestHead& head)
{
    head.unclear |= head.coded && (head.sized || !head.chunked);
    if (head.unclear || head.other || head.other_version)
        head.state = kEnd;
    else if (head.coded)
        head.state = kChunks;
    else
        head.state = head.left > 0 ? kBody : kEnd;
    if (head.state == kChunks) head.chunks = Response::of_chunks();
}

void line_start_byte(RequestHead& head, std::uint8_t byte)
{
    if (head.fields && !blank(byte)) head.fields->end_value();
    if (byte == '\n') {
        end_head(head);
    } else if (byte == '\r') {
        head.state = kCarriage;
    } else if (blank(byte)) {  // the value goes on (RFC 9112, 5.2)
        head.state = kValue;
    } else {
        head.state = kName;
        begin_word(head);
        name_byte(head, byte);
    }
}

void take(RequestHead& head, const PathIndex& paths, std::uint8_t byte)
{
    switch (head.state) {
        case kMethod:
            return method_byte(head, paths, byte);
        case kPath:
            return path_byte(head, paths, byte);
        case kVersion:
            return version_byte(head, byte);
        case kLineStart:
            return line_start_byte(head, byte);
        case kCarriage:
            if (byte == '\n') return end_head(head);
            head.state = kName;  // a line that means nothing
            head.alike = 0;
            return;
        case kName:
            return name_byte(head, byte);
        case kValue:
            return value_byte(head, byte);
        default:
            return;
    }
}

std::size_t take_chunks(RequestHead& head, std::span<const std::uint8_t> bytes)
{
    const std::uint64_t before = head.chunks.length();
    head.chunks.read(bytes);
    head.unclear |= head.chunks.broken();
    if (head.chunks.complete() || head.chunks.broken()) head.state = kEnd;
    return static_cast<std::size_t>(head.chunks.length() - before);
}

std::size_t take_body(RequestHead& head, std::span<const std::uint8_t> bytes)
{
    if (head.state == kChunks) return take_chunks(head, bytes);
    const std::size_t count = std::min<std::uint64_t>(head.left, bytes.size());
    head.left -= count;
    if (head.left == 0) head.state = kEnd;
    return count;
}

}  // namespace

bool RequestHead::complete() const { return state == kEnd; }

std::size_t read_request(RequestHead& head, const PathIndex& paths, std::span<const std::uint8_t> bytes)
{
    std::size_t taken = 0;
    while (taken < bytes.size() && !head.complete()) {
        if (head.state == kBody || head.state == kChunks)
            taken += take_body(head, bytes.subspan(taken));
        else
            take(head, paths, bytes[taken++]);
    }
    return taken;
}

}  // namespace anml::rt::app::http
