#include "base/files/document_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/values/quantity.h"
#include "common/ascii.h"

namespace anml {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr double kLargestDocument = 1099511627776.0;  // 1 TB

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::optional<std::array<std::uint8_t, 32>> hash_of(std::string_view text)
{
    std::array<std::uint8_t, 32> hash{};
    if (text.size() != 2 * hash.size() || !std::all_of(text.begin(), text.end(), is_hex)) return std::nullopt;
    for (std::size_t i = 0; i < hash.size(); ++i)
        std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, hash[i], 16);
    return hash;
}

// Bytes, as digits or a size of the language; not a whole number of them, or too many: nothing.
std::optional<std::uint64_t> size_of(std::string_view text)
{
    const auto quantity = parse_quantity(text);
    if (!quantity || !(quantity->integer || quantity->dim == dimension::size)) return std::nullopt;
    const double bytes = quantity->value;
    if (!(bytes >= 0 && bytes <= kLargestDocument) || bytes != std::floor(bytes)) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

// "1234 /a": digits, a blank, more.
bool begins_with_size(std::string_view line)
{
    const std::size_t digits = line.find_first_not_of("0123456789");
    return digits != 0 && digits != line.npos && kBlanks.find(line[digits]) != kBlanks.npos &&
           line.find_first_not_of(kBlanks, digits) != line.npos && !parse_quantity(line.substr(0, line.find(',')));
}

}  // namespace

std::vector<std::string_view> fields_of(std::string_view line)
{
    std::vector<std::string_view> fields;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"') quoted = !quoted;
        if (i < line.size() && (quoted || line[i] != ',')) continue;
        fields.push_back(stripped(line.substr(begin, i - begin)));
        begin = i + 1;
    }
    return fields;
}

std::string unquoted_field(std::string_view field)
{
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
    std::string text;
    field = field.substr(1, field.size() - 2);
    for (std::size_t i = 0; i < field.size(); ++i) {
        text += field[i];
        if (field[i] == '"' && i + 1 < field.size() && field[i + 1] == '"') ++i;
    }
    return text;
}

std::string_view stripped(std::string_view text) { return trimmed(text, kBlanks); }

std::string url_path(std::string_view path)
{
    if (path.starts_with("./")) path.remove_prefix(1);
    std::string url = path.starts_with('/') ? "" : "/";
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto byte = static_cast<unsigned char>(path[i]);
        if (byte < 0x20 || byte == 0x7f) return "";
        const bool escape = byte == '%' && !(i + 2 < path.size() && is_hex(path[i + 1]) && is_hex(path[i + 2]));
        if (byte == ' ' || byte == '#' || byte > 0x7e || escape)
            url += fmt::format("%{:02X}", byte);
        else
            url += path[i];
    }
    return url;
}

LineError DocumentListReader::take(std::string_view line)
{
    ++line_;
    const std::string_view text = stripped(line);
    if (text.empty() || text.front() == '#') return {};
    if (form_ == Form::sizes || (form_ == Form::unknown && begins_with_size(text))) {
        form_ = Form::sizes;
        const std::size_t end = text.find_first_of(kBlanks);
        if (end == text.npos) return wrong_part(line, text, "this line has no path behind its size");
        return add(line, stripped(text.substr(end)), text.substr(0, end), "", "");
    }
    const std::vector<std::string_view> fields = fields_of(line);
    if (form_ == Form::table) return take_fields(line, fields);
    form_ = Form::table;
    const bool header = std::any_of(fields.begin(), fields.end(),
                                    [](std::string_view f) { return lower_case(unquoted_field(f)) == "path"; });
    // `url,size`: names without a size among them.
    const bool words = fields.size() > 1 && std::none_of(fields.begin(), fields.end(), [](std::string_view f) {
                           return f.find_first_of("/.0123456789") != f.npos;
                       });
    return header || words ? take_header(line, fields) : take_fields(line, fields);
}

LineError DocumentListReader::take_header(std::string_view line, const std::vector<std::string_view>& fields)
{
    place_.fill(std::string_view::npos);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string name = lower_case(unquoted_field(fields[i]));
        const std::size_t column = name == "path"     ? kPath
                                   : name == "size"   ? kSize
                                   : name == "weight" ? kWeight
                                   : name == "sha256" ? kHash
                                                      : kColumns;
        if (column == kColumns)
            return wrong_part(line, fields[i],
                              fmt::format("`{}` is none of `path`, `size`, `weight` and `sha256`", shown(fields[i])));
        if (place_[column] != std::string_view::npos)
            return wrong_part(line, fields[i], fmt::format("there is a column `{}` already", name));
        place_[column] = i;
    }
    if (place_[kPath] == std::string_view::npos) return wrong_part(line, line, "there is no column `path`");
    if (place_[kSize] == std::string_view::npos) return wrong_part(line, line, "there is no column `size`");
    return {};
}

LineError DocumentListReader::take_fields(std::string_view line, const std::vector<std::string_view>& fields)
{
    const auto field = [&](Column column) {
        return place_[column] < fields.size() ? fields[place_[column]] : std::string_view();
    };
    if (place_[kSize] >= fields.size() || place_[kPath] >= fields.size())
        return wrong_part(line, line, "a line has a path, a comma and a size");
    const std::size_t most = *std::max_element(place_.begin(), place_.end(), [](std::size_t a, std::size_t b) {
        return a + 1 < b + 1;  // npos is none
    });
    if (fields.size() > most + 1)
        return wrong_part(line, fields[most + 1], "there is no column for this: a path with a comma stands in quotes");
    const auto plain = [&](Column column) {
        const std::string_view text = field(column);
        const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
        return quoted ? text.substr(1, text.size() - 2) : text;
    };
    return add(line, field(kPath), plain(kSize), plain(kWeight), plain(kHash));
}

// `40 kB`: "40 KB"; "": it is no size otherwise either.
static std::string with_right_case(std::string_view size)
{
    std::string upper(size);
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return upper != size && size_of(upper) ? upper : "";
}

LineError DocumentListReader::add(std::string_view line, std::string_view path, std::string_view size,
                                  std::string_view weight, std::string_view hash)
{
    FileDocument document;
    document.path = form_ == Form::sizes ? url_path(path) : url_path(unquoted_field(path));
    if (path.empty() || document.path.empty())
        return wrong_part(line, path.empty() ? line : path, fmt::format("`{}` is not a path", shown(path)));
    const auto bytes = size_of(size);
    if (!bytes)
        return wrong_part(line, size.empty() ? line : size,
                          with_right_case(size).empty()
                              ? fmt::format("`{}` is not a size of up to 1 TB in whole bytes", shown(size))
                              : fmt::format("`{}` is not a size: write `{}`", shown(size), with_right_case(size)));
    document.size = *bytes;
    if (!weight.empty()) {
        const char* const end = weight.data() + weight.size();
        const auto [stop, code] = std::from_chars(weight.data(), end, document.weight);
        if (code != std::errc{} || stop != end || !(document.weight >= 0 && document.weight <= 1e15))
            return wrong_part(line, weight, fmt::format("`{}` is not a weight from 0 to 1e15", shown(weight)));
    }
    if (!hash.empty()) {
        document.sha256 = hash_of(hash);
        if (!document.sha256)
            return wrong_part(line, hash, fmt::format("`{}` is not a SHA-256 in 64 digits", shown(hash)));
    }
    const auto [known, fresh] = lines_.try_emplace(document.path, line_);
    if (!fresh)
        return wrong_part(line, path, fmt::format("`{}` stands in line {} already", shown(path), known->second));
    if (documents.size() == kMostListed)
        return wrong_part(line, line, fmt::format("there are more than {} documents", kMostListed));
    documents.push_back(std::move(document));
    return {};
}

std::string DocumentListReader::finish()
{
    if (documents.empty()) return "it lists no document";
    if (std::all_of(documents.begin(), documents.end(), [](const FileDocument& d) { return d.weight == 0; }))
        return "all weights are 0";
    return "";
}

}  // namespace anml
