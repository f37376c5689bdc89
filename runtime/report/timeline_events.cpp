#include "report/timeline_events.h"

#include <fmt/format.h>

#include "abi/timeline.h"
#include "net/model.h"
#include "report/describe_draws.h"
#include "report/quantity.h"

namespace anml::rt {

namespace {

using abi::TimelineAttribute;
using abi::TimelineForm;

// Rows without a subject go on where the one before them began: " (red: minimum_threshold 30 KB ...)".
std::string discipline_behind(const Model& model, const abi::TimelineRow& queue)
{
    const abi::Image& image = model.image();
    for (const abi::TimelineRow* row = &queue + 1; row != image.timeline + image.timeline_count; ++row) {
        if (!model.text(row->subject).empty()) break;
        if (row->attribute != TimelineAttribute::discipline) continue;
        return fmt::format(" ({})", describe_record(model, static_cast<std::uint32_t>(model.value(row->value))));
    }
    return "";
}

// "down", "rate = 1 Mbps"
std::string change(const Model& model, const abi::TimelineRow& row, double value)
{
    if (row.attribute == TimelineAttribute::share) return fmt::format("active = {:.6g} %", 100 * value);
    if (abi::is_impairment(row.attribute) && row.form != TimelineForm::ramp) {
        const abi::RecordField& field = abi::impairment_field(row.attribute);
        if (field.kind == abi::FieldKind::truth)
            return fmt::format("{} = {}", field.name, model.value(row.draw.a) != 0);
        return fmt::format("{} = {}", field.name, describe_distribution(model, row.draw, abi::unit_of(field.kind)));
    }
    const auto quantity = [&](abi::Unit unit) {
        return fmt::format("{} = {}", abi::timeline_attribute_name(row.attribute), format_quantity(value, unit));
    };
    switch (row.attribute) {
        case TimelineAttribute::up:
            return value != 0 ? "up" : "down";
        case TimelineAttribute::active:
            return value != 0 ? "on" : "off";
        case TimelineAttribute::rate:
        case TimelineAttribute::sending_rate:
            return quantity(abi::Unit::rate);
        case TimelineAttribute::delay:
            return quantity(abi::Unit::time);
        case TimelineAttribute::queue:
            return quantity(abi::Unit::size) + discipline_behind(model, row);
        default:
            return quantity(abi::is_impairment(row.attribute) ? abi::unit_of(abi::impairment_field(row.attribute).kind)
                                                              : abi::Unit::none);
    }
}

// " (Hamburg to Berlin)", the name that the model gives the link; of several, and of nodes, "".
std::string label_behind(const Model& model, const abi::TimelineRow& row)
{
    const abi::TimelineTarget& target = model.image().timeline_targets[row.targets.first];
    if (row.targets.count != 1 || target.count != 1 || target.cause != abi::TimelineCause::itself ||
        abi::is_of_workloads(row.attribute))
        return "";
    const std::string_view label = label_of_link(model.image(), target.first);
    return label.empty() ? "" : fmt::format(" ({})", label);
}

}  // namespace

std::vector<TimelineEvent> timeline_events(const Model& model)
{
    const abi::Image& image = model.image();
    const auto times = [&](std::uint32_t row) {
        const abi::TimelineRow& t = image.timeline[row];
        return abi::TimelineTimes{t.form, model.value(t.first), model.value(t.last), model.value(t.step)};
    };
    std::vector<TimelineEvent> list;
    const auto moments = abi::moments_of(image.timeline_count, times);
    if (!moments) return list;
    for (const abi::Moment& moment : *moments) {
        const abi::TimelineRow& row = image.timeline[moment.row];
        std::string subject(model.text(row.subject));
        if (subject.empty()) continue;  // a row before it says it
        subject += label_behind(model, row);
        const double from = model.value(row.value), to = model.value(row.value_to);
        if (row.form != TimelineForm::ramp) {
            list.push_back({moment.time, fmt::format("{}{} {}", subject, moment.ends ? " no longer" : "",
                                                     change(model, row, from))});
            continue;
        }
        if (moment.step == 0)
            list.push_back({moment.time, fmt::format("{} {}, a ramp begins", subject, change(model, row, from))});
        else if (abi::ramp_value(times(moment.row), moment, 0, 1) == 1)
            list.push_back({moment.time, fmt::format("{} {}, a ramp ends", subject, change(model, row, to))});
    }
    return list;
}

}  // namespace anml::rt
