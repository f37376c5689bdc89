// What links do to packets on their way. Links that do the same share it.
#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr auto kLayout = static_cast<std::uint32_t>(abi::RecordSchema::impairment);

// Whether packets arrive as they were sent. How long they are held back is nothing by itself.
bool at_rest(const RecordInfo& info, const ValuePool& values)
{
    const auto fields = abi::record_layout(kLayout).fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto* drawn = std::get_if<DistributionValue>(&info.values[i]);
        if (drawn && fields[i].name != "reorder_delay" && !is_constant(values, *drawn, 0)) return false;
    }
    return true;
}

}  // namespace

const RecordInfo& Elaborator::usual_impairment()
{
    if (usual_impairment_) return *usual_impairment_;
    SchemaValue link;
    link.schema = program_.link;
    for (const Attribute& a : program_.schema(program_.link).attributes) {
        const bool known = abi::find_field(abi::kImpairment, a.name) && a.fallback;
        link.attributes.push_back(known ? fallback(a) : Value{});
    }
    return usual_impairment_.emplace(record_values(kLayout, link));
}

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
    RecordInfo info = record_values(kLayout, link);
    const bool held_by_default = attribute_of(link, "reorder_delay").absent(), rests = at_rest(info, network_.values);
    if (!held_by_default) held_back_.emplace(row, direction);
    if (held_by_default && info == usual_impairment()) return abi::kNone;
    if (held_by_default)
        *find_value(info, "reorder_delay") =
            reorder_delay_of(number_of(link, "mtu"), number_of(link, "overhead"), number_of(link, "rate"));
    if (!rests) return shared_record(std::move(info));
    resting_.emplace(std::pair(row, direction), std::move(info));
    return abi::kNone;
}

void Elaborator::impair_at_rest(const TimelineInfo& change)
{
    for (const LinkSlice& links : change.links) {
        LinkArray& link = network_.links[links.row.value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (!(change.directions >> direction & 1) || link.impairment[direction] != abi::kNone) continue;
            const auto said = resting_.find({links.row.value, direction});
            RecordInfo info = said != resting_.end() ? said->second : usual_impairment();
            if (said == resting_.end())
                *find_value(info, "reorder_delay") = reorder_delay_of(link.mtu, link.overhead, link.rate[direction]);
            link.impairment[direction] = shared_record(std::move(info));
        }
    }
}

}  // namespace anml
