// Reads CLI11's table.
#include "commandline/table.h"

#include <CLI/CLI.hpp>

namespace anml::commandline {

namespace {

// CLI11 describes a closed list as "TEXT:{a,b}".
std::vector<std::string> choices_of(const std::string& type)
{
    std::vector<std::string> choices;
    std::size_t open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos) return choices;
    for (std::size_t at = open + 1; at < close;) {
        std::size_t end = std::min(type.find(',', at), close);
        choices.push_back(type.substr(at, end - at));
        at = end + 1;
    }
    return choices;
}

}  // namespace

Command table_of(const CLI::App& app)
{
    Command command{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* o : app.get_options()) {
        Option option;
        for (const std::string& name : o->get_snames()) option.names.push_back("-" + name);
        for (const std::string& name : o->get_lnames()) option.names.push_back("--" + name);
        option.text = o->get_description();
        if (o->get_items_expected_max() != 0) {
            option.argument = !o->get_option_text().empty() ? o->get_option_text() : o->get_type_name();
            option.choices = choices_of(o->get_type_name());
        }
        option.joined = o->get_lnames().empty() && !option.choices.empty();
        command.options.push_back(std::move(option));
    }
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        command.commands.push_back(table_of(*sub));
    return command;
}

void set_choices(Command& command, const std::string& option, const std::vector<std::string>& choices)
{
    for (Option& o : command.options) {
        bool named = o.names.empty() && o.argument == option;
        for (const std::string& name : o.names) named = named || name == option;
        if (named) o.choices = choices;
        if (named && option.size() == 2) o.joined = true;
    }
    for (Command& sub : command.commands) set_choices(sub, option, choices);
}

bool find_shell(const std::string& name, Shell& shell)
{
    if (name == "bash") return shell = Shell::bash, true;
    if (name == "zsh") return shell = Shell::zsh, true;
    if (name == "fish") return shell = Shell::fish, true;
    return false;
}

}  // namespace anml::commandline
