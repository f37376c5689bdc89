// WebSocket's handshake and frames by RFC 6455's own examples, however they are cut; what is no frame; and where events
// of a stream end.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "app/messages/event_stream.h"
#include "app/messages/websocket_protocol.h"

using namespace anml::rt::app;
using websocket::Opcode;
using websocket::Reader;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

struct Came {
    std::vector<std::string> messages, pings;
    std::vector<std::uint16_t> closes;
    Reader::Wrong wrong = Reader::Wrong::none;
};

Came read(const Bytes& stream, bool masked, std::size_t step)
{
    Came came;
    Bytes kept;
    Reader reader(masked);
    reader.keeps = &kept;
    for (std::size_t at = 0; at < stream.size(); at += step) {
        std::span<const std::uint8_t> piece = std::span(stream).subspan(at, std::min(step, stream.size() - at));
        while (!piece.empty() && reader.what() != Reader::What::wrong) {
            piece = piece.subspan(reader.read(piece));
            const std::string control(reader.control().begin(), reader.control().end());
            if (reader.what() == Reader::What::message) {
                came.messages.emplace_back(kept.begin(), kept.end());
                CHECK(reader.length() == kept.size());
                CHECK(reader.hash() == websocket::hash_of(reader.text(), kept));
            }
            if (reader.what() == Reader::What::ping) came.pings.push_back(control);
            if (reader.what() == Reader::What::close) came.closes.push_back(reader.close_code());
        }
    }
    came.wrong = reader.wrong();
    return came;
}

Reader::Wrong wrong_of(const Bytes& stream, bool masked = false)
{
    const Reader::Wrong whole = read(stream, masked, stream.size()).wrong;
    CHECK(read(stream, masked, 1).wrong == whole);
    return whole;
}

int events(std::string_view text, std::size_t step)
{
    int count = 0;
    EventStream stream;
    const Bytes all = bytes_of(text);
    for (std::size_t at = 0; at < all.size(); at += step) {
        std::span<const std::uint8_t> piece = std::span(all).subspan(at, std::min(step, all.size() - at));
        while (!piece.empty()) {
            piece = piece.subspan(stream.read(piece));
            count += stream.ended();
        }
    }
    return count;
}

}  // namespace

TEST_CASE("RFC 6455, 1.3: the accept key of the example", "[websocket]")
{
    CHECK(websocket::accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    CHECK(websocket::key(0, 0) == "AAAAAAAAAAAAAAAAAAAAAA==");
}

TEST_CASE("RFC 6455, 5.7: the examples of frames", "[websocket]")
{
    for (const std::size_t step : {1, 2, 3, 100}) {
        const std::vector<std::string> hello{"Hello"};
        CHECK(read({0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f}, false, step).messages == hello);
        const Bytes masked = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
        CHECK(read(masked, true, step).messages == hello);
        // In fragments, with a ping between them.
        const Came came = read({0x01, 0x03, 0x48, 0x65, 0x6c, 0x89, 0x01, 0x21, 0x80, 0x02, 0x6c, 0x6f}, false, step);
        CHECK(came.messages == hello);
        CHECK(came.pings == std::vector<std::string>{"!"});
        CHECK(read({0x88, 0x02, 0x03, 0xe8, 0x88, 0x00}, false, step).closes == std::vector<std::uint16_t>{1000, 1005});
    }
}

TEST_CASE("What is written is read, in each form of the length", "[websocket]")
{
    for (const std::size_t size : {0, 1, 125, 126, 65535, 65536, 70000}) {
        const Bytes payload(size, 'x');
        for (const bool masked : {false, true}) {
            Bytes frame;
            websocket::add_frame(frame, Opcode::text, payload, masked ? std::optional(0x12345678u) : std::nullopt);
            CHECK(frame.size() == size + (size < 126 ? 2 : size < 65536 ? 4 : 10) + (masked ? 4 : 0));
            for (const std::size_t step : {std::size_t{7}, frame.size()})
                CHECK(read(frame, masked, step).messages == std::vector{std::string(size, 'x')});
        }
    }
}

TEST_CASE("What RFC 6455 does not allow", "[websocket]")
{
    using Wrong = Reader::Wrong;
    CHECK(wrong_of({0x82, 0x81, 1, 2, 3, 4, 0}) == Wrong::masked);
    CHECK(wrong_of({0x82, 0x01, 0}, true) == Wrong::unmasked);
    CHECK(wrong_of({0xc2, 0x01, 0}) == Wrong::reserved);
    CHECK(wrong_of({0x83, 0x01, 0}) == Wrong::opcode);
    CHECK(wrong_of({0x8b, 0x00}) == Wrong::opcode);
    CHECK(wrong_of({0x09, 0x00}) == Wrong::control);
    CHECK(wrong_of({0x89, 0x7e, 0, 126}) == Wrong::control);
    CHECK(wrong_of({0x82, 0x7e, 0, 125}) == Wrong::length);
    CHECK(wrong_of({0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff}) == Wrong::length);
    CHECK(wrong_of({0x82, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0}) == Wrong::length);
    CHECK(wrong_of({0x80, 0x00}) == Wrong::fragment);
    CHECK(wrong_of({0x01, 0x00, 0x82, 0x00}) == Wrong::fragment);
    CHECK(wrong_of({0x88, 0x01, 0}) == Wrong::close_code);
    CHECK(wrong_of({0x88, 0x02, 0x03, 0xed}) == Wrong::close_code);
    CHECK(wrong_of({0x88, 0x02, 0x27, 0x10}) == Wrong::close_code);
    CHECK(wrong_of({0x88, 0x03, 0x03, 0xe8, 0xff}) == Wrong::utf8);
    // Longer than is kept.
    CHECK(wrong_of({0x82, 0x7f, 0, 0, 0, 0, 0, 0x20, 0, 0}) == Wrong::none);
    Bytes large = {0x82, 0x7f, 0, 0, 0, 0, 0, 0x20, 0, 0};
    large.resize(large.size() + Reader::kMostKept + 1);
    CHECK(read(large, false, 4096).wrong == Wrong::large);
}

TEST_CASE("RFC 3629: texts that are UTF-8, over fragments too", "[websocket]")
{
    const auto text = [](const Bytes& payload) {
        Bytes frame;
        websocket::add_frame(frame, Opcode::text, payload, std::nullopt);
        return wrong_of(frame) == Reader::Wrong::none;
    };
    for (const char* good : {"", "a", "\u00e9", "\u20ac", "\U0001f600", "\uffff", "\U0010ffff"})
        CHECK(text(bytes_of(good)));
    for (const Bytes& bad : std::vector<Bytes>{{0xc3},
                                               {0xc3, 0x28},
                                               {0x80},
                                               {0xc0, 0x80},
                                               {0xe0, 0x80, 0x80},
                                               {0xed, 0xa0, 0x80},
                                               {0xf0, 0x80, 0x80, 0x80},
                                               {0xf4, 0x90, 0x80, 0x80},
                                               {0xff}})
        CHECK(!text(bad));
    CHECK(wrong_of({0x01, 0x01, 0xc3, 0x80, 0x01, 0xa9}) == Reader::Wrong::none);
    CHECK(wrong_of({0x01, 0x01, 0xc3, 0x80, 0x01, 0x28}) == Reader::Wrong::utf8);
}

TEST_CASE("Where events end (WHATWG HTML, 9.2.6)", "[websocket]")
{
    for (const std::size_t step : {1, 2, 3, 1000}) {
        CHECK(events("data: YHOO\ndata: +2\ndata: 10\n\n", step) == 1);
        CHECK(events(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event",
                     step) == 2);
        CHECK(events("data\n\ndata\ndata\n\ndata:", step) == 2);
        CHECK(events("data:a\r\n\r\ndata:b\r\rdata:c\n\n", step) == 3);
        CHECK(events("\xef\xbb\xbf" "data:a\n\n", step) == 1);
        CHECK(events("\xef\xbb" "data:a\n\n", step) == 0);
        CHECK(events("datum: a\n\ndat: a\n\n data: a\n\nevent: a\n\n\n\n", step) == 0);
    }
}
