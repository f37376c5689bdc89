// `@changes(step, ramp)`: which attributes the timeline may change, and how.
#include <fmt/format.h>

#include "check/statements/statements.h"
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

void changes(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, SyntaxId id,
             SchemaId schema, Attribute& attribute)
{
    const syntax::Annotation annotation(source.tree, id);
    const std::string_view name = source.text(annotation.name());
    if (name == "task") {
        diagnostics.report(Diag::misplaced_annotation, source.span(annotation.name()),
                           "`@task` stands before a node or an instance");
        return;
    }
    if (name != "changes") {
        diagnostics
            .report(Diag::unknown_name, source.span(annotation.name()),
                    fmt::format("there is no annotation `@{}`", name))
            .help("`@changes(step, ramp)` is the only one of attributes");
        return;
    }
    bool fits = true;
    for (const SyntaxId given : syntax::ArgumentList(source.tree, annotation.arguments()).arguments()) {
        const syntax::Argument argument(source.tree, given);
        const std::string_view word =
            source.tree.kind(argument.value()) == SyntaxKind::name ? source.text(argument.value()) : std::string_view();
        bool* how = word == "step" ? &attribute.steps : word == "ramp" ? &attribute.ramps : nullptr;
        if (argument.has_name() || !how || *how)
            fits = false;
        else
            *how = true;
    }
    if (!fits || !attribute.steps) {
        diagnostics
            .report(Diag::type_mismatch, source.span(annotation.arguments()),
                    "`@changes` takes `step`, or `step, ramp`")
            .help("`step`: at once, `ramp`: also step by step");
        return;
    }
    if (schema == program.link && changed_as(attribute.name)) return;
    attribute.steps = attribute.ramps = false;
    diagnostics
        .report(Diag::misplaced_annotation, source.span(annotation.name()),
                fmt::format("nothing changes `{}` while the model runs", attribute.name))
        .help("the timeline changes attributes of `Link`, those that the emulator can change");
}

}  // namespace anml
