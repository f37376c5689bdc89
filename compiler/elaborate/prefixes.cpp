// Prefixes of instances, and prefixes in prefixes.
#include <fmt/format.h>

#include "base/address.h"
#include "elaborate/elaborator.h"

namespace anml {

// For all nodes of the instance, those above the statement included, but not for instances with a prefix of their own.
void Elaborator::instance_prefix(const AddressingStatement& s, const Statement& at, Frame& frame)
{
    if (prefix_at_) {
        report(Diag::repeated_statement, at.span, "the component has a second `addressing`")
            .also(*prefix_at_, "the first is here");
        return;
    }
    const auto value =
        overridden("addressing",
                   schema_value(program_.component_addressing, s.attributes, frame, nullptr, at.span, "`addressing`"),
                   "`addressing`");
    if (!value) return;
    const auto* prefix = attribute_of(*value, "prefix").as<PrefixValue>();
    if (!prefix) return;
    prefix_at_ = at.span;
    prefixes_.push_back({prefix->bits, prefix->length, path_, at.span});
    const std::uint32_t outer = pool_;
    pool_ = static_cast<std::uint32_t>(prefixes_.size());
    for (std::size_t row = first_row_; row < row_pool_.size(); ++row)
        if (row_pool_[row] == outer) row_pool_[row] = pool_;
}

// The prefix number [2], of length [1], in the prefix [0].
Value Elaborator::subnet(const Expr& e, Frame& frame)
{
    const auto operands = program_.operands_of(e);
    const Value whole = evaluate(operands[0], frame);
    const auto length = shape(operands[1], frame, "the length of a prefix");
    const auto number = shape(operands[2], frame, "the number of a prefix");
    const auto* prefix = whole.as<PrefixValue>();
    if (!prefix || !length || !number) return {Failed{}};
    if (*length < prefix->length || *length > 32) {
        report(Diag::out_of_range, program_.expr(operands[1]).span,
               fmt::format("the length is {}, outside {} .. 32", *length, prefix->length));
        return {Failed{}};
    }
    const std::int64_t count = std::int64_t{1} << (*length - prefix->length);
    if (*number < 0 || *number >= count) {
        report(Diag::out_of_range, program_.expr(operands[2]).span,
               fmt::format("{}/{} has {} prefixes of length {}, numbered from 0; this is number {}",
                           format_address(prefix->bits), prefix->length, count, *length, *number));
        return {Failed{}};
    }
    const std::uint64_t bits = prefix->bits + (static_cast<std::uint64_t>(*number) << (32 - *length));
    return {PrefixValue{static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(*length)}};
}

}  // namespace anml
