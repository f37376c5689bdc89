// Calls of functions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/mix.h"
#include "elaborate/schemas/schema_values.h"

namespace anml {
namespace {

constexpr std::size_t kMostCalls = 10'000'000;  // functions that double what they call would never end
constexpr std::size_t kDeepestCall = 500;

Value body_of(Elaboration& in, const Function& f, Frame& own)
{
    Construct* outer = std::exchange(in.construct, nullptr);
    Value result = evaluate(in, f.body, own);
    in.construct = outer;
    return result;
}

// A function that calls itself would often work out the same again, a number that has a name is asked for again and
// again, and so is what is computed of a record: where its satellites are. Of plain numbers and records only.
bool remembers(const Function& f)
{
    if (f.asks_paths || f.asks_measures) return false;  // which are others at another time
    const auto is_record = [](const Parameter& p) { return p.type.kind == TypeKind::schema && !p.type.list; };
    return f.recursive || f.parameters.empty() || std::ranges::any_of(f.parameters, is_record);
}

Value remembered(Elaboration& in, std::uint32_t function, Frame& own)
{
    constexpr std::size_t kMostKnown = 1'000'000;
    const Function& f = in.program.function(FunctionId{function});
    std::vector<std::uint32_t> call{function};
    for (const Parameter& p : f.parameters) {
        const Value& given = own.slots[p.slot];
        if (const Number* n = given.as<Number>()) {
            call.push_back(n->id);
        } else if (const auto* record = given.as<std::shared_ptr<const SchemaValue>>(); record && *record) {
            const auto number = static_cast<std::uint32_t>(in.known_records.size());
            call.push_back(in.known_records.try_emplace(*record, number).first->second);
        } else {
            return body_of(in, f, own);
        }
    }
    if (const auto known = in.known_calls.find(call); known != in.known_calls.end()) return {Number{known->second}};
    Value result = body_of(in, f, own);
    if (const Number* n = result.as<Number>();
        n && !in.network.values.is_random(n->id) && in.known_calls.size() < kMostKnown)
        in.known_calls.emplace(std::move(call), n->id);
    return result;
}

}  // namespace

std::size_t CallHash::operator()(const std::vector<std::uint32_t>& call) const
{
    std::uint64_t hash = 0;
    for (const std::uint32_t part : call) hash = rt::mix(hash ^ part);
    return static_cast<std::size_t>(hash);
}

Value function_call(Elaboration& in, const Expr& e, Frame& frame)
{
    const Function& f = in.program.function(FunctionId{e.index});
    if (f.parameters.empty())
        if (const auto known = in.known_calls.find({e.index}); known != in.known_calls.end())
            return {Number{known->second}};
    if (in.report.calls.size() >= kDeepestCall || in.depth >= kDeepestExpression) {
        const auto& [limit, what] =
            in.report.calls.size() >= kDeepestCall
                ? std::pair(kDeepestCall, "functions call each other")
                : std::pair(kDeepestExpression, "expressions stand in each other, through calls,");
        return failed(in.report(Diag::nesting_too_deep, e.span, fmt::format("{} more than {} deep", what, limit)));
    }
    if (++in.calls_made > kMostCalls) {
        if (in.calls_made == kMostCalls + 1)
            in.report(Diag::network_too_large, e.span,
                      fmt::format("the model calls functions more than {} times", kMostCalls));
        return {Failed{}};
    }
    Frame own;
    own.slots.resize(f.slot_count);
    const std::size_t before = in.report.errors();
    in.report.calls.push_back(e.span);
    const Span outer = in.report.leading_from(e.span);
    bind_parameters(in, f.parameters, in.program.operands_of(e), frame, own, e.span);
    Value result{Failed{}};
    if (in.report.errors() == before) result = remembers(f) ? remembered(in, e.index, own) : body_of(in, f, own);
    in.report.led_from = outer;
    in.report.calls.pop_back();
    return result;
}

// What is on its way over a link, there and back, when it is full; of one that leads one way, nothing comes back.
Value link_bdp(Elaboration& in, const Expr& e, Frame& frame)
{
    const Value v = evaluate(in, in.program.operands_of(e)[0], frame);
    const LinkSet* links = v.as<LinkSet>();
    if (!links || links->parts.empty()) return {Failed{}};
    const LinkArray& link = in.network.links[links->parts.front().links.row.value];
    if (link.one_way) return {Number{in.constant(0)}};
    ValuePool& pool = in.network.values;
    const ValueExprId round_trip = pool.make(ValueOp::add, link.delay[0], link.delay[1]);
    const ValueExprId bits = pool.make(ValueOp::mul, link.rate[0], round_trip);
    return {Number{pool.make(ValueOp::div, bits, in.constant(1 / product_scale(dimension::rate, dimension::time)))}};
}

}  // namespace anml
