#include "entry/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace anml::rt::entry {

namespace {

std::string folder_of(const std::string& path)
{
    std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

bool replaceable(const std::string& path)
{
    struct stat status{};
    return lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool write_to(const std::string& path, const std::string& text, std::string& error)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    bool good = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    int cause = errno;
    if (file && std::fclose(file) != 0) {
        if (good) cause = errno;
        good = false;
    }
    if (!good) error = fmt::format("cannot write {}: {}", path, std::strerror(cause));
    return good;
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
    }
    std::string folder = folder_of(path);
    if (stat(folder.c_str(), &status) != 0) return refuse(errno);
    if (!S_ISDIR(status.st_mode)) return refuse(ENOTDIR);
    if (access(folder.c_str(), W_OK | X_OK) != 0) return refuse(errno);
    return "";
}

bool write_file(const std::string& path, const std::string& text, std::string& error)
{
    if (!replaceable(path)) return write_to(path, text, error);
    std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
    if (!write_to(temporary, text, error)) {
        unlink(temporary.c_str());
        return false;
    }
    if (std::rename(temporary.c_str(), path.c_str()) == 0) return true;
    error = fmt::format("cannot write {}: {}", path, std::strerror(errno));
    unlink(temporary.c_str());
    return false;
}

bool write_standard_output(const std::string& text)
{
    bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    good = std::fflush(stdout) == 0 && good;
    if (!good) write_standard_error(fmt::format("error: cannot write to standard output: {}\n", std::strerror(errno)));
    return good;
}

void write_standard_error(const std::string& text)
{
    std::fputs(text.c_str(), stderr);
}

void open_standard_files()
{
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);  // gets that number
    std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace anml::rt::entry
