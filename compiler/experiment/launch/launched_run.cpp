// What a run needs to run elsewhere.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/files/read_file.h"
#include "commandline/whole_file.h"
#include "experiment/launch/embedded_files.h"
#include "experiment/launch/launcher.h"
#include "experiment/run_folder.h"
#include "experiment/workers.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPrepared = std::size_t{1} << 20;  // bytes of what is prepared
constexpr std::size_t kMostSaid = std::size_t{1} << 28;      // bytes of what all runs of a submission say

// A file that says the same already stays as old as it is: engines compare times.
bool keep_or_write(const std::string& path, const std::string& text)
{
    std::string before;
    if (read_file(path, kMostPrepared, Readable::files, before).empty() && before == text) return true;
    return commandline::write_whole(path, text);
}

// Without the closing brace: the first bytes of the manifest.
std::string prepared(const RunSpec& spec)
{
    const std::string all = manifest_of(spec).dump(2);
    return all.substr(0, all.rfind('\n')) + ",\n";
}

std::string shell_command(const RunSpec& spec, const std::string& emulator)
{
    std::string text = "exec " + shell_word(emulator);
    for (std::size_t i = 1; i < spec.command.size(); ++i) text += " " + shell_word(spec.command[i]);
    return text + " --results \"$1\"\n";
}

}  // namespace

double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string shell_word(const std::string& word)
{
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string write_run_script(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder + "/launch", error);
    const std::string path = folder + "/launch/run.sh";
    const std::string text = fmt::format(
        "#!/bin/sh\n# sh launch/run.sh NAME...: runs of this experiment, by their folders below runs/.\n#\n{}",
        run_script_files().front().text);
    const std::string from = "\nset -u\n", here = Json(fs::current_path().string()).dump();
    std::string whole = text;
    whole.insert(text.find(from) + from.size(), fmt::format("folder={}  # that of the command\n", shell_word(here)));
    if (error || !keep_or_write(path, whole))
        return fmt::format("cannot write `{}`: {}", path, error ? error.message() : std::strerror(errno));
    return "";
}

bool prepare_run(const std::string& folder, const RunSpec& spec, LaunchedRun& run)
{
    run.name = run_name(spec.settings, spec.repetition);
    run.emulator = "emulators/" + fs::path(spec.emulator).filename().string();
    const std::string own = fmt::format("{}/runs/{}", folder, run.name);
    std::error_code error;
    fs::create_directories(own, error);
    if (error) return errno = error.value(), false;
    if (!keep_or_write(own + "/prepared", prepared(spec)) ||
        !keep_or_write(own + "/command", shell_command(spec, run.emulator)))
        return false;
    fs::remove(own + "/manifest.json", error);
    return true;
}

std::string next_submission(const std::string& folder)
{
    for (unsigned number = 1;; ++number) {
        const std::string path = fmt::format("{}/launch/{}", folder, number);
        const int file = open((path + ".names").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) close(file);
        if (file >= 0 || errno != EEXIST) return path;  // else what is written there fails and says why
    }
}

int run_tool(const std::vector<std::string>& command, const std::string& folder, std::string& said)
{
    const std::string log = fmt::format("{}/launch/tool.{}", folder, getpid());
    Workers workers;
    said = workers.start(0, command, log);
    if (!said.empty()) return -1;
    int status = -1;
    while (workers.running() > 0)
        if (const auto ended = workers.wait(1000)) status = ended->status;
    const std::string unread = read_file(log, kMostSaid, Readable::files, said);
    std::error_code ignored;
    fs::remove(log, ignored);
    return unread.empty() ? status : -1;
}

std::string sign_of_life(const std::string& folder, const std::string& run)
{
    std::string sign;
    std::error_code ignored;
    for (unsigned n = 1;; ++n) {
        const std::string claim = fmt::format("{}/runs/{}/claim.{}", folder, run, n);
        if (!fs::is_directory(claim, ignored)) return sign;
        std::string alive;
        read_file(claim + "/alive", kMostPrepared, Readable::files, alive);
        sign = fmt::format("{}:{}", n, without_end(std::move(alive)));
    }
}

std::string without_end(std::string text)
{
    text.erase(text.find_last_not_of(" \r\n") + 1);
    return text;
}

std::string last_lines_of(const std::string& path)
{
    constexpr std::size_t kLines = 5, kBytes = 1000;
    std::string text;
    read_file(path, kMostSaid, Readable::files, text);
    text = without_end(std::move(text));
    std::size_t begin = text.size();
    for (std::size_t lines = 0; lines < kLines && begin != 0 && begin != std::string::npos; ++lines)
        begin = begin == 0 ? 0 : text.rfind('\n', begin - 1);
    begin = begin == std::string::npos ? 0 : begin + (begin != 0);
    return text.substr(std::max(begin, text.size() - std::min(text.size(), kBytes)));
}

std::string first_of(const std::vector<std::string>& names)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i)
        text += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
    return names.size() > kShown ? fmt::format("{} and {} more", text, names.size() - kShown) : text;
}

}  // namespace anml
