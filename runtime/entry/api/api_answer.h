// Answers of the API of a live run, as HTTP/1.1 has them. Each is the last of its connection.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace anml::rt::entry {

std::string api_answer(const nlohmann::ordered_json& json, bool without_body);

// A problem document (RFC 9457). `allow`: of 405, the methods that there are.
std::string api_problem(int status, std::string_view why, std::string_view allow, bool without_body);

// An answer of unknown length, in chunks.
std::string api_stream(std::string_view type);
std::string api_chunk(std::string_view bytes);  // "": none
inline constexpr std::string_view kLastApiChunk = "0\r\n\r\n";

}  // namespace anml::rt::entry
