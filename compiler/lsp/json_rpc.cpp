#include "lsp/json_rpc.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace anml::lsp {

namespace {

// The value of Content-Length; nothing where the header has none, or one that is no number.
std::optional<std::size_t> content_length(std::string_view header)
{
    std::optional<std::size_t> found;
    while (!header.empty()) {
        const std::size_t end = std::min(header.find("\r\n"), header.size());
        std::string_view line = header.substr(0, end);
        header.remove_prefix(std::min(end + 2, header.size()));
        constexpr std::string_view kName = "content-length";
        const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; };
        const std::size_t colon = line.find(':');
        if (colon == line.npos) return std::nullopt;
        if (!std::equal(line.begin(), line.begin() + std::ptrdiff_t(colon), kName.begin(), kName.end(), same)) continue;
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
        while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
        std::size_t number = 0;
        const auto [rest, wrong] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (wrong != std::errc() || rest != value.data() + value.size() || found) return std::nullopt;
        found = number;
    }
    return found;
}

// Before it is read: what is nested deeper would be written by recursion later.
bool too_deep(std::string_view text)
{
    int depth = 0;
    bool string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (string) {
            if (c == '\\') ++i;
            if (c == '"') string = false;
        } else if (c == '"') {
            string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepestMessage) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

// Where four hexadecimal digits stand, what they are worth; -1: they do not.
int four_digits(std::string_view text, std::size_t at)
{
    unsigned value = 0;
    if (at + 4 > text.size()) return -1;
    const auto [end, wrong] = std::from_chars(text.data() + at, text.data() + at + 4, value, 16);
    return wrong == std::errc() && end == text.data() + at + 4 ? static_cast<int>(value) : -1;
}

// Half a surrogate pair is a code unit of JavaScript's strings, and no character: U+FFFD takes its place, which has one
// UTF-16 unit too, so that positions stay.
std::string without_lone_surrogates(std::string_view body)
{
    std::string out(body);
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
        if (out[i] != '\\') continue;
        const int unit = out[i + 1] == 'u' ? four_digits(out, i + 2) : -1;
        if (unit < 0) {
            ++i;  // what is escaped is no beginning of an escape
            continue;
        }
        const bool high = unit >= 0xD800 && unit < 0xDC00, low = unit >= 0xDC00 && unit < 0xE000;
        const int next = high && out.compare(i + 6, 2, "\\u") == 0 ? four_digits(out, i + 8) : -1;
        if (high && next >= 0xDC00 && next < 0xE000)
            i += 6;
        else if (high || low)
            out.replace(i + 2, 4, "fffd");
        i += 5;
    }
    return out;
}

}  // namespace

const json& field(const json& of, const char* name)
{
    if (!of.is_object() || !of.contains(name))
        throw RequestError{error_code::invalid_params,
                           fmt::format("the parameters have no `{}` where it is needed", name)};
    return of.at(name);
}

const std::string& text_field(const json& of, const char* name)
{
    const json& value = field(of, name);
    if (!value.is_string()) throw RequestError{error_code::invalid_params, fmt::format("`{}` is no string", name)};
    return value.get_ref<const std::string&>();
}

double number_field(const json& of, const char* name)
{
    const json& value = field(of, name);
    if (!value.is_number()) throw RequestError{error_code::invalid_params, fmt::format("`{}` is no number", name)};
    return value.get<double>();
}

std::optional<MessageReader::Result> MessageReader::next()
{
    if (skip_ > 0) {
        const std::size_t now = std::min(skip_, bytes_.size() - begin_);
        begin_ += now, skip_ -= now;
    }
    if (begin_ > 0 && (begin_ == bytes_.size() || begin_ > (std::size_t{1} << 16))) bytes_.erase(0, begin_), begin_ = 0;
    if (lost_ || skip_ > 0) return std::nullopt;

    const std::string_view rest = std::string_view(bytes_).substr(begin_);
    const std::size_t end = rest.substr(0, kLargestHeader).find("\r\n\r\n");
    if (end == rest.npos) {
        lost_ = rest.size() >= kLargestHeader;
        return std::nullopt;
    }
    const auto length = content_length(rest.substr(0, end));
    if (!length) {
        begin_ += end + 4;
        return Result{{}, "the header has no Content-Length, or not one"};
    }
    if (*length > kLargestMessage) {
        begin_ += end + 4;
        skip_ = *length;
        return Result{{}, fmt::format("the message is larger than {} MiB", kLargestMessage >> 20)};
    }
    if (rest.size() - (end + 4) < *length) return std::nullopt;
    const std::string_view body = rest.substr(end + 4, *length);
    begin_ += end + 4 + *length;
    if (too_deep(body)) return Result{{}, fmt::format("the message is nested deeper than {}", kDeepestMessage)};
    json message = json::parse(body, nullptr, false);
    if (message.is_discarded()) message = json::parse(without_lone_surrogates(body), nullptr, false);
    if (message.is_discarded()) return Result{{}, "the message is no JSON"};
    return Result{std::move(message), ""};
}

std::string text_of(const json& message) { return message.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string framed(std::string_view text) { return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text); }

}  // namespace anml::lsp
