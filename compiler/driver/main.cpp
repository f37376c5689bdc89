// anmlc: parses the command line, calls the verb, prints.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "commandline/own_stack.h"
#include "commandline/streams.h"
#include "driver/commands.h"

namespace {

int run_command(int argc, char** argv);

int run(const anml::Options& options)
{
    switch (options.verb) {
        case anml::Verb::compile:
        case anml::Verb::analyze:  // prints a text, as --emit does
            return anml::cmd_compile(options);
        case anml::Verb::check:
            return anml::cmd_check(options);
        case anml::Verb::lint:  // a check with more to say
            return anml::cmd_check(options);
        case anml::Verb::fmt:
            return anml::cmd_fmt(options);
        case anml::Verb::run:
            return anml::cmd_run(options);
        case anml::Verb::doc:
            return anml::cmd_doc(options);
        case anml::Verb::doctor:
            return anml::cmd_doctor(options);
        case anml::Verb::import:
            return anml::cmd_import(options);
        case anml::Verb::graph:
            return anml::cmd_graph(options);
        case anml::Verb::diff:
            return anml::cmd_diff(options);
        case anml::Verb::report:
            return anml::cmd_report(options);
        case anml::Verb::experiment:
            return anml::cmd_experiment(options);
        case anml::Verb::rerun:
            return anml::cmd_rerun(options);
        case anml::Verb::lsp:
            return anml::cmd_lsp(options);
        case anml::Verb::make:
            return anml::cmd_new(options);
        case anml::Verb::add:
            return anml::cmd_add(options);
        case anml::Verb::test:
            return anml::cmd_test(options);
        case anml::Verb::explain:
            return anml::cmd_explain(options);
        case anml::Verb::up:
            return anml::cmd_up(options);
        case anml::Verb::wire:
            return anml::cmd_wire(options);
        case anml::Verb::proxy:
            return anml::cmd_proxy(options);
        case anml::Verb::batch:
            return anml::cmd_batch(run_command);
    }
    return anml::kExitInternal;
}

int run_command(int argc, char** argv)
{
    try {
        anml::ParsedOptions parsed = anml::parse_options(argc, argv);
        if (!parsed.options) std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
        const int status = parsed.options ? run(*parsed.options) : parsed.exit_code;
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
