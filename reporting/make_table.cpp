// From results to figures: which there are, in which order, and what they are called.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "common/result_figures.h"
#include "reporting/table.h"

namespace anml {

namespace {

std::optional<double> number(const Json& value)
{
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// Of what a link or its queue was to take. Nothing where that was nothing.
std::optional<double> dropped_share(const Json& link)
{
    const auto taken = link["packets"].get<double>(), dropped = link["dropped"].get<double>();
    return taken + dropped > 0 ? std::optional(dropped / (taken + dropped)) : std::nullopt;
}

enum class Shown : std::uint8_t { always, rare, never };

struct FigureRow {
    const char* key;
    Unit unit;
    Better better;
    Shown shown;
    const char* label;
};

#define ANML_ROW(key, unit, better, shown, label, ...) {#key, Unit::unit, Better::better, Shown::shown, label},
#define ANML_ROWS(name, LIST) constexpr FigureRow name[] = {LIST(ANML_ROW, ANML_ROW, ANML_ROW)};
ANML_ROWS(kWeb, ANML_WEB_FIGURES)
ANML_ROWS(kPages, ANML_PAGE_FIGURES)
ANML_ROWS(kCalls, ANML_CALL_FIGURES)
ANML_ROWS(kOffered, ANML_OFFERED_FIGURES)
ANML_ROWS(kArrivals, ANML_ARRIVAL_FIGURES)
ANML_ROWS(kDatagrams, ANML_DATAGRAM_FIGURES)
ANML_ROWS(kEchoes, ANML_ECHO_FIGURES)
ANML_ROWS(kFluid, ANML_FLUID_FIGURES)
ANML_ROWS(kFlows, ANML_FLOW_FIGURES)
ANML_ROWS(kServer, ANML_SERVER_FIGURES)
ANML_ROWS(kImpairments, ANML_IMPAIRMENT_FIGURES)
ANML_ROWS(kBuffer, ANML_BUFFER_FIGURES)
ANML_ROWS(kDrops, ANML_DROP_FIGURES)

// What one run gives of one group.
class FigureAdder {
  public:
    FigureAdder(ReportGroup& group, std::size_t run, std::size_t runs) : group_(group), run_(run), runs_(runs) {}

    ReportFigure& set(const std::string& id, const std::string& name, Unit unit, Better better,
                      std::optional<double> value, bool rare = false)
    {
        auto at = std::find_if(group_.figures.begin(), group_.figures.end(),
                               [&](const ReportFigure& figure) { return figure.id == id; });
        if (at == group_.figures.end()) {
            group_.figures.push_back({id, name, unit, better, rare, {}, {}});
            at = group_.figures.end() - 1;
            at->values.resize(runs_);
            at->at_least.resize(runs_);
        }
        at->values[run_] = value;
        return *at;
    }
    void add(const std::string& id, const std::string& name, Unit unit, Better better, const Json& value,
             bool rare = false)
    {
        set(id, name, unit, better, number(value), rare);
    }

    // Those that results have: older ones have less.
    void rows(const std::string& prefix, const Json& object, std::span<const FigureRow> rows)
    {
        for (const FigureRow& row : rows)
            if (row.shown != Shown::never && object.contains(row.key))
                add(prefix + row.key, row.label, row.unit, row.better, object[row.key], row.shown == Shown::rare);
    }

    // All of an object that are counts, as they are called there.
    void counts(const std::string& id, const std::string& name, const Json& object, Better better)
    {
        for (const auto& [key, value] : object.items()) {
            std::string words = key;
            std::replace(words.begin(), words.end(), '_', ' ');
            add(id + "." + key, name + words, Unit::count, better, value, true);
        }
    }

    void times(const std::string& id, const std::string& name, const Json& times)
    {
        static constexpr const char* kKeys[] = {"min", "mean", "median", "p95", "p99", "max", "deviation"};
        for (const std::string key : kKeys) {
            if (!times.contains(key)) continue;
            const std::string words = key == "deviation" ? "standard deviation" : key;
            ReportFigure& figure =
                set(id.empty() ? key : id + "." + key, name.empty() ? words : fmt::format("{}, {}", name, words),
                    Unit::seconds, Better::lower, number(times[key]));
            if (times.contains("at_least") && times["at_least"].contains(key))
                figure.at_least[run_] = number(times["at_least"][key]);
        }
    }

    void share_of_failed(const Json& done)
    {
        const auto completed = done["completed"].get<double>(), failed = done["failed"].get<double>();
        set("failed_share", "failed, of those that ended", Unit::share, Better::lower,
            completed + failed > 0 ? std::optional(failed / (completed + failed)) : std::nullopt);
    }

  private:
    ReportGroup& group_;
    std::size_t run_, runs_;
};

bool is_web(const Json& workload) { return workload.contains("transactions"); }

void add_transactions(FigureAdder to, const Json& t, bool of_workload)
{
    to.add("transactions.per_second", "transactions per second", Unit::per_second, Better::higher, t["per_second"]);
    to.add("transactions.completed", "transactions completed", Unit::count, Better::neither, t["completed"]);
    to.add("transactions.failed", "transactions failed", Unit::count, Better::lower, t["failed"]);
    to.share_of_failed(t);
    to.add("transactions.in_progress", "open at the end", Unit::count, Better::neither, t["in_progress"]);
    if (!of_workload) return;
    to.rows("transactions.", t, kWeb);
    to.counts("transactions.failed_by_cause", "failed: ", t["failed_by_cause"], Better::lower);
    to.counts("transactions.by_status", "responses with status ", t["by_status"], Better::neither);
    if (t.contains("checked_content") && !t["checked_content"].is_null()) {
        to.add("transactions.checked_content", "compared with SHA-256", Unit::count, Better::neither,
               t["checked_content"]);
        to.add("transactions.unexpected_content", "of unexpected content", Unit::count, Better::lower,
               t["unexpected_content"]);
    }
    to.add("transactions.open_seconds.oldest", "open at the end, the oldest", Unit::seconds, Better::lower,
           t["open_seconds"]["oldest"]);
}

void add_web(FigureAdder to, const Json& w)
{
    to.add("throughput_bps", "throughput", Unit::rate, Better::higher, w["throughput_bps"]);
    add_transactions(to, w["transactions"], true);
    to.times("response_time_seconds", "response time", w["response_time_seconds"]);
    if (w.contains("pages")) {
        to.times("page_time_seconds", "page time", w["page_time_seconds"]);
        to.rows("pages.", w["pages"], kPages);
    }
    if (w.contains("calls")) {
        to.times("call_time_seconds", "time of calls", w["call_time_seconds"]);
        to.rows("calls.", w["calls"], kCalls);
    }
    if (w.contains("offered")) {
        to.times("response_time_from_due_seconds", "response time from when due", w["response_time_from_due_seconds"]);
        to.rows("offered.", w["offered"], kOffered);
    }
    if (w.contains("phase_times_seconds")) return;  // groups of their own
    const Json& phases = w["phase_seconds"];
    to.add("phase_seconds.connect", "mean time to connect", Unit::seconds, Better::lower, phases["connect"]);
    to.add("phase_seconds.answer", "mean time to the first byte", Unit::seconds, Better::lower, phases["answer"]);
    to.add("phase_seconds.receive", "mean time to receive", Unit::seconds, Better::lower, phases["receive"]);
}

void add_datagrams(FigureAdder to, const Json& w)
{
    to.add("throughput_bps", "throughput", Unit::rate, Better::higher, w["throughput_bps"]);
    to.rows("datagrams.", w["datagrams"], kDatagrams);
    to.times("delay_seconds", "one-way delay", w["delay_seconds"]);
}

// What flows have besides.
void add_flows(FigureAdder to, const Json& w)
{
    for (const std::string key : {"mean", "median", "p95", "p99", "max"})
        to.add("slowdown." + key, "slow-down, " + key, Unit::plain, Better::lower, w["slowdown"][key]);
    to.rows("arrivals.", w["arrivals"], kArrivals);
}

void add_bulk(FigureAdder to, const Json& w)
{
    const Json& t = w["transfers"];
    to.add("goodput_bps", "goodput", Unit::rate, Better::higher, w["goodput_bps"]);
    to.add("delivered_bytes", "delivered", Unit::bytes, Better::higher, w["delivered_bytes"]);
    to.rows("flows.", w["flows"], kFlows);
    to.add("transfers.completed", "transfers completed", Unit::count, Better::neither, t["completed"]);
    to.add("transfers.failed", "transfers failed", Unit::count, Better::lower, t["failed"]);
    to.share_of_failed(t);
    to.add("transfers.in_progress", "open at the end", Unit::count, Better::neither, t["in_progress"]);
    to.counts("transfers.failed_by_cause", "failed: ", t["failed_by_cause"], Better::lower);
    to.times("transfer_time_seconds", "transfer time", w["transfer_time_seconds"]);
    if (w.contains("slowdown")) add_flows(to, w);
}

void add_requests(FigureAdder to, const Json& w)
{
    to.rows("requests.", w["requests"], kEchoes);
    to.times("round_trip_seconds", "round trip", w["round_trip_seconds"]);
}

void add_workload(FigureAdder to, const Json& w)
{
    if (is_web(w)) return add_web(to, w);
    if (w.contains("datagrams")) return add_datagrams(to, w);
    if (w.contains("transfers")) return add_bulk(to, w);
    if (w.contains("fluid")) return to.rows("fluid.", w["fluid"], kFluid);
    if (w.contains("requests")) add_requests(to, w);
}

void add_slip(FigureAdder to, const std::string& id, const Json& slip)
{
    for (const std::string key : {"median", "p99", "max"})
        to.add(id + "." + key, "slip, " + key, Unit::seconds, Better::lower, slip[key]);
}

void add_lateness(FigureAdder to, const Json& live)
{
    add_slip(to, "live.slip_seconds", live["slip_seconds"]);
    to.add("live.released", "packets released to devices", Unit::count, Better::neither, live["released"]);
    to.add("live.received", "packets read from devices", Unit::count, Better::neither, live["received"]);
    to.add("live.late", "released more than 1 ms late", Unit::count, Better::lower, live["late"]);
    to.add("live.kernel_drops", "dropped by the kernel", Unit::count, Better::lower, live["kernel_drops"]);
    to.add("live.send_failures", "not taken by the kernel", Unit::count, Better::lower, live["send_failures"]);
    to.add("live.host_retransmissions", "retransmissions of real hosts", Unit::count, Better::lower,
           live["host_retransmissions"]);
    to.add("live.cpu_emulator", "processor of the emulator", Unit::share, Better::neither, live["cpu_emulator"]);
    to.add("live.busy", "time spent on packets and events", Unit::share, Better::lower, live["busy"]);
}

void add_run(FigureAdder to, const Json& r)
{
    to.add("throughput_bps", "throughput", Unit::rate, Better::higher, r["throughput_bps"]);
    if (std::any_of(r["workloads"].begin(), r["workloads"].end(), is_web)) {
        add_transactions(to, r["transactions"], false);
        to.times("response_time_seconds", "response time", r["response_time_seconds"]);
    }
    const Json& packets = r["packets"];
    to.add("packets.sent", "packets sent", Unit::count, Better::neither, packets["sent"]);
    to.add("packets.delivered", "packets delivered", Unit::count, Better::neither, packets["delivered"]);
    to.add("packets.lost", "packets lost", Unit::count, Better::lower, packets["lost"]);
    to.add("packet_loss", "packet loss", Unit::share, Better::lower, r["packet_loss"]);
    to.rows("packets.dropped.", packets["dropped"], kDrops);
    to.add("retransmissions", "retransmissions", Unit::count, Better::lower, r["retransmissions"]);
    if (!r["live"].is_null()) add_lateness(to, r["live"]);
}

void add_link(FigureAdder to, const Json& l)
{
    to.add("utilisation", "utilisation", Unit::share, Better::neither, l["utilisation"]);
    to.add("packets", "packets", Unit::count, Better::neither, l["packets"]);
    to.add("bytes", "bytes", Unit::bytes, Better::neither, l["bytes"]);
    to.add("dropped", "dropped by the queue", Unit::count, Better::lower, l["dropped"]);
    to.set("dropped_share", "dropped, of all", Unit::share, Better::lower, dropped_share(l));
    if (!l.contains("queue_delay_seconds")) return;  // of an emulator that did not count it
    const Json& waited = l["queue_delay_seconds"];
    to.add("queue_delay_seconds.mean", "wait in the queue, mean", Unit::seconds, Better::lower, waited["mean"]);
    to.add("queue_delay_seconds.max", "wait in the queue, max", Unit::seconds, Better::lower, waited["max"]);
}

void add_array(FigureAdder to, const Json& a)
{
    to.add("links", "links", Unit::count, Better::neither, a["links"]);
    to.add("utilisation", "utilisation, mean", Unit::share, Better::neither, a["utilisation"]);
    to.add("busiest", "of the busiest", Unit::share, Better::neither, a["busiest"]);
    to.add("packets", "packets", Unit::count, Better::neither, a["packets"]);
    to.add("bytes", "bytes", Unit::bytes, Better::neither, a["bytes"]);
    to.add("dropped", "dropped by queues", Unit::count, Better::lower, a["dropped"]);
    to.add("dropped_share", "dropped, of all", Unit::share, Better::lower, a["dropped_share"]);
    to.add("lost", "lost", Unit::count, Better::lower, a["lost"], true);
    to.add("lost_share", "lost, of all", Unit::share, Better::lower, a["lost_share"], true);
}

void add_radio(FigureAdder to, const Json& a)
{
    const bool scheduled = a.contains("down_share");
    if (scheduled) {
        to.add("down_share", "slots taken down", Unit::share, Better::neither, a["down_share"]);
        to.add("up_share", "slots taken up", Unit::share, Better::neither, a["up_share"]);
    } else {
        to.add("taken_share", "air taken", Unit::share, Better::neither, a["taken_share"]);
        to.add("collided_share", "taken by collisions", Unit::share, Better::lower, a["collided_share"]);
    }
    to.add("transmissions", "transmissions", Unit::count, Better::neither, a["transmissions"]);
    if (!scheduled) to.add("collisions", "collisions", Unit::count, Better::lower, a["collisions"]);
    to.add("failed", scheduled ? "blocks repeated" : "packets repeated", Unit::count, Better::lower, a["failed"]);
    to.add("lost", "lost", Unit::count, Better::lower, a["lost"]);
}

void add_endpoint(FigureAdder to, const Json& e)
{
    to.add("released", "released", Unit::count, Better::neither, e["released"]);
    to.add("received", "received", Unit::count, Better::neither, e["received"]);
    to.add("late", "late by more than 1 ms", Unit::count, Better::lower, e["late"]);
    to.add("kernel_drops", "dropped by the kernel", Unit::count, Better::lower, e["kernel_drops"]);
    to.add("send_failures", "not taken by the kernel", Unit::count, Better::lower, e["send_failures"]);
    add_slip(to, "slip_seconds", e["slip_seconds"]);
}

// A capture file in the place of a host.
void add_file(FigureAdder to, const Json& e)
{
    to.add("read", "packets read", Unit::count, Better::neither, e["read"]);
    to.add("entered", "entered", Unit::count, Better::neither, e["entered"]);
    to.counts("ignored", "ignored: ", e["ignored"], Better::neither);
    to.add("wrong_checksum", "with a wrong checksum", Unit::count, Better::neither, e["wrong_checksum"], true);
}

void add_group(FigureAdder to, const Json& g)
{
    to.add("completed", "completed", Unit::count, Better::neither, g["completed"]);
    to.add("per_second", "per second", Unit::per_second, Better::higher, g["per_second"]);
    to.add("throughput_bps", "throughput", Unit::rate, Better::higher, g["throughput_bps"]);
    to.add("failed", "failed", Unit::count, Better::lower, g["failed"], true);
    to.counts("failed_by_cause", "failed: ", g["failed_by_cause"], Better::lower);
    to.times("response_time_seconds", "", g["response_time_seconds"]);
}

// Kinds of groups that say nothing new where there is one of a kind alone.
bool tells_apart(std::string_view kind) { return kind == "subnetwork" || kind == "size" || kind == "status"; }

class TableMaker {
  public:
    explicit TableMaker(std::size_t runs) : runs_(runs) {}

    void add(std::size_t index, const Json& r)
    {
        run_ = index;
        add_run(group("run", "", ""), r);
        const std::vector<ShownWorkload> workloads = shown_workloads(r);
        for (const ShownWorkload& shown : workloads) {
            const Json& w = *shown.workload;
            add_workload(group("workload", w["name"], w["kind"], shown.one_of_many), w);
            if (w.contains("label")) groups_[index_.at({"workload", w["name"], w["kind"]})].label = w["label"];
        }
        for (const ShownWorkload& shown : workloads) {
            const auto same = [&](const ShownWorkload& other) {
                return other.workload != shown.workload && (*other.workload)["name"] == (*shown.workload)["name"];
            };
            const bool by_kind = std::any_of(workloads.begin(), workloads.end(), same);  // sums of two kinds
            add_phases(*shown.workload, by_kind ? (*shown.workload)["kind"].get<std::string>() : "");
        }
        if (r.contains("groups")) {
            add_groups("subnetwork", r["groups"]["subnetwork"]);
            add_groups("size", r["groups"]["document_size"]);
            add_groups("status", r["groups"]["status"]);
            const Json requests = r["groups"].value("request", Json::array());
            if (!requests.empty()) add_report({{"by", {"request"}}, {"groups", requests}});
            for (const Json& g : requests) {
                group("report", g["name"], "request").share_of_failed(g);
                for (const Json& check : g.value("checks", Json::array())) add_check(g["name"], check);
            }
            const Json grouped = r["groups"].value("request_group", Json::array());
            if (!grouped.empty()) add_report({{"by", {"group"}}, {"groups", grouped}});
            for (const Json& g : grouped) group("report", g["name"], "group").share_of_failed(g);
            const Json alone = r["groups"].value("workload_request", Json::array());
            const auto asker = [](const Json& g) { return g.value("workload", ""); };
            const auto of_another = [&](const Json& g) { return asker(g) != asker(alone[0]); };
            if (std::any_of(alone.begin(), alone.end(), of_another))  // else they are those above
                for (const Json& g : alone) {
                    FigureAdder to = group("request", g["name"], asker(g));
                    add_group(to, g);
                    to.share_of_failed(g);
                }
            for (const Json& report : r["groups"].value("reports", Json::array())) add_report(report);
        }
        for (const Json& s : r["servers"]) {
            const std::string name = fmt::format("{}:{}", s["name"].get<std::string>(), s["port"].dump());
            group("server", name, "").rows("", s, kServer);
            if (s.contains("label")) groups_[index_.at({"server", name, ""})].label = s["label"];
        }
        for (const Json& a : link_arrays(r)) add_array(group("array", a["name"], ""), a);
        for (const Json& l : r["busiest_links"]) add_link(labelled("link", l), l);
        for (const Json& l : r["impaired_links"]) labelled("link", l).rows("", l, kImpairments);
        for (const Json& b : r.value("buffers", Json::array())) labelled("buffer", b, "node").rows("", b, kBuffer);
        for (const Json& a : r.value("radios", Json::array())) add_radio(labelled("radio", a, "node"), a);
        if (!r["live"].is_null())
            for (const Json& e : r["live"]["endpoints"]) add_endpoint(labelled("endpoint", e), e);
        if (!r["replay"].is_null())
            for (const Json& e : r["replay"]["endpoints"])
                if (!e["in"].is_null()) add_file(group("file", e["in"], ""), e);
        for (const Json& d : r["timeline"]["downtime"]) {
            FigureAdder to = labelled("downtime", d);
            to.add("seconds", "down", Unit::seconds, Better::neither, d["seconds"]);
            to.add("lost", "packets lost on it", Unit::count, Better::lower, d["lost"]);
        }
    }

    // Groups of a kind beside each other.
    std::vector<ReportGroup> take()
    {
        static constexpr std::string_view kOrder[] = {"run",   "workload", "request",  "check", "phase", "report",
                                                      "subnetwork", "size", "status",  "server", "array",
                                                      "link",  "buffer",   "radio",    "endpoint", "file",
                                                      "downtime"};
        std::vector<ReportGroup> sorted;
        for (const std::string_view kind : kOrder) {
            const auto is = [&](const ReportGroup& group) { return group.kind == kind; };
            if (tells_apart(kind) && std::count_if(groups_.begin(), groups_.end(), is) < 2) continue;
            for (ReportGroup& group : groups_)
                if (is(group) && !group.figures.empty()) sorted.push_back(std::move(group));
        }
        return sorted;
    }

  private:
    void add_check(const std::string& request, const Json& check)
    {
        FigureAdder to = group("check", fmt::format("{}: {}", request, check["check"].get<std::string>()), "");
        to.add("passed", "passed", Unit::count, Better::neither, check["passed"]);
        to.add("failed", "failed", Unit::count, Better::lower, check["failed"]);
    }
    void add_groups(const std::string& kind, const Json& groups)
    {
        for (const Json& g : groups) add_group(labelled(kind, g), g);
    }

    void add_report(const Json& report)
    {
        std::string keys;
        for (const Json& key : report["by"]) keys += (keys.empty() ? "" : ", ") + key.get<std::string>();
        for (const Json& g : report["groups"]) add_group(group("report", g["name"], keys), g);
    }

    void add_phases(const Json& w, const std::string& note)
    {
        static constexpr std::pair<const char*, const char*> kPhases[] = {
            {"connect", "connect"}, {"tls", "TLS"}, {"first_byte", "first byte"}, {"transfer", "transfer"}};
        if (!w.contains("phase_times_seconds")) return;
        for (const auto& [key, name] : kPhases) {
            const Json& times = w["phase_times_seconds"][key];
            // Also where this run has none: it has its place for another that has some.
            FigureAdder to = group("phase", fmt::format("{}, {}", w["name"].get<std::string>(), name), note);
            if (times["samples"] == 0) continue;
            to.add("samples", "transactions", Unit::count, Better::neither, times["samples"]);
            to.times("", "", times);
        }
    }

    // `of`: what results say of it, where it may have a name that the model gives it.
    FigureAdder labelled(const std::string& kind, const Json& of, const char* name = "name")
    {
        const FigureAdder adder = group(kind, of[name], "");
        if (of.contains("label")) groups_[index_.at({kind, of[name], ""})].label = of["label"];
        return adder;
    }

    FigureAdder group(const std::string& kind, const std::string& name, const std::string& note,
                      bool one_of_many = false)
    {
        const auto [at, is_new] = index_.try_emplace({kind, name, note}, groups_.size());
        if (is_new) groups_.push_back({kind, name, note, one_of_many});
        return {groups_[at->second], run_, runs_};
    }

    std::size_t run_ = 0, runs_;
    std::vector<ReportGroup> groups_;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

}  // namespace

ReportTable make_table(const std::vector<RunResults>& runs)
{
    TableMaker maker(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) maker.add(i, runs[i].data);
    ReportTable table{maker.take(), make_facts(runs), {}};
    const auto differ = [&](const char* key) {
        return std::any_of(runs.begin(), runs.end(),
                           [&](const RunResults& run) { return run.data[key] != runs.front().data[key]; });
    };
    if (differ("model")) table.notes.push_back("These are runs of different models.");
    if (differ("mode")) table.notes.push_back("Some runs are simulated, some live.");
    if (differ("window") && !differ("model")) table.notes.push_back("The runs were measured over different times.");
    return table;
}

std::vector<LinkShare> link_shares(const RunResults& run)
{
    std::vector<LinkShare> links;
    std::map<std::string, std::size_t> index;
    for (const Json& l : run.data["busiest_links"]) {
        index.emplace(l["name"], links.size());
        links.push_back({l["name"], l["utilisation"].get<double>(), dropped_share(l).value_or(0)});
    }
    for (const Json& l : run.data["impaired_links"]) {
        const auto [at, is_new] = index.try_emplace(l["name"], links.size());
        if (is_new) links.push_back({l["name"], 0, 0});
        const auto packets = l["packets"].get<double>(), lost = l["lost"].get<double>();
        LinkShare& link = links[at->second];
        if (lost > 0) link.lost = 1 - (1 - link.lost) * (1 - lost / std::max(packets, lost));
    }
    return links;
}

}  // namespace anml
