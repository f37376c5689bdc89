// Values that -D gives parameters of the model: expressions, whose names mean what they mean at the top of the main
// file.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::defined_values(std::string_view model)
{
    std::vector<ComponentId> candidates = program_.models;
    candidates.insert(candidates.end(), program_.experiments.begin(), program_.experiments.end());
    for (ComponentId id : candidates) {
        const Component& candidate = program_.component(id);
        const bool chosen =
            model.empty() ? program_.models.size() == 1 && !candidate.is_experiment : candidate.name == model;
        if (!chosen) continue;
        for (FileId file{0}; file.value < sources_.files.size(); ++file.value) {
            const std::string& name = sources_.file(file).value_of;
            for (std::size_t i = 0; !name.empty() && i < program_.component(id).parameters.size(); ++i) {
                const Parameter parameter = program_.component(id).parameters[i];  // a copy: values grow the program
                if (parameter.name == name)
                    program_.components[id.value].parameters[i].defined = defined_value(file, parameter);
            }
        }
    }
}

ExprId Checker::defined_value(FileId file, const Parameter& p)
{
    const SyntaxId root = tree_.roots[file.value];
    const auto written = syntax::File(tree_, root).declarations();  // an expression
    enter(root);
    // The shell takes quotes away.
    const bool text_only = p.type.kind == TypeKind::string && !p.type.list;
    if (text_only && (written.empty() || tree_.kind(written[0]) != SyntaxKind::literal_string)) {
        program_.strings.push_back(sources_.file(file).text);
        const ExprId v =
            add(ExprKind::string, p.type, span(root), static_cast<std::uint32_t>(program_.strings.size() - 1));
        check_range(v, p.range, p.type, p.name, p.span);
        return v;
    }
    if (p.type.kind == TypeKind::node) {
        diagnostics_
            .report(Diag::invalid_define, span(root),
                    fmt::format("`{}` is {}, and nodes are in models only", p.name, a_named(p.type)))
            .also(p.span, "declared here");
        return error(span(root));
    }
    for (const auto& [other, errors] : tree_.no_values)
        if (other == file) diagnostics_.append(errors);
    if (written.empty()) {
        if (sources_.file(file).text.empty())
            diagnostics_.report(Diag::invalid_define, span(root), fmt::format("`{}` is given no value", p.name))
                .also(p.span, "declared here");
        return error(span(root));
    }
    const ExprId v = value(written[0], p.type, fmt::format("`{}`", p.name));
    check_range(v, p.range, p.type, p.name, p.span);
    return v;
}

}  // namespace anml
