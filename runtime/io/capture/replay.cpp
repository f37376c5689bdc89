#include "io/capture/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "io/gateway/host_range.h"
#include "net/model.h"
#include "simulator/simulator.h"

namespace anml::rt::io {

std::size_t first_mtu(const Model& model, std::uint32_t endpoint)
{
    const abi::Image& image = model.image();
    const NodeId node = image.endpoints[endpoint].node;
    std::size_t least = 65535;
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        for (int end : {0, 1}) {
            const std::uint32_t count = row.stride[end] == 0 ? std::min(row.count, 1u) : row.count;
            if (node - row.node[end] < count) least = std::min<std::size_t>(least, model.integer(row.mtu));
        }
    }
    return least;
}

Replay::Replay(Simulator& simulator, const Model& model, std::optional<Time> lasts)
    : simulator_(simulator), model_(model), lasts_(lasts), gateway_of_(model.image().endpoint_count)
{
}

bool Replay::open(const std::vector<Attachment>& attachments, std::string& error)
{
    std::vector<PcapDevice*> devices;
    add_external_hosts(model_.image(), simulator_.external_hosts());
    for (const Attachment& attachment : attachments) {
        const std::uint32_t endpoint = attachment.endpoint;
        for (const abi::EndpointPrefixRow& prefix : prefixes_of(model_.image(), endpoint)) {
            if (prefix.kind != abi::PrefixKind::bridged) continue;
            error = fmt::format(
                "endpoint `{}` is bridged, and a capture file does not tell where hosts are: give it an `address`, "
                "that "
                "of the host in the file",
                model_.text(model_.image().endpoints[endpoint].name));
            return false;
        }
        auto device = PcapDevice::open(attachment.files, model_mac(model_), first_mtu(model_, endpoint), clock_,
                                       nullptr, report_, error);
        if (!device) return false;
        auto gateway = std::make_unique<Gateway>(*device, endpoint, model_, simulator_, report_);
        gateway_of_[endpoint] = gateway.get();
        devices.push_back(device.get());
        ports_.push_back({std::move(device), std::move(gateway)});
        simulator_.attach(endpoint, *this);
    }
    start_together(devices, 0, 0);
    return true;
}

// A batch is handed to the simulator before its time, which orders packets of one endpoint by arrival. So the batches
// make no difference to the run.
void Replay::run_before(Time end)
{
    const auto arrives = [](const Port& port) { return port.device->next_arrival(); };
    for (;;) {
        Port& port = *std::ranges::min_element(ports_, {}, arrives);
        const std::size_t count = port.device->take(end - 1, frames_);
        for (std::size_t i = 0; i < count; ++i)
            port.device->hand_over(*port.gateway, i, frames_[i], frames_[i].arrived);
        const Time next = std::ranges::min(ports_ | std::views::transform(arrives));
        if (next == kNever && lasts_) {
            const Time last = std::min(end - 1, this->end());
            for (Time event; (event = simulator_.next_event()) <= last && event != kNever;) simulator_.run_until(event);
            // Of a file that ends with what does not enter, too.
            if (const Time latest = std::min(end - 1, this->latest()); simulator_.now() < latest)
                simulator_.run_until(latest);
            if (!over()) simulator_.run_before(end);
        } else {
            simulator_.run_before(std::min(end, next));
        }
        flush();
        if (next >= end) return;
    }
}

bool Replay::read() const
{
    return std::ranges::all_of(ports_, [](const Port& port) { return port.device->next_arrival() == kNever; });
}

Time Replay::latest() const
{
    Time latest = 0;
    for (const Port& port : ports_) latest = std::max(latest, port.device->latest().value_or(0));
    return latest;
}

Time Replay::end() const
{
    const Time last = latest();
    return last < *lasts_ ? *lasts_ : last + std::min(std::max(*lasts_, 60 * kSecond), kNever - 1 - last);
}

bool Replay::over() const
{
    if (!lasts_ || !read()) return false;
    const Time next = simulator_.next_event();
    return next == kNever || next > end();
}

void Replay::flush()
{
    for (Port& port : ports_) port.device->flush();
}

bool Replay::finish(std::string& error)
{
    flush();
    return std::all_of(ports_.begin(), ports_.end(), [&](Port& port) { return port.device->finish(error); });
}

ReplayReport Replay::report()
{
    ReplayReport report;
    for (Port& port : ports_) report.endpoints.push_back(port.device->report(port.gateway->endpoint()));
    return report;
}

void Replay::release(std::uint32_t endpoint, const Packet& packet, Time at) { gateway_of_[endpoint]->send(packet, at); }

}  // namespace anml::rt::io
