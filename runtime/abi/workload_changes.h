// What the timeline changes of workloads, besides switching them on and off: under which names, within which limits,
// and of which of them. The compiler and `emu ctl` share it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "image.h"
#include "records.h"

namespace anml::abi {

struct WorkloadAttribute {
    std::string_view name;
    TimelineAttribute attribute;
    Unit unit;
    double least, most;
};

inline constexpr WorkloadAttribute kWorkloadAttributes[] = {
    {"active", TimelineAttribute::share, Unit::none, 0, 1},
    {"load", TimelineAttribute::load, Unit::none, 0, 10000},
    {"rate", TimelineAttribute::sending_rate, Unit::rate, 0, 1e15},
};

constexpr const WorkloadAttribute* workload_attribute(std::string_view name)
{
    for (const WorkloadAttribute& known : kWorkloadAttributes)
        if (known.name == name) return &known;
    return nullptr;
}

// Whether workloads of that schema have it: hosts that begin by themselves, a load that is open, a rate.
constexpr bool can_change(RecordSchema schema, TimelineAttribute attribute)
{
    switch (attribute) {
        case TimelineAttribute::share:
            return schema != RecordSchema::calls;
        case TimelineAttribute::load:
            return schema == RecordSchema::open_loop || schema == RecordSchema::flows ||
                   schema == RecordSchema::background;
        case TimelineAttribute::sending_rate:
            return schema == RecordSchema::cbr || schema == RecordSchema::on_off;
        default:
            return false;
    }
}

}  // namespace anml::abi
