// anmlc wire -- COMMAND, anmlc proxy PORT --to PORT: a command or a server of this machine behind an emulated link, by
// a model that is made of the options.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/diagnostics.h"
#include "base/values/quantity.h"
#include "commandline/signal_hold.h"
#include "commandline/streams.h"
#include "driver/emulator.h"
#include "driver/options/option_groups.h"
#include "link/temporary_folder.h"
#include "source/embedded_modules.h"

namespace anml {

namespace {

// Quantities as they were written, "": not.
struct WireOptions {
    std::string access, delay, jitter, loss, rate, up, down, queue;
    std::string listen, to;  // of `proxy`
    std::string api;         // of the emulator; "": none
    bool print = false;
};

// What stands before the block, and what is given for both ways. Each way has its values: profiles differ in which they
// give for each.
std::string model_of(const WireOptions& wire)
{
    const auto direction = [&](const std::string& own_rate) {
        std::string values;
        const auto add = [&](const char* name, const std::string& value) {
            if (!value.empty()) values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
        };
        const std::string& rate = own_rate.empty() ? wire.rate : own_rate;
        add("rate", rate.empty() && wire.access.empty() ? "100 Gbps" : rate);
        add("delay", wire.delay);
        add("jitter", wire.jitter.empty() ? "" : fmt::format("uniform(0 s, {})", wire.jitter));
        add("loss", wire.loss);
        add("queue", wire.queue.empty() ? "" : fmt::format("droptail({})", wire.queue));
        return values;
    };
    std::string block;
    for (const auto& [name, rate] : {std::pair("up", wire.up), std::pair("down", wire.down)})
        if (const std::string values = direction(rate); !values.empty())
            block += fmt::format("    {} {{ {} }}\n", name, values);
    const char* const who = wire.listen.empty() ? "sandbox" : "clients";
    const std::string link = fmt::format(
        "  link wire: {} -- machine{}{}\n", who, wire.access.empty() ? "" : fmt::format(" : access.{}", wire.access),
        block.empty() ? "" : fmt::format(" {{\n{}  }}", block));
    return fmt::format(
        "{}model Wire {{\n"
        "  endpoint {} {{ address = 100.64.0.2 }}\n"
        "  endpoint machine {{ address = 100.64.0.1 }}\n"
        "{}"
        "  run {{ duration = 1 h }}\n"
        "}}\n",
        wire.access.empty() ? "" : "import std.access\n", who, link);
}

int compile_text(const BuildOptions& options, const std::string& text)
{
    const commandline::SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    BuildOptions compiling = options;
    compiling.sources.input = folder.path() + "/wire.anml";
    std::ofstream file(compiling.sources.input);
    file << text << std::flush;
    if (folder.path().empty() || !file) {
        commandline::say(fmt::format("anmlc: cannot write a file in {}: {}; TMPDIR names another place\n",
                                     folder_of_temporaries(), std::strerror(errno)));
        return -1;
    }
    return compile_emulator(compiling, OptLevel::O0);
}

bool is_port(std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), port);
    return wrong == std::errc{} && end == text.data() + text.size() && port != 0;
}

struct Given {
    const char* name;
    const std::string& value;
    Dimension dim;
    double least, most;  // canonical
    const char* like;
};

constexpr double kHour = 3600e9, kFastest = 1e15, kLargestQueue = 1024.0 * 1024 * 1024 * 1024;
constexpr const char* kLikeRate = "a rate, like 20Mbps";

std::string wrong_value(const Given& given)
{
    const std::string& value = given.value;
    if (value.empty()) return {};
    const auto wrong = [&](const std::string& why) {
        return fmt::format("{} `{}` {}; it takes {}", given.name, value, why, given.like);
    };
    const auto quantity = parse_quantity(value);
    if (!quantity) {
        const std::string_view unit = std::string_view(value).substr(std::min(unit_position(value), value.size()));
        const std::string both = ambiguous_unit_help(unit);
        return wrong(both.empty() ? "is not a number with its unit" : fmt::format("may mean {}", both));
    }
    if (quantity->dim != given.dim) {
        const bool bare = quantity->dim == dimension::none;
        return wrong(bare ? "has no unit" : fmt::format("is a {}", dimension_name(quantity->dim)));
    }
    if (quantity->value < given.least || quantity->value > given.most) return wrong("is out of range");
    return {};
}

std::string unknown_access(const std::string& name)
{
    std::vector<std::string_view> known;
    constexpr std::string_view kProfile = "\nprofile ";
    for (const EmbeddedModule& module : embedded_modules()) {
        if (module.module != "std.access") continue;
        for (std::size_t at = 0; (at = module.text.find(kProfile, at)) != module.text.npos;) {
            at += kProfile.size();
            known.push_back(module.text.substr(at, module.text.find_first_of(" (:", at) - at));
        }
    }
    if (std::find(known.begin(), known.end(), name) != known.end()) return {};
    const std::string_view similar = similar_name(name, known);
    return fmt::format("--access `{}` is no profile of std.access{}; `anmlc doc std.access` lists them", name,
                       similar.empty() ? "" : fmt::format("; there is `{}`", similar));
}

// What is wrong with its values; "": nothing.
std::string wrong_wire(const WireOptions& wire)
{
    const std::array given{Given{"--delay", wire.delay, dimension::time, 0, kHour, "a time up to 1 h, like 40ms"},
                           Given{"--jitter", wire.jitter, dimension::time, 0, kHour, "a time up to 1 h, like 40ms"},
                           Given{"--loss", wire.loss, dimension::none, 0, 1, "a ratio up to 100 %, like 1%"},
                           Given{"--rate", wire.rate, dimension::rate, 1, kFastest, kLikeRate},
                           Given{"--up", wire.up, dimension::rate, 1, kFastest, kLikeRate},
                           Given{"--down", wire.down, dimension::rate, 1, kFastest, kLikeRate},
                           Given{"--queue", wire.queue, dimension::size, 1, kLargestQueue, "a size, like 256KB"}};
    for (const Given& one : given)
        if (std::string wrong = wrong_value(one); !wrong.empty()) return wrong;
    if (!wire.listen.empty()) {
        const std::string_view to = wire.to, listen = wire.listen;
        const std::string_view port = to.substr(to.starts_with("localhost:") ? 10 : 0);
        if (!is_port(port))
            return fmt::format("--to `{}` is no port of this machine; write it like localhost:5433", wire.to);
        const std::size_t colon = listen.rfind(':'), digits = colon == listen.npos ? 0 : colon + 1;
        const std::string_view address = listen.substr(0, digits), own = listen.substr(digits);
        if (address.find_first_not_of("0123456789.:") != address.npos || !is_port(own))
            return fmt::format("`{}` is no place to listen at; write it like 5432 or 0.0.0.0:5432", wire.listen);
        const bool at_loopback = address.empty() || address == "127.0.0.1:" || address == "0.0.0.0:";
        if (at_loopback && own == port)
            return fmt::format("clients of port {} would come back to it: --to is the server's port", own);
    }
    for (const char c : wire.access)
        if (c != '_' && !std::isalnum(static_cast<unsigned char>(c)))
            return fmt::format("--access `{}` is no name; `anmlc doc std.access` lists them", wire.access);
    return wire.access.empty() ? "" : unknown_access(wire.access);
}

class WireVerb : public Verb {
  public:
    WireVerb() : Verb("wire", "Run a command behind an emulated link") {}

    bool takes_arguments() const override { return true; }
    void add_options(CLI::App& app) override
    {
        add_link(app, "the command");
        app.footer(
            "What follows -- is the command, by default $SHELL. `machine` is this machine to it, with the servers of "
            "TCP that\n"
            "listen on its loopback, and no other network is there:\n"
            "  anmlc wire --delay 40ms --loss 1% --rate 20Mbps -- bash\n"
            "  anmlc wire --access lte -- curl http://machine:8000/\n"
            "Exit status: 1 and 2 as of anmlc where it does not begin, otherwise the command's.");
    }

    std::string understand() override
    {
        messages_.set(options_.messages);
        return wrong_wire(wire_);
    }

    int run(const CommandLine& line) override
    {
        std::vector<std::string> words{"live",      "--quiet", "--attach", "machine=localhost",
                                       "--sandbox", "sandbox", "--"};
        words.insert(words.end(), line.arguments.begin(), line.arguments.end());
        const char* shell = std::getenv("SHELL");
        if (line.arguments.empty()) words.emplace_back(shell && *shell ? shell : "/bin/sh");
        return run_model(line, std::move(words));
    }

  protected:
    WireVerb(const char* its_name, const char* its_text) : Verb(its_name, its_text) {}

    // What a link of `wire` and `proxy` is like.
    void add_link(CLI::App& app, std::string_view who)
    {
        app.add_option("--delay", wire_.delay, "Of each packet, one way: 40ms")->option_text("TIME");
        app.add_option("--jitter", wire_.jitter, "Added to it, evenly from 0 to this; packets keep their order")
            ->option_text("TIME");
        app.add_option("--loss", wire_.loss, "Of the packets, each way: 1%")->option_text("RATIO");
        app.add_option("--rate", wire_.rate, "Each way: 20Mbps (default: 100 Gbps)")->option_text("RATE");
        app.add_option("--up", wire_.up, fmt::format("From {}, in place of --rate", who))->option_text("RATE");
        app.add_option("--down", wire_.down, fmt::format("To {}, in place of --rate", who))->option_text("RATE");
        app.add_option("--queue", wire_.queue, "What waits before the link, each way (default: 512KB)")
            ->option_text("SIZE");
        app.add_option("--access", wire_.access,
                       "A profile of std.access, such as lte; other options take the place of its values")
            ->option_text("NAME");
        app.add_option("--api", wire_.api,
                       "Change the link `wire` there by HTTP while it runs; ANML_API_TOKEN is the token, or one is "
                       "made")
            ->option_text("ADDRESS:PORT");
        app.add_flag("--print", wire_.print, "Print the model that would run");
        messages_.add(app);
    }

    // Returns, with an exit status, only where the model is printed or does not run.
    int run_model(const CommandLine& line, std::vector<std::string> words)
    {
        if (!wire_.api.empty()) words.insert(words.begin() + 1, {"--api", wire_.api});
        const std::string text = model_of(wire_);
        if (wire_.print) {
            std::fputs(text.c_str(), stdout);
            return 0;
        }
        const int program = compile_text(options_, text);
        return program < 0 ? kExitErrors : become_emulator(line, program, std::move(words));
    }

    WireOptions wire_;

  private:
    BuildOptions options_;
    MessageWords messages_;
};

class ProxyVerb : public WireVerb {
  public:
    ProxyVerb() : WireVerb("proxy", "Put an emulated link before a server of this machine") {}

    bool takes_arguments() const override { return false; }
    void add_options(CLI::App& app) override
    {
        app.add_option("listen", wire_.listen, "Where clients come; of a PORT alone, 127.0.0.1")
            ->option_text("[ADDRESS:]PORT")
            ->required();
        app.add_option("--to", wire_.to, "The server's port of TCP")->option_text("[localhost:]PORT")->required();
        add_link(app, "clients");
        app.footer(
            "Ctrl-C ends it:\n"
            "  anmlc proxy 5432 --to localhost:5433 --delay 80ms\n"
            "  anmlc proxy 0.0.0.0:8080 --to 8000 --access lte");
    }

    int run(const CommandLine& line) override
    {
        const std::string port = wire_.to.substr(wire_.to.rfind(':') + 1);
        return run_model(line, {"live", "--attach", "machine=localhost", "--attach",
                                fmt::format("clients=listen:{},machine:{}", wire_.listen, port)});
    }
};

}  // namespace

std::unique_ptr<Verb> verb_wire() { return std::make_unique<WireVerb>(); }
std::unique_ptr<Verb> verb_proxy() { return std::make_unique<ProxyVerb>(); }

}  // namespace anml
