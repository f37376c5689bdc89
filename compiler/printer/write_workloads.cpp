// Workloads.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "printer/program_writer.h"

namespace anml {

namespace {

// One that extends the library's and has the workload's traits; the same for all that are alike.
std::string own_schema(ProgramWriter& in, const WorkloadInfo& info, std::string_view base)
{
    const WorkloadTraits& traits = info.traits;
    for (const ValueExprId value : {traits.interval, traits.share, traits.request, traits.reply, traits.per_connection,
                                    traits.at_once, traits.fragments, traits.fluid})
        if (!in.network.values.as_constant(value))
            in.fail(fmt::format("a trait of the schema of `{}` depends on a tunable", info.name));
    std::string text = fmt::format(
        ": {} {{\n  trait transport = {}\n  trait answers = {}\n  trait load = {}\n  trait interval = {}\n  trait "
        "share = {}\n"
        "  trait request = {}\n  trait reply = {}\n  trait per_connection = {}\n  trait at_once = {}\n"
        "  trait fragments = {}\n  trait fluid = {}\n}}\n",
        schema_name(in, base), transport_name(traits.transport), traits.answers, load_name(traits.load),
        in.values.number(traits.interval, dimension::time), in.values.number(traits.share, dimension::none),
        in.values.number(traits.request, dimension::size), in.values.number(traits.reply, dimension::size),
        in.values.number(traits.per_connection, dimension::none), in.values.number(traits.at_once, dimension::none),
        *in.network.values.as_constant(traits.fragments) != 0, *in.network.values.as_constant(traits.fluid) != 0);
    std::string& name = in.schemas[text];
    if (name.empty()) {
        name = in.names.make("Workload");
        in.schema_declarations += fmt::format("schema {} {}\n", name, text);
    }
    return name;
}

// An array without elements: whom a workload runs on that runs on no host.
const std::string& nobody(ProgramWriter& in)
{
    if (in.nobody.empty()) {
        in.nobody = in.names.make("nobody");
        in.out += fmt::format("\nhost {}[0]\n", in.nobody);
    }
    return in.nobody;
}

// Sets are profiles: that is how the language has values of a schema.
std::string document(ProgramWriter& in, const DocumentInfo& info)
{
    constexpr std::string_view kSchema = "std.web.Document";
    const auto bytes = in.network.values.as_constant(info.size.a);
    if (!info.set && (!bytes || *bytes >= 1)) {
        const bool implied = bytes && info.path == fmt::format("/{:.0f}", *bytes);
        return fmt::format("{}.fixed({}{})", module(in, "web"), in.values.number(info.size.a, dimension::size),
                           implied ? "" : ", " + string_literal(info.path));
    }
    AttributeList list;
    const bool listed = info.file != abi::kNone;
    const bool has_sizes = listed && !in.network.files[info.file]->documents.front().request;
    list.add("size", has_sizes ? "0 B" : in.values.drawn(info.size, dimension::size));
    if (!info.path.empty()) list.add("path", string_literal(info.path));
    if (!listed && info.count != default_number(in.program, kSchema, "count"))
        list.add("count", std::to_string(info.count));
    if (!listed) add_drawn(in, list, kSchema, "choice", info.choice, dimension::none);
    if (info.seed != default_number(in.program, kSchema, "seed")) list.add("seed", std::to_string(info.seed));
    const bool plain = info.record == abi::kNone;
    if (!plain) add_record(in, list, in.network.records[info.record]);
    const std::string schema =
        schema_name(in, plain ? kSchema : abi::record_layout(in.network.records[info.record].layout).schema);
    const auto [known, added] = in.documents.try_emplace(schema + list.text());
    if (added) {
        known->second = in.names.make("documents");
        in.out += fmt::format("\nprofile {} : {}{}\n", known->second, schema, list.braces());
    }
    return known->second;
}

// One, or a list.
std::string documents(ProgramWriter& in, std::span<const DocumentInfo> all)
{
    std::string text;
    for (const DocumentInfo& d : all) text += (text.empty() ? "" : ", ") + document(in, d);
    return all.size() == 1 ? text : fmt::format("[{}]", text);
}

// Where the interval may have come from a rate, which then reads better; else "".
std::string rate_of(ProgramWriter& in, const RecordInfo& record, bool ipv6)
{
    constexpr double kNanosecondBits = 8e9;
    const double kHeaders = ipv6 ? 48 : 28;
    const ValuePool& pool = in.network.values;
    const auto* draw = std::get_if<DistributionValue>(find_value(record, "interval"));
    if (draw && draw->kind != abi::DistributionKind::constant) return "";
    const ValueExprId size = record_number(record, "payload"),
                      spacing = draw ? draw->a : record_number(record, "interval");
    const auto payload = pool.as_constant(size), interval = pool.as_constant(spacing);
    const ValueNode& quotient = pool.node(spacing);
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
                                pool.node(bits.a).op == ValueOp::add && pool.node(bits.a).a == size &&
                                pool.as_constant(pool.node(bits.a).b) == kHeaders;
        if (of_payload || (payload && constant == (*payload + kHeaders) * kNanosecondBits))
            rate = in.values.number(quotient.b, dimension::rate);
    }
    return rate;
}

}  // namespace

void workloads(ProgramWriter& in)
{
    for (const WorkloadInfo& info : in.network.workloads) workload(in, info);
}

void workload(ProgramWriter& in, const WorkloadInfo& info)
{
    const RecordInfo& record = in.network.records[info.record];
    const std::string_view schema = abi::record_layout(record.layout).schema;
    AttributeList list;
    if (info.traits.load == Load::served) {
        list.add("to", in.selection(info.peers));
    } else if (info.documents.empty()) {
        list.add("to", in.selection(info.peers));
        if (info.pairing != abi::Pairing::in_order && !find_value(record, "pairing"))
            list.add("pairing", pairing_name(info.pairing));
    } else {
        const bool by_request = info.pairing == abi::Pairing::by_request;  // the others are its origins'
        list.add("server", in.selection(by_request ? std::vector{info.peers.front()} : info.peers));
        if (info.pairing == abi::Pairing::round_robin || info.pairing == abi::Pairing::random)
            list.add("pick", abi::pairing_name(info.pairing));
    }
    if (info.port != 0 && info.port != default_number(in.program, schema, "port", &record))
        list.add("port", std::to_string(info.port));
    const bool path = has_attribute(in.program, schema, "path");
    if (path) list.add("path", string_literal(info.documents.front().path));
    const auto of_log = [](const DocumentInfo& d) { return d.file != abi::kNone && d.record == abi::kNone; };
    if (!path && !info.documents.empty() && !of_log(info.documents.front())) {
        const std::span<const DocumentInfo> all = info.documents;
        list.add("documents", documents(in, all.first(all.size() - info.parts)));
        if (info.parts != 0) list.add("parts", documents(in, all.last(info.parts)));
    }
    const std::string rate = has_attribute(in.program, schema, "rate") ? rate_of(in, record, info.ipv6) : "";
    if (!rate.empty()) list.add("rate", rate);
    add_record(in, list, record, rate.empty() ? "" : "interval");
    if (info.start == abi::Start::spread && info.traits.load != Load::served)
        add_number(in, list, schema, "start_spread", info.start_spread, dimension::time);
    if (info.family) list.add("family", info.ipv6 ? "ipv6" : "ipv4");
    if (info.dscp != 0) list.add("dscp", std::to_string(info.dscp));
    const std::string on = info.targets.empty() ? nobody(in) + "[*]" : in.selection(info.targets);
    in.out += fmt::format("\nworkload {} : {} on {}{}\n", quoted_name(info.name),
                          info.own_traits ? own_schema(in, info, schema) : schema_name(in, schema), on, list.braces());
}

}  // namespace anml
