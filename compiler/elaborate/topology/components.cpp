// Components that extend others, and overrides: other values for what a component makes, given where an instance stands
// or by the component that extends it. Of several the outermost holds.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {

// The base first, in the same frame: its slots are the first ones.
void Elaborator::body(const Component& component, Frame& frame, Span span)
{
    if (component.base) {
        const Component& base = program_.component(component.base);
        const Span outer_use = leading_from(span);
        // An experiment has its model's parameters, in the same slots.
        if (!component.is_experiment) bind_parameters(base.parameters, component.base_arguments, frame, frame, span);
        const auto outer = overrides_;
        activate(component.overrides, frame);
        body(base, frame, span);
        overrides_ = outer;
        led_from_ = outer_use;
    }
    empty_arrays(component, frame);
    const Component* const outer = std::exchange(component_, &component);
    execute(component.body, frame);
    component_ = outer;
}

std::vector<Elaborator::ActiveOverride> Elaborator::entering(const std::vector<ActiveOverride>& active,
                                                             std::string_view instance) const
{
    std::vector<ActiveOverride> result;
    for (const ActiveOverride& o : active)
        if (o.depth + 1 < o.override->path.size() && o.override->path[o.depth] == instance)
            result.push_back({o.override, o.depth + 1, o.frame});
    return result;
}

void Elaborator::activate(const std::vector<Override>& overrides, Frame& frame)
{
    std::vector<ActiveOverride> all;
    for (const Override& o : overrides) {
        all.push_back({&o, 0, &frame});
        override_used_.try_emplace(&o, false);
    }
    all.insert(all.end(), overrides_.begin(), overrides_.end());
    overrides_ = std::move(all);
}

std::vector<Elaborator::ActiveOverride> Elaborator::overrides_of(std::string_view name)
{
    std::vector<ActiveOverride> result;
    for (const ActiveOverride& o : overrides_) {
        if (o.depth + 1 != o.override->path.size() || o.override->path[o.depth] != name) continue;
        override_used_[o.override] = true;
        result.push_back(o);
    }
    return result;
}

std::shared_ptr<const SchemaValue> Elaborator::overridden(std::string_view name,
                                                          std::shared_ptr<const SchemaValue> value,
                                                          std::string_view what)
{
    if (overrides_.empty()) return value;
    for (const ActiveOverride& o : overrides_of(name)) {
        if (!value) return value;
        if (!o.override->attributes.empty())
            value =
                schema_value(o.override->schema, o.override->attributes, *o.frame, value.get(), o.override->span, what);
    }
    return value;
}

void Elaborator::report_unused_overrides()
{
    for (const auto& [override, used] : override_used_)
        if (!used)
            report(Diag::absent_name, override->span,
                   "an `if` or an empty array did not make this, so nothing is overridden");
}

}  // namespace anml
