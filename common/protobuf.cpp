#include "common/protobuf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace anml::protobuf {

namespace {

template <class Number>
std::optional<Number> number(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

// Whole numbers may be written as 1e3 or 2.0, as JSON's may.
template <class Whole>
std::optional<Whole> whole(std::string_view text)
{
    if (const auto value = number<Whole>(text)) return value;
    const auto value = number<double>(text);
    constexpr double kMost = static_cast<double>(std::uint64_t{1} << 53);
    if (!value || *value != std::floor(*value) || std::abs(*value) > kMost) return std::nullopt;
    if (*value < static_cast<double>(std::numeric_limits<Whole>::min()) ||
        *value > static_cast<double>(std::numeric_limits<Whole>::max()))
        return std::nullopt;
    return static_cast<Whole>(*value);
}

void add_fixed(std::uint64_t value, unsigned bytes, std::string& out)
{
    for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::uint64_t zigzag(std::int64_t value)
{
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

template <class Whole, class Add>
bool add_whole(std::string_view text, Add&& add)
{
    const auto value = whole<Whole>(text);
    if (value) add(*value);
    return value.has_value();
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 10 && i < bytes.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(bytes[i]);
        if (i == 9 && byte > 1) return std::nullopt;
        value |= std::uint64_t{byte & 0x7fu} << (7 * i);
        if (byte < 0x80) {
            bytes.remove_prefix(i + 1);
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> take_fixed(std::string_view& bytes, unsigned count)
{
    if (bytes.size() < count) return std::nullopt;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
    bytes.remove_prefix(count);
    return value;
}

struct Field {
    std::uint32_t number = 0;
    Wire wire{};
    std::uint64_t value = 0;   // unless it is delimited
    std::string_view bytes{};  // of one that is
};

std::optional<std::uint64_t> take_number(std::string_view& bytes, Wire wire)
{
    return wire == Wire::varint ? take_varint(bytes) : take_fixed(bytes, wire == Wire::fixed64 ? 8 : 4);
}

// The next field, groups with all that is in them. Null: there is none, or it is broken.
std::optional<Field> take_field(std::string_view& message)
{
    std::size_t groups = 0;
    while (!message.empty()) {
        const auto tag = take_varint(message);
        if (!tag || *tag > std::numeric_limits<std::uint32_t>::max() || *tag < 8) return std::nullopt;
        Field field{static_cast<std::uint32_t>(*tag >> 3), static_cast<Wire>(*tag & 7)};
        switch (field.wire) {
            case Wire::varint:
            case Wire::fixed64:
            case Wire::fixed32: {
                const auto value = take_number(message, field.wire);
                if (!value) return std::nullopt;
                field.value = *value;
                break;
            }
            case Wire::delimited: {
                const auto length = take_varint(message);
                if (!length || *length > message.size()) return std::nullopt;
                field.bytes = message.substr(0, *length);
                message.remove_prefix(*length);
                break;
            }
            case Wire::begin_group: ++groups; continue;
            case Wire::end_group:
                if (groups-- == 0) return std::nullopt;
                continue;
            default: return std::nullopt;
        }
        if (groups == 0) return field;
    }
    return std::nullopt;
}

std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::string_view add_text(Type type, std::uint64_t value, std::string_view names, std::string& room)
{
    room.clear();
    const auto out = std::back_inserter(room);
    switch (type) {
        case Type::int32:
        case Type::enumeration: fmt::format_to(out, "{}", static_cast<std::int32_t>(value)); break;
        case Type::int64:
        case Type::sfixed64: fmt::format_to(out, "{}", static_cast<std::int64_t>(value)); break;
        case Type::uint32:
        case Type::fixed32: fmt::format_to(out, "{}", static_cast<std::uint32_t>(value)); break;
        case Type::sint32: fmt::format_to(out, "{}", static_cast<std::int32_t>(unzigzag(value))); break;
        case Type::sint64: fmt::format_to(out, "{}", unzigzag(value)); break;
        case Type::sfixed32: fmt::format_to(out, "{}", static_cast<std::int32_t>(value)); break;
        case Type::float32:
            fmt::format_to(out, "{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
            break;
        case Type::float64: fmt::format_to(out, "{}", std::bit_cast<double>(value)); break;
        case Type::boolean: room = value != 0 ? "true" : "false"; break;
        default: fmt::format_to(out, "{}", value);
    }
    if (type != Type::enumeration) return room;
    while (!names.empty()) {  // "0=OFF,1=ON"
        const std::size_t end = std::min(names.find(','), names.size()), sign = names.find('=');
        if (names.substr(0, sign) == room) return names.substr(sign + 1, end - sign - 1);
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return room;
}

bool is_number(Type type) { return type != Type::string && type != Type::bytes && type != Type::message; }

// A step of a place in a message.
struct Step {
    std::uint32_t number = 0;
    std::optional<std::size_t> index;
    std::optional<Type> key_type;
    std::string_view key;
};

Step take_step(std::string_view& steps)
{
    const std::size_t end = std::min(steps.find('/'), steps.size());
    std::string_view text = steps.substr(0, end);
    steps.remove_prefix(std::min(end + 1, steps.size()));
    Step step;
    const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), step.number);
    text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
    if (text.starts_with('#')) step.index = number<std::size_t>(text.substr(1)).value_or(0);
    if (text.starts_with('@') && text.size() > 1) {
        step.key_type = static_cast<Type>(text[1]);
        step.key = text.substr(2);
    }
    return step;
}

// RFC 6901, 3
bool is_key(std::string_view text, std::string_view escaped)
{
    std::size_t at = 0;
    for (std::size_t i = 0; i < escaped.size(); ++i, ++at) {
        char c = escaped[i];
        if (c == '~' && i + 1 < escaped.size()) c = escaped[++i] == '1' ? '/' : '~';
        if (at >= text.size() || text[at] != c) return false;
    }
    return at == text.size();
}

bool has_key(std::string_view entry, const Step& step, std::string& room)
{
    std::string_view text = is_number(*step.key_type) ? add_text(*step.key_type, 0, "", room) : "";
    while (const auto field = take_field(entry)) {
        if (field->number != 1) continue;
        text = field->wire == Wire::delimited ? field->bytes : add_text(*step.key_type, field->value, "", room);
        break;
    }
    return is_key(text, step.key);
}

// Of a field the value that counts: the last one, the element, or the entry. `packed`: how each of several in one is.
std::optional<Field> find_field(std::string_view message, const Step& step, std::optional<Wire> packed,
                                std::string& room)
{
    std::optional<Field> found;
    std::size_t passed = 0;
    while (const auto field = take_field(message)) {
        if (field->number != step.number) continue;
        if (step.key_type) {
            if (field->wire == Wire::delimited && has_key(field->bytes, step, room)) found = field;
        } else if (!step.index) {
            found = field;
        } else if (field->wire == Wire::delimited && packed) {
            std::string_view values = field->bytes;
            while (!values.empty()) {
                const auto value = take_number(values, *packed);
                if (!value) return std::nullopt;
                if (passed++ == *step.index) return Field{step.number, *packed, *value, {}};
            }
        } else if (passed++ == *step.index) {
            return field;
        }
    }
    return found;
}

}  // namespace

Wire wire_of(Type type)
{
    switch (type) {
        case Type::fixed32:
        case Type::sfixed32:
        case Type::float32: return Wire::fixed32;
        case Type::fixed64:
        case Type::sfixed64:
        case Type::float64: return Wire::fixed64;
        case Type::string:
        case Type::bytes:
        case Type::message: return Wire::delimited;
        default: return Wire::varint;
    }
}

void add_varint(std::uint64_t value, std::string& out)
{
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

bool add_value(Type type, std::string_view text, std::string& out)
{
    const auto varint = [&](auto value) { add_varint(static_cast<std::uint64_t>(std::int64_t{value}), out); };
    switch (type) {
        case Type::int32:
        case Type::enumeration: return add_whole<std::int32_t>(text, varint);
        case Type::int64: return add_whole<std::int64_t>(text, varint);
        case Type::uint32: return add_whole<std::uint32_t>(text, [&](std::uint32_t v) { add_varint(v, out); });
        case Type::uint64: return add_whole<std::uint64_t>(text, [&](std::uint64_t v) { add_varint(v, out); });
        case Type::sint32:
            return add_whole<std::int32_t>(text, [&](std::int32_t v) {
                add_varint(static_cast<std::uint32_t>(zigzag(v)), out);
            });
        case Type::sint64: return add_whole<std::int64_t>(text, [&](std::int64_t v) { add_varint(zigzag(v), out); });
        case Type::fixed32: return add_whole<std::uint32_t>(text, [&](std::uint32_t v) { add_fixed(v, 4, out); });
        case Type::fixed64: return add_whole<std::uint64_t>(text, [&](std::uint64_t v) { add_fixed(v, 8, out); });
        case Type::sfixed32:
            return add_whole<std::int32_t>(
                text, [&](std::int32_t v) { add_fixed(static_cast<std::uint32_t>(v), 4, out); });
        case Type::sfixed64:
            return add_whole<std::int64_t>(
                text, [&](std::int64_t v) { add_fixed(static_cast<std::uint64_t>(v), 8, out); });
        case Type::float32: {
            const auto value = number<float>(text);
            if (value) add_fixed(std::bit_cast<std::uint32_t>(*value), 4, out);
            return value.has_value();
        }
        case Type::float64: {
            const auto value = number<double>(text);
            if (value) add_fixed(std::bit_cast<std::uint64_t>(*value), 8, out);
            return value.has_value();
        }
        case Type::boolean:
            if (text != "true" && text != "false") return false;
            out += text == "true" ? '\1' : '\0';
            return true;
        default:
            add_varint(text.size(), out);
            out += text;
            return true;
    }
}

void begin_part(Open& open, bool framed, std::string& out)
{
    if (framed) out.append(5, '\0');
    if (open.count < kMostDepth) open.at[open.count++] = out.size();
}

void end_part(Open& open, std::string& out)
{
    if (open.count == 0) return;
    const std::size_t begin = open.at[--open.count], length = out.size() - begin;
    if (open.count == 0) {
        for (unsigned i = 0; i < 4; ++i) out[begin - 4 + i] = static_cast<char>(length >> (24 - 8 * i));
        return;
    }
    char prefix[10];
    std::size_t count = 0;
    for (std::size_t left = length; count == 0 || left != 0; left >>= 7)
        prefix[count++] = static_cast<char>((left & 0x7f) | (left >> 7 != 0 ? 0x80 : 0));
    out.insert(begin, prefix, count);
}

void add_hexadecimal(std::string_view digits, std::string& out)
{
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        out += static_cast<char>(value);
    }
}

std::optional<std::string_view> find(std::string_view message, std::string_view where, std::string& room)
{
    const std::size_t colon = where.find(':');
    if (colon == where.npos || colon < 2) return std::nullopt;
    const auto type = static_cast<Type>(where.front());
    const bool tells = where[1] == '!';
    const std::string_view names = where.substr(2, colon - 2);
    const auto packed = is_number(type) ? std::optional(wire_of(type)) : std::nullopt;
    where.remove_prefix(colon + 1);
    while (true) {
        const Step step = take_step(where);
        const auto field = find_field(message, step, where.empty() ? packed : std::nullopt, room);
        if (!where.empty()) {
            if (!field || field->wire != Wire::delimited) return std::nullopt;
            message = field->bytes;
            continue;
        }
        if (!field) {
            if (tells || step.index || type == Type::message) return std::nullopt;
            return is_number(type) ? add_text(type, 0, names, room) : std::string_view("");
        }
        if (field->wire != wire_of(type)) return std::nullopt;
        return is_number(type) ? add_text(type, field->value, names, room) : field->bytes;
    }
}

}  // namespace anml::protobuf
