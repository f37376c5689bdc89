// Components that extend others, and overrides: other values for what a component makes, given where an instance stands
// or by the component that extends it. Of several the outermost holds.
#include <fmt/format.h>

#include "elaborate/topology/topology.h"

namespace anml {

// The base first, in the same frame: its slots are the first ones.
void body(Elaboration& in, const Component& component, Frame& frame, Span span)
{
    if (component.base) {
        const Component& base = in.program.component(component.base);
        const Span outer_use = in.report.leading_from(span);
        // An experiment has its model's parameters, in the same slots.
        if (!component.is_experiment)
            bind_parameters(in, base.parameters, component.base_arguments, frame, frame, span);
        const auto outer = in.overrides;
        activate(in, component.overrides, frame);
        body(in, base, frame, span);
        in.overrides = outer;
        in.report.led_from = outer_use;
    }
    empty_arrays(component, frame);
    const Component* const outer = std::exchange(in.component, &component);
    execute(in, component.body, frame);
    in.component = outer;
}

std::vector<ActiveOverride> entering(const std::vector<ActiveOverride>& active, std::string_view instance)
{
    std::vector<ActiveOverride> result;
    for (const ActiveOverride& o : active)
        if (o.depth + 1 < o.override->path.size() && o.override->path[o.depth] == instance)
            result.push_back({o.override, o.depth + 1, o.frame});
    return result;
}

void activate(Elaboration& in, const std::vector<Override>& overrides, Frame& frame)
{
    std::vector<ActiveOverride> all;
    for (const Override& o : overrides) {
        all.push_back({&o, 0, &frame});
        in.override_used.try_emplace(&o, false);
    }
    all.insert(all.end(), in.overrides.begin(), in.overrides.end());
    in.overrides = std::move(all);
}

std::vector<ActiveOverride> overrides_of(Elaboration& in, std::string_view name)
{
    std::vector<ActiveOverride> result;
    for (const ActiveOverride& o : in.overrides) {
        if (o.depth + 1 != o.override->path.size() || o.override->path[o.depth] != name) continue;
        in.override_used[o.override] = true;
        result.push_back(o);
    }
    return result;
}

std::shared_ptr<const SchemaValue> overridden(Elaboration& in, std::string_view name,
                                              std::shared_ptr<const SchemaValue> value, std::string_view what)
{
    if (in.overrides.empty()) return value;
    for (const ActiveOverride& o : overrides_of(in, name)) {
        if (!value) return value;
        if (!o.override->attributes.empty())
            value = schema_value(in, o.override->schema, o.override->attributes, *o.frame, value.get(),
                                 o.override->span, what);
    }
    return value;
}

void report_unused_overrides(Elaboration& in)
{
    for (const auto& [override, used] : in.override_used)
        if (!used)
            in.report(Diag::absent_name, override->span,
                      "an `if` or an empty array did not make this, so nothing is overridden");
}

}  // namespace anml
