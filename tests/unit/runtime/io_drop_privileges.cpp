// What a process that has given up its privileges is refused, and what it may still do. Each case in a process of its
// own.
#include <fcntl.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "commandline/whole_file.h"
#include "io/sandbox/drop_privileges.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

// What `act` returns in a confined process, up to 255.
int confined(const std::function<int()>& act, const io::Confinement& needs = {})
{
    const pid_t child = fork();
    if (child == 0) {
        io::Kept kept;
        std::string error;
        _exit(io::drop_privileges(needs, kept, error) ? act() : 255);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// errno of what failed; 0: it went well.
[[maybe_unused]] int outcome(long result) { return result < 0 ? errno : 0; }

}  // namespace

TEST_CASE("a confined process has no capability, and gets none", "[io]")
{
    CHECK(confined([] {
              std::FILE* status = std::fopen("/proc/self/status", "r");
              char line[256];
              int found = 0;
              while (status && std::fgets(line, sizeof line, status)) {
                  const std::string text = line;
                  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
                      found += text.starts_with(set) && text.find("0000000000000000") != std::string::npos;
                  found += text.starts_with("NoNewPrivs:\t1");
              }
              return found;
          }) == 5);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("a confined process may connect one socket that it had, and no other one", "[io]")
{
    const int one = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in nobody{AF_INET, htons(1), {htonl(INADDR_LOOPBACK)}, {}};
    const auto attempt = [&](int socket) {
        return outcome(connect(socket, reinterpret_cast<const sockaddr*>(&nobody), sizeof nobody));
    };
    io::Confinement needs;
    needs.connecting = one;
    CHECK(confined([&] { return attempt(one); }, needs) == ECONNREFUSED);
    CHECK(confined([&] { return attempt(other); }, needs) == EPERM);
    CHECK(confined([&] { return attempt(one); }) == EPERM);
    close(one);
    close(other);
}

TEST_CASE("a confined process is refused what the loop does not take", "[io]")
{
    const char* const words[] = {"/bin/true", nullptr};
    CHECK(confined([&] { return outcome(execv(words[0], const_cast<char**>(words))); }) == EPERM);
    CHECK(confined([] { return outcome(socket(AF_INET, SOCK_STREAM, 0)); }) == EPERM);
    CHECK(confined([] { return outcome(socket(AF_PACKET, SOCK_RAW, 0)); }) == EPERM);
    CHECK(confined([] { return outcome(fork()); }) == EPERM);
    CHECK(confined([] { return outcome(unshare(CLONE_NEWUSER)); }) == EPERM);
    CHECK(confined([] { return outcome(mount("none", "/", "tmpfs", 0, nullptr)); }) == EPERM);
    CHECK(confined([] { return outcome(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr)); }) == EPERM);
    CHECK(confined([] { return outcome(setuid(0)); }) == EPERM);
    CHECK(confined([] { return outcome(prctl(PR_SET_SECCOMP, 0)); }) == EPERM);
    CHECK(confined([] {
              return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                         ? errno
                         : 0;
          }) == EPERM);
}
#endif

TEST_CASE("a confined process has threads, memory, clocks and its files", "[io]")
{
    char folder[] = "/tmp/anml-confine-XXXXXX";
    REQUIRE(mkdtemp(folder));
    const std::string file = std::string(folder) + "/results.json";
    CHECK(confined(
              [&] {
                  int seen = 0;
                  std::jthread([&] { seen = 7; }).join();
                  std::string text(1 << 24, 'x');
                  if (seen != 7 || text.back() != 'x') return 1;
                  for (int i = 0; i < 2; ++i)
                      if (!anml::commandline::write_whole(file, "text")) return 2;
                  std::FILE* written = std::fopen(file.c_str(), "r");
                  return written && std::fgetc(written) == 't' ? 0 : 3;
              },
              {.outputs = {file}}) == 0);
    unlink(file.c_str());
    rmdir(folder);
}

TEST_CASE("root still writes into another user's folder", "[io]")
{
    if (geteuid() != 0) return;
    char folder[] = "/tmp/anml-confine-XXXXXX";
    REQUIRE(mkdtemp(folder));
    REQUIRE(chown(folder, 65534, 65534) == 0);
    const std::string file = std::string(folder) + "/results.json";
    const auto write = [&] { return anml::commandline::write_whole(file, "text") ? 0 : errno; };
    CHECK(confined(write) == EACCES);
    CHECK(confined(write, {.outputs = {file}}) == 0);
    unlink(file.c_str());
    rmdir(folder);
}

}  // namespace ANML_UNIT_FILE
