#include "base/files/grpc_body.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/diagnostics.h"
#include "base/files/data_file.h"
#include "base/files/document_list.h"
#include "base/files/request_slots.h"
#include "common/ascii.h"
#include "common/base64.h"
#include "common/protobuf.h"
#include "common/utf8.h"

namespace anml {

namespace {

namespace pb = google::protobuf;
using protobuf::kPart;
using protobuf::Type;
using Kind = pb::FieldDescriptor::Type;

Type type_of(const pb::FieldDescriptor& field)
{
    switch (field.type()) {
        case Kind::TYPE_DOUBLE: return Type::float64;
        case Kind::TYPE_FLOAT: return Type::float32;
        case Kind::TYPE_INT64: return Type::int64;
        case Kind::TYPE_UINT64: return Type::uint64;
        case Kind::TYPE_INT32: return Type::int32;
        case Kind::TYPE_FIXED64: return Type::fixed64;
        case Kind::TYPE_FIXED32: return Type::fixed32;
        case Kind::TYPE_BOOL: return Type::boolean;
        case Kind::TYPE_STRING: return Type::string;
        case Kind::TYPE_BYTES: return Type::bytes;
        case Kind::TYPE_UINT32: return Type::uint32;
        case Kind::TYPE_ENUM: return Type::enumeration;
        case Kind::TYPE_SFIXED32: return Type::sfixed32;
        case Kind::TYPE_SFIXED64: return Type::sfixed64;
        case Kind::TYPE_SINT32: return Type::sint32;
        case Kind::TYPE_SINT64: return Type::sint64;
        case Kind::TYPE_GROUP:
        case Kind::TYPE_MESSAGE: return Type::message;
    }
    return Type::message;
}

// A field by its own name or that of JSON; null: `problem` says which there are.
const pb::FieldDescriptor* field_of(const pb::Descriptor& type, std::string_view name, std::string& problem)
{
    std::vector<std::string_view> names;
    for (int i = 0; i < type.field_count(); ++i) {
        const pb::FieldDescriptor* const field = type.field(i);
        if (field->name() == name || field->json_name() == name) return field;
        names.push_back(field->name());
    }
    const std::string_view meant = similar_name(name, names);
    std::string all;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 10); ++i)
        all += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
    problem = fmt::format("`{}` has no field `{}`{}", type.full_name(), shown(name),
                          !meant.empty()  ? fmt::format(": did you mean `{}`?", meant)
                          : names.empty() ? ", and no other one"
                                          : fmt::format("; it has {}", all));
    return nullptr;
}

std::optional<std::string> from_base64(std::string_view text)
{
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (char c : text) {
        if (c == '-') c = '+';
        if (c == '_') c = '/';
        constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const std::size_t digit = kDigits.find(c);
        if (digit == kDigits.npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count);
    }
    return count < 6 ? std::optional(bytes) : std::nullopt;
}

bool is_wrapper(const pb::Descriptor& type)
{
    return type.file()->name() == "google/protobuf/wrappers.proto";
}

// The text of one method's messages.
class BodyReader {
  public:
    BodyReader(std::string_view text, const FillIn& fill) : text_(text), fill_(fill) {}

    GrpcBody read(const pb::MethodDescriptor& method)
    {
        const pb::Descriptor& type = *method.input_type();
        std::size_t count = 0;
        do {
            add("m");
            skip_blanks();
            if ((done() || separator()) && !bad())
                check_required(type, {}, at_);
            else
                message(type, 0);
            add(")");
            skip_blanks();
            ++count;
            if (bad() || done()) break;
            if (count == 1 && !method.client_streaming())
                return wrong(at_, text_.size(), separator() ? fmt::format("`{}` takes one message", method.full_name())
                                                            : "the message has ended here");
            if (!separator()) return wrong(at_, text_.size(), "a line `===` separates messages");
            at_ += 3;
        } while (true);
        flush();
        return body_;
    }

  private:
    bool bad() const { return !body_.problem.empty(); }
    bool done() const { return at_ >= text_.size(); }
    char next() const { return done() ? '\0' : text_[at_]; }
    bool separator() const { return text_.substr(std::min(at_, text_.size())).starts_with("==="); }
    GrpcBody wrong(std::size_t begin, std::size_t end, std::string problem)
    {
        if (!bad()) {
            body_.problem = std::move(problem);
            body_.begin = begin;
            body_.end = std::max(end, begin);
        }
        at_ = text_.size();
        return body_;
    }
    void skip_blanks()
    {
        while (!done() && std::string_view(" \t\r\n").find(next()) != std::string_view::npos) ++at_;
    }
    bool take(char c)
    {
        skip_blanks();
        if (next() != c) return false;
        ++at_;
        return true;
    }
    bool expect(char c, std::string_view where)
    {
        const std::size_t behind = at_;
        if (take(c)) return true;
        // Before a value it is the value that is wrong, else what stands before it.
        const bool before = where.starts_with("before");
        const std::size_t begin = before || behind == 0 ? at_ : behind - 1;
        wrong(begin, begin + 1, fmt::format("`{}` is missing {}", c, where));
        return false;
    }

    // --- what is written

    void flush()
    {
        if (literal_.empty()) return;
        body_.written += 'x';
        for (const char byte : literal_) body_.written += fmt::format("{:02x}", static_cast<unsigned char>(byte));
        body_.written += kPart;
        literal_.clear();
    }
    void add(std::string_view part)
    {
        flush();
        body_.written += part;
        body_.written += kPart;
    }
    void tag(const pb::FieldDescriptor& field)
    {
        const auto wire = static_cast<std::uint32_t>(protobuf::wire_of(type_of(field)));
        protobuf::add_varint(static_cast<std::uint32_t>(field.number()) << 3 | wire, literal_);
    }

    // --- JSON

    // A string, with slots where variables stand in it.
    std::string string()
    {
        std::string text;
        const std::size_t begin = at_;
        if (!take('"')) {
            wrong(at_, at_ + 1, "a string is expected here");
            return text;
        }
        while (!done() && next() != '"') {
            if (text_.substr(at_).starts_with("{{")) {
                text += variable();
            } else if (next() == '\\') {
                escape(text);
            } else if (static_cast<unsigned char>(next()) < ' ') {
                wrong(begin, at_, "the string does not end in its line");
            } else {
                text += text_[at_++];
            }
        }
        if (done() && !bad()) wrong(begin, text_.size(), "the string does not end");
        ++at_;
        return text;
    }
    std::string variable()
    {
        const std::size_t begin = at_, end = text_.find("}}", at_);
        std::string piece(text_.substr(at_, end == text_.npos ? 2 : end + 2 - at_));
        at_ += piece.size();
        if (const std::string problem = fill_(piece); !problem.empty()) wrong(begin, at_, problem);
        return piece;
    }
    std::optional<std::uint32_t> hexadecimal()
    {
        std::uint32_t value = 0;
        if (text_.size() - at_ < 4) return std::nullopt;
        for (int i = 0; i < 4; ++i) {
            const char c = text_[at_++];
            const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
            if (digit == std::string_view::npos) return std::nullopt;
            value = value << 4 | static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
        }
        return value;
    }
    void escape(std::string& text)
    {
        const std::size_t begin = at_++;
        constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        const char c = next();
        ++at_;
        if (const std::size_t known = kLetters.find(c); known != kLetters.npos) {
            text += kMeant[known];
            return;
        }
        auto code = c == 'u' ? hexadecimal() : std::nullopt;
        if (code && *code >= 0xd800 && *code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
            at_ += 2;
            const auto low = hexadecimal();
            const bool whole = low && *low >= 0xdc00 && *low < 0xe000;
            code = whole ? std::optional(0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00)) : std::nullopt;
        }
        if (!code || (*code >= 0xd800 && *code < 0xe000) || *code < ' ')
            wrong(begin, at_, "this is no character that a string of a call can have");
        else
            add_utf8(text, *code);
    }

    void message(const pb::Descriptor& type, std::size_t depth)
    {
        const std::size_t begin = at_;
        if (depth + 2 >= protobuf::kMostDepth)
            return void(wrong(at_, at_ + 1, fmt::format("messages lie within each other up to {} deep",
                                                        protobuf::kMostDepth - 2)));
        if (!expect('{', fmt::format("before a message of `{}`", type.full_name()))) return;
        std::set<const void*> given;
        if (take('}')) return check_required(type, given, begin);
        do {
            skip_blanks();
            const std::size_t from = at_;
            const std::string name = string();
            const std::size_t to = at_;
            if (bad()) return;
            std::string problem;
            const pb::FieldDescriptor* const field = field_of(type, name, problem);
            if (!field) return void(wrong(from, to, problem));
            if (!given.insert(field).second)
                return void(wrong(from, to, fmt::format("`{}` stands here twice", name)));
            if (!expect(':', fmt::format("behind `{}`", name))) return;
            skip_blanks();
            if (text_.substr(at_).starts_with("null")) {
                at_ += 4;
                given.erase(field);
                continue;
            }
            const pb::OneofDescriptor* const one = field->real_containing_oneof();
            if (one && !given.insert(one).second)
                return void(
                    wrong(from, to, fmt::format("of `{}` one field alone can stand in a message", one->name())));
            all_of(*field, depth);
            if (bad()) return;
        } while (take(','));
        if (expect('}', "behind a message, or `,` before its next field")) check_required(type, given, begin);
    }
    void check_required(const pb::Descriptor& type, const std::set<const void*>& given, std::size_t at)
    {
        for (int i = 0; i < type.field_count(); ++i)
            if (type.field(i)->is_required() && !given.contains(type.field(i)))
                wrong(at, at + 1, fmt::format("`{}` needs its field `{}`", type.full_name(), type.field(i)->name()));
    }
    // The values of a field.
    void all_of(const pb::FieldDescriptor& field, std::size_t depth)
    {
        if (field.is_map()) return entries(field, depth);
        if (!field.is_repeated()) return one_of(field, depth);
        if (!expect('[', fmt::format("before the values of `{}`", field.name())) || take(']')) return;
        do one_of(field, depth);
        while (!bad() && take(','));
        expect(']', fmt::format("behind the values of `{}`", field.name()));
    }
    void entries(const pb::FieldDescriptor& field, std::size_t depth)
    {
        if (!expect('{', fmt::format("before the entries of `{}`", field.name())) || take('}')) return;
        do {
            skip_blanks();
            const std::size_t begin = at_;
            tag(field);
            add("(");
            const std::string key = string();
            if (bad()) return;
            scalar(*field.message_type()->map_key(), key, begin);
            if (!bad() && expect(':', "behind a key")) one_of(*field.message_type()->map_value(), depth + 1);
            add(")");
        } while (!bad() && take(','));
        expect('}', fmt::format("behind the entries of `{}`", field.name()));
    }
    void one_of(const pb::FieldDescriptor& field, std::size_t depth)
    {
        skip_blanks();
        const std::size_t begin = at_;
        if (type_of(field) == Type::message) return within(field, depth);
        const bool quoted = next() == '"';
        const std::string text = quoted ? string() : word();
        if (bad()) return;
        const bool named = type_of(field) == Type::string || type_of(field) == Type::bytes;
        if (named && !quoted && !request_slots::has_slots(text))
            return void(wrong(begin, at_,
                              fmt::format("`{}` is a {}, which stands in quotes", field.name(), field.type_name())));
        if (quoted && type_of(field) == Type::boolean)
            return void(
                wrong(begin, at_, fmt::format("`{}` is a bool: `true` or `false`, without quotes", field.name())));
        scalar(field, text, begin);
    }
    // What stands there without quotes: a number, a word, variables.
    std::string word()
    {
        std::string text;
        const std::size_t begin = at_;
        while (!done()) {
            if (text_.substr(at_).starts_with("{{"))
                text += variable();
            else if (in_word(next()) || std::string_view("+-.").find(next()) != std::string_view::npos)
                text += text_[at_++];
            else
                break;
        }
        if (at_ == begin) wrong(at_, at_ + 1, "a value is expected here");
        return text;
    }
    void scalar(const pb::FieldDescriptor& field, const std::string& text, std::size_t begin)
    {
        const Type type = type_of(field);
        if (request_slots::has_slots(text)) {
            if (type == Type::bytes)
                return void(wrong(begin, at_, fmt::format("`{}` is of bytes, which no run makes", field.name())));
            body_.slots = true;
            tag(field);
            return add(fmt::format("v{}{}", static_cast<char>(type), text));
        }
        std::string value = text;
        if (type == Type::bytes) {
            const auto bytes = from_base64(text);
            if (!bytes) return void(wrong(begin, at_, fmt::format("`{}` is of bytes, in base64", field.name())));
            value = *bytes;
        }
        if (type == Type::enumeration && !text.empty() && !is_digit(text.front()) && text.front() != '-') {
            const pb::EnumValueDescriptor* const of = field.enum_type()->FindValueByName(text);
            if (!of) return no_value(*field.enum_type(), text, begin);
            value = fmt::to_string(of->number());
        }
        std::string wire;
        if (!protobuf::add_value(type, value, wire))
            return void(wrong(begin, at_, fmt::format("`{}` is a value of the type {}, and `{}` is none", field.name(),
                                                 field.type_name(), shown(text))));
        tag(field);
        literal_ += wire;
    }
    void no_value(const pb::EnumDescriptor& of, std::string_view text, std::size_t begin)
    {
        std::vector<std::string_view> names;
        for (int i = 0; i < of.value_count(); ++i) names.push_back(of.value(i)->name());
        const std::string_view meant = similar_name(text, names);
        wrong(begin, at_, fmt::format("`{}` has no value `{}`: {}", of.full_name(), shown(text),
                                      meant.empty() ? fmt::format("the first is `{}`", names.front())
                                                    : fmt::format("did you mean `{}`?", meant)));
    }
    // A message within one; some of protobuf's own have forms of their own.
    void within(const pb::FieldDescriptor& field, std::size_t depth)
    {
        const pb::Descriptor& type = *field.message_type();
        const std::string& name = type.full_name();
        const std::size_t begin = at_;
        if (field.type() == Kind::TYPE_GROUP)
            return void(wrong(begin, begin + 1, fmt::format("`{}` is a group, which cannot be written", field.name())));
        if (name == "google.protobuf.Any" || name == "google.protobuf.FieldMask" ||
            type.file()->name() == "google/protobuf/struct.proto")
            return void(
                wrong(begin, begin + 1, fmt::format("`{}` is a `{}`, which cannot be written", field.name(), name)));
        tag(field);
        add("(");
        if (is_wrapper(type))
            one_of(*type.field(0), depth + 1);
        else if (name == "google.protobuf.Timestamp" || name == "google.protobuf.Duration")
            time(name.ends_with("Timestamp"));
        else
            message(type, depth + 1);
        add(")");
    }
    void time(bool stamp)
    {
        const std::size_t begin = at_;
        const std::string text = string();
        if (bad()) return;
        pb::Timestamp at;
        pb::Duration span;
        if (request_slots::has_slots(text) || !(stamp ? pb::util::TimeUtil::FromString(text, &at)
                                                      : pb::util::TimeUtil::FromString(text, &span)))
            return void(wrong(begin, at_,
                              stamp ? "a Timestamp is a text as `\"2026-01-31T12:00:00Z\"`, the same each time"
                                    : "a Duration is a text as `\"1.5s\"`, the same each time"));
        literal_ += stamp ? at.SerializeAsString() : span.SerializeAsString();
    }

    std::string_view text_;
    const FillIn& fill_;
    std::size_t at_ = 0;
    std::string literal_;  // bytes of the part that is being written
    GrpcBody body_;
};

}  // namespace

GrpcBody grpc_body(std::string_view text, const pb::MethodDescriptor& method, const FillIn& fill)
{
    return BodyReader(text, fill).read(method);
}

std::string grpc_place(const pb::MethodDescriptor& method, std::string_view pointer, std::string& problem)
{
    const pb::Descriptor* type = method.output_type();
    const pb::FieldDescriptor* field = nullptr;
    std::string steps;
    const auto next = [&] {  // as it is escaped
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const std::string_view name = pointer.substr(1, end - 1);
        pointer.remove_prefix(end);
        return name;
    };
    if (pointer.empty()) problem = "a pointer names a field: `$.name`";
    while (!pointer.empty() && problem.empty()) {
        const std::string_view name = next();
        field = type ? field_of(*type, name, problem) : nullptr;
        if (!type) problem = fmt::format("there is no field `{}` in a value that is no message", shown(name));
        if (!field) break;
        steps += fmt::format("{}{}", steps.empty() ? "" : "/", field->number());
        if (field->is_map()) {
            if (pointer.empty()) {
                problem = fmt::format("`{}` is a map: a key says which of its values is meant", field->name());
                break;
            }
            const Type key = type_of(*field->message_type()->map_key());
            steps += fmt::format("@{}{}/2", static_cast<char>(key), next());
            field = field->message_type()->map_value();
        } else if (field->is_repeated()) {
            const std::string_view index = pointer.empty() ? "" : next();
            if (index.empty() || index.size() > 9 || !std::ranges::all_of(index, is_digit)) {
                problem = fmt::format("`{0}` has several values: `{0}[0]` is the first", field->name());
                break;
            }
            steps += fmt::format("#{}", index);
        }
        type = field->message_type();
        if (type && is_wrapper(*type)) {
            field = type->field(0);
            steps += "/1";
            type = nullptr;
        }
    }
    if (!problem.empty()) return "";
    std::string names;
    if (field->enum_type())
        for (int i = 0; i < field->enum_type()->value_count(); ++i) {
            const pb::EnumValueDescriptor& value = *field->enum_type()->value(i);
            names += fmt::format("{}{}={}", names.empty() ? "" : ",", value.number(), value.name());
        }
    return fmt::format("{}{}{}:{}", static_cast<char>(type_of(*field)), field->has_presence() ? '!' : '?', names,
                       steps);
}

}  // namespace anml
