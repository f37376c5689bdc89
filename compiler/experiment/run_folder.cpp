#include "experiment/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/files/read_file.h"
#include "commandline/whole_file.h"

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargest = std::size_t{1} << 30;  // bytes of results

bool in_file_names(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("=,.+-_").find(c) != std::string_view::npos;
}

}  // namespace

std::string hash_of(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

std::string run_name(const Settings& settings, std::size_t repetition)
{
    std::string name;
    bool ambiguous = false;  // another level may be the same name
    for (const auto& [factor, level] : settings) {
        name += fmt::format("{}={},", factor, level);
        ambiguous |= std::any_of(level.begin(), level.end(), [](char c) {
            return c != ' ' && (c == '_' || c == ',' || c == '=' || !in_file_names(c));
        });
    }
    if (ambiguous) name += hash_of(name).substr(0, 8) + ",";
    constexpr std::size_t kLongest = 180;
    if (name.size() > kLongest) {
        name = fmt::format("{}...{},", name.substr(0, kLongest - 40), hash_of(name));
    }
    for (char& c : name)
        if (!in_file_names(c)) c = '_';
    return fmt::format("{}{}", name, repetition);
}

std::string run_folder(const std::string& experiment, const RunSpec& run)
{
    return fmt::format("{}/{}/{}", experiment, run.pilot ? "pilots" : "runs", run_name(run.settings, run.repetition));
}

Json manifest_of(const RunSpec& run)
{
    Json settings = Json::object();
    for (const auto& [factor, level] : run.settings) settings[factor] = level;
    return {{"settings", settings},     {"repetition", run.repetition},       {"seed", run.seed},
            {"emulator", run.emulator}, {"emulator_hash", run.emulator_hash}, {"compile", run.compile},
            {"command", run.command}};
}

std::optional<Json> read_json(const std::string& path)
{
    std::string text;
    if (!read_file(path, kLargest, Readable::files, text).empty()) return std::nullopt;
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

bool write_json(const std::string& path, const Json& json)
{
    return commandline::write_whole(path, json.dump(2) + "\n");
}

RunOutcome read_outcome(const std::string& folder, int status, const std::vector<std::string>& measures)
{
    RunOutcome outcome;
    outcome.status = status;
    outcome.values.resize(measures.size());
    outcome.batches.resize(measures.size());
    const auto results = read_json(folder + "/results.json");
    if (!results || !results->is_object()) {
        if (outcome.good()) outcome.status = 1;  // it says nothing
        return outcome;
    }
    outcome.digest = results->value("digest", "");
    outcome.verdict = results->value("verdict", "");
    if (const auto shared = results->find("shared"); shared != results->end() && shared->is_object())
        outcome.shared = shared->value("seconds", 0.0);
    if (const auto found = results->find("measures"); found != results->end())
        for (std::size_t i = 0; i < measures.size(); ++i)
            if (const auto value = found->find(measures[i]); value != found->end() && value->is_number())
                outcome.values[i] = value->get<double>();
    const Json parts = results->value("batches", Json::object());
    const Json batches = parts.is_object() ? parts.value("measures", Json::object()) : Json::object();
    for (std::size_t i = 0; i < measures.size(); ++i)
        if (const auto values = batches.find(measures[i]); values != batches.end() && values->is_array())
            for (const Json& value : *values)
                outcome.batches[i].push_back(value.is_number() ? std::optional(value.get<double>()) : std::nullopt);
    bool unmet = false;
    if (const auto found = results->find("thresholds"); found != results->end())
        for (const Json& threshold : *found) {
            const bool met = threshold.value("met", false);
            unmet |= !met && threshold.value("judged", true);
            outcome.met &= met;
            outcome.asked = true;
        }
    outcome.judged = outcome.met || unmet;
    return outcome;
}

std::optional<RunOutcome> read_run(const std::string& folder, const Json& manifest,
                                   const std::vector<std::string>& measures)
{
    const auto ended = read_json(folder + "/manifest.json");
    if (!ended || !ended->is_object() || !ended->contains("status")) return std::nullopt;
    for (const auto& [key, value] : manifest.items())
        if (!ended->contains(key) || (*ended)[key] != value) return std::nullopt;
    RunOutcome outcome = read_outcome(folder, (*ended)["status"].get<int>(), measures);
    outcome.seconds = ended->value("seconds", 0.0);
    if (!outcome.good()) return std::nullopt;
    return outcome;
}

}  // namespace anml
