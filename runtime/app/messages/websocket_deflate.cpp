#include "app/messages/websocket_deflate.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "common/ascii.h"

namespace anml::rt::app::websocket {

namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kName = "permessage-deflate";
constexpr std::string_view kServerTakeover = "server_no_context_takeover";
constexpr std::string_view kClientTakeover = "client_no_context_takeover";
constexpr std::string_view kServerBits = "server_max_window_bits", kClientBits = "client_max_window_bits";
constexpr std::uint8_t kFlushed[] = {0x00, 0x00, 0xff, 0xff};  // what ends each message, and is not sent
constexpr int kLevel = 1, kMemory = 5;                         // of zlib: quick, and small

// What is before the first of these, which is cut off.
std::string_view cut(std::string_view& text, char at)
{
    const std::size_t end = std::min(text.find(at), text.size());
    const std::string_view first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return trimmed(first, kBlank);
}

struct Said {  // of one extension
    Deflate deflate;
    bool server_bits = false, client_bits = false;  // are said
};

// A number from 8 to 15, in quotes too; 0: it is none.
std::uint8_t bits_of(std::string_view text)
{
    if (text.size() > 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    if (text == "8" || text == "9") return static_cast<std::uint8_t>(text[0] - '0');
    return text.size() == 2 && text[0] == '1' && text[1] >= '0' && text[1] <= '5'
               ? static_cast<std::uint8_t>(10 + text[1] - '0')
               : std::uint8_t{0};
}

// Nothing: another extension, or what RFC 7692 does not allow. `bare`: client_max_window_bits needs no value.
std::optional<Said> said_by(std::string_view extension, bool bare)
{
    if (cut(extension, ';') != kName) return std::nullopt;
    Said said;
    bool server_takeover = false, client_takeover = false;
    while (!extension.empty()) {
        std::string_view value = cut(extension, ';');
        const bool valued = value.find('=') != std::string_view::npos;
        const std::string_view name = cut(value, '=');
        value = trimmed(value, kBlank);
        bool& seen = name == kServerTakeover   ? server_takeover
                     : name == kClientTakeover ? client_takeover
                     : name == kServerBits     ? said.server_bits
                                               : said.client_bits;
        if (std::exchange(seen, true)) return std::nullopt;
        if (name == kServerTakeover || name == kClientTakeover) {
            if (valued) return std::nullopt;
            (name == kServerTakeover ? said.deflate.server : said.deflate.client).takeover = false;
        } else if (name == kServerBits || name == kClientBits) {
            if (!valued && bare && name == kClientBits) continue;
            const std::uint8_t bits = bits_of(value);
            if (bits == 0) return std::nullopt;
            (name == kServerBits ? said.deflate.server : said.deflate.client).bits = bits;
        } else {
            return std::nullopt;
        }
    }
    return said;
}

std::string text_of(const Deflate& deflate, bool bits_of_client)
{
    std::string text(kName);
    const auto add = [&](std::string_view name, std::uint8_t bits) {
        text.append("; ").append(name);
        if (bits != 0) text.append("=").append(std::to_string(bits));
    };
    if (!deflate.server.takeover) add(kServerTakeover, 0);
    if (!deflate.client.takeover) add(kClientTakeover, 0);
    if (deflate.server.bits < kMostBits) add(kServerBits, deflate.server.bits);
    if (deflate.client.bits < kMostBits)
        add(kClientBits, deflate.client.bits);
    else if (bits_of_client)
        add(kClientBits, 0);
    return text;
}

void close_deflate(z_stream_s* stream)
{
    deflateEnd(stream);
    delete stream;
}

void close_inflate(z_stream_s* stream)
{
    inflateEnd(stream);
    delete stream;
}

}  // namespace

// Any server may say what window it wants of the client.
std::string offer_of(const Deflate& offered) { return text_of(offered, true); }

std::string answer_of(const Deflate& taken) { return text_of(taken, false); }

std::optional<Deflate> accepted(std::string_view offers)
{
    while (!offers.empty())
        if (const std::optional<Said> said = said_by(cut(offers, ','), true)) return said->deflate;
    return std::nullopt;
}

std::optional<Deflate> agreed(std::string_view answer, const Deflate& offered)
{
    std::optional<Said> said = said_by(answer, false);
    if (!said) return std::nullopt;
    Deflate& taken = said->deflate;
    if (!offered.server.takeover && taken.server.takeover) return std::nullopt;
    if (taken.server.bits > offered.server.bits) return std::nullopt;
    taken.client.takeover = taken.client.takeover && offered.client.takeover;
    taken.client.bits = std::min(taken.client.bits, offered.client.bits);
    return taken;
}

std::vector<std::uint8_t> Deflater::message(std::span<const std::uint8_t> payload)
{
    if (payload.empty()) return {0};  // (7.2.3.6): of nothing, flushed again, zlib makes nothing
    if (!stream_) {
        stream_ = {new z_stream_s(), Close{close_deflate}};
        // zlib has no window of 8 bits; of one of 9 it looks back 250 bytes at most.
        const int bits = std::max<int>(of_.bits, 9);
        if (deflateInit2(stream_.get(), kLevel, Z_DEFLATED, -bits, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    std::vector<std::uint8_t> out(deflateBound(stream_.get(), payload.size()) + 16);
    stream_->next_in = const_cast<std::uint8_t*>(payload.data());
    stream_->avail_in = static_cast<unsigned>(payload.size());
    stream_->next_out = out.data();
    stream_->avail_out = static_cast<unsigned>(out.size());
    deflate(stream_.get(), Z_SYNC_FLUSH);
    out.resize(out.size() - stream_->avail_out - sizeof kFlushed);
    if (!of_.takeover) stream_.reset();
    return out;
}

Inflater::End Inflater::read(std::span<const std::uint8_t>& bytes, std::span<const std::uint8_t>& out)
{
    if (!stream_) {
        stream_ = {new z_stream_s(), Close{close_inflate}};
        if (inflateInit2(stream_.get(), -of_.bits) != Z_OK) throw std::bad_alloc();
    }
    stream_->next_in = const_cast<std::uint8_t*>(bytes.data());
    stream_->avail_in = static_cast<unsigned>(bytes.size());
    stream_->next_out = room_.data();
    stream_->avail_out = static_cast<unsigned>(room_.size());
    const int done = inflate(stream_.get(), Z_SYNC_FLUSH);
    bytes = bytes.last(stream_->avail_in);
    out = std::span(room_).first(room_.size() - stream_->avail_out);
    if (done == Z_STREAM_END) inflateResetKeep(stream_.get());  // a last block of DEFLATE is no message's end (7.2.3.4)
    if (done != Z_OK && done != Z_BUF_ERROR && done != Z_STREAM_END) return End::wrong;
    return bytes.empty() && stream_->avail_out != 0 ? End::all : End::more;
}

bool Inflater::end(std::span<const std::uint8_t>& out)
{
    constexpr int kBehindBlock = 128;
    std::span<const std::uint8_t> rest = kFlushed;
    // A code that is unfinished gives less than a room has.
    const bool whole = read(rest, out) == End::all && (stream_->data_type & kBehindBlock) != 0;
    if (!of_.takeover) stream_.reset();
    return whole;
}

}  // namespace anml::rt::app::websocket
