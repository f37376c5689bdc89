// `override`: other values for what a component makes, named from outside an instance or where the component is
// extended.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

struct OverrideTarget {
    SchemaId schema;  // of a link: its profile's, after the overrides that are known here
    bool link = false;
    std::string what;  // "the link"
    Span named;        // what is no word of the language
};

template <class Visit>
void each_statement(const CheckedProgram& program, const std::vector<StatementId>& body, const Visit& visit)
{
    for (StatementId id : body) {
        const Statement& s = program.statement(id);
        visit(s);
        if (const auto* loop = std::get_if<ForStatement>(&s.form)) each_statement(program, loop->body, visit);
        if (const auto* choice = std::get_if<IfStatement>(&s.form)) {
            each_statement(program, choice->then, visit);
            each_statement(program, choice->otherwise, visit);
        }
    }
}

std::optional<OverrideTarget> override_target(Checking& in, ComponentId component, SyntaxId dotted_name)
{
    const auto parts = syntax::DottedName(in.tree, dotted_name).parts();
    ExprId profile;  // that an override of what was entered gives the link: of several the outermost holds
    const auto replace = [&](const std::vector<Override>& list, std::size_t entered) {
        for (const Override& o : list)
            if (!profile && o.profile &&
                std::equal(o.path.begin(), o.path.end(), parts.begin() + static_cast<std::ptrdiff_t>(entered),
                           parts.end(), [&](const std::string& name, SyntaxId part) { return name == in.text(part); }))
                profile = o.profile;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view wanted = in.text(parts[i]);
        const bool last = i + 1 == parts.size();
        std::optional<OverrideTarget> found;
        ComponentId inside;
        const InstanceStatement* entered = nullptr;
        Span place;  // of the instance
        std::vector<std::string_view> candidates;
        for (ComponentId at = component; at; at = in.program.component(at).base) {
            replace(in.program.component(at).overrides, i);
            each_statement(in.program, in.program.component(at).body, [&](const Statement& s) {
                const auto offer = [&](std::string_view name, SchemaId schema, bool link, std::string_view what,
                                       Span named = {}) {
                    if (!name.empty()) candidates.push_back(name);
                    if (name == wanted && last && !found)
                        found = OverrideTarget{schema, link, std::string(what), named};
                };
                if (const auto* node = std::get_if<NodeStatement>(&s.form))
                    offer(node->name, in.program.node_schema(node->kind), false,
                          fmt::format("the {}", node_kind_name(node->kind)), s.span);
                if (const auto* link = std::get_if<LinkStatement>(&s.form))
                    offer(link->name, link_schema(in.program, profile ? profile : link->profile), true, "the link",
                          s.span);
                if (const auto* workload = std::get_if<WorkloadStatement>(&s.form))
                    offer(workload->name, workload->schema, false, "the workload", s.span);
                if (std::holds_alternative<RunStatement>(s.form)) offer("run", in.program.run, false, "`run`");
                if (const auto* addressing = std::get_if<AddressingStatement>(&s.form))
                    offer("addressing",
                          addressing->of_component ? in.program.component_addressing : in.program.addressing, false,
                          "`addressing`");
                if (const auto* routing = std::get_if<RoutingStatement>(&s.form))
                    offer(routing->name.empty() ? "routing" : routing->name, in.program.routing, false,
                          routing->name.empty() ? "`routing`" : "the region", routing->named);
                if (const auto* instance = std::get_if<InstanceStatement>(&s.form)) {
                    candidates.push_back(instance->name);
                    if (instance->name == wanted && !inside)
                        inside = instance->component, entered = instance, place = s.span;
                }
            });
        }
        if (found) return in.means(parts[i], found->named), found;
        if (inside) in.means(parts[i], place);
        if (inside && !last) {
            replace(entered->overrides, i + 1);
            component = inside;
            continue;
        }
        for (ComponentId at = component; at; at = in.program.component(at).base)
            if (in.incomplete.contains(at.value)) return std::nullopt;
        auto report = in.report(Diag::unknown_member, in.span(parts[i]),
                                inside ? fmt::format("`{}` is an instance", wanted)
                                       : fmt::format("`{}` has no {} `{}`", in.program.component(component).name,
                                                     last ? "node, link or workload" : "instance", wanted));
        report.also(in.program.component(component).span, "declared here");
        if (inside)
            report.help(fmt::format("name something in it: `{}.x`", in.text(dotted_name)));
        else if (const auto similar = in.diagnostics.suggests() ? similar_name(wanted, candidates) : "";
                 !similar.empty())
            report.suggest(in.span(parts[i]), similar, quoted_name(similar));
        else if (!candidates.empty() && candidates.size() <= 12)
            report.help(fmt::format("it has `{}`", fmt::join(candidates, "`, `")));
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Override> overrides(Checking& in, SyntaxId block, ComponentId component)
{
    std::vector<Override> result;
    for (SyntaxId id : syntax::Block(in.tree, block).statements()) {
        if (in.tree.kind(id) != SyntaxKind::override_stmt) continue;
        const syntax::OverrideStatement written(in.tree, id);
        const SyntaxId name = written.target(), profile = written.profile();
        const auto target = override_target(in, component, name);
        if (!target) continue;
        Override o;
        for (SyntaxId part : syntax::DottedName(in.tree, name).parts()) o.path.emplace_back(in.text(part));
        o.span = in.span(name);
        for (const Override& other : result)
            if (other.path == o.path)
                in.report(Diag::duplicate_name, o.span, fmt::format("`{}` is overridden twice", in.text(name)))
                    .also(other.span, "first here");
        if (written.has_profile()) {
            if (target->link)
                o.profile =
                    value(in, profile, {.kind = TypeKind::schema, .ref = in.program.link.value}, "the link's profile");
            else
                in.report(Diag::type_mismatch, in.span(profile), fmt::format("{} has no profile", target->what))
                    .help("override its attributes in braces");
        }
        if (!written.has_profile() && !written.has_attributes())
            in.report(Diag::syntax_error, o.span, "this overrides nothing")
                .help(fmt::format("write `override {} {{ attribute = value }}`", in.text(name)));
        o.schema = o.profile ? link_schema(in.program, o.profile) : target->schema;
        o.attributes = attributes(in, written.attributes(), o.schema, false, o.span, target->what);
        result.push_back(std::move(o));
    }
    return result;
}

}  // namespace anml
