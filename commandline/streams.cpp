#include "commandline/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>

namespace anml::commandline {

void prepare_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        // The lowest free number: this one. Results that nobody gets are an error, messages are not.
        if (open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0) return;
    }
    signal(SIGXFSZ, SIG_IGN);
}

void say(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

bool flush_standard_output()
{
    const bool failed = std::ferror(stdout) != 0;
    if (std::fflush(stdout) == 0 && !failed) return true;
    if (errno == 0) errno = EIO;
    return false;
}

}  // namespace anml::commandline
