// Statements of a body: loops, conditions, lets and requirements. In which order they are checked: statement_order.cpp.
#include "check/statements/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "common/ascii.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

bool only_in_model(Checking& in, SyntaxId id, std::string_view keyword)
{
    if (in.program.component(in.component).is_model) return true;
    in.report(Diag::misplaced_statement, in.tree.node(id).token.valid() ? in.tree.node(id).token : in.span(id),
              fmt::format("`{}` belongs to a model, not to a component", keyword))
        .also(in.program.component(in.component).span, "this is a component");
    return false;
}

// What asks for paths or measures is worked out where it is used, which `require` alone can.
bool let_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::LetStatement let(in.tree, id);
    in.let = id;
    const bool required = std::exchange(in.in_require, in.component.valid());
    const bool paths = std::exchange(in.asks_paths, false), measures = std::exchange(in.asks_measures, false);
    const ExprId v = expression(in, let.value());
    in.let = {};
    in.in_require = required;
    const bool asks_paths = std::exchange(in.asks_paths, paths),
               asks_measures = std::exchange(in.asks_measures, measures);
    const Type type = in.program.expr(v).type;
    const std::uint32_t slot = declare_local(in, let.name(), type);
    out.span = in.span(let.name());
    if (asks_paths || asks_measures) {
        const auto symbol = in.scopes.back().find(in.text(let.name()));
        if (symbol != in.scopes.back().end() && symbol->second.index == slot) {
            symbol->second.computed = v;
            symbol->second.measures = asks_measures;
        }
        return false;
    }
    out.form = LetStatement{slot, v};
    in.lets[{in.component.value, slot}] = v;
    if (in.scopes.size() == 1 && in.loops == 0)
        in.members.push_back({std::string(in.text(let.name())), slot, type, out.span, true});
    return true;
}

// The one before it in the body; an invalid id: it is the first.
SyntaxId earlier_run(const Checking& in, SyntaxId id)
{
    for (const SyntaxId statement : syntax::Block(in.tree, in.body).statements()) {
        if (statement == id) break;
        if (in.tree.kind(statement) == SyntaxKind::run_decl) return statement;
    }
    return {};
}

RunStatement run_statement(Checking& in, SyntaxId id, Span place)
{
    if (const SyntaxId first = earlier_run(in, id)) {
        const std::string_view block = in.text(syntax::RunDeclaration(in.tree, id).attributes());
        auto report = in.report(Diag::repeated_statement, place, "the model has a second `run`");
        report.also(in.tree.node(first).token, "the first is here");
        if (block.size() > 2)
            report.help(fmt::format("attributes of the run stand in one: put `{}` into the first",
                                    trimmed(block.substr(1, block.size() - 2))));
        return {};
    }
    const bool of_experiment = in.program.component(in.component).is_experiment;
    if (!of_experiment && in.once.contains(in.program.component(in.component).span)) return {};  // it is to be one
    const SchemaId schema = of_experiment ? in.program.experiment : in.program.run;
    return {of_experiment,
            attributes(in, syntax::RunDeclaration(in.tree, id).attributes(), schema, true, place, "`run`")};
}

// In a model its pool, in a component a prefix for an instance of it.
AddressingStatement addressing_statement(Checking& in, SyntaxId id, Span place)
{
    const bool of_component = !in.program.component(in.component).is_model;
    const SchemaId schema = of_component ? in.program.component_addressing : in.program.addressing;
    if (of_component && in.loops > 0)
        in.report(Diag::misplaced_statement, place, "`addressing` stands in the body of a component, not in a loop")
            .help("the prefix is for the whole instance");
    const SyntaxId block = syntax::AddressingDeclaration(in.tree, id).attributes();
    return {of_component, attributes(in, block, schema, true, place, "`addressing`")};
}

// Of the model; of an instance of a component; or of nodes, which then are a region with a name.
RoutingStatement routing_statement(Checking& in, SyntaxId id, Span place)
{
    RoutingStatement result;
    result.of_component = !in.program.component(in.component).is_model;
    const syntax::RoutingDeclaration routing(in.tree, id);
    if (routing.has_name()) {
        result.name = in.text(routing.name());
        result.named = in.span(routing.name());
        in.declares(routing.name());
        result.nodes = value(in, routing.on(), {.kind = TypeKind::node, .many = true}, "a region");
    } else if (result.of_component && in.loops > 0) {
        in.report(Diag::misplaced_statement, place, "`routing` stands in the body of a component, not in a loop")
            .help("it is for the whole instance; a group of nodes has a name: `routing west on nodes { ... }`");
    }
    result.attributes = attributes(in, routing.attributes(), in.program.routing, true, place,
                                   result.name.empty() ? "`routing`" : fmt::format("the region `{}`", result.name));
    return result;
}

// `for row, key in towns`: what is meant as the key stands in brackets, where a row cannot. It is reported, once.
bool swapped_loop(Checking& in, SyntaxId id, ExprId over)
{
    const syntax::ForStatement written(in.tree, id);
    if (!over || !written.has_number() || number_type(in.program, over).kind != TypeKind::string) return false;
    if (in.program.expr(over).type.kind != TypeKind::schema) return false;
    const std::string_view row = in.text(written.name()), key = in.text(written.number());
    const auto indexed = [&](const auto& self, SyntaxId part) -> bool {
        if (in.tree.kind(part) == SyntaxKind::subscript) {
            const SyntaxId index = syntax::Subscript(in.tree, part).index();
            if (in.tree.kind(index) == SyntaxKind::name && in.text(index) == row) return true;
        }
        const auto children = in.tree.children_of(part);
        return std::any_of(children.begin(), children.end(), [&](SyntaxId child) { return self(self, child); });
    };
    if (!indexed(indexed, written.body())) return false;
    const Span first = in.span(written.number()), second = in.span(written.name());
    const Span both{in.file, std::min(first.begin, second.begin), std::max(first.end, second.end)};
    const std::string order = fmt::format("{}, {}", row, key);
    in.report(Diag::type_mismatch, both, fmt::format("the key comes first, and `{}` stands in brackets", row))
        .help(fmt::format("write `for {} in {} {{ ... }}`", order, in.sources.text(in.program.expr(over).span)))
        .fix(both, order);
    return true;
}

bool for_statement(Checking& in, SyntaxId id, Statement& out)
{
    Type element{.kind = TypeKind::integer};
    const syntax::ForStatement written(in.tree, id);
    const SyntaxId over = written.over();
    ForStatement loop;
    if (in.tree.kind(over) == SyntaxKind::range) {
        const syntax::Range range(in.tree, over);
        loop.range.low = value(in, range.low(), element, "the loop");
        loop.range.high = value(in, range.high(), element, "the loop");
        loop.range.half_open = in.tree.node(over).flags & syntax_flag::half_open;
        if (written.has_number())
            in.report(Diag::invalid_selection, in.span(written.number()), "the numbers of a range are its elements")
                .help(fmt::format("one name is enough: `for {} in ...`", in.text(written.name())))
                .fix({in.file, std::min(in.span(written.name()).begin, in.span(written.number()).begin),
                      std::max(in.span(written.name()).end, in.span(written.number()).end)},
                     std::string(in.text(written.name())));
    } else {
        loop.over = expression(in, over);
        element = element_of(in, in.program, in.diagnostics, loop.over);
    }
    in.scopes.emplace_back();
    in.levels.emplace_back();
    if (in.loops++ == 0) in.loop_slot = in.slots;
    const auto outer_names = std::pair(in.loop_name, in.loop_number);
    SyntaxId name = written.name(), number = written.number();
    if (swapped_loop(in, id, loop.over)) std::swap(name, number);
    in.loop_name = in.text(name);
    in.loop_number = written.has_number()                ? in.text(number)
                     : element.kind == TypeKind::integer ? in.loop_name
                                                         : std::string();
    loop.slot = declare_local(in, name, element);
    Type of_number = number_type(in.program, loop.over);
    const Expr* const table = loop.over ? &in.program.expr(loop.over) : nullptr;
    if (in.keyless && table && table->kind == ExprKind::table && of_number.kind == TypeKind::integer)
        of_number = {};  // a key, where the table had one
    if (written.has_number()) loop.number_slot = declare_local(in, number, of_number);
    if (written.has_condition())
        loop.condition = value(in, written.condition(), {.kind = TypeKind::boolean}, "`while`");
    loop.body = statements(in, written.body());
    --in.loops;
    std::tie(in.loop_name, in.loop_number) = outer_names;
    in.levels.pop_back();
    in.scopes.pop_back();
    out.span = in.span(over);
    out.form = std::move(loop);
    return true;
}

bool if_statement(Checking& in, SyntaxId id, Statement& out)
{
    IfStatement result;
    const syntax::IfStatement written(in.tree, id);
    result.condition = value(in, written.condition(), {.kind = TypeKind::boolean}, "`if`");
    const auto branch = [&](SyntaxId block) {
        in.scopes.emplace_back();
        in.levels.emplace_back();
        auto body = statements(in, block);
        in.levels.pop_back();
        in.scopes.pop_back();
        return body;
    };
    result.then = branch(written.then());
    const SyntaxId otherwise = written.otherwise();
    if (in.tree.kind(otherwise) == SyntaxKind::block) {
        result.otherwise = branch(otherwise);
    } else if (in.tree.kind(otherwise) == SyntaxKind::if_stmt) {
        Statement nested;
        nested.span = in.span(otherwise);
        if (if_statement(in, otherwise, nested)) {
            in.program.statements.push_back(std::move(nested));
            result.otherwise.emplace_back(in.program.statements.size() - 1);
        }
    }
    out.span = in.span(written.condition());
    out.form = std::move(result);
    return true;
}

}  // namespace

bool declarable(Checking& in, SyntaxId identifier)
{
    const std::string_view name = in.text(identifier);
    const auto clash = [&](Span first, std::string_view note) {
        return in.report(Diag::duplicate_name, in.span(identifier), fmt::format("`{}` is declared twice", name))
            .also(first, std::string(note));
    };
    for (const Names& scope : in.scopes)
        if (auto it = scope.find(name); it != scope.end()) return clash(it->second.span, "first declared here"), false;
    const Names& module = in.modules[in.file.value];
    if (auto it = module.find(name); it != module.end() && it->second.kind == SymbolKind::module) {
        const std::string path = module_path(in, in, it->second);
        std::string alias = path;
        std::replace(alias.begin(), alias.end(), '.', '_');
        clash(it->second.span, "the name of an imported module")
            .help(fmt::format("give one of the two another name; of the module: `import {} as {}`", path, alias));
        // What follows may mean either.
        in.scopes.back().try_emplace(std::string(name), Symbol{SymbolKind::local, 0, in.span(identifier), {}});
        return false;
    }
    return true;
}

std::uint32_t declare_local(Checking& in, SyntaxId identifier, Type type, bool in_body)
{
    const std::uint32_t slot = in.slots++;
    const std::string name{in.text(identifier)};
    if (name.empty()) return slot;  // a hole
    in.declares(identifier);
    declarable(in, identifier);  // a second one hides the first in its block, so that its uses are no mistakes
    (in_body ? in.scopes.front() : in.scopes.back())
        .try_emplace(name, Symbol{SymbolKind::local, slot, in.span(identifier), type});
    for (Level& level : in.levels)
        if (in_body || &level == &in.levels.back()) level.names.erase(name);
    return slot;
}

bool statement(Checking& in, SyntaxId id, Statement& out)
{
    switch (in.tree.kind(id)) {
        case SyntaxKind::node_decl:
            return node_statement(in, id, out);
        case SyntaxKind::instance_decl:
            return is_measure_statement(in, id) ? measure_statement(in, id, out) : instance_statement(in, id, out);
        case SyntaxKind::port_decl:
            return port_statement(in, id, out);
        case SyntaxKind::factor_decl:
            return factor_statement(in, id, out);
        case SyntaxKind::link_decl:
            return link_statement(in, id, out);
        case SyntaxKind::for_stmt:
            return for_statement(in, id, out);
        case SyntaxKind::if_stmt:
            return if_statement(in, id, out);
        case SyntaxKind::workload_decl:
            return workload_statement(in, id, out);
        case SyntaxKind::let_stmt:
            return let_statement(in, id, out);
        case SyntaxKind::require_stmt:
            out.form = require_statement(in, id);
            out.span = in.span(syntax::RequireStatement(in.tree, id).condition());
            return true;
        case SyntaxKind::run_decl:
            if (!only_in_model(in, id, "run")) return false;
            out.form = run_statement(in, id, out.span);
            return true;
        case SyntaxKind::addressing_decl:
            out.form = addressing_statement(in, id, out.span);
            return true;
        case SyntaxKind::routing_decl:
            out.form = routing_statement(in, id, out.span);
            return true;
        case SyntaxKind::at_stmt:
        case SyntaxKind::every_stmt:
        case SyntaxKind::from_stmt:
        case SyntaxKind::ramp_stmt:
            return timeline_statement(in, id, out);
        case SyntaxKind::route_stmt:
            return static_route(in, id, out);
        case SyntaxKind::label_stmt:
            return label_statement(in, id, out);
        case SyntaxKind::report_stmt:
            return only_in_model(in, id, "report by") && report_statement(in, id, out);
        default:
            return false;
    }
}

// `@task("name")`, the only annotation of statements.
void annotation(const SourceText& source, CheckedProgram& program, Diagnostics& diagnostics, SyntaxId id,
                Statement& out)
{
    const syntax::Annotation annotation(source.tree, id);
    const SyntaxId name = annotation.name(), arguments = annotation.arguments();
    if (source.text(name) != "task") {
        diagnostics
            .report(Diag::unknown_name, source.span(name),
                    fmt::format("there is no annotation `@{}`", source.text(name)))
            .help("`@task(\"name\")` is the only one of nodes and instances");
        return;
    }
    std::string task;
    if (const auto given = syntax::ArgumentList(source.tree, arguments).arguments();
        given.size() == 1 && !source.tree.is_hole(given[0]))
    {
        const syntax::Argument argument(source.tree, given[0]);
        if (!argument.has_name() && source.tree.kind(argument.value()) == SyntaxKind::literal_string)
            task = string_value(source, diagnostics, argument.value());
    }
    out.task = static_cast<std::uint32_t>(program.tasks.size());
    program.tasks.push_back({task, source.span(id)});
    if (task.empty())
        diagnostics.report(Diag::type_mismatch, source.span(arguments), "`@task` takes the name of a task, a string")
            .help("write `@task(\"core\")`");
}

RequireStatement require_statement(Checking& in, SyntaxId id)
{
    // Routes can be asked for where there is a network: in bodies, not in schemas.
    in.in_require = in.component.valid();
    RequireStatement result;
    const syntax::RequireStatement require(in.tree, id);
    result.condition = value(in, require.condition(), {.kind = TypeKind::boolean}, "`require`");
    in.in_require = false;
    result.text = in.text(require.condition());
    if (require.has_message() && in.tree.kind(require.message()) == SyntaxKind::literal_string) {
        result.message = string_value(in, in.diagnostics, require.message());
        find_placeholders(in, in.diagnostics, require.message());
    } else if (require.has_message()) {
        result.computed = value(in, require.message(), {.kind = TypeKind::string}, "the message");
    } else {
        result.message = fmt::format("`{}` does not hold", result.text);
    }
    return result;
}

// Keys, where the elements have some.
Type number_type(const CheckedProgram& program, ExprId over)
{
    const Type type = over ? program.expr(over).type : Type{};
    if (type.kind == TypeKind::error) return {};
    if (!type.keys || type.array) return {.kind = TypeKind::integer};
    return {.kind = TypeKind::string, .keys = type.keys};
}

// What a loop or a comprehension takes one by one: elements of a list, or of a selection of nodes, instances or links.
Type element_of(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId over,
                bool comprehension)
{
    const Expr e = program.expr(over);
    Type one = e.type;
    if (one.kind == TypeKind::error) return {};
    if (one.list || one.many) {
        one.list = one.many = one.array = false;
        one.keys = 0;
        return one;
    }
    const std::string_view written = source.sources.text(e.span);
    auto report = diagnostics.report(
        e.type.array ? Diag::invalid_selection : Diag::type_mismatch, e.span,
        fmt::format("{} a range, a list or a selection, found {}",
                    comprehension ? "a comprehension takes from" : "a loop runs over", a_type(program, e.type)));
    if (e.type.array)
        report.help(fmt::format("choose all its elements: `{}[*]`", written)).fix(e.span.behind(), "[*]");
    else if (e.type.kind == TypeKind::integer)
        report
            .help(comprehension ? fmt::format("write `[... for i in 0 ..< {}]`", written)
                                : fmt::format("write `for i in 0 ..< {} {{ ... }}`", written))
            .fix(e.span, fmt::format("0 ..< {}", written));
    return {};
}

}  // namespace anml
