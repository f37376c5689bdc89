#include "entry/control/control_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace anml::rt::entry {

namespace {

constexpr std::string_view kPrefix = "anml-", kSuffix = ".sock";

bool address_of(const std::string& path, sockaddr_un& address, std::string& error)
{
    address = {};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        error = fmt::format("`{}` is too long for a socket's name, which has {} bytes at most", path,
                            sizeof address.sun_path - 1);
        return false;
    }
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return true;
}

std::vector<std::string> usual_folders()
{
    std::vector<std::string> folders;
    if (const char* own = std::getenv("XDG_RUNTIME_DIR"); own && own[0] == '/') folders.emplace_back(own);
    folders.emplace_back("/tmp");
    return folders;
}

// Sockets of this user in the usual places.
std::vector<std::string> usual_sockets()
{
    std::vector<std::string> found;
    for (const std::string& folder : usual_folders()) {
        std::error_code failed;
        for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
            const std::string name = entry.path().filename();
            pid_t pid = 0;
            if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
            const char* end = name.data() + name.size() - kSuffix.size();
            if (const auto read = std::from_chars(name.data() + kPrefix.size(), end, pid);
                read.ec != std::errc() || read.ptr != end || pid <= 0)
                continue;
            struct stat about;
            if (lstat(entry.path().c_str(), &about) != 0 || !S_ISSOCK(about.st_mode) || about.st_uid != geteuid())
                continue;
            found.emplace_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

io::Descriptor connect_to(const std::string& path, std::string& error)
{
    sockaddr_un address;
    if (!address_of(path, address, error)) return {};
    io::Descriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return connection;
    error = fmt::format("nobody listens at {}: {}", path, std::strerror(errno));
    connection.reset();
    return connection;
}

// Whether it is a socket that nobody listens at any more.
bool stale(const std::string& path)
{
    struct stat about;
    std::string error;
    return lstat(path.c_str(), &about) == 0 && S_ISSOCK(about.st_mode) && !connect_to(path, error).valid() &&
           errno == ECONNREFUSED;
}

// Listens at `name`, which appears when somebody can be reached there, and not before: one that refuses is stale.
// Invalid: errno says why, EEXIST that there is something of that name.
io::Descriptor listen_at(const std::string& name)
{
    sockaddr_un address;
    std::string error;
    const std::string first = fmt::format("{}.{}", name, getpid());
    errno = ENAMETOOLONG;
    if (!address_of(first, address, error)) return {};
    io::Descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const mode_t before = umask(0177);
    bool good = bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    umask(before);
    const bool bound = good;
    good = good && listen(listener.get(), 16) == 0;
    if (good && link(first.c_str(), name.c_str()) != 0) {
        good = false;
        if (errno == EEXIST && stale(name) && unlink(name.c_str()) == 0) good = link(first.c_str(), name.c_str()) == 0;
    }
    const int why = errno;
    if (bound) unlink(first.c_str());
    if (!good) listener.reset();
    errno = why;
    return listener;
}

}  // namespace

ControlListener::~ControlListener()
{
    if (socket_.valid()) unlink(path_.c_str());
}

ControlListener listen_for_control(const std::string& path, std::string& error)
{
    for (const std::string& left : usual_sockets())
        if (stale(left)) unlink(left.c_str());
    // In a sandbox processes are numbered anew: where another run has the number, one that no process has follows.
    constexpr int kMost = 64, kBeyondProcesses = 10'000'000;
    std::string name = path;
    io::Descriptor listener;
    errno = EEXIST;
    for (int i = 0; !listener.valid() && errno == EEXIST && i < (path.empty() ? kMost : 1); ++i) {
        if (path.empty())
            name = fmt::format("{}/{}{}{}", usual_folders().front(), kPrefix, getpid() + i * kBeyondProcesses, kSuffix);
        listener = listen_at(name);
    }
    if (!listener.valid()) {
        error = fmt::format("--control: cannot listen at {}: {}", name,
                            std::strerror(errno == EEXIST ? EADDRINUSE : errno));
        return {};
    }
    // The run may end in another folder than it began in.
    std::error_code failed;
    return {std::move(listener), std::filesystem::absolute(name, failed)};
}

io::Descriptor connect_control(const std::string& path, std::string& error)
{
    if (!path.empty()) return connect_to(path, error);
    std::vector<io::Descriptor> found;
    std::string names;
    for (const std::string& name : usual_sockets()) {
        io::Descriptor connection = connect_to(name, error);
        if (!connection.valid()) continue;
        names += fmt::format("\n  --control {}", name);
        found.push_back(std::move(connection));
    }
    if (found.size() == 1) return std::move(found.front());
    if (found.empty())
        error = "no live run of this user was found; --control PATH says where one listens";
    else
        error = fmt::format("{} live runs of this user were found; choose one:{}", found.size(), names);
    return {};
}

}  // namespace anml::rt::entry
