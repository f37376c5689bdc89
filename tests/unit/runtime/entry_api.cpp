#include <catch2/catch.hpp>

#include "entry/api/api_answer.h"
#include "entry/api/api_routes.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt::entry;

namespace {

int status(const std::string& bytes)
{
    ApiRequest request;
    std::string why;
    return read_api_request(bytes, request, why);
}

// A request with such a target and fields, and its words or the status and reason of why not.
std::string asked(const std::string& first, const std::string& body = "", const std::string& fields = "")
{
    ApiRequest request;
    std::string why;
    std::string text = first + " HTTP/1.1\r\nHost: localhost\r\n" + fields;
    if (!body.empty())
        text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    const int read = read_api_request(text + "\r\n" + body, request, why);
    if (read != 200) return std::to_string(read) + " " + why;
    const ApiCall call = api_call(request);
    return call.status == 200 ? call.words : std::to_string(call.status) + " " + call.why;
}

}  // namespace

TEST_CASE("a request of the API is read whole, or refused")
{
    CHECK(status("") == 0);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\n") == 0);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == 200);
    CHECK(status("GET / HTTP/1.1\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.0\r\nHost: a\r\n\r\n") == 505);
    CHECK(status("GET /\r\n\r\n") == 400);
    CHECK(status("GET a HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
    CHECK(status("GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
    CHECK(status("GET /%0a HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\n b: c\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost : a\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\nb: c\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab") == 0);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc") == 200);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4097\r\n\r\n") == 413);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n") == 413);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n") == 411);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n") == 417);
    CHECK(status("GET / HTTP/1.1\r\nHost: a\r\nx: " + std::string(9000, 'a')) == 431);
    CHECK(status("GET /" + std::string(9000, 'a')) == 414);
    CHECK(status(std::string("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 30)) == 400);
}

TEST_CASE("who may ask the API")
{
    for (const char* host : {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8474", "[::1]:8474", "[::1]",
                             "10.0.0.7"})
        CHECK(is_address_or_localhost(host));
    for (const char* host : {"", "evil.example", "localhost.evil.example:80", "127.0.0.1.evil", "::1", "a:b", "[x]"})
        CHECK_FALSE(is_address_or_localhost(host));
    CHECK(has_token("Bearer abc", "abc"));
    CHECK(has_token("bearer  abc", "abc"));
    for (const char* given : {"", "abc", "Bearer", "Bearer ab", "Bearer abcd", "Bearer abd", "Basic abc"})
        CHECK_FALSE(has_token(given, "abc"));
    CHECK_FALSE(has_token("Bearer ", ""));
}

TEST_CASE("what the API is asked is what ctl is asked")
{
    CHECK(asked("GET /v1/run") == "list");
    CHECK(asked("HEAD /v1/links") == "list");
    CHECK(asked("GET http://127.0.0.1/v1/links/net%5B3%5D.edge%3E") == "show net[3].edge>");
    CHECK(asked("PATCH /v1/links/w", R"({"delay":"20 ms","loss":0.02})") == "link w delay=20 ms,loss=0.02");
    CHECK(asked("PATCH /v1/links/w", R"({"up":false})") == "link w down");
    CHECK(asked("PATCH /v1/workloads/b", R"({"on":true})") == "workload b start");
    CHECK(asked("PATCH /v1/workloads/b", R"({"active":"40 %"})") == "workload b active=40 %");
    CHECK(asked("PATCH /v1/tunables/D", R"({"value":"4 ms"})") == "set D=4 ms");
    CHECK(asked("GET /v1/watch?link=a&link=b%3C") == "watch a b<");
    CHECK(asked("GET /v1/capture?link=a&seconds=2") == "capture a");
    CHECK(asked("GET /v1/sandboxes/a") == "sandbox a");
}

TEST_CASE("what the API refuses")
{
    CHECK(asked("GET /v2/run").starts_with("404 "));
    CHECK(asked("GET /").starts_with("404 "));
    CHECK(asked("GET /v1/links/a/b").starts_with("404 "));
    CHECK(asked("GET /v1/links/a%20down").starts_with("404 "));
    CHECK(asked("DELETE /v1/links/a") == "405 it has GET, HEAD, PATCH");
    CHECK(asked("HEAD /v1/watch") == "405 it has GET");
    CHECK(asked("OPTIONS /v1/run") == "405 it has GET, HEAD");
    CHECK(asked("PATCH /v1/links/a").starts_with("415 "));
    CHECK(asked("GET /v1/run?x=1").starts_with("400 "));
    CHECK(asked("GET /v1/watch?link=a%20b").starts_with("400 "));
    CHECK(asked("GET /v1/watch?seconds=-1").starts_with("400 "));
    for (const char* body : {"{", "[]", "{}", "1", R"({"delay":null})", R"({"delay":"1 ms,loss=1"})",
                             R"({"delay":"1 ms\n"})",
                             R"({"up":true,"loss":1})", R"({"up":"down"})", R"({"delay=1 ms,loss":1})"})
        CHECK(asked("PATCH /v1/links/a", body).starts_with("400 "));
    CHECK(asked("PATCH /v1/tunables/D", R"({"value":1,"other":2})").starts_with("400 "));
}

TEST_CASE("answers of the API")
{
    CHECK(api_problem(405, "no", "GET", false).find("\r\nAllow: GET\r\n") != std::string::npos);
    CHECK(api_problem(401, "no", "", true).ends_with("\r\n\r\n"));
    CHECK(api_chunk("").empty());
    CHECK(api_chunk("0123456789abcdef") == "10\r\n0123456789abcdef\r\n");
    const auto document = openapi();
    CHECK(document["paths"]["/v1/links/{name}"].contains("patch"));
    const std::string text = document.dump();
    for (std::size_t at = 0; (at = text.find("#/components/schemas/", at)) != std::string::npos;) {
        at += 21;
        CHECK(document["components"]["schemas"].contains(text.substr(at, text.find('"', at) - at)));
    }
}

}  // namespace ANML_UNIT_FILE
