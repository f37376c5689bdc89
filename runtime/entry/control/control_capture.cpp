#include "entry/control/control_capture.h"

#include <cstring>
#include <utility>

#include "io/capture/pcapng.h"
#include "simulator/simulator.h"

namespace anml::rt::entry {

namespace {

namespace pcapng = io::pcapng;
using Kind = io::CaptureRing::Record::Kind;

struct WatchOrder : io::LiveOrder {
    explicit WatchOrder(io::CaptureRing& r) : ring(r) {}
    void carry_out(Simulator& simulator) override
    {
        for (const LinkId link : ring.links()) simulator.watch(link, ring);
    }
    io::CaptureRing& ring;
};

struct ForgetOrder : io::LiveOrder {
    explicit ForgetOrder(io::CaptureRing& r) : ring(r) {}
    void carry_out(Simulator& simulator) override { simulator.forget(ring); }
    io::CaptureRing& ring;
};

}  // namespace

ControlCapture::ControlCapture(const Model& model, const BufferPool& buffers, std::vector<LinkId> links, Time epoch)
    : ring_(model, buffers, std::move(links)), epoch_(epoch)
{
    for (const LinkId link : ring_.links()) names_.push_back(model.link_name(link));
    frames_ = !ring_.links().empty() && model.is_transparent(ring_.links().front());
}

bool ControlCapture::begin(io::LiveMailbox& mailbox)
{
    WatchOrder order(ring_);
    return shown_ = mailbox.give(order);
}

void ControlCapture::end(io::LiveMailbox& mailbox)
{
    if (!std::exchange(shown_, false)) return;
    ForgetOrder order(ring_);
    mailbox.give(order);  // where the run has ended, nobody shows it anything any more
}

std::string ControlCapture::head() const
{
    std::string out = pcapng::section("anml " ANML_VERSION);
    for (const std::string& name : names_) out += pcapng::interface(name, frames_);
    return out;
}

std::string ControlCapture::more(Time before, std::size_t room)
{
    io::CaptureRing::Record record;
    for (std::size_t taken = 0; taken < room && ring_.next(record, bytes_); taken += record.bytes) {
        const LinkId link = ring_.links()[record.place];
        if (record.kind == Kind::rate_changed) order_.move(link, record.change);
        if (record.kind == Kind::failed) order_.forget(link);
        if (record.kind != Kind::packet) continue;
        // The order knows times and bytes: which link it was stands in front of them.
        const auto* place = reinterpret_cast<const std::uint8_t*>(&record.place);
        bytes_.insert(bytes_.begin(), place, place + sizeof record.place);
        order_.take(link, record.start, bytes_);
    }
    std::string out;
    order_.begun_before(before, [&](Time start, std::span<const std::uint8_t> bytes) {
        std::uint32_t place;
        std::memcpy(&place, bytes.data(), sizeof place);
        out += pcapng::packet(place, epoch_ + start, bytes.subspan(sizeof place));
    });
    return out;
}

std::string ControlCapture::tail(Time now) const
{
    std::string out;
    for (std::uint32_t place = 0; place < names_.size(); ++place) {
        const io::CaptureRing::Counts counts = ring_.counts(place);
        out += pcapng::statistics(place, epoch_ + now, counts.taken, counts.lost);
    }
    return out;
}

}  // namespace anml::rt::entry
