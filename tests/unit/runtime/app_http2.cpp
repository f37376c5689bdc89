// HTTP/2: a session against one of the other side, and against frames by hand; connections between simulated hosts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "app/http2/http2_session.h"
#include "image_builder.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::app;
using Kind = http2::Event::Kind;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Side {
    explicit Side(http2::Role role) : session(http2::make(role, "http")) {}
    // All that it has to send; contents as zeros.
    Bytes sends(std::uint64_t most = 1 << 30)
    {
        http2::Output output;
        http2::take(*session, output, most);
        note();
        Bytes bytes;
        std::size_t from = 0;
        for (const http2::Output::Part& part : output.parts) {
            bytes.insert(bytes.end(), output.bytes.begin() + from, output.bytes.begin() + part.behind);
            bytes.resize(bytes.size() + part.length);
            from = part.behind;
        }
        bytes.insert(bytes.end(), output.bytes.begin() + from, output.bytes.end());
        CHECK(bytes.size() == output.length);
        return bytes;
    }
    void hears(const Bytes& bytes, std::size_t step = http2::kMostPiece)
    {
        for (std::size_t at = 0; at < bytes.size(); at += step) {
            http2::receive(*session, std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
            note();
        }
    }
    void note()
    {
        for (const http2::Event& event : http2::events(*session)) {
            if (event.kind == Kind::body) {
                body += event.length;
                continue;
            }
            told.push_back(event);
            const bool fields = event.kind == Kind::head || event.kind == Kind::trailers;
            heads.push_back(fields ? std::string(http2::head(*session, event)) : "");
        }
    }

    http2::Owned session;
    std::vector<http2::Event> told;
    std::vector<std::string> heads;
    std::uint64_t body = 0;
};

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: there:80\r\nX-Given: 7\r\nConnection: close\r\n\r\n";
constexpr std::string_view kFound = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 100000\r\n\r\n";

}  // namespace

TEST_CASE("a request and its response pass between two sessions, however they are cut", "[app][http2]")
{
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, http2::kMostPiece}) {
        Side client(http2::Role::client), server(http2::Role::server);
        const std::uint32_t stream = http2::ask(*client.session, kGet, {}, 42);
        CHECK(stream == 1);
        const Bytes asked = client.sends();
        CHECK(std::string(asked.begin(), asked.begin() + 24) == http2::kPreface);
        server.hears(asked, step);
        REQUIRE(server.told.size() == 2);
        CHECK(server.told[0].stream == 1);
        CHECK(server.heads[0] == "GET /a HTTP/1.1\r\n\r\n");
        CHECK(server.told[1].kind == Kind::end);
        http2::answer(*server.session, 1, kFound, {5, 60, 100000});
        // The window is the client's: the body goes at once.
        const Bytes answer = server.sends();
        client.hears(answer, step);
        REQUIRE(client.told.size() == 2);
        CHECK(client.told[0].user == 42);
        CHECK(client.heads[0] == "HTTP/1.1 200 \r\ncontent-length: 100000\r\n\r\n");
        CHECK(client.told[1].kind == Kind::end);
        CHECK(client.body == 100000);
        // All but the server's settings, their acknowledgment and those of the connection's window.
        CHECK(client.told[1].received > 100000 + 7 * 9);
        CHECK(client.told[1].received < answer.size());
        CHECK_FALSE(http2::over(*client.session));
        http2::leave(*client.session, http2::kNoError);
        server.hears(client.sends());
        CHECK(http2::told_to_leave(*server.session));
        CHECK(http2::over(*server.session));
        CHECK_FALSE(http2::broken(*server.session));
        CHECK(http2::over(*client.session));
    }
}

TEST_CASE("a call of gRPC is answered with text, a content and trailers, which are told where all fields are", "[app][http2]")
{
    for (const bool all : {false, true}) {
        Side client(http2::Role::client), server(http2::Role::server);
        if (all) http2::tell_all_fields(*client.session);
        http2::ask(*client.session, "POST /a HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nContent-Type: application/grpc\r\n\r\n",
                   {0, 0, 5, std::string(5, '\0')}, 7);
        server.hears(client.sends());
        CHECK(server.heads[0] == "POST /a HTTP/1.1\r\ncontent-type: application/grpc\r\n\r\n");
        CHECK(server.body == 5);
        http2::Body body{5, 60, 100005, std::string("\0\0\1\x86\xa0", 5)};
        body.grpc_trailers = true;
        http2::answer(*server.session, 1, "HTTP/1.1 200 \r\nContent-Type: application/grpc\r\n\r\n", body);
        client.hears(server.sends(), 11);
        CHECK(client.body == 100005);
        REQUIRE(client.told.size() == (all ? 3 : 2));
        CHECK(client.told.back().kind == Kind::end);
        if (!all) continue;
        CHECK(client.heads[0] == "HTTP/1.1 200 \r\ncontent-type: application/grpc\r\n\r\n");
        CHECK(client.told[1].kind == Kind::trailers);
        CHECK(client.heads[1] == "grpc-status: 0\r\n\r\n");
        CHECK_FALSE(http2::over(*client.session));
    }
}

TEST_CASE("a body is sent as far as there is room, and windows let it", "[app][http2]")
{
    Side client(http2::Role::client), server(http2::Role::server);
    http2::ask(*client.session, "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n", {0, 0, 200000}, 1);
    server.hears(client.sends(10000));
    CHECK(server.body <= 16384);
    server.hears(client.sends());
    CHECK(server.body == 65535);  // the server's window
    CHECK(server.told.size() == 1);
    for (int i = 0; i < 10; ++i) {
        client.hears(server.sends());
        server.hears(client.sends());
    }
    CHECK(server.body == 200000);
    REQUIRE(server.told.size() == 2);
    CHECK(server.told[1].kind == Kind::end);
    http2::answer(*server.session, 1, kFound, {0, 0, 0});
}

TEST_CASE("a client is told what became of streams that were refused or reset", "[app][http2]")
{
    Side client(http2::Role::client), server(http2::Role::server);
    for (std::uint32_t user : {10, 11, 12}) http2::ask(*client.session, kGet, {}, user);
    server.hears(client.sends());
    http2::reset(*server.session, 1, http2::kRefusedStream);
    http2::answer(*server.session, 3, "HTTP/1.1 404 Not Found\r\n\r\n", {0, 0, 0});
    client.hears(server.sends());
    REQUIRE(client.told.size() == 3);
    CHECK(client.told[0].kind == Kind::lost);
    CHECK(client.told[0].user == 10);
    CHECK(client.told[0].error == http2::kRefusedStream);
    CHECK_FALSE(client.told[0].ours);
    CHECK(client.heads[1] == "HTTP/1.1 404 \r\n\r\n");
    CHECK(client.told[2].user == 11);
    // One that the client gives up itself is not told.
    http2::reset(*client.session, 5, http2::kCancel);
    server.hears(client.sends());
    CHECK(client.told.size() == 3);
    CHECK(server.told.back().kind == Kind::lost);
    CHECK(server.told.back().error == http2::kCancel);
}

TEST_CASE("what is no HTTP/2, breaks its rules or only keeps the client busy ends the connection", "[app][http2]")
{
    const Bytes settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    const std::string other = "HTTP/1.1 400 Bad Request\r\n\r\n";
    SECTION("another protocol")
    {
        Side client(http2::Role::client);
        client.sends();
        client.hears(Bytes(other.begin(), other.end()));
        client.sends();
        CHECK(http2::broken(*client.session));
        CHECK_FALSE(http2::spoken(*client.session));
    }
    SECTION("data for no stream")
    {
        Side client(http2::Role::client);
        client.hears(settings);
        client.hears({0, 0, 1, 0, 0, 0, 0, 0, 1, 'x'});
        client.sends();
        CHECK(http2::broken(*client.session));
        CHECK(http2::spoken(*client.session));
    }
    SECTION("pings without end")
    {
        Side client(http2::Role::client);
        client.hears(settings);
        int count = 0;
        for (; count < 5000 && !http2::over(*client.session); ++count) {
            client.hears({0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8});
            client.sends();
        }
        CHECK(count == 999);  // behind the settings
        CHECK(http2::broken(*client.session));
    }
    SECTION("requests that are given up at once")
    {
        Side client(http2::Role::client), server(http2::Role::server);
        int count = 0;
        for (; count < 5000 && !http2::over(*server.session); ++count) {
            const std::uint32_t stream = http2::ask(*client.session, kGet, {}, 1);
            server.hears(client.sends());
            http2::reset(*client.session, stream, http2::kCancel);
            server.hears(client.sends());
            client.hears(server.sends());
        }
        CHECK(count <= 1001);
        CHECK(http2::broken(*server.session));
    }
}

namespace {

std::uint32_t number_at(const Bytes& bytes, std::size_t at, int size)
{
    std::uint32_t number = 0;
    for (int i = 0; i < size; ++i) number = number << 8 | bytes.at(at + i);
    return number;
}

struct Frame {  // RFC 9113, 4.1
    std::uint32_t type, flags, stream;
    Bytes payload;
};

std::vector<Frame> frames_of(const Bytes& bytes)
{
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint32_t length = number_at(bytes, at, 3);
        const auto begin = bytes.begin() + at + 9;
        frames.push_back({bytes[at + 3], bytes[at + 4], number_at(bytes, at + 5, 4), {begin, begin + length}});
        at += 9 + length;
    }
    return frames;
}

std::map<std::uint32_t, std::uint32_t> settings_of(const Frame& frame)
{
    std::map<std::uint32_t, std::uint32_t> settings;
    for (std::size_t at = 0; at < frame.payload.size(); at += 6)
        settings[number_at(frame.payload, at, 2)] = number_at(frame.payload, at + 2, 4);
    return settings;
}

}  // namespace

TEST_CASE("sides say of themselves what h2load and nginx do, in the numbers of RFC 9113", "[app][http2]")
{
    constexpr std::uint32_t kSettings = 4, kWindowUpdate = 8;                             // 6.5, 6.9
    constexpr std::uint32_t kPush = 2, kStreams = 3, kInitialWindow = 4, kHeadSize = 6;  // 6.5.2
    constexpr std::uint32_t kDefaultWindow = 65535, kGigabyte = (1 << 30) - 1;
    Bytes said = Side(http2::Role::client).sends();
    said.erase(said.begin(), said.begin() + http2::kPreface.size());
    const std::vector<Frame> client = frames_of(said);
    REQUIRE(client.size() == 2);
    CHECK(client[0].type == kSettings);
    CHECK(client[0].stream == 0);
    CHECK(settings_of(client[0]) == std::map<std::uint32_t, std::uint32_t>{
                                        {kPush, 0}, {kInitialWindow, kGigabyte}, {kHeadSize, 256 * 1024}});
    CHECK(client[1].type == kWindowUpdate);
    CHECK(client[1].stream == 0);
    CHECK(number_at(client[1].payload, 0, 4) == kGigabyte - kDefaultWindow);
    Side side(http2::Role::server);
    const std::vector<Frame> server = frames_of(side.sends());
    REQUIRE(server.size() == 2);
    CHECK(settings_of(server[0]) ==
          std::map<std::uint32_t, std::uint32_t>{{kStreams, 128}, {kHeadSize, 256 * 1024}});
    CHECK(server[1].type == kWindowUpdate);
    CHECK(server[1].payload == client[1].payload);
    // A stream's window opens when its request has a body: HEADERS without END_STREAM and with it.
    for (const std::uint8_t flags : {4, 5}) {
        Bytes request(http2::kPreface.begin(), http2::kPreface.end());
        request.insert(request.end(), {0, 0, 0, kSettings, 0, 0, 0, 0, 0});
        request.insert(request.end(), {0, 0, 6, 1, flags, 0, 0, 0, 1, 0x83, 0x86, 0x84, 0x41, 1, 'a'});
        Side other(http2::Role::server);
        other.hears(request);
        const std::vector<Frame> answer = frames_of(other.sends());
        CHECK(std::ranges::count_if(answer, [&](const Frame& frame) {
                  return frame.type == kWindowUpdate && frame.stream == 1 && frame.payload == client[1].payload;
              }) == (flags == 4));
    }
}

TEST_CASE("a head is as large as its fields, and 32 bytes for each", "[app][http2]")
{
    // RFC 7541, A: 0x82 is `:method: GET`, 0x86 `:scheme: http`, 0x84 `:path: /`, 0x90 `accept-encoding: gzip, deflate`,
    // and 0x41 with a text `:authority`.
    constexpr std::size_t kField = 15 + 13 + 32;
    for (const std::size_t fields : {256 * 1024 / kField - 10, 256 * 1024 / kField + 10}) {
        Side server(http2::Role::server);
        Bytes head = {0x82, 0x86, 0x84, 0x41, 1, 'a'};
        head.resize(head.size() + fields, 0x90);
        Bytes said(http2::kPreface.begin(), http2::kPreface.end());
        said.insert(said.end(), {0, 0, 0, 4, 0, 0, 0, 0, 0});
        said.insert(said.end(), {0, static_cast<std::uint8_t>(head.size() >> 8), static_cast<std::uint8_t>(head.size()),
                                 1, 5, 0, 0, 0, 1});  // HEADERS, with all of the stream
        said.insert(said.end(), head.begin(), head.end());
        server.hears(said);
        const auto heads = std::count_if(server.told.begin(), server.told.end(),
                                         [](const http2::Event& event) { return event.kind == Kind::head; });
        CHECK((heads > 0) == (fields < 256 * 1024 / kField));
        CHECK_FALSE(http2::broken(*server.session));  // the stream alone is given up
    }
}

TEST_CASE("streams of simulated hosts take their round trips", "[app][http2]")
{
    for (const double streams : {1.0, 4.0, 100.0}) {
        test::Chain chain;
        for (test::LinkOptions* link : {&chain.backbone, &chain.uplink, &chain.edge}) link->rate = 1e12;
        chain.until = test::TransactionEnd::complete;
        chain.close = test::CloseMode::at_once;
        chain.service = {abi::DistributionKind::constant, 0, 0};
        chain.documents = {100};
        chain.requests = 1e6;
        chain.http2 = true;
        chain.streams = streams;
        const test::ChainModel built(chain);
        const Model model = built.model();
        Simulator simulator(model, 1);
        constexpr Time kRoundTrip = 2400 * kMicrosecond;
        const Time duration = 10 * kRoundTrip + kRoundTrip / 2;
        simulator.start_workloads(0, 0, duration);
        simulator.run_until(duration);
        const WorkloadStatistics& found = simulator.statistics().workloads[0];
        CHECK(found.completed == static_cast<std::uint64_t>(9 * streams) * found.connections);
        CHECK(found.failed() == 0);
        CHECK(found.unexpected_size == 0);
    }
}

}  // namespace ANML_UNIT_FILE
