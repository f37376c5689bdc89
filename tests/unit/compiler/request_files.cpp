// Files that requests are written in: what of them goes on the wire as it is, and what is refused.
#include <catch2/catch.hpp>

#include "base/files/request_file.h"
#include "base/files/request_text.h"
#include "scratch_folder.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

// The first thing that is wrong; "": nothing.
std::string take(RequestFileReader& reader, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const LineError error = reader.take(text.substr(0, end));
        if (!error.message.empty()) return error.message;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.finish();
}

std::string wrong(std::string_view text)
{
    RequestFileReader reader("");
    return take(reader, text);
}

}  // namespace

TEST_CASE("the bytes of files in a body stay what they are")
{
    const test::ScratchFolder folder;
    for (const char* bytes : {"x\n", "l1\nl2\n\n\n", "a\r\nb\r\n", ""}) {
        folder.write("file", bytes);
        RequestFileReader reader(folder.path(""));
        REQUIRE(take(reader, "POST /\n\n< file\n\n\n### parts\nPOST /\nContent-Type: multipart/form-data; boundary=b\n\n"
                             "--b\n\n< file\n--b--\n") == "");
        CHECK(reader.documents[0].request->body == bytes);
        CHECK(reader.documents[1].request->body == "--b\r\n\r\n" + std::string(bytes) + "\r\n--b--");
    }
}

TEST_CASE("brackets that name nothing are wrong in a request's line and fields, and stay in its body")
{
    const std::string login = "### login\nGET /\n### a\n";
    for (const char* name : {"login.respons.body.*", "login.request.body.$.user"}) {
        const std::string slot = "{{" + std::string(name) + "}}";
        for (const std::string& text : {"GET /" + slot + "\n", "GET /\nX: " + slot + "\n", "POST /\n\n" + slot + "\n"})
            CHECK(wrong(login + text).starts_with("`" + std::string(name) + "` is no value of a response: "));
    }
    CHECK(wrong("GET /{{first name}}\n").starts_with("`first name` is no variable of this file"));
    CHECK(wrong("GET /{{open\n") == "`{{` has no `}}`");
    CHECK(wrong("POST /\n\n{{first name}} {{open\n") == "");
}

TEST_CASE("tables of spreadsheets: a byte order mark, blanks in names, line ends in quotes")
{
    const test::ScratchFolder folder;
    folder.write("t.csv", "\xEF\xBB\xBF" "first name,note\n\"ann\",\"two\nlines\"\nbob,\n");
    RequestFileReader reader(folder.path(""));
    REQUIRE(take(reader, "\xEF\xBB\xBF# @data t.csv\n### a\nPOST /\n\n{{first name}}: {{note}}\n") == "");
    CHECK(reader.documents.at(0).request->body == "ann: two\nlines");
    folder.write("t.csv", "a\n\"1\n2\"\n3,4\n");
    CHECK(wrong("# @data " + folder.path("t.csv") + "\nGET /\n").ends_with("line 4 has 2 fields where the first line names 1"));
}

TEST_CASE("a condition may ask for what is not there")
{
    RequestFileReader reader("");
    REQUIRE(take(reader, "### a\n# @loop while {{a.response.body.$.next}} exists\nGET /\n### b\n"
                         "# @disabled {{a.response.headers.X}} == on\nGET /{{a.response.body.$.id}}\n") == "");
    const std::string script = reader.documents.at(0).request->script;
    CHECK(script.find("o0\3") != script.npos);
    CHECK(script.find("o1\3") != script.npos);
    CHECK(script.find("o2\3") == script.npos);
}

TEST_CASE("RFC 9110 7.2: what is no host, with or without a port")
{
    for (const char* right : {"a", "a.example:1", "10.0.0.1:65535", "[::1]", "[::1]:80"})
        CHECK(request_text::wrong_authority(right) == "");
    for (const char* no_host : {"", ":80", "[::1", "[::1:80"})
        CHECK(request_text::wrong_authority(no_host).ends_with("is no host"));
    for (const char* no_port : {"a:", "a:0", "a:65536", "a:x", "[::1]80"})
        CHECK(request_text::wrong_authority(no_port).ends_with("is no port: those are numbers from 1 to 65535"));
    CHECK(request_text::wrong_authority("me:secret@a").starts_with("a user and a password stand in a field"));
}

}  // namespace ANML_UNIT_FILE
