// Flows: how often they arrive.
#include <fmt/format.h>

#include <algorithm>

#include "base/values/exact_mean.h"
#include "elaborate/model.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// Flows that an arrival begins, at a host in the mean: with `to_all` one to each of the peers but the host itself.
double flows_at_once(const WorkloadInfo& info, const EnumValue* pairing)
{
    if (!pairing || pairing->ordinal != static_cast<std::uint32_t>(abi::record::flows::FlowPairing::to_all)) return 1;
    double own = 0;  // hosts that are among the peers
    for (const TargetRange& a : info.targets)
        for (const TargetRange& b : info.peers) {
            if (a.row != b.row) continue;
            const std::uint32_t first = std::max(a.first, b.first);
            const std::uint32_t end = std::min(a.first + a.count, b.first + b.count);
            if (end > first) own += end - first;
        }
    const auto hosts = static_cast<double>(std::max(size_of(info.targets), std::uint64_t{1}));
    return static_cast<double>(size_of(info.peers)) - own / hosts;
}

}  // namespace

// From one arrival at a host to the next: said as such, or by what is offered to all hosts together; then each has a
// Poisson process of its own. Null: an error was reported.
std::shared_ptr<const SchemaValue> with_interval(Elaboration& in, std::shared_ptr<const SchemaValue> value,
                                                 const WorkloadStatement& s, const WorkloadInfo& info)
{
    constexpr double kByteNanoseconds = 8e9;
    const bool offered = !attribute_of(in.program, *value, "offered").absent(),
               given = !attribute_of(in.program, *value, "interval").absent();
    if (!offered && !given) {
        in.report(Diag::missing_attribute, info.span, fmt::format("`{}` needs `interval` or `offered`", s.name));
        return nullptr;
    }
    if (!offered) return value;
    const Span place = place_of(in.program, s, "offered", info.span);
    if (given) {
        in.report(Diag::duplicate_attribute, place_of(in.program, s, "interval", info.span),
                  "the interval follows from `offered`")
            .also(place, "given here")
            .help("leave out one of the two")
            .fix(Edit{place_of(in.program, s, "interval", info.span), "", EditAt::attribute})
            .fix(Edit{place, "", EditAt::attribute});
        return nullptr;
    }
    ValuePool& pool = in.network.values;
    const DistributionValue size = distribution_of(in.network.values, in.program, *value, "size");
    const auto mean = exact_mean(pool, expression_of(in.network.values, size));
    if (!mean) {
        in.report(Diag::unknown_mean, place,
                  fmt::format(
                      "how often flows begin by `offered` depends on the mean of `size`, which is not known exactly"))
            .also(place_of(in.program, s, "size", info.span), "drawn here")
            .help(
                "give an `interval`, or a `size` whose mean is known, such as `cumulative`, `exponential` or a mixture "
                "of those");
        return nullptr;
    }
    const double hosts = static_cast<double>(std::max(size_of(info.targets), std::uint64_t{1})) *
                         flows_at_once(info, attribute_of(in.program, *value, "pairing").as<EnumValue>());
    // A flow has a byte at least.
    const ValueExprId bytes = pool.make(ValueOp::max, *mean, in.constant(1));
    const ValueExprId interval =
        pool.make(ValueOp::div, pool.make(ValueOp::mul, bytes, in.constant(hosts * kByteNanoseconds)),
                  number_of(in.program, *value, "offered"));
    const ValueExprId holds = pool.make(ValueOp::ge, interval, in.constant(1));
    constexpr std::string_view kTooMany = "more than a flow per nanosecond at a host";
    if (pool.evaluate(holds, in.tunable_defaults) == 0) {
        in.report(Diag::out_of_range, place, std::string(kTooMany));
        return nullptr;
    }
    require(in, holds, fmt::format("`{}` offers {}", info.name, kTooMany), info.span, true);
    SchemaValue made = *value;
    const auto& attributes = in.program.schema(value->schema).attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i)
        if (attributes[i].name == "interval")
            made.attributes[i] = {DistributionValue{abi::DistributionKind::exponential, interval, 0}};
    return std::make_shared<const SchemaValue>(std::move(made));
}

}  // namespace anml
