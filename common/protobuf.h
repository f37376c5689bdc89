// Protocol Buffers on the wire (https://protobuf.dev/programming-guides/encoding), as requests of gRPC are written and
// their responses looked at: without descriptors, which the compiler alone has.
//
// A body is written as parts, each ended by kPart: a letter, and what it says:
//   m      a message of gRPC begins: five bytes before it say how long it is
//   (      a message or a map's entry within one begins, `)` ends what began last
//   x 0a1f bytes, in hexadecimal digits
//   v T TEXT  a value of type T, whose text may have slots of a run
// Where a value lies in a message is "T?:1/3#0/2": its type, `!` where the field tells whether it is there and `?`
// where it does not, and steps: numbers of fields, `#` and which element of a repeated one, `@` and the type and text
// of a map's key, escaped as in RFC 6901. Of an enumeration names stand before the colon: "n?0=OFF,1=ON:4".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anml::protobuf {

inline constexpr char kPart = '\4';
inline constexpr std::size_t kMostDepth = 64;  // messages within each other

enum class Type : char {
    int32 = 'i',
    int64 = 'I',
    uint32 = 'u',
    uint64 = 'U',
    sint32 = 'z',
    sint64 = 'Z',
    fixed32 = 'f',
    fixed64 = 'F',
    sfixed32 = 'g',
    sfixed64 = 'G',
    float32 = 'e',
    float64 = 'd',
    boolean = 'b',
    enumeration = 'n',  // its number
    string = 's',
    bytes = 'y',
    message = 'M',
};
enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, delimited = 2, begin_group = 3, end_group = 4, fixed32 = 5 };
Wire wire_of(Type type);

void add_varint(std::uint64_t value, std::string& out);
// What a text says as a value of a scalar type, without its tag. False: it is none; nothing is added.
bool add_value(Type type, std::string_view text, std::string& out);

// Adds what is written. `fill` adds the text of a value to a string, with its slots filled in; one that is none of its
// type counts as 0.
template <class Fill>
void add_written(std::string_view written, std::string& room, Fill&& fill, std::string& out);

// Null: it is not there, or the message is broken before it. The view is of the message, or of `room`.
std::optional<std::string_view> find(std::string_view message, std::string_view where, std::string& room);

// --- of add_written

struct Open {
    std::size_t at[kMostDepth] = {};
    std::size_t count = 0;
};
void begin_part(Open& open, bool framed, std::string& out);
void end_part(Open& open, std::string& out);
void add_hexadecimal(std::string_view digits, std::string& out);

template <class Fill>
void add_written(std::string_view written, std::string& room, Fill&& fill, std::string& out)
{
    Open open;
    while (!written.empty()) {
        const std::size_t end = written.find(kPart);
        const std::string_view part = written.substr(0, end);
        written.remove_prefix(end == written.npos ? written.size() : end + 1);
        if (part.empty()) continue;
        switch (part.front()) {
            case 'm':
            case '(': begin_part(open, part.front() == 'm', out); break;
            case ')': end_part(open, out); break;
            case 'x': add_hexadecimal(part.substr(1), out); break;
            default: {
                const auto type = static_cast<Type>(part[1]);
                room.clear();
                fill(part.substr(2), room);
                if (!add_value(type, room, out)) add_value(type, type == Type::boolean ? "false" : "0", out);
            }
        }
    }
}

}  // namespace anml::protobuf
