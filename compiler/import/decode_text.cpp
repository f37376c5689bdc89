// Character sets of foreign files.
#include <array>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"

namespace anml {

namespace {

// Windows-1252, 80 to 9F; 0: undefined.
constexpr std::array<std::uint16_t, 32> kWindows1252{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                     0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                     0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                     0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

// The characters A0 to FF by their names in HTML.
constexpr std::array<std::string_view, 96> kLatin1Names{
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",   "ordf",
    "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",   "sup3",   "acute",  "micro",
    "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave",
    "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",
    "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",
    "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",  "szlig",  "agrave", "aacute",
    "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil", "egrave", "eacute", "ecirc",  "euml",   "igrave",
    "iacute", "icirc",  "iuml",   "eth",    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide",
    "oslash", "ugrave", "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

bool is_utf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        if (first < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = first >= 0xF0 && first <= 0xF4  ? 4
                                   : first >= 0xE0 && first < 0xF0 ? 3
                                   : first >= 0xC2 && first < 0xE0 ? 2
                                                                   : 0;
        if (length == 0 || i + length > text.size()) return false;
        std::uint32_t code = first & (0x7Fu >> length);
        for (std::size_t k = 1; k < length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            if ((byte & 0xC0) != 0x80) return false;
            code = code << 6 | (byte & 0x3F);
        }
        if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || code > 0x10FFFF ||
            (code >= 0xD800 && code < 0xE000))
            return false;
        i += length;
    }
    return true;
}

std::string from_windows_1252(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size() + bytes.size() / 8);
    for (char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const bool special = byte >= 0x80 && byte < 0xA0 && kWindows1252[byte - 0x80];
        append_utf8(out, special ? kWindows1252[byte - 0x80] : byte);
    }
    return out;
}

std::string from_utf16(std::string_view bytes, bool big_endian)
{
    std::string out;
    const auto unit = [&](std::size_t i) -> std::uint32_t {
        const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
        return big_endian ? a << 8u | b : b << 8u | a;
    };
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size() && (unit(i + 2) & 0xFC00) == 0xDC00) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        }
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    }
    return out;
}

// Whether an XML declaration names Latin-1 or a set that extends it.
bool declares_latin1(std::string_view bytes)
{
    const std::string set = lower_case(declared_encoding(bytes));
    for (std::string_view known : {"iso-8859-15", "latin", "windows-1252", "cp1252"})
        if (set.find(known) != std::string::npos) return true;
    return set == "iso-8859-1";
}

std::uint32_t entity(std::string_view name)
{
    if (name.starts_with('#')) {
        const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
        std::uint32_t code = 0;
        const std::string_view digits = name.substr(hex ? 2 : 1);
        if (digits.empty() || digits.size() > 7) return 0;
        for (char c : digits) {
            const int digit = c >= '0' && c <= '9'          ? c - '0'
                              : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                            : -1;
            if (digit < 0) return 0;
            code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit);
        }
        if (code >= 0x80 && code < 0xA0) return kWindows1252[code - 0x80];  // as browsers read them
        return code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : code;
    }
    constexpr std::pair<std::string_view, std::uint32_t> kMarkup[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"ndash", 0x2013}, {"mdash", 0x2014}};
    for (const auto& [known, code] : kMarkup)
        if (name == known) return code;
    for (std::size_t i = 0; i < kLatin1Names.size(); ++i)
        if (kLatin1Names[i] == name) return static_cast<std::uint32_t>(0xA0 + i);
    return 0;
}

}  // namespace

void append_utf8(std::string& out, std::uint32_t code)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

std::string declared_encoding(std::string_view bytes)
{
    if (!bytes.starts_with("<?xml")) return "";
    std::string_view rest = bytes.substr(0, std::min<std::size_t>(bytes.find("?>"), 200));
    constexpr std::string_view kBefore = " \t\r\n=";  // the quote
    const std::size_t name = rest.find("encoding");
    if (name == std::string_view::npos) return "";
    rest = rest.substr(name + std::string_view("encoding").size());
    rest = rest.substr(std::min(rest.find_first_not_of(kBefore), rest.size()));
    if (rest.empty()) return "";
    const std::string_view set = rest.substr(1, rest.find(rest.front(), 1) - 1);
    const bool plain = set.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") ==
                       std::string_view::npos;
    return plain && set.size() <= 40 ? std::string(set) : "";
}

std::string decode_text(std::string bytes, bool& assumed)
{
    assumed = false;
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    if (bytes.starts_with("\xFF\xFE")) return from_utf16(std::string_view(bytes).substr(2), false);
    if (bytes.starts_with("\xFE\xFF")) return from_utf16(std::string_view(bytes).substr(2), true);
    if (declares_latin1(bytes)) return from_windows_1252(bytes);
    if (is_utf8(bytes)) return bytes;
    assumed = true;
    return from_windows_1252(bytes);
}

std::string decode_entities(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '&') {
            const std::size_t end = text.find(';', i);
            const std::uint32_t code =
                end != std::string_view::npos && end - i <= 10 ? entity(text.substr(i + 1, end - i - 1)) : 0;
            if (code) {
                append_utf8(out, code);
                i = end + 1;
                continue;
            }
        }
        out += text[i++];
    }
    return out;
}

}  // namespace anml
