// Values that are the same wherever their expression stands, and so are computed once: what attributes have by default,
// profiles of a module. A large model asks for them with every link.
#include <algorithm>

#include "elaborate/values/evaluation.h"

namespace anml {
namespace {

// Whether nothing in it depends on a frame, or on the attributes beside it.
bool is_fixed(const CheckedProgram& program, ExprId id)
{
    const Expr& e = program.expr(id);
    const auto operands = program.operands_of(e);
    const auto fixed = [&](ExprId operand) { return !operand || is_fixed(program, operand); };
    switch (e.kind) {
        case ExprKind::number:
        case ExprKind::string:
        case ExprKind::file:
        case ExprKind::address:
        case ExprKind::prefix:
        case ExprKind::address6:
        case ExprKind::prefix6:
        case ExprKind::enum_value:
        case ExprKind::table:
            return true;
        case ExprKind::negate:
        case ExprKind::not_:
        case ExprKind::binary:
        case ExprKind::conditional:
        case ExprKind::list:
            return std::all_of(operands.begin(), operands.end(), fixed);
        case ExprKind::profile:
            return !program.profile(ProfileId{e.index}).owner && std::all_of(operands.begin(), operands.end(), fixed);
        default:
            return false;
    }
}

}  // namespace

Value fallback(Elaboration& in, const Attribute& attribute)
{
    Frame none;
    const auto [known, fresh] = in.fallbacks.try_emplace(attribute.fallback);
    if (!fresh && known->second) return *known->second;
    Value value = evaluate(in, attribute.fallback, none);
    // An error is reported anew; it may be that of another instance.
    if (fresh && !value.failed() && is_fixed(in.program, attribute.fallback)) in.fallbacks[attribute.fallback] = value;
    return value;
}

std::shared_ptr<const SchemaValue> module_profile(Elaboration& in, ExprId id)
{
    const Expr& e = in.program.expr(id);
    if (e.kind != ExprKind::profile || in.program.profile(ProfileId{e.index}).owner) return nullptr;
    const auto operands = in.program.operands_of(e);
    if (std::any_of(operands.begin(), operands.end(), [](ExprId operand) { return operand.valid(); })) return nullptr;
    const auto known = in.module_profiles.find(ProfileId{e.index});
    if (known != in.module_profiles.end()) return known->second;
    Frame none;
    const Value value = evaluate(in, id, none);
    const auto* profile = value.as<std::shared_ptr<const SchemaValue>>();
    if (!profile) return nullptr;
    return in.module_profiles[ProfileId{e.index}] = *profile;
}

}  // namespace anml
