#include "entry/options/options.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "commandline/mistakes.h"
#include "entry/options/address_maps.h"
#include "entry/options/describe.h"
#include "entry/options/known_options.h"
#include "entry/options/option_pages.h"
#include "entry/options/sandbox_arguments.h"
#include "entry/options/subnets.h"
#include "entry/tools/suggestion.h"
#include "io/gateway/host_range.h"
#include "io/gateway/wire_end.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

// An error of the command line, thrown inside this file only: CLI11 speaks exceptions too.
struct UsageError {
    std::string message;
};

class Reader {
  public:
    explicit Reader(const abi::Image& image) : image_(image) {}

    Time time(std::string_view option, const std::string& text, Time least = 1) const
    {
        std::string error;
        std::optional<double> value = parse_quantity(text, abi::Unit::time, error);
        if (!value) throw UsageError{fmt::format("{} {}", option, error)};
        constexpr double kLongest = 1e18;  // ns, thirty years
        if (*value < static_cast<double>(least) || *value > kLongest) {
            throw UsageError{
                fmt::format("{} must be from {} ns to 30 years, and is `{}`", option, least, excerpt(text))};
        }
        return static_cast<Time>(*value);
    }

    std::uint64_t number(std::string_view option, const std::string& text, std::uint64_t least,
                         std::uint64_t most) const
    {
        std::uint64_t value = 0;
        auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (status != std::errc() || end != text.data() + text.size() || value < least || value > most) {
            throw UsageError{fmt::format("{} `{}` is not a whole number from {} on{}", option, excerpt(text), least,
                                         most < 1u << 20 ? fmt::format(" to {}", most) : "")};
        }
        return value;
    }

    std::vector<int> processors(const std::string& text) const
    {
        std::vector<int> result;
        const char* at = text.data();
        const char* end = at + text.size();
        while (true) {
            int processor = -1;
            auto [next, status] = std::from_chars(at, end, processor);
            if (status != std::errc() || processor < 0 || (next != end && *next != ',')) {
                throw UsageError{
                    fmt::format("--cpu `{}` is not a list of processors; write it like `1` or `0,1`", text)};
            }
            result.push_back(processor);
            if (next == end) return result;
            at = next + 1;
        }
    }

    Pace pace(const std::string& text) const
    {
        for (const Pace pace : {Pace::spin, Pace::hybrid, Pace::sleep})
            if (text == pace_name(pace)) return pace;
        throw UsageError{fmt::format("--pace `{}` is none of spin, hybrid and sleep", excerpt(text))};
    }

    ListenAddress listen_address(std::string_view option, const std::string& text) const
    {
        ListenAddress address;
        std::string error;
        if (!parse_listen_address(option, text, address, error)) throw UsageError{error};
        return address;
    }

    OtlpAddress otlp(const std::string& url) const
    {
        constexpr std::string_view kScheme = "http://";
        if (url.starts_with("https://"))
            throw UsageError{fmt::format(
                "--otlp `{}`: figures leave without TLS; give them to a collector on this machine", excerpt(url))};
        const std::size_t begin = url.starts_with(kScheme) ? kScheme.size() : 0, slash = url.find('/', begin);
        const auto collector = processes::parse_socket_address(url.substr(begin, slash - begin));
        if (begin == 0 || !collector || url.find_first_of(" \r\n") != std::string::npos)
            throw UsageError{
                fmt::format("--otlp `{}`: write it as http://HOST:PORT, like http://127.0.0.1:4318", excerpt(url))};
        const bool path = slash != std::string::npos && slash + 1 < url.size();
        return {url, *collector, path ? url.substr(slash) : "/v1/metrics"};
    }

    // `shop:eth1`: "`shop=if:eth1`; of the forms "
    static std::string with_equals(const std::string& text)
    {
        const std::size_t colon = text.find(':');
        if (text.find('=') != text.npos || colon == text.npos || colon == 0 || colon + 1 == text.size()) return "";
        return fmt::format("`{}=if:{}`; all forms are ", text.substr(0, colon), text.substr(colon + 1));
    }

    CaptureRequest capture(const std::string& text) const
    {
        std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
            throw UsageError{fmt::format("--capture `{}`: write it as LINK=FILE.pcap", text)};
        }
        return {text.substr(0, equals), text.substr(equals + 1)};
    }

    std::uint32_t endpoint(std::string_view option, const std::string& name) const
    {
        std::vector<std::string> known;
        for (std::uint32_t i = 0; i < image_.endpoint_count; ++i) {
            known.emplace_back(image_.strings + image_.endpoints[i].name);
            if (known.back() == name) return i;
        }
        if (known.empty()) throw UsageError{fmt::format("{}: this model has no endpoint", option)};
        throw UsageError{fmt::format("{}: no endpoint is called `{}`{}", option, name, suggestion(name, known))};
    }

    std::uint32_t real_host(std::string_view option, const std::string& name) const
    {
        const std::uint32_t row = endpoint(option, name), node = image_.endpoints[row].node;
        if (image_.gateway != 0) return row;
        for (std::uint32_t i = 0; i < image_.node_row_count; ++i) {
            const abi::NodeRow& nodes = image_.node_rows[i];
            if (node < nodes.first_node || node - nodes.first_node >= nodes.count) continue;
            if (is_ipv6(Address{nodes.address}) && io::prefixes_of(image_, row).empty()) continue;
            throw UsageError{
                fmt::format("{}: IPv4 of `{}` needs a gateway, and the model's pool is of IPv6; "
                            "`addressing {{ pool = 10.0.0.0/8, ipv6 = ... }}` has both",
                            option, name)};
        }
        return row;
    }

    io::Attachment attachment(const std::string& text) const
    {
        using Kind = io::Attachment::Kind;
        std::size_t equals = text.find('=');
        std::string device = equals == std::string::npos ? "" : text.substr(equals + 1);
        const std::size_t colon = device.find(':');
        const std::string_view kind = std::string_view(device).substr(0, std::min(colon, device.size()));
        std::string name = device.substr(colon == std::string::npos ? 0 : colon + 1);
        const bool known =
            kind == "tap" || kind == "if" || kind == "xdp" || kind == "pcap" || kind == "to" || kind == "listen" ||
            kind == "forward" || colon == std::string::npos;
        if (equals == 0 || !known || name.empty()) {
            throw UsageError{
                fmt::format("--attach `{}`: write it as {}ENDPOINT=INTERFACE, ENDPOINT=if:NAME, ENDPOINT=tap:NAME, "
                            "ENDPOINT=xdp:NAME, ENDPOINT=forward:NAME, ENDPOINT=pcap:IN,OUT, ENDPOINT=localhost, "
                            "ENDPOINT=to:HOST:PORT or ENDPOINT=listen:PORT,ENDPOINT:PORT",
                            text, with_equals(text))};
        }
        const std::uint32_t row = real_host("--attach", text.substr(0, equals));
        if (kind == "tap") return {row, Kind::tap, name};
        if (kind == "if") return {row, Kind::interface, name};
        if (kind == "xdp") return {row, Kind::xdp, name};
        if (kind == "forward") return {row, Kind::forward, name};
        if (kind == "localhost" && colon == std::string::npos) return {row, Kind::localhost, name};
        if (kind == "listen") return listening(text, row, name);
        if (kind == "to") {
            io::Attachment server{row, Kind::to, name.substr(0, name.rfind(':'))};
            std::string port = name.substr(name.rfind(':') + 1);
            server.udp = take_udp(port);
            if (server.device.empty() || server.device == name || !read_port(port, server.port))
                throw UsageError{fmt::format("--attach `{}`: write it as ENDPOINT=to:HOST:PORT, like "
                                             "server=to:db.example:5432; UDP is PORT/udp",
                                             text)};
            if (server.device.starts_with('[') && server.device.ends_with(']'))
                server.device = server.device.substr(1, server.device.size() - 2);
            return server;
        }
        if (kind != "pcap") return {row, Kind::any, name};
        const std::size_t comma = std::min(name.rfind(','), name.size());
        io::PcapFiles files{name.substr(0, comma), name.substr(std::min(comma + 1, name.size()))};
        if (files.in.empty() && files.out.empty())
            throw UsageError{fmt::format("--attach `{}` names no file: write it as ENDPOINT=pcap:IN,OUT", text)};
        return {row, Kind::pcap, "", files};
    }

    // `what`: [ADDRESS:]PORT,ENDPOINT:PORT
    io::Attachment listening(const std::string& text, std::uint32_t row, const std::string& what) const
    {
        const std::size_t comma = std::min(what.find(','), what.size());
        std::string here = what.substr(0, comma);
        const std::string there = what.substr(std::min(comma + 1, what.size()));
        const std::size_t address = here.rfind(':'), name = there.rfind(':');
        io::Attachment attachment{row, io::Attachment::Kind::listen,
                                  address == here.npos ? "127.0.0.1" : here.substr(0, address)};
        attachment.udp = take_udp(here);
        in_addr number;
        const bool good = inet_pton(AF_INET, attachment.device.c_str(), &number) == 1 && name != there.npos &&
                          read_port(here.substr(address == here.npos ? 0 : address + 1), attachment.port) &&
                          read_port(there.substr(name + 1), attachment.to_port);
        if (!good) {
            throw UsageError{fmt::format(
                "--attach `{}`: write it as ENDPOINT=listen:PORT,ENDPOINT:PORT, like client=listen:5432,server:5433; "
                "ADDRESS:PORT listens at another address than 127.0.0.1, and PORT/udp for datagrams",
                text)};
        }
        attachment.to = endpoint("--attach", there.substr(0, name));
        return attachment;
    }

    // The protocol behind a port, which is left.
    static bool take_udp(std::string& port)
    {
        const bool udp = port.ends_with("/udp");
        if (udp) port.resize(port.size() - 4);
        return udp;
    }

    static bool read_port(const std::string& text, std::uint16_t& port)
    {
        const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), port);
        return wrong == std::errc{} && end == text.data() + text.size() && port != 0;
    }

    // Simulated time has no real hosts, only what files tell of them.
    void check_simulate(const Options& options) const
    {
        for (const io::Attachment& attachment : options.attachments) {
            if (attachment.kind == io::Attachment::Kind::pcap) continue;
            throw UsageError{
                fmt::format("--attach {}: real hosts take part in `live`; `simulate` attaches pcap: files only",
                            image_.strings + image_.endpoints[attachment.endpoint].name)};
        }
        check_twice(options);
        check_wires(options);
    }

    // What is of IP, at the ends of transparent links.
    void check_wires(const Options& options) const
    {
        const auto refuse = [&](std::uint32_t endpoint, std::string_view option, std::string_view why) {
            if (io::wire_at(image_, endpoint))
                throw UsageError{fmt::format("{}: endpoint `{}` is an end of a transparent link: {}", option,
                                             image_.strings + image_.endpoints[endpoint].name, why)};
        };
        for (const io::Attachment& attachment : options.attachments) {
            using Kind = io::Attachment::Kind;
            const std::string_view kind = attachment.kind == Kind::xdp       ? "xdp:"
                                          : attachment.kind == Kind::pcap    ? "pcap:"
                                          : attachment.kind == Kind::localhost ? "localhost"
                                          : attachment.kind == Kind::to        ? "to:"
                                          : attachment.kind == Kind::listen  ? "listen:"
                                          : attachment.kind == Kind::forward ? "forward:"
                                                                             : "";
            if (!kind.empty())
                refuse(attachment.endpoint, "--attach",
                       fmt::format("it takes if:NAME, tap:NAME or --sandbox, and not {}", kind));
        }
        for (const io::SubnetBehind& behind : options.subnets)
            refuse(behind.endpoint, "--behind", "frames have no routes, and hosts behind it need none");
        for (const io::MappedAddress& pair : options.maps)
            refuse(pair.endpoint, "--map", "its frames are not changed");
    }

    // The subnets of one option.
    void subnets(const std::string& text, std::vector<io::SubnetBehind>& all) const
    {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UsageError{fmt::format("--behind `{}`: write it as ENDPOINT=PREFIX, like lan=192.168.7.0/24", text)};
        }
        const std::uint32_t row = endpoint("--behind", text.substr(0, equals));
        for (std::size_t at = equals + 1; at <= text.size();) {
            const std::size_t comma = std::min(text.find(',', at), text.size());
            const std::string prefix = text.substr(at, comma - at);
            std::string error;
            const std::optional<Subnet> subnet = parse_subnet(prefix, error);
            if (!subnet) throw UsageError{fmt::format("--behind: `{}` {}", excerpt(prefix), error)};
            all.push_back({row, *subnet});
            at = comma + 1;
        }
    }

    // The pairs of one option.
    void map(const std::string& text, std::vector<io::MappedAddress>& all) const
    {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
            throw UsageError{fmt::format(
                "--map `{}`: write it as ENDPOINT=VIRTUAL:REAL, like lan=10.0.0.80:192.168.7.9, or ENDPOINT=FILE",
                excerpt(text))};
        }
        const std::uint32_t row = endpoint("--map", text.substr(0, equals));
        if (const std::string wrong = read_address_map(row, text.substr(equals + 1), all); !wrong.empty())
            throw UsageError{wrong};
    }

    io::SandboxRequest sandbox(const SandboxArgument& argument) const
    {
        if (!argument.endpoint.empty()) return {real_host(argument.where, argument.endpoint), argument.command};
        if (image_.endpoint_count > 1) {
            throw UsageError{"--sandbox: the model has several endpoints; write --sandbox NAME -- COMMAND..."};
        }
        if (image_.endpoint_count == 0) throw UsageError{"--sandbox: this model has no endpoint"};
        return {real_host("--sandbox", image_.strings + image_.endpoints[0].name), argument.command};
    }

    void check_live(const Options& options) const
    {
        if (options.quiet && options.sandboxes.size() != 1)
            throw UsageError{"--quiet is for a run with one sandbox, whose command has the output"};
        if (options.until && std::none_of(options.sandboxes.begin(), options.sandboxes.end(),
                                          [&](const auto& s) { return s.endpoint == options.until; }))
            throw UsageError{fmt::format("--until: endpoint `{}` has no --sandbox",
                                         image_.strings + image_.endpoints[*options.until].name)};
        if (!options.sandbox_user.empty() && options.sandboxes.empty())
            throw UsageError{"--sandbox-user is for the commands of --sandbox"};
        if (options.quiet && options.watch) throw UsageError{"--watch shows the run, and --quiet nothing: leave one of them out"};
        if (std::count_if(options.attachments.begin(), options.attachments.end(),
                          [](const auto& a) { return a.kind == io::Attachment::Kind::localhost; }) > 1)
            throw UsageError{"--attach: localhost is at one endpoint"};
        const std::vector<std::uint32_t> used = check_twice(options);
        check_several(options);
        if (used.empty() && options.own.empty() && options.several())
            throw UsageError{"this process needs a real host (--attach, --sandbox), or nodes of its own: --own NODE"};
        if (used.empty() && options.own.empty()) {
            throw UsageError{
                "live needs a real host: --attach ENDPOINT=if:NAME, --attach ENDPOINT=tap:NAME or "
                "--sandbox -- COMMAND..."};
        }
        for (const io::SubnetBehind& behind : options.subnets) {
            if (std::binary_search(used.begin(), used.end(), behind.endpoint)) continue;
            throw UsageError{fmt::format("--behind: endpoint `{}` is not attached",
                                         image_.strings + image_.endpoints[behind.endpoint].name)};
        }
        if (const std::string wrong = check_subnets(image_, options.subnets); !wrong.empty()) throw UsageError{wrong};
        for (const io::MappedAddress& pair : options.maps) {
            if (std::binary_search(used.begin(), used.end(), pair.endpoint)) continue;
            throw UsageError{fmt::format("--map: endpoint `{}` is not attached",
                                         image_.strings + image_.endpoints[pair.endpoint].name)};
        }
        if (const std::string wrong = check_address_maps(image_, options.subnets, options.maps); !wrong.empty())
            throw UsageError{wrong};
        check_wires(options);
    }

    processes::SocketAddress place(std::string_view option, const std::string& text) const
    {
        const auto place = processes::parse_socket_address(text);
        if (!place)
            throw UsageError{
                fmt::format("{} `{}`: write it as ADDRESS:PORT, like 10.0.0.1:7000", option, excerpt(text))};
        return *place;
    }

  private:
    // What is of one process; and what process 0 does for all.
    static void check_several(const Options& options)
    {
        if (options.listen && options.join)
            throw UsageError{"--listen is of the first process, and --join of the others"};
        if (!options.several()) {
            if (!options.own.empty()) throw UsageError{"--own is of several processes: --listen or --join"};
            return;
        }
        const auto refuse = [](bool wanted, std::string_view option, std::string_view why) {
            if (wanted) throw UsageError{fmt::format("{} is {}: leave it out", option, why)};
        };
        const bool replays = std::any_of(options.attachments.begin(), options.attachments.end(),
                                         [](const auto& a) { return a.kind == io::Attachment::Kind::pcap; });
        refuse(replays, "pcap:", "of one process, and this run has several");
        if (!options.join) return;
        for (const auto& [wanted, option] :
             {std::pair(!options.results.empty(), "--results"), std::pair(!options.reports.empty(), "--report"),
              std::pair(options.strict, "--strict")})
            refuse(wanted, option, "of the process that listens, which has the results of all");
    }

    // The endpoints that are attached, sorted.
    std::vector<std::uint32_t> check_twice(const Options& options) const
    {
        std::vector<std::uint32_t> used;
        for (const io::Attachment& a : options.attachments) used.push_back(a.endpoint);
        for (const io::SandboxRequest& s : options.sandboxes) used.push_back(s.endpoint);
        std::sort(used.begin(), used.end());
        auto twice = std::adjacent_find(used.begin(), used.end());
        if (twice == used.end()) return used;
        throw UsageError{
            fmt::format("endpoint `{}` is attached twice", image_.strings + image_.endpoints[*twice].name)};
    }

    const abi::Image& image_;
};

std::string usage_hint(const std::string& program) { return fmt::format("{} --help shows what is possible", program); }

// Names what stands in `rest` and belongs nowhere.
void refuse_leftovers(const CLI::App& app, const CLI::App* chosen)
{
    std::vector<std::string> left = app.remaining();
    std::vector<std::string> known;
    const CLI::App* verb = chosen ? chosen : app.get_subcommand("simulate");
    const auto refuse_setting = [&](const std::string& word) {
        if (word.starts_with("-") || word.find('=') == word.npos || !verb->get_option_no_throw("--set")) return;
        throw UsageError{fmt::format("tunables are set by `{} --set {}`", verb->get_name(), word)};
    };
    if (!left.empty()) refuse_setting(left.front());
    if (!left.empty() && verb->get_option_no_throw(left.front().substr(0, left.front().find('='))))
        throw UsageError{fmt::format("`{}` stands behind the command: `{} {}`", left.front(), verb->get_name(),
                                     fmt::join(left, " "))};
    if (!chosen) {
        if (left.empty()) throw UsageError{"a command is missing: simulate, live, info, doctor, ctl, shell or exec"};
        known = {"simulate", "live", "info", "doctor", "ctl", "shell", "exec", "--help", "--version"};
        std::string_view what = left.front().starts_with("-") ? "option" : "command";
        throw UsageError{fmt::format("there is no {} `{}`{}", what, left.front(), suggestion(left.front(), known))};
    }
    if (left.empty()) left = chosen->remaining();
    if (left.empty()) return;
    if (chosen->get_name() == "ctl" || chosen->get_name() == "shell" || chosen->get_name() == "exec") {
        const auto option = std::find_if(left.begin(), left.end(), [](const auto& w) { return w.starts_with("-"); });
        if (option == left.end()) return;
        std::swap(left.front(), *option);
    }
    std::string name = left.front().substr(0, left.front().find('='));
    if (const CLI::Option* set = chosen->get_option_no_throw("--set"))
        for (const std::string& word : set->results())
            if (word.find('=') == word.npos)
                throw UsageError{fmt::format("--set takes NAME=VALUE, found `{}`: --set {}={}", word, word, name)};
    refuse_setting(left.front());
    if (!name.starts_with("-")) {
        throw UsageError{fmt::format("`{}` is not expected here; {} takes options only", name, chosen->get_name())};
    }
    for (const CLI::Option* option : chosen->get_options()) known.push_back("--" + option->get_lnames().front());
    if (chosen->get_name() == "live") known.push_back("--sandbox");
    throw UsageError{fmt::format("{} has no option `{}`{}", chosen->get_name(), name, suggestion(name, known))};
}

// A verb is known here; what follows it the run reads.
std::vector<std::string> words_of_ctl(std::vector<std::string> words)
{
    const std::vector<std::string> known{"list", "watch", "capture", "link", "workload", "set", "stop"};
    if (words.empty()) throw UsageError{"ctl needs to be told what: list, watch, capture, link, workload, set or stop"};
    if (std::find(known.begin(), known.end(), words.front()) == known.end())
        throw UsageError{fmt::format("ctl has no `{}`{}", excerpt(words.front()), suggestion(words.front(), known))};
    for (const std::string& word : words)
        if (word.find('\n') != std::string::npos) throw UsageError{"ctl takes one line"};
    return words;
}

// What the run is asked.
std::vector<std::string> words_of_shell(const CLI::App& chosen)
{
    std::vector<std::string> words = chosen.remaining();
    if (words.size() > 1)
        throw UsageError{fmt::format("{0} takes one name{1}", chosen.get_name(),
                                     chosen.get_name() == "exec" ? ", and a command behind `--`"
                                                                 : "; exec [NAME] -- COMMAND... runs a command")};
    if (!words.empty() && words.front().find_first_of(" \n") != std::string::npos)
        throw UsageError{fmt::format("no sandbox is called `{}`", excerpt(words.front()))};
    words.insert(words.begin(), "sandbox");
    return words;
}

void refuse_empty_values(const CLI::App& chosen)
{
    for (const CLI::Option* option : chosen.get_options()) {
        const std::vector<std::string>& values = option->results();
        if (std::find(values.begin(), values.end(), "") == values.end()) continue;
        throw UsageError{fmt::format("{} has an empty value", option->get_name())};
    }
}

// What a run is told each point is told for itself.
void check_points(const CLI::App& simulate, const Options& options, const RawOptions& raw)
{
    if (options.points.empty() && !raw.jobs.empty()) throw UsageError{"--jobs belongs to --points"};
    if (options.points.empty()) return;
    for (const CLI::Option* option : simulate.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || name == "--points" || name == "--jobs") continue;
        throw UsageError{fmt::format("--points has the options of each run in its file: {} belongs there", name)};
    }
}

Ending refuse(const std::string& program, const std::string& message)
{
    return {kExitUsage, "", fmt::format("error: {}\n{}\n", message, usage_hint(program))};
}

}  // namespace

std::variant<Options, Ending> parse_options(const abi::Image& image, const std::vector<std::string>& arguments)
{
    std::string program = arguments.empty() ? "emulator" : arguments.front();
    std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    std::vector<SandboxArgument> sandboxes;
    std::string error;
    Options options;
    if (!take_exec(rest, options.inside) && !take_sandboxes(rest, sandboxes, error)) return refuse(program, error);

    RawOptions raw;
    bool help = false, version = false, man = false;
    std::string shell;
    CLI::App app("Runs one network, which is built in.", program);
    app.set_help_flag();
    app.allow_extras();
    app.require_subcommand(0, 1);
    app.add_flag("-h,--help", help, "Describe the model, its tunables and its endpoints");
    app.add_flag("--version", version, "Show the versions of compiler and runtime");
    app.add_flag("--print-man", man, "Print the manual page: --print-man | man -l -");
    app.add_option("--print-completion", shell, "Print what makes a shell complete the options: bash, zsh or fish")
        ->type_name("SHELL");
    CLI::App* simulate =
        app.add_subcommand("simulate", "Run as fast as possible, simulated servers in the endpoints' places");
    CLI::App* live = app.add_subcommand("live", "Run in real time against real hosts");
    CLI::App* info = app.add_subcommand("info", "Show what the model consists of");
    CLI::App* doctor = app.add_subcommand("doctor", "Look at what live runs need of this machine");
    CLI::App* control =
        app.add_subcommand("ctl", "Ask a live run, and change it: list, watch, capture, link, workload, set, stop");
    CLI::App* shell_in = app.add_subcommand("shell", "Work in a sandbox of a live run: shell [NAME]");
    CLI::App* exec = app.add_subcommand("exec", "Run a command in a sandbox of a live run: exec [NAME] -- COMMAND...");
    for (CLI::App* command : {shell_in, exec}) {
        command->add_option("--control", options.control, "The run's socket, where several run")->type_name("PATH");
        command->footer(
            "NAME is the sandbox's endpoint, not needed with one sandbox. The exit status is the command's.\n"
            "The command ends with the run at the latest.");
    }
    for (CLI::App* command : {simulate, live, info, doctor, control, shell_in, exec}) {
        command->set_help_flag("-h,--help", "Show these options");
        command->allow_extras();
        if (command == simulate || command == live || command == info) add_common(*command, options);
    }
    add_run_options(*simulate, "Simulated time", options, raw);
    simulate
        ->add_option(
            "--threads", raw.threads,
            "Threads to run on (default: as many as there are processors, 1 for a model of less than 512 nodes)")
        ->type_name("N");
    simulate
        ->add_option("--attach", raw.attachments,
                     "Replay a capture file in the place of an endpoint, and write what it would\n"
                     "have received; one of both may be left out. Once per endpoint")
        ->type_name("ENDPOINT=pcap:IN,OUT")
        ->allow_extra_args(false);
    simulate->add_flag("--no-workload", raw.no_workload, "Start no workload: what is replayed is alone in the network");
    simulate->add_flag("--quiet", options.quiet, "Say nothing but errors, and thresholds that are not met");
    simulate->add_flag("--profile", options.profile,
                       "Show how the tasks ran, and what more processors would bring; the run takes longer");
    simulate->add_flag("--mpi", options.mpi,
                       "Run as one of the processes that mpirun starts: mpirun -n 4 EMULATOR simulate --mpi;\n"
                       "--threads is of each, by default 1");
    add_point_options(*simulate, options, raw);
    add_run_options(*live, "Wall time", options, raw);
    add_live_options(*live, options, raw);
    for (CLI::App* command : {info, doctor}) command->add_flag("--json", options.json, "As JSON");
    add_control_options(*control, options, raw);
    info->add_option("--documents", options.documents,
                     "Write the files that the workloads ask for into this folder,\nfor a real web server")
        ->type_name("FOLDER");

    try {
        std::reverse(rest.begin(), rest.end());
        app.parse(rest);
        if (help) return Ending{kExitOk, describe_model(image, program), ""};
        if (version) return Ending{kExitOk, describe_versions(image), ""};
        if (man) return Ending{kExitOk, manual_page(app, image), ""};
        if (!shell.empty()) {
            std::string script = completion(app, image, shell);
            if (script.empty())
                throw UsageError{fmt::format("--print-completion takes bash, zsh or fish, and not `{}`", shell)};
            return Ending{kExitOk, script, ""};
        }
        CLI::App* chosen = app.get_subcommands().empty() ? nullptr : app.get_subcommands().front();
        refuse_leftovers(app, chosen);
        refuse_empty_values(*chosen);
        options.command = chosen == live      ? Command::live
                          : chosen == info    ? Command::info
                          : chosen == doctor  ? Command::doctor
                          : chosen == control ? Command::ctl
                          : chosen == shell_in || chosen == exec ? Command::shell
                                              : Command::simulate;
        if (chosen == control) options.words = words_of_ctl(control->remaining());
        if (chosen == exec && options.inside.empty())
            throw UsageError{"exec needs a command: write it as exec [NAME] -- COMMAND..."};
        if (options.command == Command::shell) options.words = words_of_shell(*chosen);
        if (!sandboxes.empty() && chosen != live) throw UsageError{"--sandbox belongs to live"};

        Reader reader(image);
        if (!raw.duration.empty()) options.duration = reader.time("--for", raw.duration);
        if (!raw.warmup.empty()) options.warmup = reader.time("--warmup", raw.warmup, 0);
        if (!raw.seed.empty()) options.seed = reader.number("--seed", raw.seed, 0, ~std::uint64_t{0});
        if (!raw.batches.empty())
            options.batches = static_cast<unsigned>(reader.number("--batches", raw.batches, 2, 200));
        if (!raw.threads.empty())
            options.threads = static_cast<unsigned>(reader.number("--threads", raw.threads, 1, 256));
        if (!raw.count.empty()) options.count = reader.number("--count", raw.count, 1, ~std::uint64_t{0});
        if (!raw.wait.empty()) options.wait = reader.time("--wait", raw.wait);
        if (!raw.processors.empty()) options.processors = reader.processors(raw.processors);
        if (!raw.pace.empty()) options.pace = reader.pace(raw.pace);
        if (!raw.stop_timeout.empty()) options.stop_timeout = reader.time("--stop-timeout", raw.stop_timeout, 0);
        if (!raw.until.empty()) options.until = reader.endpoint("--until", raw.until);
        if (!raw.metrics.empty()) options.metrics = reader.listen_address("--metrics", raw.metrics);
        if (!raw.otlp.empty()) options.otlp = reader.otlp(raw.otlp);
        if (!raw.api.empty()) options.api = reader.listen_address("--api", raw.api);
        if (!raw.listen.empty()) options.listen = reader.place("--listen", raw.listen);
        if (!raw.join.empty()) options.join = reader.place("--join", raw.join);
        if (!raw.processes.empty()) {
            if (!options.listen) throw UsageError{"--processes belongs to --listen"};
            options.processes = static_cast<unsigned>(reader.number("--processes", raw.processes, 2, 64));
        }
        options.workload = !raw.no_workload;
        for (const std::string& text : raw.captures) options.captures.push_back(reader.capture(text));
        for (const std::string& text : raw.attachments) options.attachments.push_back(reader.attachment(text));
        for (const std::string& text : raw.subnets) reader.subnets(text, options.subnets);
        for (const std::string& text : raw.maps) reader.map(text, options.maps);
        for (const SandboxArgument& sandbox : sandboxes) options.sandboxes.push_back(reader.sandbox(sandbox));
        if (chosen == live) reader.check_live(options);
        if (chosen == simulate) reader.check_simulate(options);
        if (chosen == simulate) check_points(*simulate, options, raw);
        if (!raw.jobs.empty()) options.jobs = static_cast<unsigned>(reader.number("--jobs", raw.jobs, 1, 4096));
        if (chosen == control && options.count != 0 && options.words.front() != "capture")
            throw UsageError{"--count is of capture"};
        if (options.json && !options.documents.empty())
            throw UsageError{"--documents writes files, and --json prints: leave one of them out"};
        if (options.mpi && (options.profile || !options.captures.empty() || !options.attachments.empty())) {
            throw UsageError{fmt::format("{} is of one process, and --mpi of several: leave one of them out",
                                         options.profile            ? "--profile"
                                         : options.captures.empty() ? "--attach"
                                                                    : "--capture")};
        }
        if (options.profile && !(options.captures.empty() && options.attachments.empty())) {
            throw UsageError{fmt::format("--profile is about tasks, and a run with {} has none: leave one of them out",
                                         options.captures.empty() ? "--attach" : "--capture")};
        }
    } catch (const CLI::CallForHelp&) {
        for (CLI::App* command : {simulate, live, info, doctor, control, shell_in, exec}) {
            if (command->parsed()) return Ending{kExitOk, command->help(program), ""};
        }
    } catch (const CLI::ParseError& problem) {
        return refuse(program, commandline::plain_mistake(problem.what()));
    } catch (const UsageError& problem) {
        return refuse(program, problem.message);
    }
    return options;
}

}  // namespace anml::rt::entry
