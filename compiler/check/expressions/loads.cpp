// `load(link)`, `load(link, up)` and `max_load()`: what the workloads are expected to put on links, which `require`
// asks for as it asks for paths.
#include <fmt/format.h>

#include "check/checker.h"

namespace anml {

ExprId Checker::load(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given)
{
    if (!may_ask_routes(span(id), builtin)) return error(span(id));
    std::vector<ExprId> links;
    abi::MeasurePhase direction = abi::MeasurePhase::whole;
    if (!given.empty()) {
        const ExprId link = link_or_value(given[0]);
        const Expr of = program_.expr(link);
        if (of.type.kind == TypeKind::error) return error(span(id));
        if (of.type.kind != TypeKind::link || of.type.array || of.type.many) {
            auto report = diagnostics_.report(of.type.array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                              fmt::format("`load` wants a link, found {}", a_named(of.type)));
            if (of.type.kind == TypeKind::link && of.type.array)
                report.help(fmt::format("choose one: `{}[0]`", sources_.text(of.span)))
                    .fix_when_asked({of.span.behind(), "[0]"});
            if (of.type.kind == TypeKind::node || of.type.kind == TypeKind::workload)
                report.help("it is the share of a link's rate that all workloads take together");
            return error(span(id));
        }
        links.push_back(link);
    }
    if (given.size() > 1) {
        const auto asked = phase(given[1], builtin);
        if (!asked) return error(span(id));
        direction = *asked;
    }
    return add(ExprKind::call, {.kind = TypeKind::number}, span(id), static_cast<std::uint32_t>(builtin),
               static_cast<double>(direction), std::move(links));
}

}  // namespace anml
