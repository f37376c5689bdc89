// Figures, verdict, JSON, summary and progress bar, from statistics that were filled by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "entry_image.h"
#include "io/live.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/live/progress.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

struct Fixture {
    Model model{entry_test::image(), std::vector<double>{1e6, 524288}};
    Statistics statistics;
    RunInfo run;

    Fixture()
    {
        run.warmup = 5 * kSecond;
        run.ended = 15 * kSecond;
        statistics.begin = 5 * kSecond;
        statistics.end = 15 * kSecond;
        statistics.workloads.resize(1);
        statistics.series.resize(15);
    }
    void complete(int count, Time response)
    {
        WorkloadStatistics& w = statistics.workloads[0];
        for (int i = 0; i < count; ++i) {
            ++w.completed;
            w.request_bytes += 100;
            w.response_bytes += 1150;
            w.response_time.took.record(response);
        }
    }
    void fail(FailureCause cause, int count, Time after)
    {
        for (int i = 0; i < count; ++i) statistics.workloads[0].failures[static_cast<std::size_t>(cause)].record(after);
    }
    void open(std::vector<Time> ages)
    {
        statistics.workloads[0].in_progress = ages.size();
        statistics.workloads[0].open_ages = std::move(ages);
    }
    Figures figures() { return compute_figures(model, run, statistics); }
    nlohmann::json json() { return nlohmann::json::parse(results_json(model, run, statistics, figures())); }
    std::string summary() { return results_summary(model, run, statistics, figures(), false); }
};

// Ten seconds of `each` packets a second in both directions, all so late.
void cross(LiveReport& report, int each, Time slip, Time entry = 0, int first = 0, int last = 10)
{
    for (int second = first; second < last; ++second) {
        for (int i = 0; i < each; ++i) {
            report.counters.left(slip, second * kSecond + i * (kSecond / each));
            report.counters.entered(entry);
        }
        report.counters.end_second(true, true);
    }
}

// A live run of clients whose server is attached.
struct LiveFixture : Fixture {
    LiveReport report;

    LiveFixture()
    {
        run.live = true;
        run.attached = {0};
        run.real_time = &report;
        run.warmup = 0;
        statistics.begin = 0;
        statistics.end = run.ended = 10 * kSecond;
    }
    void connect(int count, Time sum)
    {
        statistics.workloads[0].connect.record(sum / count, static_cast<std::uint64_t>(count));
    }
    // 20 ms each, of which connecting took 10: two round trips.
    void respond(int count, Time response = 20 * kMillisecond)
    {
        complete(count, response);
        connect(count, count * 10 * kMillisecond);
    }
    bool says(const std::string& text)
    {
        for (const std::string& reason : figures().verdict_reasons)
            if (reason.find(text) != std::string::npos) return true;
        return false;
    }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "rates are over the measured time")
{
    complete(1000, 9 * kMillisecond);
    Figures f = figures();
    CHECK(f.measured_seconds == 10);
    CHECK(*f.total.per_second == 100);
    CHECK(*f.total.throughput_bps == 8 * 1250 * 100);
    CHECK(*f.total.response.mean == Approx(0.009));
    CHECK(*f.total.response.p99 == Approx(0.009));
    CHECK(f.verdict == Verdict::simulated);
}

TEST_CASE_METHOD(Fixture, "an interrupted run is measured until the interruption")
{
    complete(100, kMillisecond);
    run.ended = 7 * kSecond;
    CHECK(figures().measured_seconds == 2);
    CHECK(*figures().total.per_second == 50);
    CHECK(json()["window"]["end"] == 7.0);
    CHECK(json()["series"]["completed"].size() == 7);
}

TEST_CASE_METHOD(Fixture, "a run interrupted in the warm-up has no rates")
{
    run.ended = 3 * kSecond;
    CHECK(figures().measured_seconds == 0);
    CHECK(json()["transactions"]["per_second"].is_null());
    CHECK(json()["throughput_bps"].is_null());
    CHECK(json()["response_time_seconds"]["mean"].is_null());
    CHECK(json()["packet_loss"].is_null());
    CHECK(summary().find("nothing measured") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "percentiles need enough samples")
{
    complete(99, kMillisecond);
    ResponseTimes r = figures().total.response;
    CHECK(r.median);
    CHECK_FALSE(r.p95);
    CHECK_FALSE(r.p99);
    CHECK(summary().find("99 samples are too few for: p95, p99") != std::string::npos);
    complete(1, kMillisecond);
    CHECK(figures().total.response.p95);
    complete(400, kMillisecond);
    CHECK(figures().total.response.p99);
    CHECK(summary().find("too few") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "the first HTTP error is named")
{
    CHECK(json()["transactions"]["first_status_failure"].is_null());
    fail(FailureCause::status, 3, 5 * kMillisecond);
    statistics.workloads[0].first_bad_status = {kSecond, 0, 404};
    CHECK(summary().find("3 failed (3 HTTP errors after 5 ms, the first: 404 for /1024)") != std::string::npos);
    CHECK(json()["transactions"]["first_status_failure"]["status"] == 404);
    CHECK(json()["transactions"]["first_status_failure"]["path"] == "/1024");
    statistics.workloads[0].first_bad_status.what = 0;
    CHECK(summary().find("the first: no HTTP for /1024") != std::string::npos);
    CHECK(json()["transactions"]["first_status_failure"]["status"].is_null());
}

TEST_CASE_METHOD(Fixture, "failures have causes and durations")
{
    complete(10, kMillisecond);
    fail(FailureCause::connect, 2, 5 * kSecond);
    fail(FailureCause::truncated, 1, kMillisecond);
    fail(FailureCause::truncated, 1, 3 * kMillisecond);
    CHECK(summary().find("4 failed (2 no answer to SYN after 5 s; 2 truncated after 1 ms to 3 ms, 2 ms on average)") !=
          std::string::npos);
    const auto transactions = json()["transactions"];
    CHECK(transactions["failed"] == 4);
    CHECK(transactions["failed_by_cause"]["truncated"] == 2);
    CHECK(transactions["failed_after_seconds"]["truncated"]["mean"] == 0.002);
    CHECK(transactions["failed_after_seconds"]["truncated"]["max"] == 0.003);
    CHECK(transactions["failed_after_seconds"]["reset"]["mean"].is_null());
    CHECK(json()["response_time_seconds"]["samples"] == 10);  // failures are in no mean
}

// 20 clients of a server that answers in 83 ms for 4 s and hangs for 6: two in a hundred are never answered.
TEST_CASE_METHOD(Fixture, "connections without a local port are named, in the summary and beside the verdict")
{
    complete(10, kMillisecond);
    CHECK(summary().find("ports") == std::string::npos);
    CHECK(json()["verdict_reasons"].empty());
    fail(FailureCause::no_port, 3, 0);
    CHECK(summary().find("3 failed (3 without a local port") != std::string::npos);
    CHECK(summary().find("no local port was free for 3 connections: ") != std::string::npos);
    CHECK(json()["verdict"] == "simulated");
    CHECK(json()["verdict_reasons"].size() == 1);
    CHECK(json()["transactions"]["failed_by_cause"]["no_port"] == 3);
}

TEST_CASE_METHOD(Fixture, "hung transactions censor the percentiles that they reach")
{
    complete(960, 83 * kMillisecond);
    open(std::vector<Time>(20, 6 * kSecond));
    const ResponseTimes r = figures().total.response;
    CHECK(*r.median == Approx(0.083).epsilon(0.002));
    CHECK(*r.p95 == Approx(0.083).epsilon(0.002));
    CHECK_FALSE(r.p99);
    CHECK(*r.at_least.p99 == 6);
    CHECK_FALSE(r.max);
    CHECK(*r.at_least.max == 6);
    const std::string text = summary();
    CHECK(text.find("0 failed, 20 open at the end (for 6 s, the oldest for 6 s)") != std::string::npos);
    CHECK(text.find("p99 > 6 s, max > 6 s") != std::string::npos);
    CHECK(text.find("censored") != std::string::npos);
    CHECK(json()["transactions"]["open_seconds"]["oldest"] == 6.0);
    CHECK(json()["response_time_seconds"]["p99"].is_null());
    CHECK(json()["response_time_seconds"]["at_least"]["p99"] == 6.0);
    CHECK(json()["response_time_seconds"]["percentiles"].back()[0] < 99);  // the curve ends where it is censored
    CHECK(json()["response_time_seconds"]["at_least"]["p95"].is_null());
}

TEST_CASE_METHOD(Fixture, "an open loop whose server hangs has no median")
{
    complete(400, 83 * kMillisecond);
    std::vector<Time> ages;
    for (int i = 0; i < 600; ++i) ages.push_back(i * 10 * kMillisecond);
    open(ages);
    // As if all ended now: the 500th of 1000, the 100th of those that are open, or nearly: 9 of them are younger than
    // those that completed.
    CHECK(*figures().total.response.at_least.median == Approx(1.0).margin(0.02));
    CHECK(*figures().total.open.median == Approx(3.0).margin(0.02));
}

TEST_CASE_METHOD(Fixture, "transactions that are open as any are at an end censor nothing")
{
    complete(1000, 80 * kMillisecond);
    std::vector<Time> ages;
    for (int i = 0; i < 64; ++i) ages.push_back(i * kMillisecond);
    open(ages);
    const ResponseTimes r = figures().total.response;
    CHECK(r.median);
    CHECK(r.p99);
    CHECK(r.max);
    CHECK(summary().find("censored") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "one that was slow does not weigh for all that are open")
{
    complete(750, 80 * kMillisecond);
    complete(1, 3 * kSecond);
    open(std::vector<Time>(500, 2 * kSecond));
    const ResponseTimes r = figures().total.response;
    CHECK(r.median);
    CHECK(!r.p95);
    CHECK(*r.at_least.p95 == 2.0);
    CHECK(r.percentiles.back().first == 50);
    CHECK(*r.max == 3.0);
}

TEST_CASE_METHOD(Fixture, "a server that never answers has percentiles all the same")
{
    open(std::vector<Time>(20, 6 * kSecond));
    CHECK(summary().find("median > 6 s") != std::string::npos);
    CHECK(summary().find("none has completed") != std::string::npos);
    CHECK(json()["response_time_seconds"]["mean"].is_null());
}

TEST_CASE_METHOD(Fixture, "connections are shown where they are for several requests")
{
    complete(20, kMillisecond);
    WorkloadStatistics& w = statistics.workloads[0];
    CHECK(json()["transactions"]["requests"] == 0);
    CHECK(json()["workloads"][0]["phase_seconds"]["connect"].is_null());
    w.connections = w.requests = 20;
    CHECK(summary().find("connections") == std::string::npos);
    CHECK(json()["transactions"]["connections"] == 20);
    w.connections = 8;
    w.retried = 1;
    w.redirected = 2;
    w.not_modified = 3;
    w.connect.record(3 * kMillisecond, 5);
    CHECK(summary().find("8 opened, 20 requests sent, 1 of them again") != std::string::npos);
    CHECK(json()["transactions"]["requests"] == 20);
    CHECK(json()["transactions"]["retried"] == 1);
    CHECK(json()["transactions"]["redirected"] == 2);
    CHECK(json()["transactions"]["not_modified"] == 3);
    CHECK(json()["workloads"][0]["phase_seconds"]["connect"].get<double>() == Approx(0.003));
}

TEST_CASE_METHOD(Fixture, "responses that are not the model's are shown")
{
    complete(10, kMillisecond);
    WorkloadStatistics& w = statistics.workloads[0];
    for (int i = 0; i < 10; ++i) w.count_status(200);
    CHECK(summary().find("by status") == std::string::npos);
    w.count_status(301);
    w.unexpected_size = 2;
    w.first_unexpected_size = {kSecond, 0, 612};
    CHECK(summary().find("responses by status: 10 with 200, 1 with 301") != std::string::npos);
    CHECK(summary().find("unexpected size: 2 responses, the first: 612 B for /1024, which has 1024 B in the model") !=
          std::string::npos);
    CHECK(json()["transactions"]["by_status"]["301"] == 1);
    CHECK(json()["transactions"]["unexpected_size"] == 2);
    CHECK(json()["transactions"]["first_unexpected_size"]["expected"] == 1024);
}

TEST_CASE_METHOD(Fixture, "bodies that were compared are counted where any are to be")
{
    complete(10, kMillisecond);
    WorkloadStatistics& w = statistics.workloads[0];
    CHECK(json()["transactions"]["checked_content"].is_null());
    CHECK(summary().find("SHA-256") == std::string::npos);
    w.checks_content = true;
    CHECK(json()["transactions"]["checked_content"] == 0);
    CHECK(summary().find("no response compared with SHA-256") != std::string::npos);
    w.checked_content = 9;
    CHECK(json()["workloads"][0]["transactions"]["checked_content"] == 9);
    CHECK(json()["workloads"][0]["transactions"]["first_unexpected_content"].is_null());
    CHECK(summary().find("9 responses compared with SHA-256\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a last second that is not over has its own rate")
{
    run.ended = statistics.end = 15 * kSecond - kSecond / 2;
    statistics.series[13].bytes = statistics.series[14].bytes = 1000;
    const auto throughput = json()["series"]["throughput_bps"];
    CHECK(throughput[13] == 8000.0);
    CHECK(throughput[14] == 16000.0);
}

TEST_CASE_METHOD(Fixture, "the summary names the tunables")
{
    CHECK(summary().find("  with ") == std::string::npos);
    run.parameters = {{"N", "8", 8, false}, {"delay", "4 ms", 4e6, true}, {"queue", "64 KB", 65536, true}};
    CHECK(summary().find("  with           delay = 4 ms, queue = 64 KB\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "loss is what was dropped over what was sent")
{
    statistics.packets_sent = 1000;
    statistics.dropped.queue = 30;
    statistics.dropped.ttl = 20;
    CHECK(*figures().packet_loss == 0.05);
    CHECK(summary().find("50 lost (5 %): 30 queue full, 20 TTL expired") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "what a queue with active management drops has not found it full")
{
    using namespace anml;
    abi::Image image = entry_test::image();
    std::vector<abi::LinkRow> links(image.link_rows, image.link_rows + image.link_row_count);
    std::vector<abi::RecordRow> records(image.records, image.records + image.record_count);
    links[0].discipline[0] = static_cast<std::uint32_t>(records.size());
    records.push_back({static_cast<std::uint32_t>(abi::RecordSchema::codel), {0, 0}});
    image.link_rows = links.data();
    image.records = records.data();
    image.record_count = static_cast<std::uint32_t>(records.size());
    const Model managed(image, std::vector<double>{1e6, 524288});
    statistics.packets_sent = 1000;
    statistics.dropped.queue = 30;
    statistics.links = {{.link = links[0].first_link, .dropped = 20, .longest_queue_delay = {}, .rare = {}},
                        {.link = links[0].first_link + 1, .dropped = 10, .longest_queue_delay = {}, .rare = {}}};
    const std::string text =
        results_summary(managed, run, statistics, compute_figures(managed, run, statistics), false);
    CHECK(text.find("30 lost (3 %): 10 queue full, 20 by queues with CoDel; ") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "the curve of percentiles goes as far as there are samples")
{
    complete(950, 10 * kMillisecond);
    complete(50, 40 * kMillisecond);
    const auto curve = json()["response_time_seconds"]["percentiles"];
    CHECK(curve.front()[0] == 50.0);
    CHECK(curve.front()[1].get<double>() == Approx(0.01).epsilon(0.002));
    CHECK(curve.back()[0] == 99.5);  // five samples lie beyond
    CHECK(curve.back()[1].get<double>() == Approx(0.04).epsilon(0.002));
}

TEST_CASE_METHOD(Fixture, "seconds have the response times of what completed in them")
{
    Second& busy = statistics.series[2];
    busy.completed = 4;
    busy.took = 2 * kSecond;
    busy.longest = {kSecond};
    Second other;
    other.completed = 1;
    other.took = 3 * kSecond;
    other.longest = {3 * kSecond};
    add_up(busy, other);
    const auto series = json()["series"];
    CHECK(series["response_mean_seconds"][2] == 1.0);
    CHECK(series["response_max_seconds"][2] == 3.0);
    CHECK(series["response_mean_seconds"][3].is_null());
}

TEST_CASE_METHOD(Fixture, "JSON names the machine")
{
    run.machine = this_machine();
    const auto machine = json()["machine"];
    CHECK(machine["system"].get<std::string>().starts_with("Linux "));
    CHECK(machine["processors"] > 0);
    CHECK(machine["memory_bytes"] > 1 << 20);
}

TEST_CASE_METHOD(Fixture, "links are listed by utilisation")
{
    statistics.links = {{0, 1, 125000000, 0, 0, {}, 0, {}},   // a tenth of 10 s at 1 Gbps
                        {9, 2, 625000000, 7, 0, {}, 0, {}}};  // half
    auto links = json()["busiest_links"];
    REQUIRE(links.size() == 2);
    CHECK(links[0]["name"] == "entry<");
    CHECK(links[0]["utilisation"] == 0.5);
    CHECK(links[0]["dropped"] == 7);
    CHECK(links[1]["name"] == "edge[0]>");
    CHECK(links[1]["utilisation"] == 0.1);
    statistics.links[1].carried = -2 * kSecond;  // admitted, and left to transmit at the end
    CHECK(json()["busiest_links"][0]["utilisation"] == 0.3);
}

TEST_CASE_METHOD(Fixture, "links say how long packets waited in their queues")
{
    statistics.links = {{0, 4, 1000, 0, 0, {}, 0, {}}, {9, 0, 0, 7, 0, {}, 0, {}}};
    statistics.links[0].queue_delay = 12.0 * kMillisecond;
    statistics.links[0].longest_queue_delay = {8 * kMillisecond};
    const auto links = json()["busiest_links"];
    REQUIRE(links.size() == 2);
    CHECK(links[0]["name"] == "edge[0]>");
    CHECK(links[0]["queue_delay_seconds"]["mean"] == 0.003);
    CHECK(links[0]["queue_delay_seconds"]["max"] == 0.008);
    CHECK(links[1]["queue_delay_seconds"]["mean"].is_null());  // it dropped all that came
}

TEST_CASE_METHOD(Fixture, "JSON carries the run")
{
    run.digest = 0xabc;
    run.seed = 18446744073709551615u;
    run.parameters = {{"Q", "unlimited", std::numeric_limits<double>::infinity(), true}};
    run.command = {"./emu", "simulate", "\xff"};  // not UTF-8, as arguments may be
    auto j = json();
    CHECK(j["digest"] == "0000000000000abc");
    CHECK(j["seed"] == 18446744073709551615u);
    CHECK(j["parameters"]["Q"]["value"].is_null());
    CHECK(j["command"].size() == 3);
    CHECK(j["error"].is_null());
    CHECK(j["live"].is_null());
    CHECK(j["model"] == "Small");
}

TEST_CASE_METHOD(LiveFixture, "lateness is judged by what it does to the figures")
{
    respond(1000);
    cross(report, 1000, 20 * kMicrosecond);  // two round trips of 20 us late: 0.2 %
    CHECK(figures().verdict == Verdict::kept_up);
    CHECK(figures().verdict_reasons.empty());
    const Effect mean = figures().effects.figures[0];
    CHECK(mean.workload == "browse");
    CHECK(mean.figure == "response_time_seconds.mean");
    CHECK(mean.high == Approx(0.002));
    CHECK(json()["live"]["touched"].empty());
}

TEST_CASE_METHOD(LiveFixture, "pages have as many round trips as they have time for")
{
    respond(1000);
    cross(report, 1000, 20 * kMicrosecond);
    Figures f = figures();
    PageFigures pages;
    pages.time = f.workloads[0].transactions.response;
    pages.time.mean = 0.1;  // ten round trips
    f.workloads[0].pages = pages;
    const auto effects = effects_of_lateness(model, run, f).figures;
    const auto page = std::find_if(effects.begin(), effects.end(),
                                   [](const Effect& effect) { return effect.figure == "page_time_seconds.mean"; });
    REQUIRE(page != effects.end());
    CHECK(page->workload == "browse");
    CHECK(page->high == Approx(10 * 2e-5 / 0.1));
}

TEST_CASE_METHOD(LiveFixture, "a longest response that one hides which is open still is judged by what else there is")
{
    respond(1000);
    open({kSecond});
    cross(report, 1000, 20 * kMicrosecond);
    const Figures f = figures();
    CHECK_FALSE(f.workloads[0].transactions.response.max);
    for (const Effect& effect : f.effects.figures) CHECK(effect.figure != "response_time_seconds.max");
    CHECK(f.verdict == Verdict::kept_up);
}

TEST_CASE_METHOD(LiveFixture, "packets that are read late count as those that leave late")
{
    respond(1000);
    cross(report, 1000, 0, 400 * kMicrosecond);
    CHECK(figures().verdict == Verdict::not_valid);
    CHECK(says("response times of `browse` may be too high: mean by 4 %, median by 4 %, p95 by 4 %, p99 by 4 %"));
    CHECK(says("means of seconds 0-9 may be up to 4 % too high"));
    CHECK(json()["live"]["touched"][0]["figure"] == "response_time_seconds.mean");
    CHECK(json()["live"]["touched"][0]["may_be_high"].get<double>() == Approx(0.04));
}

TEST_CASE_METHOD(LiveFixture, "the same lateness matters less where the path is longer")
{
    connect(1000, 1000 * 100 * kMillisecond);
    complete(1000, 200 * kMillisecond);
    cross(report, 1000, 400 * kMicrosecond);
    CHECK(figures().verdict == Verdict::kept_up);
}

TEST_CASE_METHOD(LiveFixture, "a slow server's responses have few round trips, however short those are")
{
    complete(1000, 20 * kMillisecond);
    connect(1000, 1000 * 50 * kMicrosecond);  // 400 of them, if it were all of the response
    cross(report, 500, 40 * kMicrosecond);    // but 5 packets each
    CHECK(figures().effects.figures[0].high == Approx(5 * 0.04 / 20));
}

TEST_CASE_METHOD(LiveFixture, "a stall touches its seconds and the tail, and the verdict says which")
{
    respond(1000);
    cross(report, 1000, 5 * kMicrosecond, 0, 0, 3);
    for (int i = 0; i < 1000; ++i)
        report.counters.left(i < 50 ? 20 * kMillisecond : 5 * kMicrosecond, 3 * kSecond + i * kMillisecond);
    report.counters.end_second(true, true);
    cross(report, 1000, 5 * kMicrosecond, 0, 4, 10);
    report.processor_wait = 0.02;
    CHECK(figures().verdict == Verdict::degraded);
    CHECK(says("p99 by 100 % or more"));
    CHECK_FALSE(says("mean by"));
    CHECK(says("means of second 3 may be up to 10 % too high"));
    CHECK(says("the emulator waited 20 ms for a processor: other processes were busy"));
    auto seconds = json()["live"]["seconds"];
    CHECK(seconds["may_be_high"].size() == 10);
    CHECK(seconds["late"][3] == 50);
    CHECK(seconds["late"][4] == 0);
    CHECK(seconds["slip_max_seconds"][3].get<double>() == Approx(0.02).epsilon(0.003));
    CHECK(summary().find("degraded from t = 3 to 4 s") != std::string::npos);
    CHECK(json()["degraded_seconds"] == nlohmann::json::parse("[[3, 4]]"));

    run.warmup = 4 * kSecond;  // what is not reported is not judged
    report.processor_wait = 0.0002;
    CHECK_FALSE(says("second 3"));
}

TEST_CASE_METHOD(LiveFixture, "a stall lengthens what is under way, however few packets it makes late")
{
    // One client: six responses of a second, eight round trips each. Of 3600 packets ten are late, those of the first
    // window of one response.
    complete(6, kSecond);
    connect(6, 6 * kSecond / 8);
    for (int i = 0; i < 3600; ++i) {
        const bool waited = i >= 100 && i < 110;
        report.counters.left(waited ? 500 * kMillisecond - (i - 100) * kMillisecond : 5 * kMicrosecond,
                             i * 2 * kMillisecond);
    }
    report.counters.end_second(true, true);
    CHECK(figures().verdict == Verdict::not_valid);
    CHECK(figures().effects.figures[0].high == Approx(0.5 / 6).epsilon(0.01));
    CHECK(says("mean by 8.3 %"));
}

TEST_CASE_METHOD(LiveFixture, "what others have of a server's processors is judged by what it makes slower")
{
    report.processors = 2;
    report.cpu_emulator = 1;
    report.server_seen = true;
    cross(report, 1000, 5 * kMicrosecond);
    const auto serve = [&](std::size_t first, std::size_t last, Time ran, Time lost) {
        for (std::size_t i = first; i < last; ++i) report.counters.served(i, true, ran, 2 * lost, lost, ran + lost);
    };
    SECTION("all that it had")
    {
        respond(1000);
        serve(0, 10, kSecond / 2, kSecond / 2);
        CHECK(figures().verdict == Verdict::not_valid);
        CHECK(says("mean by 50 %"));
        CHECK(says("the server waited 5 s for a processor that other processes had, and ran for 5 s: figures of seconds "
                   "0-9 are of a busy machine"));
        CHECK(json()["live"]["server_lost_seconds"] == 5);
        CHECK(json()["live"]["server_waited_seconds"] == 10);
        CHECK(json()["live"]["seconds"]["server_lost_seconds"][3] == 0.5);
    }
    SECTION("what it does not need")
    {
        respond(1000);  // 100 a second, which take 20 ms: 0.5 ms more, and a tenth for the queue
        serve(0, 10, kSecond / 20, kSecond / 20);
        CHECK(figures().effects.server == 0);
        CHECK(figures().verdict == Verdict::kept_up);
        CHECK(summary().find("and others had one for") != std::string::npos);
    }
    SECTION("in two seconds")
    {
        respond(1000);
        serve(0, 10, 9 * kSecond / 10, 0);
        serve(4, 6, 0, 3 * kSecond / 20);
        CHECK(figures().verdict == Verdict::degraded);
        CHECK(says("figures of seconds 4-5 are of a busy machine"));
        CHECK(json()["degraded_seconds"] == nlohmann::json::parse("[[4, 6]]"));
    }
    SECTION("what a quiet machine's daemons take")
    {
        respond(1000);
        serve(0, 10, kSecond, kSecond / 50);
        CHECK(figures().verdict == Verdict::kept_up);
    }
    SECTION("of a server that is elsewhere nothing is known")
    {
        respond(1000);
        report.server_seen = false;
        CHECK(json()["live"]["server_lost_seconds"].is_null());
        CHECK(summary().find("whether the server had one when it wanted is not seen") != std::string::npos);
        CHECK(summary().find("were not judged") == std::string::npos);
        report.relayed = true;
        CHECK(summary().find("the processes that hand connections on were not judged") != std::string::npos);
    }
}

TEST_CASE_METHOD(LiveFixture, "what the kernel drops is named with its seconds")
{
    respond(1000);
    cross(report, 100, 5 * kMicrosecond, 0, 0, 9);
    report.counters.dropped(1);
    cross(report, 100, 5 * kMicrosecond, 0, 9, 10);
    CHECK(figures().verdict == Verdict::degraded);
    CHECK(says("the kernel dropped 1 packet before the emulator read them (second 9)"));
    report.counters.not_taken(20);
    report.counters.end_second(true, true);
    CHECK(figures().verdict == Verdict::not_valid);
    CHECK(says("the kernel did not take 20 packets that the emulator sent (second 10)"));
}

TEST_CASE_METHOD(LiveFixture, "a packet that the kernel drops costs the least time-out of usual stacks")
{
    respond(1000);
    cross(report, 1000, 0, 0, 0, 9);
    report.counters.dropped(1);
    cross(report, 1000, 0, 0, 9, 10);
    CHECK(figures().effects.figures[0].high == Approx(0.2 / (1000 * 0.02)));
}

TEST_CASE_METHOD(LiveFixture, "more than a thousandth of the packets lost outside of the model is not valid")
{
    const bool more = GENERATE(false, true);
    respond(100'000, 2 * kSecond);  // to which the time-outs are nothing
    cross(report, 1000, 0);
    report.counters.dropped(more ? 11 : 10);
    CHECK((figures().verdict == Verdict::not_valid) == more);
}

TEST_CASE_METHOD(LiveFixture, "packets among real hosts are judged by what the model took for them")
{
    run.workload = false;
    for (int i = 0; i < 1000; ++i) {
        report.counters.crossed(10 * kMillisecond);
        report.counters.left(300 * kMicrosecond, i * kMillisecond);
        report.counters.entered(0);
    }
    report.counters.end_second(true, true);
    CHECK(figures().verdict == Verdict::not_valid);
    CHECK(says("what real hosts measure may be too high: mean by 3 %"));
}

TEST_CASE_METHOD(LiveFixture, "without packets, or before the workloads, there is nothing to judge")
{
    run.workload = false;
    CHECK(figures().verdict == Verdict::nothing_to_judge);
    run.workload = true;
    cross(report, 100, kMicrosecond);
    report.workloads_started = kNever;
    CHECK(figures().verdict == Verdict::nothing_to_judge);
    run.workload = false;
    CHECK(figures().verdict == Verdict::kept_up);
    report.unreachable = 10;  // not the emulator's fault
    CHECK(figures().verdict == Verdict::kept_up);
    report.unreachable = 1000;
    CHECK(figures().verdict == Verdict::nothing_to_judge);
}

TEST_CASE_METHOD(LiveFixture, "a live run shows its slip, its verdict and what it ignored")
{
    respond(1000);
    cross(report, 1000, 20 * kMicrosecond);
    report.cpu_server = 0.5;
    report.counters.sent_again();
    report.counters.end_second(true, true);
    report.ipv6 = 3;
    auto j = json();
    CHECK(j["verdict"] == "kept up");
    CHECK(j["live"]["slip_seconds"]["median"].get<double>() == Approx(20e-6).epsilon(0.002));
    CHECK(j["live"]["cpu_server"] == 0.5);
    CHECK(j["live"]["host_retransmissions"] == 1);
    CHECK(j["live"]["ipv6"] == 3);
    CHECK(summary().find("verdict        kept up\n") != std::string::npos);
    CHECK(summary().find("0 retransmissions by virtual hosts, 1 by real ones") != std::string::npos);
    CHECK(summary().find("3 frames of IPv6 ignored") != std::string::npos);

    run.error = "the command failed";
    CHECK(json()["verdict"] == "failed");
    CHECK(json()["verdict_reasons"][0] == "the command failed");
}

TEST_CASE_METHOD(Fixture, "packets that a router would have cut into fragments are named")
{
    statistics.packets_sent = 10;
    statistics.dropped.mtu = 3;
    CHECK(summary().find("fragments") == std::string::npos);
    statistics.dropped.unfragmented = 2;
    CHECK(summary().find("2 of those above the MTU a router would have cut into fragments") != std::string::npos);
    CHECK(json()["packets"]["unfragmented"] == 2);
}

static Second second_of(std::uint32_t completed, std::uint32_t failed)
{
    Second second;
    second.completed = completed;
    second.failed = failed;
    return second;
}

TEST_CASE("the progress line shows the last second")
{
    CHECK(progress_line(60 * kSecond, 120 * kSecond, second_of(6000, 0), 3, 79).find("  6000 tx/s  ") !=
          std::string::npos);
    CHECK(progress_line(60 * kSecond, 120 * kSecond, second_of(10, 3), 3, 79).find("10 tx/s, 3 failed/s") !=
          std::string::npos);
    CHECK(progress_line(kSecond / 2, 120 * kSecond, second_of(50, 0), 3, 79).find("100 tx/s") != std::string::npos);
    CHECK(progress_line(60 * kSecond, 120 * kSecond, {}, 3, 79).find("tx/s") == std::string::npos);
    CHECK(progress_line(60 * kSecond, 120 * kSecond, Second{}, 3, 79).find("  0 tx/s  ") != std::string::npos);
}

TEST_CASE("the progress bar fits its width")
{
    std::string line = progress_line(60 * kSecond, 120 * kSecond, second_of(100, 0), 3, 79);
    CHECK(line == "[###############...............]  50 %  60.0 of 120.0 s  100 tx/s  3 s left");
    for (std::size_t width = 1; width < 100; ++width) {
        CHECK(progress_line(kSecond, 120 * kSecond, second_of(100, 0), 3, width).size() <= width);
        CHECK(progress_line(-1, 120 * kSecond, {}, 3, width).size() <= width);
    }
    CHECK(progress_line(5 * kSecond, 0, {}, 3, 79) == "5.0 s");  // a run without an end
    CHECK(progress_line(0, 10 * kSecond, {}, 0, 79).find("left") == std::string::npos);
    CHECK(progress_line(11 * kSecond, 10 * kSecond, second_of(5, 0), 1, 79).find("100 %") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "groups are those that something came of, and all subnetworks")
{
    TransactionGroups& groups = statistics.groups;
    groups.size(500).count(20 * kMillisecond, std::nullopt, 100, 600);
    groups.size(5000).count(kSecond, FailureCause::timeout, 100, 0);
    groups.status(0).count(kSecond, FailureCause::timeout, 100, 0);
    groups.status(200).count(20 * kMillisecond, std::nullopt, 100, 600);
    const nlohmann::json found = json()["groups"];
    REQUIRE(found["subnetwork"].size() == 1);
    CHECK(found["subnetwork"][0]["name"] == "client");
    CHECK(found["subnetwork"][0]["completed"] == 0);
    CHECK(found["subnetwork"][0]["response_time_seconds"]["mean"].is_null());
    REQUIRE(found["document_size"].size() == 2);
    CHECK(found["document_size"][0]["name"] == "below 1 KB");
    CHECK(found["document_size"][0]["response_bytes"] == 600);
    CHECK(found["document_size"][0]["response_time_seconds"]["mean"].get<double>() == Approx(0.02));
    CHECK(found["document_size"][1]["name"] == "4 KB to 16 KB");
    CHECK(found["document_size"][1]["failed_by_cause"]["timeout"] == 1);
    CHECK(summary().find("sizes ") == std::string::npos);  // one mean alone
    groups.size(5000).count(kSecond, std::nullopt, 100, 5600);
    CHECK(summary().find("sizes          2: mean 20 ms (below 1 KB) to 1 s (4 KB to 16 KB)") != std::string::npos);
    CHECK(found["status"][0]["name"] == "none");
    CHECK(found["status"][1]["throughput_bps"].get<double>() == Approx(8 * 700 / 10.0));
}

TEST_CASE("sizes are told apart by powers of four")
{
    CHECK(size_class(0) == 0);
    CHECK(size_class(1023) == 0);
    for (std::size_t c = 1; c < kSizeClasses; ++c) {
        CHECK(size_class(least_size(c)) == c);
        CHECK(size_class(least_size(c) - 1) == c - 1);
    }
    CHECK(size_class(~std::uint64_t{0}) == kSizeClasses - 1);
}

TEST_CASE_METHOD(Fixture, "a phase has percentiles where enough had it")
{
    WorkloadStatistics& w = statistics.workloads[0];
    complete(1000, 30 * kMillisecond);
    for (int i = 1; i <= 1000; ++i) w.first_byte.record(i * kMillisecond);
    w.connect.record(kMillisecond, 3);
    const nlohmann::json phases = json()["workloads"][0]["phase_times_seconds"];
    CHECK(phases["first_byte"]["p95"].get<double>() == Approx(0.95).epsilon(0.003));
    CHECK(phases["first_byte"]["p99"].get<double>() == Approx(0.99).epsilon(0.003));
    CHECK(phases["connect"]["median"].is_null());
    CHECK(phases["connect"]["samples"] == 3);
    CHECK(phases["tls"]["samples"] == 0);
}

}  // namespace ANML_UNIT_FILE
