#include "entry/options/value_uses.h"

#include "abi/records.h"
#include "abi/timeline.h"
#include "net/record.h"

namespace anml::rt::entry {

namespace {

using abi::TimelineForm;

// Who gives a row another value says here what it is for, or runs would share what they do not have in common.
static_assert(sizeof(abi::NodeRow) == 100 && sizeof(abi::LinkRow) == 112 && sizeof(abi::EndpointRow) == 40 &&
              sizeof(abi::ServerRow) == 12 && sizeof(abi::DocumentRow) == 48 && sizeof(abi::WorkloadRow) == 68 &&
              sizeof(abi::TimelineRow) == 52 && sizeof(abi::EpochRow) == 20 && sizeof(abi::RecordRow) == 12);

// Every value that a row of the image names, but those of the timeline, of epochs, and what is judged: requirements
// before the run, thresholds behind it.
template <class Visit>
void each_value_from_start(const abi::Image& image, Visit&& visit)
{
    const auto drawn = [&](const abi::Distribution& d) {
        if (d.kind == abi::DistributionKind::computed) return;  // what samplers read follows below
        visit(d.a);
        visit(d.b);
    };
    visit(image.duration);
    visit(image.warmup);
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        for (int d = 0; d < 2; ++d)
            for (const abi::ValueId id : {row.rate[d], row.delay[d], row.queue[d], row.queue_packets[d]}) visit(id);
        visit(row.mtu);
        visit(row.overhead);
    }
    for (std::uint32_t i = 0; i < image.workload_count; ++i) visit(image.workloads[i].start_spread);
    for (std::uint32_t i = 0; i < image.document_count; ++i) {
        drawn(image.documents[i].size);
        drawn(image.documents[i].choice);
    }
    // When what is measured of a part of the run is cut off.
    for (std::uint32_t i = 0; i < image.measure_count; ++i)
        for (const abi::ValueId end : {image.measures[i].from, image.measures[i].until})
            if (end != kNone) visit(end);
    // All records, whoever has them: what the timeline gives to links, too.
    for (std::uint32_t i = 0; i < image.record_count; ++i)
        each_field(image, i, [&](const abi::RecordField& field, const std::uint32_t* words) {
            if (abi::is_random(field.kind))
                drawn(abi::distribution_at(words));
            else if (abi::is_number(field.kind))
                visit(words[0]);
        });
    for (std::uint32_t i = 0; i < image.sampler_value_count; ++i) visit(image.sampler_values[i]);
}

void add_row(const abi::TimelineRow& row, std::vector<TimelineUse>& uses)
{
    TimelineUse use{row.first, {row.first, row.value}};
    if (abi::is_impairment(row.attribute) && row.form != TimelineForm::ramp) {
        if (row.draw.kind != abi::DistributionKind::computed)
            use.values.insert(use.values.end(), {row.draw.a, row.draw.b});
    }
    switch (row.form) {
        case TimelineForm::once:
            break;
        case TimelineForm::every:
            use.values.push_back(row.step);
            uses.push_back({row.last, {row.last}});
            break;
        case TimelineForm::interval:
            uses.push_back({row.last, {row.last}});
            break;
        case TimelineForm::ramp:  // its end says how steep it is
            use.values.insert(use.values.end(), {row.last, row.step, row.value_to});
            break;
    }
    uses.push_back(std::move(use));
}

}  // namespace

ValueUses::ValueUses(const abi::Image& image) : from_start(image.value_count)
{
    each_value_from_start(image, [&](abi::ValueId id) {
        if (id != abi::kNone) from_start[id] = true;
    });
    for (std::uint32_t i = 0; i < image.timeline_count; ++i) add_row(image.timeline[i], timeline);
    for (std::uint32_t i = 0; i < image.epoch_count; ++i)
        timeline.push_back({image.epochs[i].time, {image.epochs[i].time}});
}

}  // namespace anml::rt::entry
