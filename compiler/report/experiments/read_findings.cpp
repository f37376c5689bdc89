// Reads the folder of an experiment: the summary, which fits its schema, and of the results of its runs what there is,
// so that a folder whose runs were thinned out still has a report.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "experiment/run_folder.h"
#include "experiment/statistics/interval.h"
#include "report/experiments/embedded_files.h"
#include "report/experiments/facts.h"
#include "report/experiments/findings.h"
#include "report/schema.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr int kSummaryVersion = 2;
constexpr std::size_t kMostCurves = 400;  // on a page

// Figures of all web workloads of a run together, shown where the experiment does not measure the like itself. Of
// several workloads it cannot: a measure may be of some of them.
struct WholeFigure {
    const char* name;
    const char* unit;
    std::vector<std::string> path;      // in the results
    std::vector<std::string> measured;  // by measures that begin so
};
const std::vector<WholeFigure> kWhole = {
    {"completed per second", "", {"transactions", "per_second"}, {"per_second(", "completed("}},
    {"throughput", "bit/s", {"throughput_bps"}, {"throughput("}},
    {"response time, median", "s", {"response_time_seconds", "median"}, {"p50(", "mean_time("}},
    {"response time, p95", "s", {"response_time_seconds", "p95"}, {"p90(", "p95(", "p99("}},
    {"packet loss", "share", {"packet_loss"}, {}},
};

// Nothing is known of a measure but its name.
std::string_view better(const std::string& name)
{
    for (const char* higher : {"per_second(", "completed(", "throughput("})
        if (name.starts_with(higher)) return "higher";
    if (name == "throughput" || name == "completed per second") return "higher";
    return "lower";
}

class FolderReader {
  public:
    FolderReader(Findings& findings, Diagnostics& diagnostics)
        : findings_(findings), data_(findings.data), diagnostics_(diagnostics)
    {
    }

    bool read()
    {
        const std::string& folder = findings_.folder;
        if (!is_experiment_folder(folder))
            return fail(fmt::format("`{}` is no folder: experiments and runs have reports of their own", folder),
                        "name folders of experiments, or results of runs");
        const auto summary = read_json(folder + "/summary.json"), manifest = read_json(folder + "/experiment.json");
        if (!summary || !manifest || !summary->is_object() || !manifest->is_object())
            return fail(fmt::format("`{}` is no folder of an experiment that has run", folder),
                        "anmlc experiment FILE NAME -o FOLDER makes one");
        if (summary->value("summary_version", Json()) != kSummaryVersion)
            return fail(fmt::format("the summary in `{}` is of version {}, and this anmlc reads version {}", folder,
                                    summary->value("summary_version", Json()).dump(), kSummaryVersion),
                        "run the experiment again: what has run is not run again");
        if (const auto mismatch = find_mismatch(*summary, Json::parse(find_file(findings_files(), "summary-schema"))))
            return fail(fmt::format("{}/summary.json: {}", folder, mismatch->message),
                        "run the experiment again: it is written anew");
        data_ = *summary;
        data_.erase("summary_version");
        data_["name"] = data_["experiment"];
        data_["folder"] = folder;
        data_["mode"] = text_at(*manifest, {"mode"});
        for (Json& measure : data_["measures"]) {
            const auto name = measure["name"].get<std::string>();
            if (name.starts_with("failed(")) measure["unit"] = "share";
            measure["better"] = better(name);
            measure["whole_run"] = false;
        }
        data_["requires"] = Json::array();
        if (!data_.contains("notes")) data_["notes"] = Json::array();
        for (Json& point : data_["points"]) {
            point["verdicts"] = point["failures"] = Json::object();
            points_[point["settings"].dump()] = &point;
        }
        findings_.curves = Json::array();
        for (Json& run : data_["runs"]) read_run(run);
        add_whole_figures();
        for (const auto& [text, requirement] : requirements_)
            data_["requires"].push_back({{"requires", text}, {"met", requirement.first}, {"of", requirement.second}});
        data_["facts"] = make_facts(findings_.folder, data_, *manifest, any_);
        if (without_ > 0)
            data_["notes"].push_back(
                fmt::format("{} of {} runs have no results any more; figures of them are the summary's", without_,
                            data_["runs"].size()));
        return true;
    }

  private:
    bool fail(const std::string& message, const char* help)
    {
        diagnostics_.report(Diag::malformed_results, {}, message).help(help);
        return false;
    }

    void read_run(Json& run)
    {
        const std::string path =
            fmt::format("{}/runs/{}/results.json", findings_.folder, run["name"].get<std::string>());
        run["verdict"] = nullptr;
        run["reasons"] = Json::array();
        const auto results = read_json(path);
        if (!results || !results->is_object()) {
            run["verdict"] = run["status"] == 0 || run["status"] == 99 ? Json(nullptr) : Json("failed");
            without_ += run["verdict"].is_null();
        } else {
            if (const std::string verdict = text_at(*results, {"verdict"}); !verdict.empty()) run["verdict"] = verdict;
            if (const Json* reasons = at_path(*results, {"verdict_reasons"}); reasons && reasons->is_array())
                for (const Json& reason : *reasons)
                    if (reason.is_string()) run["reasons"].push_back(reason);
            try {
                take_results(run, *results);
            } catch (const Json::exception&) {  // of another version, or somebody's
                ++without_;
            }
        }
        const auto point = points_.find(run["settings"].dump());
        if (point == points_.end() || !run["verdict"].is_string()) return;
        Json& count = (*point->second)["verdicts"][run["verdict"].get<std::string>()];
        count = count.is_null() ? 1 : count.get<int>() + 1;
    }

    void take_results(const Json& run, const Json& results)
    {
        if (any_.is_null()) any_ = of_all_runs(results);
        if (const Json* all = at_path(results, {"workloads"})) workloads_ = std::max(workloads_, all->size());
        const std::string settings = run["settings"].dump();
        for (std::size_t i = 0; i < kWhole.size(); ++i)
            if (const Json* value = at_path(results, kWhole[i].path); value && value->is_number()) {
                whole_[settings][i].push_back(value->get<double>());
                whole_seeds_[settings][i].push_back(run["seed"].get<std::uint64_t>());
            }
        if (const Json* causes = at_path(results, {"transactions", "failed_by_cause"}); causes && causes->is_object())
            if (const auto point = points_.find(settings); point != points_.end())
                for (const auto& [cause, number] : causes->items())
                    if (number.is_number_integer() && number > 0) {
                        Json& sum = (*point->second)["failures"][cause];
                        sum = (sum.is_null() ? 0 : sum.get<std::int64_t>()) + number.get<std::int64_t>();
                    }
        for (const Json& threshold : results.value("thresholds", Json::array())) {
            auto& requirement = requirements_[text_at(threshold, {"requires"})];
            requirement.first += threshold.value("met", false);
            ++requirement.second;
        }
        for (const Json& workload : results.value("workloads", Json::array()))
            for (const char* key :
                 {"response_time_seconds", "transfer_time_seconds", "round_trip_seconds", "delay_seconds"})
                if (const Json* points = at_path(workload, {key, "percentiles"});
                    points && points->size() > 1 && findings_.curves.size() < kMostCurves)
                    findings_.curves.push_back(
                        {{"run", run["name"]}, {"workload", workload["name"]}, {"points", *points}});
    }

    static Json of_all_runs(const Json& results)
    {
        return {{"machine", results.value("machine", Json(nullptr))},
                {"versions", results.value("versions", Json(nullptr))},
                {"source", results.value("source", Json(nullptr))},
                {"window", results.value("window", Json(nullptr))}};
    }

    void add_whole_figures()
    {
        for (std::size_t i = 0; i < kWhole.size(); ++i) {
            const Json& measures = data_["measures"];
            const bool measured =
                workloads_ < 2 &&
                std::any_of(
                    measures.begin(), measures.end(),
                    [&](const Json& measure) {
                        const auto& name = measure["name"].get_ref<const std::string&>();
                        return std::any_of(kWhole[i].measured.begin(), kWhole[i].measured.end(),
                                           [&](const std::string& begin) { return name.starts_with(begin); });
                    });
            const bool some = std::any_of(whole_.begin(), whole_.end(), [&](auto& entry) {
                const auto& values = entry.second[i];
                return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
            });
            if (measured || !some) continue;
            data_["measures"].push_back({{"name", kWhole[i].name},
                                         {"unit", kWhole[i].unit},
                                         {"better", better(kWhole[i].name)},
                                         {"whole_run", true}});
            for (auto& [settings, point] : points_)
                (*point)["measures"][kWhole[i].name] = estimate(whole_[settings][i], whole_seeds_[settings][i]);
        }
    }

    static Json estimate(const std::vector<double>& values, const std::vector<std::uint64_t>& seeds)
    {
        const Interval interval = interval_of(values);
        return {{"mean", values.empty() ? Json(nullptr) : Json(interval.mean)},
                {"half_width", interval.half_width ? Json(*interval.half_width) : Json(nullptr)},
                {"degrees", interval.half_width ? Json(interval.degrees) : Json(nullptr)},
                {"batches", nullptr},
                {"missing", values.size() == 1 ? Json("one run") : Json(nullptr)},
                {"values", values},
                {"seeds", seeds}};
    }

    Findings& findings_;
    Json& data_;
    Diagnostics& diagnostics_;
    std::map<std::string, Json*> points_;  // by settings
    std::map<std::string, std::map<std::size_t, std::vector<double>>> whole_;
    std::map<std::string, std::map<std::size_t, std::vector<std::uint64_t>>> whole_seeds_;
    std::map<std::string, std::pair<int, int>> requirements_;  // met, of
    Json any_;                                                 // what one of the runs says of all
    std::size_t without_ = 0;
    std::size_t workloads_ = 0;  // of a run
};

// Their experiments' names, and their folders' where two have the same.
void name_findings(std::vector<Findings>& all)
{
    for (Findings& one : all) one.name = one.data["experiment"].get<std::string>();
    std::vector<bool> twice;
    for (const Findings& one : all)
        twice.push_back(std::count_if(all.begin(), all.end(), [&](const Findings& o) { return o.name == one.name; }) >
                        1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (twice[i]) all[i].name = fs::path(all[i].folder).lexically_normal().string();
        while (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const Findings& o) { return o.name == all[i].name; }))
            all[i].name += " again";
        all[i].data["name"] = all[i].name;
    }
}

}  // namespace

bool is_run_folder(const std::string& path)
{
    std::error_code error;
    return fs::exists(path + "/results.json", error) && fs::is_directory(path, error);
}

bool is_experiment_folder(const std::string& path)
{
    std::error_code error;
    return fs::is_directory(path, error) && !is_run_folder(path);
}

std::optional<std::vector<Findings>> read_findings(const std::vector<std::string>& folders, Diagnostics& diagnostics)
{
    std::vector<Findings> all;
    bool good = true;
    for (const std::string& folder : folders) {
        all.push_back({"", folder, {}, {}});
        good = FolderReader(all.back(), diagnostics).read() && good;
    }
    if (!good) return std::nullopt;
    name_findings(all);
    return all;
}

}  // namespace anml
