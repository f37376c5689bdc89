#include "analysis/timeline/moment_order.h"

#include <fmt/format.h>

#include <map>

#include "analysis/network_queries.h"

namespace anml {

MomentOrder::MomentOrder(const Network& network) : network_(network), ranges_(tunable_ranges(network)), forms_(network)
{
}

bool MomentOrder::same(const At& a, const At& b)
{
    if (a.time != b.time) return false;
    if (a.expression == b.expression) return !a.expression || a.later == b.later;
    const AffineForm x = form(a), y = form(b);
    return x.constant == y.constant && x.terms == y.terms;
}

bool MomentOrder::fixed(const At& a, const At& b)
{
    if (!a.expression && !b.expression) return a.time < b.time;
    const AffineForm from = form(a), to = form(b);
    std::map<ValueExprId, double> terms;
    for (const auto& [atom, coefficient] : to.terms) terms[atom] += coefficient;
    for (const auto& [atom, coefficient] : from.terms) terms[atom] -= coefficient;
    double least = to.constant - from.constant;
    for (const auto& [atom, coefficient] : terms) {
        const ValuePool::Interval range = network_.values.bounds(atom, ranges_);
        if (coefficient != 0) least += coefficient * (coefficient > 0 ? range.low : range.high);
    }
    return least > 0;
}

bool MomentOrder::refuse(Span span, const std::string& message, ValueExprId expression, Diagnostics& diagnostics) const
{
    auto report = diagnostics.report(Diag::epochs_depend_on_tunable, span, message);
    for (const std::uint32_t tunable : forms_.tunables(expression)) {
        report.also(network_.tunables[tunable].span, "tunable declared here")
            .help(fmt::format("fix it when compiling: -D {}=...", network_.tunables[tunable].name));
        break;
    }
    return false;
}

AffineForm MomentOrder::form(const At& at)
{
    if (!at.expression) return {at.time, {}};
    AffineForm form = forms_.of(*at.expression);
    form.constant += at.later;
    return form;
}

}  // namespace anml
