#include "entry/points/points.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "entry/options/tunables.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

// "" or what is wrong with the line.
std::string read_line(const std::string& line, Point& point, std::vector<std::string>& arguments)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("arguments") || !json["arguments"].is_array())
        return R"(is no {"arguments": [...], "log": "FILE"})";
    for (const Json& word : json["arguments"]) {
        if (!word.is_string()) return "has an argument that is no text";
        arguments.push_back(word);
    }
    if (!json.contains("log")) return "";
    if (!json["log"].is_string() || json["log"].get<std::string>().empty()) return "has a `log` that names no file";
    point.log = json["log"];
    return "";
}

void read_arguments(const abi::Image& image, const std::string& program, const std::vector<std::string>& arguments,
                    Point& point)
{
    point.command = {program, "simulate"};
    point.command.insert(point.command.end(), arguments.begin(), arguments.end());
    auto parsed = parse_options(image, point.command);
    if (Ending* const ending = std::get_if<Ending>(&parsed)) {
        point.wrong = std::move(*ending);
        return;
    }
    point.options = std::move(std::get<Options>(parsed));
    std::string error;
    if (!point.options.points.empty()) {
        point.wrong = Ending{kExitUsage, "", "error: --points: a point has no points of its own\n"};
    } else if (point.options.mpi) {
        point.wrong = Ending{kExitUsage, "", "error: --points: a point is of one process: --mpi is not for it\n"};
    } else if (auto tunables = bind_tunables(image, point.options.settings, error)) {
        point.tunables = std::move(*tunables);
    } else {
        point.wrong = Ending{kExitUsage, "", fmt::format("error: {}\n", error)};
    }
}

// What the point writes; devices take from many.
std::vector<std::string> written(const Point& point)
{
    std::vector<std::string> files{point.log, point.options.results, point.options.connections};
    files.insert(files.end(), point.options.reports.begin(), point.options.reports.end());
    for (const CaptureRequest& capture : point.options.captures) files.push_back(capture.file);
    std::erase_if(files, [](const std::string& file) { return file.empty() || file.starts_with("/dev/"); });
    return files;
}

}  // namespace

std::optional<std::vector<Point>> read_points(const abi::Image& image, const std::string& program,
                                              const std::string& file, std::string& error)
{
    std::vector<Point> points;
    std::ifstream lines(file);
    if (!lines) {
        error = fmt::format("--points {}: {}", file, std::strerror(errno));
        return std::nullopt;
    }
    std::size_t number = 0;
    std::map<std::filesystem::path, std::size_t> writers;  // the line of who has it
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        std::vector<std::string> arguments;
        std::string wrong = points.size() == kMostPoints ? fmt::format("is more than {} points", kMostPoints) : "";
        if (wrong.empty()) wrong = read_line(line, points.emplace_back(), arguments);
        if (!wrong.empty()) {
            error = fmt::format("--points {}: line {} {}", file, number, wrong);
            return std::nullopt;
        }
        read_arguments(image, program, arguments, points.back());
        for (const std::string& name : written(points.back())) {
            const auto [other, fresh] = writers.try_emplace(std::filesystem::path(name).lexically_normal(), number);
            if (fresh) continue;
            error =
                fmt::format("--points {}: line {} writes {}, and so does line {}", file, number, name, other->second);
            return std::nullopt;
        }
    }
    if (lines.bad()) error = fmt::format("--points {}: {}", file, std::strerror(errno));
    if (error.empty() && points.empty()) error = fmt::format("--points {}: it has no points", file);
    if (!error.empty()) return std::nullopt;
    return points;
}

}  // namespace anml::rt::entry
