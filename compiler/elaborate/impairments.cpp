// What links do to packets on their way. Links that do the same share it.
#include "elaborate/elaborator.h"

namespace anml {
namespace {

// Whether packets arrive as they were sent.
bool at_rest(const ImpairmentInfo& info, const ValuePool& values)
{
    const auto never = [&](const DistributionValue& d) {
        return d.kind == abi::DistributionKind::constant && values.as_constant(d.a) == 0.0;
    };
    return never(info.loss) && never(info.corrupt) && never(info.duplicate) && never(info.reorder) &&
           never(info.jitter);
}

}  // namespace

// As long as four packets of the MTU take.
DistributionValue Elaborator::reorder_delay_of(ValueExprId mtu, ValueExprId overhead, ValueExprId rate)
{
    constexpr double kPacketsThatPass = 4, kNanosecondBits = 8e9;
    ValuePool& pool = network_.values;
    const ValueExprId bytes = pool.make(ValueOp::add, mtu, overhead);
    const ValueExprId four = pool.make(ValueOp::mul, bytes, constant(kPacketsThatPass * kNanosecondBits));
    return {abi::DistributionKind::constant, pool.make(ValueOp::div, four, rate), 0};
}

std::uint32_t Elaborator::impairment_of(const SchemaValue& link, std::uint32_t row, std::uint32_t direction)
{
    ImpairmentInfo info;
    info.loss = distribution_of(link, "loss");
    info.corrupt = distribution_of(link, "corrupt");
    info.duplicate = distribution_of(link, "duplicate");
    info.reorder = distribution_of(link, "reorder");
    info.jitter = distribution_of(link, "jitter");
    info.in_order = number_of(link, "in_order");
    const bool held_by_default = attribute_of(link, "reorder_delay").absent(), rests = at_rest(info, network_.values);
    if (!held_by_default) held_back_.emplace(row, direction);
    if (rests && held_by_default && network_.values.as_constant(info.in_order) == 1.0) return abi::kNone;
    info.reorder_delay =
        held_by_default ? reorder_delay_of(number_of(link, "mtu"), number_of(link, "overhead"), number_of(link, "rate"))
                        : distribution_of(link, "reorder_delay");
    if (!rests) return shared_impairment(info);
    resting_.emplace(std::pair(row, direction), info);
    return abi::kNone;
}

std::uint32_t Elaborator::shared_impairment(const ImpairmentInfo& info)
{
    const auto [known, fresh] = impairments_.try_emplace(info, static_cast<std::uint32_t>(network_.impairments.size()));
    if (fresh) network_.impairments.push_back(info);
    return known->second;
}

void Elaborator::impair_at_rest(const TimelineInfo& change)
{
    for (const LinkSlice& links : change.links) {
        LinkGroup& link = network_.links[links.row.value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (!(change.directions >> direction & 1) || link.impairment[direction] != abi::kNone) continue;
            ImpairmentInfo info;
            if (const auto said = resting_.find({links.row.value, direction}); said != resting_.end()) {
                info = said->second;
            } else {
                const DistributionValue never{abi::DistributionKind::constant, constant(0), 0};
                info.loss = info.corrupt = info.duplicate = info.reorder = info.jitter = never;
                info.reorder_delay = reorder_delay_of(link.mtu, link.overhead, link.rate[direction]);
                info.in_order = constant(1);
            }
            link.impairment[direction] = shared_impairment(info);
        }
    }
}

}  // namespace anml
