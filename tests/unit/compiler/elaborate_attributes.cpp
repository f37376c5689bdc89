// No dead attributes: each attribute of the standard library changes the network when it is set.
#include <map>

#include "../tier.h"
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

// A model in which every schema of the standard library has a value; `extra` sets one attribute more in one of them.
std::string model(std::string_view schema, std::string_view extra)
{
    const auto block = [&](std::string_view name, std::string_view usual) {
        const bool chosen = name == schema;
        std::string text(usual);
        if (chosen) text += (text.empty() ? "" : ", ") + std::string(extra);
        return "{ " + text + " }";
    };
    std::string text = "import std.middlebox\nimport std.web\nimport std.traffic\nimport std.wifi\n";
    text += "profile server : web.Server " + block("Server", "") + "\n";
    text += "profile page : web.Document " +
            block("Document", schema == "Document" && extra.starts_with("size") ? "" : "size = 1 KB");
    text += "\nprofile queue : Queue " +
            block("Queue", schema == "Queue" && extra.starts_with("capacity") ? "" : "capacity = 1 KB") + "\n";
    text += "profile place : Geographic " + block("Geographic", schema != "Geographic" ? "latitude = 1, longitude = 1"
                                                                : extra.starts_with("latitude") ? "longitude = 1"
                                                                                                : "latitude = 1");
    text += "\nprofile dot : Planar " +
            block("Planar", schema != "Planar"       ? "x = 1, y = 1"
                            : extra.starts_with("x") ? "y = 1"
                                                     : "x = 1") +
            "\n";
    text += "profile other_stack : Tcp { initial_window = 2 }\n";
    text += "profile stack : Tcp " + block("Tcp", "") + "\n";
    text += "component Part {\n  router r\n  addressing " +
            block("ComponentAddressing", schema == "ComponentAddressing" ? "" : "prefix = 10.66.0.0/16") + "\n}\n";
    text += "model M {\n  Part part\n  addressing " + block("Addressing", "") + "\n  routing " + block("Routing", "") +
            "\n  host h " + block("Host", "") +
            "\n  host i { tcp = stack, position = place }\n  host j { position = dot }" + "\n  router r ";
    text += block("Router", "") + "\n  switch s " + block("Switch", "") + "\n  endpoint other\n  endpoint e ";
    text += block("Endpoint", schema == "Endpoint" && extra.starts_with("simulated") ? "" : "simulated = server");
    text += "\n  link a: h -- s " + block("Link", schema == "Link" && extra.starts_with("rate") ? "" : "rate = 1 Mbps");
    text +=
        "\n  link b: s -- r { rate = 1 Mbps, queue = queue }\n  link c: r -- e { rate = 1 Mbps }\n  link d: i -- j { "
        "rate = 1 Mbps }\n  router q\n  link f: r -- q { rate = 1 Mbps }\n";
    text += "  route q to h via [f] " + block("SegmentList", "") + "\n";
    text += "  workload w : web.ClosedLoop on h ";
    std::string usual = extra.starts_with("server") && schema == "ClosedLoop" ? "" : "server = e";
    if (!(extra.starts_with("documents") && schema == "ClosedLoop"))
        usual += (usual.empty() ? "" : ", ") + std::string("documents = page");
    text += block("ClosedLoop", usual);
    std::string open;
    for (const std::string_view usual_one : {"server = e", "documents = page", "interval = 1 s"}) {
        const std::string_view name = usual_one.substr(0, usual_one.find('='));
        if (schema == "OpenLoop" && extra.starts_with(name)) continue;
        open += (open.empty() ? "" : ", ") + std::string(usual_one);
    }
    text += "\n  workload crowd : web.OpenLoop on h " + block("OpenLoop", open);
    const auto to = [&](std::string_view name) {
        return std::string(schema == name && extra.starts_with("to = ") ? "" : "to = e");
    };
    const bool paced = schema == "Cbr" && (extra.starts_with("rate") || extra.starts_with("interval"));
    text +=
        "\n  workload steady : traffic.Cbr on h " + block("Cbr", paced ? to("Cbr") : to("Cbr") + "\ninterval = 1 ms");
    text += "\n  workload transfer : traffic.Bulk on h " + block("Bulk", to("Bulk"));
    const bool burst_paced = schema == "OnOff" && (extra.starts_with("rate") || extra.starts_with("interval"));
    text += "\n  workload bursts : traffic.OnOff on h " +
            block("OnOff", burst_paced ? to("OnOff") : to("OnOff") + "\ninterval = 1 ms");
    text += "\n  workload probe : traffic.Ping on h " + block("Ping", to("Ping"));
    text += "\n  workload voice : traffic.Cbr on h " + block("Workload", "to = e\ninterval = 1 ms");
    text +=
        "\n  run " + block("Run", schema == "Run" && extra.starts_with("duration") ? "" : "duration = 10 s") + "\n}\n";
    return text;
}

const std::map<std::string, std::vector<std::string>> kAttributes{
    {"Queue", {"capacity = 2 KB", "packets = 100"}},
    {"Link",
     {"rate = 2 Mbps", "delay = 1 ms", "queue = droptail(3 KB)", "mtu = 576 B", "overhead = 38 B", "loss = 1 %",
      "jitter = 1 ms", "in_order = false, jitter = 1 ms", "reorder = 1 %", "reorder_delay = 3 ms, reorder = 1 %",
      "duplicate = 1 %", "corrupt = 1 %", "cost = 2", "ecmp_weight = 2", "relation = peer", "wired = true",
      "transparent = false }\n  endpoint another\n  link g: other -- another { rate = 1 Mbps, transparent = true"}},
    {"Tcp",
     {"segment = 536 B",
      "initial_window = 3",
      "receive_buffer = 8 KB",
      "read_rate = 1 Mbps",
      "send_buffer = 8 KB",
      "window_scaling = false",
      "sack = false",
      "timestamps = false",
      "delayed_ack = 0 s",
      "quick_acks = 0",
      "byte_counting = false",
      "congestion = cubic",
      "nagle = true",
      "ecn = offered",
      "mtu_probing = always",
      "pacing = true",
      "adaptive = false",
      "frto = false",
      "minimum_rto = 1 s",
      "minimum_variation = 0 s",
      "maximum_rto = 60 s",
      "retries = 8",
      "syn_timeout = 3 s",
      "syn_retries = 1",
      "syn_backoff = 4",
      "syn_limit = 75 s",
      "fast_open = true",
      "keep_alive = 7200 s",
      "keep_alive_interval = 10 s",
      "keep_alive_probes = 3",
      "time_wait = 4 s",
      "time_wait_reuse = true",
      "first_port = 1024",
      "last_port = 65535"}},
    {"Host",
     {"address = 10.7.7.7", "ipv6 = 2001:db8::7", "anycast = 10.7.7.8", "tcp = other_stack",
      "icmp_limits = icmp_limits()", "position = geo(1, 2)"}},
    {"Router",
     {"address = 10.7.7.7", "ipv6 = 2001:db8::7", "processing = processing(delay = 1 ms)",
      "middlebox = middlebox.nat([h])", "icmp_limits = icmp_limits()", "buffer = shared_buffer(1 MB)",
      "radio = wifi.g()", "position = geo(1, 2)"}},
    {"Switch",
     {"processing = processing(delay = 1 ms)", "buffer = shared_buffer(1 MB)", "radio = wifi.g()",
      "position = plane(1, 2)"}},
    {"Radio", {}},
    {"Middlebox", {}},
    {"Service", {}},
    {"Endpoint",
     {"address = 10.7.7.7", "ipv6 = 2001:db8::7", "anycast = 10.7.7.8", "prefix = 192.168.9.0/24",
      "behind = 192.168.9.0/24", "bridged = true, prefix = 192.168.9.0/24", "simulated = web.server(service = 3 ms)",
      "tcp = other_stack", "position = geo(1, 2)"}},
    {"Position", {}},
    {"Geographic", {"latitude = 2", "longitude = 3"}},
    {"Planar", {"x = 2", "y = 3"}},
    {"Workload", {"dscp = 46", "family = ipv4"}},
    {"Run", {"duration = 11 s", "warmup = 1 s"}},
    {"Addressing", {"pool = 10.9.0.0/16", "ipv6 = 2001:db8::/64", "gateway = 10.0.0.77"}},
    {"ComponentAddressing", {"prefix = 10.77.0.0/16", "ipv6 = 2001:db8:7::/64"}},
    {"Routing",
     {"metric = hops", "multipath = ecmp", "follow_delays = 1 s, metric = delay", "detection = 1 s", "flooding = 1 s",
      "computation = 1 s"}},
    {"SegmentList",
     {"weight = 2", "source = h", "dscp = 46", "protocol = udp", "port = 80", "label_size = 8 B", "without = drop"}},
    {"Document",
     {"size = 2 KB", "path = \"/x\"", "count = 5", "choice = zipf(3, 1), count = 5", "seed = 2, count = 5"}},
    {"Cbr",
     {"dscp = 46", "family = ipv4", "to = other", "pairing = permutation", "port = 10", "payload = 1 B",
      "fragments = true", "rate = 1 Mbps", "interval = 2 ms", "start_spread = 1 s"}},
    {"Bulk",
     {"dscp = 46", "family = ipv4", "to = other", "pairing = permutation", "port = 10", "size = 1 B", "transfers = 2",
      "think = 1 s", "connect_timeout = 2 s", "start_spread = 1 s"}},
    {"OnOff",
     {"dscp = 46", "family = ipv4", "to = other", "pairing = permutation", "port = 10", "payload = 1 B",
      "fragments = true", "rate = 1 Mbps", "interval = 2 ms", "burst = 3 s", "pause = 4 s", "start_spread = 1 s"}},
    {"Ping",
     {"dscp = 46", "family = ipv4", "to = other", "pairing = permutation", "interval = 2 s", "payload = 1 B",
      "fragments = true", "count = 3", "timeout = 2 s", "ttl = 3", "start_spread = 1 s"}},
};

bool has_record(std::string_view schema)
{
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i)
        if (abi::record_layout(i).schema == schema) return true;
    return false;
}

}  // namespace

TEST_CASE("every attribute of the standard library acts")
{
    const auto plain = elaborate_text(model("Queue", "capacity = 1 KB"));
    INFO(plain.first_error());
    REQUIRE(plain.network);
    const std::string unset = dump_network(*plain.network);
    unsigned count = 0;
    for (const auto& [schema, settings] : kAttributes) {
        for (const std::string& setting : settings) {
            if (count++ % 4 >= anml::testing::rounds(4)) continue;
            const auto set = elaborate_text(model(schema, setting));
            INFO(schema << ": " << setting << "\n" << set.first_error());
            REQUIRE(set.network);
            CHECK(dump_network(*set.network) != unset);
        }
    }
}

TEST_CASE("the table above has every attribute")
{
    Diagnostics diagnostics;
    SourceSet sources;
    sources.add("test.anml", "model M { run { duration = 1 s } }", "");
    anml::testing::add_library(sources);
    const auto tree = parse(sources, diagnostics).if_whole();
    REQUIRE(tree);
    const auto program = check(sources, *tree, diagnostics).if_whole();
    REQUIRE(program);
    for (const Schema& schema : program->schemas) {
        INFO(schema.full_name);
        // Those of records are handled alike, and the build compares them (check/schemas/record_agreement.h).
        if (const auto listed = kAttributes.find(schema.name); listed != kAttributes.end()) {
            const auto& settings = listed->second;
            REQUIRE(settings.size() == schema.attributes.size());
            for (std::size_t i = 0; i < settings.size(); ++i)
                CHECK(settings[i].starts_with(schema.attributes[i].name + " = "));
        } else {
            // Elsewhere: elaborate_experiments.cpp, and what only functions read (test_attributes_act.py).
            CHECK((has_record(schema.full_name) || schema.name == "Experiment" || schema.name == "Shell"));
        }
        CHECK_FALSE(schema.doc.empty());
        CHECK(schema.doc.find("Usage: ") != std::string::npos);
        for (const Attribute& attribute : schema.attributes) {
            INFO(attribute.name);
            CHECK_FALSE(attribute.doc.empty());
        }
    }
    for (const Process& process : program->processes) {
        INFO(process.full_name);
        CHECK(process.doc.find("Usage: ") != std::string::npos);
    }
    for (const Profile& profile : program->profiles) {
        INFO(profile.full_name);
        CHECK(profile.doc.find("Usage: ") != std::string::npos);
    }
}

}  // namespace ANML_UNIT_FILE
