// Attributes that `anmlc graph` writes, as the text of attributes in ANML. Nothing else of the file gets into the text:
// numbers are read, and the few distributions by their names.
#include "import/link_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "elaborate/value.h"
#include "import/link_attributes.h"

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

struct Detail {
    const char* name;
    Dimension dim;
    double unit, most;  // of a number in the file, canonical; the greatest value in that unit
};
constexpr double kMillisecond = 1e6, kHour = 3.6e6;  // ns; ms
constexpr Detail kDetails[] = {
    {"loss", dimension::none, 1, 1},
    {"corrupt", dimension::none, 1, 1},
    {"duplicate", dimension::none, 1, 1},
    {"reorder", dimension::none, 1, 1},
    {"jitter", dimension::time, kMillisecond, kHour},
    {"reorder_delay", dimension::time, kMillisecond, kHour},
    {"cost", dimension::none, 1, 1e9},
};

std::optional<double> number_in(const ForeignAttribute* a, double least, double most)
{
    const auto value = a ? read_number(a->value) : std::nullopt;
    return value && *value >= least && *value <= most ? value : std::nullopt;
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

}  // namespace

LinkDetails read_link_details(const TakeAttribute& take, const std::string& suffix, double queue)
{
    LinkDetails result;
    for (const Detail& d : kDetails) {
        if (const auto value = number_in(take(d.name + suffix), 0, d.most))
            result[d.name] = exact_quantity(*value * d.unit, d.dim);
        const ForeignAttribute* drawn = take(d.name + suffix + "_drawn");
        if (drawn && is_distribution_text(drawn->value, d.dim)) result[d.name] = drawn->value;
    }
    if (const ForeignAttribute* order = take("in_order" + suffix))
        result["in_order"] = order->value == "false" ? "false" : "true";
    if (const auto packets = number_in(take("queue_packets" + suffix), 1, 65535))
        result["queue"] =
            fmt::format("droptail_packets({:.0f}, capacity = {})", *packets, exact_quantity(queue, dimension::size));
    return result;
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

NodeDetails read_node_details(const TakeAttribute& take)
{
    NodeDetails result;
    const ForeignAttribute *set = take("address_set"), *address = take("address");
    if (set && set->value == "true" && address) result.address = read_address(address->value);
    const ForeignAttribute* simulated = take("simulated");
    if (!simulated || simulated->value != "web.server") return result;
    result.has_server = true;
    const auto argument = [&](std::string_view name, const std::string& value) {
        result.simulated += fmt::format("{}{} = {}", result.simulated.empty() ? "" : ", ", name, value);
    };
    if (const auto service = number_in(take("service"), 0, kHour))
        argument("service", exact_quantity(*service * kMillisecond, dimension::time));
    const ForeignAttribute* drawn = take("service_drawn");
    if (drawn && is_distribution_text(drawn->value, dimension::time)) argument("service", drawn->value);
    if (const auto workers = number_in(take("workers"), 0, 1e6)) argument("workers", fmt::format("{:.0f}", *workers));
    const ForeignAttribute* close = take("close");
    if (close && close->value == "at_once") argument("close", "at_once");
    if (const auto port = number_in(take("port"), 1, 65535)) argument("port", fmt::format("{:.0f}", *port));
    return result;
}

}  // namespace anml
