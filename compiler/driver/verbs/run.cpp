// anmlc run FILE [-- ARGUMENTS]: compiles to a temporary place, removes that, and becomes the emulator.
#include "driver/emulator.h"
#include "driver/options/option_groups.h"

namespace anml {

namespace {

// Without a command among them the arguments are those of `simulate`.
std::vector<std::string> emulator_arguments(const std::vector<std::string>& given)
{
    std::vector<std::string> all = given;
    const bool whole =
        !given.empty() && (given.front() == "--help" || given.front() == "-h" || given.front() == "--version");
    if (!whole && (given.empty() || given.front().starts_with("-"))) all.insert(all.begin(), "simulate");
    return all;
}

class RunVerb : public Verb {
  public:
    RunVerb() : Verb("run", "Compile to a temporary place and run the emulator") {}

    bool takes_arguments() const override { return true; }
    void add_options(CLI::App& app) override
    {
        add_file(app, options_.sources.input);
        level_.add(app, "-O0 (default): compile fast, -O2: a fast emulator");
        add_tasks(app, options_.partition);
        model_.add(app, options_);
        app.footer(
            "What follows -- are the emulator's arguments; without a command among them it is simulate:\n"
            "  anmlc run wan.anml -D N=2 -- --for 30s\n"
            "  anmlc run wan.anml -- live --sandbox -- nginx -p www\n"
            "Exit status: 1 and 2 as of anmlc where it does not compile, otherwise the emulator's.");
    }

    std::string understand() override { return model_.set(options_); }

    int run(const CommandLine& line) override
    {
        const int program = compile_emulator(options_, level_.value(OptLevel::O0));
        return program < 0 ? kExitErrors : become_emulator(line, program, emulator_arguments(line.arguments));
    }

  private:
    BuildOptions options_;
    ModelWords model_;
    LevelWord level_;
};

}  // namespace

std::unique_ptr<Verb> verb_run() { return std::make_unique<RunVerb>(); }

}  // namespace anml
