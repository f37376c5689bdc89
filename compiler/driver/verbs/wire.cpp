// anmlc wire -- COMMAND, anmlc proxy PORT --to PORT: a command or a server behind an emulated link, by a model that is
// made of the options.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/diagnostics.h"
#include "base/values/quantity.h"
#include "commandline/signal_hold.h"
#include "commandline/streams.h"
#include "driver/emulator.h"
#include "driver/options/option_groups.h"
#include "driver/session.h"
#include "source/embedded_modules.h"

namespace anml {

namespace {

// Quantities as they were written, "": not.
struct WireOptions {
    std::string access, delay, jitter, loss, rate, up, down, queue;
    std::string link;        // attributes, as the language has them
    std::string listen, to;  // of `proxy`
    std::string api;         // of the emulator; "": none
    std::string stop_timeout;  // of the emulator
    std::uint64_t seed = 0;  // 0: not given
    bool udp = false;        // of `proxy`
    bool print = false;
};

// Where a wire stands among those around it. The command's sandbox has `address`; wires in it have theirs in `block`.
struct Nesting {
    static constexpr std::uint32_t kBeside = 8, kStep = 4;  // wires in one, and bits for them: half is each's block
    std::uint32_t around = 0;                               // the sandbox that it is in; 0: none
    std::uint32_t address = 0x64400002, block = 0x64500000, length = 12;

    bool has_block() const { return length + kStep < 32; }
};

constexpr const char* kNesting = "ANML_WIRE";  // "ADDRESS,BLOCK/LENGTH", of the wire in which a process is

std::string dotted(std::uint32_t address)
{
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

bool has_address(std::uint32_t address)
{
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return false;
    bool found = false;
    for (const ifaddrs* one = all; one; one = one->ifa_next)
        found |= one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
                 reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr == htonl(address);
    freeifaddrs(all);
    return found;
}

// Takes the address in this network namespace, for this process and what it becomes: of those that begin together one
// has it. False: another one has.
bool take_address(std::uint32_t address)
{
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);  // is never closed, so that it holds a name
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string own = fmt::format("anmlc wire {}", dotted(address));
    std::memcpy(name.sun_path + 1, own.data(), own.size());  // of the namespace, behind a 0: see unix(7)
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + own.size());
    if (bind(socket, reinterpret_cast<const sockaddr*>(&name), size) == 0) return true;
    const bool taken = errno == EADDRINUSE;
    close(socket);
    return !taken;
}

bool has_route(std::uint32_t address)
{
    std::ifstream routes("/proc/net/route");
    for (std::string line; std::getline(routes, line);) {
        unsigned destination = 0;  // as it lies in memory
        if (std::sscanf(line.c_str(), "%*s %x", &destination) == 1 && destination == htonl(address)) return true;
    }
    return false;
}

// Nothing: there is no room for one more.
std::optional<Nesting> nesting()
{
    const char* const said = std::getenv(kNesting);
    unsigned a[4], b[4], length = 0;
    if (!said || std::sscanf(said, "%u.%u.%u.%u,%u.%u.%u.%u/%u", &a[0], &a[1], &a[2], &a[3], &b[0], &b[1], &b[2], &b[3],
                             &length) != 9)
        return Nesting{};
    const auto number = [](const unsigned* of) { return of[0] << 24 | of[1] << 16 | of[2] << 8 | of[3]; };
    Nesting made{number(a), 0, 0, length + Nesting::kStep};
    if (!has_address(made.around)) return Nesting{};  // that wire is elsewhere
    if (made.length > 31) return std::nullopt;
    const std::uint32_t half = 1u << (32 - made.length);
    const auto first = static_cast<std::uint32_t>(getpid());  // so that those that begin together differ
    for (std::uint32_t i = 0; i < Nesting::kBeside; ++i) {
        made.address = number(b) + (first + i) % Nesting::kBeside * 2 * half + 1;
        made.block = made.address - 1 + half;
        if (!has_route(made.address) && take_address(made.address)) return made;
    }
    return std::nullopt;
}

// What stands before the block, and what is given for both ways. Each way has its values: profiles differ in which they
// give for each.
std::string model_of(const WireOptions& wire, const Nesting& nesting)
{
    std::string own, machine;
    if (wire.listen.empty() && nesting.has_block())
        own = fmt::format(", behind = {}/{}", dotted(nesting.block), nesting.length);
    if (nesting.around != 0) machine = fmt::format(", behind = {}/32", dotted(nesting.around));
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
    const std::string base = wire.access.empty() ? "" : "access." + wire.access;
    std::string head = wire.access.empty() ? "" : "import std.access\n";
    std::string attributes = base.empty() ? "" : " : " + base;
    if (!wire.link.empty()) {  // what is given so takes the place of the options' values
        head += fmt::format("import std.jitter\nimport std.loss\nimport std.queue\nprofile options : {} {{\n{}}}\n",
                            base.empty() ? "Link" : base, block);
        attributes = fmt::format(" : options {{\n    {}\n  }}", wire.link);
    } else if (!block.empty()) {
        attributes += fmt::format(" {{\n{}  }}", block);
    }
    return fmt::format(
        "{}model Wire {{\n"
        "  endpoint {} {{ address = {}{} }}\n"
        "  endpoint machine {{ address = 100.64.0.1{} }}\n"
        "  link wire: {} -- machine{}\n"
        "  run {{ duration = 1 h }}\n"
        "}}\n",
        head, who, dotted(nesting.address), own, machine, who, attributes);
}

// Messages show `name` as the text's file. Traces and other files that --link names lie beside it: in this folder.
BuildOptions options_for(const BuildOptions& options, const std::string& name, const UnsavedTexts& text)
{
    BuildOptions compiling = options;
    compiling.sources.input = name;
    compiling.unsaved = &text;
    return compiling;
}

int compile_text(const BuildOptions& options, const std::string& name, const std::string& text)
{
    const UnsavedTexts texts{{path_key(name), text}};
    return compile_emulator(options_for(options, name, texts), OptLevel::O0);
}

bool compiles(const BuildOptions& options, const std::string& name, const std::string& text)
{
    const UnsavedTexts texts{{path_key(name), text}};
    const BuildOptions compiling = options_for(options, name, texts);
    Compilation compilation;
    Session session(compiling, compilation);
    const bool good = session.end(session.network() != nullptr);
    print_diagnostics(options.messages, compilation);
    return good;
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
        if (value.front() == '-' && parse_quantity(value.substr(1))) return wrong("is negative");
        const std::string_view unit = std::string_view(value).substr(std::min(unit_position(value), value.size()));
        const std::string both = ambiguous_unit_help(unit);
        return wrong(both.empty() ? "is not a number with its unit" : fmt::format("may mean {}", both));
    }
    if (quantity->dim != given.dim) {
        const bool bare = quantity->dim == dimension::none;
        return wrong(bare ? "has no unit" : fmt::format("is a {}", dimension_name(quantity->dim)));
    }
    if (quantity->value < given.least || quantity->value > given.most) return wrong("is out of range");
    if (given.dim == dimension::none && quantity->value >= 1 && !value.ends_with('%')) return wrong("is all of them");
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
    std::string_view similar = similar_name(name, known);
    constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
        {"4g", "lte"}, {"mobile", "lte"}, {"phone", "lte"}, {"dsl", "vdsl2"}, {"satellite", "geo_satellite"}};
    for (const auto& [theirs, ours] : kElsewhere)
        if (theirs == name && std::ranges::find(known, ours) != known.end()) similar = ours;
    for (const std::string_view one : known)
        if (similar.empty() && one.find(name) != one.npos) similar = one;
    return fmt::format("--access `{}` is no profile of std.access{}; `anmlc doc std.access` lists them", name,
                       similar.empty() ? "" : fmt::format("; there is `{}`", similar));
}

// What is wrong with its values; "": nothing.
std::string wrong_wire(const WireOptions& wire)
{
    const std::array given{
        Given{"--stop-timeout", wire.stop_timeout, dimension::time, 0, kHour, "a time up to 1 h, like 5s"},
        Given{"--delay", wire.delay, dimension::time, 0, kHour, "a time up to 1 h, like 40ms"},
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
        const std::size_t host = to.rfind(':') == to.npos ? 0 : to.rfind(':') + 1;
        const std::string_view port = to.substr(host);
        if (!is_port(port) || host == 1)
            return fmt::format("--to `{}` is no server; write it like localhost:5433 or db.example:5432", wire.to);
        const std::size_t colon = listen.rfind(':'), digits = colon == listen.npos ? 0 : colon + 1;
        const std::string_view address = listen.substr(0, digits), own = listen.substr(digits);
        if (address.find_first_not_of("0123456789.:") != address.npos || !is_port(own))
            return fmt::format("`{}` is no place to listen at; write it like 5432 or 0.0.0.0:5432", wire.listen);
        if (address == ":") return fmt::format("`{}` names no address; `{}` alone is 127.0.0.1's", listen, own);
        const bool at_loopback = address.empty() || address == "127.0.0.1:" || address == "0.0.0.0:";
        const bool to_loopback = host == 0 || to.starts_with("localhost:") || to.starts_with("127.") ||
                                 to.starts_with("[::1]:") || to.starts_with("0.0.0.0:");
        if (at_loopback && own == port && to_loopback)
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
        app.add_option("--stop-timeout", wire_.stop_timeout,
                       "How long the command may take to end at Ctrl-C, and then at SIGTERM (default: 500ms)")
            ->option_text("TIME");
        add_link(app, "the command");
        app.footer(
            "What follows -- is the command, by default $SHELL. `machine` is this machine to it, with the servers of "
            "TCP that\n"
            "listen on its loopback, and no other network is there:\n"
            "  anmlc wire --delay 40ms --loss 1% --rate 20Mbps -- bash\n"
            "  anmlc wire --access lte -- curl http://machine:8000/\n"
            "Exit status: 1 and 2 as of anmlc where it does not begin, otherwise the command's, 127 there is none, 126 "
            "it cannot run.");
    }

    std::string understand() override
    {
        messages_.set(options_.messages);
        return wrong_wire(wire_);
    }

    int run(const CommandLine& line) override
    {
        const std::optional<Nesting> place = nesting();
        if (!place) {
            commandline::say("anmlc: there is no room for one more wire in this one: five are in each other, or eight "
                             "side by side\n");
            return kExitErrors;
        }
        nesting_ = *place;
        const std::string said =
            fmt::format("{},{}/{}", dotted(nesting_.address), dotted(nesting_.block), nesting_.length);
        setenv(kNesting, said.c_str(), 1);
        const std::string machine =
            nesting_.around == 0 ? "machine=localhost" : fmt::format("machine=forward:wire{}", getpid());
        std::vector<std::string> words{"live", "--quiet", "--attach", machine, "--sandbox", "sandbox", "--"};
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
        // What a script's variable without a value leaves.
        const CLI::Validator given([](const std::string& text) { return text.empty() ? "it has no value" : ""; }, "");
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
        app.add_option("--link", wire_.link,
                       "Attributes of links as in a model, in place of what other options say: 'duplicate = 1 %'")
            ->option_text("ATTRIBUTES");
        app.add_option("--api", wire_.api,
                       "Change the link `wire` there by HTTP while it runs; ANML_API_TOKEN is the token, or one is "
                       "made")
            ->option_text("ADDRESS:PORT");
        app.add_option("--seed", wire_.seed, "Draws other losses and jitter: each number its own (default: 1)")
            ->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0}))
            ->check([](const std::string& text) {
                const bool good = text.size() <= 19 && text.find_first_not_of("0123456789") == text.npos;
                return good ? "" : "it is a number of up to 19 digits";
            })
            ->option_text("N");
        for (CLI::Option* option : app.get_options())
            if (option->get_expected_min() > 0) option->check(given);
        app.add_flag("--print", wire_.print, "Print the model that would run");
        messages_.add(app);
    }

    // Returns, with an exit status, only where the model is printed or does not run.
    int run_model(const CommandLine& line, std::vector<std::string> words)
    {
        if (!wire_.stop_timeout.empty()) words.insert(words.begin() + 1, {"--stop-timeout", wire_.stop_timeout});
        if (!wire_.api.empty()) words.insert(words.begin() + 1, {"--api", wire_.api});
        // Wires in each other draw apart.
        const std::uint64_t seed = wire_.seed != 0 ? wire_.seed : nesting_.around != 0 ? nesting_.length : 1;
        words.insert(words.begin() + 1, {"--seed", fmt::to_string(seed)});
        const std::string text = model_of(wire_, nesting_);
        const char* const name = wire_.link.empty() ? "wire" : "--link";
        if (wire_.print && !wire_.link.empty() && !compiles(options_, name, text)) return kExitErrors;
        if (wire_.print) {
            std::fputs(text.c_str(), stdout);
            return 0;
        }
        const int program = compile_text(options_, name, text);
        return program < 0 ? kExitErrors : become_emulator(line, program, std::move(words));
    }

    WireOptions wire_;

  private:
    Nesting nesting_;
    BuildOptions options_;
    MessageWords messages_;
};

class ProxyVerb : public WireVerb {
  public:
    ProxyVerb() : WireVerb("proxy", "Put an emulated link before a server") {}

    bool takes_arguments() const override { return false; }
    void add_options(CLI::App& app) override
    {
        app.add_option("listen", wire_.listen, "Where clients come; of a PORT alone, 127.0.0.1")
            ->option_text("[ADDRESS:]PORT")
            ->required();
        app.add_option("--to", wire_.to, "The server's port, on this machine's loopback or elsewhere")
            ->option_text("[HOST:]PORT")
            ->required();
        app.add_flag("--udp", wire_.udp, "Both ports are of UDP (default: of TCP)");
        add_link(app, "clients");
        app.footer(
            "Ctrl-C ends it:\n"
            "  anmlc proxy 5432 --to localhost:5433 --delay 80ms\n"
            "  anmlc proxy 5432 --to db.example:5432 --delay 80ms\n"
            "  anmlc proxy 5353 --to 192.0.2.53:53 --udp --delay 80ms --loss 5%\n"
            "  anmlc proxy 0.0.0.0:8080 --to 8000 --access lte");
    }

    int run(const CommandLine& line) override
    {
        const std::string port = wire_.to.substr(wire_.to.rfind(':') + 1);
        const bool here = port == wire_.to || wire_.to.starts_with("localhost:");
        const char* const protocol = wire_.udp ? "/udp" : "";
        const std::string to = here && wire_.udp ? "127.0.0.1:" + port : wire_.to;
        const bool local = here && !wire_.udp;  // of TCP: the server may listen at ::1
        return run_model(
            line, {"live", "--attach", local ? "machine=localhost" : fmt::format("machine=to:{}{}", to, protocol),
                   "--attach", fmt::format("clients=listen:{}{},machine:{}", wire_.listen, protocol, port)});
    }
};

}  // namespace

std::unique_ptr<Verb> verb_wire() { return std::make_unique<WireVerb>(); }
std::unique_ptr<Verb> verb_proxy() { return std::make_unique<ProxyVerb>(); }

}  // namespace anml
