// The statements of a body in one frame: loops and conditions unrolled, instances entered depth first.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kMaxTasks = 256;  // named ones
constexpr std::size_t kMostInstances = 2'000'000;
constexpr std::size_t kDeepestPassed = 32;  // components that are passed can make each other for ever

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

void Elaborator::execute(const std::vector<StatementId>& body, Frame& frame)
{
    for (StatementId id : body) {
        const Statement& at = program_.statement(id);
        if (!step(at)) return;
        const std::uint32_t outer_task = task_;
        if (at.task != abi::kNone) place(program_.tasks[at.task]);
        std::visit(Overloaded{
                       [&](const NodeStatement& s) { node(s, at, frame); },
                       [&](const InstanceStatement& s) { instance(s, at, frame); },
                       [&](const LinkStatement& s) {
                           const std::size_t rows = network_.links.size();
                           link(s, at, frame);
                           link_missing_ =
                               link_missing_ || (network_.links.size() == rows && diagnostics_.has_errors());
                       },
                       [&](const LetStatement& s) { frame.slots[s.slot] = evaluate(s.value, frame); },
                       [&](const ForStatement& s) { loop(s, at, frame); },
                       [&](const IfStatement& s) {
                           const auto condition = shape(s.condition, frame, "an `if`");
                           if (condition) execute(*condition != 0 ? s.then : s.otherwise, frame);
                           skipped_ = skipped_ || !condition;
                       },
                       [&](const WorkloadStatement& s) { workload(s, at, frame); },
                       [&](const RequireStatement& s) {
                           const auto holds = number(s.condition, frame);
                           if (!holds) return;
                           if (network_.values.as_constant(*holds) == 0.0)
                               report(Diag::requirement_failed, at.span, s.message);
                           else
                               require(*holds, s.message, at.span, false, s.text);
                       },
                       [&](const RunStatement& s) { run_statement(s, at, frame); },
                       [&](const AddressingStatement& s) { addressing(s, at, frame); },
                       [&](const RoutingStatement& s) { routing(s, at, frame); },
                       [&](const StaticRouteStatement& s) { static_route(s, at, frame); },
                       [&](const TimelineStatement& s) { timeline(s, at, frame); },
                       [&](const PortStatement& s) { frame.slots[s.slot] = evaluate(s.value, frame); },
                       [&](const FactorStatement& s) { factor(s, at, frame); },
                       [&](const MeasureStatement& s) { measured(evaluate(s.measured, frame), at); },
                   },
                   at.form);
        task_ = outer_task;
    }
}

bool Elaborator::step(const Statement& at)
{
    if (steps_ > kMaxSteps) return false;
    if (++steps_ <= kMaxSteps) return true;
    report(Diag::network_too_large, at.span, fmt::format("the model makes more than {} statements", kMaxSteps));
    return false;
}

bool Elaborator::each_is_a_step(std::uint64_t count, Span place, std::string_view what)
{
    if (count <= kMaxSteps) return true;
    report(Diag::network_too_large, place, fmt::format("{} more than {} times", what, kMaxSteps));
    return false;
}

void Elaborator::place(const TaskName& task)
{
    const auto [it, fresh] = tasks_.try_emplace(path(task.name), static_cast<std::uint32_t>(tasks_.size()));
    if (fresh) network_.task_names.push_back(it->first);
    if (fresh && tasks_.size() == kMaxTasks + 1)
        report(Diag::network_too_large, task.span, fmt::format("the model names more than {} tasks", kMaxTasks));
    task_ = it->second;
}

void Elaborator::instance(const InstanceStatement& s, const Statement& at, Frame& frame)
{
    const Component& component = component_of(s, frame);
    frame.slots[s.slot] = {Failed{}};
    if (s.passed && inside_ >= kDeepestPassed) {
        report(Diag::nesting_too_deep, at.span,
               fmt::format("instances of components that are passed stand in each other more than {} deep",
                           kDeepestPassed));
        return;
    }
    std::int64_t count = 1;
    if (s.count) {
        const auto wanted = shape(s.count, frame, fmt::format("the count of `{}`", s.name));
        if (!wanted) return;
        count = *wanted;
        if (count < 0 || count > 1'000'000) {
            report(count < 0 ? Diag::out_of_range : Diag::network_too_large, program_.expr(s.count).span,
                   fmt::format("`{}` cannot have {} elements", s.name, count));
            return;
        }
    }
    if (frames_.size() + static_cast<std::size_t>(count) > kMostInstances) {
        report(Diag::network_too_large, at.span, fmt::format("the model makes more than {} instances", kMostInstances));
        steps_ = kMaxSteps + 1;  // and no others
        return;
    }
    InstanceSet set;
    set.groups.resize(1);
    const std::string outer = path_, base = path(s.name);
    const auto inherited = entering(overrides_, s.name);
    const auto outer_overrides = std::exchange(overrides_, {});
    const std::uint32_t outer_pool = pool_, outer_region = region_;
    const std::size_t outer_row = first_row_;
    const std::optional<Span> outer_region_at = region_at_, outer_prefix_at = prefix_at_;
    const Span outer_use = leading_from(at.span);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::uint32_t>(frames_.size());
        Frame& inner = frames_.emplace_back();
        inner.path = s.count ? fmt::format("{}[{}]", base, i) : base;
        inner.slots.resize(component.slot_count);
        path_ = inner.path;
        if (s.index_slot != abi::kNone) frame.slots[s.index_slot] = {Number{constant(static_cast<double>(i))}};
        bind_instance(s, component, frame, inner, at.span);
        overrides_ = inherited;
        pool_ = outer_pool;
        region_ = outer_region;
        region_at_.reset();
        prefix_at_.reset();
        first_row_ = network_.nodes.size();
        activate(s.overrides, frame);
        inside_ += s.passed.valid();
        body(component, inner, at.span);
        inside_ -= s.passed.valid();
        set.groups[0].push_back(index);
        if (steps_ > kMaxSteps) break;
    }
    led_from_ = outer_use;
    path_ = outer;
    overrides_ = outer_overrides;
    pool_ = outer_pool;
    region_ = outer_region;
    region_at_ = outer_region_at;
    prefix_at_ = outer_prefix_at;
    first_row_ = outer_row;
    frame.slots[s.slot] = {std::move(set)};
}

bool Elaborator::once(std::optional<Span>& first, const Statement& at, std::string_view keyword)
{
    if (first) {
        report(Diag::repeated_statement, at.span, fmt::format("the model has a second `{}`", keyword))
            .also(*first, "the first is here");
        return false;
    }
    first = at.span;
    return true;
}

void Elaborator::run_statement(const RunStatement& s, const Statement& at, Frame& frame)
{
    if (s.of_experiment) return experiment_run(s, at, frame);
    if (!once(run_at_, at, "run")) return;
    const auto value =
        overridden("run", schema_value(program_.run, s.attributes, frame, nullptr, at.span, "`run`"), "`run`");
    if (!value) return;
    network_.duration = number_of(*value, "duration");
    network_.warmup = number_of(*value, "warmup");
}

void Elaborator::addressing(const AddressingStatement& s, const Statement& at, Frame& frame)
{
    if (s.of_component) return instance_prefix(s, at, frame);
    if (!once(addressing_at_, at, "addressing")) return;
    const auto value = overridden(
        "addressing", schema_value(program_.addressing, s.attributes, frame, nullptr, at.span, "`addressing`"),
        "`addressing`");
    if (!value) return;
    const auto* pool = attribute_of(*value, "pool").as<PrefixValue>();
    if (!pool) return;
    network_.pool_first = pool->bits;
    network_.pool_length = pool->length;
    if (const auto* gateway = attribute_of(*value, "gateway").as<AddressValue>()) {
        network_.gateway = gateway->bits;
        gateway_at_ = at.span;
    }
}

}  // namespace anml
