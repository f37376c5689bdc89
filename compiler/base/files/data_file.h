// Files that a model's documents and loads come from, read line by line: lists of documents (document_list.h), requests
// (request_file.h), times (arrival_times.h), and access logs of web servers (access_log.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi/image.h"

namespace anml {

// A request that is written out (request_file.h).
struct FileRequest {
    std::string name;
    std::string origin;     // that its URL names, "https://shop.example:8443", in lower case; "": a path
    std::size_t at = 0, end = 0;  // of that in the file: its bytes [at, end)
    std::string authority;  // of its field Host; "": the workload's
    std::string fields;     // other ones of its head, between them '\n'
    std::string body;
    bool grpc = false;   // a call of gRPC: the body is its messages
    std::string script;  // what a run makes of it (runtime/abi/request_script.h); "": it is always the same
    std::string rows;    // of the table that it takes values from; "": none
    std::string group;    // by whose name it is counted, too; "": by none
    std::optional<std::pair<std::uint64_t, std::uint64_t>> think;  // ns, from .. to: passes behind its response
    bool hashes = false;  // the run makes hashes for it
};

struct FileDocument {
    std::string path;  // of its URL
    std::uint64_t size = 0;
    double weight = 1;          // how often it is asked for, beside the others'
    std::uint32_t status = 200;  // of the response to it
    abi::Method method{};
    std::optional<std::array<std::uint8_t, 32>> sha256;
    std::optional<FileRequest> request;
};

struct FileArrival {
    std::uint64_t at = 0;               // ns from the first moment of the file
    std::uint32_t client = 0;
    std::uint32_t document = abi::kNone;  // of a log: in `documents`; of times: from 0, through all of the workload
};

// What was read.
struct DataFile {
    std::string name, path;  // as the model names it, and where it was found
    std::vector<std::string> included;  // files that it names, by path
    std::vector<FileDocument> documents;
    std::vector<FileArrival> arrivals;  // by time
    std::uint32_t clients = 0;
    std::uint64_t skipped = 0;  // lines that could not be read
};

// What is wrong with a line: its bytes [begin, end), from 0.
struct LineError {
    std::string message;  // "": nothing
    std::size_t begin = 0, end = 0;
};

// As much of a text as a message shows; what is not printable is a dot.
std::string shown(std::string_view text);
LineError wrong_part(std::string_view line, std::string_view part, std::string message);  // a part of it

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

// Gives each line, without its end, and where it begins in the file, until `take` returns false. "", or why the file
// cannot be read.
std::string read_lines(const std::string& path, std::size_t most,
                       const std::function<bool(std::string_view line, std::size_t begin)>& take);

// By time; those of one time stay in their order.
void sort_by_time(std::vector<FileArrival>& arrivals);

// A decimal number of seconds, in ns: all digits count. nullopt: it is none, is negative, finer than that, or longer
// than 1000 h.
std::optional<std::uint64_t> nanoseconds(std::string_view text);

}  // namespace anml
