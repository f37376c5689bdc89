#include "net/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "abi/timeline.h"
#include "net/link_bounds.h"

namespace anml::rt {

namespace {

using abi::Moment;
using abi::TimelineAttribute;
using abi::TimelineForm;
using abi::TimelineTimes;
using abi::TimelineValue;

constexpr std::size_t kMostVersions = 4'000'000;

TimelineTimes times_of(const Model& model, std::uint32_t row)
{
    const abi::TimelineRow& t = model.image().timeline[row];
    return {t.form, model.value(t.first), model.value(t.last), model.value(t.step)};
}

constexpr std::size_t kParts = Impairments::kParts;

// What becomes of links' impairments. A part of them is as declared, or a choice that a statement made; the same
// choices for links that were declared alike make the same law.
class Laws {
  public:
    static constexpr double kDeclared = -1;

    Laws(const Model& model, std::vector<Impairments>& made) : model_(model), made_(made) {}

    // What a statement says at a moment of its.
    double choice(const TimelineTimes& when, const Moment& moment, const abi::TimelineRow& row)
    {
        const bool ramp = row.form == TimelineForm::ramp;
        const auto [at, fresh] = choices_of_.try_emplace({moment.row, ramp ? moment.step : 0}, choices_.size());
        if (!fresh) return static_cast<double>(at->second);
        if (ramp)
            choices_.push_back(
                {.fixed = abi::ramp_value(when, moment, model_.value(row.value), model_.value(row.value_to))});
        else
            choices_.push_back(impairment_part(model_, row.draw));
        return static_cast<double>(at->second);
    }

    std::uint32_t law(std::uint32_t declared, const std::array<double, kParts>& choices)
    {
        if (declared == abi::kNone) return declared;
        if (std::all_of(choices.begin(), choices.end(), [](double c) { return c == kDeclared; })) return declared;
        const auto next = static_cast<std::uint32_t>(model_.image().record_count + made_.size());
        const auto [at, fresh] = laws_.try_emplace({declared, choices}, next);
        if (!fresh) return at->second;
        const Impairments before = impairments_of(model_, declared);
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

bool alike(const LinkVersion& a, const LinkVersion& b)
{
    const auto same = [](const auto& x, const auto& y) {
        return std::equal(std::begin(x), std::end(x), std::begin(y));
    };
    return a.up == b.up && same(a.delay, b.delay) && same(a.rate, b.rate) && same(a.capacity, b.capacity) &&
           same(a.packet_limit, b.packet_limit) && same(a.discipline, b.discipline) && same(a.law, b.law);
}

}  // namespace

Timeline::Timeline(const Model& model) : model_(model)
{
    const abi::Image& image = model.image();
    if (image.timeline_count == 0) return;
    for (std::uint32_t row = 0; row < image.timeline_count; ++row) {
        const TimelineTimes t = times_of(model, row);
        const bool spans = t.form == TimelineForm::interval || t.form == TimelineForm::ramp;
        if (t.first < 0 || (spans && t.last <= t.first)) error_ = "a time of the timeline is out of order";
    }
    const auto all = abi::moments_of(image.timeline_count, [&](std::uint32_t row) { return times_of(model, row); });
    if (!all) error_ = fmt::format("the timeline has more than {} moments", abi::kMostMoments);
    if (!error_.empty()) return;

    std::vector<Values> values;  // by index of `links`
    std::vector<TimelineValue> active(image.workload_count, TimelineValue(1));
    std::size_t versions = 0;
    Laws all_laws(model, laws);
    const auto changing = [&](LinkId link) {
        if (index_.empty()) index_.resize(image.directed_links / 2, 0);
        std::uint32_t& index = index_[link / 2];
        if (index == 0) {
            const abi::LinkRow& row = image.link_rows[model.link_row_of(link)];
            values.emplace_back(model, row);
            links.push_back(
                {link, {values.back().now(0, all_laws)}, {row.trace[0] != abi::kNone, row.trace[1] != abi::kNone}});
            index = static_cast<std::uint32_t>(links.size());
        }
        return index - 1;
    };
    std::uint32_t epoch = 0;
    for (std::size_t i = 0; i < all->size();) {
        const Time time = (*all)[i].time;
        Instant instant{time,
                        {static_cast<std::uint32_t>(changes.size()), 0},
                        {static_cast<std::uint32_t>(switches.size()), 0},
                        abi::kNone};
        std::vector<std::uint32_t> touched, workloads;
        for (; i < all->size() && (*all)[i].time == time; ++i) {
            const Moment& moment = (*all)[i];
            const abi::TimelineRow& row = image.timeline[moment.row];
            const TimelineTimes when = times_of(model, moment.row);
            const double from = model.value(row.value), to = model.value(row.value_to);
            const bool impairs = abi::is_impairment(row.attribute);
            const double choice = impairs && !moment.ends ? all_laws.choice(when, moment, row) : 0;
            for (std::uint32_t t = 0; t < row.targets.count; ++t) {
                const abi::TimelineTarget& target = image.timeline_targets[row.targets.first + t];
                if (row.attribute == TimelineAttribute::active) {
                    active[target.first].apply(when, moment, from, to);
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
        for (const std::uint32_t workload : workloads) switches.push_back({workload, active[workload].now() != 0});
        if (epoch < image.epoch_count && model.time(image.epochs[epoch].time) == time) instant.epoch = epoch++;
        instant.changes.count = static_cast<std::uint32_t>(changes.size()) - instant.changes.first;
        instant.switches.count = static_cast<std::uint32_t>(switches.size()) - instant.switches.first;
        if (instant.changes.count + instant.switches.count != 0 || instant.epoch != abi::kNone)
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
    Bounds bounds{model_.time(row.delay[direction]), model_.value(row.rate[direction]), false};
    bool changes_here = false;
    for (const ChangingLink& link : links) {
        if (link.link - row.first_link >= 2 * row.count) continue;
        changes_here = true;
        bounds.held |= link.held[direction];
        for (const LinkVersion& version : link.versions) {
            bounds.delay = std::min(bounds.delay, version.delay[direction]);
            bounds.rate = std::max(bounds.rate, version.rate[direction]);
        }
    }
    // What is transmitted when the rate changes ends at a time that is rounded once more.
    if (changes_here) bounds.delay = std::max<Time>(bounds.delay - 1, 0);
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
