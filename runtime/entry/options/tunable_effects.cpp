#include "entry/options/tunable_effects.h"

#include <fmt/format.h>

#include <algorithm>

#include "abi/timeline.h"
#include "entry/options/tunables.h"
#include "net/record.h"

namespace anml::rt::entry {

namespace {

using abi::TimelineAttribute;

// Values that differ between two settings of the tunables.
class Differing {
  public:
    Differing(const abi::Image& image, std::span<const double> before, std::span<const double> after)
        : before_(bind_values(image, before)), after_(bind_values(image, after))
    {
    }
    bool operator()(abi::ValueId id) const { return id != abi::kNone && before_[id] != after_[id]; }
    bool operator()(const abi::Distribution& d) const
    {
        return d.kind != abi::DistributionKind::computed && ((*this)(d.a) || (*this)(d.b));
    }
    double after(abi::ValueId id) const { return after_[id]; }

  private:
    std::vector<double> before_, after_;
};

bool record_differs(const abi::Image& image, std::uint32_t record, const Differing& differs)
{
    if (record == abi::kNone) return false;
    bool any = false;
    each_field(image, record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (abi::is_random(field.kind))
            any |= differs(abi::distribution_at(words));
        else if (field.kind == abi::FieldKind::records)
            for (const std::uint32_t one : abi::listed(image, abi::records_at(words)))
                any |= record_differs(image, one, differs);
        else if (abi::is_number(field.kind))
            any |= differs(words[0]);
    });
    return any;
}

// An impairment can be changed where it is a number.
bool draws_differ(const abi::Image& image, std::uint32_t record, const Differing& differs)
{
    if (record == abi::kNone) return false;
    bool any = false;
    each_field(image, record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (!abi::is_random(field.kind)) return;
        const abi::Distribution drawn = abi::distribution_at(words);
        any |= drawn.kind != abi::DistributionKind::constant && differs(drawn);
    });
    return any;
}

// What besides attributes of links depends on the tunable; "": nothing.
std::string other_use(const Model& model, const Differing& differs)
{
    const abi::Image& image = model.image();
    if (image.sampler_count != 0) return "what a formula draws at random may depend on it";
    if (differs(image.duration) || differs(image.warmup)) return "the run's duration depends on it";
    for (std::uint32_t i = 0; i < image.workload_count; ++i)
        if (differs(image.workloads[i].start_spread) || record_differs(image, image.workloads[i].record, differs))
            return fmt::format("workload `{}` depends on it", model.text(image.workloads[i].name));
    for (std::uint32_t i = 0; i < image.server_count; ++i)
        if (record_differs(image, image.servers[i].record, differs))
            return fmt::format("the simulated server of `{}` depends on it", model.node_name(image.servers[i].node));
    for (std::uint32_t i = 0; i < image.document_count; ++i)
        if (differs(image.documents[i].size) || differs(image.documents[i].choice) ||
            record_differs(image, image.documents[i].record, differs))
            return fmt::format("document `{}` depends on it", model.text(image.documents[i].path));
    for (std::uint32_t i = 0; i < image.node_row_count; ++i)
        if (record_differs(image, image.node_rows[i].tcp, differs))
            return fmt::format("the TCP of `{}` depends on it", model.text(image.node_rows[i].name));
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (record_differs(image, row.processing, differs) || record_differs(image, row.middlebox, differs) ||
            record_differs(image, row.icmp_limits, differs) || record_differs(image, row.buffer, differs) ||
            record_differs(image, row.radio, differs))
            return fmt::format("what `{}` does with packets depends on it", model.text(row.name));
    }
    for (std::uint32_t i = 0; i < image.timeline_count; ++i) {
        const abi::TimelineRow& row = image.timeline[i];
        const bool drawn = abi::is_impairment(row.attribute) && row.form != abi::TimelineForm::ramp;
        if (differs(row.first) || differs(row.last) || differs(row.step) || differs(row.value) ||
            differs(row.value_to) || (drawn && differs(row.draw)))
            return fmt::format("the timeline depends on it: `{}`", model.text(row.subject));
    }
    for (std::uint32_t i = 0; i < image.epoch_count; ++i)
        if (differs(image.epochs[i].time)) return "when routes change depends on it";
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        const auto link = [&](std::string_view what) {
            return fmt::format("the {} of link `{}` depends on it", what, model.text(row.name));
        };
        if (differs(row.mtu)) return link("MTU");
        if (differs(row.overhead)) return link("overhead");
        for (int d = 0; d < 2; ++d) {
            if (record_differs(image, row.discipline[d], differs)) return link("queue's discipline");
            if (draws_differ(image, row.impairment[d], differs)) return link("random loss or jitter");
            if (row.trace[d] != abi::kNone && differs(row.rate[d])) return link("trace");
        }
    }
    return "";
}

std::vector<EnteredChange> link_changes(const abi::Image& image, const Differing& differs, Time time)
{
    std::vector<EnteredChange> changes;
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        if (row.count == 0) continue;
        for (std::uint32_t d = 0; d < (row.one_way ? 1u : 2u); ++d) {
            const auto change = [&](TimelineAttribute attribute, abi::ValueId id) {
                if (!differs(id)) return;
                const abi::TimelineTarget target{row.first_link, row.count, abi::TimelineCause::itself, 1u << d};
                changes.push_back({time, attribute, differs.after(id), {target}});
            };
            change(TimelineAttribute::rate, row.rate[d]);
            change(TimelineAttribute::delay, row.delay[d]);
            change(TimelineAttribute::queue, row.queue[d]);
            change(TimelineAttribute::queue_packets, row.queue_packets[d]);
            if (row.impairment[d] == abi::kNone) continue;
            auto attribute = static_cast<std::uint32_t>(TimelineAttribute::impairment);
            each_field(image, row.impairment[d], [&](const abi::RecordField&, const std::uint32_t* words) {
                // A constant's value stands behind its kind.
                const auto which = static_cast<TimelineAttribute>(attribute++);
                const bool random = abi::is_random(abi::impairment_field(which).kind);
                change(which, random ? abi::distribution_at(words).a : words[0]);
            });
        }
    }
    return changes;
}

}  // namespace

std::optional<std::vector<EnteredChange>> set_tunable(const Model& model, std::string_view setting,
                                                      std::vector<double>& tunables, Time time, std::string& error)
{
    std::vector<double> after = tunables;
    if (error = apply_setting(model.image(), std::string(setting), after); !error.empty()) {
        if (error.starts_with("--")) error.erase(0, 2);
        return std::nullopt;
    }
    const Model changed(model.image(), after);
    const auto violated = violated_requirements(changed, parameters_of(model.image(), after));
    if (!violated.empty()) {
        error = violated.front();
        return std::nullopt;
    }
    const Differing differs(model.image(), tunables, after);
    if (const std::string use = other_use(model, differs); !use.empty()) {
        error = fmt::format("set {}: only what links alone depend on can be set in a run, and {}", setting, use);
        return std::nullopt;
    }
    tunables = after;
    return link_changes(model.image(), differs, time);
}

}  // namespace anml::rt::entry
