#include "app/http_head.h"

#include "app/content.h"

namespace anml::rt::app::http {

namespace {

constexpr std::string_view kStatusLine = "HTTP/1.x NNN";  // x: any digit
constexpr std::uint32_t kHashSeed = 0x811c9dc5u;          // FNV-1a
std::uint32_t hash_byte(std::uint32_t hash, std::uint8_t byte) { return (hash ^ byte) * 0x01000193u; }

bool digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Where read_request is, in connection.scratch.
enum Place : std::uint16_t {
    kMethod,     // kMethod + i: i bytes of "GET " seen
    kPath = 4,   // behind it
    kVersion,    // the rest of the request line
    kLineStart,  // first byte of a header line
    kCarriage,   // a carriage return at a line's start
    kHeader,     // within a header line
    kEnd,
};

}  // namespace

bool status_known(const tcp::Connection& c) { return c.scratch >= kStatusLine.size() || c.status == kNotHttp; }

void read_status(tcp::Connection& c, std::span<const std::uint8_t> bytes)
{
    for (std::uint8_t byte : bytes) {
        if (status_known(c)) return;
        char expected = kStatusLine[c.scratch++];
        if (expected == 'x' || expected == 'N' ? !digit(byte) : byte != static_cast<std::uint8_t>(expected)) {
            c.status = kNotHttp;
            return;
        }
        if (expected == 'N') c.status = static_cast<std::uint16_t>(c.status * 10 + (byte - '0'));
    }
}

void take_status(tcp::Connection& c, std::uint32_t content)
{
    c.scratch = kStatusLine.size();
    content::Kind kind = content::kind(content);
    c.status = kind == content::Kind::response ? 200 : kind == content::Kind::not_found ? 404 : kNotHttp;
}

bool read_request(tcp::Connection& c, std::span<const std::uint8_t> bytes)
{
    constexpr std::string_view kGet = "GET ";
    for (std::uint8_t byte : bytes) {
        bool line_end = byte == '\n';
        switch (c.scratch) {
            case kPath:
                if (byte == ' ')
                    c.scratch = kVersion;
                else if (line_end)
                    c.scratch = kEnd;  // "GET /path" alone is all of an HTTP/0.9 request
                else if (byte != '\r')
                    c.path_hash = hash_byte(c.path_hash, byte);
                break;
            case kVersion:
            case kHeader:
                if (line_end) c.scratch = kLineStart;
                break;
            case kLineStart:
                c.scratch = byte == '\r' ? kCarriage : line_end ? kEnd : kHeader;
                break;
            case kCarriage:
                c.scratch = line_end ? kEnd : kHeader;
                break;
            case kEnd:
                return true;
            default:
                if (c.scratch == kMethod) c.path_hash = kHashSeed;
                if (byte == kGet[c.scratch]) {
                    ++c.scratch;
                } else {
                    c.status = kNotHttp;  // not a GET, but its end can be found
                    c.scratch = line_end ? kLineStart : kVersion;
                }
        }
        if (c.scratch == kEnd) return true;
    }
    return false;
}

std::uint32_t path_hash(std::string_view path)
{
    std::uint32_t hash = kHashSeed;
    for (char c : path) hash = hash_byte(hash, static_cast<std::uint8_t>(c));
    return hash;
}

}  // namespace anml::rt::app::http
