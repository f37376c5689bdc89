#include "app/http_request.h"

#include <string_view>

namespace anml::rt::app::http {

namespace {

// Where read_request is, in connection.place.
enum Place : std::uint16_t {
    kMethod,     // kMethod + i: i bytes of "GET " seen
    kPath = 4,   // behind it
    kVersion,    // the rest of the request line
    kLineStart,  // first byte of a header line
    kCarriage,   // a carriage return at a line's start
    kHeader,     // within a header line
    kEnd,
};

constexpr std::uint16_t kLongestPath = 0xffff;

}  // namespace

bool read_request(tcp::Connection& c, const PathIndex& paths, std::span<const std::uint8_t> bytes)
{
    constexpr std::string_view kGet = "GET ";
    for (std::uint8_t byte : bytes) {
        bool line_end = byte == '\n';
        switch (c.place) {
            case kPath:
                if (byte == ' ' || line_end) {
                    c.wanted.first = paths.document(c.wanted, c.depth);
                    c.place = line_end ? kEnd : kVersion;  // "GET /path" alone is all of an HTTP/0.9 request
                } else if (byte != '\r' && c.depth < kLongestPath) {
                    c.wanted = ++c.depth < kLongestPath ? paths.narrow(c.wanted, c.depth - 1u, byte) : PathRange{};
                }
                break;
            case kVersion:
            case kHeader:
                if (line_end) c.place = kLineStart;
                break;
            case kLineStart:
                c.place = byte == '\r' ? kCarriage : line_end ? kEnd : kHeader;
                break;
            case kCarriage:
                c.place = line_end ? kEnd : kHeader;
                break;
            case kEnd:
                return true;
            default:
                if (byte != kGet[c.place]) {  // not a GET, but its end can be found
                    c.wanted.first = kNone;
                    c.place = line_end ? kLineStart : kVersion;
                } else if (++c.place == kPath) {
                    c.wanted = paths.all();
                }
        }
        if (c.place == kEnd) return true;
    }
    return false;
}

}  // namespace anml::rt::app::http
