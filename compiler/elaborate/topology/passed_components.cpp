// Instances of components that were passed: the instance gives what the interface takes, the rest was given where the
// component was passed, or has a default.
#include "elaborate/elaborator.h"

namespace anml {

Value Elaborator::passed_component(const Expr& e, Frame& frame)
{
    auto passed = std::make_shared<PassedComponent>();
    passed->component = ComponentId{e.index};
    for (ExprId argument : program_.operands_of(e)) {
        auto& value = passed->arguments.emplace_back();
        if (argument) value = evaluate(argument, frame);
    }
    return {std::shared_ptr<const PassedComponent>(std::move(passed))};
}

namespace {

const PassedComponent* passed_in(const Value& value)
{
    const auto* pointer = value.as<std::shared_ptr<const PassedComponent>>();
    return pointer ? pointer->get() : nullptr;
}

}  // namespace

const Component& Elaborator::component_of(const InstanceStatement& s, Frame& frame)
{
    if (s.passed)
        if (const PassedComponent* passed = passed_in(frame.slots[program_.expr(s.passed).index]))
            return program_.component(passed->component);
    return program_.component(s.component);
}

void Elaborator::bind_instance(const InstanceStatement& s, const Component& component, Frame& frame, Frame& inner,
                               Span span)
{
    const PassedComponent* passed = s.passed ? passed_in(frame.slots[program_.expr(s.passed).index]) : nullptr;
    if (!passed) return bind_parameters(component.parameters, s.arguments, frame, inner, span);
    const std::vector<Parameter>& interface = program_.component(s.component).parameters;
    std::vector<Argument> given(component.parameters.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (passed->arguments[i]) given[i] = {passed->arguments[i], span};
        for (std::size_t k = 0; k < interface.size(); ++k)
            if (s.arguments[k] && interface[k].name == component.parameters[i].name)
                given[i] = {evaluate(s.arguments[k], frame), program_.expr(s.arguments[k]).span};
    }
    bind_values(component.parameters, std::move(given), inner, span);
}

}  // namespace anml
