// Messages of calls, beside what libprotobuf makes of the same JSON; where what is wrong stands; where pointers lead.
#include <fmt/format.h>
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>

#include <catch2/catch.hpp>
#include <map>

#include "base/files/grpc_body.h"
#include "base/files/proto_file.h"
#include "base/files/request_file.h"
#include "common/protobuf.h"

using namespace anml;

namespace {

namespace pb = google::protobuf;

constexpr std::string_view kProto = R"(syntax = "proto3"; package p;
import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/wrappers.proto";
import "parts/inner.proto";
enum Mood { CALM = 0; GLAD = 1; SAD = -1; }
message M {
  string s = 1; bytes y = 2; bool b = 3; double d = 4; float e = 5; int32 i = 6; int64 i64 = 7; uint32 u = 8; uint64 u64 = 9;
  sint32 z = 10; sint64 z64 = 11; fixed32 f = 12; fixed64 f64 = 13; sfixed32 g = 14; sfixed64 g64 = 15; Mood n = 16;
  parts.Inner in = 17; repeated int32 ri = 18; repeated string rs = 19; repeated parts.Inner rm = 20;
  map<string, int32> ms = 21; map<int64, parts.Inner> mm = 22; map<bool, string> mb = 23;
  oneof one { string a = 24; int32 c = 25; }
  google.protobuf.Timestamp at = 26; google.protobuf.Duration span = 27; google.protobuf.Int64Value w = 28;
  google.protobuf.StringValue ws = 29; optional int32 o = 30; M m = 31; repeated Mood rn = 32; string long_name = 33;
}
service S { rpc Call(M) returns (M); rpc Several(stream M) returns (M); })";
constexpr std::string_view kInner = R"(syntax = "proto3"; package parts; message Inner { string t = 1; repeated double w = 2; })";

struct Definitions {
    std::map<std::string, std::string, std::less<>> files{{"p.proto", std::string(kProto)},
                                                          {"parts/inner.proto", std::string(kInner)}};
    ProtoFiles protos{[this](const std::string& path, std::string& text) -> std::string {
        const auto found = files.find(path);
        if (found == files.end()) return "it is not there";
        text = found->second;
        return "";
    }};
    const pb::MethodDescriptor& method(std::string_view path = "/p.S/Call")
    {
        REQUIRE(protos.add("p.proto") == "");
        std::string problem;
        const auto* found = protos.method(path, problem);
        REQUIRE(found != nullptr);
        return *found;
    }
};

GrpcBody made(std::string_view text, const pb::MethodDescriptor& method)
{
    return grpc_body(text, method, [](std::string& piece) -> std::string {
        if (piece == "{{x}}") piece = "\1c\2";
        return piece == "{{no}}" ? "there is none" : "";
    });
}

std::string written(const GrpcBody& body, std::string_view value = "")
{
    std::string out, room;
    protobuf::add_written(
        body.written, room,
        [&](std::string_view text, std::string& to) {
            const std::size_t open = text.find('\1');
            to += text.substr(0, open);
            if (open == text.npos) return;
            to += value;
            to += text.substr(text.find('\2') + 1);
        },
        out);
    return out;
}

constexpr std::string_view kWhole = R"({ "s": "gr\u00fc\u00dfe \ud83d\ude00 \"x\"", "y": "AAEC/w==", "b": true, "d": -1.5e300, "e": 0.25, "i": -7,
  "i64": "-9223372036854775808", "u": 4294967295, "u64": "18446744073709551615", "z": -2147483648, "z64": -3, "f": 1, "f64": 2, "g": -1, "g64": -2,
  "n": "SAD", "in": { "t": "deep", "w": [1, 2.5] }, "ri": [0, 1, -1, 300], "rs": ["", "a"], "rm": [{}, { "t": "b" }],
  "ms": { "k": 1, "a/b": 2 }, "mm": { "-5": { "t": "v" } }, "mb": { "true": "yes" }, "c": 0, "at": "2026-01-31T12:00:00.5Z", "span": "-1.5s",
  "w": "5", "ws": "", "o": 0, "m": { "m": { "s": "x" } }, "rn": ["GLAD", 0], "longName": "l" })";

}  // namespace

TEST_CASE("a call's message is what libprotobuf makes of its JSON", "[grpc_body]")
{
    Definitions definitions;
    const pb::MethodDescriptor& method = definitions.method();
    pb::DynamicMessageFactory factory;
    for (const std::string_view json : {std::string_view("{}"), kWhole, std::string_view(R"({"i": 1e3, "d": 7, "s": null, "n": 1})")}) {
        const GrpcBody body = made(json, method);
        REQUIRE(body.problem == "");
        const std::string bytes = written(body);
        REQUIRE(bytes.size() >= 5);
        CHECK(bytes[0] == 0);
        CHECK(bytes.size() - 5 == 256u * static_cast<unsigned char>(bytes[3]) + static_cast<unsigned char>(bytes[4]));
        const std::unique_ptr<pb::Message> ours(factory.GetPrototype(method.input_type())->New()), theirs(ours->New());
        REQUIRE(ours->ParseFromString(bytes.substr(5)));
        REQUIRE(pb::util::JsonStringToMessage(std::string(json), theirs.get()).ok());
        CHECK(ours->DebugString() == theirs->DebugString());
    }
}

TEST_CASE("values of a run keep the lengths around them right", "[grpc_body]")
{
    Definitions definitions;
    const pb::MethodDescriptor& method = definitions.method();
    const GrpcBody body = made(R"({ "m": { "m": { "s": "<{{x}}>", "i": {{x}}, "ms": { "{{x}}": "{{x}}" } } }, "z": "{{x}}" })", method);
    REQUIRE(body.problem == "");
    CHECK(body.slots);
    pb::DynamicMessageFactory factory;
    const std::unique_ptr<pb::Message> ours(factory.GetPrototype(method.input_type())->New());
    for (const std::string& value : {std::string("7"), std::string("-12345"), std::string(20000, '1'), std::string("none"), std::string()}) {
        const std::string bytes = written(body, value);
        REQUIRE(ours->ParseFromString(bytes.substr(5)));
        std::string room;
        const auto find = [&](std::string_view pointer) {
            std::string problem;
            const std::string place = grpc_place(method, pointer, problem);
            CHECK(problem == "");
            return std::string(protobuf::find(std::string_view(bytes).substr(5), place, room).value_or("nothing"));
        };
        const bool number = value == "7" || value == "-12345";
        CHECK(find("/m/m/s") == "<" + value + ">");
        CHECK(find("/m/m/i") == (number ? value : "0"));
        CHECK(find("/z") == (number ? value : "0"));
        CHECK(find("/m/m/ms/" + value) == (number ? value : "0"));
    }
    CHECK(written(made("{}\n===\n{\"i\": 1}\n===\n", definitions.method("/p.S/Several"))) ==
          std::string("\0\0\0\0\0\0\0\0\0\2\x30\1\0\0\0\0\0", 17));
    CHECK(written(made("", method)) == std::string(5, '\0'));
}

TEST_CASE("what is wrong in a message is said where it stands", "[grpc_body]")
{
    Definitions definitions;
    const pb::MethodDescriptor& method = definitions.method();
    const auto wrong = [&](std::string_view text, std::string_view part, std::string_view said) {
        const GrpcBody body = made(text, method);
        INFO(text << ": " << body.problem);
        CHECK(body.problem.find(said) != std::string::npos);
        CHECK(body.end <= text.size() + 1);
        if (!part.empty()) CHECK(text.substr(body.begin, body.end - body.begin) == part);
    };
    wrong(R"({ "long_nam": 1 })", "\"long_nam\"", "did you mean `long_name`?");
    wrong(R"({ "i": "abc" })", "\"abc\"", "`i` is a value of the type int32, and `abc` is none");
    wrong(R"({ "i": 2147483648 })", "2147483648", "int32");
    wrong(R"({ "i": 1.5 })", "1.5", "int32");
    wrong(R"({ "u": -1 })", "-1", "uint32");
    wrong(R"({ "b": "true" })", "\"true\"", "without quotes");
    wrong(R"({ "s": 5 })", "5", "stands in quotes");
    wrong(R"({ "n": "GLAT" })", "\"GLAT\"", "did you mean `GLAD`?");
    wrong(R"({ "y": "?" })", "\"?\"", "base64");
    wrong(R"({ "y": "{{x}}" })", "", "no run makes");
    wrong(R"({ "ri": 1 })", "1", "`[` is missing");
    wrong(R"({ "in": [] })", "[", "`{` is missing");
    wrong(R"({ "a": "x", "c": 1 })", "\"c\"", "one field alone");
    wrong(R"({ "i": 1, "i": 2 })", "\"i\"", "twice");
    wrong(R"({ "at": "yesterday" })", "\"yesterday\"", "Timestamp");
    wrong(R"({ "s": "{{no}}" })", "{{no}}", "there is none");
    wrong("{ \"s\": \"a\n\" }", "", "does not end");
    wrong(R"({ "s": "\q" })", "\\q", "no character");
    wrong(R"({ "s": "\ud83d" })", "", "no character");
    wrong(R"({ "i": 1 } x)", "x", "has ended");
    wrong("{}\n===\n{}", "", "takes one message");
    for (const std::string_view text : {"{", "{\"", "{\"s", "{\"s\"", "{\"s\":", "{\"s\":\"", "{\"i\":1", "{\"i\":1,", "[", "{\"ri\":[1", "{\"s\":\"\\", "{\"s\":\"\\u12"})
        wrong(text, "", "");
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "{\"m\":";
    wrong(deep, "", "within each other");
}

TEST_CASE("pointers lead to fields, or say why not", "[grpc_body]")
{
    Definitions definitions;
    const pb::MethodDescriptor& method = definitions.method();
    const std::string message = written(made(kWhole, method)).substr(5);
    std::string problem, room;
    const auto find = [&](std::string_view pointer) {
        problem.clear();
        const std::string place = grpc_place(method, pointer, problem);
        return std::string(place.empty() ? "" : protobuf::find(message, place, room).value_or("nothing"));
    };
    for (const auto& [pointer, value] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"/b", "true"}, {"/d", "-1.5e+300"}, {"/e", "0.25"}, {"/i64", "-9223372036854775808"}, {"/u64", "18446744073709551615"},
             {"/z", "-2147483648"}, {"/z64", "-3"}, {"/g", "-1"}, {"/g64", "-2"}, {"/n", "SAD"}, {"/rn/0", "GLAD"}, {"/rn/1", "CALM"},
             {"/in/w/1", "2.5"}, {"/ri/3", "300"}, {"/ri/4", "nothing"}, {"/rm/1/t", "b"}, {"/rm/0/t", ""}, {"/ms/a~1b", "2"},
             {"/mm/-5/t", "v"}, {"/mb/true", "yes"}, {"/mb/false", "nothing"}, {"/a", "nothing"}, {"/c", "0"}, {"/o", "0"}, {"/w", "5"},
             {"/ws", ""}, {"/at/nanos", "500000000"}, {"/m/m/s", "x"}, {"/m/m/m/s", "nothing"}, {"/m/i", "0"}, {"/longName", "l"}}) {
        INFO(pointer);
        CHECK(find(pointer) == value);
        CHECK(problem == "");
    }
    // A number in an element of a list of messages, which are no packed numbers.
    CHECK(protobuf::find(std::string_view("\x0a\x02\x10\x01\x0a\x02\x10\x07", 8), "i?:1#1/2", room) == "7");
    for (const std::string_view pointer : {"", "/nothing", "/ri", "/ri/x", "/ms", "/s/t"}) {
        CHECK(find(pointer) == "");
        CHECK(problem != "");
    }
    // Packed, as servers write lists of numbers; groups and unknown fields are passed over.
    CHECK(protobuf::find(std::string_view("\x92\x01\x04\x00\xac\x02\x07", 7), "i?:18#1", room) == "300");
    CHECK(protobuf::find(std::string_view("\x0b\x08\x01\x0c\x30\x05", 6), "i?:6", room) == "5");
}

TEST_CASE("broken messages have no values, and are not read beyond their end", "[grpc_body]")
{
    std::string room;
    const std::string_view broken[] = {{"\x08", 1}, {"\x0a\x05" "ab", 4}, {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, {"\x00\x01", 2},
                                       {"\x0f", 1}, {"\x0c", 1}, {"\x0b", 1}, {"\x0d\1\2", 3}, {"\x09\1\2", 3}, {"\x0a\xff\xff\xff\xff\x0f", 6}};
    for (const std::string_view message : broken)
        for (const std::string_view place : {"s!:1", "i!:1", "i!:1#0", "s!:1/1", "M!:1", "s!:1@sk/2"})
            CHECK(protobuf::find(message, place, room) == std::nullopt);
}

TEST_CASE("definitions that cannot be read", "[grpc_body]")
{
    Definitions definitions;
    CHECK(definitions.protos.add("none.proto") == "it is not there");
    definitions.files["bad.proto"] = "syntax = \"proto3\";\nmessage M { string a = 1 }\n";
    CHECK(definitions.protos.add("bad.proto").starts_with("`bad.proto`, line 2: "));
    definitions.files["lost.proto"] = "syntax = \"proto3\"; import \"x.proto\";";
    CHECK(definitions.protos.add("lost.proto") != "");
    definitions.files["deep.proto"] = "syntax = \"proto3\"; message M {";
    for (int i = 0; i < 100000; ++i) definitions.files["deep.proto"] += "message M {";
    CHECK(definitions.protos.add("deep.proto") != "");
    std::string problem;
    CHECK(definitions.protos.method("/p.S/Call", problem) == nullptr);
    CHECK(problem.find("`proto < service.proto`") != std::string::npos);
    definitions.method();
    CHECK(definitions.protos.method("/p.S/Cal", problem) == nullptr);
    CHECK(problem == "no method of `p.S` is called `Cal`: did you mean `Call`?");
    CHECK(definitions.protos.method("/p.T/Call", problem) == nullptr);
    CHECK(definitions.protos.method("/Call", problem) == nullptr);
}
