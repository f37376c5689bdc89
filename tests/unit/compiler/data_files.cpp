// Files that documents and loads come from: what is one, what is not, and where.
#include <catch2/catch.hpp>
#include <string>

#include "base/access_log.h"
#include "base/arrival_times.h"
#include "base/document_list.h"

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
    CHECK(wrong_log(logged("DELETE / HTTP/1.1")) == "1:36-42 `DELETE` is none of GET, HEAD, POST and PUT");
    CHECK(wrong_log(logged("GET http://h/ HTTP/1.1")) == "1:40-49 `http://h/` is not a path");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 99 1\n") == "1:52-54 `99` is not a status");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 x\n") == "1:56-57 `x` is not a length");
    CHECK(wrong_log("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200\n") == "1:0-55 `` is not a length");
    CHECK(wrong_log(logged("GET / HTTP/1.1", "10/Oct/1999:13:55:36 -0700") + logged("GET / HTTP/1.1")) ==
          "it is longer than 1000 h");
}
