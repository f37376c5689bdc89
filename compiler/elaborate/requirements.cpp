// What must hold: what is said where it does not, and what is asked again later.
#include <fmt/format.h>

#include "elaborate/model.h"

namespace anml {

void note_sides(Elaboration& in, Diagnostics::Builder& report, ExprId condition, Frame& frame)
{
    const Expr& e = in.program.expr(condition);
    const auto op = static_cast<ValueOp>(e.index);
    if (e.kind != ExprKind::binary) return;
    const auto operands = in.program.operands_of(e);
    if (op == ValueOp::and_) {
        const auto left = number(in, operands[0], frame);
        const bool first = left && in.network.values.as_constant(*left) == 0.0;
        return note_sides(in, report, operands[first ? 0 : 1], frame);
    }
    if (op < ValueOp::lt || op > ValueOp::ne) return;
    std::vector<std::string> sides;
    std::vector<double> values;
    for (const bool exact : {false, true}) {
        sides.clear();
        values.clear();
        for (const ExprId operand : operands) {
            const Type& type = in.program.expr(operand).type;
            if (type.list || type.tolerance) continue;
            const Value v = evaluate(in, operand, frame);
            const auto n = number_in(in.network.values, v);
            const auto known = n ? in.network.values.as_constant(*n) : std::nullopt;
            if (known) values.push_back(*known);
            if (known && type.kind != TypeKind::boolean)
                sides.push_back(exact && type.dim == dimension::none ? fmt::format("{}", *known)
                                                                     : format_quantity(*known, type.dim));
            else if (const auto* text = v.as<std::string>())
                sides.push_back(fmt::format("\"{}\"", *text));
        }
        if (sides.size() < 2 || sides[0] != sides[1]) break;
    }
    if (sides.size() == 2 && sides[0] == sides[1] && values.size() == 2 && values[0] != values[1])
        report.note(fmt::format("it compares two values that are both shown as {}, and differ by rounding", sides[0]))
            .help("a tolerance allows for that, as in `a == b ± 0.1 %`");
    else if (sides.size() == 2)
        report.note(fmt::format("it compares {} with {}", sides[0], sides[1]));
    else if (sides.size() == 1)
        report.note(fmt::format("the value is {}", sides[0]));
}

std::optional<std::string> message_of(Elaboration& in, const RequireStatement& requirement, Frame& frame)
{
    if (!requirement.computed) return requirement.message;
    const Value message = evaluate(in, requirement.computed, frame);
    if (const auto* text = message.as<std::string>()) return *text;
    return std::nullopt;
}

void require(Elaboration& in, ValueExprId holds, std::string message, Span span, bool implied, std::string text)
{
    const auto c = in.network.values.as_constant(holds);
    if (c && *c != 0) return;
    // The same condition counts once at each place, and one that the schema implies once for all.
    const auto [known, fresh] = in.required.try_emplace(holds, Required{in.network.requirements.size(), implied});
    if (!fresh && known->second.implied) return;
    if (!fresh && implied) {
        known->second.implied = in.network.requirements[known->second.first].implied = true;
        return;
    }
    if (!in.required_at.insert({holds, span.file.value, span.begin, span.end}).second) return;
    RequirementInfo made{
        holds, std::move(message), in.report.path, in.report.users_place(span), implied, std::move(text), {}};
    if (!implied)
        for (auto round = in.report.rounds.rbegin(); round != in.report.rounds.rend(); ++round)
            made.rounds.emplace_back(round->loop, in.report.round_text(*round));
    in.network.requirements.push_back(std::move(made));
}

}  // namespace anml
