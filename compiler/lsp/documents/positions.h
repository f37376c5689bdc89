// Places in a text as the protocol names them: a line from 0, and how many units of the agreed encoding stand before.
// Lines end with "\n", "\r\n" or "\r" (LSP 3.17, "Text Documents").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json_rpc.h"

namespace anml::lsp {

enum class Encoding : std::uint8_t { utf8, utf16, utf32 };
std::string_view encoding_name(Encoding encoding);

struct LinePosition {
    std::uint32_t line = 0, character = 0;
};
struct ByteRange {
    std::uint32_t begin = 0, end = 0;
};

// Keeps a view of the text.
class PositionMap {
  public:
    PositionMap(std::string_view text, Encoding encoding);

    // Behind the end of a line, its end; behind the last line, the end of the text. Never inside a code point.
    std::uint32_t offset(LinePosition position) const;
    LinePosition position(std::uint32_t offset) const;

    std::uint32_t offset(const json& position) const;  // throws RequestError where it is none
    ByteRange range(const json& range) const;
    json position_json(std::uint32_t offset) const;
    json range_json(std::uint32_t begin, std::uint32_t end) const;
    // Of the part of one line, in units.
    std::uint32_t length(std::uint32_t begin, std::uint32_t end) const;
    std::uint32_t line_of(std::uint32_t offset) const;
    std::uint32_t line_begin(std::uint32_t line) const { return lines_[line]; }

  private:
    std::uint32_t line_end(std::uint32_t line) const;  // without what ends it

    std::string_view text_;
    std::vector<std::uint32_t> lines_;
    Encoding encoding_;
    bool ascii_ = true;
};

// "file" URIs to paths and back (RFC 8089, RFC 3986); any other URI is its own path.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace anml::lsp
