// Attributes that `anmlc graph` writes, as the text of attributes in ANML. Nothing else of the file gets into the text:
// numbers are read, and the few distributions by their names.
#include "import/links/link_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/record_fields.h"
#include "base/string_literal.h"
#include "import/links/link_attributes.h"
#include "runtime/abi/timeline.h"

namespace anml {

namespace {

// "exponential(2 ms)", "uniform(0 s, 5 ms)", of quantities of that dimension and nothing else.
bool is_distribution_text(std::string_view text, Dimension d)
{
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return false;
    constexpr std::array kNames{std::string_view("uniform"), std::string_view("exponential")};
    const auto name = std::find(kNames.begin(), kNames.end(), text.substr(0, open));
    if (name == kNames.end()) return false;
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    std::vector<double> values;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(", ");
        const auto value = parse_quantity(rest.substr(0, comma));
        if (!value || value->dim != d) return false;
        values.push_back(value->value);
        more = comma != std::string_view::npos;
        if (more) rest.remove_prefix(comma + 2);
    }
    const bool uniform = *name == "uniform";
    return values.size() == (uniform ? 2 : 1) && values.front() >= 0 && (!uniform || values[0] <= values[1]);
}

constexpr double kHour = 3.6e6;          // ms
constexpr double kMost = 1099511627776;  // 1 TB in bytes; no other number is larger

std::optional<double> take_number(const AttributeReader& reader, const std::string& name, double least, double most)
{
    const ForeignAttribute* a = reader.find(name);
    const auto value = a ? read_number(a->value) : std::nullopt;
    if (!value || *value < least || *value > most) return std::nullopt;
    reader.use(a);
    return value;
}

// The same as a quantity; of a time the file has milliseconds. "": there is none.
std::string take_quantity(const AttributeReader& reader, const std::string& name, Dimension dim, double most)
{
    const bool time = dim == dimension::time;
    const auto value = take_number(reader, name, 0, time ? kHour : most);
    const auto ns = value && time ? read_milliseconds(reader.find(name)->value) : std::nullopt;
    return !value || (time && !ns) ? "" : exact_quantity(time ? *ns : *value, dim);
}

// The text of an attribute that has one of these values; "" where it has not.
std::string take_word(const AttributeReader& reader, const std::string& name,
                      std::initializer_list<std::string_view> words)
{
    const ForeignAttribute* a = reader.find(name);
    if (!a || std::find(words.begin(), words.end(), a->value) == words.end()) return "";
    reader.use(a);
    return a->value;
}

std::optional<std::uint32_t> read_address(std::string_view text)
{
    std::uint32_t bits = 0;
    for (int part = 0; part < 4; ++part) {
        const std::size_t end = part < 3 ? text.find('.') : text.size();
        if (end == std::string_view::npos || end == 0 || end > 3) return std::nullopt;
        std::uint32_t value = 0;
        for (const char c : text.substr(0, end)) {
            if (c < '0' || c > '9') return std::nullopt;
            value = value * 10 + static_cast<std::uint32_t>(c - '0');
        }
        if (value > 255) return std::nullopt;
        bits = bits << 8 | value;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const std::uint32_t first = bits >> 24;
    return first > 0 && first < 224 && first != 127 ? std::optional(bits) : std::nullopt;
}

// A number drawn anew each time, as it will stand in the model.
std::optional<std::string> take_drawn(const AttributeReader& reader, const std::string& name, Dimension d,
                                      const GraphTexts* texts)
{
    const ForeignAttribute* a = reader.find(name);
    if (!a) return std::nullopt;
    std::optional<std::string> text;
    if (texts && texts->program)
        text = read_drawn(a->value, texts->folders, texts->program->processes);
    else if (is_distribution_text(a->value, d))
        text = a->value;
    if (text) reader.use(a);
    return text;
}

// That of the servers which such a profile makes.
std::optional<abi::RecordLayout> server_layout(std::string_view profile)
{
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i)
        if (const abi::RecordLayout layout = abi::record_layout(i);
            abi::is_server(layout) && profile_name(layout.schema) == profile)
            return layout;
    return std::nullopt;
}

// The text of an attribute of a record; "" where the file has none. Whether it is in its range only the compiler says.
std::string take_field(const AttributeReader& reader, const abi::RecordField& field, const GraphTexts* texts)
{
    const std::string name(field.name);
    if (field.kind == abi::FieldKind::truth) return take_word(reader, name, {"true", "false"});
    if (field.kind == abi::FieldKind::choice) {
        std::string word;
        for (std::uint32_t i = 0; word.empty() && !abi::choice_name(field, i).empty(); ++i)
            word = take_word(reader, name, {abi::choice_name(field, i)});
        return word;
    }
    if (abi::is_text(field.kind)) {
        const ForeignAttribute* a = reader.find(name);
        if (a) reader.use(a);
        return a ? string_literal(a->value) : "";
    }
    const Dimension dim = dimension_of(field.kind);
    if (abi::is_random(field.kind))
        if (auto drawn = take_drawn(reader, name + "_drawn", dim, texts)) return *drawn;
    if (field.kind != abi::FieldKind::count) return take_quantity(reader, name, dim, kMost);
    const auto value = take_number(reader, name, 0, 1e6);
    return value ? fmt::format("{:.0f}", *value) : "";
}

}  // namespace

LinkDetails read_link_details(const AttributeReader& reader, const std::string& suffix, double queue,
                              const GraphTexts* texts)
{
    LinkDetails result;
    if (const ForeignAttribute* trace = texts && texts->program ? reader.find("trace" + suffix) : nullptr) {
        reader.use(trace);
        const std::string file = texts->folders.moved(trace->value);
        result["rate"] = trace->value.empty() ? "" : fmt::format("trace({})", string_literal(file));
    }
    for (const abi::RecordField& field : abi::kImpairment.fields) {
        const std::string name(field.name);
        if (field.kind == abi::FieldKind::truth) {
            if (std::string truth = take_word(reader, name + suffix, {"true", "false"}); !truth.empty())
                result[name] = std::move(truth);
            continue;
        }
        const Dimension dim = dimension_of(field.kind);
        if (std::string value = take_quantity(reader, name + suffix, dim, 1); !value.empty())
            result[name] = std::move(value);
        if (auto drawn = take_drawn(reader, name + suffix + "_drawn", dim, texts)) result[name] = std::move(*drawn);
    }
#define ANML_LINK_NUMBER(name, type, usual, least, most, ...)                 \
    if (const auto number = take_number(reader, #name + suffix, least, most)) \
        result[#name] = exact_quantity(*number, dimension::none);
#include "base/link_attributes.def"
    const ForeignAttribute* profile = texts && texts->program ? reader.find("queue_profile" + suffix) : nullptr;
    if (profile && profile->value.empty()) {  // not in this direction
        reader.use(profile);
        result["queue"] = fmt::format("droptail({})", exact_quantity(queue, dimension::size));
    } else if (profile && texts->program->profiles.contains(profile->value)) {
        reader.use(profile);
        result["queue"] = profile->value;
    }
    if (const auto packets = take_number(reader, "queue_packets" + suffix, 1, 65535))
        result["queue"] =
            fmt::format("droptail({}, packets = {:.0f})", exact_quantity(queue, dimension::size), *packets);
    return result;
}

std::string usual_detail(std::string_view name)
{
    const abi::RecordField* field = abi::find_field(abi::kImpairment, name);
#define ANML_LINK_NUMBER(key, type, usual, ...) \
    if (name == #key) return exact_quantity(usual, dimension::none);
#include "base/link_attributes.def"
    if (!field) return "";
    if (field->kind == abi::FieldKind::truth) return "true";
    return dimension_of(field->kind) == dimension::time ? "0 s" : "0";
}

void settle_rates(LinkDetails& up, LinkDetails& down, double rate, double rate_back)
{
    const auto there = up.find("rate"), back = down.find("rate");
    const bool recorded = there != up.end() && !there->second.empty();
    if (back != down.end() && back->second.empty())
        back->second = exact_quantity(rate_back, dimension::rate);
    else if (back == down.end() && !recorded && rate_back != rate)
        down["rate"] = exact_quantity(rate_back, dimension::rate);
    if (there != up.end() && !recorded) up.erase(there);
}

std::string link_details(const LinkDetails& up, const LinkDetails& down)
{
    std::string both, back;
    const auto add = [](std::string& list, const auto& attribute) {
        list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", attribute.first, attribute.second);
    };
    for (const auto& attribute : up) add(both, attribute);
    for (const auto& attribute : down)
        if (const auto same = up.find(attribute.first); same == up.end() || same->second != attribute.second)
            add(back, attribute);
    if (back.empty()) return both;
    return fmt::format("{}{}down {{ {} }}", both, both.empty() ? "" : ", ", back);
}

namespace {

// "192.168.7.0/24, 192.168.8.0/24"; nothing where it is something else.
std::optional<std::string> read_prefixes(std::string_view text)
{
    std::string list;
    while (true) {
        const std::string_view one = text.substr(0, text.find(", "));
        const std::size_t slash = one.find('/');
        if (slash == std::string_view::npos || !read_address(one.substr(0, slash))) return std::nullopt;
        const std::string_view length = one.substr(slash + 1);
        if (length.empty() || length.size() > 2 || length.find_first_not_of("0123456789") != std::string_view::npos)
            return std::nullopt;
        list += fmt::format("{}{}", list.empty() ? "" : ", ", one);
        if (one.size() == text.size()) return list;
        text.remove_prefix(one.size() + 2);
    }
}

std::string take_subnets(const AttributeReader& reader)
{
    std::string text;
    const ForeignAttribute* kind = reader.find("kind");
    if (!kind || kind->value != "endpoint") return text;
    for (const char* name : {"prefix", "behind"}) {
        const ForeignAttribute* a = reader.find(name);
        const auto list = a ? read_prefixes(a->value) : std::nullopt;
        if (!list) continue;
        reader.use(a);
        text += fmt::format("{}{} = [{}]", text.empty() ? "" : ", ", name, *list);
    }
    if (text.starts_with("prefix") && take_word(reader, "bridged", {"true", "false"}) == "true")
        text += ", bridged = true";
    return text;
}

}  // namespace

NodeDetails read_node_details(const AttributeReader& reader, const GraphTexts* texts)
{
    NodeDetails result;
    const auto take_profile = [&](std::string_view name, std::string& profile) {
        const ForeignAttribute* given = texts && texts->program ? reader.find(name) : nullptr;
        if (!given || !texts->program->profiles.contains(given->value)) return;
        reader.use(given);
        profile = given->value;
    };
    take_profile("tcp", result.tcp);
    take_profile("processing", result.processing);
    take_profile("icmp_limits", result.icmp_limits);
    take_profile("buffer", result.buffer);
    take_profile("radio", result.radio);
    if (const ForeignAttribute* address = reader.find("address")) {
        reader.use(address);
        if (take_word(reader, "address_set", {"true", "false"}) == "true")
            result.address = read_address(address->value);
    }
    if (const ForeignAttribute* ipv6 = reader.find("ipv6")) {
        reader.use(ipv6);
        result.ipv6 = parse_ipv6(ipv6->value);
        result.only_ipv6 = !reader.find("address");
    }
    if (const ForeignAttribute* anycast = reader.find("anycast"); anycast && read_address(anycast->value)) {
        reader.use(anycast);
        result.anycast = read_address(anycast->value);
    }
    result.subnets = take_subnets(reader);
    const ForeignAttribute* simulated = reader.find("simulated");
    const auto layout = simulated ? server_layout(simulated->value) : std::nullopt;
    if (!layout) return result;
    reader.use(simulated);
    std::string arguments;
    const auto argument = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) arguments += fmt::format("{}{} = {}", arguments.empty() ? "" : ", ", name, value);
    };
    for (const abi::RecordField& field : layout->fields) argument(field.name, take_field(reader, field, texts));
    if (const auto port = take_number(reader, "port", 1, 65535)) argument("port", fmt::format("{:.0f}", *port));
    result.simulated = fmt::format("{}({})", simulated->value, arguments);
    return result;
}

}  // namespace anml
