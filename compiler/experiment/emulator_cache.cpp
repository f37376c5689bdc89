#include "experiment/emulator_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/read_file.h"
#include "experiment/run_folder.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<std::string> hash_of_file(const std::string& path)
{
    std::string bytes;
    if (!read_file(path, std::size_t{1} << 30, Readable::files, bytes).empty()) return std::nullopt;
    return hash_of(bytes);
}

// Size and time of change of the compiler and of what it links with.
Json compiler_of(const std::string& program)
{
    std::vector<fs::path> files{program};
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(program).parent_path() / "../lib/anml", error))
        if (entry.is_regular_file(error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Json all = Json::array();
    for (const fs::path& file : files) {
        const auto size = fs::file_size(file, error);
        const auto time = fs::last_write_time(file, error).time_since_epoch().count();
        all.push_back({file.string(), size, time});
    }
    return all;
}

std::string note_of(const std::string& path) { return path + ".made"; }

}  // namespace

std::vector<std::string> files_of_rule(const std::string& rule)
{
    constexpr std::string_view kBetween = " \\\n  ";
    std::vector<std::string> files;
    for (std::size_t at = rule.find(kBetween); at != rule.npos;) {
        const std::size_t begin = at + kBetween.size();
        at = rule.find(kBetween, begin);
        std::string& file = files.emplace_back();
        const std::size_t end = std::min(at, rule.size() - 1);  // without the end of the line
        for (std::size_t i = begin; i < end; ++i) {
            if ((rule[i] == '\\' || rule[i] == '$') && i + 1 < end) ++i;
            file += rule[i];
        }
    }
    return files;
}

std::optional<std::string> cached_emulator(const std::string& path, const std::vector<std::string>& command)
{
    const auto note = read_json(note_of(path));
    if (!note || !note->is_object() || command.empty()) return std::nullopt;
    if (note->value("command", Json()) != Json(command) || note->value("compiler", Json()) != compiler_of(command[0]))
        return std::nullopt;
    const Json files = note->value("files", Json());
    if (!files.is_object() || files.empty()) return std::nullopt;
    for (const auto& [file, hash] : files.items())
        if (const auto now = hash_of_file(file); !now || hash != *now) return std::nullopt;
    const auto hash = hash_of_file(path);
    if (!hash || note->value("emulator", Json()) != *hash) return std::nullopt;
    return hash;
}

void cache_emulator(const std::string& path, const std::vector<std::string>& command,
                    std::filesystem::file_time_type begun, const std::vector<std::string>& files, const std::string& hash)
{
    Json hashes = Json::object();
    std::error_code error, ignored;
    bool as_read = !files.empty();
    for (const std::string& file : files) {
        const auto of_file = hash_of_file(file);
        as_read &= of_file && fs::last_write_time(file, error) < begun && !error;
        hashes[file] = of_file.value_or("");
    }
    const Json note = {
        {"command", command}, {"compiler", compiler_of(command.at(0))}, {"files", hashes}, {"emulator", hash}};
    if (!as_read || !write_json(note_of(path), note)) fs::remove(note_of(path), ignored);
}

}  // namespace anml
