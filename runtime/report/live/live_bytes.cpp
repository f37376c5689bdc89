#include "report/live/live_bytes.h"

#include <algorithm>
#include <iterator>

#include "base/archive.h"

namespace anml::rt {

ANML_FIELDS(LiveSecond, released, received, late, slip_sum, entry_sum, slip_p99, slip_max, stall_sum, kernel_drops,
              send_failures, transits, transit_sum, host_retransmissions, server_ran, server_waited, server_lost,
              server_busiest)
ANML_FIELDS(EndpointSecond, released, received, late, kernel_drops, send_failures, slip_max)
ANML_FIELDS(XdpReport, generic, zero_copy, queues, dropped, ring_full, too_long)
ANML_FIELDS(DeviceReport, kind, xdp)
ANML_FIELDS(LiveReport::Endpoint, row, counters, device)
ANML_FIELDS(LiveProcess, address, nodes, counted, clock_error, clock_steps, shortest_delay, round_trip, lagged,
              longest_lag, busy, slip_p99)

namespace {

template <class Archive>
void exchange_all(Archive& archive, LiveReport& r, std::string_view& broken)
{
    archive(r.arrival_error, r.counters, r.endpoints, r.malformed, r.workloads_started, r.ended, r.cpu_emulator,
            r.busy, r.cpu_server, r.command_status, r.command_endpoint, broken, r.interrupted, r.foreign, r.ipv6,
            r.tagged, r.groups, r.moved, r.unreachable, r.processes, r.processor_wait, r.processors, r.relayed,
            r.server_seen);
}

void add(std::optional<double>& sum, const std::optional<double>& other)
{
    if (other) sum = sum.value_or(0) + *other;
}

}  // namespace

std::vector<std::uint8_t> write_live(LiveReport& report)
{
    ByteWriter writer;
    std::string_view broken = report.broken;
    exchange_all(writer, report, broken);
    return writer.take();
}

std::optional<LiveReport> read_live(std::span<const std::uint8_t> bytes)
{
    LiveReport report;
    std::string_view broken;
    ByteReader reader(bytes);
    exchange_all(reader, report, broken);
    if (!reader.whole()) return std::nullopt;
    report.broken = broken;
    return report;
}

void join(LiveReport& all, LiveReport other)
{
    all.arrival_error = std::max(all.arrival_error, other.arrival_error);
    all.counters.join(other.counters);
    std::ranges::move(other.endpoints, std::back_inserter(all.endpoints));
    std::ranges::move(other.processes, std::back_inserter(all.processes));
    for (auto count : {&LiveReport::malformed, &LiveReport::foreign, &LiveReport::ipv6, &LiveReport::tagged,
                       &LiveReport::groups, &LiveReport::moved, &LiveReport::unreachable})
        all.*count += other.*count;
    all.cpu_emulator += other.cpu_emulator;
    all.busy = std::max(all.busy, other.busy);
    add(all.cpu_server, other.cpu_server);
    if (other.processor_wait) all.processor_wait = std::max(all.processor_wait.value_or(0), *other.processor_wait);
    all.processors = std::max(all.processors, other.processors);
    all.relayed |= other.relayed;
    all.server_seen |= other.server_seen;
    if (!all.command_status) {
        all.command_status = other.command_status;
        all.command_endpoint = other.command_endpoint;
    }
    if (all.broken.empty()) all.broken = other.broken;
    all.interrupted |= other.interrupted;
}

}  // namespace anml::rt
