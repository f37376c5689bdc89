// Requests that differ from the one before them: cookies, redirections, and documents that a client has already; with a
// real server behind the model, and a simulated one.
#include <catch2/catch.hpp>
#include <string>

#include "image_builder.h"
#include "real_server.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::keeping;
using test::Real;
using test::requests_in;
using test::response;

namespace {

std::string moved(std::string_view to, std::string_view status = "302 Found", std::string_view fields = "")
{
    return "HTTP/1.1 " + std::string(status) + "\r\nLocation: " + std::string(to) + "\r\nContent-Length: 2\r\n" +
           std::string(fields) + "\r\nxx";
}

bool has(std::string_view text, std::string_view line) { return text.find("\r\n" + std::string(line) + "\r\n") != text.npos; }

}  // namespace

TEST_CASE("cookies that a server sets come back with the next request", "[app]")
{
    test::Chain chain = keeping(100);
    chain.cookies = 1;
    Real real(chain);
    CHECK(real.last.find("Cookie") == std::string::npos);
    real.say(response("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\n"));
    CHECK(has(real.take(), "Cookie: a=1; b=2"));
    real.say(response("Set-Cookie: a=; Max-Age=0; Path=/\r\n"));
    const std::string third = real.take();
    CHECK(third.starts_with("GET /100 HTTP/1.1\r\nHost: anml\r\n"));
    CHECK(has(third, "Cookie: b=2"));
    real.say(response("Set-Cookie: b=; Max-Age=0\r\n", "HTTP/1.1 404 Not Found"));
    CHECK(real.take().find("Cookie") == std::string::npos);
    CHECK(real.result().completed == 2);
    CHECK(real.result().failed() == 1);
}

TEST_CASE("redirections are followed within the transaction", "[app]")
{
    test::Chain chain = keeping(100);
    chain.redirects = 2;
    chain.documents = {3};
    SECTION("on the same connection")
    {
        Real real(chain);
        const std::size_t first = real.last.size();
        const std::string one = moved("/x/y?z"), two = moved("http://anml/3", "308 Permanent Redirect");
        real.say(one);
        const std::string second = real.take();
        CHECK(second.starts_with("GET /x/y?z HTTP/1.1\r\n"));
        real.say(two);
        const std::string third = real.take();
        CHECK(third.starts_with("GET /3 HTTP/1.1\r\n"));
        CHECK(real.result().completed == 0);
        CHECK(real.result().redirected == 2);
        real.say(response());
        const WorkloadStatistics counted = real.result();
        CHECK(counted.completed == 1);
        CHECK(counted.failed() == 0);
        CHECK(counted.connections == 1);
        CHECK(counted.requests == 4);  // the next transaction's, too
        CHECK(counted.unexpected_size == 0);
        CHECK(counted.request_bytes == first + second.size() + third.size());
        CHECK(counted.response_bytes == one.size() + two.size() + response().size());
        CHECK(counted.statuses.at(302) == 1);
        CHECK(counted.statuses.at(308) == 1);
        CHECK(counted.statuses.at(200) == 1);
        CHECK(counted.response_time.took.minimum() >= 60 * kMillisecond);  // all of it
    }
    SECTION("on another, where the response closes it")
    {
        Real real(chain);
        real.say(moved("next", "301 Moved Permanently", "Connection: close\r\n"));
        REQUIRE(real.syns() == 1);
        real.accept();
        CHECK(real.last.starts_with("GET /next HTTP/1.1\r\n"));
        real.say(response());
        CHECK(real.result().completed == 1);
        CHECK(real.result().connections == 2);
    }
    SECTION("with HTTP/1.0, a connection each")
    {
        chain.requests = 1;
        Real real(chain);
        real.say(moved("/next"));
        REQUIRE(real.syns() == 1);
        real.accept();
        CHECK(real.last.starts_with("GET /next HTTP/1.0\r\n"));
        CHECK(real.result().completed == 0);
        real.say(response());
        CHECK(real.result().completed == 1);
        CHECK(real.result().redirected == 1);
    }
    SECTION("a circle is a failure")
    {
        Real real(chain);
        for (int i = 0; i < 3; ++i) {
            CHECK(real.result().failed() == 0);
            real.say(moved("/3"));
            real.take();
        }
        CHECK(real.result().failed(FailureCause::redirect) == 1);
        CHECK(real.result().redirected == 2);
        CHECK(real.result().completed == 0);
    }
    SECTION("to another server it counts as the response, and so does one that says nothing")
    {
        Real real(chain);
        real.say(moved("http://elsewhere/"));
        CHECK(real.result().completed == 1);
        real.take();
        real.say(response("", "HTTP/1.1 302 Found"));
        CHECK(real.result().completed == 2);
        CHECK(real.result().redirected == 0);
    }
    SECTION("the target fails")
    {
        Real real(chain);
        real.say(moved("/x"));
        real.take();
        real.say(response("", "HTTP/1.1 404 Not Found"));
        CHECK(real.result().failed(FailureCause::status) == 1);
    }
    SECTION("the method (RFC 9110, 15.4)")
    {
        chain.method = test::Method::POST;
        chain.body = 10;
        chain.headers = "X-Own: 1";
        Real real(chain);
        CHECK(real.last.ends_with("Content-Length: 10\r\n\r\n" + std::string(10, '\0')));
        const auto& [status, method] = GENERATE(table<const char*, const char*>(
            {{"301 x", "GET"}, {"302 x", "GET"}, {"303 x", "GET"}, {"307 x", "POST"}, {"308 x", "POST"}}));
        CAPTURE(status);
        real.say(moved("/x", status));
        const std::string next = real.take();
        CHECK(next.starts_with(std::string(method) + " /x HTTP/1.1\r\n"));
        CHECK(has(next, "X-Own: 1"));
        CHECK((next.find("Content-Length: 10") != next.npos) == (std::string_view(method) == "POST"));
        if (std::string_view(method) == "POST") CHECK(next.ends_with("\r\n\r\n" + std::string(10, '\0')));
    }
    SECTION("cookies go along")
    {
        chain.cookies = 1;
        Real real(chain);
        real.say(moved("/x", "303 See Other", "Set-Cookie: s=1\r\n"));
        CHECK(has(real.take(), "Cookie: s=1"));
    }
    SECTION("not unless they are to be")
    {
        chain.redirects = 0;
        Real real(chain);
        real.say(moved("/x"));
        CHECK(real.result().completed == 1);
        CHECK(real.result().redirected == 0);
    }
}

TEST_CASE("a document that is there is asked for by its validators", "[app]")
{
    test::Chain chain = keeping(100);
    chain.revalidate = 1;
    chain.documents = {3};
    Real real(chain);
    CHECK(real.last.find("If-") == std::string::npos);
    real.say(response("ETag: W/\"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
    const std::string second = real.take();
    CHECK(has(second, "If-None-Match: W/\"1\""));
    CHECK(has(second, "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"));
    real.say("HTTP/1.1 304 Not Modified\r\nETag: W/\"1\"\r\nContent-Length: 3\r\n\r\n");
    CHECK(real.result().completed == 2);
    CHECK(real.result().not_modified == 1);
    CHECK(real.result().unexpected_size == 0);
    CHECK(has(real.take(), "If-None-Match: W/\"1\""));
    real.say(response("ETag: \"2\"\r\n"));
    const std::string fourth = real.take();
    CHECK(has(fourth, "If-None-Match: \"2\""));
    CHECK(fourth.find("If-Modified") == std::string::npos);
    real.say(response("", "HTTP/1.1 404 Not Found"));
    CHECK(real.take().find("If-") == std::string::npos);
    CHECK(real.result().not_modified == 1);
    CHECK(real.result().completed == 3);
}

TEST_CASE("simulated servers say ETags, and answer them", "[app]")
{
    test::Chain chain = keeping(GENERATE(1u, 100u));
    chain.revalidate = 1;
    chain.etags = GENERATE(0, 1);
    chain.documents = {100, 50'000};
    chain.close = GENERATE(test::CloseMode::at_once, test::CloseMode::after_ack);
    const test::ChainModel built(chain);
    const Model model = built.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, kSecond);
    simulator.run_until(kSecond);
    const WorkloadStatistics counted = simulator.statistics().workloads[0];
    CAPTURE(chain.requests, chain.etags, counted.completed, counted.failed());
    CHECK(counted.completed > 50);
    CHECK(counted.failed() == 0);
    CHECK(counted.unexpected_size == 0);
    CHECK(counted.not_modified == (chain.etags != 0 ? counted.completed - 2 : 0));
    if (chain.etags != 0) CHECK(counted.statuses.at(304) == counted.completed - 2);
}

TEST_CASE("simulated servers set cookies and send their clients on", "[app]")
{
    test::Chain chain = keeping(GENERATE(1u, 100u));
    chain.cookies = GENERATE(0, 1);
    chain.cookie = 1;
    chain.moved = 1;
    chain.redirects = 1;
    const test::ChainModel built(chain);
    const Model model = built.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, kSecond);
    simulator.run_until(kSecond);
    const WorkloadStatistics counted = simulator.statistics().workloads[0];
    CAPTURE(chain.requests, chain.cookies);
    CHECK(counted.completed > 50);
    CHECK(counted.failed() == 0);
    CHECK(counted.unexpected_size == 0);
    CHECK(counted.statuses.at(302) == counted.redirected);
    CHECK(counted.statuses.at(200) == counted.completed);
    CHECK(counted.redirected - counted.completed <= 1);
    // A round trip for each of two requests, and for each connection; with HTTP/1.0 two of them.
    const Time least = counted.response_time.took.minimum();
    CHECK(least / 100 == Approx(static_cast<double>(chain.requests == 1 ? 4 * 2400'000 : 2 * 2400'000) / 100).epsilon(0.01));
}

}  // namespace ANML_UNIT_FILE
