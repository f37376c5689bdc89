#include "report/experiments/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/figures.h"

namespace anml {

namespace {

std::string hardware(const Json& of_all)
{
    const Json* memory = at_path(of_all, {"machine", "memory_bytes"});
    const Json* processors = at_path(of_all, {"machine", "processors"});
    if (!memory || !processors || !memory->is_number()) return "";
    return fmt::format(": {}, {} processors {}, {}", text_at(of_all, {"machine", "system"}), processors->dump(),
                       text_at(of_all, {"machine", "processor"}), show_size(memory->get<double>()));
}

}  // namespace

const Json* at_path(const Json& json, const std::vector<std::string>& path)
{
    const Json* value = &json;
    for (const std::string& step : path) {
        if (!value->is_object() || !value->contains(step)) return nullptr;
        value = &(*value)[step];
    }
    return value;
}

std::string text_at(const Json& json, const std::vector<std::string>& path)
{
    const Json* value = at_path(json, path);
    return value && value->is_string() ? value->get<std::string>() : "";
}

Json make_facts(const std::string& folder, const Json& data, const Json& manifest, const Json& of_all)
{
    Json facts = Json::array();
    const auto fact = [&](const char* name, const std::string& text) {
        if (!text.empty()) facts.push_back({{"name", name}, {"text", text}});
    };
    fact("experiment", data["experiment"].get<std::string>());
    fact("model", data["model"].get<std::string>());
    fact("source", text_at(of_all, {"source"}));
    fact("folder", folder);
    fact("mode", text_at(manifest, {"mode"}));
    fact("server", text_at(manifest, {"server"}));
    for (const Json& define : manifest.value("defines", Json::array()))
        if (define.is_string()) fact("parameter", define.get<std::string>());
    if (const auto& runs = data["runs"]; !runs.empty()) {
        std::uint64_t least = ~std::uint64_t{0}, most = 0;
        double seconds = 0;
        for (const Json& run : runs) {
            least = std::min(least, run["seed"].get<std::uint64_t>());
            most = std::max(most, run["seed"].get<std::uint64_t>());
            seconds += run["seconds"].get<double>();
        }
        fact("runs", fmt::format("{}, {:.3g} s together", runs.size(), seconds));
        fact("seeds", least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most));
    }
    const Json* measured = at_path(of_all, {"window", "measured_seconds"});
    const Json* begin = at_path(of_all, {"window", "begin"});
    if (measured && begin && measured->is_number() && begin->is_number())
        fact("measured",
             fmt::format("{:.4g} s of a run, from {:.4g} s on", measured->get<double>(), begin->get<double>()));
    if (const Json* text = at_path(data, {"warmup", "text"}); text && text->is_string())
        fact("warm-up", text->get<std::string>());
    fact("shared", text_at(data, {"shared", "text"}));
    fact("intervals", data["interval"].get<std::string>());
    const std::string runtime = text_at(of_all, {"versions", "runtime"});
    fact("versions", "anmlc " + text_at(manifest, {"anmlc"}) + (runtime.empty() ? "" : ", runtime " + runtime));
    const std::string machine = text_at(manifest, {"machine", "name"});
    fact("machine", fmt::format("{}{}", machine, hardware(of_all)));
    fact("kernel", text_at(manifest, {"machine", "kernel"}));
    return facts;
}

}  // namespace anml
