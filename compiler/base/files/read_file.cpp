#include "base/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"

namespace anml {
namespace {

// A descriptor, or -1 and `problem`.
int open_file(const std::string& path, Readable readable, std::string& problem)
{
    const bool named = readable == Readable::files;
    // Without O_NONBLOCK this waits for somebody to write to a pipe.
    const int file = !named && path == "-" ? ::dup(STDIN_FILENO)
                                           : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (named ? O_NONBLOCK : 0));
    struct stat status{};
    if (file < 0 || ::fstat(file, &status) != 0) {
        problem = std::strerror(errno);
    } else if (S_ISDIR(status.st_mode)) {
        problem = "it is a folder";
    } else if (named && !S_ISREG(status.st_mode)) {
        problem = S_ISFIFO(status.st_mode) ? "it is a pipe, not a file" : "it is a device, not a file";
    } else {
        return file;
    }
    if (file >= 0) ::close(file);
    return -1;
}

std::string read_until(const std::string& path, std::size_t most, Readable readable, bool text, std::string& bytes)
{
    std::string problem;
    const int file = open_file(path, readable, problem);
    if (file < 0) return problem;
    constexpr std::size_t kStep = std::size_t{1} << 20;
    bytes.clear();
    struct stat status{};
    std::size_t step = kStep;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))  // others don't say how long they are
        step = static_cast<std::size_t>(status.st_size) + 1;     // and a byte, which shows that it has not grown
    while (problem.empty() && bytes.size() <= most) {
        const std::size_t size = bytes.size();
        bytes.resize(std::min(size + step, most + 1));
        const ssize_t n = ::read(file, bytes.data() + size, bytes.size() - size);
        const int reason = errno;
        bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        if (n < 0 && reason != EINTR) problem = std::strerror(reason);
        if (n == 0 || (text && bytes.find('\0', size) != bytes.npos)) break;
    }
    ::close(file);
    return problem;
}

}  // namespace

std::string read_blocks(const std::string& path, std::size_t most, Readable readable,
                        const std::function<bool(std::string_view block)>& take)
{
    std::string problem;
    const int file = open_file(path, readable, problem);
    if (file < 0) return problem;
    std::string block(std::size_t{1} << 20, '\0');
    std::size_t taken = 0;
    while (true) {
        const ssize_t n = ::read(file, block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) problem = std::strerror(errno);
        if (n <= 0) break;
        taken += static_cast<std::size_t>(n);
        if (taken > most) problem = "it is larger than " + std::to_string(most >> 20) + " MiB";
        if (taken > most || !take({block.data(), static_cast<std::size_t>(n)})) break;
    }
    ::close(file);
    return problem;
}

std::string_view decompressor(std::string_view bytes)
{
    using namespace std::string_view_literals;
    if (bytes.starts_with("\x1F\x8B"sv)) return "gunzip";
    if (bytes.starts_with("BZh"sv)) return "bunzip2";
    if (bytes.starts_with("\xFD"
                          "7zXZ\0"sv))
        return "unxz";
    if (bytes.starts_with("\x28\xB5\x2F\xFD"sv)) return "unzstd";
    if (bytes.starts_with("PK\x03\x04"sv)) return "unzip";
    return "";
}

std::string read_file(const std::string& path, std::size_t most, Readable readable, std::string& bytes)
{
    return read_until(path, most, readable, false, bytes);
}

std::string read_text(const std::string& path, std::size_t most, Readable readable, std::string& text)
{
    return read_until(path, most, readable, true, text);
}

std::string similar_file(const std::string& path)
{
    constexpr std::size_t kMostFiles = 1000;
    const std::filesystem::path wanted(path);
    const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(folder, error), end;
         !error && at != end && names.size() < kMostFiles; at.increment(error))
        names.push_back(at->path().filename().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
        if (std::filesystem::path(name).stem() == wanted.stem() && std::filesystem::path(name).has_extension() &&
            std::filesystem::path(name).extension() != ".anml")
            return name;
    return std::string(similar_name(wanted.filename().string(), {names.begin(), names.end()}));
}

}  // namespace anml
