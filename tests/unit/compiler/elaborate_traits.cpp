// What the traits of workloads come to in the network, and what is expected of a workload that the compiler has never
// heard of: requests and replies over UDP, in a closed loop.
#include "analysis/traffic/expected_traffic.h"
#include "elaborate_text.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

const std::string kPair =
    "import std.traffic\nimport std.web\n"
    "model M(tunable gap: time in 1 ms .. 1 s = 10 ms) {\n"
    "  host a\n  host b\n  endpoint e { simulated = web.server() }\n  router r\n"
    "  link up: a -- r { rate = 8 Mbps, delay = 3 ms }\n  link down: r -- b { rate = 80 Mbps, delay = 2 ms }\n"
    "  link last: r -- e { rate = 80 Mbps }\n  run { duration = 1 s }\n";

struct Said {
    Elaborated model;
    WorkloadTraits traits;
    double value(ValueExprId id) const
    {
        return model.network->values.evaluate(id, {model.network->tunables.at(0).value});
    }
};

// Of a workload on `a`, with schemas that the text declares besides.
Said traits_of(const std::string& workload, const std::string& schemas = "", const std::string& pair = kPair)
{
    Said said{elaborate_text(pair + "  workload w : " + workload + "\n}\n" + schemas), {}};
    INFO(said.model.first_error());
    REQUIRE(said.model.network);
    said.traits = said.model.network->workloads.at(0).traits;
    return said;
}

ExpectedTraffic expected(const Said& said)
{
    Diagnostics diagnostics;
    const Network& network = *said.model.network;
    const auto routes = compute_routes(network, diagnostics);
    REQUIRE(routes);
    return expect_rates(network, find_flows(network, *routes), {network.tunables.at(0).value});
}

constexpr std::string_view kLookup =
    "schema Lookup : traffic.Ping {\n  question: size in 1 B .. 1 KB = 72 B\n  answer: size in 1 B .. 1400 B = 972 B\n"
    "  trait transport = udp\n  trait load = closed\n  trait interval = 9 ms - 3 us\n"
    "  trait request = self.question\n  trait reply = self.answer\n}\n";

}  // namespace

TEST_CASE("the library says what its workloads are like")
{
    const Said cbr = traits_of("traffic.Cbr on a { to = b, payload = 972 B, rate = 1 Mbps }");
    CHECK(cbr.traits.transport == Transport::udp);
    CHECK_FALSE(cbr.traits.answers);
    CHECK(cbr.traits.load == Load::open);
    CHECK(cbr.value(cbr.traits.interval) == 8e6);
    const RecordInfo& record = cbr.model.network->records[cbr.model.network->workloads[0].record];
    const auto& drawn = std::get<DistributionValue>(*find_value(record, "interval"));
    CHECK(cbr.traits.interval == drawn.a);
    CHECK(cbr.value(cbr.traits.request) == 972);
    CHECK(cbr.value(cbr.traits.share) == 1);

    const Said burst = traits_of("traffic.OnOff on a { to = b, interval = gap, burst = uniform(1 s, 3 s) }");
    CHECK(burst.value(burst.traits.interval) == 10e6);
    CHECK(burst.value(burst.traits.share) == 2.0 / 3);
    CHECK_FALSE(burst.model.network->values.as_constant(burst.traits.interval));  // the tunable still decides

    const Said ping = traits_of("traffic.Ping on a { to = r, payload = 100 B }");
    CHECK(ping.traits.transport == Transport::icmp);
    CHECK(ping.traits.answers);
    CHECK(ping.value(ping.traits.reply) == 100);

    const Said bulk = traits_of("traffic.Bulk on a { to = b, size = exponential(2000 B) }");
    CHECK(bulk.traits.transport == Transport::tcp);
    CHECK(bulk.traits.load == Load::greedy);
    CHECK_FALSE(bulk.traits.answers);
    CHECK(bulk.value(bulk.traits.request) == 2000);
    CHECK(bulk.value(bulk.traits.fragments) == 0);
    const Said cut = traits_of("traffic.Cbr on a { to = b, interval = gap, fragments = true }");
    CHECK(cut.value(cut.traits.fragments) == 1);

    const Said web =
        traits_of("web.ClosedLoop on a { server = e, documents = web.fixed(1 KB), think = exponential(gap) }");
    CHECK(web.traits.load == Load::closed);
    CHECK(web.traits.asks_server());
    CHECK(web.value(web.traits.interval) == 10e6);
    const Said kept = traits_of(
        "web.ClosedLoop on a { server = e, documents = web.fixed(1 KB), requests = 50, connections = 3, pipeline = 2, "
        "method = PUT, body = 3 KB, think = gap }");
    CHECK(kept.value(kept.traits.per_connection) == 50);
    CHECK(kept.value(kept.traits.at_once) == 6);
    CHECK(kept.value(kept.traits.request) == 3072);
    const Said streams = traits_of(
        "web.ClosedLoop on a { server = e, documents = web.fixed(1 KB), requests = 50, connections = 3, streams = 5, "
        "version = HTTP_2, think = gap }");
    CHECK(streams.value(streams.traits.at_once) == 15);
    CHECK(web.value(web.traits.per_connection) == 1);
    CHECK(traits_of("web.OpenLoop on a { server = e, documents = web.fixed(1 KB), interval = 5 ms }").traits.load ==
          Load::open);
}

TEST_CASE("a schema replaces traits that it inherits")
{
    const Said twice =
        traits_of("Twice on a { to = b }", "schema Twice : traffic.Ping { trait reply = 2 * self.payload }\n");
    CHECK(twice.value(twice.traits.reply) == 112);
    CHECK(twice.value(twice.traits.request) == 56);
    const Said again = traits_of("Again on a { to = b }",
                                 "schema Again : Twice { trait request = 3 B }\n"
                                 "schema Twice : traffic.Ping { trait reply = 2 * self.payload }\n");
    CHECK(again.value(again.traits.reply) == 112);
    CHECK(again.value(again.traits.request) == 3);
}

TEST_CASE("what is expected of requests and replies follows from traits alone")
{
    const Said lookup = traits_of("Lookup on a { to = b }", std::string(kLookup));
    const ExpectedTraffic traffic = expected(lookup);
    // An exchange takes 9 ms - 3 us, 10 ms there and back, and 1044 B at 8 and at 80 Mbps: about 50 in a second.
    const double each = 1e9 / (9e6 - 3e3 + 10e6 + 8e9 * (72 + 972) * (1 / 8e6 + 1 / 80e6));
    CHECK(traffic.hops == Approx(each * 4));
    const Network& network = *lookup.model.network;
    CHECK(traffic.rates.at(lookup.model.link("up").first_link) == Approx(each * 8 * 100));
    CHECK(traffic.rates.at(lookup.model.link("up").first_link + 1) == Approx(each * 8 * 1000));
    CHECK(network.workloads[0].traits.comes_back());
}

TEST_CASE("transfers with a size and a think time are no endless ones")
{
    const auto load = [](const char* given) {
        const Said bulk = traits_of(std::string("traffic.Bulk on a { to = b, ") + given + " }");
        return expected(bulk).rates.at(bulk.model.link("up").first_link);
    };
    CHECK(load("think = 1 s") == Approx(8e6));  // it never ends
    // A transfer takes three round trips and 1 MB at 8 Mbps; 685 segments and four packets besides have 40 B more.
    const double each = 1 / (3 * 0.01 + 1);
    CHECK(load("size = 1 MB") == Approx(each * 8 * (1048576 + 40 * (719 + 4))).epsilon(0.05));
    CHECK(load("size = 10 KB, think = exponential(10 s)") ==
          Approx(8 * (10240 + 40 * (8 + 4)) / (10 + 0.03 + 0.01)).epsilon(0.01));
}

TEST_CASE("a receiver that reads slowly gets no more than it reads and its buffer takes")
{
    const auto load = [](const std::string& reader, const std::string& workload, std::uint32_t way) {
        std::string pair = kPair;
        const std::string host = "host " + reader + "\n";
        pair.replace(pair.find(host), host.size(), "host " + reader + " { tcp = reading }\n");
        const Said said =
            traits_of(workload, "profile reading : Tcp { read_rate = 1 Mbps, receive_buffer = 100 KB }\n", pair);
        return expected(said).rates.at(said.model.link("up").first_link + way);
    };
    CHECK(load("b", "traffic.Bulk on a { to = b }", 0) == Approx(1e6));
    CHECK(load("a", "traffic.Bulk on a { to = b }", 0) == Approx(8e6));  // its acknowledgments are read by none
    // 100 KB of 1000 KB are in the buffer when the rest has been read, at a millionth of a second each bit.
    const double rest = 8 * 900 * 1024 / 1e6;
    const char* get = "web.ClosedLoop on a { server = e, documents = web.fixed(1000 KB), think = 1 s }";
    CHECK(load("a", get, 1) == Approx(8 * 1000 * 1024 * 1.04 / (rest + 1)).epsilon(0.02));
    CHECK(load("a", "web.ClosedLoop on a { server = e, documents = web.fixed(90 KB), think = 1 s }", 1) ==
          Approx(8 * 90 * 1024 * 1.04 / (1 + 0.1)).epsilon(0.05));  // takes none of its time
}

TEST_CASE("the enums of traits and of TCP are those of the prelude")
{
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("test.anml", "model M { run { duration = 1 s } }", "");
    anml::testing::add_library(sources);
    const auto tree = parse(sources, diagnostics).if_whole();
    REQUIRE(tree);
    const auto program = check(sources, *tree, diagnostics).if_whole();
    REQUIRE(program);
    const auto values = [&](std::string_view name) {
        for (const Enum& e : program->enums)
            if (e.full_name == name) return e.values;
        return std::vector<std::string>{};
    };
    CHECK(values("std.prelude.Transport") == std::vector<std::string>{"tcp", "udp", "icmp"});
    CHECK(values("std.prelude.Load") == std::vector<std::string>{"open", "closed", "greedy", "served"});
    CHECK(values("std.prelude.Congestion") ==
          std::vector<std::string>{"newreno", "cubic", "dctcp", "vegas", "scalable", "bbr", "bbr3"});
    CHECK(values("std.prelude.AddressFamily") == std::vector<std::string>{"ipv4", "ipv6"});
    CHECK(values("std.prelude.WithoutSegments") == std::vector<std::string>{"shortest_path", "drop"});
    CHECK(values("std.prelude.Ecn") == std::vector<std::string>{"none", "accepted", "offered", "accurate"});
    // And what the library lets change is what the runtime has a name for.
    const Schema& link = program->schema(program->link);
    for (const Attribute& a : link.attributes) CHECK((a.steps || a.ramps) == changed_as(a.name).has_value());
}

}  // namespace ANML_UNIT_FILE
