// The statements of a body in one frame: loops and conditions unrolled, instances entered depth first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "elaborate/addressing/addressing.h"
#include "elaborate/model.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

constexpr std::size_t kMostInstances = 2'000'000;

constexpr std::size_t kMaxTasks = 256;      // named ones
constexpr std::size_t kDeepestPassed = 32;  // components that are passed can make each other for ever

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

bool is_made_text(const Expr& e)
{ return e.type.kind == TypeKind::string && !e.type.list && e.kind != ExprKind::string; }

// A condition as it is written, with what `shown` says of its parts in their places; "": nothing.
template <class Shown>
std::string in_round(const CheckedProgram& program, const RequireStatement& s, Span span, const Shown& shown)
{
    std::map<std::uint32_t, std::pair<Span, std::string>, std::greater<>> parts;  // by place, the last one first
    const auto look = [&](const auto& self, ExprId id) -> void {
        if (!id || program.expr(id).kind == ExprKind::comprehension) return;  // its names have no values here
        const Expr& e = program.expr(id);
        const bool within = e.span.file == span.file && e.span.begin >= span.begin && e.span.end <= span.end;
        if (std::string text = within ? shown(id) : ""; !text.empty()) return void(parts.try_emplace(e.span.begin, e.span, text));
        for (const ExprId operand : program.operands_of(e)) self(self, operand);
    };
    look(look, s.condition);
    std::string text = s.text;
    for (const auto& [begin, part] : parts) {
        const auto& [place, value] = part;
        text.replace(place.begin - span.begin, place.end - place.begin, value);
    }
    return text;
}

std::string does_not_hold(const std::string& condition) { return fmt::format("`{}` does not hold", condition); }

// Index of its frame.
std::uint32_t make_instance(Elaboration& in, const InstanceStatement& s, const Statement& at, Frame& frame,
                            const Component& component, std::span<const std::int64_t> numbers)
{
    const auto index = static_cast<std::uint32_t>(in.frames.size());
    Frame& inner = in.frames.emplace_back();
    inner.path = in.report.path_of(bracketed(in.program, s.name, numbers, s.brackets.keys));
    inner.slots.resize(component.slot_count);
    const std::string outer = std::exchange(in.report.path, inner.path);
    auto inherited = entering(in.overrides, s.name);
    auto outer_overrides = std::exchange(in.overrides, {});
    const std::uint32_t outer_pool = in.pool, outer_region = in.region;
    const std::size_t outer_row = std::exchange(in.first_row, in.network.nodes.size());
    const std::optional<Span> outer_region_at = std::exchange(in.region_at, std::nullopt),
                              outer_prefix_at = std::exchange(in.prefix_at, std::nullopt);
    const Span outer_use = in.report.leading_from(at.span);
    set_index(in, s.index_slot, s.key_slot, numbers.subspan(s.brackets.numbers.size()),
              std::span(s.brackets.keys).subspan(s.brackets.numbers.size()), frame);
    bind_instance(in, s, component, frame, inner, at.span);
    in.overrides = std::move(inherited);
    activate(in, s.overrides, frame);
    in.inside += s.passed.valid();
    body(in, component, inner, at.span);
    in.inside -= s.passed.valid();
    in.report.led_from = outer_use;
    in.report.path = outer;
    in.overrides = std::move(outer_overrides);
    in.pool = outer_pool;
    in.region = outer_region;
    in.region_at = outer_region_at;
    in.prefix_at = outer_prefix_at;
    in.first_row = outer_row;
    return index;
}

void instance(Elaboration& in, const InstanceStatement& s, const Statement& at, Frame& frame)
{
    const Component& component = component_of(in.program, s, frame);
    if (s.brackets.numbers.empty()) frame.slots[s.slot] = {Failed{}};
    if (s.passed && in.inside >= kDeepestPassed) {
        in.report(Diag::nesting_too_deep, at.span,
                  fmt::format("instances of components that are passed stand in each other more than {} deep",
                              kDeepestPassed));
        return;
    }
    const auto given = dimensions(in, s.brackets, s.name, frame);
    if (!given) {
        frame.slots[s.slot] = {Failed{}};
        return;
    }
    constexpr std::uint64_t kMostElements = 1'000'000;
    const auto count = product(given->counts, kMostElements);
    if (!count) {
        in.report(Diag::network_too_large, in.program.expr(s.brackets.counts.front()).span,
                  fmt::format("`{}` cannot have {} elements", s.name, fmt::join(given->counts, " times ")));
        return;
    }
    if (in.frames.size() + *count > kMostInstances) {
        in.report(Diag::network_too_large, at.span,
                  fmt::format("the model makes more than {} instances", kMostInstances));
        in.steps = kMaxSteps + 1;  // and no others
        return;
    }
    Value made = given->counts.empty() ? Value{} : Value{InstanceSet{{{}}}};
    std::vector<std::int64_t> numbers = given->numbers;
    for (std::uint64_t i = 0; i < *count && in.steps <= kMaxSteps; ++i) {
        numbers.resize(given->numbers.size());
        place_at(i, given->counts, numbers);
        const std::uint32_t index = make_instance(in, s, at, frame, component, numbers);
        const std::span<const std::int64_t> own = std::span(numbers).subspan(given->numbers.size());
        if (own.empty())
            made = {InstanceSet{{{index}}}};
        else
            add_element(made, own, {InstanceSet{{{index}}}}, false);
    }
    if (given->numbers.empty())
        frame.slots[s.slot] = std::move(made);
    else
        add_numbered(in.program, in.report, frame.slots[s.slot], given->numbers, std::move(made),
                     !given->counts.empty(), s.name, s.brackets.keys, at.span);
}

void run_statement(Elaboration& in, const RunStatement& s, const Statement& at, Frame& frame)
{
    if (s.of_experiment) return experiment_run(in, s, at, frame);
    if (!once(in.report, in.run_at, at, "run")) return;
    const auto value = overridden(
        in, "run", schema_value(in, in.program.run, s.attributes, frame, nullptr, at.span, "`run`"), "`run`");
    if (!value) return;
    in.network.duration = number_of(in.program, *value, "duration");
    in.network.warmup = number_of(in.program, *value, "warmup");
}

void addressing(Elaboration& in, const AddressingStatement& s, const Statement& at, Frame& frame)
{
    if (s.of_component) return instance_prefix(in, s, at, frame);
    if (!once(in.report, in.addressing_at, at, "addressing")) return;
    const auto value = overridden(
        in, "addressing",
        schema_value(in, in.program.addressing, s.attributes, frame, nullptr, at.span, "`addressing`"), "`addressing`");
    if (!value) return;
    const auto* pool = attribute_of(in.program, *value, "pool").as<PrefixValue>();
    const auto* ipv6 = attribute_of(in.program, *value, "ipv6").as<PrefixValue>();
    if (!pool || !second_family(in.report, pool, ipv6, "pool", at.span)) return;
    in.network.ipv6_alone = pool->ipv6;
    if (const auto* six = pool->ipv6 ? pool : ipv6) {
        in.network.ipv6_pool = six->bits;
        in.network.ipv6_pool_length = six->length;
    }
    in.network.pool_first = pool->ipv6 ? 0 : static_cast<std::uint32_t>(pool->bits);
    in.network.pool_length = pool->ipv6 ? 33 : pool->length;
    if (const auto* gateway = attribute_of(in.program, *value, "gateway").as<AddressValue>()) {
        if (gateway->ipv6 || pool->ipv6) {
            in.report(Diag::invalid_address, at.span,
                      pool->ipv6 ? "a `gateway` is of IPv4, and the pool is not" : "a `gateway` is of IPv4");
            return;
        }
        in.network.gateway = static_cast<std::uint32_t>(gateway->bits);
        in.gateway_at = place_of(in.program, s.attributes, in.program.addressing, "gateway", at.span);
    }
}

}  // namespace

void execute(Elaboration& in, const std::vector<StatementId>& body, Frame& frame)
{
    for (StatementId id : body) {
        const Statement& at = in.program.statement(id);
        if (!step(in, at)) return;
        const std::uint32_t outer_task = in.task;
        if (at.task != abi::kNone) place(in, in.program.tasks[at.task]);
        std::visit(Overloaded{
                       [&](const NodeStatement& s) { node(in, s, at, frame); },
                       [&](const InstanceStatement& s) { instance(in, s, at, frame); },
                       [&](const LinkStatement& s) {
                           const std::size_t rows = in.network.links.size();
                           link(in, s, at, frame);
                           in.link_missing = in.link_missing ||
                                             (in.network.links.size() == rows && in.report.diagnostics.has_errors());
                       },
                       [&](const LetStatement& s) { frame.slots[s.slot] = evaluate(in, s.value, frame); },
                       [&](const ForStatement& s) { loop(in, s, at, frame); },
                       [&](const IfStatement& s) {
                           const auto condition = shape(in, s.condition, frame, "an `if`");
                           if (condition) execute(in, *condition != 0 ? s.then : s.otherwise, frame);
                           in.skipped = in.skipped || !condition;
                       },
                       [&](const WorkloadStatement& s) { workload(in, s, at, frame); },
                       [&](const RequireStatement& s) {
                           const auto holds = number(in, s.condition, frame);
                           if (!holds || in.network.values.as_constant(*holds).value_or(0) != 0) return;
                           const auto message = message_of(in, s, frame);
                           if (!message) return;
                           if (in.network.values.as_constant(*holds) == 0.0) {
                               auto failed = in.report(Diag::requirement_failed, at.span, *message);
                               note_sides(in, failed, s.condition, frame);
                               return;
                           }
                           const auto shown = [&](ExprId id) -> std::string {
                               const Expr& e = in.program.expr(id);
                               const bool number = std::ranges::any_of(in.report.rounds, [&](const Round& round) {
                                   const ForStatement& loop = *round.statement;
                                   return e.kind == ExprKind::local && round.frame == &frame &&
                                          (e.index == loop.slot || e.index == loop.number_slot);
                               });
                               if (!number && !is_made_text(e)) return "";
                               const Value v = evaluate(in, id, frame);
                               if (const auto* text = v.as<std::string>()) return fmt::format("\"{}\"", *text);
                               const auto n = number_in(in.network.values, v);
                               const auto known = n ? in.network.values.as_constant(*n) : std::nullopt;
                               return known ? format_quantity(*known, e.type.dim) : "";
                           };
                           const std::string text =
                               in.report.rounds.empty() ? s.text : in_round(in.program, s, at.span, shown);
                           const bool made_up = !s.computed && s.message == does_not_hold(s.text);
                           require(in, *holds, made_up ? does_not_hold(text) : *message, at.span, false, text);
                       },
                       [&](const RunStatement& s) { run_statement(in, s, at, frame); },
                       [&](const AddressingStatement& s) { addressing(in, s, at, frame); },
                       [&](const RoutingStatement& s) { routing(in, s, at, frame); },
                       [&](const StaticRouteStatement& s) { static_route(in, s, at, frame); },
                       [&](const TimelineStatement& s) { timeline(in, s, at, frame); },
                       [&](const PortStatement& s) {
                           frame.slots[s.slot] = evaluate(in, s.value, frame);
                           auto* nodes = std::get_if<NodeSet>(&frame.slots[s.slot].form);
                           if (nodes && s.keys != abi::kNone) nodes->keys = in.program.key_set(s.keys);
                       },
                       [&](const FactorStatement& s) { factor(in, s, at, frame); },
                       [&](const LabelStatement& s) { label(in, s, frame); },
                       [&](const ReportStatement& s) { report_by(in, s, at); },
                       [&](const MeasureStatement& s) { measured(in, evaluate(in, s.measured, frame), at); },
                   },
                   at.form);
        in.task = outer_task;
    }
}

bool step(Elaboration& in, const Statement& at)
{
    if (in.steps > kMaxSteps) return false;
    if (++in.steps <= kMaxSteps) return true;
    in.report(Diag::network_too_large, at.span, fmt::format("the model makes more than {} statements", kMaxSteps));
    return false;
}

bool within_budget(Elaboration& in, std::uint64_t count, Span place, std::string_view what)
{
    if (count <= kMaxSteps) return true;
    in.report(Diag::network_too_large, place, fmt::format("{} more than {} times", what, kMaxSteps));
    return false;
}

void place(Elaboration& in, const TaskName& task)
{
    const auto [it, fresh] =
        in.tasks.try_emplace(in.report.path_of(task.name), static_cast<std::uint32_t>(in.tasks.size()));
    if (fresh) in.network.task_names.push_back(it->first);
    if (fresh && in.tasks.size() == kMaxTasks + 1)
        in.report(Diag::network_too_large, task.span, fmt::format("the model names more than {} tasks", kMaxTasks));
    in.task = it->second;
}

bool once(ReportOnce& report, std::optional<Span>& first, const Statement& at, std::string_view keyword)
{
    if (first) {
        auto second =
            report(Diag::repeated_statement, at.span, fmt::format("the model has a second `{}`", keyword));
        second.also(*first, "the first is here");
        if (keyword == "run") second.help("of a model that is extended it is overridden: `override run { ... }`");
        return false;
    }
    first = at.span;
    return true;
}

}  // namespace anml
