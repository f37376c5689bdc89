// What the timeline changes of workloads: `surf { active = 40 % }`. Of which workloads it can be changed is known when
// they are (elaborate/workloads/workload_changes.cpp).
#include "runtime/abi/workload_changes.h"

#include <fmt/format.h>

#include <span>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {

void changed_workload(Checking& in, SyntaxId block, const ActionStatement& common, TimelineStatement& timeline)
{
    constexpr const char* kWhatCan =
        "`active` of workloads can change, `load` of `web.OpenLoop`, `traffic.Flows` and `traffic.Background`, and "
        "`rate` of "
        "`traffic.Cbr` and `traffic.OnOff`";
    const bool ramp = timeline.form == abi::TimelineForm::ramp;
    const std::span<const SyntaxId> entries = syntax::AttributeBlock(in.tree, block).attributes();
    if (entries.empty()) in.report(Diag::missing_attribute, in.span(block), "this changes nothing").help(kWhatCan);
    for (const SyntaxId entry : entries) {
        if (in.tree.is_hole(entry)) continue;
        const syntax::Attribute written(in.tree, entry);
        const std::string_view name = in.text(written.name());
        const abi::WorkloadAttribute* const known = abi::workload_attribute(name);
        if (!known) {
            in.report(Diag::fixed_attribute, in.span(written.name()),
                      name == "up" || name == "down"
                          ? fmt::format("a workload has no direction `{}`", name)
                          : fmt::format("`{}` of a workload cannot change while the model runs", name))
                .help(kWhatCan);
            continue;
        }
        const SyntaxId values = written.value();
        if (in.tree.kind(values) == SyntaxKind::attribute_block) {
            in.report(Diag::type_mismatch, in.span(values), fmt::format("`{}` is one value", name))
                .help(fmt::format("write `{} = ...`", name));
            continue;
        }
        if (ramp && in.tree.kind(values) != SyntaxKind::range) continue;  // a hole
        ActionStatement action = common;
        action.span = in.span(entry);
        action.attribute = known->attribute;
        const Type type{.kind = TypeKind::number,
                        .dim = known->unit == abi::Unit::rate ? dimension::rate : dimension::none};
        const auto checked = [&](SyntaxId syntax) {
            in.in_change = true;
            const ExprId v = value(in, syntax, type, fmt::format("`{}`", name));
            in.in_change = false;
            return v;
        };
        if (ramp) {
            const syntax::Range range(in.tree, values);
            action.value = checked(range.low());
            action.last = checked(range.high());
            if (in.tree.node(values).flags & syntax_flag::half_open)
                in.report(Diag::syntax_error, in.span(values), "a ramp reaches its last value")
                    .help("write `..` between the two values")
                    .fix(in.tree.node(values).token, "..");
        } else {
            action.value = checked(values);
        }
        timeline.actions.push_back(action);
    }
}

}  // namespace anml
