// From the words of the command line to a verb with its options.
#include "driver/options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/values/quantity.h"
#include "commandline/mistakes.h"
#include "driver/options/command_words.h"
#include "driver/options/option_pages.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// `-D gap=2 s`, which are three words to the shell; "": nothing like it.
std::string blank_before_unit(const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string &value = words[i], &unit = words[i + 1];
        const std::size_t equals = value.find('=');
        if (i == 0 || !words[i - 1].ends_with("-D") || equals == std::string::npos) continue;
        if (value.find_first_not_of("0123456789.", equals + 1) == std::string::npos && parse_quantity("1" + unit))
            return fmt::format("a value with a blank stands in quotes: -D '{} {}'", value, unit);
    }
    return {};
}

// What a mistake on the command line was meant to be; "" where nobody knows.
std::string usual_mistake(int argc, const char* const* argv, const CLI::App& app)
{
    for (const char* const verb : {"run", "up"})
        if (app.get_subcommand(verb)->parsed())
            for (const std::string& word : app.remaining(true))
                if (word.starts_with("-")) {
                    const std::string meant = word == "--duration" || word == "--time" ? "--for" : word;
                    return fmt::format(
                        "{0} has no option `{1}`: what the emulator is told stands behind `--`, as in "
                        "`anmlc {0} FILE -- {2}`",
                        verb, word, meant);
                }
    for (int i = 1; i < argc; ++i)
        if (const std::string_view word = argv[i]; word == "--set" || word.starts_with("--set="))
            return "--set is an option of the compiled emulator, for tunables; anmlc takes -D NAME=VALUE";
    for (int i = 1; i < argc; ++i)
        if (const std::string_view word = argv[i]; word == "-var" || word == "--var" || word.starts_with("-var=")) {
            const std::string_view given = word.starts_with("-var=") ? word.substr(5) : i + 1 < argc ? argv[i + 1] : "";
            return fmt::format("parameters are given by -D: `-D {}`",
                               given.find('=') == given.npos ? "NAME=VALUE" : given);
        }
    const std::string_view first = argc > 1 ? argv[1] : "";
    std::error_code ignored;
    if (first.empty() || first.starts_with("-") || first.ends_with(".anml") || fs::exists(first, ignored)) return {};
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    if (std::find(verbs.begin(), verbs.end(), first) != verbs.end()) return {};
    constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
        {"validate", "check"}, {"verify", "check"}, {"simulate", "run"}, {"exec", "run"},   {"deploy", "up"},
        {"start", "up"},       {"format", "fmt"},   {"plot", "graph"},   {"draw", "graph"}, {"init", "new"}};
    std::string_view similar = similar_name(first, {verbs.begin(), verbs.end()});
    for (const auto& [theirs, ours] : kElsewhere)
        if (first == theirs) similar = ours;
    if (similar.empty() && argc > 2 && std::string_view(argv[2]).ends_with(".anml"))
        return fmt::format("there is no verb `{}`; `anmlc {}` compiles", first, argv[2]);
    return similar.empty() ? "" : fmt::format("there is no verb `{}`; there is `{}`", first, similar);
}

// What the option of a verb is called here; "": nobody knows.
std::string foreign_option(const CLI::App& verb, std::string_view word)
{
    struct Foreign {
        std::string_view verb, word, help;  // verb "": of any
    };
    constexpr Foreign kForeign[] = {
        {"fmt", "-w", "fmt writes in place anyway"},
        {"fmt", "-i", "fmt writes in place anyway"},
        {"fmt", "--write", "fmt writes in place anyway"},
        {"fmt", "--in-place", "fmt writes in place anyway"},
        {"proxy", "--listen", "where clients come stands first: `anmlc proxy 9090 --to localhost:8080`"},
        {"proxy", "--port", "where clients come stands first: `anmlc proxy 9090 --to localhost:8080`"},
        {"proxy", "-l", "where clients come stands first: `anmlc proxy 9090 --to localhost:8080`"},
        {"check", "-O", "check makes no emulator; `anmlc -O2 FILE` does"},
        {"", "--latency", "there is `--delay`"},
        {"", "--bandwidth", "there is `--rate`"},
        {"", "--json", "there is `--format json`"},
        {"", "--quiet", "what is found goes to standard error: `2>/dev/null`"},
    };
    const auto has = [&](std::string_view help) {
        const std::size_t option = help.find("`--");
        return !help.starts_with("there is") || verb.get_option_no_throw(std::string(help.substr(
                                                    option + 1, help.find_first_of(" `", option + 1) - option - 1)));
    };
    for (const Foreign& f : kForeign)
        if ((f.verb.empty() || f.verb == verb.get_name()) &&
            (word == f.word || (f.word == "-O" && word.starts_with("-O"))) && has(f.help))
            return std::string(f.help);
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::string_view near = similar_name(word.substr(0, word.find('=')), {names.begin(), names.end()});
    return near.empty() ? "" : fmt::format("there is `{}`", near);
}

// A word that no option of the verb takes.
std::string unexpected_word(const CLI::App& verb, std::string_view word)
{
    const std::string meant = foreign_option(verb, word);
    if (!meant.empty()) return fmt::format("`{}` is no option of {}: {}", word, verb.get_name(), meant);
    if (verb.get_name() != "wire") return {};
    if (const auto time = parse_quantity(word); time && time->dim == dimension::time)
        return fmt::format("`{0}` is no option of wire: how much delays differ says `--jitter {0}`", word);
    return fmt::format(
        "`{}` is no option of wire; the command stands behind `--`, as in `anmlc wire --delay 40ms -- "
        "ping machine`",
        word);
}

// A positional argument that is missing, as the usage calls it: "AFTER.anml is required: the model ...".
std::string missing_argument(const CLI::App& app)
{
    for (const CLI::App* verb : app.get_subcommands())
        for (const CLI::Option* option : verb->get_options())
            if (option->get_positional() && option->get_required() && option->count() == 0) {
                std::string what = option->get_description();
                if (what.size() > 1 && what[1] >= 'a' && what[1] <= 'z')
                    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
                std::string name = option->get_option_text();
                if (name.ends_with("...")) name.resize(name.size() - 3);
                return fmt::format("{} is required: {}{}", name, what,
                                   verb->get_name() == "proxy" ? ", as in `anmlc proxy 9090 --to localhost:8080`" : "");
            }
    return {};
}

ParsedCommand ended(int status, std::string text)
{
    ParsedCommand command;
    command.status = status;
    command.text = std::move(text);
    return command;
}

ParsedCommand misused(const std::string& wrong) { return ended(kExitUsage, fmt::format("anmlc: {}\n", wrong)); }

// The words up to `--`; `argv`: as they were given.
ParsedCommand parse_words(std::vector<const char*> words, int argc, const char* const* argv)
{
    std::unique_ptr<Verb> chosen = verb_compile();
    CLI::App app{chosen->text, chosen->name};
    app.set_version_flag("--version", "anmlc " ANML_VERSION);
    chosen->add_options(app);
    std::string shell;
    bool manual = false, batch = false;
    app.add_option("--print-completion", shell, "Print what makes a shell complete anmlc's options")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->option_text("SHELL");
    app.add_flag("--print-man", manual, "Print the manual page: anmlc --print-man | man -l -");
    app.add_flag("--batch", batch,
                 "Run command lines from standard input, a JSON object a line, and answer each with one");
    std::vector<std::pair<CLI::App*, std::unique_ptr<Verb>>> verbs;
    // Options of verbs that nobody names take longer than a small model.
    const auto named = [&](std::string_view verb) {
        return std::any_of(words.begin() + 1, words.end(),
                           [&](std::string_view word) { return word == verb || word.starts_with("--print-"); });
    };
    const auto add = [&](std::unique_ptr<Verb> verb) {
        CLI::App* command = app.add_subcommand(verb->name, verb->text);
        if (named(verb->name)) verb->add_options(*command);
        verbs.emplace_back(command, std::move(verb));
    };
#define ANML_VERB(id) add(verb_##id());
#include "driver/verbs.def"
#undef ANML_VERB
    app.require_subcommand(0, 1);
    app.footer(
        "@FILE stands for the words in FILE. Exit status: 0 fine, 1 errors in the model, 2 wrong usage, 70 a bug in "
        "anmlc.");
    if (const std::string meant = blank_before_unit({words.begin(), words.end()}); !meant.empty())
        return misused(meant);
    try {
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> asked = app.get_subcommands();
        return ended(0, asked.empty() ? app.help() : asked.front()->help("anmlc"));
    } catch (const CLI::CallForVersion&) {
        return ended(0, "anmlc " ANML_VERSION "\n");
    } catch (const CLI::ParseError& error) {
        std::string meant = usual_mistake(argc, argv, app);
        if (meant.empty() && error.get_name() == "RequiredError") meant = missing_argument(app);
        const std::vector<CLI::App*> asked = app.get_subcommands();
        const std::string verb = asked.empty() ? "" : asked.front()->get_name() + " ";
        if (meant.empty() && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !verb.empty())
            meant = unexpected_word(*asked.front(), asked.front()->remaining().front());
        if (meant.empty() && std::string_view(error.what()).starts_with("--emit: json"))
            meant = "--emit: what each stage gives is JSON already: `--emit=network`";
        return misused((meant.empty() ? commandline::plain_mistake(error.what()) : meant) +
                       fmt::format("\nanmlc {}--help lists the options", verb));
    }
    if (manual) return ended(0, manual_page(app));
    if (!shell.empty()) return ended(0, shell_completion(app, shell));
    ParsedCommand command;
    if (batch) {
        if (argc != 2) return misused("--batch stands alone: command lines follow on standard input");
        command.batch = true;
        return command;
    }
    for (auto& [its_app, verb] : verbs) {
        if (!its_app->parsed()) continue;
        // Options may stand before the verb that they are of: `anmlc -I lib check FILE`.
        const auto is_verb = [&](const char* word) { return !std::strcmp(word, verb->name); };
        if (const auto at = std::find_if(words.begin() + 1, words.end(), is_verb); at != words.begin() + 1) {
            std::rotate(words.begin() + 1, at, at + 1);
            return parse_words(std::move(words), argc, argv);
        }
        chosen = std::move(verb);
    }
    command.verb = std::move(chosen);
    return command;
}

}  // namespace

ParsedCommand parse_command_line(int argc, const char* const* argv)
{
    // Behind `--` stand the arguments of the emulator that `run` runs.
    const char* const* end = std::find_if(argv, argv + argc, [](const char* word) { return !std::strcmp(word, "--"); });
    const bool separated = end != argv + argc;

    CommandWords expanded;
    if (std::string wrong = expand_words({argv, end}, expanded); !wrong.empty()) return misused(wrong);
    ParsedCommand command = parse_words(expanded.words, argc, argv);
    if (!command.verb) return command;
    command.line.words.assign(argv, end);
    if (separated) command.line.arguments.assign(end + 1, argv + argc);
    if (separated && !command.verb->takes_arguments()) return misused("`--` belongs to run, up and wire");
    if (std::string wrong = command.verb->understand(); !wrong.empty()) return misused(wrong);
    return command;
}

}  // namespace anml
