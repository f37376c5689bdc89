// A size in units of 1024 beside a rate or a time, in text: `1 MB / 8 Mbps` is no second.
#include <fmt/format.h>

#include "base/values/quantity.h"
#include "lint/rules.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

class BinarySizes {
  public:
    explicit BinarySizes(LintDiagnostics& found) : found_(found), tree_(found.tree) {}

    void look(SyntaxId id)
    {
        if (tree_.kind(id) == SyntaxKind::binary && found_.sources.text(tree_.node(id).token) == "/") {
            const syntax::Binary division(tree_, id);
            size_by(division.left(), division.right());
        }
        for (const SyntaxId child : tree_.children_of(id)) look(child);
    }

  private:
    std::string_view text(SyntaxId id) const { return found_.sources.text(tree_.node(id).span); }

    // `1 MB / ...` and `3 * 1 MB / ...`.
    void size_by(SyntaxId size, SyntaxId by)
    {
        while (tree_.kind(size) == SyntaxKind::binary && found_.sources.text(tree_.node(size).token) == "*")
            size = syntax::Binary(tree_, size).right();
        if (tree_.kind(size) != SyntaxKind::literal_quantity || !counts_by_thousands(by)) return;
        const std::string_view written = text(size), unit = written.substr(unit_position(written));
        const auto value = parse_quantity(written);
        if (!value || unit.size() != 2 || unit[1] != 'B') return;  // KB, MB, GB, TB
        const std::string before(written.substr(0, written.size() - 2)), digits = before.substr(0, before.find(' '));
        const bool plain = digits.find_first_of("eE") == std::string::npos;
        const Span place = tree_.node(size).span;
        std::vector<Fix> fixes{{{place, fmt::format("{}{}iB", before, unit[0])}}};
        if (plain) fixes.push_back({{place, fmt::format("{}e{} B", digits, exponent(unit[0]))}});
        found_.find(1, {Diag::binary_size,
                        place,
                        fmt::format("`{}` is {:.0f} B, and what it is divided by counts in powers of ten", written,
                                    value->value),
                        fmt::format("write `{}{}iB` if that is meant{}", before, unit[0],
                                    plain ? fmt::format(", or `{}e{} B`", digits, exponent(unit[0])) : ""),
                        {},
                        {},
                        std::move(fixes)});
    }

    static int exponent(char prefix) { return 3 * static_cast<int>(std::string_view("KMGT").find(prefix) + 1); }

    // A rate or a time, as far as the text says so: `8 Mbps`, `(2 * 8 Mbps)`, `bottleneck(a, b)`, `ether.fast.rate`.
    bool counts_by_thousands(SyntaxId id) const
    {
        switch (tree_.kind(id)) {
            case SyntaxKind::literal_quantity: {
                const auto value = parse_quantity(text(id));
                return value && (value->dim == dimension::rate || value->dim == dimension::time);
            }
            case SyntaxKind::binary: {
                const syntax::Binary both(tree_, id);
                return counts_by_thousands(both.left()) != counts_by_thousands(both.right());
            }
            case SyntaxKind::member:
                return text(id).ends_with(".rate") || text(id).ends_with(".delay");
            case SyntaxKind::call:
                return text(id).starts_with("bottleneck(") || text(id).starts_with("rtt(");
            default:
                return false;
        }
    }

    LintDiagnostics& found_;
    const SyntaxTree& tree_;
};

}  // namespace

void lint_binary_size(LintDiagnostics& found)
{
    BinarySizes(found).look(found.tree.roots[found.sources.main.value]);
}

}  // namespace anml
