// Calls of functions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/mix.h"
#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kMostCalls = 10'000'000;  // functions that double what they call would never end
constexpr std::size_t kDeepestCall = 500;

}  // namespace

std::size_t Elaborator::CallHash::operator()(const std::vector<std::uint32_t>& call) const
{
    std::uint64_t hash = 0;
    for (const std::uint32_t part : call) hash = rt::mix(hash ^ part);
    return static_cast<std::size_t>(hash);
}

Value Elaborator::function_call(const Expr& e, Frame& frame)
{
    const Function& f = program_.function(FunctionId{e.index});
    if (f.parameters.empty())
        if (const auto known = known_calls_.find({e.index}); known != known_calls_.end())
            return {Number{known->second}};
    if (calls_.size() >= kDeepestCall || depth_ >= kDeepestExpression) {
        const auto& [limit, what] =
            calls_.size() >= kDeepestCall
                ? std::pair(kDeepestCall, "functions call each other")
                : std::pair(kDeepestExpression, "expressions stand in each other, through calls,");
        report(Diag::nesting_too_deep, e.span, fmt::format("{} more than {} deep", what, limit));
        return {Failed{}};
    }
    if (++calls_made_ > kMostCalls) {
        if (calls_made_ == kMostCalls + 1)
            report(Diag::network_too_large, e.span,
                   fmt::format("the model calls functions more than {} times", kMostCalls));
        return {Failed{}};
    }
    Frame own;
    own.slots.resize(f.slot_count);
    const std::size_t before = diagnostics_.errors() + muted_.errors();
    calls_.push_back(e.span);
    const Span outer = leading_from(e.span);
    bind_parameters(f.parameters, program_.operands_of(e), frame, own, e.span);
    Value result{Failed{}};
    if (diagnostics_.errors() + muted_.errors() == before)
        result = remembers(f) ? remembered(e.index, own) : body_of(f, own);
    led_from_ = outer;
    calls_.pop_back();
    return result;
}

Value Elaborator::body_of(const Function& f, Frame& own)
{
    Construct* outer = std::exchange(construct_, nullptr);
    Value result = evaluate(f.body, own);
    construct_ = outer;
    return result;
}

// A function that calls itself would often work out the same again, a number that has a name is asked for again and
// again, and so is what is computed of a record: where its satellites are. Of plain numbers and records only.
bool Elaborator::remembers(const Function& f) const
{
    if (f.asks_paths || f.asks_measures) return false;  // which are others at another time
    const auto is_record = [](const Parameter& p) { return p.type.kind == TypeKind::schema && !p.type.list; };
    return f.recursive || f.parameters.empty() || std::ranges::any_of(f.parameters, is_record);
}

Value Elaborator::remembered(std::uint32_t function, Frame& own)
{
    constexpr std::size_t kMostKnown = 1'000'000;
    const Function& f = program_.function(FunctionId{function});
    std::vector<std::uint32_t> call{function};
    for (const Parameter& p : f.parameters) {
        const Value& given = own.slots[p.slot];
        if (const Number* n = given.as<Number>()) {
            call.push_back(n->id);
        } else if (const auto* record = given.as<std::shared_ptr<const SchemaValue>>(); record && *record) {
            const auto number = static_cast<std::uint32_t>(known_records_.size());
            call.push_back(known_records_.try_emplace(*record, number).first->second);
        } else {
            return body_of(f, own);
        }
    }
    if (const auto known = known_calls_.find(call); known != known_calls_.end()) return {Number{known->second}};
    Value result = body_of(f, own);
    if (const Number* n = result.as<Number>();
        n && !network_.values.is_random(n->id) && known_calls_.size() < kMostKnown)
        known_calls_.emplace(std::move(call), n->id);
    return result;
}

// What is on its way over a link, there and back, when it is full; of one that leads one way, nothing comes back.
Value Elaborator::link_bdp(const Expr& e, Frame& frame)
{
    const Value v = evaluate(program_.operands_of(e)[0], frame);
    const LinkSet* links = v.as<LinkSet>();
    if (!links || links->parts.empty()) return {Failed{}};
    const LinkArray& link = network_.links[links->parts.front().links.row.value];
    if (link.one_way) return {Number{constant(0)}};
    ValuePool& pool = network_.values;
    const ValueExprId round_trip = pool.make(ValueOp::add, link.delay[0], link.delay[1]);
    const ValueExprId bits = pool.make(ValueOp::mul, link.rate[0], round_trip);
    return {Number{pool.make(ValueOp::div, bits, constant(1 / product_scale(dimension::rate, dimension::time)))}};
}

}  // namespace anml
