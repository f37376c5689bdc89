// What is to be run, for engines that anmlc does not know.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commandline/whole_file.h"
#include "experiment/launch/launcher.h"

namespace anml {

namespace {

constexpr std::string_view kSnakefile =
    R"(# The runs of plan.jsonl, each a job: snakemake -s launch/Snakefile -d . --cores 4, in the experiment's folder.
import json, os

with open(os.path.join(os.path.dirname(workflow.snakefile), "plan.jsonl")) as file:
    PLAN = {run["id"]: run for run in map(json.loads, file)}

wildcard_constraints:
    id = "[^/]+"

rule all:
    input: [path for run in PLAN.values() for path in run["outputs"]]

rule one_run:
    input: lambda wildcards: PLAN[wildcards.id]["inputs"]
    output: "runs/{id}/results.json", "runs/{id}/manifest.json"
    threads: 1
    shell: "sh launch/run.sh {wildcards.id}"
)";

}  // namespace

std::string write_plan(const std::string& folder, const std::vector<LaunchedRun>& runs)
{
    std::string lines;
    for (const LaunchedRun& run : runs) {
        const std::string own = "runs/" + run.name;
        const nlohmann::ordered_json line = {
            {"id", run.name},
            {"command", {"sh", "launch/run.sh", run.name}},
            {"inputs", {"launch/run.sh", run.emulator, own + "/prepared", own + "/command"}},
            {"outputs", {own + "/results.json", own + "/manifest.json"}}};
        lines += line.dump() + "\n";
    }
    const std::string own = folder + "/launch/";
    if (!commandline::write_whole(own + "Snakefile", kSnakefile) ||
        !commandline::write_whole(own + "plan.jsonl", lines))
        return fmt::format("cannot write in `{}`: {}", own, std::strerror(errno));
    return "";
}

void remove_plan(const std::string& folder)
{
    std::error_code ignored;
    for (const char* name : {"/launch/plan.jsonl", "/launch/Snakefile"})
        std::filesystem::remove(folder + name, ignored);
}

}  // namespace anml
