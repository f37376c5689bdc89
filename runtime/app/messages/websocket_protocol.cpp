#include "app/messages/websocket_protocol.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include "common/base64.h"

namespace anml::rt::app::websocket {

namespace {

constexpr std::uint64_t kHashSeed = 0xcbf29ce484222325, kHashPrime = 0x100000001b3;  // FNV-1a

std::uint64_t hash_begun(bool text) { return (kHashSeed ^ (text ? 1 : 2)) * kHashPrime; }
std::uint64_t hash_on(std::uint64_t hash, std::uint8_t byte) { return (hash ^ byte) * kHashPrime; }

constexpr std::uint8_t kPacked = 0x40;  // RSV1 (RFC 7692, 6)

// SHA-1 (RFC 3174), which only the handshake wants: OpenSSL is linked where a model speaks TLS.
std::array<std::uint8_t, 20> sha1(std::string text)
{
    const std::uint64_t bits = 8 * text.size();
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xff);
    std::array<std::uint32_t, 5> h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t block = 0; block < text.size(); block += 64) {
        std::array<std::uint32_t, 80> w{};
        for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<std::uint8_t>(text[block + i]);
        for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        auto [a, b, c, d, e] = h;
        for (std::size_t i = 0; i < 80; ++i) {
            const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                        : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                        : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                                 : (b ^ c ^ d) + 0xca62c1d6;
            const std::uint32_t next = std::rotl(a, 5) + mixed + e + w[i];
            e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
    }
    std::array<std::uint8_t, 20> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(h[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

// Codes that an endpoint may send (7.4): not those that say that none came.
bool may_be_sent(std::uint16_t code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
           (code >= 3000 && code < kMostCodes);
}

}  // namespace

std::string key(std::uint64_t a, std::uint64_t b)
{
    std::string bytes;
    for (const std::uint64_t word : {a, b})
        for (int i = 0; i < 8; ++i) bytes += static_cast<char>(word >> 8 * i & 0xff);
    return base64(bytes);
}

bool is_key(std::string_view text)
{
    constexpr std::size_t kDigits = 22;
    const auto digit = [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '/'; };
    return text.size() == kDigits + 2 && text.ends_with("==") && std::ranges::all_of(text.substr(0, kDigits), digit);
}

std::string accept_key(std::string_view key)
{
    const auto digest = sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

void add_frame(std::vector<std::uint8_t>& out, Opcode opcode, std::span<const std::uint8_t> payload,
               std::optional<std::uint32_t> mask, Compression* compression)
{
    std::vector<std::uint8_t> packed;
    if (compression) payload = packed = compression->sent.message(payload);
    const std::uint8_t masked = mask ? 0x80 : 0;
    const std::uint64_t size = payload.size();
    out.push_back(static_cast<std::uint8_t>(0x80 | (compression ? kPacked : 0) | static_cast<std::uint8_t>(opcode)));
    const int more = size < 126 ? 0 : size < 65536 ? 2 : 8;
    out.push_back(static_cast<std::uint8_t>(masked | (more == 0 ? size : more == 2 ? 126 : 127)));
    for (int i = more - 1; i >= 0; --i) out.push_back(static_cast<std::uint8_t>(size >> 8 * i & 0xff));
    std::array<std::uint8_t, 4> key{};
    if (mask) {
        for (std::size_t i = 0; i < 4; ++i) key[i] = static_cast<std::uint8_t>(*mask >> 8 * i & 0xff);
        out.insert(out.end(), key.begin(), key.end());
    }
    const std::size_t at = out.size();
    out.insert(out.end(), payload.begin(), payload.end());
    if (mask)
        for (std::size_t i = 0; i < payload.size(); ++i) out[at + i] ^= key[i % 4];
}

void add_close(std::vector<std::uint8_t>& out, std::uint16_t code, std::optional<std::uint32_t> mask)
{
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(code >> 8), static_cast<std::uint8_t>(code & 0xff)};
    add_frame(out, Opcode::close, code == kNoStatus ? std::span<const std::uint8_t>() : bytes, mask);
}

std::uint64_t hash_of(bool text, std::span<const std::uint8_t> payload)
{
    std::uint64_t hash = hash_begun(text);
    for (const std::uint8_t byte : payload) hash = hash_on(hash, byte);
    return hash;
}

bool Utf8::take(std::uint8_t byte)
{
    if (left_ != 0) {
        if (byte < least_ || byte > most_) return false;
        least_ = 0x80, most_ = 0xbf;
        --left_;
        return true;
    }
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    left_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte == 0xe0) least_ = 0xa0;  // shorter ways to write it
    if (byte == 0xed) most_ = 0x9f;   // surrogates
    if (byte == 0xf0) least_ = 0x90;
    if (byte == 0xf4) most_ = 0x8f;
    return true;
}

std::string_view Reader::why() const
{
    constexpr std::string_view kWhy[] = {"",
                                         "a server's frame is masked",
                                         "a client's frame is not masked",
                                         "a reserved bit is set",
                                         "an unknown opcode",
                                         "a control frame that is cut or longer than 125 B",
                                         "a length that is not written the shortest way",
                                         "a fragment of no message, or a message within another one",
                                         "a text that is not UTF-8",
                                         "a close with a code that may not be sent",
                                         "a message longer than 1 MiB",
                                         "a compressed message that is no deflated data",
                                         "a compressed message of more than 16 MiB"};
    return kWhy[static_cast<std::size_t>(wrong_)];
}

std::uint16_t Reader::code() const
{
    switch (wrong_) {
        case Wrong::utf8:
        case Wrong::packed:
            return kInvalidText;
        case Wrong::large:
        case Wrong::unpacked:
            return kTooLarge;
        default:
            return kProtocolError;
    }
}

std::uint16_t Reader::close_code() const
{
    return control_size_ < 2 ? kNoStatus : static_cast<std::uint16_t>(control_[0] << 8 | control_[1]);
}

void Reader::fail(Wrong wrong)
{
    wrong_ = wrong;
    what_ = What::wrong;
}

std::size_t Reader::read(std::span<const std::uint8_t> bytes)
{
    if (what_ == What::wrong) return 0;
    if (what_ == What::message) {
        length_ = 0;
        if (keeps) keeps->clear();
    }
    what_ = What::nothing;
    std::size_t i = 0;
    while (i < bytes.size() && what_ == What::nothing) {
        switch (state_) {
            case State::first:
                begin_frame(bytes[i++]);
                break;
            case State::size:
                size_byte(bytes[i++]);
                break;
            case State::more_size:
                left_ = left_ << 8 | bytes[i++];
                if (++at_ == size_) end_size();
                break;
            case State::key:
                key_[at_] = bytes[i++];
                if (++at_ == 4) end_head();
                break;
            case State::payload:
                i += payload(bytes.subspan(i));
                break;
        }
    }
    return i;
}

void Reader::begin_frame(std::uint8_t byte)
{
    opcode_ = byte & 0x0f;
    final_ = (byte & 0x80) != 0;
    const bool first = opcode_ == static_cast<std::uint8_t>(Opcode::text) ||
                       opcode_ == static_cast<std::uint8_t>(Opcode::binary);
    const bool packed = (byte & kPacked) != 0;
    if ((byte & 0x30) != 0 || (packed && (!compression || !first))) return fail(Wrong::reserved);
    if ((opcode_ > 2 && opcode_ < 8) || opcode_ > 10) return fail(Wrong::opcode);
    if (is_control() && !final_) return fail(Wrong::control);
    if (!is_control() && open_ != (opcode_ == 0)) return fail(Wrong::fragment);
    if (first) packed_ = packed;
    state_ = State::size;
}

void Reader::size_byte(std::uint8_t byte)
{
    if (((byte & 0x80) != 0) != masked_) return fail(masked_ ? Wrong::unmasked : Wrong::masked);
    left_ = byte & 0x7f;
    if (is_control() && left_ > kMostControl) return fail(Wrong::control);
    at_ = 0;
    size_ = left_ == 126 ? 2 : left_ == 127 ? 8 : 0;
    if (size_ == 0) return end_size();
    left_ = 0;
    state_ = State::more_size;
}

void Reader::end_size()
{
    if (size_ != 0 && (left_ < (size_ == 2 ? 126 : 65536) || left_ >> 63 != 0)) return fail(Wrong::length);
    at_ = 0;
    key_ = {};
    if (!masked_) return end_head();
    state_ = State::key;
}

void Reader::end_head()
{
    at_ = 0;
    state_ = State::payload;
    if (is_control()) {
        control_size_ = 0;
    } else if (!open_) {
        open_ = true;
        text_ = opcode_ == static_cast<std::uint8_t>(Opcode::text);
        length_ = 0;
        hash_ = hash_begun(text_);
        utf8_ = {};
    }
    if (left_ == 0) end_frame();
}

std::size_t Reader::payload(std::span<const std::uint8_t> bytes)
{
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
    if (packed_ && !is_control()) {
        if (!unpack(bytes.first(count))) return count;
        left_ -= count;
        if (left_ == 0) end_frame();
        return count;
    }
    if (keeps && !is_control() && length_ + count > kMostKept) {
        fail(Wrong::large);
        return 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t byte = bytes[i] ^ key_[at_];
        at_ = (at_ + 1) & 3;
        if (is_control())
            control_[control_size_++] = byte;
        else if (!take_byte(byte))
            return i + 1;
    }
    left_ -= count;
    if (!is_control()) length_ += count;
    if (left_ == 0) end_frame();
    return count;
}

bool Reader::take_byte(std::uint8_t byte)
{
    hash_ = hash_on(hash_, byte);
    if (keeps) keeps->push_back(byte);
    if (!text_ || utf8_.take(byte)) return true;
    fail(Wrong::utf8);
    return false;
}

bool Reader::unpack(std::span<const std::uint8_t> bytes)
{
    std::array<std::uint8_t, 1024> plain;
    while (!bytes.empty()) {
        std::span<const std::uint8_t> piece = bytes.first(std::min(bytes.size(), plain.size()));
        bytes = bytes.subspan(piece.size());
        for (std::size_t i = 0; i < piece.size(); ++i, at_ = (at_ + 1) & 3) plain[i] = piece[i] ^ key_[at_];
        piece = std::span(plain).first(piece.size());
        for (Inflater::End end = Inflater::End::more; end != Inflater::End::all;) {
            std::span<const std::uint8_t> out;
            end = compression->read.read(piece, out);
            if (!take_unpacked(out)) return false;
            if (end != Inflater::End::wrong) continue;
            fail(Wrong::packed);
            return false;
        }
    }
    return true;
}

bool Reader::take_unpacked(std::span<const std::uint8_t> bytes)
{
    length_ += bytes.size();
    if (length_ > (keeps ? kMostKept : kMostUnpacked)) {
        fail(keeps ? Wrong::large : Wrong::unpacked);
        return false;
    }
    return std::ranges::all_of(bytes, [&](std::uint8_t byte) { return take_byte(byte); });
}

void Reader::end_frame()
{
    state_ = State::first;
    if (!is_control()) {
        if (!final_) return;
        if (packed_) {
            std::span<const std::uint8_t> out;
            if (!compression->read.end(out)) return fail(Wrong::packed);
            if (!take_unpacked(out)) return;
        }
        if (text_ && !utf8_.complete()) return fail(Wrong::utf8);
        open_ = false;
        what_ = What::message;
        return;
    }
    if (opcode_ != static_cast<std::uint8_t>(Opcode::close)) {
        what_ = opcode_ == static_cast<std::uint8_t>(Opcode::ping) ? What::ping : What::pong;
        return;
    }
    if (control_size_ == 1 || (control_size_ >= 2 && !may_be_sent(close_code()))) return fail(Wrong::close_code);
    Utf8 reason;
    for (std::size_t i = 2; i < control_size_; ++i)
        if (!reason.take(control_[i])) return fail(Wrong::utf8);
    if (!reason.complete()) return fail(Wrong::utf8);
    what_ = What::close;
}

}  // namespace anml::rt::app::websocket
