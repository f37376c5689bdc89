// Statements that make the network: nodes, instances, links and workloads.
#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/checker.h"
#include "syntax/errors/habits.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

abi::NodeKind node_kind(std::string_view keyword)
{
    if (keyword == "router") return abi::NodeKind::router;
    if (keyword == "switch") return abi::NodeKind::switch_;
    if (keyword == "endpoint") return abi::NodeKind::endpoint;
    return abi::NodeKind::host;
}

}  // namespace

bool Checker::node_statement(SyntaxId id, Statement& out)
{
    const syntax::NodeDeclaration written(tree_, id);
    const SyntaxId identifier = written.name();
    NodeStatement node;
    node.kind = node_kind(sources_.text(tree_.node(id).token));
    node.name = text(identifier);
    const std::string_view kind = node_kind_name(node.kind);
    out.span = span(identifier);
    node.brackets = brackets(written.brackets(), identifier);
    scopes_.emplace_back();
    declare_index(node.index_slot, node.key_slot, out.span, node.brackets);
    node.attributes =
        attributes(written.attributes(), program_.node_schema(node.kind), true, out.span, fmt::format("the {}", kind));
    scopes_.pop_back();
    per_element(node);
    const Type type{.kind = TypeKind::node,
                    .ref = static_cast<std::uint32_t>(node.kind),
                    .array = node.brackets.size(),
                    .keys = keying(node.brackets.keys)};
    node.slot = declare_part(identifier, type, node.brackets);
    out.form = std::move(node);
    return true;
}

// `index` and `key`, the element's number and its key, in what is said of an array.
void Checker::declare_index(std::uint32_t& slot, std::uint32_t& key_slot, Span place, const Brackets& brackets)
{
    if (brackets.counts.empty()) return;
    declare_index(slot, key_slot, place, brackets.counts.size() > 1,
                  {brackets.keys.begin() + static_cast<std::ptrdiff_t>(brackets.numbers.size()), brackets.keys.end()});
}

void Checker::declare_index(std::uint32_t& slot, std::uint32_t& key_slot, Span place, bool several,
                            std::vector<std::uint32_t> keys)
{
    const auto declare = [&](std::string_view word, std::uint32_t& slot, Type type) {
        if (find(word)) return;
        slot = slots_++;
        scopes_.back().try_emplace(std::string(word), Symbol{SymbolKind::local, slot, place, type});
    };
    declare("index", slot, {.kind = TypeKind::integer, .list = several});
    std::erase(keys, abi::kNone);
    if (keys.empty()) return;
    if (keys.size() == 1) return declare("key", key_slot, {.kind = TypeKind::string, .keys = keying(keys)});
    declare("key", key_slot, {.kind = TypeKind::string, .list = true});
}

bool Checker::mentions(ExprId id, std::uint32_t slot) const
{
    if (!id) return false;
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::local) return e.index == slot;
    for (ExprId operand : program_.operands_of(e))
        if (mentions(operand, slot)) return true;
    return false;
}

// Where nothing depends on the element, all are made at once.
void Checker::per_element(NodeStatement& node)
{
    const bool used = std::any_of(node.attributes.begin(), node.attributes.end(), [&](const AttributeValue& given) {
        return mentions(given.value, node.index_slot) || mentions(given.value, node.key_slot);
    });
    if (!used) node.index_slot = node.key_slot = abi::kNone;
}

// A word that is no name at all may be a misspelt kind of node, or a component.
bool Checker::known_component(SyntaxId dotted_name)
{
    const auto parts = syntax::DottedName(tree_, dotted_name).parts();
    if (parts.empty()) return false;  // a hole
    const std::string_view word = text(parts[0]);
    if (parts.size() > 1 || find(word)) return true;
    std::vector<std::string_view> candidates{"router", "switch", "host",     "endpoint",
                                             "link",   "let",    "workload", "require"};
    for (std::string_view name : diagnostics_.suggests() ? visible_names() : std::vector<std::string_view>())
        if (const Symbol* s = find(name); s && s->kind == SymbolKind::component) candidates.push_back(name);
    for (const Level& level : levels_)
        if (level.names.contains(word)) return true;  // find_dotted says so
    auto report =
        diagnostics_.report(Diag::unknown_name, span(dotted_name), fmt::format("there is no component `{}`", word));
    if (word == "new")
        report.help("an instance of a component is written `Component name(parameter = value)`");
    else if (word == "class" || word == "struct")
        report.help("parts of networks are a `component`, what has attributes alone is a `schema`: "
                    "`component Name(n: int = 2) { ... }` at the top of a file");
    else if (const Habit* habit = find_habit(word); habit && habit->before & kValue)
        report.help(std::string(habit->help));
    else if (word == "label")
        report.help("labels are strings in braces behind what has them: `label pc[0], surf { name = \"...\" }`");
    else if (word == "measure")
        report.help("what an experiment measures of a run is a function of it: `measure p95(w)`");
    else if (word == "report")
        report.help("results are told apart by the keys of labels: `report by region, class`");
    else if (const auto meant = meant_name(word, candidates); !meant.empty())
        report.suggest(span(dotted_name), meant);
    else
        report.help(
            "nodes are `host`, `router`, `switch` and `endpoint`; components are declared in this file or in an "
            "imported module");
    return false;
}

// `site Site[3]`: the component stands where the name belongs. It is reported, and the name means something.
bool Checker::swapped_instance(SyntaxId component, SyntaxId identifier)
{
    const auto parts = syntax::DottedName(tree_, component).parts();
    if (parts.size() != 1 || find(text(parts[0])) || find_habit(text(parts[0]))) return false;
    constexpr std::string_view kElsewhere[] = {"new", "class", "struct", "instance"};
    if (std::ranges::find(kElsewhere, text(parts[0])) != std::end(kElsewhere)) return false;
    if (text(parts[0]) == text(identifier)) return false;  // which hides it
    const Symbol* meant = hidden_by(text(identifier));
    if (!meant || meant->kind != SymbolKind::component || program_.components[meant->index].is_model) return false;
    const Span both{file_, span(component).begin, span(identifier).end};
    const std::string order = fmt::format("{} {}", text(identifier), text(parts[0]));
    diagnostics_.report(Diag::unknown_name, both, fmt::format("there is no component `{}`", text(parts[0])))
        .help(fmt::format("the component comes first: `{}`", order))
        .fix(both, order);
    scopes_.front().try_emplace(std::string(text(parts[0])), Symbol{SymbolKind::local, slots_++, span(parts[0]), {}});
    return true;
}

bool Checker::instance_statement(SyntaxId id, Statement& out)
{
    const syntax::InstanceDeclaration written(tree_, id);
    const SyntaxId component_syntax = written.component(), identifier = written.name();
    if (swapped_instance(component_syntax, identifier)) return false;
    InstanceStatement instance;
    instance.name = text(identifier);
    out.span = span(identifier);
    instance.brackets = brackets(written.brackets(), identifier);
    Type type;
    std::optional<ComponentId> found;
    if (const Symbol* symbol = passed_here(component_syntax)) {
        const ComponentId wanted{symbol->type.ref};
        means(syntax::DottedName(tree_, component_syntax).parts()[0], symbol->span);
        instance.passed = add(ExprKind::local, symbol->type, span(component_syntax), symbol->index);
        if (finished(wanted, span(component_syntax))) found = wanted;
    } else {
        found = component_named(component_syntax, false);
    }
    if (found) {
        instance.component = *found;
        component_body(*found);
        if (needs_run_[found->value]) need_run(out.span);
        const Component& component = program_.component(*found);
        scopes_.emplace_back();
        declare_index(instance.index_slot, instance.key_slot, out.span, instance.brackets);
        instance.arguments = arguments(written.arguments(), component.parameters, span(component_syntax),
                                       component.name, component.span);
        if (written.has_overrides()) instance.overrides = overrides(written.overrides(), *found);
        scopes_.pop_back();
        type = {.kind = TypeKind::instance,
                .ref = instance.component.value,
                .array = instance.brackets.size(),
                .keys = keying(instance.brackets.keys)};
    }
    // `return a`, of a component that there is not, declares nothing anew.
    if (!found && find(text(identifier))) return false;
    instance.slot = declare_part(identifier, type, instance.brackets);
    if (!found) return false;
    out.form = std::move(instance);
    return true;
}

std::optional<ComponentId> Checker::component_named(SyntaxId dotted_name, bool models)
{
    if (!known_component(dotted_name)) return std::nullopt;
    const Symbol* symbol = find_dotted(dotted_name);
    if (!symbol) return std::nullopt;
    if (symbol->kind != SymbolKind::component || (program_.components[symbol->index].is_model && !models)) {
        auto report = diagnostics_.report(Diag::type_mismatch, span(dotted_name),
                                          fmt::format("`{}` is not a component", text(dotted_name)));
        if (symbol->kind == SymbolKind::component)
            report.help("a model is a whole scenario and has no instances; a model may extend it");
        else if (const auto kind = similar_name(text(dotted_name), {"router", "switch", "host", "endpoint", "link"});
                 symbol->kind == SymbolKind::schema && !kind.empty())
            report.write(span(dotted_name), std::string(kind));
        else if (symbol->kind == SymbolKind::local && symbol->span.valid()) {
            const auto hidden = [&](const Component& c) { return c.name == text(dotted_name) && !c.is_model; };
            if (std::any_of(program_.components.begin(), program_.components.end(), hidden))
                report.also(symbol->span, "this has its name, and hides the component")
                    .help("give one of the two another name");
            else
                report.also(symbol->span, "declared here");
        }
        return std::nullopt;
    }
    const ComponentId id{symbol->index};
    const auto open = std::find(open_components_.begin(), open_components_.end(), id);
    if (open == open_components_.end()) return id;
    std::string cycle;
    for (auto it = open; it != open_components_.end(); ++it)
        cycle += fmt::format("`{}` -> ", program_.component(*it).name);
    const std::string& name = program_.component(id).name;
    diagnostics_
        .report(Diag::recursive_declaration, span(dotted_name),
                fmt::format("`{}` contains itself: {}`{}`", name, cycle, name))
        .also(program_.component(id).span, "declared here");
    return std::nullopt;
}

// `port wan = gateway`, `port capacity = 3 Gbps`: what `instance.wan` means.
bool Checker::port_statement(SyntaxId id, Statement& out)
{
    const syntax::PortDeclaration written(tree_, id);
    const SyntaxId identifier = written.name(), syntax = written.value();
    out.span = span(identifier);
    if (loops_ > 0)
        diagnostics_.report(Diag::misplaced_statement, out.span, "a port cannot be declared in a loop")
            .help("it stands beside the loop, and may be an array or a list: `port name = array`");
    PortStatement port;
    port.value = expression(syntax);
    Type type = program_.expr(port.value).type;
    if (type.kind == TypeKind::link || type.kind == TypeKind::workload || type.kind == TypeKind::component) {
        diagnostics_
            .report(Diag::type_mismatch, span(syntax),
                    fmt::format("a port is a node, an instance or a value, found {}", a_named(type)))
            .help(type.kind == TypeKind::component ? "an instance of it can be a port"
                                                   : "links and workloads are known outside by their own names");
        type = {};
    }
    if (type.kind == TypeKind::node && text(identifier) == "nodes") port.keys = keys_of_graph();
    if (port.keys != abi::kNone) type.keys = keying({port.keys});
    port.slot = declare_local(identifier, type, true);
    members_.push_back({std::string(text(identifier)), port.slot, type, out.span});
    out.form = port;
    return true;
}

// What a component is joined to others by: its first port that is a node, else its first router or other node.
std::string Checker::node_to_join(ComponentId id) const
{
    const Component& component = program_.component(id);
    const auto node = [](const Type& type) { return type.kind == TypeKind::node && !type.array && !type.many; };
    for (const StatementId statement : component.body)
        if (const auto* port = std::get_if<PortStatement>(&program_.statements[statement.value].form))
            for (const Member& m : component.members)
                if (m.slot == port->slot && node(m.type)) return m.name;
    const Member* found = nullptr;
    for (const Member& m : component.members)
        if (node(m.type) && (!found || m.type.ref == static_cast<std::uint32_t>(abi::NodeKind::router))) {
            found = &m;
            if (m.type.ref == static_cast<std::uint32_t>(abi::NodeKind::router)) break;
        }
    return found ? found->name : "";
}

ExprId Checker::link_end(SyntaxId id)
{
    const ExprId e = expression(id);
    const Expr found = program_.expr(e);
    if (found.type.kind == TypeKind::instance) {
        const std::string node = node_to_join(ComponentId{found.type.ref});
        const std::string_view all = found.type.array ? "[*]" : "";
        diagnostics_
            .report(Diag::type_mismatch, found.span, fmt::format("a link joins nodes, found {}", a_named(found.type)))
            .help(fmt::format("name a node in {}: `{}{}.{}`", found.type.array ? "each" : "it", text(id), all,
                              node.empty() ? "x" : node))
            .fix_when_asked({span(id).behind(), node.empty() ? "" : fmt::format("{}.{}", all, node)});
        return error(found.span);
    }
    return require_type(e, {.kind = TypeKind::node, .many = true}, "the end of a link");
}

SchemaId Checker::link_schema(ExprId profile) const
{
    const Type type = profile ? program_.expr(profile).type : Type{};
    const bool of_link = type.kind == TypeKind::schema && program_.derives(SchemaId{type.ref}, program_.link);
    return of_link ? SchemaId{type.ref} : program_.link;
}

bool Checker::link_statement(SyntaxId id, Statement& out)
{
    const syntax::LinkDeclaration written(tree_, id);
    LinkStatement link;
    if (written.has_name()) {
        link.name = text(written.name());
        out.span = span(written.name());
    }
    if (written.has_brackets())
        for (const SyntaxId number : syntax::Brackets(tree_, written.brackets()).numbers()) {
            link.numbers.push_back(bracket(number, "an index", link.keys));
            if (const Expr e = program_.expr(link.numbers.back()); e.type.list) {
                diagnostics_
                    .report(Diag::misplaced_statement, e.span,
                            fmt::format("an index of a link is one number or key, found {}", a_named(e.type)))
                    .help("links of an array have its keys: `link edge: core[*] -- hub`");
                link.numbers.back() = error(e.span);
            }
        }
    link.one_way = tree_.node(id).flags & syntax_flag::directed;
    link.left = link_end(written.left());
    link.right = link_end(written.right());
    const bool by_left = program_.expr(link.left).type.many || !program_.expr(link.right).type.many;
    const Expr driver = program_.expr(by_left ? link.left : link.right);
    const Selection over = selection_of(program_, by_left ? link.left : link.right);
    std::vector<std::uint32_t> keys;  // of links per element: what the elements have
    if (over.instances != over.nodes) keys.push_back(program_.keys_index(driver.type));
    if (over.instances && over.nodes) {
        const bool all = driver.kind == ExprKind::every;
        const Type array = all ? program_.expr(program_.operands_of(driver)[0]).type : Type{};
        keys.push_back(abi::kNone);
        keys.push_back(program_.keys_index(array));
    }
    scopes_.emplace_back();
    if (driver.type.many)
        declare_index(link.index_slot, link.key_slot, out.span, over.instances && over.nodes, keys);
    const Type wanted{.kind = TypeKind::schema, .ref = program_.link.value};
    const Symbol* no_profile = written.has_profile() && text(written.profile()) == "Link" ? find("Link") : nullptr;
    if (no_profile && no_profile->kind == SymbolKind::schema)
        diagnostics_
            .report(Diag::type_mismatch, span(written.profile()), "`Link` is a schema, and here a profile stands")
            .help("a link without a profile has its attributes: leave `: Link` out")
            .fix({file_, span(written.right()).end, span(written.profile()).end}, "");
    else if (written.has_profile())
        link.profile = value(written.profile(), wanted, "the link's profile");
    link.schema = link_schema(link.profile);
    // `link a -- b(rate = 5 Mbps)`: they are there.
    const bool called = tree_.kind(written.right()) == SyntaxKind::call;
    link.attributes =
        attributes(written.attributes(), link.schema, !link.profile.valid() && !called, out.span, "the link");
    for (const AttributeValue& given : link.attributes)
        if (link.one_way && given.direction == LinkDirection::down)
            diagnostics_.report(Diag::one_way_link, given.span, "a one-way link carries nothing down")
                .help("write `--` between its ends, or leave `down { ... }` out")
                .fix(tree_.node(id).token, "--");
    scopes_.pop_back();
    const auto asks_for = [&](std::uint32_t slot) {
        return mentions(link.profile, slot) ||
               std::any_of(link.attributes.begin(), link.attributes.end(),
                           [&](const AttributeValue& given) { return mentions(given.value, slot); });
    };
    if (!asks_for(link.index_slot)) link.index_slot = abi::kNone;
    if (!asks_for(link.key_slot)) link.key_slot = abi::kNone;
    if (written.has_name()) {
        const std::size_t indices = link.numbers.size() + (over.instances ? 1u : 0u) + (over.nodes ? 1u : 0u);
        keys.insert(keys.begin(), link.keys.begin(), link.keys.end());
        const auto unknown = [&](ExprId end) { return program_.expr(end).type.kind == TypeKind::error; };
        if (unknown(link.left) || unknown(link.right)) {  // how many there are nobody knows
            const std::uint32_t slot = slots_++;
            links_.try_emplace(link.name, Symbol{SymbolKind::local, slot, out.span, {}});
            members_.push_back({link.name, slot, {}, out.span});
            for (Level& level : levels_) level.links.erase(link.name);
            return false;
        }
        declare_link(written.name(), {.kind = TypeKind::link,
                                      .array = static_cast<std::uint8_t>(indices),
                                      .keys = keying(std::move(keys))});
    }
    out.form = std::move(link);
    return true;
}

bool Checker::workload_statement(SyntaxId id, Statement& out)
{
    const syntax::WorkloadDeclaration written(tree_, id);
    const SyntaxId identifier = written.name(), type = written.type(), on = written.on();
    WorkloadStatement workload;
    workload.name = text(identifier);
    out.span = span(identifier);
    const Brackets written_brackets = brackets(written.brackets(), identifier);
    workload.numbers = written_brackets.numbers;
    workload.keys = written_brackets.keys;
    workload.keys.resize(workload.numbers.size());
    for (const ExprId count : written_brackets.counts)
        diagnostics_
            .report(Diag::misplaced_statement, program_.expr(count).span,
                    loops_ > 0 ? "this index is the same in each round of the loop"
                               : "a workload has an index in a loop only: it runs on any number of hosts")
            .help(loops_ > 0 ? numbering(workload.name)
                             : fmt::format("leave it out, and choose the hosts: `on pc[0 ..< n]`"));
    const ExprId targets = expression(on);
    const Type found = program_.expr(targets).type;
    const auto is = [&](abi::NodeKind kind) { return found.ref == static_cast<std::uint32_t>(kind); };
    if (found.kind == TypeKind::node && is(abi::NodeKind::endpoint)) {  // of servers' calls: elaborate knows
        workload.on = require_type(targets, {.kind = TypeKind::node, .ref = found.ref, .many = true}, "a workload");
    } else if (found.kind == TypeKind::node && !is(abi::NodeKind::host)) {
        diagnostics_.report(Diag::type_mismatch, span(on),
                            fmt::format("a workload runs on hosts, found {}", a_named(found)));
        workload.on = error(span(on));
    } else {
        const Type hosts{.kind = TypeKind::node, .ref = static_cast<std::uint32_t>(abi::NodeKind::host), .many = true};
        workload.on = require_type(targets, hosts, "a workload");
    }
    const Symbol* symbol = find_dotted(type);
    // What asks for it does not ask before its declaration, whatever is wrong with that.
    const auto declare = [&] {
        declare_link(identifier, {.kind = TypeKind::workload,
                                  .array = static_cast<std::uint8_t>(workload.numbers.size()),
                                  .keys = keying(workload.keys)});
    };
    if (!symbol) return declare(), false;
    if (symbol->kind != SymbolKind::schema || !program_.derives(SchemaId{symbol->index}, program_.workload)) {
        declare();
        diagnostics_.report(Diag::type_mismatch, span(type), fmt::format("`{}` is not a kind of workload", text(type)))
            .help(symbol->kind == SymbolKind::profile && program_.profiles[symbol->index].schema
                      ? fmt::format("a workload says its kind, `{}`, and its own attributes",
                                    program_.schema(program_.profiles[symbol->index].schema).name)
                      : "workloads are schemas that extend `Workload`, such as `web.ClosedLoop`");
        return false;
    }
    workload.schema = SchemaId{symbol->index};
    workload.attributes =
        attributes(written.attributes(), workload.schema, true, out.span, fmt::format("`{}`", text(type)));
    declare();
    out.form = std::move(workload);
    return true;
}

}  // namespace anml
