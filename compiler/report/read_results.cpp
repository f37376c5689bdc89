// Reads results files: JSON, of the version that is known here, and as docs/results.schema.json says.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/embedded_files.h"
#include "report/report.h"
#include "report/schema.h"

namespace anml {

namespace {

constexpr int kResultsVersion = 3;

class ResultsReader {
  public:
    ResultsReader(FileId file, const SourceSet& sources, Diagnostics& diagnostics)
        : file_(file), text_(sources.file(file).text), shown_(sources.file(file).path), diagnostics_(diagnostics)
    {
    }

    bool read(const Json& schema, Json& out)
    {
        try {
            out = Json::parse(text_);
        } catch (const Json::parse_error& error) {
            return fail_parse(error);
        }
        if (!out.is_object() || !out.contains("results_version"))
            return report(first_line(),
                          fmt::format("`{}` holds no results of a run: it has no `results_version`", shown_),
                          "emulators write results: ./emu simulate --results r.json");
        if (const Json& version = out["results_version"]; version != kResultsVersion)
            return report(
                find_place(text_, {"results_version"}),
                fmt::format("results of version {}, and this anmlc reads version {}", version.dump(), kResultsVersion),
                "compile the model with this anmlc and run it again");
        if (const auto mismatch = find_mismatch(out, schema))
            return report(clipped(find_place(text_, mismatch->path)), mismatch->message,
                          "docs/results.md says what results hold");
        return check_series(out, {"series"}) && check_live(out);
    }

  private:
    bool fail_parse(const Json::parse_error& error)
    {
        const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
        if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
            return report({0, 0}, fmt::format("`{}` is empty", shown_), "");
        if (text_.find_first_not_of(" \t\r\n", std::min(at, text_.size())) == std::string::npos)
            return report({text_.size(), text_.size()}, fmt::format("`{}` ends before its JSON does", shown_),
                          "was it copied in part?");
        return report({at, at + 1}, "this is not JSON", "results files are JSON: ./emu simulate --results r.json");
    }

    // Arrays by second have an entry for each second.
    bool check_series(const Json& root, const std::vector<std::string>& path)
    {
        const Json* object = &root;
        for (const std::string& step : path)
            object = object->is_array() ? &(*object)[std::stoul(step)] : &(*object)[step];
        std::size_t length = 0;
        std::string first;
        for (const auto& [key, array] : object->items()) {
            if (!array.is_array()) continue;
            if (first.empty()) first = key, length = array.size();
            if (array.size() == length) continue;
            std::vector<std::string> place = path;
            place.push_back(key);
            return report(clipped(find_place(text_, place)),
                          fmt::format("`{}` has {} entries, and `{}` beside it has {}", fmt::join(place, "."),
                                      array.size(), first, length),
                          "");
        }
        return true;
    }

    bool check_live(const Json& root)
    {
        if (root["live"].is_null()) return true;
        const std::size_t endpoints = root["live"]["endpoints"].size();
        for (std::size_t i = 0; i < endpoints; ++i)
            if (!check_series(root, {"live", "endpoints", fmt::to_string(i), "seconds"})) return false;
        return check_series(root, {"live", "seconds"});
    }

    JsonPlace first_line() const { return clipped({0, text_.size()}); }

    // A label under a hundred lines says no more than one under the first.
    JsonPlace clipped(JsonPlace place) const
    {
        return {place.begin, std::min({place.end, text_.find('\n', place.begin), text_.size()})};
    }

    bool report(JsonPlace place, const std::string& message, const std::string& help)
    {
        const Span span{file_, static_cast<std::uint32_t>(place.begin), static_cast<std::uint32_t>(place.end)};
        auto diagnostic = diagnostics_.report(Diag::malformed_results, span, message);
        if (!help.empty()) diagnostic.help(help);
        return false;
    }

    FileId file_;
    const std::string& text_;
    const std::string& shown_;
    Diagnostics& diagnostics_;
};

// Short and unique: "r", "a/r" and "b/r" where there are two of them.
void name_runs(std::vector<RunResults>& runs)
{
    const auto taken = [&](const RunResults& run) {
        return std::count_if(runs.begin(), runs.end(), [&](const RunResults& other) { return other.name == run.name; });
    };
    for (RunResults& run : runs) run.name = std::filesystem::path(run.file).stem().string();
    std::vector<bool> twice;
    for (const RunResults& run : runs) twice.push_back(taken(run) > 1);
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (twice[i]) runs[i].name = runs[i].file;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (const auto same = taken(runs[i]); same > 1) runs[i].name += fmt::format(" ({})", same);
}

}  // namespace

std::optional<std::vector<RunResults>> read_results(const std::vector<std::string>& files, SourceSet& sources,
                                                    Diagnostics& diagnostics)
{
    const Json schema = Json::parse(find_file(results_schema(), "schema"));
    std::vector<RunResults> runs;
    bool good = true;
    for (const std::string& file : files) {
        const std::size_t index = sources.files.size();
        if (!load_file(file, sources, diagnostics)) {
            good = false;
            continue;
        }
        sources.files[index].foreign = true;
        runs.push_back({"", sources.files[index].path, {}});
        good &= ResultsReader(FileId(static_cast<std::uint32_t>(index)), sources, diagnostics)
                    .read(schema, runs.back().data);
    }
    if (!good) return std::nullopt;
    name_runs(runs);
    return runs;
}

}  // namespace anml
