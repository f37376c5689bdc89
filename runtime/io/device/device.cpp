#include "io/device/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/live/live_report.h"

namespace anml::rt::io {

Device::Device(std::string name, const Clock& clock, LiveReport& report)
    : name_(std::move(name)),
      clock_(clock),
      report_(report),
      buffers_(std::make_unique_for_overwrite<std::uint8_t[]>(kBatch * kFrameCapacity))
{
}

void Device::count_link_down(std::size_t frames) { report_.unreachable += frames; }
void Device::count_tagged() { ++report_.tagged; }

std::string Device::gone() const { return fmt::format("interface `{}` is gone", name_); }

void Device::flush()
{
    if (!queued_) return;
    const std::size_t count = queued_;
    const Time before = clock_.now();
    const std::size_t refused = transmit(count);
    report_.counters.not_taken(refused);
    counters_.not_taken(refused);
    const Time after = clock_.now();
    queued_ = 0;
    // The kernel takes them one after the other, and says only when it is through with all of them (on a veth, with
    // what the receiver's side does about each of them too).
    for (std::size_t i = 0; i < count; ++i) {
        if (due_[i] == kNever) continue;
        const Time left = before + (after - before) * static_cast<Time>(i) / static_cast<Time>(count);
        const Time slip = std::max<Time>(left - due_[i], 0);
        report_.counters.left(slip, left);
        counters_.left(slip);
    }
}

}  // namespace anml::rt::io
