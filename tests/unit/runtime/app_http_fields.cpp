// Header fields that a client keeps: taken out of responses however they are cut, cookies, dates, and where redirections
// lead.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "app/http/http_cookies.h"
#include "app/http/http_date.h"
#include "app/http/http_fields.h"
#include "app/http/http_location.h"
#include "app/http/http_response.h"
#include "app/http/validators.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using app::http::Cookies;
using app::http::Fields;
using app::http::Origin;

namespace {

Fields fields_of(std::string_view head, std::size_t step)
{
    Fields fields{Fields::set_cookie, Fields::location, Fields::etag};
    app::http::Response response;
    while (!head.empty()) {
        const std::string_view piece = head.substr(0, step);
        response.read({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()}, &fields);
        head.remove_prefix(piece.size());
    }
    return fields;
}

std::string joined(const Fields& fields, Fields::Name name)
{
    std::string all;
    fields.each(name, [&](std::string_view value) { all += "<" + std::string(value) + ">"; });
    return all;
}

constexpr Origin kOrigin{"www.example.com", 8080, false};
constexpr Time kNow = 1'000'000 * kSecond;

std::string jar_after(std::initializer_list<std::string_view> set, std::string_view path, bool secure = false)
{
    Cookies cookies;
    for (const std::string_view text : set) cookies.take(text, {kOrigin.authority, 8080, secure}, "/a/b", kNow);
    return cookies.for_request({kOrigin.authority, 8080, secure}, path, kNow);
}

}  // namespace

TEST_CASE("fields are taken out of a response, however it is cut", "[http]")
{
    const std::string head =
        "HTTP/1.1 100 Continue\r\nETag: \"interim\"\r\n\r\n"
        "HTTP/1.1 200 OK\r\nset-cookie:a=1; Path=/\r\nETAG : \"x y\"  \r\nE Tag: no\r\nSet-Cookie: b=2\r\nno colon\r\n"
        "Location:\t/long\r\n er\r\nEtags: 1\r\nLast-Modified: not asked for\r\nSet-Cookie: c=\x01\r\n"
        "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nETag: trailer\r\n\r\n";
    for (std::size_t step = 1; step <= head.size(); ++step) {
        const Fields fields = fields_of(head, step);
        REQUIRE(joined(fields, Fields::set_cookie) == "<a=1; Path=/><b=2>");
        REQUIRE(joined(fields, Fields::etag) == "<\"x y\">");
        REQUIRE(joined(fields, Fields::location) == "</long  er>");
        REQUIRE(fields.value(Fields::last_modified).empty());
    }
}

TEST_CASE("a field that a request asks for stays the client's, too", "[http]")
{
    Fields fields{Fields::set_cookie, Fields::location};
    const std::string_view wanted[] = {"Location", "SET-COOKIE", "x"};
    fields.want(wanted);
    for (const char* cookie : {"a=1", "b=2"}) fields.add("Set-Cookie", cookie);
    fields.add("location", "/next");
    CHECK(joined(fields, Fields::set_cookie) == "<a=1><b=2>");
    CHECK(fields.value(Fields::location) == "/next");
    CHECK(fields.wanted(0) == "/next");
    CHECK(fields.wanted(1) == "a=1, b=2");
    CHECK_FALSE(fields.wanted(2));
    fields.add("X", std::string(Fields::kLongest, 'x'));
    CHECK(fields.wanted(2)->size() == Fields::kLongest);
    for (int i = 0; i < 100'000; ++i) fields.add("X", "");
    CHECK(fields.wanted(2)->size() <= Fields::kMostText);
}

TEST_CASE("what is kept of a head is bounded", "[http]")
{
    std::string head = "HTTP/1.1 200 OK\r\nETag: " + std::string(Fields::kLongest + 1, 'e') + "\r\nLocation: /\r\n";
    for (int i = 0; i < 100; ++i) head += "Set-Cookie: a=" + std::string(2000, 'x') + "\r\n";
    const Fields fields = fields_of(head + "\r\n", 1000);
    CHECK(fields.value(Fields::etag).empty());
    CHECK(fields.value(Fields::location) == "/");
    std::size_t count = 0;
    fields.each(Fields::set_cookie, [&](std::string_view value) { count += value.size() == 2002; });
    CHECK(count == Fields::kMostText / 2002);
    std::string many = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 1000; ++i) many += "Set-Cookie: a\r\n";
    count = 0;
    fields_of(many + "\r\n", 10).each(Fields::set_cookie, [&](std::string_view) { ++count; });
    CHECK(count == Fields::kMost);
}

TEST_CASE("cookies are sent back where they belong (RFC 6265)", "[http]")
{
    CHECK(jar_after({"a=1"}, "/a/b") == "a=1");
    CHECK(jar_after({"a=1", "b=2"}, "/a/c?q") == "a=1; b=2");
    CHECK(jar_after({"a=1"}, "/") == "");  // its path is /a
    CHECK(jar_after({"a=1; Path=/"}, "/") == "a=1");
    CHECK(jar_after({"a=1; path=/a"}, "/ab") == "");
    CHECK(jar_after({"a=1; Path=/", "b=2; Path=/a"}, "/a/") == "b=2; a=1");  // longer paths first
    CHECK(jar_after({"a=1", "b=2", "a=3"}, "/a") == "a=3; b=2");
    CHECK(jar_after({" a = 1 ; HttpOnly; SameSite=Lax"}, "/a") == "a=1");
    CHECK(jar_after({"a=\"x=y\""}, "/a") == "a=\"x=y\"");
    CHECK(jar_after({"no name", "=x", ""}, "/a") == "");
    SECTION("domains")
    {
        CHECK(jar_after({"a=1; Domain=example.com"}, "/a") == "a=1");
        CHECK(jar_after({"a=1; Domain=.EXAMPLE.com"}, "/a") == "a=1");
        CHECK(jar_after({"a=1; Domain=ample.com", "b=1; Domain=example.org", "c=1; Domain=com"}, "/a") == "");
    }
    SECTION("of several origins")
    {
        constexpr Origin kOther{"auth.example.com:8443", 8443, true}, kApex{"example.com", 80, false},
            kLocal{"localhost:8080", 8080, false}, kSix{"[::1]:80", 80, false};
        Cookies cookies;
        cookies.take("own=1; Path=/", kOrigin, "/", kNow);
        cookies.take("all=2; Path=/; Domain=example.com", kOrigin, "/", kNow);
        cookies.take("own=3; Path=/; Secure", kOther, "/", kNow);
        cookies.take("below=4; Path=/; Domain=www.example.com", kOther, "/", kNow);
        cookies.take("local=5; Path=/; Domain=localhost", kLocal, "/", kNow);
        cookies.take("six=6; Path=/", kSix, "/", kNow);
        CHECK(cookies.for_request(kOrigin, "/", kNow) == "own=1; all=2");
        CHECK(cookies.for_request({"WWW.example.com", 443, true}, "/", kNow) == "own=1; all=2");  // of any port
        CHECK(cookies.for_request(kOther, "/", kNow) == "all=2; own=3");
        CHECK(cookies.for_request({"auth.example.com", 80, false}, "/", kNow) == "all=2");
        CHECK(cookies.for_request(kApex, "/", kNow) == "all=2");
        CHECK(cookies.for_request({"wwwexample.com", 80, false}, "/", kNow) == "");
        CHECK(cookies.for_request(kLocal, "/", kNow) == "local=5");
        CHECK(cookies.for_request({"[::1]:81", 81, false}, "/", kNow) == "six=6");
    }
    SECTION("Secure")
    {
        CHECK(jar_after({"a=1; Secure"}, "/a") == "");
        CHECK(jar_after({"a=1; Secure"}, "/a", true) == "a=1");
    }
    SECTION("deleted")
    {
        CHECK(jar_after({"a=1", "a=; Max-Age=0"}, "/a") == "");
        CHECK(jar_after({"a=1", "a=; Max-Age=-5"}, "/a") == "");
        CHECK(jar_after({"a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}, "/a") == "");
        CHECK(jar_after({"a=1; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}, "/a") == "a=1");
        CHECK(jar_after({"a=1; Max-Age=99999999999999999999"}, "/a") == "a=1");
        CHECK(jar_after({"a=1; Max-Age=x"}, "/a") == "a=1");
    }
    SECTION("they end")
    {
        Cookies cookies;
        cookies.take("a=1; Max-Age=10", kOrigin, "/", kNow);
        CHECK(cookies.for_request(kOrigin, "/", kNow + 10 * kSecond - 1) == "a=1");
        CHECK(cookies.for_request(kOrigin, "/", kNow + 10 * kSecond) == "");
    }
    SECTION("a bounded number, and so many bytes")
    {
        Cookies cookies;
        for (int i = 0; i < 1000; ++i) cookies.take("c" + std::to_string(i) + "=1", kOrigin, "/", kNow);
        CHECK(cookies.size() == Cookies::kMostCookies);
        CHECK(cookies.for_request(kOrigin, "/", kNow).starts_with("c950=1; c951=1"));
        for (int i = 0; i < 50; ++i)
            cookies.take("c" + std::to_string(i) + "=" + std::string(4000, 'x'), kOrigin, "/", kNow);
        CHECK(cookies.for_request(kOrigin, "/", kNow).size() <= Cookies::kMostBytes);
        CHECK(cookies.size() == 4);
    }
}

TEST_CASE("dates in the forms that servers write", "[http]")
{
    constexpr Time kExample = Time{784111777} * kSecond;  // RFC 9110, 5.6.7
    CHECK(app::http::read_date("Sun, 06 Nov 1994 08:49:37 GMT") == kExample);
    CHECK(app::http::read_date("Sunday, 06-Nov-94 08:49:37 GMT") == kExample);
    CHECK(app::http::read_date("Sun Nov  6 08:49:37 1994") == kExample);
    CHECK(app::http::read_date("8:49:37 6 november 1994") == kExample);
    // RFC 6265, 5.1.1: years of two digits are 1970 to 2069.
    CHECK(app::http::read_date("Thursday, 01-Jan-70 00:00:07 GMT") == 7 * kSecond);
    CHECK(app::http::read_date("Tuesday, 01-Jan-69 00:00:00 GMT") == Time{3124224000} * kSecond);
    CHECK(app::http::read_date("Fri, 31 Dec 9999 23:59:59 GMT") > Time{100} * 365 * 86400 * kSecond);
    CHECK(app::http::read_date("Thu, 01 Jan 1601 00:00:00 GMT") == 0);
    CHECK(app::http::read_date("Wed, 31 Feb 2024 00:00:00 GMT") == std::nullopt);
    CHECK(app::http::read_date("Sun, 06 Nov 1994 24:00:00 GMT") == std::nullopt);
    CHECK(app::http::read_date("Sun, 06 Nov 1994") == std::nullopt);
    CHECK(app::http::read_date("") == std::nullopt);
}

TEST_CASE("a reference is resolved as in RFC 3986, 5.4", "[http]")
{
    const auto to = [](std::string_view reference) {
        return app::http::resolve(reference, {"a", 80, false}, "/b/c/d;p?q").value_or("elsewhere");
    };
    for (const auto& [reference, target] : std::initializer_list<std::pair<const char*, const char*>>{
             {"g:h", "elsewhere"},     {"g", "/b/c/g"},          {"./g", "/b/c/g"},       {"g/", "/b/c/g/"},
             {"/g", "/g"},             {"//g", "elsewhere"},     {"//a", "/"},            {"?y", "/b/c/d;p?y"},
             {"g?y", "/b/c/g?y"},      {"#s", "/b/c/d;p?q"},     {"g#s", "/b/c/g"},       {";x", "/b/c/;x"},
             {"g;x", "/b/c/g;x"},      {"", "/b/c/d;p?q"},       {".", "/b/c/"},          {"./", "/b/c/"},
             {"..", "/b/"},            {"../", "/b/"},           {"../g", "/b/g"},        {"../..", "/"},
             {"../../g", "/g"},        {"../../../g", "/g"},     {"/./g", "/g"},          {"/../g", "/g"},
             {"g.", "/b/c/g."},        {"..g", "/b/c/..g"},      {"./../g", "/b/g"},      {"./g/.", "/b/c/g/"},
             {"g/./h", "/b/c/g/h"},    {"g/../h", "/b/c/h"},     {"g;x=1/../y", "/b/c/y"}, {"g?y/../x", "/b/c/g?y/../x"},
             {"http://a/x y", "/x%20y"}, {"HTTP://A:80/x", "/x"}, {"https://a/x", "elsewhere"}, {"http:g", "elsewhere"},
             {"http://a?q", "/?q"},    {"http://b/", "elsewhere"}})
    {
        CAPTURE(reference);
        CHECK(to(reference) == target);
    }
    CHECK(app::http::resolve("http://a:8080/x", {"a", 8080, false}, "/") == "/x");
    CHECK(app::http::resolve("http://a:8081/x", {"a", 8080, false}, "/") == std::nullopt);
    CHECK(app::http::resolve("http://[::1]:81/x", {"[::1]", 81, false}, "/") == "/x");
    CHECK(app::http::resolve("https://a/x", {"a", 443, true}, "/") == "/x");
    CHECK(app::http::resolve("/" + std::string(5000, 'x'), {"a", 80, false}, "/") == std::nullopt);
}

TEST_CASE("of many documents a client has those that it used last", "[http]")
{
    app::Validators documents;
    for (std::uint32_t i = 0; i < app::Validators::kMostDocuments; ++i) documents.keep(i, "", "\"e\"", "");
    CHECK(documents.find(0, "") != nullptr);
    CHECK(documents.find(0, "/elsewhere") == nullptr);
    documents.keep(5000, "/moved", "", "date");
    CHECK(documents.find(0, "") != nullptr);
    CHECK(documents.find(1, "") == nullptr);
    CHECK(documents.find(5000, "") == nullptr);
    CHECK(documents.find(5000, "/moved")->last_modified == "date");
    documents.keep(5000, "/moved", "", "");
    CHECK(documents.find(5000, "/moved") == nullptr);
    documents.keep(2, "", std::string(1000, 'e'), "");
    CHECK(documents.find(2, "") == nullptr);
}

}  // namespace ANML_UNIT_FILE
