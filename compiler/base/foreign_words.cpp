#include "base/foreign_words.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/diagnostics.h"
#include "base/values/quantity.h"
#include "common/ascii.h"

namespace anml {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr Pair kWords[] = {
    // attributes
    {"bandwidth", "rate"},
    {"bw", "rate"},
    {"speed", "rate"},
    {"datarate", "rate"},
    {"throughput", "rate"},
    {"latency", "delay"},
    {"propagation", "delay"},
    {"buffer", "queue"},
    {"ip", "address"},
    {"addr", "address"},
    {"ip_address", "address"},
    {"url", "path"},
    {"destination", "to"},
    {"target", "to"},
    {"dst", "to"},
    {"length", "duration"},
    {"time", "duration"},
    {"subnet", "pool"},
    {"network", "pool"},
    {"prefix", "pool"},
    // types
    {"integer", "int"},
    {"Integer", "int"},
    {"uint", "int"},
    {"long", "int"},
    {"float", "number"},
    {"double", "number"},
    {"real", "number"},
    {"boolean", "bool"},
    {"str", "string"},
    {"text", "string"},
    {"duration", "time"},
    {"bytes", "size"},
    {"bandwidth", "rate"},
    {"ipv4", "address"},
    {"cidr", "prefix"},
    {"distance", "length"},
    {"percent", "ratio"},
    {"probability", "ratio"},
    // functions
    {"length", "len"},
    {"size", "len"},
    {"count", "len"},
    // kinds of nodes
    {"client", "host"},
    {"pc", "host"},
    {"computer", "host"},
    {"workstation", "host"},
    {"machine", "host"},
    {"node", "host"},
    {"server", "endpoint"},
    {"hub", "switch"},
    {"bridge", "switch"},
    {"gateway", "router"},
    {"edge", "link"},
    {"connection", "link"},
    {"traffic", "workload"},
    {"assert", "require"},
    {"var", "let"},
    {"const", "let"},
    {"def", "component"},
    {"class", "component"},
    {"module", "component"},
    {"struct", "schema"}};

constexpr Pair kFamiliarUnits[] = {
    {"sec", "s"},       {"secs", "s"},          {"second", "s"},        {"seconds", "s"},      {"msec", "ms"},
    {"msecs", "ms"},    {"millis", "ms"},       {"milliseconds", "ms"}, {"usec", "us"},        {"usecs", "us"},
    {"micros", "us"},   {"microseconds", "us"}, {"nsec", "ns"},         {"nanoseconds", "ns"}, {"minute", "min"},
    {"minutes", "min"}, {"mins", "min"},        {"hour", "h"},          {"hours", "h"},        {"hr", "h"},
    {"byte", "B"},      {"bytes", "B"},         {"octets", "B"},        {"meter", "m"},        {"meters", "m"},
    {"metres", "m"},    {"kilometers", "km"},   {"kilometres", "km"},   {"percent", "%"}};

}  // namespace

std::string_view foreign_word(std::string_view seen, const std::vector<std::string_view>& candidates)
{
    for (const auto& [word, ours] : kWords) {
        if (word != seen) continue;
        const auto found = std::find(candidates.begin(), candidates.end(), ours);
        if (found != candidates.end()) return *found;
    }
    return {};
}

std::string_view meant_name(std::string_view seen, const std::vector<std::string_view>& candidates)
{
    const std::string_view word = foreign_word(seen, candidates);
    return word.empty() ? similar_name(seen, candidates) : word;
}

std::string_view meant_unit(std::string_view seen)
{
    const std::string word = lower_case(seen);
    for (const auto& [theirs, ours] : kFamiliarUnits)
        if (theirs == word) return ours;
    for (std::string_view unit : {"ns", "us", "ms", "s", "min", "h", "m", "km"})
        if (unit == word && seen != unit) return unit;
    return {};
}

}  // namespace anml
