#include "entry/control/ctl_tables.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "abi/image.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

std::string rate(double bits)
{
    if (bits < 1) return "0 bps";
    const double step = std::pow(10.0, std::floor(std::log10(bits)) - 2);  // three digits
    return format_quantity(std::round(bits / step) * step, abi::Unit::rate);
}

std::string time(double seconds) { return format_quantity(seconds * 1e9, abi::Unit::time); }

// "10 Mbps", or both directions where they differ.
template <class Format>
std::string both(const Json& values, Format&& format)
{
    const std::string there = format(values[0]), back = format(values[1]);
    return there == back ? there : fmt::format("{} > {} <", there, back);
}

std::string list_table(const Json& json)
{
    std::string out = fmt::format("{}, process {}, ", json["model"].get<std::string>(), json["pid"].get<int>());
    if (json["seconds"].is_null())
        out += "waiting for the servers\n";
    else
        out += fmt::format("{:.1f} s of {}\n", json["seconds"].get<double>(),
                           time(json["duration_seconds"].get<double>()));
    for (const Json& endpoint : json["endpoints"])
        out += fmt::format("endpoint  {:<24} {}{}\n", endpoint["name"].get<std::string>(),
                           endpoint["address"].get<std::string>(),
                           endpoint["attached"].get<bool>() ? ", attached" : ", simulated");
    for (const Json& workload : json["workloads"])
        out += fmt::format("workload  {:<24} {}{}\n", workload["name"].get<std::string>(),
                           workload["on"].get<bool>() ? "on" : "off",
                           workload["on"].get<bool>() && workload["active"].get<double>() < 1
                               ? fmt::format(", {:.6g} % of its hosts", 100 * workload["active"].get<double>())
                               : "");
    for (const Json& tunable : json["tunables"])
        out +=
            fmt::format("tunable   {} = {}\n", tunable["name"].get<std::string>(), tunable["value"].get<std::string>());
    for (const Json& link : json["links"]) {
        std::string name = link["name"];
        if (link["array"].get<bool>()) name += fmt::format("[{}]", link["count"].get<std::uint64_t>());
        out += fmt::format("link      {:<24} {} {} {}, {}, {}\n", name, link["from"].get<std::string>(),
                           link["one_way"].get<bool>() ? "->" : "--", link["to"].get<std::string>(),
                           both(link["rate_bps"], rate), both(link["delay_seconds"], time));
    }
    for (const Json& link : json["changing"])
        out += fmt::format("now       {:<24} {}, {}, {}\n", link["name"].get<std::string>(),
                           link["up"].get<bool>() ? "up" : "down", both(link["rate_bps"], rate),
                           both(link["delay_seconds"], time));
    for (const Json& change : json["changes"])
        out += fmt::format("changed   {:<24} {}\n", fmt::format("{:.3f} s", change["seconds"].get<double>()),
                           change["what"].get<std::string>());
    return out;
}

std::string watch_table(const Json& json)
{
    std::string out =
        json["seconds"].is_null() ? "waiting for the servers" : fmt::format("{:.1f} s", json["seconds"].get<double>());
    out += fmt::format("  {} tx/s, {} failed/s  slip p99 {}, max {}  busy {:.0f} %\n",
                       json["completed"].get<std::uint64_t>(), json["failed"].get<std::uint64_t>(),
                       time(json["slip_p99_seconds"].get<double>()), time(json["slip_max_seconds"].get<double>()),
                       100 * json["busy"].get<double>());
    if (json["warming_up"].get<bool>()) out += "  warming up: what links carry is not counted yet\n";
    for (const Json& link : json["links"]) {
        const Json& utilisation = link["utilisation"];
        const std::string share =
            utilisation.is_null() ? "    -" : fmt::format("{:3.0f} %", 100 * utilisation.get<double>());
        const auto per_second = [&](const char* key, const char* word) {
            const double events = link[key].get<double>();
            return events > 0 ? fmt::format("  {:.0f} {}/s", events, word) : "";
        };
        out += fmt::format("  {:<24} {:>12} {}  queue {:>9}{}{}{}\n", link["name"].get<std::string>(),
                           rate(link["bits_per_second"].get<double>()), share,
                           format_quantity(link["waiting_bytes"].get<double>(), abi::Unit::size),
                           per_second("dropped_per_second", "dropped"), per_second("lost_per_second", "lost"),
                           link["up"].get<bool>() ? "" : "  down");
    }
    return out;
}

std::string change_table(const Json& json)
{
    std::string out = fmt::format("at {:.3f} s: {}\n", json["seconds"].get<double>(), json["what"].get<std::string>());
    if (json["note"].is_string()) out += json["note"].get<std::string>() + "\n";
    return out;
}

}  // namespace

std::string refusal_in(const std::string& line)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return "the run's answer is no answer; is it of another version?";
    return json.contains("error") ? json["error"].get<std::string>() : "";
}

std::string table_of(std::string_view verb, const std::string& line)
{
    try {
        const Json json = Json::parse(line);
        return verb == "list" ? list_table(json) : verb == "watch" ? watch_table(json) : change_table(json);
    } catch (const Json::exception&) {  // another version's
        return line + "\n";
    }
}

}  // namespace anml::rt::entry
