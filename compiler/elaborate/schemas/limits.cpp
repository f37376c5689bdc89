// What declarations say of strings and lists: patterns and numbers of elements.
#include <fmt/format.h>

#include "base/pattern.h"
#include "elaborate/elaborator.h"

namespace anml {

bool Elaborator::check_limits(const Value& value, const Limits& limits, std::string_view name, Span span, Span declared)
{
    if (const std::string* text = value.as<std::string>(); text && !limits.pattern.empty()) {
        if (Pattern::parse(limits.pattern).matches(*text)) return true;
        report(Diag::pattern_mismatch, span,
               fmt::format("`{}` is \"{}\", which does not match \"{}\"", name, *text, limits.pattern))
            .also(declared, "its pattern is declared here");
        return false;
    }
    constexpr std::uint32_t kAny = 0xffffffffu;
    if ((limits.least == 0 && limits.most == kAny) || value.failed() || value.absent()) return true;
    std::size_t count = 1;  // one element without brackets
    if (const auto* list = value.as<std::shared_ptr<const ListValue>>()) count = (*list)->size();
    if (const NodeSet* nodes = value.as<NodeSet>()) count = size_of(*nodes);
    if (count >= limits.least && count <= limits.most) return true;
    report(Diag::out_of_range, span, cardinality_message(name, limits, count)).also(declared, "declared here");
    return false;
}

}  // namespace anml
