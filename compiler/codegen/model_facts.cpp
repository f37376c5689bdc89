// A fact is stated only where it holds for every value of the tunables.
#include "codegen/model_facts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace anml {
namespace {

constexpr std::uint32_t kTcp = 6;  // as an IP protocol

std::optional<double> fixed(const Plan& plan, abi::ValueId id)
{
    const ValueNode& node = plan.expressions.nodes()[plan.values[id]];
    return node.op == ValueOp::constant ? std::optional(node.value) : std::nullopt;
}

// As the runtime keeps it in 16 bits (net/cluster.cpp).
std::uint32_t rounded(double value)
{
    return value > 0 ? static_cast<std::uint32_t>(std::min<long long>(std::llround(value), 0xffff)) : 0;
}

// The one value that `ids_of` names in all rows, kVaries if there is no such value.
template <class IdsOf>
std::uint32_t common(const Plan& plan, IdsOf&& ids_of)
{
    std::optional<std::uint32_t> all;
    for (const abi::LinkRow& row : plan.link_rows) {
        for (const abi::ValueId id : ids_of(row)) {
            const std::optional<double> value = fixed(plan, id);
            if (!value || (all && *all != rounded(*value))) return abi::kVaries;
            all = rounded(*value);
        }
    }
    return all.value_or(abi::kVaries);
}

bool all_unbounded(const Plan& plan)
{
    // What the droptail queue refuses may be a link's that follows a trace, has a discipline, or shares something or
    // its queue with fluid
    // (LinkState::decided_elsewhere).
    const auto disciplined = [](const abi::LinkRow& row) {
        return row.discipline[0] != abi::kNone || row.discipline[1] != abi::kNone;
    };
    const auto shares = [](const abi::NodeRow& row) { return row.buffer != abi::kNone || row.radio != abi::kNone; };
    const auto fluid = [](const abi::RecordRow& row) {
        return row.schema == static_cast<std::uint32_t>(abi::RecordSchema::background);
    };
    return plan.traces.empty() && std::none_of(plan.records.begin(), plan.records.end(), fluid) &&
           std::none_of(plan.node_rows.begin(), plan.node_rows.end(), shares) &&
           std::none_of(plan.link_rows.begin(), plan.link_rows.end(), disciplined) &&
           std::all_of(plan.link_rows.begin(), plan.link_rows.end(), [&](const abi::LinkRow& row) {
               const auto at_least = [&](abi::ValueId id, double least) {
                   const std::optional<double> value = fixed(plan, id);
                   return value && *value >= least;
               };
               // On a slow link every queue has a bound (net/link/link_bounds.h).
               return at_least(row.queue[0], 0xffffffffu) && at_least(row.queue[1], 0xffffffffu) &&
                      at_least(row.rate[0], 1e6) && at_least(row.rate[1], 1e6);
           });
}

// ns to transmit a byte, 0 where that is not a whole number.
std::uint32_t ns_per_byte(double rate)
{
    const double ns = 8e9 / rate;
    return ns >= 1 && ns <= 0xffff && std::floor(ns) == ns && ns * rate == 8e9 ? static_cast<std::uint32_t>(ns) : 0;
}

void state_rates(const Plan& plan, abi::Facts& facts)
{
    std::vector<double> rates;
    for (const abi::LinkRow& row : plan.link_rows) {
        for (const int side : {0, 1}) {
            if (row.trace[side] != abi::kNone) continue;
            const std::optional<double> rate = fixed(plan, row.rate[side]);
            if (!rate || ns_per_byte(*rate) == 0) return;
            if (std::find(rates.begin(), rates.end(), *rate) == rates.end()) rates.push_back(*rate);
            if (rates.size() > 2) return;
        }
    }
    if (rates.empty()) return;
    for (std::size_t i = 0; i < 2; ++i) {
        facts.rate[i] = rates[std::min(i, rates.size() - 1)];
        facts.ns_per_byte[i] = ns_per_byte(facts.rate[i]);
    }
}

// Whether it holds of a field of this name, and its first word, in any record.
template <class Holds>
bool any_field(const Plan& plan, abi::FieldKind kind, std::string_view name, Holds&& holds)
{
    const auto has = [&](const abi::RecordRow& row) {
        std::uint32_t at = row.words.first;
        for (const abi::RecordField& field : abi::record_layout(row.schema).fields) {
            if (field.kind == kind && field.name == name) return holds(field, plan.record_words[at]);
            at += abi::words_of(field.kind);
        }
        return false;
    };
    return std::any_of(plan.records.begin(), plan.records.end(), has);
}

bool chosen(const Plan& plan, std::string_view choice, std::string_view value)
{
    return any_field(plan, abi::FieldKind::choice, choice, [&](const abi::RecordField& field, std::uint32_t word) {
        return abi::choice_name(field, word) == value;
    });
}

bool speaks_http2(const Plan& plan) { return chosen(plan, "version", "HTTP_2"); }

// A client that offers permessage-deflate, or a server that takes it.
bool compresses(const Plan& plan)
{
    const auto takes = [](const abi::RecordRow& row) {
        return static_cast<abi::RecordSchema>(row.schema) == abi::RecordSchema::message_server;
    };
    return chosen(plan, "compression", "deflate") || chosen(plan, "compression", "no_context_takeover") ||
           std::any_of(plan.records.begin(), plan.records.end(), takes);
}

void refer_to(llvm::Module& module, const char* needed)
{
    llvm::Constant* const there = module.getOrInsertGlobal(needed, llvm::Type::getInt8Ty(module.getContext()));
    const auto reference = new llvm::GlobalVariable(module, there->getType(), true, llvm::GlobalValue::InternalLinkage,
                                                    there, "anml_needs");
    llvm::appendToUsed(module, reference);
}

}  // namespace

bool speaks_tls(const Plan& plan)
{
    const auto secure = [&](const abi::WrittenRequest& request) {
        return request.origin != abi::kNone && std::string_view(plan.strings).substr(request.origin).starts_with("https:");
    };
    const auto by_request = [](const abi::WorkloadRow& row) { return row.pairing == abi::Pairing::by_request; };
    return chosen(plan, "scheme", "https") || (std::any_of(plan.workloads.begin(), plan.workloads.end(), by_request) &&
                                               std::any_of(plan.requests.begin(), plan.requests.end(), secure));
}

bool checks_content(const Plan& plan)
{
    return any_field(plan, abi::FieldKind::truth, "check_content",
                     [&](const abi::RecordField&, std::uint32_t word) { return fixed(plan, word) != 0.0; });
}

abi::Facts facts_of(const Plan& plan)
{
    abi::Facts facts;
    facts.mtu = common(plan, [](const abi::LinkRow& row) { return std::array{row.mtu}; });
    facts.overhead = common(plan, [](const abi::LinkRow& row) { return std::array{row.overhead}; });
    // What the timeline may change is no fact, nor what who runs the model may: one with endpoints can be run live
    // (`emu ctl`). A link that is down has a queue without room.
    const bool controlled = !plan.endpoints.empty();
    if (plan.timeline.empty()) state_rates(plan, facts);
    facts.other_rates = controlled;
    if (plan.timeline.empty() && !controlled) {
        facts.packet_limit = common(plan, [](const abi::LinkRow& row) { return std::to_array(row.queue_packets); });
        facts.unbounded_queues = all_unbounded(plan);
    }
    facts.node_kinds = 0;
    for (const abi::NodeRow& row : plan.node_rows) facts.node_kinds |= 1u << static_cast<std::uint32_t>(row.kind);
    facts.window_laws = 0;
    facts.paced = 0;
    facts.slow_readers = 0;
    facts.segments = !plan.steering.empty();
    facts.mtu_searches = controlled || facts.mtu == abi::kVaries || facts.segments;  // labels take room
    for (std::uint32_t record = 0; record < plan.records.size(); ++record) {
        if (plan.records[record].schema != static_cast<std::uint32_t>(abi::RecordSchema::tcp)) continue;
        const auto& tcp = abi::row_of<abi::record::tcp>(plan.records.data(), plan.record_words.data(), record);
        facts.window_laws |= static_cast<std::uint16_t>(1u << static_cast<std::uint32_t>(tcp.congestion));
        facts.paced |= fixed(plan, tcp.pacing) != 0.0 || tcp.congestion >= abi::Congestion::bbr;
        facts.slow_readers |= fixed(plan, tcp.read_rate) != 0.0;
        facts.mtu_searches |= tcp.mtu_probing != abi::MtuProbing::off;
    }
    facts.secured = speaks_tls(plan);
    facts.checks_content = checks_content(plan);
    facts.http2 = speaks_http2(plan);
    facts.one_task = plan.header.task_count == 1;
    facts.one_epoch = plan.epochs.empty();
    facts.timeline = controlled || !plan.timeline.empty();
    facts.traced = !plan.traces.empty();
    facts.connections =
        !plan.servers.empty() || std::any_of(plan.workloads.begin(), plan.workloads.end(),
                                             [](const abi::WorkloadRow& row) { return row.transport == kTcp; });
    // What the timeline may change to is a record, too, and so is what waits for a tunable.
    facts.records = 0;
    for (const abi::RecordRow& row : plan.records) facts.records |= abi::RecordSet{1} << row.schema;
    if (controlled) facts.records |= abi::RecordSet{1} << static_cast<std::uint32_t>(abi::RecordSchema::impairment);
    return facts;
}

void generate_facts(llvm::Module& module, const Plan& plan)
{
    const abi::Facts facts = facts_of(plan);
    llvm::LLVMContext& context = module.getContext();
    llvm::Constant* content =
        llvm::ConstantDataArray::getRaw(llvm::StringRef(reinterpret_cast<const char*>(&facts), sizeof facts),
                                        sizeof facts, llvm::Type::getInt8Ty(context));
    new llvm::GlobalVariable(module, content->getType(), true, llvm::GlobalValue::ExternalLinkage, content,
                             "anml_facts");
}

void refer_to_needs(llvm::Module& module, const Plan& plan)
{
    if (speaks_http2(plan)) refer_to(module, "anml_http2");
    if (compresses(plan)) refer_to(module, "anml_deflate");
}

}  // namespace anml
