#include "io/sandbox_init.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "io/interface.h"

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
    if (int failure = switch_offloads_off(kSandboxInterface)) give_up(channel, "cannot switch offloads off", failure);
    if (int failure = netlink.set_up(facts->index)) give_up(channel, "cannot bring eth0 up", failure);
    for (const AddressPrefix& prefix : host.prefixes)
        if (int failure = netlink.add_route(facts->index, prefix.first, prefix.length, host.gateway))
            give_up(channel, "cannot set the route", failure);
    if (!host.ipv6) return;
    if (int failure = netlink.add_address(facts->index, *host.ipv6, 128))
        give_up(channel, "cannot set the address of IPv6", failure);
    for (const Subnet& prefix : host.prefixes6)
        if (int failure = netlink.add_route(facts->index, prefix.bits, prefix.length, host.gateway6))
            give_up(channel, "cannot set the route of IPv6", failure);
}

// Starts COMMAND; its output goes to standard error, so that standard output stays the emulator's.
pid_t start_command(int channel, const std::vector<std::string>& command)
{
    int result[2];
    if (pipe2(result, O_CLOEXEC) != 0) give_up(channel, "cannot make a pipe", errno);
    const pid_t child = fork();
    if (child < 0) give_up(channel, "cannot start a process", errno);
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing >= 0) dup2(nothing, 0);
        dup2(2, 1);
        for (const int ours : {SIGTERM, SIGPIPE, SIGXFSZ}) signal(ours, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        std::vector<char*> words;
        for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execvp(words[0], words.data());
        const int reason = errno;
        if (write(result[1], &reason, sizeof reason) < 0) _exit(126);
        _exit(127);
    }
    close(result[1]);
    int reason = 0;
    ssize_t length;
    while ((length = read(result[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    close(result[0]);
    if (length > 0) give_up(channel, "command", reason);
    return child;
}

// The emulator's SIGTERM: everybody else ends first.
void pass_on(int) { kill(-1, SIGTERM); }

}  // namespace

void run_sandbox_init(int channel, const HostAddresses& host, const std::vector<std::string>& command)
{
    // Ctrl-C on the terminal is for the emulator, which then ends the sandbox in order.
    setsid();
    prctl(PR_SET_NAME, "anml-sandbox");
    await_emulator(channel);
    set_network_up(channel, host);
    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    // Where that is not allowed (inside some containers) COMMAND sees the outer /proc: no harm to a server.
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);

    struct sigaction action{};
    action.sa_handler = pass_on;
    sigaction(SIGTERM, &action, nullptr);
    tell(channel, SandboxMessage::Kind::ready, 0);
    await_emulator(channel);
    const pid_t child = start_command(channel, command);
    tell(channel, SandboxMessage::Kind::started, 0);

    bool ended = false;
    for (;;) {
        int status = 0;
        const pid_t pid = wait(&status);
        if (pid == child) {
            ended = true;
            tell(channel, SandboxMessage::Kind::ended,
                 WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        }
        // Nobody is left. Until the emulator ends it, this process keeps the namespaces.
        if (pid < 0 && errno == ECHILD && ended) pause();
    }
}

}  // namespace anml::rt::io
