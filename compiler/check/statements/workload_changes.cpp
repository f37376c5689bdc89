// What the timeline changes of workloads: `surf { active = 40 % }`. Of which workloads it can be changed is known when
// they are (elaborate/workloads/workload_changes.cpp).
#include "runtime/abi/workload_changes.h"

#include <fmt/format.h>

#include <span>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::changed_workload(SyntaxId block, const ActionStatement& common, TimelineStatement& timeline)
{
    constexpr const char* kWhatCan =
        "`active` of workloads can change, `load` of `web.OpenLoop`, `traffic.Flows` and `traffic.Background`, and "
        "`rate` of "
        "`traffic.Cbr` and `traffic.OnOff`";
    const bool ramp = timeline.form == abi::TimelineForm::ramp;
    const std::span<const SyntaxId> entries = syntax::AttributeBlock(tree_, block).attributes();
    if (entries.empty())
        diagnostics_.report(Diag::missing_attribute, span(block), "this changes nothing").help(kWhatCan);
    for (const SyntaxId entry : entries) {
        if (tree_.is_hole(entry)) continue;
        const syntax::Attribute written(tree_, entry);
        const std::string_view name = text(written.name());
        const abi::WorkloadAttribute* const known = abi::workload_attribute(name);
        if (!known) {
            diagnostics_
                .report(Diag::fixed_attribute, span(written.name()),
                        name == "up" || name == "down"
                            ? fmt::format("a workload has no direction `{}`", name)
                            : fmt::format("`{}` of a workload cannot change while the model runs", name))
                .help(kWhatCan);
            continue;
        }
        const SyntaxId values = written.value();
        if (tree_.kind(values) == SyntaxKind::attribute_block) {
            diagnostics_.report(Diag::type_mismatch, span(values), fmt::format("`{}` is one value", name))
                .help(fmt::format("write `{} = ...`", name));
            continue;
        }
        if (ramp && tree_.kind(values) != SyntaxKind::range) continue;  // a hole
        ActionStatement action = common;
        action.span = span(entry);
        action.attribute = known->attribute;
        const Type type{.kind = TypeKind::number,
                        .dim = known->unit == abi::Unit::rate ? dimension::rate : dimension::none};
        const auto checked = [&](SyntaxId syntax) {
            in_change_ = true;
            const ExprId v = value(syntax, type, fmt::format("`{}`", name));
            in_change_ = false;
            return v;
        };
        if (ramp) {
            const syntax::Range range(tree_, values);
            action.value = checked(range.low());
            action.last = checked(range.high());
            if (tree_.node(values).flags & syntax_flag::half_open)
                diagnostics_.report(Diag::syntax_error, span(values), "a ramp reaches its last value")
                    .help("write `..` between the two values")
                    .fix(tree_.node(values).token, "..");
        } else {
            action.value = checked(values);
        }
        timeline.actions.push_back(action);
    }
}

}  // namespace anml
