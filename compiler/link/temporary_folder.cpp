#include "link/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace anml {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPattern = "XXXXXX";  // mkdtemp's

int open_folder(const std::string& path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Removes what killed processes of this user left.
void sweep(const std::string& where, const std::string& prefix)
{
    std::error_code error;
    for (fs::directory_iterator at(where, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix) || name.size() != prefix.size() + kPattern.size()) continue;
        const int folder = open_folder(at->path().string());
        struct stat status{};
        std::error_code ignored;
        if (folder >= 0 && ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
            ::flock(folder, LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(at->path(), ignored);
        if (folder >= 0) ::close(folder);
    }
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& where, const std::string& prefix)
{
    sweep(where, prefix);
    // Another process may sweep this one away before it is opened, or locked.
    for (bool there = false; !there;) {
        std::string path = where + "/" + prefix + std::string(kPattern);
        if (::mkdtemp(path.data()) == nullptr) {
            error_ = errno;
            return;
        }
        lock_ = open_folder(path);
        struct stat status{};
        if (lock_ < 0)
            there = errno != ENOENT;
        else
            there = ::flock(lock_, LOCK_EX) != 0 || ::fstat(lock_, &status) != 0 || status.st_nlink > 0;
        if (there)
            path_ = path;
        else if (lock_ >= 0)
            ::close(std::exchange(lock_, -1));
    }
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (lock_ >= 0) ::close(lock_);  // first: where descriptors are few, removing takes this one
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string folder_of(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string folder_of_temporaries()
{
    std::error_code error;
    const fs::path given = fs::temp_directory_path(error);
    return error ? "/tmp" : given.string();
}

}  // namespace anml
