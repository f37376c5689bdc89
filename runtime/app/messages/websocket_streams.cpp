// The streams of permessage-deflate, by zlib.
#include <zlib.h>

#include <algorithm>
#include <new>

#include "app/messages/websocket_deflate.h"

// Referred to by models that need it: what brings this file and zlib into their emulators.
extern "C" {
extern const char anml_deflate;
const char anml_deflate = 1;
}

namespace anml::rt::app::websocket {

namespace {

constexpr std::uint8_t kFlushed[] = {0x00, 0x00, 0xff, 0xff};  // what ends each message, and is not sent
constexpr int kLevel = 1, kMemory = 5;                         // of zlib: quick, and small

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
