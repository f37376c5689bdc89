// Gives up what a real-time run no longer needs once its devices are open: it reads bytes of strangers from then on.
//
// Every capability goes (capabilities(7)), no program that is executed gets new ones (PR_SET_NO_NEW_PRIVS), and a
// filter of system calls (seccomp(2)) is set that knows what the loop, the reports and their files take: no execve, no
// new socket, no mount, no ptrace, no executable memory. What it does not know fails with EPERM. A thread that begins
// later inherits all of it; processes that were begun before keep what they have.
#pragma once

#include <string>
#include <vector>

namespace anml::rt::io {

struct Confinement {
    bool restores_network = false;  // CAP_NET_ADMIN stays: what was configured has to be taken back at the end
    // Files that will be made or replaced, no symbolic links; CAP_DAC_OVERRIDE stays if that takes it.
    std::vector<std::string> outputs;
    int connecting = -1;  // the one socket that may connect (connect(2)), if any
};

// Which capabilities stay.
struct Kept {
    bool net_admin = false, dac_override = false;
};

// False: `error`.
bool drop_privileges(const Confinement& needs, Kept& kept, std::string& error);

}  // namespace anml::rt::io
