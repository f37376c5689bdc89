#include "experiment/launch/slurm_submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/files/read_file.h"
#include "experiment/run_folder.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

}  // namespace

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

bool is_job(const std::string& text)
{
    const auto end = std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    return end != text.begin() && (end == text.end() || *end == ';');
}

const SlurmTask* Submission::task(std::size_t index) const
{
    const auto at = tasks.find(index);
    return at == tasks.end() ? nullptr : &at->second;
}

bool Submission::may_live() const
{
    return !over && (unheard_since > 0 || std::any_of(tasks.begin(), tasks.end(),
                                                      [](const auto& task) { return !task.second.has_ended(); }));
}

std::vector<std::string> Submission::command(const char* tool) const
{
    std::vector<std::string> words{tool};
    if (const auto cluster = job.find(';'); cluster != std::string::npos)
        words.push_back("--clusters=" + job.substr(cluster + 1));
    return words;
}

void read_submissions(const std::string& path, std::vector<Submission>& into)
{
    const auto record = read_json(path);
    if (!record || !record->is_array()) return;
    for (const Json& entry : *record) {
        if (!entry.is_object() || !entry.contains("job") || !entry.contains("names") || !entry["job"].is_string() ||
            !entry["names"].is_string())
            continue;
        Submission one;
        one.number = fs::path(entry["names"].get<std::string>()).stem().string();
        one.job = entry["job"].get<std::string>();
        if (entry.contains("each") && entry["each"].is_number_unsigned())
            one.each = std::max<std::size_t>(1, entry["each"].get<std::size_t>());
        if (std::any_of(into.begin(), into.end(), [&](const Submission& known) { return known.number == one.number; }))
            continue;
        std::string text;
        read_file((fs::path(path).parent_path() / (one.number + ".names")).string(), std::size_t{1} << 30,
                  Readable::files, text);
        for (std::string& name : lines_of(text)) one.add(std::move(name));
        into.push_back(std::move(one));
    }
}

std::string write_submissions(const std::string& path, const std::vector<Submission>& submissions)
{
    Json record = Json::array();
    for (const Submission& one : submissions)
        if (!one.over) record.push_back({{"job", one.job}, {"names", one.number + ".names"}, {"each", one.each}});
    if (write_json(path, record)) return "";
    return fmt::format("cannot write `{}`: {}", path, std::strerror(errno));
}

}  // namespace anml
