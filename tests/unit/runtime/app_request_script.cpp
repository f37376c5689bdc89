// What a run makes of requests that are written out, without a network: values of JSON, header fields of any name, and
// how a script is read. What servers get is tests/live/test_methods.py's.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "app/http/http_response.h"
#include "app/http/json_pointer.h"
#include "app/web_client/request_script.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

std::optional<std::string> json_value(std::string_view text, std::string_view pointer)
{
    std::string room;
    const auto found = app::http::json_value(text, pointer, room);
    return found ? std::optional<std::string>(*found) : std::nullopt;
}

TEST_CASE("RFC 6901 5: a value of a JSON text by its pointer", "[http]")
{
    constexpr std::string_view kText = R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
        "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8})";
    CHECK(json_value(kText, "") == kText);
    CHECK(json_value(kText, "/foo") == R"(["bar", "baz"])");
    CHECK(json_value(kText, "/foo/0") == "bar");
    CHECK(json_value(kText, "/") == "0");
    CHECK(json_value(kText, "/a~1b") == "1");
    CHECK(json_value(kText, "/c%d") == "2");
    CHECK(json_value(kText, "/e^f") == "3");
    CHECK(json_value(kText, "/g|h") == "4");
    CHECK(json_value(kText, "/i\\j") == "5");
    CHECK(json_value(kText, "/k\"l") == "6");
    CHECK(json_value(kText, "/ ") == "7");
    CHECK(json_value(kText, "/m~0n") == "8");
    for (const char* none : {"/foo/2", "/foo/-", "/foo/01x", "/none", "/foo/0/x", "/ /x"}) CHECK(!json_value(kText, none));
}

TEST_CASE("RFC 8259 7: strings without their escapes", "[http]")
{
    CHECK(json_value(R"({"a": "\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00"})", "/a") ==
          "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK(json_value(R"(["\ud83d", "\ude00x"])", "/0") == "\xef\xbf\xbd");
    CHECK(json_value(R"({"\u0061": "b}", "c": [{"d": "]{"}]})", "/a") == "b}");
    CHECK(json_value(R"({"\u0061": "b}", "c": [{"d": "]{"}, 7]})", "/c/1") == "7");
}

TEST_CASE("any value of any text is nlohmann's, and broken texts have none or end", "[http]")
{
    std::mt19937 random(3);
    const auto below = [&](unsigned n) { return random() % n; };
    const auto make = [&](const auto& self, unsigned depth) -> nlohmann::json {
        switch (below(depth == 0 ? 4 : 6)) {
            case 0: return static_cast<int>(below(1000)) - 500;
            case 1: return below(2) == 1;
            case 2: return nullptr;
            case 3: {
                std::string text;
                for (unsigned i = below(6); i > 0; --i) text += "a\"\\/~{}[],: \n"[below(13)];
                return text;
            }
            case 4: {
                auto all = nlohmann::json::array();
                for (unsigned i = below(4); i > 0; --i) all.push_back(self(self, depth - 1));
                return all;
            }
            default: {
                auto all = nlohmann::json::object();
                for (unsigned i = below(4); i > 0; --i)
                    all[std::string(1, "ab\"/~ "[below(6)]) + std::to_string(i)] = self(self, depth - 1);
                return all;
            }
        }
    };
    for (int round = 0; round < 3000; ++round) {
        const nlohmann::json whole = make(make, 3);
        const std::string text = whole.dump(below(2) == 0 ? -1 : 2);
        const nlohmann::json flat = whole.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            const auto found = json_value(text, pointer);
            REQUIRE(found);
            if (value.is_string())
                CHECK(*found == value.get<std::string>());
            else if (!value.is_null() || !pointer.empty())  // flatten() makes null of what is empty
                CHECK((nlohmann::json::parse(*found) == value || nlohmann::json::parse(*found).empty()));
            for (std::size_t cut = 0; cut < text.size(); cut += 1 + text.size() / 7) json_value(text.substr(0, cut), pointer);
        }
    }
}

TEST_CASE("header fields of any name, in any case, are kept where somebody wants them", "[http]")
{
    const std::vector<std::string_view> wanted{"X-Next", "Content-Type"};
    app::http::Fields fields;
    fields.want(wanted);
    app::http::Response response;
    const std::string text = "HTTP/1.1 200 OK\r\nx-nex: 1\r\nx-next2: 2\r\nX-NEXT:  a b \r\ncontent-type: text/html\r\n"
                             "X-Next: c\r\nContent-Length: 0\r\n\r\n";
    for (const char c : text) response.read({reinterpret_cast<const std::uint8_t*>(&c), 1}, &fields);
    CHECK(response.complete());
    CHECK(fields.wanted(0) == "a b, c");  // RFC 9110, 5.3
    CHECK(fields.wanted(1) == "text/html");
    fields.clear();
    CHECK(!fields.wanted(0));
}

TEST_CASE("a body is kept up to a bound")
{
    std::string text;
    const app::BodyTaker taker{nullptr, &text};
    const std::vector<std::uint8_t> bytes(100000, 'x');
    for (int i = 0; i < 10; ++i) taker.add(bytes);
    CHECK(text.size() == app::BodyTaker::kMostText);
}

}  // namespace ANML_UNIT_FILE
