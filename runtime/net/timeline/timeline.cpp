#include "net/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "abi/timeline.h"
#include "common/array_name.h"
#include "net/link/link_bounds.h"

namespace anml::rt {

namespace {

using abi::Moment;
using abi::TimelineAttribute;
using abi::TimelineForm;
using abi::TimelineTimes;
using abi::TimelineValue;

constexpr std::size_t kMostVersions = 4'000'000;

// A row of the image's timeline, or behind those a change that was entered.
struct Statement {
    TimelineAttribute attribute;
    TimelineTimes when;
    double from, to;
    std::span<const abi::TimelineTarget> targets;
    const abi::TimelineRow* row;  // null: it was entered
};

class Statements {
  public:
    Statements(const Model& model, std::span<const EnteredChange> entered) : model_(model), entered_(entered) {}

    std::uint32_t count() const { return model_.image().timeline_count + static_cast<std::uint32_t>(entered_.size()); }
    Statement operator[](std::uint32_t number) const
    {
        const abi::Image& image = model_.image();
        if (number >= image.timeline_count) {
            const EnteredChange& c = entered_[number - image.timeline_count];
            const auto at = static_cast<double>(c.time);
            return {c.attribute, {TimelineForm::once, at, at, 0}, c.value, c.value, c.targets, nullptr};
        }
        const abi::TimelineRow& t = image.timeline[number];
        return {t.attribute,
                {t.form, model_.value(t.first), model_.value(t.last), model_.value(t.step)},
                model_.value(t.value),
                model_.value(t.value_to),
                {image.timeline_targets + t.targets.first, t.targets.count},
                &t};
    }

  private:
    const Model& model_;
    std::span<const EnteredChange> entered_;
};

constexpr std::size_t kParts = Impairments::kParts;

// What becomes of links' impairments. A part of them is as declared, or a choice that a statement made; the same
// choices for links that were declared alike make the same law.
class Laws {
  public:
    static constexpr double kDeclared = -1;

    Laws(const Model& model, std::vector<Impairments>& made) : model_(model), made_(made)
    {
        made_.emplace_back().parts[Impairments::in_order].fixed = 1;
    }
    // Of links that the model declares without.
    std::uint32_t nothing() const { return model_.image().record_count; }

    // What a statement says at a moment of its.
    double choice(const Statement& statement, const Moment& moment)
    {
        const bool ramp = statement.when.form == TimelineForm::ramp;
        const auto [at, fresh] = choices_of_.try_emplace({moment.row, ramp ? moment.step : 0}, choices_.size());
        if (!fresh) return static_cast<double>(at->second);
        if (ramp)
            choices_.push_back({.fixed = abi::ramp_value(statement.when, moment, statement.from, statement.to)});
        else if (statement.row)
            choices_.push_back(impairment_part(model_, statement.row->draw));
        else
            choices_.push_back({.fixed = statement.from});
        return static_cast<double>(at->second);
    }

    std::uint32_t law(std::uint32_t declared, const std::array<double, kParts>& choices)
    {
        if (declared == abi::kNone) return declared;
        if (std::all_of(choices.begin(), choices.end(), [](double c) { return c == kDeclared; })) return declared;
        const auto next = static_cast<std::uint32_t>(model_.image().record_count + made_.size());
        const auto [at, fresh] = laws_.try_emplace({declared, choices}, next);
        if (!fresh) return at->second;
        const Impairments before = declared == nothing() ? made_.front() : impairments_of(model_, declared);
        Impairments law = before;
        for (std::size_t i = 0; i < kParts; ++i)
            if (choices[i] != kDeclared) law.parts[i] = choices_[static_cast<std::size_t>(choices[i])];
        if (law.parts == before.parts) return at->second = declared;
        made_.push_back(law);
        return next;
    }

  private:
    const Model& model_;
    std::vector<Impairments>& made_;
    std::vector<Impairments::Part> choices_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> choices_of_;  // by row and, of ramps, step
    std::map<std::pair<std::uint32_t, std::array<double, kParts>>, std::uint32_t> laws_;
};

// The values of a link that changes.
struct Values {
    TimelineValue up[3] = {TimelineValue(1), TimelineValue(1), TimelineValue(1)};  // by abi::TimelineCause
    std::vector<TimelineValue> rate, delay, queue, packets, discipline;  // by direction; of a discipline its record
    std::uint32_t impairment[2];
    // By direction; empty: they never change.
    std::vector<TimelineValue> choices[2];

    Values(const Model& model, const abi::LinkRow& row) : impairment{row.impairment[0], row.impairment[1]}
    {
        for (int direction = 0; direction < 2; ++direction) {
            rate.emplace_back(model.value(row.rate[direction]));
            delay.emplace_back(model.value(row.delay[direction]));
            queue.emplace_back(model.value(row.queue[direction]));
            packets.emplace_back(model.value(row.queue_packets[direction]));
            discipline.emplace_back(row.discipline[direction]);
        }
    }

    std::vector<TimelineValue>* of(TimelineAttribute attribute)
    {
        switch (attribute) {
            case TimelineAttribute::rate:
                return &rate;
            case TimelineAttribute::delay:
                return &delay;
            case TimelineAttribute::queue:
                return &queue;
            case TimelineAttribute::queue_packets:
                return &packets;
            case TimelineAttribute::discipline:
                return &discipline;
            default:
                return nullptr;
        }
    }

    TimelineValue& part(TimelineAttribute attribute, std::uint32_t direction)
    {
        std::vector<TimelineValue>& parts = choices[direction];
        if (parts.empty()) parts.assign(kParts, TimelineValue(Laws::kDeclared));
        return parts[abi::impairment_number(attribute)];
    }

    LinkVersion now(Time time, Laws& laws) const
    {
        LinkVersion v;
        v.time = time;
        for (const TimelineValue& cause : up) v.up = v.up && cause.now() != 0;
        for (int d = 0; d < 2; ++d) {
            v.rate[d] = rate[d].now();
            v.delay[d] = std::llround(delay[d].now());
            v.capacity[d] = queue_bytes(queue[d].now(), v.rate[d]);
            v.packet_limit[d] = static_cast<std::uint16_t>(std::llround(packets[d].now()));
            v.discipline[d] = static_cast<std::uint32_t>(discipline[d].now());
            std::array<double, kParts> chosen;
            chosen.fill(Laws::kDeclared);
            for (std::size_t i = 0; i < choices[d].size(); ++i) chosen[i] = choices[d][i].now();
            v.law[d] = laws.law(impairment[d], chosen);
        }
        return v;
    }
};

// What becomes of a workload.
struct WorkloadValues {
    TimelineValue active{1}, share{1}, pace{Timeline::kDeclared};
    double phase = 0.5;                  // of a host: so many are rounded up
    double paced = Timeline::kDeclared;  // when the last instant was over
    Timeline::Switch switched{};         // the same, once `known`
    bool known = false;

    TimelineValue& of(TimelineAttribute attribute)
    {
        return attribute == TimelineAttribute::active ? active : attribute == TimelineAttribute::share ? share : pace;
    }
    Timeline::Switch now(const Model& model, std::uint32_t workload) const
    {
        const std::uint64_t all = model.documents().hosts_of(workload);
        const bool on = active.now() != 0;
        const double hosts = on ? std::floor(share.now() * static_cast<double>(all) + phase) : 0;
        const auto count = std::min(static_cast<std::uint64_t>(hosts), all);
        return {workload, count, turn_behind(count, all), on};
    }
};

// Of a workload alone hosts are rounded. Of those that one statement makes in many instances, which may have one host
// each, some are rounded up and others down: by multiples of the golden ratio, which are as even over every second of
// them or every third.
void set_phases(const Model& model, std::vector<WorkloadValues>& loads)
{
    std::map<std::string, std::uint64_t> alike;
    for (std::uint32_t w = 0; w < loads.size(); ++w) {
        const std::uint64_t number = ++alike[without_indices(model.text(model.image().workloads[w].name))];
        loads[w].phase = static_cast<double>((number * 0x9e3779b97f4a7c15 - 0x1e3779b97f4a7c15) >> 11) * 0x1p-53;
    }
}

bool alike(const LinkVersion& a, const LinkVersion& b)
{
    const auto same = [](const auto& x, const auto& y) {
        return std::equal(std::begin(x), std::end(x), std::begin(y));
    };
    return a.up == b.up && same(a.delay, b.delay) && same(a.rate, b.rate) && same(a.capacity, b.capacity) &&
           same(a.packet_limit, b.packet_limit) && same(a.discipline, b.discipline) && same(a.law, b.law);
}

// Directed links without impairments in the model that are given some.
std::set<LinkId> impaired_anew(const Model& model, std::span<const EnteredChange> entered)
{
    std::set<LinkId> links;
    for (const EnteredChange& change : entered) {
        if (!abi::is_impairment(change.attribute)) continue;
        for (const abi::TimelineTarget& target : change.targets)
            for (LinkId link = target.first; link != target.first + 2 * target.count; ++link) {
                const abi::LinkRow& row = model.image().link_rows[model.link_row_of(link)];
                const std::uint32_t direction = (link - row.first_link) & 1;
                if (target.directions >> direction & 1 && row.impairment[direction] == abi::kNone) links.insert(link);
            }
    }
    return links;
}

}  // namespace

Timeline::Timeline(const Model& model, std::span<const EnteredChange> entered) : model_(model)
{
    const abi::Image& image = model.image();
    const Statements statements(model, entered);
    if (statements.count() == 0) return;
    for (std::uint32_t row = 0; row < statements.count(); ++row) {
        const TimelineTimes t = statements[row].when;
        const bool spans = t.form == TimelineForm::interval || t.form == TimelineForm::ramp;
        if (t.first < 0 || (spans && t.last <= t.first)) error_ = "a time of the timeline is out of order";
    }
    const auto all = abi::moments_of(statements.count(), [&](std::uint32_t row) { return statements[row].when; });
    if (!all) error_ = fmt::format("the timeline has more than {} moments", abi::kMostMoments);
    if (!error_.empty()) return;

    std::vector<Values> values;  // by index of `links`
    std::vector<WorkloadValues> loads(image.workload_count);
    for (std::uint32_t row = 0; row < statements.count(); ++row) {
        if (statements[row].attribute != TimelineAttribute::share) continue;
        set_phases(model, loads);
        break;
    }
    std::size_t versions = 0;
    Laws all_laws(model, laws);
    const std::set<LinkId> newly_impaired = impaired_anew(model, entered);
    const auto changing = [&](LinkId link) {
        if (index_.empty()) index_.resize(image.directed_links / 2, 0);
        std::uint32_t& index = index_[link / 2];
        if (index == 0) {
            const abi::LinkRow& row = image.link_rows[model.link_row_of(link)];
            values.emplace_back(model, row);
            for (std::uint32_t d = 0; d < 2; ++d)
                if (newly_impaired.contains(link + d)) values.back().impairment[d] = all_laws.nothing();
            links.push_back(
                {link, {values.back().now(0, all_laws)}, {row.trace[0] != abi::kNone, row.trace[1] != abi::kNone}});
            index = static_cast<std::uint32_t>(links.size());
        }
        return index - 1;
    };
    std::uint32_t epoch = 0;
    // Routes that follow delays change between moments, too.
    for (std::size_t i = 0; i < all->size() || epoch < image.epoch_count;) {
        const Time epoch_at = epoch < image.epoch_count ? model.time(image.epochs[epoch].time) : kNever;
        const Time time = i < all->size() ? std::min((*all)[i].time, epoch_at) : epoch_at;
        Instant instant{time,
                        {static_cast<std::uint32_t>(changes.size()), 0},
                        {static_cast<std::uint32_t>(switches.size()), 0},
                        {static_cast<std::uint32_t>(paces.size()), 0},
                        abi::kNone};
        std::vector<std::uint32_t> touched, workloads;
        for (; i < all->size() && (*all)[i].time == time; ++i) {
            const Moment& moment = (*all)[i];
            const Statement row = statements[moment.row];
            const auto& [when, from, to] = std::tie(row.when, row.from, row.to);
            const bool impairs = abi::is_impairment(row.attribute);
            const double choice = impairs && !moment.ends ? all_laws.choice(row, moment) : 0;
            for (const abi::TimelineTarget& target : row.targets) {
                if (abi::is_of_workloads(row.attribute)) {
                    loads[target.first].of(row.attribute).apply(when, moment, from, to);
                    workloads.push_back(target.first);
                    continue;
                }
                if (row.attribute == TimelineAttribute::cost) continue;
                for (std::uint32_t element = 0; element < target.count; ++element) {
                    const std::uint32_t index = changing(target.first + 2 * element);
                    touched.push_back(index);
                    if (row.attribute == TimelineAttribute::up)
                        values[index].up[static_cast<std::size_t>(target.cause)].apply(when, moment, from, to);
                    for (std::uint32_t direction = 0; direction < 2; ++direction) {
                        if (row.attribute == TimelineAttribute::up || !(target.directions >> direction & 1)) continue;
                        if (impairs) {
                            // The choice at a step of a ramp is that step's already.
                            values[index].part(row.attribute, direction).apply(when, moment, choice, choice);
                        } else {
                            (*values[index].of(row.attribute))[direction].apply(when, moment, from, to);
                        }
                    }
                }
            }
        }
        for (auto* list : {&touched, &workloads}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        for (const std::uint32_t index : touched) {
            const LinkVersion next = values[index].now(time, all_laws);
            if (alike(next, links[index].versions.back())) continue;
            changes.push_back({index, static_cast<std::uint32_t>(links[index].versions.size())});
            links[index].versions.push_back(next);
            for (int d = 0; d < 2; ++d) links[index].held[d] = next.law[d] != abi::kNone;
            if (++versions <= kMostVersions) continue;
            error_ = fmt::format("the timeline changes single links more than {} times", kMostVersions);
            return;
        }
        for (const std::uint32_t workload : workloads) {
            WorkloadValues& load = loads[workload];
            const Timeline::Switch next = load.now(model, workload);
            const bool known = load.known && next.hosts == load.switched.hosts && next.active == load.switched.active;
            load.known = true;
            load.switched = next;
            if (!known) switches.push_back(next);
            if (load.pace.now() == load.paced) continue;
            paces.push_back({workload, load.paced = load.pace.now()});
        }
        if (epoch_at == time) instant.epoch = epoch++;
        instant.changes.count = static_cast<std::uint32_t>(changes.size()) - instant.changes.first;
        instant.switches.count = static_cast<std::uint32_t>(switches.size()) - instant.switches.first;
        instant.paces.count = static_cast<std::uint32_t>(paces.size()) - instant.paces.first;
        if (instant.changes.count + instant.switches.count + instant.paces.count != 0 || instant.epoch != abi::kNone)
            instants.push_back(instant);
    }
}

std::uint32_t Timeline::index_of(LinkId link) const
{
    return index_.empty() ? abi::kNone : index_[link / 2] - 1;  // none: 0 - 1
}

Timeline::Bounds Timeline::bounds(std::uint32_t link_row, std::uint32_t direction) const
{
    const abi::LinkRow& row = model_.image().link_rows[link_row];
    Bounds bounds{model_.time(row.delay[direction]), model_.value(row.rate[direction]), false, 0};
    for (const ChangingLink& link : links) {
        if (link.link - row.first_link >= 2 * row.count) continue;
        bounds.rounded = 1;
        bounds.held |= link.held[direction];
        for (const LinkVersion& version : link.versions) {
            bounds.delay = std::min(bounds.delay, version.delay[direction]);
            bounds.rate = std::max(bounds.rate, version.rate[direction]);
        }
    }
    return bounds;
}

Time Timeline::downtime(const ChangingLink& link, Time end)
{
    Time down = 0;
    for (std::size_t i = 0; i < link.versions.size(); ++i) {
        if (link.versions[i].up) continue;
        const Time until = i + 1 < link.versions.size() ? std::min(end, link.versions[i + 1].time) : end;
        down += std::max<Time>(0, until - link.versions[i].time);
    }
    return down;
}

}  // namespace anml::rt
