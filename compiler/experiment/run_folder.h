// The folders of runs, which outlive the program: what has ended is not run again.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace anml {

using Settings = std::vector<std::pair<std::string, std::string>>;  // factor, level

// What a run is.
struct RunSpec {
    Settings settings;  // of all factors
    std::size_t repetition = 1;
    std::uint64_t seed = 1;
    std::string emulator;              // path
    std::string emulator_hash;         // of its bytes: what it is made of besides the model's text may have changed
    std::vector<std::string> compile;  // the command that made it
    std::vector<std::string> command;  // that runs it, but for --results
    bool pilot = false;                // it is in `pilots/` of the folder, and no other's repetition
};

// What came of it.
struct RunOutcome {
    int status = 0;  // exit status: 0, or 99 where thresholds were not met
    bool met = true;
    bool judged = true;  // false: not met, because too little was measured
    bool asked = false;  // something is required
    double seconds = 0;
    std::string digest;
    std::vector<std::optional<double>> values;                // by measure
    std::vector<std::vector<std::optional<double>>> batches;  // by measure, of parts of the run
    std::string verdict;                                      // of live runs: "kept up"
    double shared = 0;                                        // s of its beginning that others have had with it
    bool good() const { return status == 0 || status == 99; }
};

// "clients=10,load=3/s,2": of characters that every file system has.
std::string run_name(const Settings& settings, std::size_t repetition);
// Where it lies in the folder of its experiment.
std::string run_folder(const std::string& experiment, const RunSpec& run);

nlohmann::ordered_json manifest_of(const RunSpec& run);
// Of a run that has ended with this manifest; nothing: it has not.
std::optional<RunOutcome> read_run(const std::string& folder, const nlohmann::ordered_json& manifest,
                                   const std::vector<std::string>& measures);
// What came of a run whose results lie in the folder.
RunOutcome read_outcome(const std::string& folder, int status, const std::vector<std::string>& measures);

std::string hash_of(std::string_view bytes);  // FNV-1a, 64 bits
std::optional<nlohmann::ordered_json> read_json(const std::string& path);
bool write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace anml
