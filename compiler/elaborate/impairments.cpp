// What links do to packets on their way. Links that do the same share it.
#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

std::uint32_t Elaborator::impairment_of(const SchemaValue& link)
{
    ImpairmentInfo info;
    info.loss = distribution_of(link, "loss");
    info.corrupt = distribution_of(link, "corrupt");
    info.duplicate = distribution_of(link, "duplicate");
    info.reorder = distribution_of(link, "reorder");
    info.jitter = distribution_of(link, "jitter");
    info.in_order = number_of(link, "in_order");
    const auto never = [&](const DistributionValue& d) {
        return d.kind == abi::DistributionKind::constant && network_.values.as_constant(d.a) == 0.0;
    };
    if (never(info.loss) && never(info.corrupt) && never(info.duplicate) && never(info.reorder) && never(info.jitter))
        return abi::kNone;
    if (attribute_of(link, "reorder_delay").absent()) {
        constexpr double kPacketsThatPass = 4, kNanosecondBits = 8e9;
        ValuePool& pool = network_.values;
        const ValueExprId bytes = pool.make(ValueOp::add, number_of(link, "mtu"), number_of(link, "overhead"));
        const ValueExprId four = pool.make(ValueOp::mul, bytes, constant(kPacketsThatPass * kNanosecondBits));
        info.reorder_delay = {abi::DistributionKind::constant, pool.make(ValueOp::div, four, number_of(link, "rate")),
                              0};
    } else {
        info.reorder_delay = distribution_of(link, "reorder_delay");
    }
    const auto known = std::find(network_.impairments.begin(), network_.impairments.end(), info);
    const auto index = static_cast<std::uint32_t>(known - network_.impairments.begin());
    if (known == network_.impairments.end()) network_.impairments.push_back(info);
    return index;
}

}  // namespace anml
