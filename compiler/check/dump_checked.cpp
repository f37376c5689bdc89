// --emit=checked: declarations with resolved types, bodies as an outline.
#include <fmt/format.h>

#include "base/address.h"
#include "check/check.h"
#include "runtime/abi/timeline.h"

namespace anml {
namespace {

class Dumper {
  public:
    explicit Dumper(const CheckedProgram& program) : p_(program) {}

    std::string run()
    {
        for (const Enum& e : p_.enums) {
            line("enum {}", e.full_name);
            ++depth_;
            for (const std::string& v : e.values) line("{}", v);
            --depth_;
        }
        for (const Schema& s : p_.schemas) {
            line("schema {}{}", s.full_name, s.base ? " : " + p_.schema(s.base).full_name : "");
            ++depth_;
            for (const Attribute& a : s.attributes)
                line("{}{}: {}{}{}{}",
                     a.ramps   ? "@changes(step, ramp) "
                     : a.steps ? "@changes(step) "
                               : "",
                     a.name, type_name(p_, a.type), a.optional ? "?" : "", range(a.range), fallback(a.fallback));
            for (const SchemaRequirement& r : s.requirements) line("require {}", text(r.require.condition));
            for (const SchemaTrait& t : s.traits) line("trait {} = {}", trait_name(t.trait), text(t.value));
            --depth_;
        }
        for (const Profile& p : p_.profiles) {
            line("profile {} : {}", p.full_name, p.base ? text(p.base) : p_.schema(p.schema).full_name);
            ++depth_;
            parameters(p.parameters);
            attributes(p.schema, p.attributes);
            --depth_;
        }
        for (const Process& p : p_.processes) {
            line("process {} : {}", p.full_name, type_name(p_, p.type));
            ++depth_;
            parameters(p.parameters);
            for (const Process::Variable& v : p.variables)
                line("state {}: {} = {} then {} @{}", v.name, type_name(p_, v.type), text(v.initial), text(v.next),
                     v.slot);
            line("yield {}", text(p.yield));
            --depth_;
        }
        for (const Component& c : p_.components) {
            line("{} {} ({} slots)",
                 c.is_experiment ? "experiment"
                 : c.is_model    ? "model"
                                 : "component",
                 c.full_name, c.slot_count);
            ++depth_;
            parameters(c.parameters);
            body(c.body);
            --depth_;
        }
        return std::move(out_);
    }

  private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        out_ += std::string(2 * depth_, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    std::string range(const ValueRange& r) const
    {
        return r.low ? fmt::format(" in {} {} {}", text(r.low), r.half_open ? "..<" : "..", text(r.high)) : "";
    }
    std::string fallback(ExprId id) const { return id ? " = " + text(id) : ""; }

    void parameters(const std::vector<Parameter>& list)
    {
        for (const Parameter& p : list)
            line("parameter {}{}: {}{}{} @{}", p.tunable ? "tunable " : "", p.name, type_name(p_, p.type),
                 range(p.range), fallback(p.fallback), p.slot);
    }

    void attributes(SchemaId schema, const std::vector<AttributeValue>& list)
    {
        for (const AttributeValue& v : list)
            line("{}{} = {}",
                 v.direction == LinkDirection::both ? ""
                 : v.direction == LinkDirection::up ? "up "
                                                    : "down ",
                 p_.schema(schema).attributes[v.attribute].name, text(v.value));
    }

    void body(const std::vector<StatementId>& list)
    {
        for (StatementId id : list) {
            std::visit([this](const auto& form) { show(form); }, p_.statement(id).form);
        }
    }
    void block(SchemaId schema, const std::vector<AttributeValue>& list)
    {
        ++depth_;
        attributes(schema, list);
        --depth_;
    }

    std::string brackets(const std::vector<ExprId>& numbers)
    {
        std::string result;
        for (const ExprId number : numbers) result += fmt::format("[{}]", text(number));
        return result;
    }
    void show(const NodeStatement& s)
    {
        line("{} {}{} @{}", node_kind_name(s.kind), s.name, brackets(s.brackets.numbers) + brackets(s.brackets.counts),
             s.slot);
        block(p_.node_schema(s.kind), s.attributes);
    }
    void show(const InstanceStatement& s)
    {
        const Component& component = p_.component(s.component);
        line("instance {}{} : {} @{}", s.name, brackets(s.brackets.numbers) + brackets(s.brackets.counts),
             component.full_name, s.slot);
        ++depth_;
        for (std::size_t i = 0; i < s.arguments.size(); ++i)
            if (s.arguments[i]) line("{} = {}", component.parameters[i].name, text(s.arguments[i]));
        --depth_;
    }
    void show(const PortStatement& s) { line("port @{} = {}", s.slot, text(s.value)); }
    void show(const LinkStatement& s)
    {
        line("link {}{}: {} {} {}{}", s.name, brackets(s.numbers), text(s.left), s.one_way ? "->" : "--", text(s.right),
             s.profile ? " : " + text(s.profile) : "");
        block(s.schema, s.attributes);
    }
    void show(const LetStatement& s) { line("let @{} = {}", s.slot, text(s.value)); }
    void show(const ForStatement& s)
    {
        line("for {}@{}{}{}{}", s.number_slot == abi::kNone ? "" : fmt::format("@{}, ", s.number_slot), s.slot,
             range(s.range), s.over ? " in " + text(s.over) : "", s.condition ? " while " + text(s.condition) : "");
        ++depth_;
        body(s.body);
        --depth_;
    }
    void show(const IfStatement& s)
    {
        line("if {}", text(s.condition));
        ++depth_;
        body(s.then);
        --depth_;
        if (s.otherwise.empty()) return;
        line("else");
        ++depth_;
        body(s.otherwise);
        --depth_;
    }
    void show(const WorkloadStatement& s)
    {
        line("workload {}{} : {} on {}", s.name, brackets(s.numbers), p_.schema(s.schema).full_name, text(s.on));
        block(s.schema, s.attributes);
    }
    void show(const RequireStatement& s)
    {
        if (s.computed)
            line("require {} else {}", text(s.condition), text(s.computed));
        else
            line("require {} else \"{}\"", text(s.condition), s.message);
    }
    void show(const RunStatement& s)
    {
        line("run");
        block(s.of_experiment ? p_.experiment : p_.run, s.attributes);
    }
    void show(const FactorStatement& s)
    {
        if (s.levels)
            line("vary {} in {}", s.name, text(s.levels));
        else
            line("search {} in {} .. {}", s.name, text(s.low), text(s.high));
    }
    void show(const LabelStatement& s)
    {
        std::string subjects, labels;
        for (const ExprId subject : s.subjects) subjects += (subjects.empty() ? "" : ", ") + text(subject);
        for (const LabelValue& label : s.labels)
            labels += fmt::format("{}{} = {}", labels.empty() ? "" : ", ", label.key, text(label.value));
        line("label {} {{ {} }}", subjects, labels);
    }
    void show(const ReportStatement& s)
    {
        std::string keys;
        for (const auto& [key, span] : s.keys) keys += (keys.empty() ? "" : ", ") + key;
        line("report by {}", keys);
    }
    void show(const MeasureStatement& s) { line("measure {}", text(s.measured)); }
    void show(const AddressingStatement& s)
    {
        line("addressing");
        block(s.of_component ? p_.component_addressing : p_.addressing, s.attributes);
    }
    void show(const RoutingStatement& s)
    {
        if (s.name.empty())
            line("routing");
        else
            line("routing {} on {}", s.name, text(s.nodes));
        block(p_.routing, s.attributes);
    }

    void show(const StaticRouteStatement& s)
    {
        std::string via = s.via.valid() ? text(s.via) : "";
        for (const ExprId segment : s.segments) via += (via.empty() ? "" : ", ") + text(segment);
        if (s.via.valid()) return line("route {} to {} via {}", text(s.source), text(s.destination), via);
        line("route {} to {} via [{}]", text(s.source), text(s.destination), via);
        block(p_.segment_list, s.attributes);
    }
    void show(const TimelineStatement& s)
    {
        static constexpr const char* kForms[] = {"at", "every", "from", "ramp"};
        const auto optional = [&](ExprId id) { return id ? text(id) : std::string("_"); };
        line("{} {} {} {}{}", kForms[static_cast<int>(s.form)], optional(s.first), optional(s.last), optional(s.step),
             s.number_slot == abi::kNone ? "" : fmt::format(" as @{}", s.number_slot));
        ++depth_;
        for (const ActionStatement& a : s.actions)
            line("{}{} {} = {}{}", text(a.object), a.other ? " -- " + text(a.other) : "",
                 abi::timeline_attribute_name(a.attribute),
                 a.value ? text(a.value)
                 : a.on  ? "true"
                         : "false",
                 a.last ? " .. " + text(a.last) : "");
        for (const auto& [requirement, span] : s.requirements) show(requirement);
        --depth_;
    }

    std::string text(ExprId id) const
    {
        const Expr& e = p_.expr(id);
        const auto operands = p_.operands_of(e);
        switch (e.kind) {
            case ExprKind::error:
                return "<error>";
            case ExprKind::number:
                if (e.type.kind == TypeKind::boolean) return e.value != 0 ? "true" : "false";
                return format_quantity(e.value, e.type.dim);
            case ExprKind::string:
                return fmt::format("\"{}\"", p_.strings[e.index]);
            case ExprKind::file:
                return fmt::format("file(\"{}\")", p_.files[e.index].name);
            case ExprKind::address:
                return fmt::format("address({:#x})", e.index);
            case ExprKind::prefix:
                return fmt::format("prefix({:#x}, {})", e.index, e.value);
            case ExprKind::address6:
                return format_address(p_.ipv6[e.index], true);
            case ExprKind::prefix6:
                return format_prefix(p_.ipv6[e.index], static_cast<std::uint32_t>(e.value), true);
            case ExprKind::enum_value:
                return fmt::format("{}.{}", p_.enums[e.type.ref].name, p_.enums[e.type.ref].values[e.index]);
            case ExprKind::local:
                return fmt::format("@{}", e.index);
            case ExprKind::own_attribute:
                return fmt::format("self.#{}", e.index);
            case ExprKind::attribute:
                return fmt::format("{}.#{}", text(operands[0]), e.index);
            case ExprKind::direction:
                return fmt::format("{}.{}", text(operands[0]), e.index == 0 ? "up" : "down");
            case ExprKind::member:
                return fmt::format("{}.@{}", text(operands[0]), e.index);
            case ExprKind::element:
                return fmt::format("{}[{}]", text(operands[0]), text(operands[1]));
            case ExprKind::every:
                return fmt::format("{}[*]", text(operands[0]));
            case ExprKind::slice:
                return fmt::format("{}[{} {} {}]", text(operands[0]), text(operands[1]), e.index ? "..<" : "..",
                                   text(operands[2]));
            case ExprKind::negate:
                return fmt::format("-{}", text(operands[0]));
            case ExprKind::not_:
                return fmt::format("!{}", text(operands[0]));
            case ExprKind::binary: {
                static constexpr const char* kSigns[] = {"", "", "+", "-",  "*", "/",  "%",  "",   "",   "",  "",
                                                         "", "", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
                return fmt::format("({} {} {} : {})", text(operands[0]), kSigns[e.index], text(operands[1]),
                                   type_name(p_, e.type));
            }
            case ExprKind::conditional:
                return fmt::format("(if {} then {} else {})", text(operands[0]), text(operands[1]), text(operands[2]));
            case ExprKind::call:
                if (const auto b = static_cast<Builtin>(e.index); (is_measure(b) || is_of_link(b)) && e.value != 0)
                    return fmt::format("{}({}, {})", builtin_name(static_cast<Builtin>(e.index)), list(operands),
                                       abi::kMeasurePhases[static_cast<std::size_t>(phase_in(e.value))]);
                return fmt::format("{}({})", builtin_name(static_cast<Builtin>(e.index)), list(operands));
            case ExprKind::profile:
                return fmt::format("{}({})", p_.profiles[e.index].full_name, list(operands));
            case ExprKind::process:
                return fmt::format("{}({})", p_.processes[e.index].full_name, list(operands));
            case ExprKind::component:
                return fmt::format("{}({})", p_.components[e.index].full_name, list(operands));
            case ExprKind::function:
                return fmt::format("{}({})", p_.functions[e.index].full_name, list(operands));
            case ExprKind::table:
                return p_.data_tables[e.index].full_name;
            case ExprKind::cell:
                return fmt::format("cell({})", e.index);
            case ExprKind::list:
                return fmt::format("[{}]", list(operands));
            case ExprKind::bound:
                return fmt::format("%{}", e.index);
            case ExprKind::comprehension: {
                std::string shown = text(operands[0]);
                for (std::size_t i = 0; i < p_.comprehensions[e.index].clauses.size(); ++i) {
                    const auto clause = operands.subspan(1 + 3 * i, 3);
                    const auto& [counted, half_open] = p_.comprehensions[e.index].clauses[i];
                    shown += fmt::format(" for {} in {}", counted ? "%, %" : "%", text(clause[0]));
                    if (clause[1]) shown += fmt::format(" {} {}", half_open ? "..<" : "..", text(clause[1]));
                    if (clause[2]) shown += fmt::format(" if {}", text(clause[2]));
                }
                return fmt::format("[{}]", shown);
            }
        }
        return "";
    }

    std::string list(std::span<const ExprId> ids) const
    {
        std::string result;
        for (ExprId id : ids) result += fmt::format("{}{}", result.empty() ? "" : ", ", id ? text(id) : "_");
        return result;
    }

    const CheckedProgram& p_;
    std::string out_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string dump_checked(const CheckedProgram& program) { return Dumper(program).run(); }

}  // namespace anml
