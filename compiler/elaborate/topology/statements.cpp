// The statements of a body in one frame: loops and conditions unrolled, instances entered depth first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kMaxTasks = 256;      // named ones
constexpr std::size_t kDeepestPassed = 32;  // components that are passed can make each other for ever

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

bool is_made_text(const Expr& e)
{
    return e.type.kind == TypeKind::string && !e.type.list && e.kind != ExprKind::string;
}

// A condition as it is written, with what `shown` says of its parts in their places; "": nothing.
template <class Shown>
std::string in_round(const CheckedProgram& program, const RequireStatement& s, Span span, const Shown& shown)
{
    std::vector<std::pair<Span, std::string>> parts;
    const auto look = [&](const auto& self, ExprId id) -> void {
        if (!id || program.expr(id).kind == ExprKind::comprehension) return;  // its names have no values here
        const Expr& e = program.expr(id);
        const bool within = e.span.file == span.file && e.span.begin >= span.begin && e.span.end <= span.end;
        if (std::string text = within ? shown(id) : ""; !text.empty()) return void(parts.emplace_back(e.span, text));
        for (const ExprId operand : program.operands_of(e)) self(self, operand);
    };
    look(look, s.condition);
    std::ranges::sort(parts, std::greater(), [](const auto& part) { return part.first.begin; });
    std::string text = s.text;
    for (const auto& [place, value] : parts) text.replace(place.begin - span.begin, place.end - place.begin, value);
    return text;
}

std::string does_not_hold(const std::string& condition) { return fmt::format("`{}` does not hold", condition); }

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
                           if (!holds || network_.values.as_constant(*holds).value_or(0) != 0) return;
                           const auto message = message_of(s, frame);
                           if (!message) return;
                           if (network_.values.as_constant(*holds) == 0.0) {
                               auto failed = report(Diag::requirement_failed, at.span, *message);
                               note_sides(failed, s.condition, frame);
                               return;
                           }
                           const auto shown = [&](ExprId id) -> std::string {
                               const Expr& e = program_.expr(id);
                               const bool number = std::ranges::any_of(rounds_, [&](const Round& round) {
                                   const ForStatement& loop = *round.statement;
                                   return e.kind == ExprKind::local && round.frame == &frame &&
                                          (e.index == loop.slot || e.index == loop.number_slot);
                               });
                               if (!number && !is_made_text(e)) return "";
                               const Value v = evaluate(id, frame);
                               if (const auto* text = v.as<std::string>()) return fmt::format("\"{}\"", *text);
                               const auto n = number_in(v);
                               const auto known = n ? network_.values.as_constant(*n) : std::nullopt;
                               return known ? format_quantity(*known, e.type.dim) : "";
                           };
                           const std::string text = rounds_.empty() ? s.text : in_round(program_, s, at.span, shown);
                           const bool made_up = !s.computed && s.message == does_not_hold(s.text);
                           require(*holds, made_up ? does_not_hold(text) : *message, at.span, false, text);
                       },
                       [&](const RunStatement& s) { run_statement(s, at, frame); },
                       [&](const AddressingStatement& s) { addressing(s, at, frame); },
                       [&](const RoutingStatement& s) { routing(s, at, frame); },
                       [&](const StaticRouteStatement& s) { static_route(s, at, frame); },
                       [&](const TimelineStatement& s) { timeline(s, at, frame); },
                       [&](const PortStatement& s) {
                           frame.slots[s.slot] = evaluate(s.value, frame);
                           auto* nodes = std::get_if<NodeSet>(&frame.slots[s.slot].form);
                           if (nodes && s.keys != abi::kNone) nodes->keys = program_.key_set(s.keys);
                       },
                       [&](const FactorStatement& s) { factor(s, at, frame); },
                       [&](const LabelStatement& s) { label(s, frame); },
                       [&](const ReportStatement& s) { report_by(s, at); },
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

bool Elaborator::within_budget(std::uint64_t count, Span place, std::string_view what)
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
    if (s.brackets.numbers.empty()) frame.slots[s.slot] = {Failed{}};
    if (s.passed && inside_ >= kDeepestPassed) {
        report(Diag::nesting_too_deep, at.span,
               fmt::format("instances of components that are passed stand in each other more than {} deep",
                           kDeepestPassed));
        return;
    }
    const auto given = dimensions(s.brackets, s.name, frame);
    if (!given) {
        frame.slots[s.slot] = {Failed{}};
        return;
    }
    constexpr std::uint64_t kMostElements = 1'000'000;
    const auto count = product(given->counts, kMostElements);
    if (!count) {
        report(Diag::network_too_large, program_.expr(s.brackets.counts.front()).span,
               fmt::format("`{}` cannot have {} elements", s.name, fmt::join(given->counts, " times ")));
        return;
    }
    if (frames_.size() + *count > kMostInstances) {
        report(Diag::network_too_large, at.span, fmt::format("the model makes more than {} instances", kMostInstances));
        steps_ = kMaxSteps + 1;  // and no others
        return;
    }
    Value made = given->counts.empty() ? Value{} : Value{InstanceSet{{{}}}};
    std::vector<std::int64_t> numbers = given->numbers;
    for (std::uint64_t i = 0; i < *count && steps_ <= kMaxSteps; ++i) {
        numbers.resize(given->numbers.size());
        place_at(i, given->counts, numbers);
        const std::uint32_t index = make_instance(s, at, frame, component, numbers);
        const std::span<const std::int64_t> own = std::span(numbers).subspan(given->numbers.size());
        if (own.empty())
            made = {InstanceSet{{{index}}}};
        else
            add_element(made, own, {InstanceSet{{{index}}}}, false);
    }
    if (given->numbers.empty())
        frame.slots[s.slot] = std::move(made);
    else
        add_numbered(frame.slots[s.slot], given->numbers, std::move(made), !given->counts.empty(), s.name,
                     s.brackets.keys, at.span);
}

// Index of its frame.
std::uint32_t Elaborator::make_instance(const InstanceStatement& s, const Statement& at, Frame& frame,
                                        const Component& component, std::span<const std::int64_t> numbers)
{
    const auto index = static_cast<std::uint32_t>(frames_.size());
    Frame& inner = frames_.emplace_back();
    inner.path = path(bracketed(s.name, numbers, s.brackets.keys));
    inner.slots.resize(component.slot_count);
    const std::string outer = std::exchange(path_, inner.path);
    auto inherited = entering(overrides_, s.name);
    auto outer_overrides = std::exchange(overrides_, {});
    const std::uint32_t outer_pool = pool_, outer_region = region_;
    const std::size_t outer_row = std::exchange(first_row_, network_.nodes.size());
    const std::optional<Span> outer_region_at = std::exchange(region_at_, std::nullopt),
                              outer_prefix_at = std::exchange(prefix_at_, std::nullopt);
    const Span outer_use = leading_from(at.span);
    set_index(s.index_slot, s.key_slot, numbers.subspan(s.brackets.numbers.size()),
              std::span(s.brackets.keys).subspan(s.brackets.numbers.size()), frame);
    bind_instance(s, component, frame, inner, at.span);
    overrides_ = std::move(inherited);
    activate(s.overrides, frame);
    inside_ += s.passed.valid();
    body(component, inner, at.span);
    inside_ -= s.passed.valid();
    led_from_ = outer_use;
    path_ = outer;
    overrides_ = std::move(outer_overrides);
    pool_ = outer_pool;
    region_ = outer_region;
    region_at_ = outer_region_at;
    prefix_at_ = outer_prefix_at;
    first_row_ = outer_row;
    return index;
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
    const auto* ipv6 = attribute_of(*value, "ipv6").as<PrefixValue>();
    if (!pool || !second_family(pool, ipv6, "pool", at.span)) return;
    network_.ipv6_alone = pool->ipv6;
    if (const auto* six = pool->ipv6 ? pool : ipv6) {
        network_.ipv6_pool = six->bits;
        network_.ipv6_pool_length = six->length;
    }
    network_.pool_first = pool->ipv6 ? 0 : static_cast<std::uint32_t>(pool->bits);
    network_.pool_length = pool->ipv6 ? 33 : pool->length;
    if (const auto* gateway = attribute_of(*value, "gateway").as<AddressValue>()) {
        if (gateway->ipv6 || pool->ipv6) {
            report(Diag::invalid_address, at.span,
                   pool->ipv6 ? "a `gateway` is of IPv4, and the pool is not" : "a `gateway` is of IPv4");
            return;
        }
        network_.gateway = static_cast<std::uint32_t>(gateway->bits);
        gateway_at_ = place_of(s.attributes, program_.addressing, "gateway", at.span);
    }
}

}  // namespace anml
