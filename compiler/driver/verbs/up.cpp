// anmlc up FILE [-- ARGUMENTS]: runs the model live, with a command in the sandbox of each endpoint that its lab names.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/files/read_file.h"
#include "commandline/streams.h"
#include "common/ascii.h"
#include "driver/emulator.h"
#include "driver/options/option_groups.h"

namespace anml {

namespace {

constexpr std::size_t kLargest = 1 << 20;  // bytes

struct LabLine {
    std::string endpoint, command;
    std::size_t number;
};

// Lines `ENDPOINT: COMMAND`, as in a Procfile; none: it said why.
std::optional<std::vector<LabLine>> read_lab(const std::string& path)
{
    const auto wrong = [&](std::size_t line, const std::string& what) {
        commandline::say(fmt::format("anmlc: {}{}: {}\n", path, line ? fmt::format(":{}", line) : "", what));
        return std::nullopt;
    };
    std::string text;
    if (const std::string unread = read_text(path, kLargest, Readable::anything, text); !unread.empty())
        return wrong(0, unread + "; it has lines like `db: postgres -D data`, and --lab names another file");
    if (text.size() > kLargest) return wrong(0, "it is larger than 1 MB");
    std::vector<LabLine> lab;
    std::size_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.empty() || line.front() == '#') continue;
        const std::size_t colon = line.find(':');
        const std::string_view endpoint = trimmed(line.substr(0, colon));
        const std::string_view command = colon == line.npos ? "" : trimmed(line.substr(colon + 1));
        if (endpoint.starts_with("- "))
            return wrong(number, fmt::format("a line begins with its endpoint: `{}`", trimmed(line.substr(1))));
        if (endpoint.empty() || command.empty())
            return wrong(number, fmt::format("`{}` is no line `ENDPOINT: COMMAND`", line.substr(0, 60)));
        const auto same = [&](const LabLine& other) { return other.endpoint == endpoint; };
        if (std::any_of(lab.begin(), lab.end(), same))
            return wrong(number, fmt::format("`{}` has a command already", endpoint));
        lab.push_back({std::string(endpoint), std::string(command), number});
    }
    if (lab.empty()) return wrong(0, "it has no line `ENDPOINT: COMMAND`");
    return lab;
}

class UpVerb : public Verb {
  public:
    UpVerb() : Verb("up", "Run a model live with a command at each endpoint that its lab names") {}

    bool takes_arguments() const override { return true; }
    void add_options(CLI::App& app) override
    {
        add_file(app, options_.sources.input);
        app.add_option("--lab", lab_, "Its lines are ENDPOINT: COMMAND (default: beside the model, MODEL.lab)")
            ->option_text("FILE");
        level_.add(app, "-O0 (default): compile fast, -O2: a fast emulator");
        add_tasks(app, options_.partition);
        model_.add(app, options_);
        app.footer(
            "What follows -- are arguments of the emulator's live:\n"
            "  anmlc up shop.anml\n"
            "  anmlc up shop.anml -- --until tests --results run.json\n"
            "Exit status: 1 and 2 as of anmlc where it does not begin, otherwise the emulator's.");
    }

    std::string understand() override
    {
        if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
        return options_.sources.input == "-" && lab_.empty() ? "--lab names the lab of standard input" : "";
    }

    int run(const CommandLine& line) override
    {
        namespace fs = std::filesystem;
        const fs::path beside = fs::path(options_.sources.input).replace_extension(".lab");
        const bool is_file = options_.sources.input != "-";
        if (is_file && !fs::exists(options_.sources.input)) {  // what is wrong then is the model
            compile_emulator(options_, OptLevel::O0);
            return kExitErrors;
        }
        const std::string path = lab_.empty() ? beside.string() : lab_;
        const auto lab = read_lab(path);
        if (!lab) return kExitErrors;
        const int program = compile_emulator(options_, level_.value(OptLevel::O0));
        if (program < 0) return kExitErrors;
        std::vector<std::string> words{"live"};
        words.insert(words.end(), line.arguments.begin(), line.arguments.end());
        for (const LabLine& one : *lab)
            words.insert(words.end(), {"--sandbox", one.endpoint, "--line", fmt::format("{}:{}", path, one.number),
                                       "--", "/bin/sh", "-c", one.command});
        return become_emulator(line, program, std::move(words));
    }

  private:
    BuildOptions options_;
    ModelWords model_;
    LevelWord level_;
    std::string lab_;  // "": beside the model
};

}  // namespace

std::unique_ptr<Verb> verb_up() { return std::make_unique<UpVerb>(); }

}  // namespace anml
