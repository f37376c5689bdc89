#include "entry/control/control_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "entry/options/tunables.h"
#include "entry/tools/addresses.h"
#include "net/link/impair.h"
#include "net/link/link_bounds.h"
#include "net/timeline/timeline.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostChanging = 1000;

Json both(double forward, double back) { return Json::array({forward, back}); }

// As they are declared, a row each.
Json links(const Model& model)
{
    Json list = Json::array();
    for (std::uint32_t i = 0; i < model.image().link_row_count; ++i) {
        const abi::LinkRow& row = model.image().link_rows[i];
        if (row.count == 0) continue;
        list.push_back(
            {{"name", model.text(row.name)},
             {"count", row.count},
             {"array", row.is_array != 0},
             {"one_way", row.one_way != 0},
             {"from", model.node_name(row.node[0])},
             {"to", model.node_name(row.node[1])},
             {"rate_bps", both(model.value(row.rate[0]), model.value(row.rate[1]))},
             {"delay_seconds", both(model.value(row.delay[0]) / kSecond, model.value(row.delay[1]) / kSecond)},
             {"queue_bytes", both(model.value(row.queue[0]), model.value(row.queue[1]))}});
    }
    return list;
}

const LinkVersion& version_at(const ChangingLink& link, Time now)
{
    const auto behind = std::upper_bound(link.versions.begin(), link.versions.end(), now,
                                         [](Time t, const LinkVersion& version) { return t < version.time; });
    return behind == link.versions.begin() ? *behind : *(behind - 1);
}

// As it would be written, if that is not rounded.
std::string exactly(double value, abi::Unit unit)
{
    std::string error, text = format_quantity(value, unit);
    if (parse_quantity(text, unit, error) == value) return text;
    return fmt::format("{} {}", value, unit == abi::Unit::time ? "ns" : unit == abi::Unit::rate ? "bps" : "B");
}

// Links that the timeline changes, or somebody has, as they are now.
Json changing(const Model& model, const Timeline& timeline, Time now)
{
    Json list = Json::array();
    for (const ChangingLink& link : timeline.links) {
        if (list.size() == kMostChanging) break;
        const LinkVersion& version = version_at(link, now);
        std::string name = model.link_name(link.link);
        name.pop_back();
        list.push_back({{"name", name},
                        {"up", version.up},
                        {"rate_bps", both(version.rate[0], version.rate[1])},
                        {"delay_seconds", both(in_seconds(version.delay[0]), in_seconds(version.delay[1]))}});
    }
    return list;
}

Json workloads(const Model& model, const Timeline& timeline, const LiveView& view, bool any)
{
    const bool begun = any && view.began != kNever;
    std::vector<char> active(model.image().workload_count, begun);
    std::vector<double> share(model.image().workload_count, begun ? 1 : 0);
    for (const Timeline::Instant& instant : timeline.instants) {
        if (instant.time > view.elapsed) break;
        for (std::uint32_t i = 0; i < instant.switches.count; ++i) {
            const Timeline::Switch& change = timeline.switches[instant.switches.first + i];
            active[change.workload] = change.active;
            const std::uint64_t all = std::max<std::uint64_t>(model.documents().hosts_of(change.workload), 1);
            share[change.workload] = static_cast<double>(change.hosts) / static_cast<double>(all);
        }
    }
    Json list = Json::array();
    for (std::uint32_t i = 0; i < model.image().workload_count; ++i)
        list.push_back({{"name", model.text(model.image().workloads[i].name)},
                        {"on", any && active[i] != 0},
                        {"active", any ? share[i] : 0}});
    return list;
}

Json tunables(const Model& model, std::span<const double> values)
{
    Json list = Json::array();
    for (const RunInfo::Parameter& parameter : parameters_of(model.image(), values))
        if (parameter.tunable) list.push_back({{"name", parameter.name}, {"value", parameter.text}});
    return list;
}

Json endpoints(const Model& model, std::span<const std::uint32_t> attached)
{
    Json list = Json::array();
    for (std::uint32_t i = 0; i < model.image().endpoint_count; ++i) {
        const abi::EndpointRow& row = model.image().endpoints[i];
        list.push_back({{"name", model.text(row.name)},
                        {"address", model.address_text(model.address(row.node))},
                        {"attached", std::find(attached.begin(), attached.end(), i) != attached.end()}});
    }
    return list;
}

}  // namespace

Json control_list(Run& run, const LiveView& view, std::span<const EnteredChange> entered,
                  std::span<const WordedChange> worded)
{
    const Model& model = run.model();
    const Timeline timeline(model, entered);
    Json changes = Json::array();
    for (const WordedChange& change : worded)
        changes.push_back({{"seconds", in_seconds(change.time)}, {"what", change.what}});
    return {{"model", model.text(model.image().model_name)},
            {"pid", getpid()},
            {"seconds", view.began == kNever ? Json(nullptr) : Json(in_seconds(view.elapsed))},
            {"duration_seconds", in_seconds(run.duration())},
            {"endpoints", endpoints(model, run.info().attached)},
            {"workloads", workloads(model, timeline, view, run.info().workload)},
            {"tunables", tunables(model, run.reader().tunables())},
            {"links", links(model)},
            {"changing", changing(model, timeline, view.elapsed)},
            {"changes", changes}};
}

Json links_now(const Model& model, const LiveView& view, std::span<const EnteredChange> entered,
               std::span<const LinkId> links)
{
    const Timeline timeline(model, entered);
    Json list = Json::array();
    for (const LinkId link : links) {
        const std::uint32_t d = link & 1;
        const abi::LinkRow& row = model.image().link_rows[model.link_row_of(link)];
        LinkVersion now;
        now.rate[d] = model.value(row.rate[d]);
        now.delay[d] = model.time(row.delay[d]);
        now.capacity[d] = queue_bytes(model.value(row.queue[d]), now.rate[d]);
        now.law[d] = row.impairment[d];
        if (const std::uint32_t index = timeline.index_of(link & ~1u); index != abi::kNone)
            now = version_at(timeline.links[index], view.elapsed);
        const std::uint32_t records = model.image().record_count;
        const Impairments law = now.law[d] == abi::kNone   ? Impairments{}
                                : now.law[d] < records ? impairments_of(model, now.law[d])
                                                           : timeline.laws[now.law[d] - records];
        const auto part = [&](Impairments::Part p) { return p.drawn ? Json(nullptr) : Json(p.fixed); };
        const bool traced = row.trace[d] != abi::kNone;
        const Impairments::Part& jitter = law.parts[Impairments::jitter];
        list.push_back({{"name", model.link_name(link)},
                        {"up", now.up},
                        {"rate", traced ? Json(nullptr) : Json(exactly(now.rate[d], abi::Unit::rate))},
                        {"delay", exactly(static_cast<double>(now.delay[d]), abi::Unit::time)},
                        {"queue", exactly(now.capacity[d], abi::Unit::size)},
                        {"loss", part(law.parts[Impairments::loss])},
                        {"corrupt", part(law.parts[Impairments::corrupt])},
                        {"duplicate", part(law.parts[Impairments::duplicate])},
                        {"jitter", jitter.drawn ? Json(nullptr) : Json(exactly(jitter.fixed, abi::Unit::time))}});
    }
    return {{"directions", list}};
}

Json watch_json(const LiveView& view, Time warmup)
{
    return {{"seconds", view.began == kNever ? Json(nullptr) : Json(in_seconds(view.elapsed))},
            {"warming_up", view.elapsed < warmup},
            {"completed", view.last.completed},
            {"failed", view.last.failed},
            {"slip_p99_seconds", in_seconds(view.edge.slip_p99)},
            {"slip_max_seconds", in_seconds(view.edge.slip_max)},
            {"kernel_drops", view.edge.kernel_drops},
            {"busy", view.busy}};
}

}  // namespace anml::rt::entry
