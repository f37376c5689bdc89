#include "entry/tools/output_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "commandline/streams.h"
#include "commandline/whole_file.h"

namespace anml::rt::entry {

namespace {

std::string folder_of(const std::string& path)
{
    std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

std::string why_not_writable(const std::string& path)
{
    auto refuse = [&](int cause) { return fmt::format("cannot write {}: {}", path, std::strerror(cause)); };
    if (path.empty()) return "the name of a file is empty";
    struct stat status{};
    if (stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) return refuse(EISDIR);
        if (access(path.c_str(), W_OK) != 0) return refuse(errno);
        if (!S_ISREG(status.st_mode)) return "";
        if (same_file(path, "/proc/self/exe")) return fmt::format("{} is the emulator itself", path);
    }
    std::string folder = folder_of(path);
    if (stat(folder.c_str(), &status) != 0) return refuse(errno);
    if (!S_ISDIR(status.st_mode)) return refuse(ENOTDIR);
    if (access(folder.c_str(), W_OK | X_OK) != 0) return refuse(errno);
    return "";
}

bool same_file(const std::string& one, const std::string& other)
{
    std::error_code error;
    if (std::filesystem::equivalent(one, other, error)) return true;
    const auto whole = [&](std::filesystem::path path) {
        constexpr int kMostLinks = 40;  // as Linux follows
        for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, error); ++links)
            path = path.parent_path() / std::filesystem::read_symlink(path, error);  // its target need not exist yet
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    };
    return whole(one) == whole(other) && !error;
}

bool write_file(const std::string& path, const std::string& text, std::string& error)
{
    if (commandline::write_whole(path, text)) return true;
    error = fmt::format("cannot write {}: {}", path, std::strerror(errno));
    return false;
}

bool write_standard_output(const std::string& text)
{
    bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    good = std::fflush(stdout) == 0 && good;
    if (!good) commandline::say(fmt::format("error: cannot write to standard output: {}\n", std::strerror(errno)));
    return good;
}

}  // namespace anml::rt::entry
