#include "entry/options/changes_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

namespace anml::rt::entry {

namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr double kLatest = 1e9;  // s, thirty years

std::optional<std::string> text_of(const std::string& path, std::string& error)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
    struct stat about;
    if (!file || fstat(fileno(file.get()), &about) != 0)
        error = std::strerror(errno);
    else if (!S_ISREG(about.st_mode))
        error = "it is no file";
    else if (static_cast<std::size_t>(about.st_size) > kLargestFile)
        error = "it is too large";
    if (!error.empty()) return std::nullopt;
    std::string text(static_cast<std::size_t>(about.st_size), '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    return text;
}

// "" or what is wrong with it.
std::string read_change(const nlohmann::json& json, WordedChange& change)
{
    if (!json.is_object() || !json.contains("seconds") || !json.contains("what")) return "has no `seconds` and `what`";
    if (!json["seconds"].is_number() || !json["what"].is_string()) return "takes a number and a text";
    const double seconds = json["seconds"];
    if (!(seconds >= 0 && seconds <= kLatest)) return fmt::format("cannot be at {} s", seconds);
    change = {std::llround(seconds * kSecond), json["what"]};
    return "";
}

}  // namespace

std::optional<std::vector<WordedChange>> read_changes(const std::string& path, std::string& error)
{
    const auto failed = [&](const std::string& what) {
        error = fmt::format("--changes {}: {}", path, what);
        return std::nullopt;
    };
    std::string why;
    const std::optional<std::string> text = text_of(path, why);
    if (!text) return failed(why);
    const nlohmann::json all = nlohmann::json::parse(*text, nullptr, false);
    const nlohmann::json* list = all.is_object() && all.contains("changes") ? &all["changes"] : &all;
    if (!list->is_array()) return failed("it is neither a results file nor a list of changes");
    std::vector<WordedChange> changes;
    for (const nlohmann::json& entry : *list) {
        why = read_change(entry, changes.emplace_back());
        if (why.empty() && changes.size() > 1 && changes.back().time < changes[changes.size() - 2].time)
            why = "is earlier than the one before it";
        if (!why.empty()) return failed(fmt::format("change {} {}", changes.size(), why));
    }
    return changes;
}

}  // namespace anml::rt::entry
