// A verb of the command line: a file in verbs/ with its options and what it does, and a line in verbs.def.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace anml {

inline constexpr int kExitErrors = 1, kExitUsage = 2, kExitInternal = 70;

// Besides the options.
struct CommandLine {
    std::vector<std::string> words;      // all, up to `--`
    std::vector<std::string> arguments;  // behind it
};

class Verb {
  public:
    Verb(const char* its_name, const char* its_text) : name(its_name), text(its_text) {}
    virtual ~Verb() = default;

    const char* const name;
    const char* const text;  // what it does, for the help

    virtual bool takes_arguments() const { return false; }  // behind `--`
    // Declares the options: they are parsed into the verb.
    virtual void add_options(CLI::App& app) = 0;
    // Decisions that need more than one option. What is wrong, or "".
    virtual std::string understand() { return {}; }
    virtual int run(const CommandLine& line) = 0;  // the exit status
};

#define ANML_VERB(id) std::unique_ptr<Verb> verb_##id();
#include "driver/verbs.def"
#undef ANML_VERB
std::unique_ptr<Verb> verb_compile();  // `anmlc FILE`

int explain(const std::string& diagnostic);  // the verb, and --explain

}  // namespace anml
