// A run again, and what differs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "base/files/read_file.h"
#include "commandline/streams.h"
#include "experiment/experiment.h"
#include "experiment/run_folder.h"
#include "experiment/statistics/interval.h"
#include "experiment/status_text.h"
#include "experiment/workers.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

int fail(const std::string& why)
{
    commandline::say(fmt::format("anmlc: {}\n", why));
    return 1;
}

bool run_one(const std::vector<std::string>& command, const std::string& log, const std::string& folder, int& status)
{
    Workers workers;
    if (const std::string wrong = workers.start(0, command, log, folder); !wrong.empty()) {
        commandline::say(fmt::format("anmlc: cannot run `{}` in `{}`: {}\n", command.front(), folder, wrong));
        return false;
    }
    while (true)
        if (const auto ended = workers.wait(1000)) {
            status = ended->status;
            return true;
        }
}

// What a manifest says, which anybody may have changed.
struct Recipe {
    std::string folder, emulator, hash;
    std::vector<std::string> compile, command;
    int status = 0;
};

std::optional<Recipe> read_recipe(const std::string& folder)
{
    const auto manifest = read_json(folder + "/manifest.json");
    if (!manifest) return std::nullopt;
    try {
        Recipe recipe;
        manifest->at("folder").get_to(recipe.folder);
        manifest->at("emulator").get_to(recipe.emulator);
        manifest->at("emulator_hash").get_to(recipe.hash);
        manifest->at("compile").get_to(recipe.compile);
        manifest->at("command").get_to(recipe.command);
        manifest->at("status").get_to(recipe.status);
        if (!recipe.compile.empty() && !recipe.command.empty()) return recipe;
    } catch (const Json::exception&) {
    }
    return std::nullopt;
}

// "": it is there. Where it was removed it is compiled again.
std::string provide_emulator(const Recipe& recipe, const std::string& log)
{
    const fs::path emulator = fs::path(recipe.folder) / recipe.emulator;  // absolute ones stay
    std::error_code error;
    int status = 0;
    if (!fs::exists(emulator, error) && (!run_one(recipe.compile, log, recipe.folder, status) || status != 0))
        return fmt::format("the emulator is gone, and does not compile any more: {}", log);
    std::string bytes;
    if (!read_file(emulator.string(), std::size_t{1} << 30, Readable::files, bytes).empty())
        return fmt::format("cannot read `{}`", emulator.string());
    if (hash_of(bytes) != recipe.hash) std::printf("emulator     another one than before\n");
    return "";
}

bool compare_digests(const Json& before, const Json& after)
{
    const Json old = before.value("digest", Json(nullptr)), digest = after.value("digest", Json(nullptr));
    std::printf("digest       %s%s\n", digest.dump().c_str(),
                digest == old ? ", as before" : fmt::format(", and {} before", old.dump()).c_str());
    return digest == old;
}

void compare_measures(const Json& before, const Json& after)
{
    const Json old = before.value("measures", Json::object()), measures = after.value("measures", Json::object());
    for (const auto& [name, value] : measures.items()) {
        const Json known = old.is_object() ? old.value(name, Json(nullptr)) : Json(nullptr);
        std::printf("%-12s %s%s\n", name.c_str(), value.dump().c_str(),
                    value == known ? ", as before" : fmt::format(", and {} before", known.dump()).c_str());
    }
}

// By measure, of the runs beside this one that had the same settings, and its own.
std::map<std::string, std::vector<double>> repetitions_of(const fs::path& folder)
{
    std::map<std::string, std::vector<double>> values;
    const auto own = read_json(folder / "manifest.json");
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder.parent_path(), error)) {
        const auto manifest = read_json(entry.path() / "manifest.json");
        const auto results = read_json(entry.path() / "results.json");
        if (!own || !manifest || !results || !results->is_object() || !manifest->contains("settings") ||
            (*manifest)["settings"] != (*own)["settings"])
            continue;
        const Json measures = results->value("measures", Json::object());
        for (const auto& [name, value] : measures.items())
            if (value.is_number()) values[name].push_back(value.get<double>());
    }
    return values;
}

// A live run is never the same: whether this one could be another repetition. So many measures may each be outside by
// chance that 99 % are wanted of all together.
bool compare_live(const Json& after, const std::map<std::string, std::vector<double>>& repetitions)
{
    bool alike = true;
    const Json measures = after.value("measures", Json::object());
    for (const auto& [name, value] : measures.items()) {
        const auto found = repetitions.find(name);
        if (!value.is_number() || found == repetitions.end()) {
            std::printf("%-20s %s, and nothing to compare it with\n", name.c_str(), value.dump().c_str());
            continue;
        }
        const std::vector<double>& before = found->second;
        const double mean = interval_of(before).mean, now = value.get<double>();
        const auto half = prediction_half_width(before, 1 - 0.01 / static_cast<double>(measures.size()));
        const double more = mean != 0 ? 100 * (now - mean) / mean : 0;
        std::string text = fmt::format("{:.4g}, {:+.1f} % from {:.4g}", now, more, mean);
        if (half) {
            const bool inside = std::fabs(now - mean) <= *half;
            text += fmt::format(", the mean of {} repetitions: {} ± {:.2g}, where another one would lie", before.size(),
                                inside ? "within" : "outside", *half);
            alike = alike && inside;
        } else {
            text += ", the one run before: how far runs differ nobody knows";
        }
        std::printf("%-20s %s\n", name.c_str(), text.c_str());
    }
    return alike;
}

}  // namespace

int rerun(const std::string& given)
{
    const std::string folder = fs::absolute(given).lexically_normal().string();
    const auto recipe = read_recipe(folder);
    const auto before = read_json(folder + "/results.json");
    if (!recipe || !before || !before->is_object())
        return fail(
            fmt::format("`{}` is no folder of a run that has ended: FOLDER/runs/NAME of an experiment is", given));
    std::error_code error;
    const std::string again = folder + "/again", results = again + "/results.json";
    fs::remove_all(again, error);
    fs::create_directories(again, error);
    if (error) return fail(fmt::format("cannot make `{}`: {}", again, error.message()));
    if (const std::string wrong = provide_emulator(*recipe, again + "/compile.log"); !wrong.empty()) return fail(wrong);
    std::vector<std::string> words = recipe->command;
    words.insert(std::find(words.begin(), words.end(), "--sandbox"), {"--results", results});
    int status = 0;
    if (!run_one(words, again + "/log", recipe->folder, status)) return 1;
    const auto after = read_json(results);
    if (!after || !after->is_object()) return fail(fmt::format("the run {}: {}/log", status_text(status), again));
    const bool simulated = std::find(words.begin(), words.end(), "simulate") != words.end();
    bool same = status == recipe->status || !simulated;
    if (!simulated) {
        const Json verdict = after->value("verdict", Json(nullptr)), old = before->value("verdict", Json(nullptr));
        std::printf("%-20s %s, and %s before\n", "verdict", verdict.dump().c_str(), old.dump().c_str());
        if (!compare_live(*after, repetitions_of(folder))) same = false;
        return same ? 0 : 1;
    }
    if (status != recipe->status) std::printf("exit status  %d, and %d before\n", status, recipe->status);
    if (!compare_digests(*before, *after)) same = false;
    compare_measures(*before, *after);
    return same ? 0 : 1;
}

}  // namespace anml
