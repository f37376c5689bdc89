// Named payload: the same bytes whatever piece is asked for.
#include <catch2/catch.hpp>
#include <string>

#include "app/content.h"
#include "image_builder.h"

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
        CHECK(content::document_of(request) == i);
        CHECK(content::document_of(response) == kNone);

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
