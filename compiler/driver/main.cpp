// anmlc: parses the command line, calls the verb, prints.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "commandline/own_stack.h"
#include "commandline/streams.h"
#include "driver/options/command_line.h"

namespace {

int run_command(int argc, char** argv)
{
    try {
        anml::ParsedCommand command = anml::parse_command_line(argc, argv);
        std::fputs(command.text.c_str(), command.status == 0 ? stdout : stderr);
        const int status = command.batch  ? anml::run_batch(run_command)
                           : command.verb ? command.verb->run(command.line)
                                          : command.status;
        if (anml::commandline::flush_standard_output() || status != 0) return status;
        std::fprintf(stderr, "anmlc: error: cannot write to standard output: %s\n", std::strerror(errno));
        return anml::kExitErrors;
    } catch (const std::bad_alloc&) {
        std::fputs("anmlc: error: the memory that may be used does not do\n", stderr);
        return anml::kExitErrors;
    } catch (const std::exception& error) {
        std::fprintf(
            stderr,
            "anmlc: internal error: %s\nThis is a bug in anmlc; please report it with the file that shows it.\n",
            error.what());
        return anml::kExitInternal;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    anml::commandline::prepare_streams();
    return anml::commandline::on_own_stack([&] { return run_command(argc, argv); });
}
