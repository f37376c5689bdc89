#include "io/sandbox/drop_privileges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace anml::rt::io {

namespace {

// System calls that go on being allowed, whatever their arguments. C libraries differ in which they take.
constexpr int kAllowed[] = {
    // devices and time
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_write,
    SYS_writev,
    SYS_pwrite64,
    SYS_ioctl,
    SYS_ppoll,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_recvmmsg,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getsockname,
    SYS_shutdown,
    SYS_accept4,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    // files
    SYS_openat,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_lseek,
    SYS_ftruncate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fchmod,
    SYS_linkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_unlinkat,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_getcwd,
    SYS_fcntl,
    SYS_dup,
    SYS_dup3,
    SYS_getdents64,
    // memory and threads
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_set_tid_address,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_getscheduler,
    SYS_sched_getparam,
    SYS_membarrier,
    SYS_getrandom,
    SYS_exit,
    SYS_exit_group,
    // signals and the sandboxes' processes
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_kill,
    SYS_tgkill,
    SYS_wait4,
    SYS_setitimer,
    SYS_getpid,
    SYS_getpgid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrusage,
    SYS_uname,
    SYS_prlimit64,
#ifdef SYS_open  // an older machine's
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_link,
    SYS_rename,
    SYS_unlink,
    SYS_poll,
    SYS_select,
    SYS_pselect6,
    SYS_alarm,
    SYS_time,
    SYS_dup2,
    SYS_getrlimit,
    SYS_arch_prctl,
#endif
};

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// Sanitizers have system calls of their own, at the end too.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ANML_NO_FILTER
#endif
#endif

constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr), kArch = offsetof(seccomp_data, arch);
constexpr std::uint32_t argument(int i)  // its lower half
{
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8 * static_cast<std::uint32_t>(i);
}
constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter statement(std::uint16_t code, std::uint32_t value) { return {code, 0, 0, value}; }
sock_filter jump(std::uint16_t code, std::uint32_t value, std::uint8_t yes, std::uint8_t no)
{
    return {code, yes, no, value};
}

// `number` is allowed where the lower half of argument `i` has all of `wanted` and none of `unwanted`.
void allow_if(std::vector<sock_filter>& code, int number, int i, std::uint32_t wanted, std::uint32_t unwanted)
{
    code.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 5));
    code.push_back(statement(BPF_LD | BPF_W | BPF_ABS, argument(i)));
    code.push_back(statement(BPF_ALU | BPF_AND | BPF_K, wanted | unwanted));
    code.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, wanted, 0, 1));
    code.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    code.push_back(statement(BPF_RET | BPF_K, kRefused));
}

[[maybe_unused]] std::vector<sock_filter> filter(int connecting)
{
    std::vector<sock_filter> code{
        statement(BPF_LD | BPF_W | BPF_ABS, kArch),
        jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
        statement(BPF_RET | BPF_K, kRefused),
        statement(BPF_LD | BPF_W | BPF_ABS, kNumber),
    };
    for (const int number : kAllowed) {
        code.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
        code.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    if (connecting >= 0)
        allow_if(code, SYS_connect, 0, static_cast<std::uint32_t>(connecting), ~static_cast<std::uint32_t>(connecting));
    allow_if(code, SYS_mmap, 2, 0, PROT_EXEC);
    allow_if(code, SYS_mprotect, 2, 0, PROT_EXEC);
    allow_if(code, SYS_clone, 0, CLONE_THREAD, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID);
    // Its flags lie in memory, where a filter can't look: the C library takes clone() where there is none.
    code.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
    code.push_back(statement(BPF_RET | BPF_K, kUnknown));
    code.push_back(statement(BPF_RET | BPF_K, kRefused));
    return code;
}

bool set_capabilities(std::uint64_t permitted, std::uint64_t effective)
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    for (int i = 0; i < 2; ++i) {
        data[i].permitted = static_cast<std::uint32_t>(permitted >> (32 * i));
        data[i].effective = static_cast<std::uint32_t>(effective >> (32 * i));
    }
    return syscall(SYS_capset, &header, data) == 0;
}

std::uint64_t permitted_capabilities()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (syscall(SYS_capget, &header, data) != 0) return 0;
    return data[0].permitted | static_cast<std::uint64_t>(data[1].permitted) << 32;
}

constexpr std::uint64_t bit(int capability) { return std::uint64_t{1} << capability; }

// By the capabilities that are effective now. Not by the C library, which guesses where the kernel is too old to be
// asked: then it is no.
bool may(const std::string& path, int how)
{
    return syscall(SYS_faccessat2, AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0;
}

bool can_write(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    return may(folder, W_OK | X_OK) && (may(path, W_OK) || errno == ENOENT);
}

}  // namespace

bool drop_privileges(const Confinement& needs, Kept& kept, std::string& error)
{
    const auto failed = [&](const char* what) {
        error = fmt::format("cannot give up privileges: {}: {}", what, std::strerror(errno));
        return false;
    };
    const std::uint64_t had = permitted_capabilities();
    std::uint64_t stay = needs.restores_network ? had & bit(CAP_NET_ADMIN) : 0;
    // Of what may ever be had again first, which takes CAP_SETPCAP.
    if (had & bit(CAP_SETPCAP))
        for (int i = 0; prctl(PR_CAPBSET_READ, i) >= 0; ++i)
            if (prctl(PR_CAPBSET_DROP, i) != 0) return failed("bounding set");
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (!set_capabilities(had, stay)) return failed("capset");
    if (!std::all_of(needs.outputs.begin(), needs.outputs.end(), can_write)) stay |= had & bit(CAP_DAC_OVERRIDE);
    if (!set_capabilities(stay, stay)) return failed("capset");
    kept = {(stay & bit(CAP_NET_ADMIN)) != 0, (stay & bit(CAP_DAC_OVERRIDE)) != 0};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no new privileges");
#ifndef ANML_NO_FILTER
    std::vector<sock_filter> code = filter(needs.connecting);
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    // A kernel without filters has nothing to offer here.
    if (kArchitecture != 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0 &&
        errno != ENOSYS && errno != EINVAL)
        return failed("filter of system calls");
#endif
    return true;
}

}  // namespace anml::rt::io
