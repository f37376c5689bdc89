// The framing of responses (RFC 9112, section 6): where they end, however they are cut into segments.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/http/http_response.h"

namespace ANML_UNIT_FILE {

using anml::rt::app::http::Response;

namespace {

std::span<const std::uint8_t> bytes(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// In pieces of `step`; bytes of a body that is only counted are skipped where `skip` says so.
Response read(std::string_view text, std::size_t step, bool skip = false, anml::rt::tls::Hash* hash = nullptr)
{
    Response response;
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, step);
        if (skip && !response.needs_bytes())
            response.skip(piece.size());
        else
            response.read(bytes(piece), nullptr, {.hash = hash});
        text.remove_prefix(piece.size());
    }
    return response;
}

enum class End { complete, broken, close, other, partial };

End end_of(const Response& r)
{
    return r.complete() ? End::complete
           : r.broken() ? End::broken
           : r.whole()  ? End::close
           : r.other()  ? End::other
                        : End::partial;
}

// Keeps what it is given.
struct Kept final : anml::rt::tls::Hash {
    void begin() override {}
    void add(std::span<const std::uint8_t> bytes) override { text.append(bytes.begin(), bytes.end()); }
    std::array<std::uint8_t, 32> end() override { return {}; }

    std::string text;
};

// What it comes to, the same in pieces of any size.
void check(std::string_view text, End end, std::uint16_t status, std::uint64_t body, std::size_t behind = 0)
{
    CAPTURE(std::string(text));
    for (std::size_t step = 1; step <= text.size(); ++step) {
        for (const bool skip : {false, true}) {
            const Response r = read(text, step, skip);
            REQUIRE(end_of(r) == end);
            REQUIRE(r.status() == status);
            REQUIRE(r.body() == body);
            if (end == End::complete) REQUIRE(r.length() == text.size() - behind);
        }
    }
}

std::string with(std::string_view fields, std::string_view body = "", std::string_view line = "HTTP/1.1 200 OK")
{
    return std::string(line) + "\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

}  // namespace

TEST_CASE("the bytes of the body are handed on, and no others", "[http]")
{
    const auto [text, body] = GENERATE(table<std::string, std::string>({
        {with("Content-Length: 5\r\n", "abcdefgh"), "abcde"},
        {with("Content-Length: 0\r\n", "abc"), ""},
        {with("Server: x\r\n", "a\r\n\r\nb"), "a\r\n\r\nb"},
        {with("Transfer-Encoding: chunked\r\n", "3;x=y\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\nmore"),
         "abc0123456789"},
        {with("Transfer-Encoding: chunked\r\n", "3\r\nabcd"), "abc"},
        {with("", "", "HTTP/1.1 103 Early Hints") + with("Content-Length: 2\r\n", "ab"), "ab"},
        {with("Content-Length: 5\r\n", "abcde", "HTTP/1.1 304 Not Modified"), ""},
        {"no HTTP at all", ""},
    }));
    for (std::size_t step = 1; step <= text.size(); ++step) {
        Kept kept;
        read(text, step, false, &kept);
        REQUIRE(kept.text == body);
    }
}

TEST_CASE("Content-Length measures the body", "[http]")
{
    check(with("Content-Length: 5\r\n", "abcde"), End::complete, 200, 5);
    check(with("Content-Length: 5\r\n", "abcdefgh"), End::complete, 200, 5, 3);
    check(with("Content-Length: 5\r\n", "abcd"), End::partial, 200, 4);
    check(with("Content-Length: 0\r\n"), End::complete, 200, 0);
    check(with("Server: x\r\nCONTENT-length:\t 5 \r\nX: y\r\n", "abcde", "HTTP/1.0 404 Not Found"), End::complete, 404,
          5);
    check("HTTP/1.1 200\nContent-Length: 2\n\nab", End::complete, 200, 2);
    // Names that are only like it.
    check(with("Content-Lengt: 5\r\n", "abc"), End::close, 200, 3);
    check(with("Content-Lengthy: 5\r\n", "abc"), End::close, 200, 3);
    check(with("XContent-Length: 5\r\n", "abc"), End::close, 200, 3);
    check(with("Content-Length : 5\r\n", "abcde"), End::complete, 200, 5);  // RFC 9112, 5.1
    check(with("Content Length: 5\r\n", "abc"), End::close, 200, 3);
}

TEST_CASE("lengths that differ or are no numbers break the framing", "[http]")
{
    check(with("Content-Length: 5\r\nContent-Length: 5\r\n", "abcde"), End::complete, 200, 5);
    check(with("Content-Length: 5, 5\r\n", "abcde"), End::complete, 200, 5);
    check(with("Content-Length: 5\r\nContent-Length: 6\r\n"), End::broken, 200, 0);
    check(with("Content-Length: 5, 6\r\n"), End::broken, 200, 0);
    for (const char* value : {"", "x", "-5", "+5", "5 5", "5x", "0x5", ",", "18446744073709551616", "5;"})
        check(with("Content-Length: " + std::string(value) + "\r\n"), End::broken, 200, 0);
}

TEST_CASE("chunks measure the body, whatever Content-Length says", "[http]")
{
    const std::string chunks = "5\r\nabcde\r\n00A;name=\"v\"\r\n0123456789\r\n0\r\n\r\n";
    check(with("Transfer-Encoding: chunked\r\n", chunks), End::complete, 200, 15);
    check(with("Transfer-Encoding: chunked\r\n", chunks + "more"), End::complete, 200, 15, 4);
    check(with("transfer-encoding:CHUNKED\r\nContent-Length: 3\r\n", chunks), End::complete, 200, 15);
    check(with("Content-Length: 3\r\nContent-Length: 4\r\nTransfer-Encoding: gzip, chunked\r\n", chunks), End::complete,
          200, 15);
    check(with("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunks), End::complete, 200, 15);
    check(with("Transfer-Encoding: chunked\r\n", "1\nx\n0\nTrailer: t\r\nOther: u\n\n"), End::complete, 200, 1);
    check(with("Transfer-Encoding: chunked\r\n", "1\r\nax\n0\r\n\r\n"), End::broken, 200, 1);  // a byte for the CR
    // The last coding is what counts.
    check(with("Transfer-Encoding: chunked, gzip\r\n", "abc"), End::close, 200, 3);
    check(with("Transfer-Encoding: chunked;q=1\r\n", "abc"), End::close, 200, 3);
    check(with("Transfer-Encoding: identity\r\nContent-Length: 2\r\n", "ab"), End::complete, 200, 2);
    check(with("Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n"), End::partial, 200, 5);
    check(with("Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n0\r\n"), End::partial, 200, 5);
    for (const char* broken : {"\r\n", "x\r\n", " 5\r\n", "5 \r\nabcdeXX", "-1\r\n", "5\rx", "5\r\nabcdefg",
                               "10000000000000000\r\n", "fffffffffffffffff\r\n"})
        CHECK(end_of(read(with("Transfer-Encoding: chunked\r\n", broken), 1)) == End::broken);
}

TEST_CASE("without framing the close ends the response", "[http]")
{
    check(with("", "abc"), End::close, 200, 3);
    check(with("Connection: close\r\n"), End::close, 200, 0);
    check(with("", "", "HTTP/1.1 204 No Content"), End::complete, 204, 0);
    check(with("Content-Length: 5\r\n", "", "HTTP/1.1 304 Not Modified"), End::complete, 304, 0);
    check("HTTP/1.1 200 OK\r\nServer: x\r\n", End::partial, 200, 0);
    check("HTTP/1.1 20", End::partial, 20, 0);
}

TEST_CASE("interim responses come before the one that counts", "[http]")
{
    const std::string last = with("Content-Length: 3\r\n", "abc", "HTTP/1.1 301 Moved");
    check("HTTP/1.1 100 Continue\r\n\r\n" + last, End::complete, 301, 3);
    check("HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + last,
          End::complete, 301, 3);
    check("HTTP/1.1 101 Switching Protocols\r\n\r\n", End::broken, 101, 0);
}

TEST_CASE("values go on in lines that begin with a blank", "[http]")
{
    check(with("Content-Length:\r\n 5\r\n", "abcde"), End::complete, 200, 5);
    check(with("Content-Length: 5\r\n \r\n", "abcde"), End::complete, 200, 5);
    check(with("Content-Length: 5\r\n 5\r\n"), End::broken, 200, 0);
    check(with("Content-Length: 5,\r\n\t5\r\n", "abcde"), End::complete, 200, 5);
    check(with("X: y\r\n Content-Length: 9\r\nContent-Length: 2\r\n", "ab"), End::complete, 200, 2);
    check(with(" Content-Length: 9\r\nContent-Length: 2\r\n", "ab"), End::complete, 200, 2);  // continues nothing
    check(with("Transfer-Encoding: gzip,\r\n chunked\r\n", "0\r\n\r\n"), End::complete, 200, 0);
}

TEST_CASE("lines without a meaning are passed over", "[http]")
{
    check(with("no colon here\r\n: no name\r\n\rodd\r\nX:\r\nContent-Length: 2\r\n", "ab"), End::complete, 200, 2);
    check(
        with(std::string(100'000, 'n') + ": " + std::string(10, 'v') + "\r\nContent-Length: 2\r\n", "ab").substr(0, 60),
        End::partial, 200, 0);
    const Response r = read(with(std::string(100'000, 'n') + ": v\r\nContent-Length: 2\r\n", "ab"), 1000);
    CHECK(end_of(r) == End::complete);
}

TEST_CASE("what is no HTTP is known at once", "[http]")
{
    for (const char* text : {"SSH-2.0-OpenSSH", "HTTP/2.0 200 OK\r\n", "http/1.1 200 OK", "HTTP/1.1 2x0",
                             "HTTP/1.1 2000", "<html>", "\r\nHTTP/1.1 200 OK"})
        CHECK(end_of(read(text, 1)) == End::other);
}

TEST_CASE("a simulated response is counted", "[http]")
{
    Response r;
    r.expect(200, 1200, 1024);
    CHECK_FALSE(r.needs_bytes());
    r.skip(1199);
    CHECK_FALSE(r.whole());
    r.skip(1);
    CHECK(r.complete());
    CHECK(r.body() == 1024);
    CHECK(r.length() == 1200);
}

TEST_CASE("a response says whether its connection ends with it", "[http]")
{
    const std::size_t step = GENERATE(1u, 3u, 1000u);
    const auto closes = [&](std::string_view line, std::string_view fields) {
        const Response r = read(with(std::string("Content-Length: 2\r\n") + std::string(fields), "ok", line), step);
        REQUIRE(r.complete());
        return r.closes();
    };
    CHECK_FALSE(closes("HTTP/1.1 200 OK", ""));
    CHECK_FALSE(closes("HTTP/1.1 200 OK", "Connection: keep-alive\r\n"));
    CHECK(closes("HTTP/1.1 200 OK", "Connection: close\r\n"));
    CHECK(closes("HTTP/1.1 200 OK", "connection: foo,\tCLOSE\r\n"));
    CHECK(closes("HTTP/1.1 200 OK", "Connection: foo,\r\n close\r\n"));
    CHECK_FALSE(closes("HTTP/1.1 200 OK", "Connection: closed\r\nX-Connection: close\r\n"));
    CHECK(closes("HTTP/1.0 200 OK", ""));
    CHECK_FALSE(closes("HTTP/1.0 200 OK", "Connection: Keep-Alive\r\n"));
    CHECK_FALSE(closes("HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK", ""));
    CHECK(read("HTTP/1.1 200 OK\r\n\r\nbody", step).closes());
    CHECK_FALSE(read("HTTP/1.1 204 No Content\r\n\r\n", step).closes());
    CHECK_FALSE(read("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", step).closes());
}

TEST_CASE("what answers HEAD has no body, whatever its head says, behind an interim response too", "[app]")
{
    for (const std::string head :
         {"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
          "HTTP/1.1 404 Not Found\r\n\r\n",
          "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"})
    {
        Response response(true);
        response.read(bytes(head + "HTTP/1.1"));
        CHECK(response.complete());
        CHECK(response.length() == head.size());
        CHECK(response.body() == 0);
        CHECK_FALSE(response.closes());
    }
}

}  // namespace ANML_UNIT_FILE
