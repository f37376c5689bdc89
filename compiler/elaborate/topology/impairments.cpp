// What links do to packets on their way. Links that do the same share it.
#include "elaborate/topology/topology.h"

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

// Of a link that says nothing of it, but for `reorder_delay`.
const RecordInfo& usual_impairment(Elaboration& in)
{
    if (in.usual_impairment) return *in.usual_impairment;
    SchemaValue link;
    link.schema = in.program.link;
    for (const Attribute& a : in.program.schema(in.program.link).attributes) {
        const bool known = abi::find_field(abi::kImpairment, a.name) && a.fallback;
        link.attributes.push_back(known ? fallback(in, a) : Value{});
    }
    return in.usual_impairment.emplace(record_values(in, kLayout, link));
}

// As long as four packets of the MTU take.
DistributionValue reorder_delay_of(ValuePool& values, ValueExprId mtu, ValueExprId overhead, ValueExprId rate)
{
    constexpr double kPacketsThatPass = 4, kNanosecondBits = 8e9;
    ValuePool& pool = values;
    const ValueExprId bytes = pool.make(ValueOp::add, mtu, overhead);
    const ValueExprId four = pool.make(ValueOp::mul, bytes, values.constant(kPacketsThatPass * kNanosecondBits));
    return {abi::DistributionKind::constant, pool.make(ValueOp::div, four, rate), 0};
}

}  // namespace

std::uint32_t impairment_of(Elaboration& in, const SchemaValue& link, std::uint32_t row, std::uint32_t direction)
{
    RecordInfo info = record_values(in, kLayout, link);
    const bool held_by_default = attribute_of(in.program, link, "reorder_delay").absent(),
               rests = at_rest(info, in.network.values);
    if (!held_by_default) in.held_back.emplace(row, direction);
    if (held_by_default && info == usual_impairment(in)) return abi::kNone;
    if (held_by_default)
        *find_value(info, "reorder_delay") =
            reorder_delay_of(in.network.values, number_of(in.program, link, "mtu"),
                             number_of(in.program, link, "overhead"), number_of(in.program, link, "rate"));
    if (!rests) return shared_record(in, std::move(info));
    in.resting.emplace(std::pair(row, direction), std::move(info));
    return abi::kNone;
}

void impair_at_rest(Elaboration& in, const TimelineInfo& change)
{
    for (const LinkSlice& links : change.links) {
        LinkArray& link = in.network.links[links.row.value];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (!(change.directions >> direction & 1) || link.impairment[direction] != abi::kNone) continue;
            const auto said = in.resting.find({links.row.value, direction});
            RecordInfo info = said != in.resting.end() ? said->second : usual_impairment(in);
            if (said == in.resting.end())
                *find_value(info, "reorder_delay") =
                    reorder_delay_of(in.network.values, link.mtu, link.overhead, link.rate[direction]);
            link.impairment[direction] = shared_record(in, std::move(info));
        }
    }
}

}  // namespace anml
