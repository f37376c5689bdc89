// A program's command line as data, for its manual page and for the shells that complete it. The compiler's and the
// emulators' options are tables of CLI11, and both come from what `table_of` reads there.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace anml::commandline {

struct Option {
    std::vector<std::string> names;  // "-o", "--emit"; of a positional argument: none
    std::string argument;            // "KIND", "" for a flag
    std::string text;
    std::vector<std::string> choices;  // what the argument may be, if that is a closed list
    bool joined = false;               // the argument follows without a blank: -O2, -fsyntax-only
};

struct Command {
    std::string name, text, footer;
    std::vector<Option> options;
    std::vector<Command> commands;
};

Command table_of(const CLI::App& app);

// The choices of an argument that CLI11 knows nothing of, by the option's name or the positional's argument ("NAME").
void set_choices(Command& command, const std::string& option, const std::vector<std::string>& choices);

enum class Shell { bash, zsh, fish };
bool find_shell(const std::string& name, Shell& shell);

// A script for the shell to load. Arguments called FILE, PATH, DIR ... are completed as files.
std::string completion(const Command& program, Shell shell);

struct ManualPage {
    std::string title, summary;                                 // "ANMLC", "compile models of networks"
    std::vector<std::pair<std::string, std::string>> sections;  // further ones, as roff text
    std::string source;                                         // "anmlc 0.1.0"
};
std::string manual_page(const Command& program, const ManualPage& page);  // roff with man macros

}  // namespace anml::commandline
