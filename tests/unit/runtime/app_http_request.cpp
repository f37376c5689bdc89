// Requests from real hosts: where they end, with their bodies, however they are cut into segments.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/http/http_request.h"
#include "image_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using app::http::Method;
using app::http::RequestHead;

namespace {

struct Reader {
    Reader()
        : built([] {
              test::Chain chain;
              chain.documents = {1024};
              return chain;
          }()),
          model(built.model()),
          paths(model)
    {
    }
    // Of a request with something behind it; in pieces of `step` bytes. It takes `size` of them.
    RequestHead read(std::string_view text, std::size_t step, std::size_t size)
    {
        RequestHead head;
        std::size_t taken = 0;
        while (taken < text.size() && !head.complete()) {
            const std::string_view piece = text.substr(taken, step);
            taken += read_request(head, paths, {reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
        }
        CHECK(head.complete());
        CHECK(taken == size);
        return head;
    }
    void check(std::string_view request, Method method, bool persistent)
    {
        CAPTURE(std::string(request));
        const std::string text = std::string(request) + "GET /none HTTP/1.1\r\n\r\n";
        for (std::size_t step = 1; step <= text.size(); ++step) {
            const RequestHead head = read(text, step, request.size());
            CHECK(head.method == method);
            CHECK(head.persistent() == persistent);
            CHECK(head.wanted.first == 0);
        }
    }

    test::ChainModel built;
    Model model;
    app::PathIndex paths;
};

}  // namespace

TEST_CASE("a request ends behind its body", "[app]")
{
    Reader reader;
    reader.check("GET /1024 HTTP/1.1\r\nhost:\r\n\r\n", Method::get, true);
    reader.check("HEAD /1024 HTTP/1.1\r\nHost: a\r\n\r\n", Method::head, true);
    reader.check("GET /1024?a=/1?b HTTP/1.1\r\nHost: a\r\n\r\n", Method::get, true);  // a query that no document has
    reader.check("GET http://a:80/1024 HTTP/1.1\r\nHost: a\r\n\r\n", Method::get, true);
    for (const std::string_view none : {"GET /1024/?a", "GET http://a", "GET http:", "OPTIONS *"})
        CHECK(reader.read(std::string(none) + " HTTP/1.1\r\n\r\n", 5, none.size() + 13).wanted.first == kNone);
    reader.check("POST /1024 HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nGET / HTTP/1", Method::post, true);
    reader.check("PUT /1024 HTTP/1.1\r\nHost: a\r\ncontent-length:0\r\n\r\n", Method::put, true);
    reader.check("GET /1024 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", Method::get, true);
    reader.check("POST /1024 HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", Method::post, false);
    reader.check("PUT /1024 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n",
                 Method::put, true);
    reader.check("PUT /1024 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", Method::put,
                 true);
}

TEST_CASE("where a body's end cannot be known the connection ends with the request", "[app]")
{
    Reader reader;
    for (const char* field :
         {"Content-Length: 1, 1", "Content-Length: x", "Content-Length:", "Content-Length: 1 2", "Content-Length: -1",
          "Content-Length: 99999999999999999999", "Content-Length: 1\r\nContent-Length: 1", "Transfer-Encoding: gzip",
          "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: chunked\r\nContent-Length: 3"})
        reader.check("POST /1024 HTTP/1.1\r\nHost: a\r\n" + std::string(field) + "\r\n\r\n", Method::post, false);
}

TEST_CASE("chunks that are none end the request and its connection", "[app]")
{
    Reader reader;
    reader.check("POST /1024 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx", Method::post, false);
}

TEST_CASE("requests that are refused", "[app]")
{
    Reader reader;
    const auto refusal = [&](std::string_view first, std::string_view fields) {
        const std::string text = fmt::format("{}\r\n{}\r\n", first, fields);
        return reader.read(text, 3, text.size()).refusal();
    };
    CHECK(refusal("GET / HTTP/1.1", "Host: a\r\n") == 0);
    CHECK(refusal("GET / HTTP/1.0", "") == 0);
    CHECK(refusal("GET / HTTP/1.1", "X-Host: a\r\n") == 400);
    CHECK(refusal("GET / HTTP/1.1", "Host: a\r\nhOST: a\r\n") == 400);
    CHECK(refusal("GET / HTTP/1.0", "Host: a\r\nHost: b\r\n") == 400);
    CHECK(refusal("POST / HTTP/1.1", "Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n") == 400);
    CHECK(refusal("BREW / HTTP/1.1", "Host: a\r\n") == 501);
    for (const char* version : {"HTTP/9.9", "HTTP/2.0", "http/1.1", "x"})
        CHECK(refusal(fmt::format("GET / {}", version), "Host: a\r\n") == 505);
}

}  // namespace ANML_UNIT_FILE
