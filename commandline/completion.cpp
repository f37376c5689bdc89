// Completion scripts. What a shell is told: the verbs, the options of each, and what their arguments may be.
#include <fmt/format.h>

#include "commandline/table.h"

namespace anml::commandline {

namespace {

bool takes_file(const std::string& argument)
{
    for (const char* word : {"FILE", "PATH"})
        if (argument.find(word) != std::string::npos) return true;
    return false;
}
bool takes_folder(const std::string& argument) { return argument == "DIR"; }

// The words that an option is typed as: "-O0", "-O2", or its names.
std::vector<std::string> words_of(const Option& option)
{
    if (!option.joined) return option.names;
    std::vector<std::string> words;
    for (const std::string& choice : option.choices) words.push_back(option.names.front() + choice);
    return words;
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string identifier(std::string_view name)
{
    std::string out;
    for (char c : name) out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    return out;
}

std::string quoted_word(std::string_view text)
{
    std::string out = "'";
    for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// ---- bash

std::string bash_command(const Command& command)
{
    std::string words, arms;
    std::vector<std::string> operands;
    bool files = false;
    for (const Option& option : command.options) {
        if (option.names.empty()) {
            operands.insert(operands.end(), option.choices.begin(), option.choices.end());
            files = files || takes_file(option.argument);
            continue;
        }
        for (const std::string& word : words_of(option)) words += (words.empty() ? "" : " ") + word;
        if (option.joined || option.argument.empty()) continue;
        std::string action =
            !option.choices.empty()
                ? fmt::format("_words {}", quoted_word(fmt::format("{}", fmt::join(option.choices, " "))))
            : takes_folder(option.argument) ? "_folders"
            : takes_file(option.argument)   ? "_files"
                                            : ":";
        arms += fmt::format("        {}) {}; return;;\n", fmt::join(option.names, "|"), action);
    }
    for (const Command& sub : command.commands) operands.push_back(sub.name);
    std::string out;
    if (!arms.empty()) out += fmt::format("      case $before in\n{}      esac\n", arms);
    out += fmt::format("      if [[ $word == -* ]]; then _words {}; else _words {}; {}fi\n", quoted_word(words),
                       quoted_word(fmt::format("{}", fmt::join(operands, " "))), files ? "_files; " : "");
    return out;
}

std::string bash(const Command& program)
{
    std::string function = "_" + identifier(program.name);
    std::string names, arms;
    for (const Command& sub : program.commands) {
        names += (names.empty() ? "" : "|") + sub.name;
        arms += fmt::format("    {})\n{}      ;;\n", sub.name, bash_command(sub));
    }
    arms += fmt::format("    *)\n{}      ;;\n", bash_command(program));
    return fmt::format(
        R"(# bash completion for {0}: put it where bash-completion looks, or source it.
{1}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb= i
  # `--emit=k` comes as three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in {2}) verb=${{COMP_WORDS[i]}}; break;; esac
  done
  _words() {{ COMPREPLY+=($(compgen -W "$1" -- "$word")); }}
  _files() {{ compopt -o filenames; COMPREPLY+=($(compgen -f -- "$word")); }}
  _folders() {{ compopt -o filenames; COMPREPLY+=($(compgen -d -- "$word")); }}
  COMPREPLY=()
  case $verb in
{3}  esac
}}
complete -F {1} {0}
)",
        program.name, function, names.empty() ? "''" : names, arms);
}

// ---- zsh

std::string zsh_escaped(std::string_view text)
{
    std::string out;
    for (char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_action(const Option& option)
{
    if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
    return takes_folder(option.argument) ? "_files -/" : takes_file(option.argument) ? "_files" : " ";
}

std::string zsh_arguments(const Command& command)
{
    std::string out;
    for (const Option& option : command.options) {
        std::string text = zsh_escaped(first_line(option.text)), argument = zsh_escaped(option.argument);
        if (option.names.empty()) {
            out += fmt::format("    {} \\\n", quoted_word(fmt::format("*:{}:{}", argument, zsh_action(option))));
            continue;
        }
        for (const std::string& word : words_of(option)) {
            std::string spec = fmt::format("*{}{}[{}]", word,
                                           option.argument.empty() || option.joined ? ""
                                           : word.starts_with("--")                 ? "="
                                                                                    : "+",
                                           text);
            if (!option.argument.empty() && !option.joined) spec += fmt::format(":{}:{}", argument, zsh_action(option));
            out += fmt::format("    {} \\\n", quoted_word(spec));
        }
    }
    return out;
}

std::string zsh(const Command& program)
{
    std::string function = "_" + identifier(program.name), arms, verbs, pattern;
    for (const Command& sub : program.commands) {
        arms += fmt::format("  {})\n    _arguments -s \\\n{}    && return;;\n", sub.name, zsh_arguments(sub));
        verbs += fmt::format("    {}\n", quoted_word(fmt::format("{}:{}", sub.name, zsh_escaped(sub.text))));
        pattern += (pattern.empty() ? "" : "|") + sub.name;
    }
    return fmt::format(
        R"(#compdef {0}
# zsh completion for {0}: put it into a folder of $fpath as _{0}.
{1}() {{
  local -a verbs
  verbs=(
{2}  )
  local word verb=
  for word in ${{words[2,CURRENT-1]}}; do
    case $word in {3}) verb=$word; break;; esac
  done
  case $verb in
{4}  *)
    (( CURRENT == 2 )) && _describe command verbs
    _arguments -s \
{5}    && return;;
  esac
}}
if [[ $funcstack[1] == {1} ]]; then {1} "$@"; else compdef {1} {0}; fi
)",
        program.name, function, verbs, pattern.empty() ? "''" : pattern, arms, zsh_arguments(program));
}

// ---- fish

std::string fish_option(const std::string& program, const std::string& condition, const Option& option)
{
    std::string line = fmt::format("complete -c {} -n {}", program, quoted_word(condition));
    const bool file = takes_file(option.argument) || takes_folder(option.argument);
    if (option.names.empty()) {
        if (!option.choices.empty())
            line += fmt::format(" -a {}", quoted_word(fmt::format("{}", fmt::join(option.choices, " "))));
        return file || option.choices.empty() ? line + " -F\n" : line + "\n";
    }
    if (option.joined) {
        // fish calls `-O2` an option in the old style: one dash, a word.
        std::string out;
        for (const std::string& word : words_of(option))
            out += fmt::format("{} -o {} -d {}\n", line, quoted_word(word.substr(1)),
                               quoted_word(first_line(option.text)));
        return out;
    }
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.argument.empty()) line += " -r";
    if (!option.choices.empty())
        line += fmt::format(" -f -a {}", quoted_word(fmt::format("{}", fmt::join(option.choices, " "))));
    else if (!option.argument.empty())
        line += file ? " -F" : " -f";
    return line + fmt::format(" -d {}\n", quoted_word(first_line(option.text)));
}

std::string fish(const Command& program)
{
    std::string out =
        fmt::format("# fish completion for {0}: put it into ~/.config/fish/completions as {0}.fish.\n", program.name);
    out += fmt::format("complete -c {} -f\n", program.name);
    std::string none = "__fish_use_subcommand";
    for (const Command& sub : program.commands)
        out += fmt::format("complete -c {} -n {} -a {} -d {}\n", program.name, none, sub.name, quoted_word(sub.text));
    for (const Option& option : program.options) out += fish_option(program.name, none, option);
    for (const Command& sub : program.commands)
        for (const Option& option : sub.options)
            out += fish_option(program.name, "__fish_seen_subcommand_from " + sub.name, option);
    return out;
}

}  // namespace

std::string completion(const Command& program, Shell shell)
{
    return shell == Shell::bash ? bash(program) : shell == Shell::zsh ? zsh(program) : fish(program);
}

}  // namespace anml::commandline
