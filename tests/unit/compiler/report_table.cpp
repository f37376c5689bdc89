// What reports are made of: the schema, places in a text, figures and their differences.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "report/schema.h"
#include "reporting/table.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

Json sample(const char* name)
{
    std::ifstream file(std::string(ANML_SOURCE_DIR "/tests/file/report/Inputs/") + name);
    REQUIRE(file);
    return Json::parse(file);
}

Json results_schema()
{
    std::ifstream file(ANML_SOURCE_DIR "/docs/results.schema.json");
    return Json::parse(file);
}

struct ReportFixture {
    std::vector<RunResults> runs{{"web", "web.json", sample("web.json")}, {"fast", "fast.json", sample("fast.json")}};
    ReportTable table() const { return make_table(runs); }
    const ReportFigure& figure(const ReportTable& table, const std::string& kind, const std::string& name,
                               const std::string& id) const
    {
        for (const ReportGroup& group : table.groups)
            if (group.kind == kind && group.name == name)
                if (const ReportFigure* found = group.find(id)) return *found;
        throw std::runtime_error("no figure " + kind + " " + name + " " + id);
    }
};

std::string mismatch_of(Json document)
{
    const Json schema = results_schema();
    const auto found = find_mismatch(document, schema);
    return found ? found->message : "";
}

}  // namespace

TEST_CASE("results fit their schema, and say where they don't", "[report]")
{
    Json json = sample("web.json");
    CHECK(mismatch_of(json) == "");
    json["later"] = {{"anything", 1}};  // of a later compiler
    json.erase("machine");              // of an earlier one
    CHECK(mismatch_of(json) == "");
    Json wrong = json;
    wrong["workloads"][0]["transactions"]["completed"] = "many";
    CHECK(mismatch_of(wrong) == "`workloads.0.transactions.completed` is a string, and should be an integer");
    wrong = json;
    wrong["workloads"][1]["kind"] = "traffic.Pong";
    CHECK(mismatch_of(wrong) == "`workloads.1` is of no known kind");
    wrong = json;
    wrong["verdict"] = "fine";
    CHECK(mismatch_of(wrong).starts_with("`verdict` is \"fine\", which is none of [\"simulated\""));
    wrong = json;
    wrong["packets"]["sent"] = -1;
    CHECK(mismatch_of(wrong) == "`packets.sent` is -1, and should be at least 0");
    wrong = json;
    wrong["window"].erase("begin");
    CHECK(mismatch_of(wrong) == "`window` lacks `begin`");
    wrong = json;
    wrong["response_time_seconds"]["percentiles"] = {{50}};
    CHECK(mismatch_of(wrong) == "`response_time_seconds.percentiles.0` has 1 elements, and should have 2");
    CHECK(mismatch_of(Json::array()) == "the document is an array, and should be an object");
}

TEST_CASE("values are found in their text", "[report]")
{
    const std::string text = R"( {"a" : [1, {"x]\"": true}, -2.5e3 ] , "b\u0063":{"a":"}"}, "a":0})";
    const auto at = [&](const std::vector<std::string>& path) {
        const JsonPlace place = find_place(text, path);
        return text.substr(place.begin, place.end - place.begin);
    };
    CHECK(at({"a", "0"}) == "1");
    CHECK(at({"a", "1", "x]\""}) == "true");
    CHECK(at({"a", "2"}) == "-2.5e3");
    CHECK(at({"bc", "a"}) == "\"}\"");
    CHECK(at({"bc"}) == R"({"a":"}"})");
    CHECK(at({"a", "9"}) == text);
    CHECK(at({"c"}) == text);
}

TEST_CASE_METHOD(ReportFixture, "figures are those of the results, with differences from the first", "[report]")
{
    runs[1].data["workloads"][0]["transactions"]["failed"] = 42;
    const ReportTable all = table();
    const ReportFigure& throughput = figure(all, "run", "", "throughput_bps");
    const auto first = runs[0].data["throughput_bps"].get<double>(),
               second = runs[1].data["throughput_bps"].get<double>();
    CHECK(*throughput.values[0] == first);
    CHECK(*throughput.values[1] == second);
    CHECK_FALSE(throughput.difference(0));
    CHECK(*throughput.difference(1) == Approx((second - first) / first));
    const ReportFigure& failed = figure(all, "workload", "browse", "failed_share");
    const Json& done = runs[1].data["workloads"][0]["transactions"];
    CHECK(*failed.values[1] ==
          Approx(done["failed"].get<double>() / (done["failed"].get<double>() + done["completed"].get<double>())));
    const Json& link = runs[0].data["busiest_links"][0];
    CHECK(*figure(all, "link", "slow<", "dropped_share").values[0] ==
          Approx(link["dropped"].get<double>() / (link["dropped"].get<double>() + link["packets"].get<double>())));
    CHECK(all.notes.empty());
    CHECK(group_title(all.groups[1]) == "Workload browse (web.ClosedLoop)");
}

TEST_CASE_METHOD(ReportFixture, "what a run lacks is not invented", "[report]")
{
    runs[1].data["model"] = "Other";
    runs[1].data["workloads"][0]["name"] = "else";
    runs[1].data.erase("machine");
    const ReportTable all = table();
    CHECK(all.notes.front() == "These are runs of different models.");
    const ReportFigure& mine = figure(all, "workload", "browse", "transactions.completed");
    CHECK(mine.values[0]);
    CHECK_FALSE(mine.values[1]);
    CHECK(mine.text(1) == "–");
    CHECK(mine.difference_text(1) == "");
    CHECK_FALSE(figure(all, "workload", "else", "transactions.completed").values[0]);
    for (const ReportFact& fact : all.facts)
        if (fact.name == "machine") CHECK(fact.texts[1] == "");
}

TEST_CASE_METHOD(ReportFixture, "texts have three digits, a unit and what censors them", "[report]")
{
    Json& times = runs[0].data["response_time_seconds"];
    times["median"] = 0.0123456;
    times["p99"] = nullptr;
    times["at_least"]["p99"] = 6;
    runs[0].data["throughput_bps"] = 12345678;
    runs[0].data["packets"]["sent"] = 1234567;
    runs[0].data["packet_loss"] = 0.00123456;
    runs[1].data["packet_loss"] = 0;
    const ReportTable before = table();
    CHECK(headlines(before)[1].figure->id == "response_time_seconds.median");  // the other run has no p99
    runs[1].data["response_time_seconds"]["p99"] = 0.3;
    const ReportTable all = table();
    CHECK(figure(all, "run", "", "response_time_seconds.median").text(0) == "12.3 ms");
    CHECK(figure(all, "run", "", "response_time_seconds.p99").text(0) == "> 6 s");
    CHECK(figure(all, "run", "", "throughput_bps").text(0) == "12.3 Mbps");
    CHECK(figure(all, "run", "", "packets.sent").text(0) == "1\u202F234\u202F567");
    const ReportFigure& loss = figure(all, "run", "", "packet_loss");
    CHECK(loss.text(0) == "0.123 %");
    CHECK(loss.difference_text(1) == "−100 %");
    CHECK(headlines(all)[1].figure->id == "response_time_seconds.p99");
}

TEST_CASE_METHOD(ReportFixture, "what differs by less than any two runs do is neither better nor worse", "[report]")
{
    const auto verdict = [&](double second, const char* id, const char* key) {
        runs[0].data[key] = 1e6;
        runs[1].data[key] = second;
        return figure(table(), "run", "", id).verdict(1);
    };
    CHECK(verdict(0.991e6, "throughput_bps", "throughput_bps") == 0);
    CHECK(verdict(0.98e6, "throughput_bps", "throughput_bps") == -1);
    CHECK(verdict(1.02e6, "throughput_bps", "throughput_bps") == 1);
    CHECK(verdict(1.02e6, "retransmissions", "retransmissions") == -1);
    CHECK(verdict(0.98e6, "retransmissions", "retransmissions") == 1);
    CHECK(verdict(1.009e6, "retransmissions", "retransmissions") == 0);
    runs[0].data["retransmissions"] = runs[1].data["retransmissions"] = 0;
    CHECK(figure(table(), "run", "", "retransmissions").verdict(1) == 0);
}

TEST_CASE_METHOD(ReportFixture, "columns stand in their order where the first row lacks some", "[report]")
{
    ReportGroup first{"phase", "connect", "", {}}, second{"phase", "first byte", "", {}};
    const auto add = [](ReportGroup& group, const char* id) {
        group.figures.push_back({id, id, Unit::seconds, Better::lower, false, {1.0}, {std::nullopt}});
    };
    for (const char* id : {"samples", "mean", "max"}) add(first, id);
    for (const char* id : {"samples", "mean", "p95", "p99", "max", "deviation"}) add(second, id);
    std::string text;
    for (const ReportFigure* column : columns_of({&first, &second})) text += column->id + " ";
    CHECK(text == "samples mean p95 p99 max deviation ");
}

TEST_CASE_METHOD(ReportFixture, "links of an array are one row, and phases stand in their order whatever runs have",
                 "[report]")
{
    const Json& links = runs[0].data["busiest_links"];
    double sum = 0, busiest = 0, packets = 0, count = 0;
    for (const Json& link : links) {
        const auto name = link["name"].get<std::string>();
        if (!name.starts_with("access[") || !name.ends_with(">")) continue;
        ++count;
        sum += link["utilisation"].get<double>();
        busiest = std::max(busiest, link["utilisation"].get<double>());
        packets += link["packets"].get<double>();
    }
    REQUIRE(count == 4);
    Json impaired = {{"name", "access[2]>"}, {"packets", packets / 4}, {"lost", 3},
                     {"corrupted", 0},       {"duplicated", 0},        {"reordered", 0}};
    runs[0].data["impaired_links"] = Json::array({impaired});
    runs[0].data["busiest_links"][0]["bytes"] = 66700;  // of another array, and as all figures in three digits
    for (RunResults& run : runs) {
        Json none = {{"samples", 0},   {"mean", nullptr}, {"median", nullptr},
                     {"p95", nullptr}, {"p99", nullptr},  {"max", nullptr}},
             some = none;
        some["samples"] = 5, some["mean"] = 0.1;
        const Json& tls = &run == &runs[0] ? none : some;
        run.data["workloads"][0]["phase_times_seconds"] = {
            {"connect", some}, {"tls", tls}, {"first_byte", some}, {"transfer", some}};
    }
    const ReportTable all = table();
    CHECK(*figure(all, "array", "access[*]>", "links").values[0] == 4);
    CHECK(*figure(all, "array", "access[*]>", "utilisation").values[0] == Approx(sum / 4));
    CHECK(*figure(all, "array", "access[*]>", "busiest").values[0] == busiest);
    CHECK(*figure(all, "array", "access[*]>", "packets").values[0] == packets);
    CHECK(*figure(all, "array", "access[*]>", "lost_share").values[0] ==
          Approx(3 / packets));  // of all, and not of those that lost some
    CHECK_FALSE(std::any_of(all.groups.begin(), all.groups.end(),
                            [](const ReportGroup& g) { return g.kind == "array" && g.name.starts_with("slow"); }));
    CHECK(figure(all, "link", links[0]["name"], "bytes").text(0) == "65.1 KB");
    std::string phases;
    for (const ReportGroup& group : all.groups)
        if (group.kind == "phase") phases += group.name + "; ";
    CHECK(phases == "browse, connect; browse, TLS; browse, first byte; browse, transfer; ");
    CHECK_FALSE(figure(all, "phase", "browse, TLS", "mean").values[0]);
}

TEST_CASE_METHOD(ReportFixture, "fluid, shared buffers and access points have their figures", "[report]")
{
    runs.pop_back();
    Json& data = runs[0].data;
    data["workloads"].push_back(
        {{"name", "crowd"},
         {"kind", "traffic.Background"},
         {"fluid", {{"flows", 4.0}, {"offered_bps", 8e6}, {"carried_bps", 6e6}, {"lost_share", 0.25}}}});
    data["buffers"] = {{{"node", "tor"}, {"capacity_bytes", 4000}, {"highest_bytes", 3000}, {"dropped", 2}}};
    data["radios"] = {{{"node", "ap"},
                       {"transmissions", 90},
                       {"collisions", 9},
                       {"failed", 5},
                       {"lost", 1},
                       {"taken_share", 0.5},
                       {"collided_share", 0.0}}};
    const ReportTable all = table();
    CHECK(figure(all, "workload", "crowd", "fluid.lost_share").values[0] == 0.25);
    CHECK(figure(all, "buffer", "tor", "highest_bytes").values[0] == 3000);
    CHECK(figure(all, "radio", "ap", "taken_share").values[0] == 0.5);
}

TEST_CASE_METHOD(ReportFixture, "names are data in every format", "[report]")
{
    const std::string name = "a\"b</script><b>|,\n*c*";
    runs.pop_back();
    runs[0].name = name;
    runs[0].data["model"] = name;
    runs[0].data["workloads"][0]["name"] = name;
    const std::string page = write_report(runs, ReportFormat::html, {}, "0");
    std::size_t ends = 0;
    for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++ends;
    CHECK(ends == 3);  // the page's own
    const std::string markdown = write_report(runs, ReportFormat::markdown, {}, "0");
    CHECK(markdown.find("# a\"b\\</script\\>\\<b\\>\\|, \\*c\\*\n") != std::string::npos);
    CHECK(
        write_report(runs, ReportFormat::csv, {}, "0").find("workload,\"a\"\"b</script><b>|,\n*c*\",throughput_bps") !=
        std::string::npos);
    CHECK(Json::parse(write_report(runs, ReportFormat::json, {}, "0"))["runs"][0]["name"] == name);
}

}  // namespace ANML_UNIT_FILE
