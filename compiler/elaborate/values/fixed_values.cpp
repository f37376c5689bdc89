// Values that are the same wherever their expression stands, and so are computed once: what attributes have by default,
// profiles of a module. A large model asks for them with every link.
#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

// Whether nothing in it depends on a frame, or on the attributes beside it.
bool Elaborator::is_fixed(ExprId id) const
{
    const Expr& e = program_.expr(id);
    const auto operands = program_.operands_of(e);
    const auto fixed = [&](ExprId operand) { return !operand || is_fixed(operand); };
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
            return !program_.profile(ProfileId{e.index}).owner && std::all_of(operands.begin(), operands.end(), fixed);
        default:
            return false;
    }
}

Value Elaborator::fallback(const Attribute& attribute)
{
    Frame none;
    const auto [known, fresh] = fallbacks_.try_emplace(attribute.fallback);
    if (!fresh && known->second) return *known->second;
    Value value = evaluate(attribute.fallback, none);
    // An error is reported anew; it may be that of another instance.
    if (fresh && !value.failed() && is_fixed(attribute.fallback)) fallbacks_[attribute.fallback] = value;
    return value;
}

std::shared_ptr<const SchemaValue> Elaborator::module_profile(ExprId id)
{
    const Expr& e = program_.expr(id);
    if (e.kind != ExprKind::profile || program_.profile(ProfileId{e.index}).owner) return nullptr;
    const auto operands = program_.operands_of(e);
    if (std::any_of(operands.begin(), operands.end(), [](ExprId operand) { return operand.valid(); })) return nullptr;
    const auto known = module_profiles_.find(ProfileId{e.index});
    if (known != module_profiles_.end()) return known->second;
    Frame none;
    const Value value = evaluate(id, none);
    const auto* profile = value.as<std::shared_ptr<const SchemaValue>>();
    if (!profile) return nullptr;
    return module_profiles_[ProfileId{e.index}] = *profile;
}

}  // namespace anml
