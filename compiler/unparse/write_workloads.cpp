// Workloads.
#include <fmt/format.h>

#include <cmath>

#include "unparse/program_writer.h"

namespace anml {

void ProgramWriter::workloads()
{
    for (const WorkloadInfo& info : network_.workloads) workload(info);
}

void ProgramWriter::workload(const WorkloadInfo& info)
{
    AttributeList list;
    switch (info.kind) {
        case abi::WorkloadKind::closed_loop:
        case abi::WorkloadKind::open_loop:
            web(info, list);
            break;
        case abi::WorkloadKind::cbr:
            datagrams(info, "std.traffic.Cbr", list);
            break;
        case abi::WorkloadKind::on_off:
            on_off(info, list);
            break;
        case abi::WorkloadKind::ping:
            ping(info, list);
            break;
        case abi::WorkloadKind::bulk:
            bulk(info, list);
            break;
    }
    const std::string on = info.targets.empty() ? nobody() + "[*]" : node_selection(network_, info.targets);
    const std::string schema = workload_kind_name(info.kind);
    const std::size_t dot = schema.find('.');
    out_ += fmt::format("\nworkload {} : {}{} on {}{}\n", quoted_name(info.name), module(schema.substr(0, dot)),
                        schema.substr(dot), on, list.braces());
}

// An array without elements: whom a workload runs on that runs on no host.
const std::string& ProgramWriter::nobody()
{
    if (nobody_.empty()) {
        nobody_ = names_.make("nobody");
        out_ += fmt::format("\nhost {}[0]\n", nobody_);
    }
    return nobody_;
}

// Sets are profiles: that is how the language has values of a schema.
std::string ProgramWriter::document(const DocumentInfo& info)
{
    constexpr std::string_view kSchema = "std.web.Document";
    const auto bytes = network_.values.as_constant(info.size.a);
    if (!info.set && (!bytes || *bytes >= 1)) {
        const bool implied = bytes && info.path == fmt::format("/{:.0f}", *bytes);
        return fmt::format("{}.fixed({}{})", module("web"), values_.number(info.size.a, dimension::size),
                           implied ? "" : ", " + string_literal(info.path));
    }
    AttributeList list;
    list.add("size", values_.drawn(info.size, dimension::size));
    if (!info.path.empty()) list.add("path", string_literal(info.path));
    if (info.count != default_of(kSchema, "count")) list.add("count", std::to_string(info.count));
    add_drawn(list, kSchema, "choice", info.choice, dimension::none);
    if (info.seed != default_of(kSchema, "seed")) list.add("seed", std::to_string(info.seed));
    const auto [known, added] = documents_.try_emplace(list.text());
    if (added) {
        known->second = names_.make("documents");
        out_ += fmt::format("\nprofile {} : {}.Document{}\n", known->second, module("web"), list.braces());
    }
    return known->second;
}

void ProgramWriter::web(const WorkloadInfo& info, AttributeList& list)
{
    const bool open = info.kind == abi::WorkloadKind::open_loop;
    const std::string schema = fmt::format("std.{}", workload_kind_name(info.kind));
    list.add("server", node_selection(network_, info.peers));
    if (info.port != default_of(schema, "port")) list.add("port", std::to_string(info.port));
    std::string documents;
    for (const DocumentInfo& d : info.documents) documents += (documents.empty() ? "" : ", ") + document(d);
    list.add("documents", info.documents.size() == 1 ? documents : fmt::format("[{}]", documents));
    add_drawn(list, schema, open ? "interval" : "think", info.think, dimension::time);
    add_number(list, schema, "connect_timeout", info.connect_timeout, dimension::time);
    add_number(list, schema, "timeout", info.timeout, dimension::time);
    if (info.until != abi::TransactionEnd::complete) list.add("until", abi::transaction_end_name(info.until));
    if (info.begin_with != abi::FirstDocument::any) list.add("begin_with", abi::first_document_name(info.begin_with));
    add_start(list, schema, info);
}

void ProgramWriter::add_start(AttributeList& list, std::string_view schema, const WorkloadInfo& info)
{
    if (info.start == abi::Start::spread) add_number(list, schema, "start_spread", info.start_spread, dimension::time);
}

void ProgramWriter::peers(const WorkloadInfo& info, AttributeList& list)
{
    list.add("to", node_selection(network_, info.peers));
    if (info.pairing != abi::Pairing::in_order) list.add("pairing", pairing_name(info.pairing));
}

void ProgramWriter::datagrams(const WorkloadInfo& info, std::string_view schema, AttributeList& list)
{
    constexpr double kHeaders = 28, kNanosecondBits = 8e9;
    const ValuePool& pool = network_.values;
    peers(info, list);
    if (info.port != default_of(schema, "port")) list.add("port", std::to_string(info.port));
    add_number(list, schema, "payload", info.size, dimension::size);
    // The interval may have come from a rate, which then reads better.
    const auto payload = pool.as_constant(info.size), interval = pool.as_constant(info.interval);
    const ValueNode& quotient = pool.node(info.interval);
    std::string rate;
    if (payload && interval) {
        const double bits = (*payload + kHeaders) * kNanosecondBits, guess = bits / *interval;
        for (const double r : {std::round(guess), guess})
            if (rate.empty() && r > 0 && bits / r == *interval) rate = exact_quantity(r, dimension::rate);
        if (rate.size() > exact_quantity(*interval, dimension::time).size()) rate.clear();
    } else if (quotient.op == ValueOp::div) {
        const ValueNode& bits = pool.node(quotient.a);
        const auto constant = pool.as_constant(quotient.a);
        const bool of_payload = bits.op == ValueOp::mul && pool.as_constant(bits.b) == kNanosecondBits &&
                                pool.node(bits.a).op == ValueOp::add && pool.node(bits.a).a == info.size &&
                                pool.as_constant(pool.node(bits.a).b) == kHeaders;
        if (of_payload || (payload && constant == (*payload + kHeaders) * kNanosecondBits))
            rate = values_.number(quotient.b, dimension::rate);
    }
    if (rate.empty())
        list.add("interval", values_.number(info.interval, dimension::time));
    else
        list.add("rate", rate);
    add_start(list, schema, info);
}

void ProgramWriter::on_off(const WorkloadInfo& info, AttributeList& list)
{
    constexpr std::string_view kSchema = "std.traffic.OnOff";
    datagrams(info, kSchema, list);
    add_drawn(list, kSchema, "burst", info.on, dimension::time);
    add_drawn(list, kSchema, "pause", info.off, dimension::time);
}

void ProgramWriter::ping(const WorkloadInfo& info, AttributeList& list)
{
    constexpr std::string_view kSchema = "std.traffic.Ping";
    peers(info, list);
    add_number(list, kSchema, "interval", info.interval, dimension::time);
    add_number(list, kSchema, "payload", info.size, dimension::size);
    add_number(list, kSchema, "count", info.transfers, dimension::none);
    add_number(list, kSchema, "timeout", info.timeout, dimension::time);
    add_number(list, kSchema, "ttl", info.ttl, dimension::none);
    add_start(list, kSchema, info);
}

void ProgramWriter::bulk(const WorkloadInfo& info, AttributeList& list)
{
    constexpr std::string_view kSchema = "std.traffic.Bulk";
    peers(info, list);
    if (info.port != default_of(kSchema, "port")) list.add("port", std::to_string(info.port));
    add_drawn(list, kSchema, "size", info.amount, dimension::size);
    add_number(list, kSchema, "transfers", info.transfers, dimension::none);
    add_drawn(list, kSchema, "think", info.think, dimension::time);
    add_number(list, kSchema, "connect_timeout", info.connect_timeout, dimension::time);
    add_start(list, kSchema, info);
}

}  // namespace anml
