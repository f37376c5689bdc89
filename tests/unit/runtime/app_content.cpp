// Named payload: the same bytes whatever piece is asked for.
#include <catch2/catch.hpp>
#include <string>

#include "app/content.h"
#include "image_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

std::string bytes(const Model& model, std::uint32_t content, std::uint64_t offset, std::size_t size)
{
    std::vector<std::uint8_t> out(size, 0xee);
    content::produce(model, content, offset, out);
    return {out.begin(), out.end()};
}

}  // namespace

TEST_CASE("requests and responses have the length and the bytes that they say", "[app]")
{
    test::Chain chain;
    chain.documents = {0, 9, 10, 1024, 100000};
    test::ChainModel built(chain);
    Model model = built.model();

    for (std::uint32_t i = 0; i < chain.documents.size(); ++i) {
        std::uint32_t request = content::request(i), response = content::response(i);
        CHECK(content::request_number(request) == i);
        CHECK(content::request_number(response) == kNone);

        std::string asked = bytes(model, request, 0, content::length(model, request));
        CHECK(asked.starts_with("GET /" + std::to_string(static_cast<long>(chain.documents[i])) + " HTTP/1.0\r\n"));
        CHECK(asked.ends_with("\r\n\r\n"));

        std::string whole = bytes(model, response, 0, content::length(model, response));
        auto head = whole.find("\r\n\r\n") + 4;
        auto body = static_cast<std::size_t>(chain.documents[i]);
        CHECK(whole.size() == head + body);
        CHECK(whole.find("Content-Length: " + std::to_string(body) + "\r\n") < head);
        CHECK(whole.find('\0') == whole.npos);
        for (std::size_t offset : {std::size_t{1}, head - 3, head, head + 5, whole.size() - 1}) {
            std::size_t size = std::min<std::size_t>(70, whole.size() - std::min(whole.size(), offset));
            CHECK(bytes(model, response, offset, size) == whole.substr(std::min(whole.size(), offset), size));
        }
        CHECK(bytes(model, response, whole.size(), 4) == std::string(4, '\0'));
    }
    std::string gone = bytes(model, content::not_found(), 0, content::length(model, content::not_found()));
    CHECK(gone.starts_with("HTTP/1.0 404 "));
    CHECK(gone.ends_with("\r\n\r\nnot found\n"));
    CHECK(gone.find("Content-Length: 10\r\n") != gone.npos);
    CHECK(content::length(model, content::kZeros) == 0);
    CHECK(bytes(model, content::kZeros, 5, 3) == std::string(3, '\0'));
}

TEST_CASE("requests and responses say what becomes of their connection", "[app]")
{
    test::ChainModel built(test::Chain{});
    Model model = built.model();
    using content::Persistence;
    for (const Persistence persistence : {Persistence::none, Persistence::kept, Persistence::last}) {
        const std::uint32_t all[] = {content::request(7, persistence), content::response(7, persistence),
                                     content::not_found(persistence)};
        CHECK(content::kind(all[0]) == content::Kind::request);
        CHECK(content::kind(all[1]) == content::Kind::response);
        CHECK(content::kind(all[2]) == content::Kind::not_found);
        CHECK(content::request_number(all[0]) == 7);
        for (const std::uint32_t each : all) CHECK(content::persistence(each) == persistence);
        for (const std::uint32_t each :
             {content::request(0, persistence), content::response(0, persistence), content::not_found(persistence)})
        {
            const std::string text = bytes(model, each, 0, content::length(model, each));
            CHECK((text.find("HTTP/1.0") != text.npos) == (persistence == Persistence::none));
            CHECK(text.find("\r\n\r\n") != text.npos);
            CHECK(text.find('\0') == text.npos);
            const bool asks = content::kind(each) == content::Kind::request;
            CHECK((text.find("Connection: close\r\n") != text.npos) ==
                  (persistence == Persistence::last || (!asks && persistence == Persistence::none)));
            CHECK((text.find("Connection: keep-alive\r\n") != text.npos) ==
                  (!asks && persistence == Persistence::kept));
        }
    }
    CHECK(content::kind(content::datagram(9)) == content::Kind::datagram);
    CHECK(content::workload_of(content::datagram(9)) == 9);
}

TEST_CASE("a request with a method, a host and fields of its own has the bytes that it says", "[app]")
{
    using content::Persistence;
    test::Chain chain;
    chain.documents = {1024, 20};
    chain.method = test::Method::POST;
    chain.body = 300;
    chain.host = "www.example.org:8080";
    chain.headers = "accept: text/html\nUser-Agent: t/1\nX-A: 1";
    test::ChainModel built(chain);
    Model model = built.model();
    for (std::uint32_t document = 0; document < 2; ++document) {
        for (const Persistence persistence : {Persistence::none, Persistence::kept, Persistence::last}) {
            const std::uint32_t request = content::request(model.documents().request_number(0, document), persistence);
            CHECK(content::kind(request) == content::Kind::request);
            CHECK(model.documents().asked(content::request_number(request)).document == document);
            CHECK(model.documents().asked(content::request_number(request)).workload == 0);
            const std::string whole = bytes(model, request, 0, content::length(model, request));
            const std::string path = document == 0 ? "/1024" : "/20";
            const std::string version = persistence == Persistence::none ? "HTTP/1.0" : "HTTP/1.1";
            const std::string close = persistence == Persistence::last ? "Connection: close\r\n" : "";
            CHECK(whole == "POST " + path + " " + version +
                               "\r\nHost: www.example.org:8080"
                               "\r\naccept: text/html\r\nUser-Agent: t/1\r\nX-A: 1\r\nContent-Type: "
                               "application/octet-stream\r\nContent-Length: 300\r\n" +
                               close + "\r\n" + std::string(300, '\0'));
            for (std::size_t offset = 0; offset < whole.size(); offset += 7)
                CHECK(bytes(model, request, offset, 40) ==
                      whole.substr(offset, 40) + std::string(40 - whole.substr(offset, 40).size(), '\0'));
        }
    }
}

TEST_CASE("a GET like most is numbered as its document, whatever other workloads ask", "[app]")
{
    test::Chain chain;
    chain.documents = {1, 2, 3};
    test::ChainModel built(chain);
    Model model = built.model();
    CHECK(model.documents().request_number(0, 2) == 2);
    CHECK(model.documents().asked(2).document == 2);
    CHECK(model.documents().asked(2).workload == kNone);
}

TEST_CASE("a reply is as long as its server says", "[app]")
{
    test::Chain chain;
    chain.reply = 77;
    test::ChainModel built(chain);
    Model model = built.model();
    using content::Persistence;
    for (const Persistence persistence : {Persistence::none, Persistence::kept, Persistence::last}) {
        const std::uint32_t reply = content::reply(0, persistence);
        CHECK(content::kind(reply) == content::Kind::reply);
        CHECK(content::persistence(reply) == persistence);
        const std::string whole = bytes(model, reply, 0, content::length(model, reply));
        CHECK(content::body(model, reply) == 77);
        CHECK(whole.find("Content-Length: 77\r\n") != whole.npos);
        CHECK(whole.find("\r\n\r\n") + 4 + 77 == whole.size());
    }
}

}  // namespace ANML_UNIT_FILE
