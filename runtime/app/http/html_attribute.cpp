#include "app/http/html_attribute.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "app/http/http_words.h"
#include "common/ascii.h"
#include "common/utf8.h"

namespace anml::rt::app::http {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

// What stands before one of `marks`, which it takes off.
std::string_view before(std::string_view& text, std::string_view marks)
{
    const std::string_view found = text.substr(0, std::min(text.find_first_of(marks), text.size()));
    text.remove_prefix(found.size());
    return found;
}

void skip(std::string_view& text, std::string_view what)
{
    text.remove_prefix(std::min(text.find_first_not_of(what), text.size()));
}

// Up to behind `mark`, or to the end.
void skip_past(std::string_view& text, std::string_view mark)
{
    const std::size_t at = text.find(mark);
    text.remove_prefix(at == text.npos ? text.size() : at + mark.size());
}

// WHATWG HTML, 13.2.5.80, as far as it goes: "&amp;", "&#39;", "&#x27;". False: it is none, a lone "&".
bool take_reference(std::string_view& text, std::string& out)
{
    const std::size_t end = text.substr(0, 12).find(';');
    if (end == text.npos) return false;
    std::string_view name = text.substr(1, end - 1);
    constexpr std::string_view kNames[] = {"amp", "lt", "gt", "quot", "apos"};
    if (const auto known = std::ranges::find(kNames, name); known != std::end(kNames)) {
        out += "&<>\"'"[known - std::begin(kNames)];
    } else {
        if (!name.starts_with('#')) return false;
        name.remove_prefix(1);
        const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
        name.remove_prefix(hexadecimal);
        std::uint32_t code = 0;
        const auto [last, error] = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
        if (error != std::errc() || last != name.data() + name.size()) return false;
        add_utf8(out, code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
    }
    text.remove_prefix(end + 1);
    return true;
}

std::string_view resolved(std::string_view text, std::string& room)
{
    if (text.find('&') == text.npos) return text;
    room.clear();
    while (!text.empty()) {
        room += before(text, "&");
        if (text.empty() || take_reference(text, room)) continue;
        room += '&';
        text.remove_prefix(1);
    }
    return room;
}

struct Attribute {
    std::string_view name, value;
};

// The next one in a tag; nothing: the tag ends.
std::optional<Attribute> next_attribute(std::string_view& text)
{
    skip(text, " \t\r\n\f/");
    if (text.empty() || text.front() == '>') return std::nullopt;
    Attribute found{text.substr(0, 1), ""};
    text.remove_prefix(1);  // an "=" there belongs to the name
    const std::string_view rest = before(text, " \t\r\n\f/>=");
    found.name = {found.name.data(), rest.size() + 1};
    skip(text, kBlanks);
    if (!text.starts_with('=')) return found;
    text.remove_prefix(1);
    skip(text, kBlanks);
    if (text.starts_with('"') || text.starts_with('\'')) {
        const std::string_view quote = text.substr(0, 1);
        text.remove_prefix(1);
        found.value = before(text, quote);
        text.remove_prefix(std::min<std::size_t>(1, text.size()));
    } else {
        found.value = before(text, " \t\r\n\f>");
    }
    return found;
}

}  // namespace

std::optional<std::string_view> html_value(std::string_view text, const HtmlAttribute& of, std::string& room)
{
    while (true) {
        skip_past(text, "<");
        if (text.empty()) return std::nullopt;
        if (text.starts_with("!--")) {
            skip_past(text, "-->");
            continue;
        }
        const char first = to_lower(text.front());
        if (first < 'a' || first > 'z') continue;
        const std::string_view name = before(text, " \t\r\n\f/>");
        const bool meant = of.element == "*" || same_in_any_case(name, of.element);
        bool fits = false;
        std::optional<std::string_view> wanted;
        while (const auto attribute = next_attribute(text)) {
            if (!meant) continue;
            fits |= same_in_any_case(attribute->name, of.attribute) && resolved(attribute->value, room) == of.value;
            if (!wanted && same_in_any_case(attribute->name, of.wanted)) wanted = attribute->value;
        }
        if (fits && wanted) return resolved(*wanted, room);
        for (const std::string_view raw : {"script", "style"}) {
            if (!same_in_any_case(name, raw)) continue;
            do
                skip_past(text, "</");
            while (!text.empty() && !same_in_any_case(text.substr(0, raw.size()), raw));
        }
    }
}

}  // namespace anml::rt::app::http
