#include "io/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "io/device/interface.h"
#include "io/live.h"
#include "io/sandbox/relay.h"

namespace anml::rt::io {

namespace {

bool may_make_namespaces()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    constexpr unsigned kNeeded = 1u << CAP_SYS_ADMIN | 1u << CAP_NET_ADMIN | 1u << CAP_NET_RAW;
    return (data[0].effective & kNeeded) == kNeeded;
}

// The user of that name, with the rights to be it.
std::optional<SandboxUser> user_of(const std::string& name, bool root, std::string& error)
{
    const passwd* const entry = getpwnam(name.c_str());
    if (!entry) {
        error = fmt::format("--sandbox-user: there is no user `{}`", name);
        return std::nullopt;
    }
    if (!root && entry->pw_uid != geteuid()) {
        error = fmt::format("--sandbox-user {}: without root it can only be who runs the emulator", name);
        return std::nullopt;
    }
    return SandboxUser{name, entry->pw_dir, entry->pw_uid, entry->pw_gid, !root};
}

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::string why_not_started(const std::string& command, int reason)
{
    return fmt::format("cannot run `{}`: {}{}", command, std::strerror(reason),
                       reason == ENOENT ? " (is it installed, and in PATH?)" : "");
}

int not_started_status(const std::string& command, int reason)
{
    return reason == ENOENT || command.find('/') == command.npos ? 127 : 126;
}

bool prepare_sandbox(LiveOptions& options, std::string& error)
{
    for (const Attachment& attachment : options.attachments) {
        if (!attachment.relays()) continue;
        options.relays.push_back(std::make_shared<Descriptor>(begin_relay(attachment, error)));
        if (!options.relays.back()->valid()) return false;
    }
    // Root needs no user namespace, in which a server could not change its user.
    const bool root = geteuid() == 0 && may_make_namespaces();
    if (!options.run_as.empty() && !(options.user = user_of(options.run_as, root, error))) return false;
    if ((options.sandboxes.empty() && options.relays.empty()) || root) return true;
    if (options.attachments.size() != options.relays.size()) {
        error = "--attach beside --sandbox takes root: in a sandbox without it, no interface of this machine is seen";
        return false;
    }
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
        error = fmt::format(
            "cannot make a sandbox: this system does not let an ordinary user make namespaces ({}): see the sysctls "
            "user.max_user_namespaces, kernel.unprivileged_userns_clone and "
            "kernel.apparmor_restrict_unprivileged_userns, or run as root",
            std::strerror(errno));
        return false;
    }
    if (!map_user(0, user, 0, group)) {
        error = fmt::format("cannot make a sandbox: mapping the user: {}", std::strerror(errno));
        return false;
    }
    return true;
}

bool enter_network_namespace(std::string& error)
{
    if (unshare(CLONE_NEWNET) == 0) return true;
    error = fmt::format("cannot make a network namespace: {}", std::strerror(errno));
    return false;
}

std::unique_ptr<Sandbox> Sandbox::make(const std::string& interface, const SandboxSettings& settings,
                                       std::string& error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        error = fmt::format("cannot make a sandbox: {}", std::strerror(errno));
        return nullptr;
    }
    std::unique_ptr<Sandbox> sandbox(new Sandbox);
    sandbox->command_ = settings.command.empty() ? "relay" : settings.command[0];
    sandbox->stop_timeout_ = settings.stop_timeout;
    if (settings.at_terminal()) sandbox->terminal_.emplace();
    sandbox->channel_.reset(ends[0]);
    Descriptor theirs(ends[1]);
    const long child = syscall(SYS_clone, CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | SIGCHLD, nullptr,
                               nullptr, nullptr, nullptr);
    if (child < 0) {
        error = fmt::format("cannot make a sandbox: {}", std::strerror(errno));
        return nullptr;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sandbox->channel_.reset();
        run_sandbox_init(theirs.get(), settings);
    }
    theirs.reset();
    sandbox->init_ = static_cast<pid_t>(child);

    Netlink netlink;
    int failure = netlink.add_veth(interface, kSandboxInterface, sandbox->init_);
    const auto facts = failure ? std::nullopt : interface_facts(interface);
    if (!failure && !facts) failure = errno;
    if (!failure) failure = switch_offloads_off(interface);
    if (!failure && settings.host.mtu != 0) {
        // The emulator's end: room for a frame with two tags, and no word of its own on the wire.
        constexpr std::uint32_t kTags = 8;
        failure = netlink.set_mtu(facts->index, std::min(settings.host.mtu + kTags, 65535u));
        switch_ipv6_off(interface);
    }
    if (!failure) failure = netlink.set_up(facts->index);
    if (failure) {
        error = fmt::format("cannot make a sandbox: veth pair: {}", std::strerror(failure));
        return nullptr;
    }
    SandboxMessage message{SandboxMessage::Kind::go, 0, {}};
    ssize_t length = send(sandbox->channel_.get(), &message, sizeof message, MSG_NOSIGNAL);
    while (length >= 0 && (length = recv(sandbox->channel_.get(), &message, sizeof message, 0)) < 0 && errno == EINTR) {
        length = 0;
    }
    if (length != sizeof message) {
        error = "cannot make a sandbox: its first process ended";
        return nullptr;
    }
    if (message.kind == SandboxMessage::Kind::failed) {
        error = fmt::format("cannot make a sandbox: {}: {}", message.text, std::strerror(message.value));
        return nullptr;
    }
    return sandbox;
}

Sandbox::~Sandbox() { stop(); }

void Sandbox::start_command()
{
    const SandboxMessage message{SandboxMessage::Kind::run, 0, {}};
    while (send(channel_.get(), &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

void Sandbox::read_channel()
{
    SandboxMessage message;
    if (empty_ || init_ <= 0 ||
        recv(channel_.get(), &message, sizeof message, MSG_DONTWAIT) != static_cast<ssize_t>(sizeof message))
    {
        return;
    }
    if (message.kind == SandboxMessage::Kind::ended) status_ = message.value;
    if (message.kind == SandboxMessage::Kind::empty) empty_ = true;
    if (message.kind != SandboxMessage::Kind::failed) return;
    if (std::strcmp(message.text, "command") == 0) {
        error_ = why_not_started(command_, message.value);
        status_ = not_started_status(command_, message.value);
    } else {
        error_ = fmt::format("cannot make a sandbox: {}: {}", message.text, std::strerror(message.value));
    }
}

bool Sandbox::started(std::string& error)
{
    read_channel();
    if (!error_.empty()) error = error_;
    return error_.empty();
}

std::optional<int> Sandbox::command_status()
{
    read_channel();
    return status_;
}

bool Sandbox::over()
{
    read_channel();
    return status_ && empty_;
}

bool Sandbox::left_terminal() { return command_status() && terminal_ && !has_terminal(); }

void Sandbox::interrupt() { kill(init_, SIGINT); }

double Sandbox::stop()
{
    if (init_ <= 0) return processor_seconds_;
    // What COMMAND started and forgot gets a moment to end in order; then the init takes the rest with it. The init
    // itself lives until SIGKILL, so a pid file descriptor is of no use: look whether anybody is left.
    kill(init_, SIGTERM);
    const std::string children = fmt::format("/proc/{0}/task/{0}/children", init_);
    const auto anybody = [&] {
        const Descriptor file(::open(children.c_str(), O_RDONLY | O_CLOEXEC));
        char byte;
        return file.valid() && read(file.get(), &byte, 1) > 0;
    };
    killed_ = anybody();
    for (Time waited = 0; killed_ && waited < stop_timeout_; waited += 5 * kMillisecond) {
        poll(nullptr, 0, 5);
        killed_ = anybody();
    }
    kill(init_, SIGKILL);
    rusage usage{};
    while (wait4(init_, nullptr, 0, &usage) < 0 && errno == EINTR) {
    }
    init_ = -1;
    if (terminal_) terminal_->end();
    processor_seconds_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return processor_seconds_;
}

}  // namespace anml::rt::io
