#include "commandline/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <utility>

namespace anml::commandline {
namespace {

std::string folder_of(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

// A name beside `path` that nobody has taken.
std::string name_beside(const std::string& path, int attempt)
{
    const std::size_t slash = path.rfind('/'), name = slash == path.npos ? 0 : slash + 1;
    return path.substr(0, name) + "." + path.substr(name, NAME_MAX / 2) + "." + std::to_string(getpid()) + "." +
           std::to_string(attempt);
}

constexpr int kAttempts = 100;

}  // namespace

std::string behind_links(std::string path)
{
    constexpr int kMostLinks = 40;  // as the kernel has it; a circle of them ends with an error when it is opened
    for (int i = 0; i < kMostLinks; ++i) {
        char target[PATH_MAX];
        const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
        if (length <= 0) break;
        const std::string_view to(target, static_cast<std::size_t>(length));
        path = to.front() == '/' ? std::string(to) : folder_of(path).append("/").append(to);
    }
    return path;
}

WholeFile::WholeFile(const std::string& path) : path_(behind_links(path))
{
    if (!open()) failed();
}

WholeFile::~WholeFile()
{
    if (file_ >= 0) ::close(file_);
    if (!named_.empty()) ::unlink(named_.c_str());
}

bool WholeFile::failed()
{
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    errno = error_;
    return false;
}

bool WholeFile::open()
{
    struct stat old{};
    const bool exists = ::stat(path_.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) return false;
    if (exists && !S_ISREG(old.st_mode)) {
        direct_ = true;
        file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        return file_ >= 0;
    }
    // One that may not be written to is not to be replaced either.
    if (exists && ::access(path_.c_str(), W_OK) != 0) return false;
    if (path_.empty() || path_.back() == '/') return errno = path_.empty() ? ENOENT : EISDIR, false;
    const bool nameless = ::access("/proc/self/fd", X_OK) == 0;  // by it such a file is named later
    if (nameless) file_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (!nameless || (file_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))) {
        hold_.emplace();
        for (int i = 0; i < kAttempts && file_ < 0; ++i) {
            const std::string name = name_beside(path_, i);
            file_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
            if (file_ >= 0) named_ = name;
            if (file_ < 0 && errno != EEXIST) return false;
        }
    }
    return file_ >= 0 && (!exists || ::fchmod(file_, old.st_mode & 07777) == 0);
}

bool WholeFile::write(std::string_view bytes)
{
    if (error_ != 0) return failed();
    while (!bytes.empty()) {
        const ssize_t n = ::write(file_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

// A file without a name gets that of `path` if it is free, or another, by which it can replace what is there.
bool WholeFile::take_place()
{
    if (!named_.empty()) {
        if (::close(std::exchange(file_, -1)) != 0) return false;  // some file systems say here that there was no room
    } else {
        const std::string self = "/proc/self/fd/" + std::to_string(file_);
        const auto link_to = [&](const std::string& name) {
            return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
        };
        if (link_to(path_)) return true;
        for (int i = 0; i < kAttempts && named_.empty() && errno == EEXIST; ++i)
            if (const std::string name = name_beside(path_, i); link_to(name)) named_ = name;
        if (named_.empty()) return false;
    }
    if (std::rename(named_.c_str(), path_.c_str()) != 0) return false;
    named_.clear();
    return true;
}

bool WholeFile::keep()
{
    if (error_ != 0) return failed();
    if (!direct_ && !take_place()) return failed();
    return file_ < 0 || ::close(std::exchange(file_, -1)) == 0 || failed();
}

bool write_whole(const std::string& path, std::string_view bytes)
{
    WholeFile file(path);
    return file.write(bytes) && file.keep();
}

}  // namespace anml::commandline
