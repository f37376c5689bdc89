// Statements of a body: loops, conditions, lets and requirements. In which order they are checked: statement_order.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

bool Checker::declarable(SyntaxId identifier)
{
    const std::string_view name = text(identifier);
    const auto clash = [&](Span first, std::string_view note) {
        return diagnostics_.report(Diag::duplicate_name, span(identifier), fmt::format("`{}` is declared twice", name))
            .also(first, std::string(note));
    };
    for (const Names& scope : scopes_)
        if (auto it = scope.find(name); it != scope.end()) return clash(it->second.span, "first declared here"), false;
    const Names& module = modules_[file_.value];
    if (auto it = module.find(name); it != module.end() && it->second.kind == SymbolKind::module) {
        const std::string path = module_path(it->second);
        std::string alias = path;
        std::replace(alias.begin(), alias.end(), '.', '_');
        clash(it->second.span, "the name of an imported module")
            .help(fmt::format("give one of the two another name; of the module: `import {} as {}`", path, alias));
        // What follows may mean either.
        scopes_.back().try_emplace(std::string(name), Symbol{SymbolKind::local, 0, span(identifier), {}});
        return false;
    }
    return true;
}

std::uint32_t Checker::declare_local(SyntaxId identifier, Type type, bool in_body)
{
    const std::uint32_t slot = slots_++;
    const std::string name{text(identifier)};
    if (name.empty()) return slot;  // a hole
    declares(identifier);
    declarable(identifier);  // a second one hides the first in its block, so that its uses are no mistakes
    (in_body ? scopes_.front() : scopes_.back())
        .try_emplace(name, Symbol{SymbolKind::local, slot, span(identifier), type});
    for (Level& level : levels_)
        if (in_body || &level == &levels_.back()) level.names.erase(name);
    return slot;
}

bool Checker::only_in_model(SyntaxId id, std::string_view keyword)
{
    if (program_.component(component_).is_model) return true;
    diagnostics_
        .report(Diag::misplaced_statement, tree_.node(id).token.valid() ? tree_.node(id).token : span(id),
                fmt::format("`{}` belongs to a model, not to a component", keyword))
        .also(program_.component(component_).span, "this is a component");
    return false;
}

bool Checker::statement(SyntaxId id, Statement& out)
{
    switch (tree_.kind(id)) {
        case SyntaxKind::node_decl:
            return node_statement(id, out);
        case SyntaxKind::instance_decl:
            return is_measure_statement(id) ? measure_statement(id, out) : instance_statement(id, out);
        case SyntaxKind::port_decl:
            return port_statement(id, out);
        case SyntaxKind::factor_decl:
            return factor_statement(id, out);
        case SyntaxKind::link_decl:
            return link_statement(id, out);
        case SyntaxKind::for_stmt:
            return for_statement(id, out);
        case SyntaxKind::if_stmt:
            return if_statement(id, out);
        case SyntaxKind::workload_decl:
            return workload_statement(id, out);
        case SyntaxKind::let_stmt:
            return let_statement(id, out);
        case SyntaxKind::require_stmt:
            out.form = require_statement(id);
            out.span = span(syntax::RequireStatement(tree_, id).condition());
            return true;
        case SyntaxKind::run_decl:
            if (!only_in_model(id, "run")) return false;
            out.form = run_statement(id, out.span);
            return true;
        case SyntaxKind::addressing_decl:
            out.form = addressing_statement(id, out.span);
            return true;
        case SyntaxKind::routing_decl:
            out.form = routing_statement(id, out.span);
            return true;
        case SyntaxKind::at_stmt:
        case SyntaxKind::every_stmt:
        case SyntaxKind::from_stmt:
        case SyntaxKind::ramp_stmt:
            return timeline_statement(id, out);
        case SyntaxKind::route_stmt:
            return static_route(id, out);
        case SyntaxKind::label_stmt:
            return label_statement(id, out);
        case SyntaxKind::report_stmt:
            return only_in_model(id, "report by") && report_statement(id, out);
        default:
            return false;
    }
}

// What asks for paths or measures is worked out where it is used, which `require` alone can.
bool Checker::let_statement(SyntaxId id, Statement& out)
{
    const syntax::LetStatement let(tree_, id);
    let_ = id;
    const bool required = std::exchange(in_require_, component_.valid());
    const bool paths = std::exchange(asks_paths_, false), measures = std::exchange(asks_measures_, false);
    const ExprId v = expression(let.value());
    let_ = {};
    in_require_ = required;
    const bool asks_paths = std::exchange(asks_paths_, paths), asks_measures = std::exchange(asks_measures_, measures);
    const Type type = program_.expr(v).type;
    const std::uint32_t slot = declare_local(let.name(), type);
    out.span = span(let.name());
    if (asks_paths || asks_measures) {
        const auto symbol = scopes_.back().find(text(let.name()));
        if (symbol != scopes_.back().end() && symbol->second.index == slot) {
            symbol->second.computed = v;
            symbol->second.measures = asks_measures;
        }
        return false;
    }
    out.form = LetStatement{slot, v};
    if (program_.expr(v).kind == ExprKind::list && type.list && type.kind == TypeKind::string)
        listed_lets_[{component_.value, slot}] = v;
    if (scopes_.size() == 1 && loops_ == 0)
        members_.push_back({std::string(text(let.name())), slot, type, out.span, true});
    return true;
}

RunStatement Checker::run_statement(SyntaxId id, Span place)
{
    const bool of_experiment = program_.component(component_).is_experiment;
    const SchemaId schema = of_experiment ? program_.experiment : program_.run;
    return {of_experiment, attributes(syntax::RunDeclaration(tree_, id).attributes(), schema, true, place, "`run`")};
}

// In a model its pool, in a component a prefix for an instance of it.
AddressingStatement Checker::addressing_statement(SyntaxId id, Span place)
{
    const bool of_component = !program_.component(component_).is_model;
    const SchemaId schema = of_component ? program_.component_addressing : program_.addressing;
    if (of_component && loops_ > 0)
        diagnostics_
            .report(Diag::misplaced_statement, place, "`addressing` stands in the body of a component, not in a loop")
            .help("the prefix is for the whole instance");
    const SyntaxId block = syntax::AddressingDeclaration(tree_, id).attributes();
    return {of_component, attributes(block, schema, true, place, "`addressing`")};
}

// Of the model; of an instance of a component; or of nodes, which then are a region with a name.
RoutingStatement Checker::routing_statement(SyntaxId id, Span place)
{
    RoutingStatement result;
    result.of_component = !program_.component(component_).is_model;
    const syntax::RoutingDeclaration routing(tree_, id);
    if (routing.has_name()) {
        result.name = text(routing.name());
        result.named = span(routing.name());
        declares(routing.name());
        result.nodes = value(routing.on(), {.kind = TypeKind::node, .many = true}, "a region");
    } else if (result.of_component && loops_ > 0) {
        diagnostics_
            .report(Diag::misplaced_statement, place, "`routing` stands in the body of a component, not in a loop")
            .help("it is for the whole instance; a group of nodes has a name: `routing west on nodes { ... }`");
    }
    result.attributes = attributes(routing.attributes(), program_.routing, true, place,
                                   result.name.empty() ? "`routing`" : fmt::format("the region `{}`", result.name));
    return result;
}

// `@task("name")`, the only annotation of statements.
void Checker::annotation(SyntaxId id, Statement& out)
{
    const syntax::Annotation annotation(tree_, id);
    const SyntaxId name = annotation.name(), arguments = annotation.arguments();
    if (text(name) != "task") {
        diagnostics_.report(Diag::unknown_name, span(name), fmt::format("there is no annotation `@{}`", text(name)))
            .help("`@task(\"name\")` is the only one of nodes and instances");
        return;
    }
    std::string task;
    if (const auto given = syntax::ArgumentList(tree_, arguments).arguments();
        given.size() == 1 && !tree_.is_hole(given[0]))
    {
        const syntax::Argument argument(tree_, given[0]);
        if (!argument.has_name() && tree_.kind(argument.value()) == SyntaxKind::literal_string)
            task = string_value(argument.value());
    }
    out.task = static_cast<std::uint32_t>(program_.tasks.size());
    program_.tasks.push_back({task, span(id)});
    if (task.empty())
        diagnostics_.report(Diag::type_mismatch, span(arguments), "`@task` takes the name of a task, a string")
            .help("write `@task(\"core\")`");
}

RequireStatement Checker::require_statement(SyntaxId id)
{
    // Routes can be asked for where there is a network: in bodies, not in schemas.
    in_require_ = component_.valid();
    RequireStatement result;
    const syntax::RequireStatement require(tree_, id);
    result.condition = value(require.condition(), {.kind = TypeKind::boolean}, "`require`");
    in_require_ = false;
    result.text = text(require.condition());
    if (require.has_message() && tree_.kind(require.message()) == SyntaxKind::literal_string) {
        result.message = string_value(require.message());
        find_placeholders(require.message());
    } else if (require.has_message()) {
        result.computed = value(require.message(), {.kind = TypeKind::string}, "the message");
    } else {
        result.message = fmt::format("`{}` does not hold", result.text);
    }
    return result;
}

// `for row, key in towns`: what is meant as the key stands in brackets, where a row cannot. It is reported, once.
bool Checker::swapped_loop(SyntaxId id, ExprId over)
{
    const syntax::ForStatement written(tree_, id);
    if (!over || !written.has_number() || number_type(over).kind != TypeKind::string) return false;
    if (program_.expr(over).type.kind != TypeKind::schema) return false;
    const std::string_view row = text(written.name()), key = text(written.number());
    const auto indexed = [&](const auto& self, SyntaxId part) -> bool {
        if (tree_.kind(part) == SyntaxKind::subscript) {
            const SyntaxId index = syntax::Subscript(tree_, part).index();
            if (tree_.kind(index) == SyntaxKind::name && text(index) == row) return true;
        }
        const auto children = tree_.children_of(part);
        return std::any_of(children.begin(), children.end(), [&](SyntaxId child) { return self(self, child); });
    };
    if (!indexed(indexed, written.body())) return false;
    const Span first = span(written.number()), second = span(written.name());
    const Span both{file_, std::min(first.begin, second.begin), std::max(first.end, second.end)};
    const std::string order = fmt::format("{}, {}", row, key);
    diagnostics_
        .report(Diag::type_mismatch, both, fmt::format("the key comes first, and `{}` stands in brackets", row))
        .help(fmt::format("write `for {} in {} {{ ... }}`", order, sources_.text(program_.expr(over).span)))
        .fix(both, order);
    return true;
}

bool Checker::for_statement(SyntaxId id, Statement& out)
{
    Type element{.kind = TypeKind::integer};
    const syntax::ForStatement written(tree_, id);
    const SyntaxId over = written.over();
    ForStatement loop;
    if (tree_.kind(over) == SyntaxKind::range) {
        const syntax::Range range(tree_, over);
        loop.range.low = value(range.low(), element, "the loop");
        loop.range.high = value(range.high(), element, "the loop");
        loop.range.half_open = tree_.node(over).flags & syntax_flag::half_open;
        if (written.has_number())
            diagnostics_
                .report(Diag::invalid_selection, span(written.number()), "the numbers of a range are its elements")
                .help(fmt::format("one name is enough: `for {} in ...`", text(written.name())))
                .fix({file_, std::min(span(written.name()).begin, span(written.number()).begin),
                      std::max(span(written.name()).end, span(written.number()).end)},
                     std::string(text(written.name())));
    } else {
        loop.over = expression(over);
        element = element_of(loop.over);
    }
    scopes_.emplace_back();
    levels_.emplace_back();
    if (loops_++ == 0) loop_slot_ = slots_;
    const auto outer_names = std::pair(loop_name_, loop_number_);
    SyntaxId name = written.name(), number = written.number();
    if (swapped_loop(id, loop.over)) std::swap(name, number);
    loop_name_ = text(name);
    loop_number_ = written.has_number()                ? text(number)
                   : element.kind == TypeKind::integer ? loop_name_
                                                       : std::string();
    loop.slot = declare_local(name, element);
    if (written.has_number()) loop.number_slot = declare_local(number, number_type(loop.over));
    if (written.has_condition()) loop.condition = value(written.condition(), {.kind = TypeKind::boolean}, "`while`");
    loop.body = statements(written.body());
    --loops_;
    std::tie(loop_name_, loop_number_) = outer_names;
    levels_.pop_back();
    scopes_.pop_back();
    out.span = span(over);
    out.form = std::move(loop);
    return true;
}

// Keys, where the elements have some.
Type Checker::number_type(ExprId over) const
{
    const Type type = over ? program_.expr(over).type : Type{};
    if (type.kind == TypeKind::error) return {};
    if (!type.keys || type.array) return {.kind = TypeKind::integer};
    return {.kind = TypeKind::string, .keys = type.keys};
}

// What a loop or a comprehension takes one by one: elements of a list, or of a selection of nodes, instances or links.
Type Checker::element_of(ExprId over, bool comprehension)
{
    const Expr e = program_.expr(over);
    Type one = e.type;
    if (one.kind == TypeKind::error) return {};
    if (one.list || one.many) {
        one.list = one.many = one.array = false;
        one.keys = 0;
        return one;
    }
    const std::string_view written = sources_.text(e.span);
    auto report = diagnostics_.report(
        e.type.array ? Diag::invalid_selection : Diag::type_mismatch, e.span,
        fmt::format("{} a range, a list or a selection, found {}",
                    comprehension ? "a comprehension takes from" : "a loop runs over", a_named(e.type)));
    if (e.type.array)
        report.help(fmt::format("choose all its elements: `{}[*]`", written)).fix(e.span.behind(), "[*]");
    else if (e.type.kind == TypeKind::integer)
        report
            .help(comprehension ? fmt::format("write `[... for i in 0 ..< {}]`", written)
                                : fmt::format("write `for i in 0 ..< {} {{ ... }}`", written))
            .fix(e.span, fmt::format("0 ..< {}", written));
    return {};
}

bool Checker::if_statement(SyntaxId id, Statement& out)
{
    IfStatement result;
    const syntax::IfStatement written(tree_, id);
    result.condition = value(written.condition(), {.kind = TypeKind::boolean}, "`if`");
    const auto branch = [&](SyntaxId block) {
        scopes_.emplace_back();
        levels_.emplace_back();
        auto body = statements(block);
        levels_.pop_back();
        scopes_.pop_back();
        return body;
    };
    result.then = branch(written.then());
    const SyntaxId otherwise = written.otherwise();
    if (tree_.kind(otherwise) == SyntaxKind::block) {
        result.otherwise = branch(otherwise);
    } else if (tree_.kind(otherwise) == SyntaxKind::if_stmt) {
        Statement nested;
        nested.span = span(otherwise);
        if (if_statement(otherwise, nested)) {
            program_.statements.push_back(std::move(nested));
            result.otherwise.emplace_back(program_.statements.size() - 1);
        }
    }
    out.span = span(written.condition());
    out.form = std::move(result);
    return true;
}

}  // namespace anml
