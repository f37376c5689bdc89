#include "io/sandbox/sandbox_init.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "io/device/interface.h"
#include "io/sandbox/relay.h"
#include "io/sandbox/terminal.h"

namespace anml::rt::io {

namespace {

void tell(int channel, SandboxMessage::Kind kind, int value, const char* text = "")
{
    SandboxMessage message{kind, value, {}};
    std::snprintf(message.text, sizeof message.text, "%s", text);
    // The emulator is there, or this process is about to be killed.
    while (send(channel, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

void await_emulator(int channel)
{
    SandboxMessage message;
    ssize_t length;
    while ((length = recv(channel, &message, sizeof message, 0)) < 0 && errno == EINTR) {
    }
    if (length != sizeof message) _exit(1);  // it is gone
}

[[noreturn]] void give_up(int channel, const char* what, int reason)
{
    tell(channel, SandboxMessage::Kind::failed, reason, what);
    _exit(1);
}

void set_network_up(int channel, const HostAddresses& host)
{
    Netlink netlink;
    const auto loopback = interface_facts("lo");
    const auto facts = interface_facts(kSandboxInterface);
    if (!loopback || !facts) give_up(channel, "no interface in the sandbox", ENODEV);
    if (int failure = netlink.set_up(loopback->index)) give_up(channel, "cannot bring lo up", failure);
    const bool own = host.address == 0;  // COMMAND sets one
    if (int failure = own ? 0 : netlink.add_address(facts->index, host.address, host.length))
        give_up(channel, "cannot set the address", failure);
    if (int failure = host.anycast == 0 ? 0 : netlink.add_address(loopback->index, host.anycast, 32))
        give_up(channel, "cannot set the anycast address", failure);
    if (int failure = switch_offloads_off(kSandboxInterface)) give_up(channel, "cannot switch offloads off", failure);
    if (int failure = host.mtu == 0 ? 0 : netlink.set_mtu(facts->index, host.mtu))
        give_up(channel, "cannot set the MTU", failure);
    if (int failure = netlink.set_up(facts->index)) give_up(channel, "cannot bring eth0 up", failure);
    for (const AddressPrefix& prefix : host.prefixes)
        if (int failure = netlink.add_route(facts->index, prefix.first, prefix.length, host.gateway))
            give_up(channel, "cannot set the route", failure);
    if (!host.ipv6) return;
    if (int failure = netlink.add_address(facts->index, *host.ipv6, 128))
        give_up(channel, "cannot set the address of IPv6", failure);
    if (int failure = host.anycast6 ? netlink.add_address(loopback->index, *host.anycast6, 128) : 0)
        give_up(channel, "cannot set the anycast address of IPv6", failure);
    for (const Subnet& prefix : host.prefixes6)
        if (int failure = netlink.add_route(facts->index, prefix.bits, prefix.length, host.gateway6))
            give_up(channel, "cannot set the route of IPv6", failure);
}

void write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

// The names of the model before those of this machine: the first line counts. Where that is not allowed there are
// addresses. The file stays linked, in a file system of its own: else no sandbox in this one could have its names.
void name_hosts(const std::string& lines)
{
    char folder[] = "/tmp/anml-hosts-XXXXXX";
    if (!mkdtemp(folder)) return;
    if (mount("anml", folder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0755") == 0) {
        const std::string path = std::string(folder) + "/hosts";
        const int hosts = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        const int before = open("/etc/hosts", O_RDONLY | O_CLOEXEC);
        write_all(hosts, lines);
        char bytes[4096];
        for (ssize_t length; before >= 0 && (length = read(before, bytes, sizeof bytes)) > 0;)
            write_all(hosts, {bytes, static_cast<std::size_t>(length)});
        if (before >= 0) close(before);
        fchmod(hosts, 0644);
        close(hosts);
        mount(path.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr);
        umount2(folder, MNT_DETACH);
    }
    rmdir(folder);
}

// A process that hands on what it reads, each line behind the sandbox's name: standard error of COMMAND.
int name_lines(int channel, const std::string& name)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) give_up(channel, "cannot make a pipe", errno);
    const pid_t child = fork();
    if (child < 0) give_up(channel, "cannot start a process", errno);
    if (child != 0) {
        close(ends[0]);
        return ends[1];
    }
    close(ends[1]);
    close(channel);
    for (const int ours : {SIGINT, SIGTERM}) signal(ours, SIG_IGN);  // it ends with those that write
    constexpr std::size_t kLongest = 1 << 20, kPortion = 4096;
    std::string line = name + ": ";
    const std::size_t empty = line.size();
    const auto end_line = [&] {
        line += '\n';
        write_all(STDERR_FILENO, line);
        line.resize(empty);
    };
    char bytes[kPortion];
    for (ssize_t length; (length = read(ends[0], bytes, sizeof bytes)) > 0 || (length < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < length; ++i) {
            if (bytes[i] != '\n') line += bytes[i];
            if (bytes[i] == '\n' || line.size() == empty + kLongest) end_line();
        }
    }
    if (line.size() != empty) end_line();
    _exit(0);
}

bool write_file(const char* path, const std::string& text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool good = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int reason = errno;
    if (file >= 0) close(file);
    errno = reason;
    return good;
}

bool become(const SandboxUser& user)
{
    for (const auto& [name, value] : {std::pair("USER", user.name), {"LOGNAME", user.name}, {"HOME", user.home}})
        setenv(name, value.c_str(), 1);
    if (user.mapped) return unshare(CLONE_NEWUSER) == 0 && map_user(user.user, 0, user.group, 0);
    return initgroups(user.name.c_str(), user.group) == 0 && setgid(user.group) == 0 && setuid(user.user) == 0;
}

// Starts COMMAND.
pid_t start_command(int channel, const SandboxSettings& settings)
{
    const int output = settings.streams == CommandStreams::named ? name_lines(channel, settings.name) : STDERR_FILENO;
    int result[2];
    if (pipe2(result, O_CLOEXEC) != 0) give_up(channel, "cannot make a pipe", errno);
    const pid_t child = fork();
    if (child < 0) give_up(channel, "cannot start a process", errno);
    if (child == 0) {
        if (settings.at_terminal()) {
            setpgid(0, 0);
            if (settings.streams == CommandStreams::terminal) give_terminal(getpid());
        } else if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0 && !settings.own_output) {
            dup2(nothing, STDIN_FILENO);
        }
        if (!settings.own_output) dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        for (const int ours : {SIGTERM, SIGPIPE, SIGXFSZ, SIGTTOU}) signal(ours, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        if (settings.command.empty()) {
            close(result[1]);
            serve_relay(settings.relay, settings.relay_to);
        }
        if (settings.user && !become(*settings.user)) give_up(channel, "cannot become the user", errno);
        std::vector<char*> words;
        for (const std::string& word : settings.command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execvp(words[0], words.data());
        const int reason = errno;
        if (write(result[1], &reason, sizeof reason) < 0) _exit(126);
        _exit(127);
    }
    close(result[1]);
    if (output != STDERR_FILENO) close(output);
    int reason = 0;
    ssize_t length;
    while ((length = read(result[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    close(result[0]);
    if (length > 0) give_up(channel, "command", reason);
    return child;
}

// COMMAND was stopped at the terminal: for wanting it, which it gets, or by Ctrl-Z, when nobody is there to go on with.
void resume(pid_t command, int signal)
{
    if (signal != SIGTTIN && signal != SIGTTOU && signal != SIGTSTP) return;
    if (signal != SIGTSTP) {
        write_all(STDERR_FILENO, "\r\x1b[K");  // the progress bar
        give_terminal(command);
    }
    kill(-command, SIGCONT);
}

// The emulator's SIGTERM, or SIGINT: everybody else ends first.
void pass_on(int number) { kill(-1, number); }

}  // namespace

bool map_user(unsigned inside, unsigned outside, unsigned group_inside, unsigned group_outside)
{
    return write_file("/proc/self/setgroups", "deny") &&
           write_file("/proc/self/uid_map", fmt::format("{} {} 1", inside, outside)) &&
           write_file("/proc/self/gid_map", fmt::format("{} {} 1", group_inside, group_outside));
}

void run_sandbox_init(int channel, const SandboxSettings& settings)
{
    // Ctrl-C on the terminal is for COMMAND, if it has that, or for the emulator, which then ends the sandbox in order.
    if (settings.at_terminal())
        setpgid(0, 0);
    else
        setsid();
    prctl(PR_SET_NAME, "anml-sandbox");
    await_emulator(channel);
    set_network_up(channel, settings.host);
    if (const std::string& name = settings.name;
        sethostname(name.c_str(), std::min<std::size_t>(name.size(), HOST_NAME_MAX)) != 0)
        give_up(channel, "cannot name the host", errno);
    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    // Where that is not allowed (inside some containers) COMMAND sees the outer /proc: no harm to a server.
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
    name_hosts(settings.hosts);

    struct sigaction action{};
    action.sa_handler = pass_on;
    for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
    tell(channel, SandboxMessage::Kind::ready, 0);
    await_emulator(channel);
    const pid_t child = start_command(channel, settings);
    tell(channel, SandboxMessage::Kind::started, 0);

    bool ended = false, empty = false;
    for (;;) {
        int status = 0;
        const pid_t pid = waitpid(-1, &status, settings.at_terminal() ? WUNTRACED : 0);
        if (pid > 0 && WIFSTOPPED(status)) {
            if (pid == child) resume(child, WSTOPSIG(status));
        } else if (pid == child) {
            ended = true;
            tell(channel, SandboxMessage::Kind::ended,
                 WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        }
        // Nobody is left. Until the emulator ends it, this process keeps the namespaces.
        if (pid < 0 && errno == ECHILD && ended) {
            if (!empty) tell(channel, SandboxMessage::Kind::empty, 0);
            empty = true;
            pause();
        }
    }
}

}  // namespace anml::rt::io
