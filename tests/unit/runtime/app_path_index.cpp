// Documents are found by all of their path: no two are mistaken for each other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "app/http/http_request.h"
#include "app/http/path_index.h"
#include "image_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

std::uint32_t ask(const app::PathIndex& paths, std::string_view request, std::size_t step)
{
    app::http::RequestHead head;
    while (!request.empty()) {
        const std::string_view piece = request.substr(0, step);
        request.remove_prefix(piece.size());
        const std::size_t taken =
            app::http::read_request(head, paths, {reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
        CHECK(taken == piece.size());
        CHECK(head.complete() == request.empty());
    }
    return head.wanted.first;
}

// FNV-1a of 32 bits, by which they were once told apart.
std::uint32_t hash(std::string_view path)
{
    std::uint32_t hash = 0x811c9dc5u;
    for (const char c : path) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x01000193u;
    return hash;
}

}  // namespace

TEST_CASE("a document is found by its path, however the request is cut", "[http]")
{
    test::Chain chain;
    chain.documents = {10, 1024, 1, 102, 1024};
    test::ChainModel built(chain);
    const Model model = built.model();
    const app::PathIndex paths(model);
    for (std::size_t step : {1, 2, 3, 7, 100}) {
        CHECK(ask(paths, "GET /10 HTTP/1.0\r\n\r\n", step) == 0);
        CHECK(ask(paths, "GET /1024 HTTP/1.1\r\nHost: x\r\n\r\n", step) == 1);  // the first of two
        CHECK(ask(paths, "GET /1 HTTP/1.0\r\n\r\n", step) == 2);
        CHECK(ask(paths, "GET /102\r\n", step) == 3);
        CHECK(ask(paths, "GET /1025 HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "GET /10240 HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "GET / HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "GET  HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "BREWS /10 HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "GIT /10 HTTP/1.0\r\n\r\n", step) == kNone);
        CHECK(ask(paths, "GET " + std::string(70'000, '/') + " HTTP/1.0\r\n\r\n", step) == kNone);
    }
}

// So many of them that some have equal hashes of 32 bits.
TEST_CASE("a large catalogue has no two documents alike", "[http]")
{
    test::Chain chain;
    chain.documents.clear();
    for (int i = 1; i <= 100'000; ++i) chain.documents.push_back(i * 977);
    test::ChainModel built(chain);
    const Model model = built.model();
    const app::PathIndex paths(model);
    std::map<std::uint32_t, std::uint32_t> seen;
    std::size_t alike = 0;
    for (std::uint32_t i = 0; i < model.documents().count(); ++i) {
        const std::string path = model.documents().path(i);
        const auto [other, added] = seen.emplace(hash(path), i);
        if (added) continue;
        ++alike;
        CHECK(ask(paths, "GET " + path + " HTTP/1.0\r\n\r\n", 1000) == i);
        CHECK(ask(paths, "GET " + model.documents().path(other->second) + " HTTP/1.0\r\n\r\n", 1000) == other->second);
    }
    CHECK(alike > 0);
}

TEST_CASE("a request says whether another may follow it, and where that begins", "[http]")
{
    test::ChainModel built(test::Chain{});
    const Model model = built.model();
    const app::PathIndex paths(model);
    const auto read = [&](const std::string& text, std::size_t step) {
        app::http::RequestHead head;
        std::size_t at = 0;
        while (at < text.size() && !head.complete())
            at += app::http::read_request(
                head, paths,
                {reinterpret_cast<const std::uint8_t*>(text.data()) + at, std::min(step, text.size() - at)});
        REQUIRE(head.complete());
        CHECK(text.substr(at) == "GET /next");
        return head;
    };
    const std::size_t step = GENERATE(1u, 2u, 5u, 1000u);
    const auto persists = [&](const std::string& line, const std::string& fields) {
        return read(line + "\r\nHost: x\r\n" + fields + "\r\nGET /next", step).persistent();
    };
    CHECK(persists("GET /1024 HTTP/1.1", ""));
    CHECK(persists("HEAD /1024 HTTP/1.1", ""));
    CHECK(persists("GET /none HTTP/1.1", ""));
    CHECK(persists("\r\nGET /1024 HTTP/1.1", "Connection:keep-alive\r\n"));
    CHECK(persists("GET /1024 HTTP/1.1", "X-Connection: close\r\nConnection-X: close\r\n"));
    CHECK(persists("GET /1024 HTTP/1.1", "Connection: closed, close-not\r\nContent-Length: 0\r\n"));
    CHECK(persists("GET /1024 HTTP/1.0", "CONNECTION: Keep-Alive\r\n"));
    CHECK_FALSE(persists("GET /1024 HTTP/1.0", ""));
    CHECK_FALSE(read("GET /1024\r\nGET /next", 4).persistent());
    CHECK_FALSE(persists("GET /1024 HTTP/1.0", "Connection: upgrade\r\n"));
    CHECK_FALSE(persists("GET /1024 HTTP/1.1", "Connection: upgrade , Close\r\n"));
    CHECK_FALSE(persists("GET /1024 HTTP/1.0", "Connection: keep-alive, close\r\n"));
    CHECK(persists("POST /1024 HTTP/1.1", ""));
    CHECK_FALSE(persists("GETS /1024 HTTP/1.1", ""));
    CHECK(read("HEAD /1024 HTTP/1.1\r\n\r\nGET /next", 3).method == app::http::Method::head);
    CHECK(read("HEAD /1024 HTTP/1.1\r\n\r\nGET /next", 3).wanted.first == 0);
}

}  // namespace ANML_UNIT_FILE
