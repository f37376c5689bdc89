// What a real host sends as a response, a request, frames of a WebSocket or a stream of events: however it is cut into
// segments it means the same, nothing behind its end is taken, and no byte is counted twice.
//
// An input's first byte chooses where it is cut, the rest is the stream.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../unit/runtime/image_builder.h"
#include "app/http/grpc_messages.h"
#include "app/http/html_attribute.h"
#include "app/http/http_cookies.h"
#include "app/http/http_location.h"
#include "app/http/http_request.h"
#include "app/http/http_response.h"
#include "app/http/json_pointer.h"
#include "app/messages/event_stream.h"
#include "app/messages/websocket_protocol.h"
#include "common/protobuf.h"
#include "common/regular_expression.h"

using namespace anml;
using namespace anml::rt;
using app::http::Response;

namespace {

using Bytes = std::span<const std::uint8_t>;

void require(bool holds)
{
    if (!holds) std::abort();
}

Response in_pieces(Bytes stream, std::size_t step, bool skip)
{
    Response response;
    for (std::size_t at = 0; at < stream.size(); at += step) {
        const Bytes piece = stream.subspan(at, std::min(step, stream.size() - at));
        const std::uint64_t before = response.length(), body = response.body();
        if (skip && !response.needs_bytes())
            response.skip(piece.size());
        else
            response.read(piece);
        require(response.length() - before <= piece.size());
        require(response.body() - body <= piece.size());
        const bool ended = response.complete() || response.broken();
        require(ended || response.length() == at + piece.size());
        require(response.body() <= response.length());
        require(!(response.complete() && response.other()));
    }
    return response;
}

std::string text_of(const app::http::Fields& fields)
{
    using app::http::Fields;
    std::string all;
    std::size_t count = 0;
    for (unsigned i = 0; i < Fields::kNames; ++i)
        fields.each(static_cast<Fields::Name>(i), [&](std::string_view value) {
            require(value.size() <= Fields::kLongest);
            for (const char c : value) require(static_cast<std::uint8_t>(c) >= 0x20 && c != 0x7f);
            all += std::to_string(i) + std::string(value) + "\n";
            ++count;
        });
    require(count <= Fields::kMost && all.size() <= Fields::kMostText + 3 * Fields::kMost);
    return all;
}

// What is kept of its header is the same, too; and whatever that says, cookies and paths made of it can stand in a
// request.
void check_fields(Bytes stream, std::size_t step)
{
    using app::http::Fields;
    const auto read = [&](std::size_t size) {
        Fields fields{Fields::set_cookie, Fields::location, Fields::etag, Fields::last_modified};
        Response response;
        for (std::size_t at = 0; at < stream.size(); at += size)
            response.read(stream.subspan(at, std::min(size, stream.size() - at)), &fields);
        return fields;
    };
    const Fields whole = read(stream.size() + 1);
    require(text_of(read(step)) == text_of(whole));
    constexpr app::http::Origin kOrigin{"a.example:8080", 8080, false};
    app::http::Cookies cookies;
    whole.each(Fields::set_cookie, [&](std::string_view text) { cookies.take(text, kOrigin, "/a/b", kSecond); });
    require(cookies.size() <= app::http::Cookies::kMostCookies);
    const std::string sent = cookies.for_request(kOrigin, "/a/b/c", kSecond);
    require(sent.size() <= app::http::Cookies::kMostBytes);
    for (const char c : sent) require(static_cast<std::uint8_t>(c) >= 0x20 && c != 0x7f);
    const auto path = app::http::resolve(whole.value(Fields::location), kOrigin, "/a/b?c");
    require(!path || (path->starts_with('/') && path->size() <= 4096));
    for (const char c : path.value_or("")) require(c > ' ' && c < 0x7f);
}

// Messages of gRPC, and values in them.
void check_messages(Bytes stream, std::size_t step)
{
    const auto read = [&](std::size_t size) {
        std::vector<std::string> all;
        app::http::GrpcMessages messages;
        for (std::size_t at = 0; at < stream.size(); at += size)
            messages.read(
                stream.subspan(at, std::min(size, stream.size() - at)), [&] { all.emplace_back(); },
                [&](Bytes bytes) { all.back().append(bytes.begin(), bytes.end()); });
        require(messages.count() == all.size() - (!messages.whole() && !all.empty() && messages.count() < all.size()));
        return all;
    };
    const std::vector<std::string> whole = read(stream.size() + 1);
    require(read(step) == whole);
    std::string room;
    for (const std::string_view place : {"s!:1", "i?:2#3", "d?:1/2/3", "n?0=A,1=B:4", "s?:5@sk/2", "Z!:6@i7/2/1", "M!:1"})
        for (const std::string_view message : {std::string_view(reinterpret_cast<const char*>(stream.data()), stream.size()),
                                               whole.empty() ? std::string_view() : std::string_view(whole[0])})
            if (const auto found = protobuf::find(message, place, room))
                require(found->size() <= std::max<std::size_t>(message.size(), 400));
}

void check_response(Bytes stream, std::size_t step)
{
    check_fields(stream, step);
    check_messages(stream, step);
    const Response whole = in_pieces(stream, stream.size() + 1, false);
    for (const bool skip : {false, true}) {
        const Response parts = in_pieces(stream, step, skip);
        require(parts.complete() == whole.complete() && parts.broken() == whole.broken());
        require(parts.whole() == whole.whole() && parts.other() == whole.other());
        require(parts.status() == whole.status());
        require(parts.length() == whole.length() && parts.body() == whole.body());
    }
    if (!whole.complete()) return;
    // It needs all that was taken, and nothing more.
    require(in_pieces(stream.first(whole.length()), step, false).complete());
    require(!in_pieces(stream.first(whole.length() - 1), step, false).complete());
}

std::uint32_t asked_for(const app::PathIndex& paths, Bytes stream, std::size_t step, bool& done)
{
    app::http::RequestHead head;
    app::http::Fields fields{app::http::Fields::cookie, app::http::Fields::if_none_match};
    head.fields = &fields;
    head.moved = "/moved";
    done = false;
    for (std::size_t at = 0; at < stream.size() && !done;) {
        const std::size_t most = std::min(step, stream.size() - at);
        const std::size_t taken = app::http::read_request(head, paths, stream.subspan(at, most));
        done = head.complete();
        require(taken == most || (done && taken <= most));
        at += taken;
    }
    return head.wanted.first;
}

void check_request(Bytes stream, std::size_t step)
{
    static const test::ChainModel chain{[] {
        test::Chain description;
        description.documents = {1, 10, 1024, 100000};
        return description;
    }()};
    static const Model model = chain.model();
    static const app::PathIndex paths(model);
    bool all = false, parts = false;
    const std::uint32_t document = asked_for(paths, stream, stream.size() + 1, all);
    require(asked_for(paths, stream, step, parts) == document || !all);
    require(all == parts);
    require(!all || document == kNone || document < model.documents().count());
}

struct Frames {
    std::vector<std::uint64_t> messages;  // their lengths and hashes
    std::vector<std::string> controls;
    std::vector<std::string> texts;
    app::websocket::Reader::Wrong wrong{};

    bool operator==(const Frames&) const = default;
};

Frames frames_of(Bytes stream, bool masked, std::size_t step, bool packed = false, bool takeover = true)
{
    using app::websocket::Reader;
    Frames frames;
    std::vector<std::uint8_t> kept;
    Reader reader(masked);
    reader.keeps = &kept;
    const auto compression = app::websocket::Compression::of({}, {takeover, 15});
    if (packed) reader.compression = compression.get();
    for (std::size_t at = 0; at < stream.size() && reader.what() != Reader::What::wrong; at += step) {
        for (Bytes piece = stream.subspan(at, std::min(step, stream.size() - at)); !piece.empty();) {
            const std::size_t taken = reader.read(piece);
            require(taken <= piece.size() && (taken > 0 || reader.what() == Reader::What::wrong));
            piece = piece.subspan(taken);
            if (reader.what() == Reader::What::wrong) break;
            if (reader.what() == Reader::What::nothing) require(piece.empty());
            const std::string control(reader.control().begin(), reader.control().end());
            if (reader.what() == Reader::What::message) {
                require(reader.length() == kept.size());
                require(reader.hash() == app::websocket::hash_of(reader.text(), kept));
                frames.messages.insert(frames.messages.end(), {reader.length(), reader.hash()});
                frames.texts.emplace_back(kept.begin(), kept.end());
            } else if (reader.what() != Reader::What::nothing) {
                frames.controls.push_back(control);
            }
            require(kept.size() <= (packed ? Reader::kMostKept : stream.size()));
        }
    }
    frames.wrong = reader.wrong();
    return frames;
}

// Frames of WebSockets, as a client and as a server reads them; and that what was read, written anew, is read as the
// same.
void check_frames(Bytes stream, std::size_t step)
{
    // Where messages may be compressed, and no reference is to what another message had.
    for (const bool takeover : {false, true})
        require(frames_of(stream, false, step, true, takeover) == frames_of(stream, false, stream.size() + 1, true, takeover));
    const std::string_view text(reinterpret_cast<const char*>(stream.data()), stream.size());
    if (const auto taken = app::websocket::accepted(text))
        require(app::websocket::agreed(answer_of(*taken), *taken) == taken && app::websocket::accepted(offer_of(*taken)) == taken);
    app::websocket::agreed(text, {});
    for (const bool masked : {false, true}) {
        const Frames whole = frames_of(stream, masked, stream.size() + 1);
        require(frames_of(stream, masked, step) == whole);
        std::vector<std::uint8_t> again;
        for (const std::string& text : whole.texts)
            app::websocket::add_frame(again, app::websocket::Opcode::binary,
                                      {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                                      masked ? std::optional(0x01020304u) : std::nullopt);
        const Frames back = frames_of(again, masked, again.size() + 1);
        require(back.texts == whole.texts && back.wrong == app::websocket::Reader::Wrong::none);
    }
}

std::size_t events_of(Bytes stream, std::size_t step)
{
    app::EventStream events;
    std::size_t count = 0;
    for (std::size_t at = 0; at < stream.size(); at += step)
        for (Bytes piece = stream.subspan(at, std::min(step, stream.size() - at)); !piece.empty();) {
            const std::size_t taken = events.read(piece);
            require(taken > 0 && taken <= piece.size());
            piece = piece.subspan(taken);
            require(events.ended() || piece.empty());
            count += events.ended();
        }
    return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2) return 0;
    const std::size_t step = 1 + data[0] % 32;
    const Bytes stream(data + 1, size - 1);
    check_response(stream, step);
    check_request(stream, step);
    check_frames(stream, step);
    require(events_of(stream, step) == events_of(stream, stream.size() + 1));
    const std::string_view text(reinterpret_cast<const char*>(stream.data()), stream.size());
    std::string room;
    for (const char* pointer : {"", "/a", "/0/1", "/a/0/b"})
        if (const auto value = app::http::json_value(text, pointer, room)) require(value->size() <= 2 * text.size());
    if (const auto value = app::http::html_value(text, {"*", "value", "name", "csrf"}, room))
        require(value->size() <= text.size());
    // The first line as an expression, and what it finds in the rest.
    const std::string_view line = text.substr(0, text.find('\n'));
    RegularExpression expression(line, 0);
    if (const auto value = expression.problem().empty() ? expression.find(text.substr(line.size(), 2000)) : std::nullopt)
        require(value->size() <= text.size());
    return 0;
}
