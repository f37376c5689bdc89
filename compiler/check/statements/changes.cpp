// `@changes(step, ramp)`: which attributes the timeline may change, and how.
#include <fmt/format.h>

#include "check/checker.h"
#include "runtime/abi/timeline.h"
#include "syntax/syntax_views.h"

namespace anml {

std::optional<abi::TimelineAttribute> changed_as(std::string_view attribute)
{
    for (std::uint32_t i = 0; i < abi::kTimelineAttributes; ++i)
        if (const auto known = static_cast<abi::TimelineAttribute>(i);
            !abi::is_of_workloads(known) && attribute == abi::timeline_attribute_name(known))
            return known;
    return std::nullopt;
}

void Checker::changes(SyntaxId id, SchemaId schema, Attribute& attribute)
{
    const syntax::Annotation annotation(tree_, id);
    const std::string_view name = text(annotation.name());
    if (name == "task") {
        diagnostics_.report(Diag::misplaced_annotation, span(annotation.name()),
                            "`@task` stands before a node or an instance");
        return;
    }
    if (name != "changes") {
        diagnostics_
            .report(Diag::unknown_name, span(annotation.name()), fmt::format("there is no annotation `@{}`", name))
            .help("`@changes(step, ramp)` is the only one of attributes");
        return;
    }
    bool fits = true;
    for (const SyntaxId given : syntax::ArgumentList(tree_, annotation.arguments()).arguments()) {
        const syntax::Argument argument(tree_, given);
        const std::string_view word =
            tree_.kind(argument.value()) == SyntaxKind::name ? text(argument.value()) : std::string_view();
        bool* how = word == "step" ? &attribute.steps : word == "ramp" ? &attribute.ramps : nullptr;
        if (argument.has_name() || !how || *how)
            fits = false;
        else
            *how = true;
    }
    if (!fits || !attribute.steps) {
        diagnostics_
            .report(Diag::type_mismatch, span(annotation.arguments()), "`@changes` takes `step`, or `step, ramp`")
            .help("`step`: at once, `ramp`: also step by step");
        return;
    }
    if (schema == program_.link && changed_as(attribute.name)) return;
    attribute.steps = attribute.ramps = false;
    diagnostics_
        .report(Diag::misplaced_annotation, span(annotation.name()),
                fmt::format("nothing changes `{}` while the model runs", attribute.name))
        .help("the timeline changes attributes of `Link`, those that the emulator can change");
}

}  // namespace anml
