// Records: the values of a schema's attributes as data.
//
// The code that reads them declares, in a .def beside it, which it wants and what they are: ANML_RECORD(name,
// "std.module.Schema"), then for each ANML_FIELD(kind, attribute), or ANML_CHOICE(Enumeration, attribute, value, ...)
// with the library's enumeration. From that come the struct `record::name`, which lies in Image::record_words as it is,
// and the layout by which everybody else handles records without knowing an attribute: the compiler fills them in from
// what the model says. runtime/constructs.txt lists the files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "application_list.h"
#include "image.h"

namespace anml::abi {

// What a field is. A size is bytes, a time ns, a rate bit/s, a ratio a number, a count a whole one; a truth is 0 or 1.
// What is optional is kNone where it is left out. A choice is the place of a value in its enumeration. Text lies in
// Image::strings, a list of texts as lines. A list of documents, times and a log are files, by their row of
// Image::files. Records are a list of values that have a layout of their own. Addresses are those of nodes, and of the
// real hosts behind endpoints, or of prefixes. What is random is drawn anew each time that it is read.
enum class FieldKind : std::uint8_t {
    size,
    optional_size,
    time,
    rate,
    ratio,
    count,
    truth,
    choice,
    records,
    addresses,
    text,
    optional_text,
    optional_texts,
    document_list,
    optional_times,
    optional_log,
    random_ratio,
    random_time,
    random_size,
    random_count
};

constexpr bool is_random(FieldKind kind) { return kind >= FieldKind::random_ratio; }
constexpr bool is_text(FieldKind kind) { return kind >= FieldKind::text && kind <= FieldKind::optional_texts; }
constexpr bool is_file(FieldKind kind) { return kind >= FieldKind::document_list && kind <= FieldKind::optional_log; }
constexpr bool is_addresses(FieldKind kind) { return kind == FieldKind::addresses; }
constexpr bool is_optional(FieldKind kind)
{
    return kind == FieldKind::optional_size || (is_text(kind) && kind != FieldKind::text) ||
           (is_file(kind) && kind != FieldKind::document_list);
}
// Whether it is a number, by its ValueId; a truth is one.
constexpr bool is_number(FieldKind kind)
{
    return !is_random(kind) && !is_text(kind) && !is_file(kind) && !is_addresses(kind) && kind != FieldKind::choice &&
           kind != FieldKind::records;
}

// How they lie in the image, by the same names.
namespace field {
using size = ValueId;
using optional_size = ValueId;
using time = ValueId;
using rate = ValueId;
using ratio = ValueId;
using count = ValueId;
using truth = ValueId;
using records = Slice;    // of Image::record_words, each a row of Image::records
using addresses = Slice;  // of Image::record_words, two for each AddressRange
using text = StringRef;
using optional_text = StringRef;
using optional_texts = StringRef;
using document_list = std::uint32_t;
using optional_times = std::uint32_t;
using optional_log = std::uint32_t;
using random_ratio = Distribution;
using random_time = Distribution;
using random_size = Distribution;
using random_count = Distribution;
}  // namespace field

constexpr std::uint32_t words_of(FieldKind kind)
{
    const std::size_t bytes = is_random(kind)                                    ? sizeof(Distribution)
                              : kind == FieldKind::records || is_addresses(kind) ? sizeof(Slice)
                                                                                 : sizeof(ValueId);
    return bytes / sizeof(std::uint32_t);
}

// What such words of a random field say.
constexpr Distribution distribution_at(const std::uint32_t* words)
{
    return {static_cast<DistributionKind>(words[0]), words[1], words[2]};
}

constexpr Slice records_at(const std::uint32_t* words) { return {words[0], words[1]}; }
constexpr Slice addresses_at(const std::uint32_t* words) { return {words[0], words[1]}; }

constexpr Unit unit_of(FieldKind kind)
{
    switch (kind) {
        case FieldKind::size:
        case FieldKind::optional_size:
        case FieldKind::random_size:
            return Unit::size;
        case FieldKind::time:
        case FieldKind::random_time:
            return Unit::time;
        case FieldKind::rate:
            return Unit::rate;
        case FieldKind::count:
        case FieldKind::random_count:
        case FieldKind::choice:
        case FieldKind::truth:
            return Unit::integer;
        case FieldKind::ratio:
        case FieldKind::text:
        case FieldKind::optional_text:
        case FieldKind::optional_texts:
        case FieldKind::document_list:
        case FieldKind::optional_times:
        case FieldKind::optional_log:
        case FieldKind::random_ratio:
        case FieldKind::records:
        case FieldKind::addresses:
            break;
    }
    return Unit::none;
}

struct RecordField {
    std::string_view name;  // of the attribute
    FieldKind kind{};
    std::string_view schema;       // "" but in the line that begins a layout
    std::string_view enumeration;  // of a choice: "TransactionEnd"
    std::string_view values;       // "complete, closed"
};
inline constexpr RecordField kRecordLines[] = {
#define ANML_RECORD(name, schema) {#name, FieldKind::size, schema, "", ""},
#define ANML_FIELD(kind, name) {#name, FieldKind::kind, "", "", ""},
#define ANML_CHOICE(Enumeration, name, ...) {#name, FieldKind::choice, "", #Enumeration, #__VA_ARGS__},
#include "record_lines.def"
#undef ANML_CHOICE
#undef ANML_FIELD
#undef ANML_RECORD
    {"", FieldKind::size, "none", "", ""},
};

// What a choice says; "" behind the last.
constexpr std::string_view choice_name(const RecordField& field, std::uint32_t place)
{
    std::string_view left = field.values;
    for (; place != 0 && !left.empty(); --place) left.remove_prefix(std::min(left.find(' '), left.size() - 1) + 1);
    return left.substr(0, left.find(','));
}

// Layouts are numbered in the order of constructs.txt: RecordRow::schema.
enum class RecordSchema : std::uint32_t {
#define ANML_RECORD(name, schema) name,
#define ANML_FIELD(kind, name)
#define ANML_CHOICE(Enumeration, name, ...)
#include "record_lines.def"
#undef ANML_CHOICE
#undef ANML_FIELD
#undef ANML_RECORD
    count
};
inline constexpr auto kRecordLayouts = static_cast<std::uint32_t>(RecordSchema::count);

struct RecordLayout {
    std::string_view name, schema;  // "red", "std.queue.Red"
    std::span<const RecordField> fields;
};
constexpr RecordLayout record_layout(std::uint32_t number)
{
    const RecordField* line = std::begin(kRecordLines);
    while (line->schema.empty() || number-- != 0) ++line;
    const RecordField* end = line + 1;
    while (end->schema.empty()) ++end;
    return {line->name, line->schema, {line + 1, end}};
}
constexpr RecordLayout record_layout(RecordSchema schema) { return record_layout(static_cast<std::uint32_t>(schema)); }

// Whether it is one of those that stand in for endpoints.
constexpr bool is_server(const RecordLayout& layout)
{
#define ANML_IS_SERVER(server) || layout.name == #server
    return false ANML_SERVERS(ANML_IS_SERVER);
#undef ANML_IS_SERVER
}

// Null: it has none of that name.
constexpr const RecordField* find_field(const RecordLayout& layout, std::string_view name)
{
    for (const RecordField& field : layout.fields)
        if (field.name == name) return &field;
    return nullptr;
}

// A row of each layout, by its name, with its enumerations.
namespace record {
#define ANML_RECORD(name, schema) static constexpr RecordSchema kSchema = RecordSchema::name;
#define ANML_FIELD(kind, name) field::kind name;
#define ANML_CHOICE(Enumeration, name, ...)                 \
    enum class Enumeration : std::uint32_t { __VA_ARGS__ }; \
    Enumeration name;
#include "record_rows.h"
#undef ANML_CHOICE
#undef ANML_FIELD
#undef ANML_RECORD
}  // namespace record

using Congestion = record::tcp::Congestion;  // of senders everywhere, beside their record
using Ecn = record::tcp::Ecn;
using MtuProbing = record::tcp::MtuProbing;

inline RecordSchema schema_of(const Image& image, std::uint32_t record)
{
    return static_cast<RecordSchema>(image.records[record].schema);
}

// The row of a record whose schema is Row's.
template <class Row>
const Row& row_of(const RecordRow* records, const std::uint32_t* record_words, std::uint32_t record)
{
    static_assert(alignof(Row) == alignof(std::uint32_t));
    return *reinterpret_cast<const Row*>(record_words + records[record].words.first);
}
template <class Row>
const Row& row_of(const Image& image, std::uint32_t record)
{
    return row_of<Row>(image.records, image.record_words, record);
}

// The file whose arrivals a workload of `replay` begins: row of `files`.
inline std::uint32_t replayed_file(const Image& image, std::uint32_t record)
{
    const auto& row = row_of<record::replay>(image, record);
    return row.log != kNone ? row.log : row.times;
}

// The records of a list.
inline std::span<const std::uint32_t> listed(const Image& image, Slice list)
{
    return {image.record_words + list.first, list.count};
}

// Those of a field of addresses.
inline std::span<const AddressRange> ranges_of(const Image& image, Slice list)
{
    return {reinterpret_cast<const AddressRange*>(image.record_words + list.first), list.count / 2};
}

}  // namespace anml::abi
