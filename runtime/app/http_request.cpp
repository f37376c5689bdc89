#include "app/http_request.h"

#include <string_view>

#include "base/ids.h"

namespace anml::rt::app::http {

namespace {

// Where read_request is, in RequestHead::place.
enum Place : std::uint8_t {
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

bool read_request(RequestHead& head, const PathIndex& paths, std::span<const std::uint8_t> bytes)
{
    constexpr std::string_view kGet = "GET ";
    for (std::uint8_t byte : bytes) {
        bool line_end = byte == '\n';
        switch (head.place) {
            case kPath:
                if (byte == ' ' || line_end) {
                    head.wanted.first = paths.document(head.wanted, head.depth);
                    head.place = line_end ? kEnd : kVersion;  // "GET /path" alone is all of an HTTP/0.9 request
                } else if (byte != '\r' && head.depth < kLongestPath) {
                    head.wanted =
                        ++head.depth < kLongestPath ? paths.narrow(head.wanted, head.depth - 1u, byte) : PathRange{};
                }
                break;
            case kVersion:
            case kHeader:
                if (line_end) head.place = kLineStart;
                break;
            case kLineStart:
                head.place = byte == '\r' ? kCarriage : line_end ? kEnd : kHeader;
                break;
            case kCarriage:
                head.place = line_end ? kEnd : kHeader;
                break;
            case kEnd:
                return true;
            default:
                if (byte != kGet[head.place]) {  // not a GET, but its end can be found
                    head.wanted.first = kNone;
                    head.place = line_end ? kLineStart : kVersion;
                } else if (++head.place == kPath) {
                    head.wanted = paths.all();
                }
        }
        if (head.place == kEnd) return true;
    }
    return false;
}

}  // namespace anml::rt::app::http
