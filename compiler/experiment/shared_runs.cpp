#include "experiment/shared_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "commandline/whole_file.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The command but for the tunables' values.
std::vector<std::string> without_settings(const std::vector<std::string>& command)
{
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < command.size(); ++i)
        if (command[i] == "--set")
            ++i;
        else
            rest.push_back(command[i]);
    return rest;
}

}  // namespace

std::vector<std::vector<std::size_t>> runs_together(const std::vector<RunSpec>& specs,
                                                    const std::vector<std::size_t>& runs)
{
    std::map<std::vector<std::string>, std::size_t> known;
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t run : runs) {
        const auto [at, fresh] = known.try_emplace(without_settings(specs[run].command), groups.size());
        if (fresh) groups.emplace_back();
        groups[at->second].push_back(run);
    }
    return groups;
}

SharedRuns::SharedRuns(std::string folder, std::size_t number, std::vector<std::size_t> runs)
    : path_(fmt::format("{}/points-{}", folder, number)), runs_(std::move(runs)), left_(runs_)
{
}

SharedRuns::~SharedRuns()
{
    std::error_code ignored;
    for (const std::string& file : {path_, said()}) fs::remove(file, ignored);
}

std::string SharedRuns::write(const std::vector<Point>& points) const
{
    std::string lines;
    for (const Point& point : points) {
        // Behind the emulator and its command.
        const std::vector<std::string> arguments(point.command.begin() + 2, point.command.end());
        lines += Json{{"arguments", arguments}, {"log", point.log}}.dump() + "\n";
    }
    return commandline::write_whole(path_, lines) ? "" : fmt::format("cannot write `{}`", path_);
}

std::vector<std::string> SharedRuns::command(const std::string& emulator, unsigned jobs) const
{
    return {emulator, "simulate", "--points", path_, "--jobs", std::to_string(jobs)};
}

std::vector<SharedRuns::Ended> SharedRuns::ended()
{
    std::ifstream file(said());
    file.seekg(static_cast<std::streamoff>(read_));
    std::ostringstream fresh;
    fresh << file.rdbuf();
    const std::string text = fresh.str();
    const std::size_t whole = text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1;
    read_ += whole;
    std::vector<Ended> all;
    std::istringstream lines(text.substr(0, whole));
    for (std::string line; std::getline(lines, line);) {
        const Json json = Json::parse(line, nullptr, false);  // others are for people
        if (!json.is_object()) continue;
        const std::size_t point = json.value("point", runs_.size());
        if (point >= runs_.size() || std::erase(left_, runs_[point]) == 0) continue;
        all.push_back({runs_[point], json.value("status", 1), json.value("seconds", 0.0)});
    }
    return all;
}

}  // namespace anml
