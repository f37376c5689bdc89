// Files that documents and loads come from: what is one, what is not, and where.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "base/files/access_log.h"
#include "base/files/arrival_times.h"
#include "base/files/document_list.h"
#include "base/files/request_file.h"
#include "common/url_origin.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

// Of the first line that is wrong its number, place and message; else of the whole.
template <class Reader>
std::string read(Reader& reader, const std::string& text)
{
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        ++number;
        const LineError error = reader.take(std::string_view(text).substr(begin, end - begin));
        if (!error.message.empty())
            return std::to_string(number) + ":" + std::to_string(error.begin) + "-" + std::to_string(error.end) + " " +
                   error.message;
        begin = end + 1;
    }
    return reader.finish();
}

std::string wrong_list(const std::string& text)
{
    DocumentListReader reader;
    return read(reader, text);
}

std::string wrong_log(const std::string& line)
{
    AccessLogReader reader;
    return read(reader, line);
}

std::string logged(const std::string& request, const std::string& time = "10/Oct/2000:13:55:36 -0700")
{
    return "h - - [" + time + "] \"" + request + "\" 200 7\n";
}

}  // namespace

TEST_CASE("a list of documents: columns, in the usual order or as a first line has them")
{
    DocumentListReader reader;
    CHECK(read(reader, "# made by hand\n\n/a,100\nb c,1.5 KB,3\n\"/x,\"\"y\",7,0.5,\n/e,0,2," + std::string(64, 'a') +
                           "\n") == "");
    REQUIRE(reader.documents.size() == 4);
    CHECK(reader.documents[0].path == "/a");
    CHECK((reader.documents[0].size == 100 && reader.documents[0].weight == 1));
    CHECK(reader.documents[1].path == "/b%20c");
    CHECK((reader.documents[1].size == 1536 && reader.documents[1].weight == 3));
    CHECK(reader.documents[2].path == "/x,\"y");
    CHECK(reader.documents[3].sha256->at(31) == 0xaa);
    CHECK(!reader.documents[2].sha256);

    DocumentListReader named;
    CHECK(read(named, "Size,sha256,path\n5,,/a\n") == "");
    CHECK((named.documents[0].path == "/a" && named.documents[0].size == 5));
}

TEST_CASE("a list of documents: as du and find write it")
{
    DocumentListReader reader;
    CHECK(read(reader, "1234\t./a/b\n5 with two blanks, and 9 %\n0 100%25\n") == "");
    REQUIRE(reader.documents.size() == 3);
    CHECK((reader.documents[0].path == "/a/b" && reader.documents[0].size == 1234));
    CHECK(reader.documents[1].path == "/with%20two%20blanks,%20and%209%20%25");
    CHECK(reader.documents[2].path == "/100%25");
}

TEST_CASE("what is no list of documents is said with its place")
{
    CHECK(wrong_list("") == "it lists no document");
    CHECK(wrong_list("/a,1,0\n/b,2,0\n") == "all weights are 0");
    CHECK(wrong_list("/a,1\n/b,many\n") == "2:3-7 `many` is not a size of up to 1 TB in whole bytes");
    CHECK(wrong_list("/a,  ,1\n") == "1:0-7 `` is not a size of up to 1 TB in whole bytes");
    CHECK(wrong_list("/a,0.3 B\n").starts_with("1:3-8 `0.3 B` is not a size"));
    CHECK(wrong_list("/a,2 TB\n").starts_with("1:3-7 `2 TB` is not a size"));
    CHECK(wrong_list("/a,1,-1\n") == "1:5-7 `-1` is not a weight from 0 to 1e15");
    CHECK(wrong_list("/a,1,nan\n").starts_with("1:5-8 `nan` is not a weight"));
    CHECK(wrong_list("/a,1,1,12\n") == "1:7-9 `12` is not a SHA-256 in 64 digits");
    CHECK(wrong_list("/a,1\n\n/a,2\n") == "3:0-2 `/a` stands in line 1 already");
    CHECK(wrong_list("/a\n") == "1:0-2 a line has a path, a comma and a size");
    CHECK(wrong_list("/a,1,1,,5\n").starts_with("1:8-9 there is no column for this"));
    CHECK(wrong_list("path,length\n") == "1:5-11 `length` is none of `path`, `size`, `weight` and `sha256`");
    CHECK(wrong_list("path,path\n") == "1:5-9 there is a column `path` already");
    CHECK(wrong_list("path,weight\n") == "1:0-11 there is no column `size`");
    CHECK(wrong_list("/a\x01,1\n") == "1:0-3 `/a.` is not a path");
    CHECK(wrong_list("12 a\n13\n") == "2:0-2 this line has no path behind its size");
}

TEST_CASE("times count to the nanosecond")
{
    CHECK(nanoseconds("0") == 0);
    CHECK(nanoseconds("1.000000001") == 1'000'000'001);
    CHECK(nanoseconds(".5") == 500'000'000);
    CHECK(nanoseconds("0.10000000000") == 100'000'000);
    CHECK(nanoseconds("3600000") == 3'600'000'000'000'000);
    CHECK(nanoseconds("2.5e-3") == 2'500'000);
    for (const char* wrong : {"", ".", "-1", "1.2.3", "0.0000000001", "3600001", "1s", "inf", "nan", "1e99", "+1"})
        CHECK(!nanoseconds(wrong));
}

TEST_CASE("times of transactions, with clients and documents")
{
    ArrivalTimesReader reader;
    CHECK(read(reader, "# s\n2 7 3\n0.5\n0.5,1\n\n") == "");
    REQUIRE(reader.arrivals.size() == 3);
    CHECK((reader.arrivals[0].at == 500'000'000 && reader.arrivals[0].client == 1));
    CHECK(reader.arrivals[0].document == abi::kNone);
    CHECK(reader.arrivals[1].client == 1);
    CHECK((reader.arrivals[2].client == 7 && reader.arrivals[2].document == 2));
    CHECK(reader.clients == 8);
    const auto wrong = [](const std::string& text) {
        ArrivalTimesReader other;
        return read(other, text);
    };
    CHECK(wrong("") == "it has no times");
    CHECK(wrong("1\nsoon\n").starts_with("2:0-4 `soon` is not a number of seconds"));
    CHECK(wrong("1 a\n") == "1:2-3 `a` is not the number of a client");
    CHECK(wrong("1 1 0\n") == "1:4-5 `0` is not the number of a document");
    CHECK(wrong("1 1 1 1\n") == "1:6-7 a line has a time, a client and a document at most");
}

TEST_CASE("an access log: clients, documents and seconds")
{
    AccessLogReader reader;
    CHECK(read(reader, "a - - [10/Oct/2000:13:55:36 -0700] \"GET /x HTTP/1.0\" 200 2326\n"
                       "b - bob smith [10/Oct/2000:20:55:36 +0000] \"GET /x HTTP/1.1\" 200 2326 \"-\" \"say \\\"hi\\\"\"\n"
                       "a - - [10/Oct/2000:13:55:38 -0700] \"HEAD /x HTTP/2.0\" 304 - \"\" \"\"\n"
                       "c - - [10/Oct/2000:13:55:37 -0700] \"POST /a\\x22b\\xC3?q= HTTP/1.1\" 404 9\n") == "");
    REQUIRE(reader.arrivals.size() == 4);
    CHECK(reader.clients == 3);
    REQUIRE(reader.documents.size() == 3);
    CHECK((reader.documents[0].path == "/x" && reader.documents[0].size == 2326 && reader.documents[0].weight == 2));
    CHECK((reader.documents[1].method == abi::Method::HEAD && reader.documents[1].status == 304));
    CHECK(reader.documents[2].path == "/a\"b%C3?q=");
    const std::uint64_t at[] = {0, 500'000'000, 1'000'000'000, 2'000'000'000};
    const std::uint32_t client[] = {0, 1, 2, 0}, document[] = {0, 0, 2, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(reader.arrivals[i].at == at[i]);
        CHECK(reader.arrivals[i].client == client[i]);
        CHECK(reader.arrivals[i].document == document[i]);
    }
}

TEST_CASE("an access log: what C writes as letters is sent in percents")
{
    AccessLogReader reader;  // Apache's manual, mod_log_config, "Format Notes"
    CHECK(read(reader, logged("GET /a\\nb\\t\\x09\\\\n\\v\\\"\\u\\x7f HTTP/1.1")) == "");
    REQUIRE(reader.documents.size() == 1);
    CHECK(reader.documents[0].path == "/a%0Ab%09%09\\n%0B\"u%7F");
}

TEST_CASE("lines of a file begin behind a byte order mark, and are none of a compressed one")
{
    const std::string path = fmt::format("/tmp/anml_lines_{}", ::getpid());
    const auto lines = [&](std::string_view bytes) {
        std::FILE* const file = std::fopen(path.c_str(), "wb");
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
        std::string out;
        const std::string problem = read_lines(path, 1 << 20, [&](std::string_view line, std::size_t begin) {
            out += fmt::format("{}:{} ", begin, line);
            return true;
        });
        std::remove(path.c_str());
        return out + problem;
    };
    CHECK(lines("\xEF\xBB\xBFh 1\nh 2\n") == "3:h 1 7:h 2 ");
    CHECK(lines("h 1\n\xEF\xBB\xBF\n") == "0:h 1 4:\xEF\xBB\xBF ");
    CHECK(lines("\x1F\x8B\x08zip") == "it is compressed: decompress it first, with `gunzip`");
}

TEST_CASE("an access log of vhost_combined: the client is the second word")
{
    // Apache's manual, mod_log_config: "%v:%p %h %l %u %t".
    const std::string rest = " [04/Oct/2022:04:34:52 +0200] \"GET /b HTTP/1.1\" 200 11 \"-\" \"x\"\n";
    AccessLogReader reader;
    CHECK(read(reader, "www.example.org:443 203.0.113.8 - -" + rest + "www.example.org:443 203.0.113.9 - -" + rest +
                           "[2001:db8::1]:80 203.0.113.9 - bob smith" + rest + "203.0.113.8 - bob" + rest +
                           "2001:db8::1 - -" + rest + "::1 - bob smith" + rest) == "");
    CHECK(reader.clients == 4);
    const std::uint32_t clients[] = {0, 1, 1, 0, 2, 3};
    REQUIRE(reader.arrivals.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(reader.arrivals[i].client == clients[i]);
    const std::string more = "before the time there is more than a client, its identity and its user";
    for (const std::string columns :
         {"www.example.org 203.0.113.8 - -", "203.0.113.8 - - 0.123", "10.0.0.1, 203.0.113.8 - -",
          "www.example.org:443 10.0.0.1 203.0.113.8 - -", "www.example.org:443 203.0.113.8 - - 0.1"})
        CHECK(wrong_log(columns + rest) == fmt::format("1:0-{} {}", columns.size(), more));
}

TEST_CASE("what is no line of an access log is said with its place")
{
    CHECK(wrong_log("") == "it has no requests");
    CHECK(wrong_log("hello\n") == "1:0-5 a line begins with the client's address");
    CHECK(wrong_log("h - - GET\n") == "1:4-9 there is no time in brackets");
    for (const char* time : {"10/Okt/2000:13:55:36 -0700", "31/Feb/2000:13:55:36 -0700", "10/Oct/2000:24:55:36 -0700",
                             "10/Oct/2000 13:55:36 -0700", "10/Oct/2000:13:55:36", ""})
        CHECK(wrong_log(logged("GET / HTTP/1.1", time)).find(" is not a time such as") != std::string::npos);
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] GET\n") == "1:35-38 there is no request in quotes");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1 200 1\n") ==
          "1:35-56 there is no request in quotes");
    CHECK(wrong_log(logged("\\x16\\x03")) == "1:36-44 `\\x16\\x03` is not a request");
    CHECK(wrong_log(logged("-")) == "1:36-37 `-` is not a request");
    CHECK(wrong_log(logged("GET /")) == "1:36-41 `GET /` is not a request");
    CHECK(wrong_log(logged("PURGE / HTTP/1.1")) == "1:36-41 `PURGE` is none of GET, HEAD, POST, PUT, DELETE, PATCH and OPTIONS");
    CHECK(wrong_log(logged("GET http://h/ HTTP/1.1")) == "1:40-49 `http://h/` is not a path");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 99 1\n") == "1:52-54 `99` is not a status");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 x\n") == "1:56-57 `x` is not a length");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200\n") == "1:0-55 `` is not a length");
    CHECK(wrong_log(logged("GET / HTTP/1.1", "10/Oct/1999:13:55:36 -0700") + logged("GET / HTTP/1.1")) ==
          "it is longer than 1000 h");
}

namespace {

std::string wrong_requests(const std::string& text)
{
    RequestFileReader reader("");
    return read(reader, text);
}

}  // namespace

TEST_CASE("requests that are written out: methods, URLs, header fields, bodies, variables")
{
    RequestFileReader reader("");
    REQUIRE(read(reader, "@host = shop.example:8080\n@type=application/json\n# nothing\n\n"
                         "### login\nPOST https://{{host}}/login?a=b#c HTTP/1.1\r\nContent-Type: {{ type }}\r\nX-A: b: c\r\n\r\n"
                         "{\n  \"host\": \"{{host}}\", \"t\": {{\"x\": 1}}\n}\n\n\n"
                         "###\n// @name search\nhttp://x/find\n  ?q=two words\n  &page=2\nHost: other\n\n"
                         "###\n/plain\n### form\nPATCH /f\ncontent-type: application/x-www-form-urlencoded; charset=utf-8\n\na=1&\nb=2\n"
                         "### parts\nPUT /p\nContent-Type: multipart/form-data; boundary=x\n\n--x\n\n1\n--x--\n### empty\n") == "");
    REQUIRE(reader.documents.size() == 5);
    const auto& [login, search, plain, form, parts] =
        std::tie(reader.documents[0], reader.documents[1], reader.documents[2], reader.documents[3], reader.documents[4]);
    CHECK(login.request->name == "login");
    CHECK((login.method == abi::Method::POST && login.path == "/login?a=b" && login.status == 200));
    CHECK(login.request->authority == "shop.example:8080");
    CHECK(login.request->fields == "Content-Type: application/json\nX-A: b: c");
    CHECK(login.request->body == "{\n  \"host\": \"shop.example:8080\", \"t\": {{\"x\": 1}}\n}");
    CHECK(search.request->name == "search");
    CHECK((search.method == abi::Method::GET && search.path == "/find?q=two%20words&page=2"));
    CHECK(search.request->authority == "other");
    CHECK(search.request->body.empty());
    CHECK((plain.request->name == "GET /plain" && plain.request->authority.empty()));
    CHECK((form.method == abi::Method::PATCH && form.request->body == "a=1&b=2"));
    CHECK(parts.request->body == "--x\r\n\r\n1\r\n--x--");
}

namespace {

struct TemporaryFile {
    explicit TemporaryFile(const std::string& text)
    {
        const int file = mkstemp(path.data());
        REQUIRE(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
        close(file);
    }
    ~TemporaryFile() { unlink(path.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::string path = "/tmp/anml-XXXXXX";
};

// As a message shows it: marks of slots and scripts are brackets.
std::string readable(std::string text)
{
    for (char& c : text)
        if (c >= '\1' && c <= '\4') c = "<>;,"[c - 1];
    return text;
}

}  // namespace

TEST_CASE("a URL without a path has the root's")
{
    RequestFileReader reader("");
    REQUIRE(read(reader, "GET http://x\n###\nGET http://x?a=b\n###\nGET http://x?{{$uuid}}\n") == "");
    REQUIRE(reader.documents.size() == 3);
    CHECK(reader.documents[0].path == "/");
    CHECK(reader.documents[1].path == "/?a=b");
    CHECK(readable(reader.documents[2].request->script) == "p/?<u;0>;");
}

TEST_CASE("a mark that is misspelt is no comment, one of other tools is")
{
    RequestFileReader reader("");
    CHECK(reader.take("# @no-redirect").message == "");
    CHECK(reader.take("# think about it").message == "");
    const LineError wrong = reader.take("# @thnk 2 s");
    CHECK(wrong.message == "`@thnk` is a comment, and there is `@think`");
    CHECK((wrong.begin == 2 && wrong.end == 7));
}

TEST_CASE("the origins that URLs name, where they stand, and which names they have")
{
    RequestFileReader reader("");
    const std::string lines[] = {"@h = b.example", "GET https://A.example:8443/x", "Host: other", "###", "http://{{h}}", "###", "/c"};
    for (const std::string& line : lines) CHECK(reader.take(line).message == "");
    REQUIRE(reader.finish() == "");
    const auto of = [&](std::size_t i) -> const FileRequest& { return *reader.documents[i].request; };
    CHECK((of(0).origin == "https://a.example:8443" && of(0).authority == "other"));
    CHECK((of(0).at == 15 + 12 && of(0).end == of(0).at + 14));
    CHECK((of(1).origin == "http://b.example" && of(1).at == 60 && of(1).end == 72));  // the line
    CHECK(of(2).origin.empty());

    const std::vector<std::string> names{"shop.example", "a.example:81", "a.example", "[::1]:8080", "", "a.example:80"};
    const auto at = [&](std::string_view url) { return place_of_origin(names, url_origin(url)); };
    CHECK(at("https://shop.example") == 0);
    CHECK(at("http://a.example:81") == 1);
    CHECK(at("https://a.example") == 2);
    CHECK(at("http://a.example") == 5);
    CHECK(at("http://[::1]:8080") == 3);
    CHECK(at("http://a.example:") == 5);
    for (const char* other : {"http://[::1]", "http://b.example", "http://xa.example", "http://a.example:0",
                              "http://a.example:65536", "http://a.example:8x", "http://me@a.example"})
        CHECK(at(other) == names.size());
    CHECK(url_origin("https://x:").port == 443);
}

TEST_CASE("what a run makes of requests: variables, values of responses, checks")
{
    RequestFileReader reader("");
    REQUIRE(read(reader, "@id = {{$uuid}}\n### login\nPOST /login\nContent-Type: application/json\n\n"
                         "{\"id\": \"{{id}}\", \"n\": {{$randomInt 5 8}}}\n?? status == 201\n?? body $.a['b c'][0] exists\n\n"
                         "### use\nGET /o/{{login.response.body.$.data[1].t}}/{{$random.hexadecimal(3)}}?x y\n"
                         "Authorization: Bearer {{login.response.body.$.t}} {{login.response.body.$.t}}\n"
                         "?? header X-A startsWith \"q \"\n?? size <= 10\n"
                         "### form\nPOST /f\nContent-Type: application/x-www-form-urlencoded\n\n"
                         "a={{use.response.headers.X-A}}&\nb={{$client}}\n") == "");
    REQUIRE(reader.documents.size() == 3);
    const auto& [login, use, form] = std::tie(reader.documents[0], reader.documents[1], reader.documents[2]);
    CHECK(login.request->body == "{\"id\": \"00000000-0000-4000-8000-000000000000\", \"n\": 7}");
    CHECK(readable(login.request->script) ==
          "c,s,,=,201,status == 201;c,p,/a/b c/0,x,,body $.a['b c'][0] exists;b{\"id\": \"<u;0>\", \"n\": <i5,7;1>};"
          "t,0,p,/data/1/t,,;t,1,p,/t,,;");
    CHECK(use.path == "/o/1/aaa?x%20y");
    CHECK(use.request->fields == "Authorization: Bearer 1 1");
    CHECK(readable(use.request->script) == "c,h,X-A,b,q ,header X-A startsWith \"q \";c,z,,m,10,size <= 10;"
                                           "p/o/<v0>/<h3;2>?x%20y;fAuthorization: Bearer <v1> <v1>;t,2,h,X-A,,;");
    CHECK(form.request->body == "a=1&b=1");
    CHECK(readable(form.request->script) == "ba=<wv2>&b=<c>;");
}

TEST_CASE("what a run makes of texts: base64, hashes and signatures")
{
    RequestFileReader reader("");
    REQUIRE(read(reader, "@key = k,\n@claims = {\"id\": \"{{$uuid}}\"}\n@signed = {{$base64url(\"x\\n\")}}.{{$base64url(claims)}}\n"
                         "### a\nPOST /\nAuthorization: Basic ann:{{key}}\nX-Id: {{signed}}\n"
                         "X-Signature: {{$hmac.sha256.hex(key, signed, \"\\n,\", $request.body)}}\n\nbody\n"
                         "### b\nGET /{{$sha256.base64url(key)}}\nAuthorization: Basic {{$client}} b\n") == "");
    const auto& [a, b] = std::tie(reader.documents[0], reader.documents[1]);
    CHECK(a.request->hashes);
    CHECK(a.request->fields.starts_with("Authorization: Basic YW5uOmss\nX-Id: eAo." + std::string(62, 'a') + "\n"));
    CHECK(readable(a.request->script) ==
          "m0,bu,,{\"id\": \"<u;0>\"};m1,hx,k,,eAo.<m0,62>\n,<q>;"
          "fAuthorization: Basic YW5uOmss\nX-Id: eAo.<m0,62>\nX-Signature: <m1,64>;");
    CHECK(readable(b.request->script) == "m2,su,,k,;m3,bb,,<c>:b;p/<m2,43>;fAuthorization: Basic <m3,4>;");
    CHECK(wrong_requests("GET /{{$sha256(\"a\")}}\n").find("`$sha256` does not say how it is written") != std::string::npos);
    CHECK(wrong_requests("GET /{{$hmac.sha256.hex(\"a\")}}\n").find("a key and a text") != std::string::npos);
    CHECK(wrong_requests("@secret = 1\nGET /{{$base64(secrt)}}\n") ==
          "2:5-23 `secrt` is no variable of this file: did you mean `secret`?");
    CHECK(wrong_requests("POST /\n\n{{$sha256.hex($request.body)}}\n").ends_with("a body cannot hold what is made of `$request.body`"));
    CHECK(wrong_requests("GET /\n?? body sha256 abc\n").find("no SHA-256 in base64") != std::string::npos);
}

TEST_CASE("requests that are left out, and sent again")
{
    RequestFileReader reader("");
    REQUIRE(read(reader, "### login\nGET /login\n### admin\n# @disabled {{login.response.body.$.role}} != admin\nGET /admin\n"
                         "### poll\n# @loop while {{poll.response.status}} == 202\nGET /poll\n"
                         "### page\n# @loop for 3\nGET /page\n### old\n# @disabled\nGET /old\n"
                         "### new\n# @disabled {{$client}} matches ^[12]$\n# @disabled {{login.response.body.$.new}} exists\nGET /new\n") == "");
    REQUIRE(reader.documents.size() == 5);
    CHECK(readable(reader.documents[1].request->script) == "w<v0>,!,admin;");
    CHECK(readable(reader.documents[2].request->script) == "t,1,s,,,;l<v1>,=,202;o1;");
    CHECK(readable(reader.documents[3].request->script) == "n3;");
    CHECK(readable(reader.documents[4].request->script) == "w<c>,r,/^[12]$/;w<v2>,x,;");
    CHECK(wrong_requests("# @disabled {{$client}} == 1\nGET /\n") ==
          "1:12-28 an iteration begins with the first request, which is always sent");
    CHECK(wrong_requests("GET /\n###\n# @disabled {{$client}}\nGET /a\n").starts_with("3:12-23 this is no condition: "));
    std::string nested = "@a0 = x\n";
    for (int i = 1; i <= 40; ++i)
        nested += "@a" + std::to_string(i) + " = {{$sha256.hex(a" + std::to_string(i - 1) + ", a" +
                  std::to_string(i - 1) + ", $request.body)}}\n";
    CHECK(wrong_requests(nested + "GET /\nX: {{a40}}\n").empty());
    nested = "@a0 = {{$uuid}}\n";
    for (int i = 1; i <= 40; ++i)
        nested += "@a" + std::to_string(i) + " = {{$base64(a" + std::to_string(i - 1) + ", a" + std::to_string(i - 1) +
                  ")}}\n";
    CHECK(wrong_requests(nested + "GET /\nX: {{a40}}\n").find("a function takes at most") != std::string::npos);
    CHECK(wrong_requests("# @loop for x of y\nGET /\n").starts_with("1:8-18 a request is repeated by `# @loop for 3` or "));
    CHECK(wrong_requests("# @loop for 2000\nGET /\n").starts_with("1:8-16 a request is repeated 2 to 1000 times"));
}

TEST_CASE("think times and groups of requests")
{
    RequestFileReader reader("");
    REQUIRE(read(reader,
                 "### a\n# @think 2 s\nGET /a\n### b\n# @group shop\n// @think 1 s .. 1500ms\nGET /b\n"
                 "### c\nGET /c\n### d\n# @group none\nGET /d\n") == "");
    REQUIRE(reader.documents.size() == 4);
    using Think = std::pair<std::uint64_t, std::uint64_t>;
    CHECK(reader.documents[0].request->think == Think{2'000'000'000, 2'000'000'000});
    CHECK(reader.documents[1].request->think == Think{1'000'000'000, 1'500'000'000});
    CHECK(!reader.documents[2].request->think);
    for (std::size_t i = 0; i < 4; ++i) CHECK(reader.documents[i].request->group == (i == 1 || i == 2 ? "shop" : ""));
    for (const char* wrong : {"2", "soon", "3 s .. 1 s", "1 KB", "-1 s", "2000 h"})
        CHECK(wrong_requests(fmt::format("# @think {}\nGET /\n", wrong)).find("a think time is `# @think 2 s` or") !=
              std::string::npos);
    CHECK(wrong_requests("### a\n# @group a\nGET /\n") == "`a` is a request and a group");
}

TEST_CASE("columns of a table are variables")
{
    const TemporaryFile table("user,pass\nann,\"a\"\"b,\"\nbob,x y\n");
    RequestFileReader reader("");
    REQUIRE(read(reader, "# @data " + table.path + " in_turn\n### a\nPOST /{{pass}}\nContent-Type: text/json\n\n"
                         "[\"{{user}}\", {{user}}]\n") == "");
    REQUIRE(reader.documents.size() == 1);
    const FileDocument& one = reader.documents[0];
    CHECK(one.path == "/a\"b,");
    CHECK(one.request->body == "[\"ann\", ann]");
    CHECK(readable(one.request->rows) == "iann,a\"b,;bob,x y;");
    CHECK(readable(one.request->script) == "p/<r1>;b[\"<jr0>\", <r0>];");
    CHECK(reader.included == std::vector<std::string>{table.path});
    const auto wrong = [&](const std::string& text) {
        const TemporaryFile file(text);
        const std::string said = wrong_requests("# @data " + file.path + "\nGET /\n");
        return said.substr(std::min(said.size(), said.find(": ") + 2));
    };
    CHECK(wrong("a,b\n") == "it has no rows");
    CHECK(wrong("a,b\n1,2\n1,2,3\n") == "line 3 has 3 fields where the first line names 2");
    CHECK(wrong("a\n\x01\n") == "line 2 has control characters");
}

TEST_CASE("what is no request is said with its place")
{
    CHECK(wrong_requests("") == "it has no request");
    CHECK(wrong_requests("# only this\n###\n") == "it has no request");
    CHECK(wrong_requests("BREW /pot\n") ==
          "1:0-9 `BREW` is none of GET, HEAD, POST, PUT, DELETE, PATCH and OPTIONS, nor GRPC");
    CHECK(wrong_requests("GET shop/x\n") == "1:0-10 `shop/x` is neither a path nor a URL of http or https");
    CHECK(wrong_requests("GET /{{id}}\n") == "1:5-11 `id` is no variable of this file: `@name = value` above it makes one");
    CHECK(wrong_requests("POST /\n\n{\"id\": \"{{$uuid}}\"}\n") ==
          "");
    CHECK(wrong_requests("GET /{{$uid}}\n").starts_with("1:5-13 `$uid` is nothing that a run makes: `$uuid`, `$timestamp`, "));
    CHECK(wrong_requests("GET /{{$randomInt 5 5}}\n").starts_with("1:5-23 `$randomInt 5 5` is nothing that a run makes: "));
    CHECK(wrong_requests("### login\nGET /\n### b\nGET /{{logn.response.body.*}}\n") ==
          "4:5-29 no request above is called `logn`: did you mean `login`?");
    CHECK(wrong_requests("### a\nGET /\n### b\nGET /{{a.response.body.$..x}}\n").starts_with("4:5-29 `a.response.body.$..x` is no value of a response: "));
    CHECK(wrong_requests("GET http://{{$uuid}}/\n") == "1:0-21 a host is the same each time: no run makes it");
    CHECK(wrong_requests("GET /\n?? status > fast\n").starts_with("2:0-16 this is no check: `?? status == 201`, "));
    CHECK(wrong_requests("GET /\n?? body $.a. == 1\n").starts_with("2:0-17 this is no check: "));
    CHECK(wrong_requests("### a\nGET /\n### b\nGET /{{a.response.body.match(/x(/)[0]}}\n") ==
          "4:5-39 `/x(/` cannot be looked for: a `(` has no `)`");
    CHECK(wrong_requests("### a\nGET /\n### b\nGET /{{a.response.body.match(/x/)}}\n").starts_with("4:5-35 `match` says which part it is: "));
    CHECK(wrong_requests("### a\nGET /\n### b\nGET /{{a.response.body.//a/b}}\n").starts_with("4:5-30 `a.response.body.//a/b` is no value of a response: "));
    CHECK(wrong_requests("GET /\n?? body matches (?=x)\n").starts_with("2:0-21 `/(?=x)/` cannot be looked for: "));
    CHECK(wrong_requests("GET /\x01\n") == "1:5-6 a request has no control characters");
    CHECK(wrong_requests("@a b\n") == "1:1-4 a variable is `@name = value`");
    CHECK(wrong_requests("GET /\n{\n") ==
          "2:0-1 `{` is no header field, `Name: value`; an empty line stands before a body");
    CHECK(wrong_requests("GET /\nContent-Length: 7\n") == "2:0-17 `Content-Length` is what the client itself says: leave it out");
    CHECK(wrong_requests("GET /\n\n> {% client.log(1) %}\n") ==
          "3:0-21 scripts, and what is done with responses, cannot be run: leave them out");
    CHECK(wrong_requests("POST /\n\n< /nonexistent/body\n") == "3:2-19 cannot read `/nonexistent/body`: No such file or directory");
    CHECK(wrong_requests("GET /" + std::string(8001, 'a') + "\n").ends_with("a path has at most 8000 characters"));
}

TEST_CASE("all that is wrong with requests is said once, and nothing of what follows from it")
{
    const auto all = [](const std::string& text) {
        RequestFileReader reader("");
        std::vector<std::string> errors;
        const auto take = [&](const LineError& error, std::size_t begin) {
            if (error.message.empty()) return;
            const std::size_t at = begin + error.begin;
            errors.push_back(text.substr(at, begin + error.end - at) + ": " + error.message);
        };
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            std::string_view line = std::string_view(text).substr(begin, end - begin);
            if (line.ends_with('\r')) line.remove_suffix(1);  // as read_lines gives it
            take(reader.take(line, begin), begin);
            begin = end + 1;
        }
        take(reader.end(), 0);
        return errors;
    };
    using Errors = std::vector<std::string>;
    CHECK(all("GET /a\n###\nGET /a\n").empty());  // nobody has named these
    CHECK(
        all("@host = {{nowhere}}\n### login\nFETCH http://{{host}}/login\nX: {{nowhere}}\n\n{{more}}\n"
            "### orders\nGET /orders/{{login.response.body.$.id}}/{{nowhere}}\n?? status >> 4\n?? size << 4\n"
            "### a\nGET /{{logout.response.body.*}}\n") ==
        Errors{
            "{{nowhere}}: `nowhere` is no variable of this file: `@name = value` above it makes one",
            "FETCH http://{{host}}/login: `FETCH` is none of GET, HEAD, POST, PUT, DELETE, PATCH and OPTIONS, nor GRPC",
            all("GET /\n?? status >> 4\n")[0], all("GET /\n?? size << 4\n")[0],
            "{{logout.response.body.*}}: no request above is called `logout`: there is `orders`"});
    for (const std::string end : {"\n", "\r\n"})
        CHECK(all("### login" + end + "GET /" + end + "###" + end + "# @name  login" + end + "GET /b" + end + "### other" + end + "GET /c" + end) ==
              Errors{"login: `login` is the name of the request in line 1, too"});
    CHECK(all("### login\n# @disabled\nGET /\n### login\nGET /b\n").empty());
    std::string many;
    for (int i = 0; i < 30; ++i) many += "### " + std::to_string(i) + "\nBREW /\n";
    CHECK(all(many).size() == 30);  // whoever reads it stops
}

}  // namespace ANML_UNIT_FILE
