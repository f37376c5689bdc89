// Any bytes as a list of documents, as requests, as times, and as an access log: the readers end with tables in which everything is in its place, or with an error inside
// the line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/files/access_log.h"
#include "base/files/arrival_times.h"
#include "base/files/document_list.h"
#include "base/files/grpc_body.h"
#include "base/files/proto_file.h"
#include "base/files/request_file.h"
#include "common/protobuf.h"

using namespace anml;

namespace {

void check(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// True: all was read. Lines that are wrong are left out.
template <class Reader>
bool read_all(Reader& reader, std::string_view text)
{
    const char* const begin = text.data();
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const LineError error = reader.take(line);
        // What is wrong with a request as a whole lies before the line that ends it.
        const auto at = static_cast<std::size_t>(line.data() - begin);
        if (!error.message.empty())
            check(at + error.begin <= at + error.end && at + error.end <= at + line.size(), "an error behind its line");
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return reader.finish().empty();
}

void check_arrivals(const std::vector<FileArrival>& arrivals, std::uint32_t clients, std::size_t documents)
{
    constexpr std::uint64_t kLongest = 3'600'000'000'000'000 + 1'000'000'000;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        check(i == 0 || arrivals[i - 1].at <= arrivals[i].at, "times that do not ascend");
        check(arrivals[i].at <= kLongest, "a time too late");
        check(clients == 0 || arrivals[i].client < clients || documents == 0, "a client that is not counted");
        check(documents == 0 || arrivals[i].document < documents, "a document that there is not");
    }
}

void check_documents(const std::vector<FileDocument>& documents)
{
    for (const FileDocument& d : documents) {
        check(d.path.starts_with('/'), "a path without its slash");
        check(std::all_of(d.path.begin(), d.path.end(), [](char c) { return c > ' ' && c <= '~'; }), "a path of odd bytes");
        check(d.size <= std::uint64_t{1} << 40, "a document too large");
        check(d.weight >= 0, "a weight below 0");
    }
}

// As messages of a call, with slots, and as definitions.
void check_calls(std::string_view text)
{
    constexpr std::string_view kProto =
        "syntax = \"proto3\"; message M { string s = 1; repeated M m = 2; map<int32, M> k = 3; bytes y = 4; double d = 5; "
        "oneof o { bool b = 6; uint64 u = 7; } } service S { rpc C(stream M) returns (M); }";
    std::string foreign(text), problem, out, room;
    ProtoFiles protos([&](const std::string& path, std::string& into) -> std::string {
        into = path == "a" ? std::string(kProto) : foreign;
        return "";
    });
    protos.add("b");
    check(protos.add("a").empty(), "a definition is refused");
    const auto* const method = protos.method("/S/C", problem);
    check(method != nullptr, "a method is not there");
    const GrpcBody body = grpc_body(text, *method, [](std::string& piece) -> std::string {
        if (piece.size() > 4) piece = "\1c\2";
        return "";
    });
    check(body.begin <= body.end && body.begin <= text.size(), "an error outside the messages");
    if (!body.problem.empty()) return;
    protobuf::add_written(body.written, room, [](std::string_view, std::string& to) { to += "7"; }, out);
    std::string_view left = out;
    while (!left.empty()) {
        check(left.size() >= 5, "half a prefix");
        std::size_t length = 0;
        for (std::size_t i = 1; i < 5; ++i) length = length << 8 | static_cast<std::uint8_t>(left[i]);
        check(left.size() >= 5 + length, "half a message");
        left.remove_prefix(5 + length);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    DocumentListReader list;
    read_all(list, text);
    check_documents(list.documents);
    RequestFileReader requests("/nonexistent/");
    read_all(requests, text);
    check_documents(requests.documents);
    check_calls(text);
    ArrivalTimesReader times;
    if (read_all(times, text)) check_arrivals(times.arrivals, times.clients, 0);
    AccessLogReader log;
    if (read_all(log, text)) check_arrivals(log.arrivals, log.clients, log.documents.size());
    check_documents(log.documents);
    return 0;
}
