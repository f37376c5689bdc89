#include "app/http/json_pointer.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "common/utf8.h"

namespace anml::rt::app::http {

namespace {

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    char next()  // behind blanks; 0: the text ends
    {
        while (at_ < text_.size() && blank(text_[at_])) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c)
    {
        if (next() != c) return false;
        ++at_;
        return true;
    }
    // With its quotes.
    std::optional<std::string_view> string()
    {
        if (next() != '"') return std::nullopt;
        return take_bytes(string_length(text_.substr(at_)));
    }
    // A value of any kind, as it is written.
    std::optional<std::string_view> value()
    {
        const char first = next();
        if (first == '"') return string();
        const std::string_view text = text_.substr(at_);
        if (first == '{' || first == '[') return take_bytes(nested_length(text));
        const auto ends = [](char c) { return c == ',' || c == ']' || c == '}' || blank(c); };
        return take_bytes(static_cast<std::size_t>(std::ranges::find_if(text, ends) - text.begin()));
    }

  private:
    static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    // Of the string that the text begins with, and of the object or array; 0: it does not end.
    static std::size_t string_length(std::string_view text)
    {
        for (std::size_t end = text.find('"', 1); end != text.npos; end = text.find('"', end + 1)) {
            std::size_t slashes = 0;
            while (text[end - 1 - slashes] == '\\') ++slashes;
            if (slashes % 2 == 0) return end + 1;
        }
        return 0;
    }
    static std::size_t nested_length(std::string_view text)
    {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '"') {
                const std::size_t length = string_length(text.substr(i));
                if (length == 0) return 0;
                i += length - 1;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if ((c == '}' || c == ']') && --depth == 0) {
                return i + 1;
            }
        }
        return 0;
    }
    std::optional<std::string_view> take_bytes(std::size_t count)
    {
        if (count == 0) return std::nullopt;
        return text_.substr(std::exchange(at_, at_ + count), count);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::optional<std::uint32_t> four_digits(std::string_view text)
{
    std::uint32_t code = 0;
    if (text.size() < 4) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + 4, code, 16);
    return error == std::errc() && end == text.data() + 4 ? std::optional(code) : std::nullopt;
}

// Of a string in its quotes. A half of a surrogate pair alone is U+FFFD.
std::string_view unescaped(std::string_view quoted, std::string& text)
{
    quoted = quoted.substr(1, quoted.size() - 2);
    if (quoted.find('\\') == quoted.npos) return quoted;
    text.clear();
    while (!quoted.empty()) {
        const std::size_t plain = std::min(quoted.find('\\'), quoted.size());
        text += quoted.substr(0, plain);
        quoted.remove_prefix(plain);
        if (quoted.size() < 2) break;
        const char c = quoted[1];
        quoted.remove_prefix(2);
        constexpr std::string_view kLetters = "bfnrt", kMeant = "\b\f\n\r\t";
        if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
            text += kMeant[letter];
        } else if (c != 'u') {
            text += c;
        } else if (auto code = four_digits(quoted)) {
            quoted.remove_prefix(4);
            if (*code >= 0xd800 && *code < 0xdc00 && quoted.starts_with("\\u")) {
                const auto low = four_digits(quoted.substr(2));
                if (low && *low >= 0xdc00 && *low < 0xe000) {
                    code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
                    quoted.remove_prefix(6);
                }
            }
            add_utf8(text, *code >= 0xd800 && *code < 0xe000 ? 0xfffd : *code);
        }
    }
    return text;
}

// Of a pointer, the first name as it is written there, which it takes off.
std::string_view first_name(std::string_view& pointer)
{
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view name = pointer.substr(1, end - 1);
    pointer.remove_prefix(end);
    return name;
}

bool is_meant(std::string_view key, std::string_view written)  // RFC 6901, 4
{
    for (; !written.empty() && !key.empty(); key.remove_prefix(1)) {
        const bool escape = written.front() == '~' && written.size() > 1;
        if (key.front() != (!escape ? written.front() : written[1] == '0' ? '~' : '/')) return false;
        written.remove_prefix(escape ? 2 : 1);
    }
    return written.empty() && key.empty();
}

// Moves to the value of that name; false: there is none.
bool enter(Reader& reader, std::string_view name, std::string& room)
{
    if (reader.take('{')) {
        while (true) {
            const auto key = reader.string();
            if (!key || !reader.take(':')) return false;
            if (is_meant(unescaped(*key, room), name)) return true;
            if (!reader.value() || !reader.take(',')) return false;
        }
    }
    if (!reader.take('[')) return false;
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error != std::errc() || end != name.data() + name.size()) return false;
    for (; index > 0; --index)
        if (!reader.value() || !reader.take(',')) return false;
    return reader.next() != ']';
}

}  // namespace

std::optional<std::string_view> json_value(std::string_view text, std::string_view pointer, std::string& room)
{
    Reader reader(text);
    while (!pointer.empty())
        if (!enter(reader, first_name(pointer), room)) return std::nullopt;
    const auto value = reader.value();
    if (!value) return std::nullopt;
    return value->front() == '"' ? unescaped(*value, room) : *value;
}

}  // namespace anml::rt::app::http
