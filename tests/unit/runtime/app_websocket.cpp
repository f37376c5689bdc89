// WebSocket's handshake and frames by RFC 6455's own examples, however they are cut; what is no frame; compressed ones by
// those of RFC 7692; and where events of a stream end.
#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <tuple>
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

using Streams = std::unique_ptr<websocket::Compression>;

Came read(const Bytes& stream, bool masked, std::size_t step, const Streams& compression = nullptr, bool keeps = true)
{
    Came came;
    Bytes kept;
    Reader reader(masked);
    if (keeps) reader.keeps = &kept;
    reader.compression = compression.get();
    for (std::size_t at = 0; at < stream.size(); at += step) {
        std::span<const std::uint8_t> piece = std::span(stream).subspan(at, std::min(step, stream.size() - at));
        while (!piece.empty() && reader.what() != Reader::What::wrong) {
            piece = piece.subspan(reader.read(piece));
            const std::string control(reader.control().begin(), reader.control().end());
            if (reader.what() == Reader::What::message) {
                came.messages.emplace_back(kept.begin(), kept.end());
                CHECK((!keeps || reader.length() == kept.size()));
                CHECK((!keeps || reader.hash() == websocket::hash_of(reader.text(), kept)));
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

TEST_CASE("HTML, 9.2.6: the id of the last event, and when to connect again", "[websocket]")
{
    const auto after = [](std::string_view text, std::size_t step) {
        EventStream stream;
        const Bytes all = bytes_of(std::string(text));
        for (std::size_t at = 0; at < all.size(); at += step) {
            std::span<const std::uint8_t> piece = std::span(all).subspan(at, std::min(step, all.size() - at));
            while (!piece.empty()) piece = piece.subspan(stream.read(piece));
        }
        return stream;
    };
    for (const std::size_t step : {1, 3, 1000}) {
        CHECK(after("id: 7\ndata: x\n\nid: 8\ndata: y\n", step).id() == "7");  // the second has not come whole
        CHECK(after("id:a b \r\ndata: x\r\n\r\ndata: y\r\n\r\n", step).id() == "a b ");
        CHECK(after("id: 7\ndata\n\nid\n\n", step).id() == "");
        CHECK(after("id: 7\n\n", step).id() == "7");  // without data it is no event, and counts
        CHECK(after("id: 7\n\nid: a\tb\n\n", step).id() == "7");
        CHECK(after("id: 7\n\nid: " + std::string(EventStream::kMostId, 'x') + "\n\n", step).id().size() == EventStream::kMostId);
        CHECK(after("id: 7\n\nid: " + std::string(EventStream::kMostId + 1, 'x') + "\n\n", step).id() == "7");
        CHECK(after("identity: 7\nx\n id: 8\n\n", step).id() == "");
        CHECK(after("retry: 1500\n", step).retry() == 1500);
        CHECK(after("retry:20\nretry: 1s\nretry:\nretry: -1\nretrying: 7\n", step).retry() == 20);
        CHECK(after("retry: 99999999999999999999999\n", step).retry() == 3'600'000'000);
        CHECK(after("data: x\n\n", step).retry() == EventStream::kNoRetry);
        EventStream stream = after("id: 7\nretry: 5\ndata: x\n\nid: 8\ndata: y", step);
        stream.begin_again();
        CHECK((stream.id() == "7" && stream.retry() == 5 && !stream.ended() && stream.length() == 0));
    }
}

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

TEST_CASE("RFC 7692, 7.1: what is offered, taken and agreed on", "[websocket]")
{
    using websocket::Deflate;
    using websocket::Direction;
    const Deflate usual, small{{false, 10}, {false, 10}};
    CHECK(offer_of(usual) == "permessage-deflate; client_max_window_bits");
    CHECK(offer_of(small) == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                             "server_max_window_bits=10; client_max_window_bits=10");
    for (const Deflate& each : {usual, small}) CHECK(websocket::accepted(offer_of(each)) == each);
    CHECK(answer_of(usual) == "permessage-deflate");
    // The first that can be met, of several; 7.1.3's examples among them.
    const Deflate narrow{{true, 10}, {}};
    CHECK(websocket::accepted("permessage-deflate; server_max_window_bits=10, permessage-deflate") == narrow);
    CHECK(websocket::accepted("foo, permessage-deflate; client_max_window_bits; server_max_window_bits=\"10\"") == narrow);
    CHECK(websocket::accepted("permessage-deflate; server_max_window_bits=7, permessage-deflate") == usual);
    for (const char* none : {"", "foo", "permessage-deflate; x", "permessage-deflate; server_max_window_bits",
                             "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; server_max_window_bits=08",
                             "permessage-deflate; client_max_window_bits=16", "permessage-deflate; client_max_window_bits=",
                             "permessage-deflate; server_no_context_takeover; server_no_context_takeover"})
        CHECK(!websocket::accepted(none));
    CHECK(websocket::agreed("permessage-deflate", usual) == usual);
    CHECK(websocket::agreed("permessage-deflate; server_max_window_bits=9; client_max_window_bits=8", usual) ==
          Deflate{{true, 9}, {true, 8}});
    CHECK(websocket::agreed(answer_of(small), small) == small);
    // The client does what it has said, whether or not the server says so, too.
    CHECK(websocket::agreed("permessage-deflate; server_no_context_takeover; server_max_window_bits=10", small) == small);
    CHECK(!websocket::agreed("permessage-deflate", small));
    CHECK(!websocket::agreed("permessage-deflate; server_no_context_takeover; server_max_window_bits=11", small));
    for (const char* none : {"permessage-deflate; client_max_window_bits", "permessage-deflate, permessage-deflate", "foo",
                             "permessage-deflate; server_max_window_bits=99", "x-webkit-deflate-frame"})
        CHECK(!websocket::agreed(none, usual));
}

TEST_CASE("RFC 7692, 7.2.3: the examples of compressed messages", "[websocket]")
{
    const auto usual = [] { return websocket::Compression::of({}, {}); };
    const std::vector<std::string> hello{"Hello"}, twice{"Hello", "Hello"};
    for (const std::size_t step : {1, 2, 3, 100}) {
        CHECK(read({0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00}, false, step, usual()).messages == hello);
        // In fragments, with a ping between them.
        CHECK(read({0x41, 0x03, 0xf2, 0x48, 0xcd, 0x89, 0x00, 0x80, 0x04, 0xc9, 0xc9, 0x07, 0x00}, false, step, usual()).messages == hello);
        // With the window of the message before it; without it there is nothing that it could point at.
        const Bytes both = {0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0xc1, 0x05, 0xf2, 0x00, 0x11, 0x00, 0x00};
        CHECK(read(both, false, step, usual()).messages == twice);
        const Came alone = read(both, false, step, websocket::Compression::of({}, {false, 15}));
        CHECK((alone.messages == hello && alone.wrong == Reader::Wrong::packed));
        // A block that is stored, the last one of DEFLATE and one behind it, two blocks.
        CHECK(read({0xc1, 0x0b, 0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00}, false, step, usual()).messages == hello);
        const Bytes last = {0xc1, 0x08, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00, 0xc1, 0x05, 0xf2, 0x00, 0x11, 0x00, 0x00};
        CHECK(read(last, false, step, usual()).messages == twice);
        CHECK(read({0xc1, 0x0d, 0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00}, false, step, usual()).messages == hello);
        // Empty, and one that is not compressed between those that are.
        CHECK(read({0xc1, 0x01, 0x00, 0x81, 0x01, 0x61}, false, step, usual()).messages == std::vector<std::string>{"", "a"});
    }
    const auto wrong = [&](const Bytes& stream) {
        const Reader::Wrong whole = read(stream, false, stream.size(), usual()).wrong;
        CHECK(read(stream, false, 1, usual()).wrong == whole);
        return whole;
    };
    CHECK(wrong({0xc1, 0x03, 0xf2, 0x48, 0xcd}) == Reader::Wrong::packed);              // cut
    CHECK(wrong({0xc1, 0x07, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00}) == Reader::Wrong::packed);  // nothing behind the last block
    CHECK(wrong({0xc1, 0x00}) == Reader::Wrong::packed);
    CHECK(wrong({0xc1, 0x02, 0xff, 0xff}) == Reader::Wrong::packed);                    // a type of blocks that is none
    CHECK(wrong({0xc9, 0x00}) == Reader::Wrong::reserved);                              // a ping
    CHECK(wrong({0x41, 0x01, 0xf2, 0xc0, 0x00}) == Reader::Wrong::reserved);            // a message's second fragment
    CHECK(wrong({0xa1, 0x01, 0x00}) == Reader::Wrong::reserved);                        // RSV2
}

TEST_CASE("What is compressed is read, with each window", "[websocket]")
{
    Bytes text;
    for (int i = 0; i < 3000; ++i)
        for (const char c : std::to_string(i * i % 977)) text.push_back(static_cast<std::uint8_t>(c));
    const std::string all(text.begin(), text.end());
    for (std::uint8_t bits = 8; bits <= 15; ++bits)
        for (const bool takeover : {true, false}) {
            const Streams sender = websocket::Compression::of({takeover, bits}, {});
            Bytes frames;
            for (const std::size_t size : {text.size(), std::size_t{0}, std::size_t{5}, text.size()})
                websocket::add_frame(frames, Opcode::text, std::span(text).first(size), 0x12345678u, sender.get());
            CHECK(frames.size() < 2 * text.size());
            CHECK(read(frames, true, 77, websocket::Compression::of({}, {takeover, bits})).messages ==
                  std::vector<std::string>{all, "", all.substr(0, 5), all});
        }
}

TEST_CASE("A compressed message may unpack to so much and no more", "[websocket]")
{
    for (const auto& [size, keeps, wrong] : {std::tuple(Reader::kMostUnpacked, false, Reader::Wrong::none),
                                             std::tuple(Reader::kMostUnpacked + 1, false, Reader::Wrong::unpacked),
                                             std::tuple(Reader::kMostKept, true, Reader::Wrong::none),
                                             std::tuple(Reader::kMostKept + 1, true, Reader::Wrong::large)}) {
        Bytes frame;
        websocket::add_frame(frame, Opcode::binary, Bytes(size), std::nullopt, websocket::Compression::of({}, {}).get());
        CHECK(frame.size() < size / 150);
        for (const std::size_t step : {std::size_t{100}, frame.size()})
            CHECK(read(frame, false, step, websocket::Compression::of({}, {}), keeps).wrong == wrong);
    }
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
