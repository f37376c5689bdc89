// Values that -D gives parameters of the model: expressions, whose names mean what they mean at the top of the main
// file.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

ExprId defined_value(Checking& in, FileId file, const Parameter& p)
{
    const SyntaxId root = in.tree.roots[file.value];
    const auto written = syntax::File(in.tree, root).declarations();  // an expression
    enter(in, root);
    // The shell takes quotes away.
    const bool text_only = p.type.kind == TypeKind::string && !p.type.list;
    if (text_only && (written.empty() || in.tree.kind(written[0]) != SyntaxKind::literal_string)) {
        in.program.strings.push_back(in.sources.file(file).text);
        const ExprId v =
            in.add(ExprKind::string, p.type, in.span(root), static_cast<std::uint32_t>(in.program.strings.size() - 1));
        check_range(in, in.program, in.diagnostics, v, p.range, p.type, p.name, p.span);
        return v;
    }
    if (p.type.kind == TypeKind::node) {
        in.report(Diag::invalid_define, in.span(root),
                  fmt::format("`{}` is {}, and nodes are in models only", p.name, in.a_named(p.type)))
            .also(p.span, "declared here");
        return in.error(in.span(root));
    }
    for (const auto& [other, errors] : in.tree.no_values)
        if (other == file) in.diagnostics.append(errors);
    if (written.empty()) {
        if (in.sources.file(file).text.empty())
            in.report(Diag::invalid_define, in.span(root), fmt::format("`{}` is given no value", p.name))
                .also(p.span, "declared here");
        return in.error(in.span(root));
    }
    const ExprId v = value(in, written[0], p.type, fmt::format("`{}`", p.name));
    check_range(in, in.program, in.diagnostics, v, p.range, p.type, p.name, p.span);
    return v;
}

}  // namespace

void defined_values(Checking& in, std::string_view model)
{
    std::vector<ComponentId> candidates = in.program.models;
    candidates.insert(candidates.end(), in.program.experiments.begin(), in.program.experiments.end());
    for (ComponentId id : candidates) {
        const Component& candidate = in.program.component(id);
        const bool chosen =
            model.empty() ? in.program.models.size() == 1 && !candidate.is_experiment : candidate.name == model;
        if (!chosen) continue;
        for (FileId file{0}; file.value < in.sources.files.size(); ++file.value) {
            const std::string& name = in.sources.file(file).value_of;
            for (std::size_t i = 0; !name.empty() && i < in.program.component(id).parameters.size(); ++i) {
                const Parameter parameter = in.program.component(id).parameters[i];  // a copy: values grow the program
                if (parameter.name == name)
                    in.program.components[id.value].parameters[i].defined = defined_value(in, file, parameter);
            }
        }
    }
}

}  // namespace anml
