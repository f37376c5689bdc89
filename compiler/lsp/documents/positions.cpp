#include "lsp/documents/positions.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml::lsp {

namespace {

// Bytes of the code point that begins there; bytes that are no UTF-8 are one each.
std::uint32_t bytes_at(std::string_view text, std::size_t at)
{
    const auto first = static_cast<unsigned char>(text[at]);
    const std::uint32_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (std::uint32_t i = 1; i < length; ++i)
        if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 1;
    return length;
}

std::uint32_t units(std::uint32_t bytes, Encoding encoding)
{
    if (encoding == Encoding::utf8) return bytes;
    return encoding == Encoding::utf16 && bytes == 4 ? 2 : 1;
}

}  // namespace

std::string_view encoding_name(Encoding encoding)
{
    return encoding == Encoding::utf8 ? "utf-8" : encoding == Encoding::utf16 ? "utf-16" : "utf-32";
}

PositionMap::PositionMap(std::string_view text, Encoding encoding) : text_(text), lines_{0}, encoding_(encoding)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
            lines_.push_back(std::uint32_t(i + 1));
        if (static_cast<unsigned char>(text[i]) >= 0x80) ascii_ = false;
    }
}

std::uint32_t PositionMap::line_end(std::uint32_t line) const
{
    if (line + 1 == lines_.size()) return std::uint32_t(text_.size());
    const std::uint32_t end = lines_[line + 1] - 1;
    return end > lines_[line] && text_[end] == '\n' && text_[end - 1] == '\r' ? end - 1 : end;
}

std::uint32_t PositionMap::offset(LinePosition position) const
{
    if (position.line >= lines_.size()) return std::uint32_t(text_.size());
    std::uint32_t at = lines_[position.line];
    const std::uint32_t end = line_end(position.line);
    if (ascii_) return position.character < end - at ? at + position.character : end;
    for (std::uint32_t left = position.character; left > 0 && at < end;) {
        const std::uint32_t bytes = bytes_at(text_, at), width = units(bytes, encoding_);
        if (width > left) break;
        left -= width, at += bytes;
    }
    return at;
}

std::uint32_t PositionMap::line_of(std::uint32_t offset) const
{
    return std::uint32_t(std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin()) - 1;
}

std::uint32_t PositionMap::length(std::uint32_t begin, std::uint32_t end) const
{
    if (ascii_ || encoding_ == Encoding::utf8) return end - begin;
    std::uint32_t count = 0;
    for (std::uint32_t at = begin; at < end;) {
        const std::uint32_t bytes = bytes_at(text_, at);
        if (at + bytes > end) break;
        count += units(bytes, encoding_), at += bytes;
    }
    return count;
}

LinePosition PositionMap::position(std::uint32_t offset) const
{
    offset = std::min(offset, std::uint32_t(text_.size()));
    const std::uint32_t line = line_of(offset), begin = lines_[line];
    return {line, length(begin, std::min(offset, line_end(line)))};
}

std::uint32_t PositionMap::offset(const json& position) const
{
    const auto number = [&](const char* name) {
        const auto value = number_field(position, name);
        return value >= 4294967295.0 ? 0xffffffffu : value <= 0 ? 0u : static_cast<std::uint32_t>(value);
    };
    return offset(LinePosition{number("line"), number("character")});
}

ByteRange PositionMap::range(const json& range) const
{
    const std::uint32_t a = offset(field(range, "start")), b = offset(field(range, "end"));
    return {std::min(a, b), std::max(a, b)};
}

json PositionMap::position_json(std::uint32_t offset) const
{
    const LinePosition at = position(offset);
    return {{"line", at.line}, {"character", at.character}};
}

json PositionMap::range_json(std::uint32_t begin, std::uint32_t end) const
{
    return {{"start", position_json(begin)}, {"end", position_json(end)}};
}

std::string path_of_uri(std::string_view uri)
{
    constexpr std::string_view kScheme = "file://";
    if (!uri.starts_with(kScheme)) return std::string(uri);
    std::string_view rest = uri.substr(kScheme.size());
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));  // a host, which is this one
    rest = rest.substr(0, rest.find_first_of("?#"));
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    std::string path;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const bool coded = rest[i] == '%' && i + 2 < rest.size() && digit(rest[i + 1]) >= 0 && digit(rest[i + 2]) >= 0;
        path += coded ? static_cast<char>(digit(rest[i + 1]) * 16 + digit(rest[i + 2])) : rest[i];
        if (coded) i += 2;
    }
    return path;
}

std::string uri_of_path(std::string_view path)
{
    if (!path.starts_with('/')) return std::string(path);
    std::string uri = "file://";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/+,=@!$&'()*;").find(c) != std::string_view::npos;
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

}  // namespace anml::lsp
