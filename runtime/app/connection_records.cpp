#include "app/connection_records.h"

#include <algorithm>
#include <tuple>

#include "app/cluster.h"
#include "app/outcome.h"
#include "transport/tcp.h"

namespace anml::rt {

std::string_view connection_outcome(const ConnectionRecord& record)
{
    if (record.failure) return failure_name(*record.failure);
    return record.open ? "open" : "closed";
}

bool comes_before(const ConnectionRecord& a, const ConnectionRecord& b)
{
    const auto key = [](const ConnectionRecord& r) {
        return std::tuple(r.end, r.workload, r.node, r.local_port, number(r.remote), r.remote_port, r.start);
    };
    return key(a) < key(b);
}

namespace app::connection_records {

namespace {

using Current = ConnectionRecords::Current;

// Null: none of a workload's.
Current* current_of(Cluster& k, std::uint32_t slot)
{
    auto& all = k.connection_records.by_slot;
    return slot < all.size() && all[slot].used ? &all[slot] : nullptr;
}

// Sequence numbers tell of 4 GB between two calls.
void count_acknowledged(Current& current, const tcp::Connection& c)
{
    current.record.sent += c.una - current.una;
    current.una = c.una;
}

bool is_stream(const tcp::Connection& c)
{
    return c.app == owner_number(Number::bulk) || c.app == owner_number(Number::flows);
}

void end(Cluster& k, std::uint32_t slot, bool open)
{
    Current* const current = current_of(k, slot);
    if (!current) return;
    const tcp::Connection& c = k.tcp.connections[slot];
    ConnectionRecord& record = current->record;
    record.end = k.now;
    record.open = open;
    record.received = c.received;
    if (record.connect != kNever && is_stream(c)) {
        record.sent = c.length == 0 ? 0 : c.acknowledged - current->offset;
    } else if (record.connect != kNever) {
        count_acknowledged(*current, c);
        record.sent -= c.fin_acked;
    }
    k.connection_records.ended.push_back(record);
    current->used = false;
}

}  // namespace

void note_begun(Cluster& k, std::uint32_t workload, NodeId node, Address remote, std::uint16_t remote_port,
                const tcp::Opened& opened)
{
    ConnectionRecord record;
    record.start = record.end = k.now;
    record.workload = workload;
    record.node = node;
    record.remote = remote;
    record.remote_port = remote_port;
    if (!opened) {
        record.local = k.model.address(node, is_ipv6(remote));
        record.finished = k.now;
        record.failed = 1;
        record.failure = cause_of(opened.failure);
        k.connection_records.ended.push_back(record);
        return;
    }
    const tcp::Connection& c = k.tcp.connections[opened.slot];
    record.local = c.local;
    record.local_port = c.local_port;
    auto& all = k.connection_records.by_slot;
    if (opened.slot >= all.size()) all.resize(std::max<std::size_t>(opened.slot + 1, 2 * all.size()));
    all[opened.slot] = {.record = record, .used = true};
}

void note_connected(Cluster& k, std::uint32_t slot)
{
    Current* const current = current_of(k, slot);
    if (!current) return;
    current->record.connect = k.now - current->record.start;
    current->una = k.tcp.connections[slot].una;
}

void note_secured(Cluster& k, std::uint32_t slot)
{
    if (Current* const current = current_of(k, slot))
        current->record.tls = k.now - current->record.start - current->record.connect;
}

void note_offset(Cluster& k, std::uint32_t slot, std::uint64_t offset)
{
    if (Current* const current = current_of(k, slot)) current->offset = offset;
}

void note_asked(Cluster& k, std::uint32_t slot, std::uint32_t requests)
{
    Current* const current = current_of(k, slot);
    if (!current) return;
    current->asked = std::min(current->asked, k.now);
    current->record.requests += requests;
}

void note_bytes(Cluster& k, std::uint32_t slot, std::uint64_t requested)
{
    if (Current* const current = current_of(k, slot)) current->record.request_bytes += requested;
}

void note_answered(Cluster& k, std::uint32_t slot)
{
    Current* const current = current_of(k, slot);
    if (current && current->record.first_byte == kNever) current->record.first_byte = k.now - current->asked;
}

void note_response(Cluster& k, std::uint32_t slot)
{
    Current* const current = current_of(k, slot);
    if (!current) return;
    current->record.finished = k.now;
    if (current->record.connect != kNever) count_acknowledged(*current, k.tcp.connections[slot]);
}

void note_finished(Cluster& k, std::uint32_t slot, std::optional<FailureCause> failure, std::uint64_t requested,
                   std::uint64_t responded)
{
    note_response(k, slot);
    Current* const current = current_of(k, slot);
    if (!current) return;
    ConnectionRecord& record = current->record;
    if (failure) {
        ++record.failed;
        record.failure = failure;
    } else {
        ++record.completed;
        record.request_bytes += requested;
        record.response_bytes += responded;
    }
}

void note_transfer(Cluster& k, const tcp::Connection& c, std::optional<FailureCause> failure)
{
    note_finished(k, tcp::find(k, tcp::tuple(c)), failure, 0, 0);
}

void note_released(Cluster& k, std::uint32_t slot) { end(k, slot, false); }

void end_all(Cluster& k)
{
    for (std::uint32_t slot = 0; slot < k.connection_records.by_slot.size(); ++slot) end(k, slot, true);
}

}  // namespace app::connection_records
}  // namespace anml::rt
