// Instances of components that were passed: the instance gives what the interface takes, the rest was given where the
// component was passed, or has a default.
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

const PassedComponent* passed_in(const Value& value)
{
    const auto* pointer = value.as<std::shared_ptr<const PassedComponent>>();
    return pointer ? pointer->get() : nullptr;
}

}  // namespace

Value passed_component(Elaboration& in, const Expr& e, Frame& frame)
{
    auto passed = std::make_shared<PassedComponent>();
    passed->component = ComponentId{e.index};
    for (ExprId argument : in.program.operands_of(e)) {
        auto& value = passed->arguments.emplace_back();
        if (argument) value = evaluate(in, argument, frame);
    }
    return {std::shared_ptr<const PassedComponent>(std::move(passed))};
}

const Component& component_of(const CheckedProgram& program, const InstanceStatement& s, Frame& frame)
{
    if (s.passed)
        if (const PassedComponent* passed = passed_in(frame.slots[program.expr(s.passed).index]))
            return program.component(passed->component);
    return program.component(s.component);
}

void bind_instance(Elaboration& in, const InstanceStatement& s, const Component& component, Frame& frame, Frame& inner,
                   Span span)
{
    const PassedComponent* passed = s.passed ? passed_in(frame.slots[in.program.expr(s.passed).index]) : nullptr;
    if (!passed) return bind_parameters(in, component.parameters, s.arguments, frame, inner, span);
    const std::vector<Parameter>& interface = in.program.component(s.component).parameters;
    std::vector<BoundArgument> given(component.parameters.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (passed->arguments[i]) given[i] = {passed->arguments[i], span};
        for (std::size_t k = 0; k < interface.size(); ++k)
            if (s.arguments[k] && interface[k].name == component.parameters[i].name)
                given[i] = {evaluate(in, s.arguments[k], frame), in.program.expr(s.arguments[k]).span};
    }
    bind_values(in, component.parameters, std::move(given), inner, span);
}

}  // namespace anml
