// anmlc wire -- COMMAND, anmlc proxy PORT --to PORT: a command or a server of this machine behind an emulated link, by
// a model that is made of the options.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "commandline/signal_hold.h"
#include "commandline/streams.h"
#include "driver/commands.h"
#include "link/temporary_folder.h"

namespace anml {

namespace {

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

int compile_text(const Options& options, const std::string& text)
{
    const commandline::SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    Options compiling = options;
    compiling.sources.input = folder.path() + "/wire.anml";
    std::ofstream file(compiling.sources.input);
    file << text << std::flush;
    if (folder.path().empty() || !file) {
        commandline::say(fmt::format("anmlc: cannot write a file in {}: {}; TMPDIR names another place\n",
                                     folder_of_temporaries(), std::strerror(errno)));
        return -1;
    }
    return compile_emulator(compiling);
}

bool is_port(std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), port);
    return wrong == std::errc{} && end == text.data() + text.size() && port != 0;
}

// Returns, with an exit status, only where the model is printed or does not run.
int run_model(const Options& options, std::vector<std::string> words)
{
    const std::string text = model_of(options.wire);
    if (options.wire.print) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    const int program = compile_text(options, text);
    return program < 0 ? kExitErrors : become_emulator(options, program, std::move(words));
}

}  // namespace

std::string wrong_wire(const WireOptions& wire)
{
    struct Given {
        const char* name;
        const std::string& value;
        const char* like;
    };
    for (const auto& [name, value, like] :
         {Given{"--delay", wire.delay, "40ms"}, Given{"--jitter", wire.jitter, "40ms"},
          Given{"--loss", wire.loss, "1%"}, Given{"--rate", wire.rate, "20Mbps"}, Given{"--up", wire.up, "20Mbps"},
          Given{"--down", wire.down, "20Mbps"}, Given{"--queue", wire.queue, "256KB"}}) {
        const std::size_t digits = value.find_first_not_of("0123456789.");
        const std::string_view unit = digits == value.npos ? "" : std::string_view(value).substr(digits);
        const std::size_t letters = std::min(unit.find_first_not_of(' '), unit.size());
        bool good = digits != 0 && (value.empty() || std::isdigit(static_cast<unsigned char>(value.front())));
        for (const char c : unit.substr(letters)) good &= c == '%' || std::isalpha(static_cast<unsigned char>(c));
        if (!good) return fmt::format("{} `{}` is not a number with its unit; write it like {}", name, value, like);
    }
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
    return {};
}

int cmd_wire(const Options& options)
{
    std::vector<std::string> words{"live", "--quiet", "--attach", "machine=localhost", "--sandbox", "sandbox", "--"};
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    const char* shell = std::getenv("SHELL");
    if (options.arguments.empty()) words.emplace_back(shell && *shell ? shell : "/bin/sh");
    return run_model(options, std::move(words));
}

int cmd_proxy(const Options& options)
{
    const std::string& to = options.wire.to;
    const std::string port = to.substr(to.rfind(':') + 1);
    return run_model(options, {"live", "--attach", "machine=localhost", "--attach",
                               fmt::format("clients=listen:{},machine:{}", options.wire.listen, port)});
}

}  // namespace anml
