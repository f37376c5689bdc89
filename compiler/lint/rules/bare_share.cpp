// `loss = 0.5`, where 0.5 % was meant perhaps, as other tools take it.
#include <fmt/format.h>

#include <algorithm>

#include "base/values/quantity.h"
#include "lint/rules.h"
#include "syntax/syntax_views.h"

namespace anml {

void lint_bare_share(LintDiagnostics& found)
{
    constexpr double kLeast = 0.1;
    constexpr std::string_view kShares[] = {"loss", "corrupt", "duplicate", "reorder"};
    for (std::uint32_t i = 0; i < found.tree.size(); ++i) {
        const SyntaxId id{i};
        if (found.tree.kind(id) != SyntaxKind::attribute || found.tree.is_hole(id)) continue;
        const syntax::Attribute given(found.tree, id);
        const Span value = found.tree.node(given.value()).span;
        const std::string_view name = found.sources.text(found.tree.node(given.name()).span);
        if (found.of_library(value.file) || std::ranges::find(kShares, name) == std::end(kShares)) continue;
        const std::string_view written = found.sources.text(value);
        const bool all = name == "loss" && written == "1";  // which are all packets
        const auto share = all || found.tree.kind(given.value()) == SyntaxKind::literal_number
                               ? parse_quantity(written)
                               : std::nullopt;
        if (!share || written.ends_with('%') || share->value < kLeast || (share->value >= 1 && !all)) continue;
        const std::string whole = fmt::format("{:.15g} %", share->value * 100), small = fmt::format("{} %", written);
        found.find(share->value, {Diag::bare_share,
                                  value,
                                  fmt::format("`{}` is {} of all packets", name, whole),
                                  fmt::format("write `{}` or `{}`", small, whole),
                                  {},
                                  {},
                                  {{{value, small}, {}, true}, {{value, whole}, {}, true}}});
    }
}

}  // namespace anml
