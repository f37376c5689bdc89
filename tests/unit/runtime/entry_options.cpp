#include <catch2/catch.hpp>

#include "entry/options/describe.h"
#include "entry/options/options.h"
#include "entry/options/sandbox_arguments.h"
#include "entry/options/tunables.h"
#include "entry_image.h"
#include "net/model.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace anml::rt::entry;
using Arguments = std::vector<std::string>;

namespace {

Options good(Arguments arguments)
{
    arguments.insert(arguments.begin(), "./emu");
    auto result = parse_options(entry_test::image(), arguments);
    if (const Ending* ending = std::get_if<Ending>(&result)) FAIL(ending->error << ending->output);
    return std::get<Options>(result);
}

std::string bad(Arguments arguments)
{
    arguments.insert(arguments.begin(), "./emu");
    auto result = parse_options(entry_test::image(), arguments);
    REQUIRE(std::holds_alternative<Ending>(result));
    CHECK(std::get<Ending>(result).exit_code == kExitUsage);
    std::string error = std::get<Ending>(result).error;
    return error.substr(0, error.find('\n'));
}

std::string help(Arguments arguments)
{
    arguments.insert(arguments.begin(), "./emu");
    auto result = parse_options(entry_test::image(), arguments);
    REQUIRE(std::holds_alternative<Ending>(result));
    CHECK(std::get<Ending>(result).exit_code == kExitOk);
    return std::get<Ending>(result).output;
}

}  // namespace

TEST_CASE("simulate takes its options")
{
    Options o =
        good({"simulate", "--for", "30 s", "--seed", "7", "--set", "delay=4ms", "--set", "queue=8KB", "--results",
              "r.json", "--connections", "c.csv", "--capture", "edge[2]=e.pcap", "--capture", "entry>=x=y.pcap"});
    CHECK(o.command == Command::simulate);
    CHECK(o.duration == 30 * kSecond);
    CHECK(o.seed == 7);
    CHECK(o.settings == Arguments{"delay=4ms", "queue=8KB"});
    CHECK(o.results == "r.json");
    CHECK(o.connections == "c.csv");
    REQUIRE(o.captures.size() == 2);
    CHECK(o.captures[0].link == "edge[2]");
    CHECK(o.captures[0].file == "e.pcap");
    CHECK(o.captures[1].link == "entry>");
    CHECK(o.captures[1].file == "x=y.pcap");
    CHECK(good({"simulate"}).duration == std::nullopt);
    CHECK(good({"simulate", "--profile"}).profile);
    CHECK_FALSE(good({"simulate"}).profile);
}

TEST_CASE("info takes a folder for documents")
{
    CHECK(good({"info", "--documents", "www"}).documents == "www");
    CHECK(bad({"info", "--json", "--documents", "www"}).find("leave one of them out") != std::string::npos);
}

TEST_CASE("live takes attachments and sandboxes")
{
    Options o = good({"live", "--attach", "server=if:eth1", "--wait", "500ms", "--no-workload", "--cpu", "0,1"});
    REQUIRE(o.attachments.size() == 1);
    CHECK(o.attachments[0].kind == io::Attachment::Kind::interface);
    CHECK(o.attachments[0].device == "eth1");
    CHECK(o.wait == 500 * kMillisecond);
    CHECK_FALSE(o.workload);
    CHECK(o.processors == std::vector<int>{0, 1});
    CHECK(good({"live", "--attach", "server=tap:t0"}).attachments[0].kind == io::Attachment::Kind::tap);
    const io::Attachment express = good({"live", "--attach", "server=xdp:eth1"}).attachments[0];
    CHECK(express.kind == io::Attachment::Kind::xdp);
    CHECK(express.device == "eth1");
    CHECK(bad({"simulate", "--attach", "server=xdp:eth1"}).find("real hosts take part in `live`") != std::string::npos);
    CHECK(o.pace == Pace::hybrid);
    CHECK_FALSE(o.strict);
    o = good({"live", "--attach", "server=if:eth1", "--pace", "sleep", "--strict"});
    CHECK(o.pace == Pace::sleep);
    CHECK(o.strict);

    o = good({"live", "--for", "5s", "--sandbox", "--", "nginx", "-c", "x", "--for", "-h"});
    CHECK(o.duration == 5 * kSecond);
    REQUIRE(o.sandboxes.size() == 1);
    CHECK(o.sandboxes[0].endpoint == 0);
    CHECK(o.sandboxes[0].command == Arguments{"nginx", "-c", "x", "--for", "-h"});
}

TEST_CASE("a sandbox's command reaches to the next sandbox")
{
    Arguments rest{"live", "--sandbox", "a", "--", "one", "--", "x", "--sandbox=b", "--", "two"};
    std::vector<SandboxArgument> sandboxes;
    std::string error;
    REQUIRE(take_sandboxes(rest, sandboxes, error));
    CHECK(rest == Arguments{"live"});
    REQUIRE(sandboxes.size() == 2);
    CHECK(sandboxes[0].endpoint == "a");
    CHECK(sandboxes[0].command == Arguments{"one", "--", "x"});
    CHECK(sandboxes[1].endpoint == "b");
    CHECK(sandboxes[1].command == Arguments{"two"});
}

TEST_CASE("wrong command lines are refused with a reason")
{
    CHECK(bad({}) == "error: a command is missing: simulate, live, info, doctor, ctl, shell or exec");
    CHECK(good({"simulate", "--warmup", "0s"}).warmup == 0);
    CHECK(good({"simulate", "--warmup", "5 s"}).warmup == 5 * kSecond);
    CHECK_FALSE(good({"simulate"}).warmup);
    CHECK(bad({"simulate", "--warmup", "-1s"}).find("--warmup must be from 0 ns") != std::string::npos);
    CHECK(bad({"simulate", "--for", "30"}).find("--for `30` has no unit") != std::string::npos);
    CHECK(bad({"simulate", "--for", "0s"}).find("--for must be from 1 ns") != std::string::npos);
    CHECK(bad({"simulate", "--for", "-1s"}).find("--for must be from 1 ns") != std::string::npos);
    CHECK(bad({"simulate", "--capture", "edge"}).find("LINK=FILE") != std::string::npos);
    CHECK(bad({"simulate", "--profile", "--capture", "a=b.pcap"}).find("leave one of them out") != std::string::npos);
    CHECK(bad({"simulate", "--sandbox", "--", "nginx"}).find("--sandbox belongs to live") != std::string::npos);
    CHECK(bad({"live"}).find("live needs a real host") != std::string::npos);
    CHECK(bad({"live", "--attach", "sever=if:x"}) ==
          "error: --attach: no endpoint is called `sever`; did you mean `server`?");
    for (const char* wrong : {"listen:5432", "listen:0,server:1", "listen:1,server", "listen:1,server:65536",
                              "listen:host:1,server:1", "listen:1.2.3:1,server:1"})
        CHECK(bad({"live", "--attach", std::string("server=") + wrong}).find("like client=listen:5432,server:5433") != std::string::npos);
    CHECK(bad({"live", "--attach", "server=listen:1,nobody:1"}).find("nobody") != std::string::npos);
    CHECK(bad({"live", "--attach", "server=ppp:eth0"}).find("ENDPOINT=forward:NAME, ENDPOINT=pcap:IN,OUT, ENDPOINT=localhost, ") !=
          std::string::npos);
    const io::Attachment forwarded = good({"live", "--attach", "server=forward:wire0"}).attachments[0];
    CHECK((forwarded.kind == io::Attachment::Kind::forward && forwarded.device == "wire0" && !forwarded.relays()));
    CHECK(bad({"live", "--attach", "server=if:"}).find("write it as") != std::string::npos);
    for (const char* wrong : {"to:db", "to:db:", "to::5", "to:db:65536", "to:db:53/", "to:db:53/tcp", "to:db:/udp"})
        CHECK(bad({"live", "--attach", std::string("server=") + wrong}).find("server=to:db.example:5432") != std::string::npos);
    const io::Attachment elsewhere = good({"live", "--attach", "server=to:[fd00::7]:5432"}).attachments[0];
    CHECK((elsewhere.kind == io::Attachment::Kind::to && elsewhere.device == "fd00::7" && elsewhere.port == 5432));
    CHECK_FALSE(elsewhere.udp);
    const io::Attachment names = good({"live", "--attach", "server=to:db:53/udp"}).attachments[0];
    CHECK((names.udp && names.port == 53 && names.device == "db"));
    const io::Attachment asked = good({"live", "--attach", "server=listen:5353/udp,server:53"}).attachments[0];
    CHECK((asked.udp && asked.port == 5353 && asked.to_port == 53));
    CHECK(good({"live", "--attach", "server=eth0"}).attachments[0].kind == io::Attachment::Kind::any);
    const io::Attachment replayed = good({"live", "--attach", "server=pcap:a.pcap,b.pcap"}).attachments[0];
    CHECK(replayed.kind == io::Attachment::Kind::pcap);
    CHECK(replayed.files.in == "a.pcap");
    CHECK(replayed.files.out == "b.pcap");
    CHECK(good({"simulate", "--attach", "server=pcap:,b.pcap"}).attachments[0].files.in.empty());
    CHECK(bad({"live", "--attach", "server=if:x", "--sandbox", "--", "nginx"}) ==
          "error: endpoint `server` is attached twice");
    CHECK(bad({"live", "--sandbox", "nginx"}).find("--sandbox needs a command") != std::string::npos);
    CHECK(bad({"live", "--sandbox", "--"}).find("--sandbox has an empty command") != std::string::npos);
    CHECK(bad({"live", "--sandbox", "other", "--", "x"}).find("no endpoint is called `other`") != std::string::npos);
    CHECK(bad({"live", "--attach", "server=if:x", "--cpu", "a"}).find("--cpu `a`") != std::string::npos);
    CHECK(bad({"live", "--attach", "server=if:x", "--pace", "fast"}) ==
          "error: --pace `fast` is none of spin, hybrid and sleep");
    CHECK(bad({"simulate", "--sead", "2"}) == "error: simulate has no option `--sead`; did you mean `--seed`?");
    CHECK(bad({"simulate", "--sead=2"}) == "error: simulate has no option `--sead`; did you mean `--seed`?");
    CHECK(bad({"simulate", "30s"}) == "error: `30s` is not expected here; simulate takes options only");
    CHECK(bad({"simulate", "--attach", "server=if:x"}).find("`simulate` attaches pcap: files only") !=
          std::string::npos);
    CHECK(bad({"simulat"}) == "error: there is no command `simulat`; did you mean `simulate`?");
    CHECK(bad({"simulate", "info"}).find("`info` is not expected here") != std::string::npos);
    CHECK(bad({"simulate", "--seed", "x"}) == "error: --seed `x` is not a whole number from 0 on");
    CHECK(bad({"simulate", "--seed"}) == "error: --seed needs a value");
    CHECK(bad({"simulate", "--for", "1s", "--for", "2s"}) == "error: --for is given 2 times");
}

TEST_CASE("live takes the subnets behind its endpoints")
{
    const Arguments live{"live", "--attach", "server=if:eth1", "--behind"};
    const auto with = [&](const char* value) {
        Arguments all = live;
        all.push_back(value);
        return all;
    };
    const Options o = good({"live", "--attach", "server=if:eth1", "--behind", "server=192.168.7.0/24,fd00:7::/64",
                            "--behind", "server=203.0.113.9/32"});
    REQUIRE(o.subnets.size() == 3);
    CHECK(o.subnets[0].endpoint == 0);
    CHECK(o.subnets[0].subnet == Subnet{false, {192, 168, 7}, 24});
    CHECK(o.subnets[1].subnet == Subnet{true, {0xfd, 0, 0, 7}, 64});
    CHECK(o.subnets[2].subnet == Subnet{false, {203, 0, 113, 9}, 32});
    CHECK(good(with("server=9.0.0.0/8")).subnets.size() == 1);

    CHECK(bad(with("server")) == "error: --behind `server`: write it as ENDPOINT=PREFIX, like lan=192.168.7.0/24");
    CHECK(bad(with("serve=192.168.7.0/24")).starts_with("error: --behind: no endpoint is called `serve`"));
    for (const char* text : {"", "192.168.7.0", "192.168.7/24", "192.168.7.0/24x", "fd00:/64", "lan"})
        CHECK(bad(with((std::string("server=") + text + ",192.168.8.0/24").c_str())).starts_with("error: --behind: `"));
    CHECK(bad(with("server=192.168.7.0")) ==
          "error: --behind: `192.168.7.0` is no prefix; write it like 192.168.7.0/24 or fd00:7::/64");
    CHECK(bad(with("server=192.168.7.0/33")) ==
          "error: --behind: `192.168.7.0/33` has a length that is not from 1 to 32");
    CHECK(bad(with("server=0.0.0.0/0")) == "error: --behind: `0.0.0.0/0` has a length that is not from 1 to 32");
    CHECK(bad(with("server=192.168.7.1/24")) == "error: --behind: `192.168.7.1/24` has bits behind its first 24");
    for (const char* text : {"0.0.0.0/7", "127.0.0.0/16", "224.0.0.0/24", "240.0.0.0/4", "255.255.255.255/32",
                             "::1/128", "fe80::/64", "ff02::/16", "64:ff9b:1::/64"})
        CHECK(bad(with((std::string("server=") + text).c_str())).find("cannot be behind an endpoint") !=
              std::string::npos);
    CHECK(bad(with("server=192.168.7.0/24,192.168.0.0/16")) ==
          "error: --behind: 192.168.7.0/24 and 192.168.0.0/16 overlap");
    CHECK(bad(with("server=10.0.0.0/8")).find("10.0.0.0/8 has 10.0.") != std::string::npos);
    CHECK(bad({"simulate", "--behind", "server=192.168.7.0/24"}).find("simulate has no option `--behind`") !=
          std::string::npos);
}

TEST_CASE("help describes the model")
{
    std::string text = help({"--help"});
    for (const char* part :
         {"Small: Four clients.", "delay        time, 100 us .. 1 s, default 1 ms", "of each link", "N = 8",
          "server       10.0.0.80; simulated: web.Server on port 80, scheme http", "the web server",
          "browse       web.ClosedLoop on 4 hosts, to server:80, /1024 (1 KB)", "120 s, of which 5 s",
          "./emu live --attach server=if:eth1", "compiled from small.anml by anmlc 1"})
    {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    }
    CHECK(text.find("simulate --set delay=2ms") != std::string::npos);  // another value than the default
    CHECK(text.find("0 done, 1 failed, 2 wrong usage, 98 not kept up") != std::string::npos);
    CHECK(help({"--version"}).starts_with("Small: compiled from small.anml by anmlc 1; runtime "));
    CHECK(help({"simulate", "-h"}).find("Simulated time to run") != std::string::npos);
    CHECK(help({"live", "-h"}).find("Wall time to run") != std::string::npos);
    CHECK(help({"live", "--help"}).find("--sandbox [NAME] -- COMMAND...") != std::string::npos);
    CHECK(help({"simulate", "-h"}).find("--capture") != std::string::npos);
    CHECK(help({"info", "-h"}).find("--json") != std::string::npos);
}

TEST_CASE("the examples fit a model without workload")
{
    anml::abi::Image image = entry_test::image();
    image.workload_count = 0;
    std::string error;
    Model model(image, *bind_tunables(image, {}, error));
    std::string text = describe_examples(model, "./emu");
    CHECK(text.find("nginx") == std::string::npos);
    CHECK(text.find("simulate") == std::string::npos);
    CHECK(text.find("./emu live --for 30s --sandbox -- ping -c 5 10.0.1.0\n") != std::string::npos);
}

TEST_CASE("the examples fit a model that only a real server answers")
{
    anml::abi::Image image = entry_test::image();
    image.server_count = 0;
    std::string error;
    Model model(image, *bind_tunables(image, {}, error));
    const std::string text = describe_examples(model, "./emu");
    CHECK(text.find("simulate") == std::string::npos);
    CHECK(text.find("./emu live --for 30s --sandbox -- nginx") != std::string::npos);
    CHECK(text.find("./emu live --set delay=2ms --sandbox -- nginx") != std::string::npos);
}

TEST_CASE("tunables are bound with their units, names and ranges checked")
{
    const auto& image = entry_test::image();
    std::string error;
    auto bind = [&](Arguments settings) { return bind_tunables(image, settings, error); };
    CHECK(bind({}) == std::vector<double>{1e6, 524288});
    CHECK(bind({"delay=4 ms", "queue=8KB"}) == std::vector<double>{4e6, 8192});
    CHECK(bind({"queue=1 TB"}));  // no upper bound
    auto refused = [&](const char* setting) {
        error.clear();
        CHECK_FALSE(bind({setting}));
        return error;
    };
    CHECK(refused("delay") == "--set delay: write it as NAME=VALUE");
    CHECK(refused("dealy=1ms") == "--set dealy: no such tunable; did you mean `delay`?");
    CHECK(refused("N=4").find("compile the model again with -D N=4") != std::string::npos);
    CHECK(refused("delay=2s") == "--set delay: 2 s is outside 100 us .. 1 s");
    CHECK(refused("delay=5") == "--set delay: `5` has no unit; a time needs one of ns, us, ms, s, min, h");
    CHECK(refused("queue=1B") == "--set queue: 1 B is outside 2 KB .. unlimited");
}

TEST_CASE("requirements are checked with the tunables of the run")
{
    const auto& image = entry_test::image();
    std::string error;
    auto violated = [&](const Arguments& settings) {
        auto tunables = *bind_tunables(image, settings, error);
        return violated_requirements(Model(image, tunables), parameters_of(image, tunables));
    };
    CHECK(violated({}).empty());
    auto messages = violated({"delay=600ms"});
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == "wan.anml:7:3: a requirement does not hold with delay = 600 ms, queue = 512 KB: too far away");
}

TEST_CASE("info lists rows with their first address and the prefix that covers them")
{
    const auto& image = entry_test::image();
    std::string error;
    Model model(image, *bind_tunables(image, {}, error));
    std::string json = info_json(model);
    CHECK(json.find("\"address\": \"10.0.1.0/30\"") != std::string::npos);
    CHECK(json.find("\"gateway\": \"10.0.0.81\"") != std::string::npos);
    CHECK(json.find("\"pool\": \"10.0.0.0/8\"") != std::string::npos);
    std::string text = info_text(model);
    CHECK(text.find("client   host           4  10.0.1.0 .. 10.0.1.3\n") != std::string::npos);
}

TEST_CASE("shell and exec take a sandbox's name, and exec a command")
{
    CHECK(good({"shell"}).words == Arguments{"sandbox"});
    CHECK(good({"shell", "a", "--control", "/tmp/x"}).words == Arguments{"sandbox", "a"});
    const Options o = good({"exec", "a", "--control=/tmp/x", "--", "live", "--sandbox", "-h", "--", "x"});
    CHECK(o.command == Command::shell);
    CHECK(o.control == "/tmp/x");
    CHECK(o.words == Arguments{"sandbox", "a"});
    CHECK(o.inside == Arguments{"live", "--sandbox", "-h", "--", "x"});
    CHECK(bad({"exec", "a"}) == "error: exec needs a command: write it as exec [NAME] -- COMMAND...");
    CHECK(bad({"exec", "a", "--"}).starts_with("error: exec needs a command"));
    CHECK(bad({"exec", "a", "b", "--", "x"}) == "error: exec takes one name, and a command behind `--`");
    CHECK(bad({"shell", "a", "ls"}).starts_with("error: shell takes one name; exec"));
    CHECK(bad({"shell", "--contrl", "x"}).starts_with("error: shell has no option `--contrl`; did you mean `--control`?"));
    CHECK(bad({"shel"}).find("did you mean `shell`?") != std::string::npos);
}

TEST_CASE("ctl takes a verb and leaves the rest to the run")
{
    Options o = good({"ctl", "--control", "/tmp/x", "link", "info", "rate=5 Mbps", "--json"});
    CHECK(o.command == Command::ctl);
    CHECK(o.control == "/tmp/x");
    CHECK(o.json);
    CHECK(o.words == Arguments{"link", "info", "rate=5 Mbps"});
    CHECK(good({"ctl", "watch", "--for", "3 s"}).duration == 3 * kSecond);
    CHECK(bad({"ctl"}).starts_with("error: ctl needs to be told what"));
    CHECK(bad({"ctl", "wacth"}).find("did you mean `watch`?") != std::string::npos);
    CHECK(bad({"ctl", "list", "--jsn"}).starts_with("error: ctl has no option `--jsn`"));
    CHECK(bad({"ctl", "link", "a\nb", "down"}) == "error: ctl takes one line");
}

TEST_CASE("where the API listens")
{
    const Options o = good({"live", "--no-workload", "--api", ":0", "--attach", "server=tap:emu0"});
    REQUIRE(o.api);
    CHECK(o.api->host == "127.0.0.1");
    CHECK(o.api->port == "0");
    CHECK_FALSE(o.metrics);
    CHECK(good({"live", "--api", "[::1]:8474", "--attach", "server=tap:emu0"}).api->host == "::1");
    CHECK(bad({"live", "--api", "8474x", "--attach", "server=tap:emu0"}).find("--api `8474x`: write it as ADDRESS:PORT") !=
          std::string::npos);
}

}  // namespace ANML_UNIT_FILE
