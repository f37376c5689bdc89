// A distribution that is given by points of its cumulative one.
#include <fmt/format.h>

#include <array>

#include "base/values/sample_points.h"
#include "elaborate/values/evaluation.h"

namespace anml {

// Of the points in the text or in a file, which are known when the model is compiled.
Value cumulative(Elaboration& in, const Expr& e, Frame& frame)
{
    ValuePool& pool = in.network.values;
    const auto operands = in.program.operands_of(e);
    if (operands.empty())
        return drawn(in.network.values, pool.empirical(in.program.tables[static_cast<std::size_t>(e.value)]));
    std::array<std::vector<double>, 2> given;
    for (std::size_t i = 0; i < 2; ++i) {
        const Value list = evaluate(in, operands[i], frame);
        const auto* values = list.as<std::shared_ptr<const ListValue>>();
        if (!values) return {Failed{}};
        for (const Value& v : **values) {
            const auto n = number_in(in.network.values, v);
            if (!n) return {Failed{}};
            const auto known = pool.as_constant(*n);
            if (!known) {
                report_shape(in, *n, in.program.expr(operands[i]).span, "a point of `cumulative`");
                return {Failed{}};
            }
            given[i].push_back(*known);
        }
    }
    const auto& [values, shares] = given;
    if (values.size() != shares.size())
        return failed(in.report(Diag::shape_mismatch, e.span,
                                fmt::format("{} value{} for {} share{}", values.size(), values.size() == 1 ? "" : "s",
                                            shares.size(), shares.size() == 1 ? "" : "s"))
                          .help("each value has a share of its own: of what is drawn that is not above it"));
    EmpiricalTable table;
    table.dim = e.type.dim;
    std::string wrong;
    for (std::size_t i = 0; i < values.size() && wrong.empty(); ++i)
        wrong = add_point(table, values[i], shares[i], format_quantity(values[i], e.type.dim));
    if (wrong.empty()) wrong = end_points(table, false);
    if (wrong.empty()) return drawn(in.network.values, pool.empirical(std::move(table)));
    return failed(in.report(Diag::invalid_samples, e.span, fmt::format("of the points of `cumulative`, {}", wrong))
                      .help(!shares.empty() && shares.back() > 1
                                ? "shares are from 0 to 1, or have their sign: `50 %, 100 %`"
                                : "values and shares rise, the shares to 1"));
}

}  // namespace anml
