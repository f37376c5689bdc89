// Writes a file whole or not at all.
#include "driver/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace anml {

namespace {

bool write_all(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

bool write_to(const std::string& path, std::string_view bytes)
{
    struct stat status{};
    bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0) return false;
        bool written = write_all(file, bytes);
        return ::close(file) == 0 && written;
    }
    std::string temporary = path + ".XXXXXX";
    int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return false;
    mode_t mask = ::umask(0);
    ::umask(mask);
    mode_t mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
    bool good = write_all(file, bytes) && ::fchmod(file, mode) == 0;
    good = ::close(file) == 0 && good;
    good = good && std::rename(temporary.c_str(), path.c_str()) == 0;
    if (!good) {
        int reason = errno;
        ::unlink(temporary.c_str());
        errno = reason;
    }
    return good;
}

}  // namespace

bool write_file(const std::string& path, std::string_view bytes, Diagnostics& diagnostics)
{
    errno = 0;
    if (write_to(path, bytes)) return true;
    diagnostics.report(Diag::cannot_write_output, {}, fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
    return false;
}

}  // namespace anml
