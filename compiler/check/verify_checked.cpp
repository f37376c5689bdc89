// What every checked program fulfils: ids in bounds, children before parents, no expression in error; after errors only
// what of this can be promised then.
#include <fmt/format.h>

#include "check/check.h"

namespace anml {
namespace {

class Verifier {
  public:
    Verifier(const CheckedProgram& program, Holes holes) : p_(program), holes_(holes == Holes::allowed) {}

    std::string run()
    {
        for (std::size_t i = 0; i < p_.expressions.size(); ++i) {
            const Expr& e = p_.expressions[i];
            if (e.kind == ExprKind::error && !holes_) return fmt::format("expression {} is in error", i);
            if (e.first_operand + std::size_t{e.operand_count} > p_.operands.size())
                return fmt::format("expression {}: operands", i);
            for (ExprId operand : p_.operands_of(e))
                if (operand && operand.value >= i) return fmt::format("expression {}: operand {}", i, operand.value);
            if (e.kind == ExprKind::profile && e.index >= p_.profiles.size())
                return fmt::format("expression {}: profile", i);
            if (e.kind == ExprKind::comprehension &&
                (e.index >= p_.comprehensions.size() ||
                 e.operand_count != 1 + 3 * p_.comprehensions[e.index].clauses.size()))
                return fmt::format("expression {}: comprehension", i);
            if (e.kind == ExprKind::process && e.index >= p_.processes.size())
                return fmt::format("expression {}: process", i);
            if (e.kind == ExprKind::function && e.index >= p_.functions.size())
                return fmt::format("expression {}: function", i);
            if (e.kind == ExprKind::component && e.index >= p_.components.size())
                return fmt::format("expression {}: component", i);
            if (e.kind == ExprKind::file && e.index >= p_.files.size()) return fmt::format("expression {}: file", i);
            if (e.kind == ExprKind::string && e.index >= p_.strings.size())
                return fmt::format("expression {}: string", i);
        }
        for (const Component& c : p_.components)
            for (StatementId id : c.body)
                if (id.value >= p_.statements.size()) return c.full_name + ": statement";
        if (holes_) return "";  // what declarations are made of may be missing
        for (const Schema& s : p_.schemas) {
            if (s.base && p_.schema(s.base).attributes.size() > s.attributes.size()) return s.full_name + ": base";
            for (const Attribute& a : s.attributes)
                if (!optional(a.fallback) || !optional(a.range.low) || !optional(a.range.high) ||
                    a.required != (!a.optional && !a.fallback))
                    return fmt::format("{}.{}", s.full_name, a.name);
            for (const SchemaTrait& t : s.traits)
                if (!expression(t.value)) return fmt::format("{}: trait {}", s.full_name, trait_name(t.trait));
        }
        for (const Profile& p : p_.profiles) {
            if (p.schema.value >= p_.schemas.size()) return p.full_name + ": schema";
            if (!optional(p.base)) return p.full_name + ": base";
            for (const AttributeValue& v : p.attributes)
                if (v.attribute >= p_.schema(p.schema).attributes.size() || !expression(v.value))
                    return p.full_name + ": attribute";
        }
        for (const Process& p : p_.processes) {
            if (!expression(p.yield)) return p.full_name + ": yield";
            for (const Process::Variable& v : p.variables)
                if (!expression(v.initial) || !expression(v.next) || v.slot >= p.slot_count)
                    return fmt::format("{}.{}", p.full_name, v.name);
        }
        for (const Function& f : p_.functions)
            if (!expression(f.body)) return f.full_name + ": body";
        for (const Component& c : p_.components) {
            if (c.base && p_.component(c.base).parameters.size() != c.base_arguments.size())
                return c.full_name + ": base";
            for (const Parameter& p : c.parameters)
                if (p.slot >= c.slot_count || p.required == p.fallback.valid())
                    return fmt::format("{}.{}", c.full_name, p.name);
            for (const Member& m : c.members)
                if (m.slot >= c.slot_count) return fmt::format("{}.{}", c.full_name, m.name);
        }
        for (ComponentId id : p_.models)
            if (!p_.component(id).is_model) return "a model that is none";
        return "";
    }

  private:
    bool expression(ExprId id) const { return id.value < p_.expressions.size(); }
    bool optional(ExprId id) const { return !id || expression(id); }
    const CheckedProgram& p_;
    bool holes_;
};

}  // namespace

std::string verify_checked(const CheckedProgram& program, Holes holes) { return Verifier(program, holes).run(); }

}  // namespace anml
