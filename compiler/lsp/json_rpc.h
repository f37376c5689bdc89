// JSON-RPC 2.0 messages behind headers of the Language Server Protocol's base protocol: bytes to messages and back.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace anml::lsp {

using json = nlohmann::json;

// Codes of JSON-RPC 2.0, 5.1, and of LSP 3.17.
namespace error_code {
inline constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601, invalid_params = -32602,
                     internal_error = -32603, not_initialized = -32002, request_failed = -32803,
                     request_cancelled = -32800, content_modified = -32801;
}

// What a request is answered with that cannot be served.
struct RequestError {
    int code;
    std::string message;
};

// A field of what a client sent. Throws RequestError, which names the field, where it is missing or no such value.
const json& field(const json& of, const char* name);
const std::string& text_field(const json& of, const char* name);
double number_field(const json& of, const char* name);

inline constexpr std::size_t kLargestMessage = std::size_t{64} << 20;  // bytes of a body
inline constexpr std::size_t kLargestHeader = std::size_t{4} << 10;    // bytes, all fields together
inline constexpr int kDeepestMessage = 200;                            // arrays and objects in each other

// Cuts a stream of bytes into messages.
class MessageReader {
  public:
    void add(std::string_view bytes) { bytes_ += bytes; }
    // A message, or why there is none: a header without a length is skipped, and so is a body that is too large.
    struct Result {
        json message;
        std::string problem;  // "": none
    };
    std::optional<Result> next();  // nothing: bytes are missing
    // So much of a header, and no end of it: where the next message begins nobody can say.
    bool lost() const { return lost_; }

  private:
    std::string bytes_;
    std::size_t begin_ = 0;  // of what was not taken yet
    std::size_t skip_ = 0;   // bytes of a body that is too large
    bool lost_ = false;
};

std::string text_of(const json& message);
// The message's text with its header.
std::string framed(std::string_view text);

}  // namespace anml::lsp
