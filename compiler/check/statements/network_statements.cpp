// Statements that make the network: nodes, instances, links and workloads.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
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

void declare_index(Checking& in, std::uint32_t& slot, std::uint32_t& key_slot, Span place, bool several,
                   std::vector<std::uint32_t> keys)
{
    const auto declare = [&](std::string_view word, std::uint32_t& slot, Type type) {
        if (find(in, word)) return;
        slot = in.slots++;
        in.scopes.back().try_emplace(std::string(word), Symbol{SymbolKind::local, slot, place, type});
    };
    declare("index", slot, {.kind = TypeKind::integer, .list = several});
    std::erase(keys, abi::kNone);
    if (keys.empty()) return;
    if (keys.size() == 1) return declare("key", key_slot, {.kind = TypeKind::string, .keys = keying(in.program, keys)});
    declare("key", key_slot, {.kind = TypeKind::string, .list = true});
}

// `index` and `key`, the element's number and its key, in what is said of an array.
void declare_index(Checking& in, std::uint32_t& slot, std::uint32_t& key_slot, Span place, const Brackets& brackets)
{
    if (brackets.counts.empty()) return;
    declare_index(in, slot, key_slot, place, brackets.counts.size() > 1,
                  {brackets.keys.begin() + static_cast<std::ptrdiff_t>(brackets.numbers.size()), brackets.keys.end()});
}

bool mentions(const CheckedProgram& program, ExprId id, std::uint32_t slot)
{
    if (!id) return false;
    const Expr& e = program.expr(id);
    if (e.kind == ExprKind::local) return e.index == slot;
    for (ExprId operand : program.operands_of(e))
        if (mentions(program, operand, slot)) return true;
    return false;
}

// Where nothing depends on the element, all are made at once.
void per_element(const CheckedProgram& program, NodeStatement& node)
{
    const bool used = std::any_of(node.attributes.begin(), node.attributes.end(), [&](const AttributeValue& given) {
        return mentions(program, given.value, node.index_slot) || mentions(program, given.value, node.key_slot);
    });
    if (!used) node.index_slot = node.key_slot = abi::kNone;
}

// `experiment e : Store`: the model that it may be of, if there is only one.
void unknown_model(Checking& in, SyntaxId dotted_name)
{
    std::vector<std::string_view> models;
    for (const Component& c : in.program.components)
        if (c.is_model && !c.is_experiment && c.span.file == in.file) models.push_back(c.name);
    auto report = in.report(Diag::unknown_name, in.span(dotted_name),
                            fmt::format("there is no model or component `{}`", in.text(dotted_name)));
    const auto meant = models.size() == 1 ? models.front() : similar_name(in.text(dotted_name), models);
    if (!meant.empty()) report.suggest(in.span(dotted_name), meant, quoted_name(meant));
}

// As a module that is imported has it: "rack.Rack"; "": none has.
std::string in_module(const Checking& in, std::string_view component)
{
    for (const auto& [name, symbol] : in.modules[in.file.value]) {
        if (symbol.kind != SymbolKind::module) continue;
        const auto there = in.modules[symbol.index].find(component);
        if (there == in.modules[symbol.index].end() || there->second.own) continue;
        if (there->second.kind == SymbolKind::component) return fmt::format("{}.{}", name, component);
    }
    return {};
}

// A word that is no name at all may be a misspelt kind of node, or a component.
bool known_component(Checking& in, SyntaxId dotted_name, bool models)
{
    const auto parts = syntax::DottedName(in.tree, dotted_name).parts();
    if (parts.empty()) return false;  // a hole
    const std::string_view word = in.text(parts[0]);
    if (parts.size() > 1 || find(in, word)) return true;
    std::vector<std::string_view> candidates{"router", "switch", "host",     "endpoint",
                                             "link",   "let",    "workload", "require"};
    for (std::string_view name : in.diagnostics.suggests() ? visible_names(in) : std::vector<std::string_view>())
        if (const Symbol* s = find(in, name); s && s->kind == SymbolKind::component) candidates.push_back(name);
    for (const Level& level : in.levels)
        if (level.names.contains(word)) return true;  // find_dotted says so
    if (models) return unknown_model(in, dotted_name), false;
    auto report = in.report(Diag::unknown_name, in.span(dotted_name), fmt::format("there is no component `{}`", word));
    constexpr std::pair<std::string_view, std::string_view> kPlurals[] = {
        {"hosts", "host"}, {"routers", "router"}, {"switches", "switch"}, {"endpoints", "endpoint"}};
    const auto plural = std::ranges::find(kPlurals, word, &std::pair<std::string_view, std::string_view>::first);
    if (const std::string there = in_module(in, word); !there.empty())
        report.suggest(in.span(dotted_name), there);
    else if (plural != std::end(kPlurals))
        report.suggest(in.span(dotted_name), plural->second);
    else if (word == "new")
        report.help("an instance of a component is written `Component name(parameter = value)`");
    else if (word == "class" || word == "struct")
        report.help("parts of networks are a `component`, what has attributes alone is a `schema`: "
                    "`component Name(n: int = 2) { ... }` at the top of a file");
    else if (const Habit* habit = find_habit(word); habit && habit->before & kValue)
        report.help(std::string(habit->help));
    else if (word == "node" || word == "device")
        report.help("nodes are `host`, `router`, `switch` and `endpoint`");
    else if (word == "port")
        report.help("a port says what it stands for: `port wan = gateway`");
    else if (word == "label")
        report.help("labels are strings in braces behind what has them: `label pc[0], surf { name = \"...\" }`");
    else if (word == "measure")
        report.help("what an experiment measures of a run is a function of it: `measure p95(w)`");
    else if (word == "report")
        report.help("results are told apart by the keys of labels: `report by region, class`");
    else if (const auto meant = meant_name(word, candidates); !meant.empty())
        report.suggest(in.span(dotted_name), meant);
    else
        report.help(
            "nodes are `host`, `router`, `switch` and `endpoint`; components are declared in this file or in an "
            "imported module");
    return false;
}

// `site Site[3]`: the component stands where the name belongs. It is reported, and the name means something.
bool swapped_instance(Checking& in, SyntaxId component, SyntaxId identifier)
{
    const auto parts = syntax::DottedName(in.tree, component).parts();
    if (parts.size() != 1 || find(in, in.text(parts[0])) || find_habit(in.text(parts[0]))) return false;
    constexpr std::string_view kElsewhere[] = {"new", "class", "struct", "instance"};
    if (std::ranges::find(kElsewhere, in.text(parts[0])) != std::end(kElsewhere)) return false;
    if (in.text(parts[0]) == in.text(identifier)) return false;  // which hides it
    const Symbol* meant = hidden_by(in, in.text(identifier));
    if (!meant || meant->kind != SymbolKind::component || in.program.components[meant->index].is_model) return false;
    const Span both{in.file, in.span(component).begin, in.span(identifier).end};
    const std::string order = fmt::format("{} {}", in.text(identifier), in.text(parts[0]));
    in.report(Diag::unknown_name, both, fmt::format("there is no component `{}`", in.text(parts[0])))
        .help(fmt::format("the component comes first: `{}`", order))
        .fix(both, order);
    in.scopes.front().try_emplace(std::string(in.text(parts[0])),
                                  Symbol{SymbolKind::local, in.slots++, in.span(parts[0]), {}});
    return true;
}

// What a component is joined to others by: its first port that is a node, else its first router or other node.
std::string node_to_join(const CheckedProgram& program, ComponentId id)
{
    const Component& component = program.component(id);
    const auto node = [](const Type& type) { return type.kind == TypeKind::node && !type.array && !type.many; };
    for (const StatementId statement : component.body)
        if (const auto* port = std::get_if<PortStatement>(&program.statements[statement.value].form))
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

ExprId link_end(Checking& in, SyntaxId id)
{
    const ExprId e = expression(in, id);
    const Expr found = in.program.expr(e);
    if (found.type.kind == TypeKind::instance) {
        const std::string node = node_to_join(in.program, ComponentId{found.type.ref});
        const std::string_view all = found.type.array ? "[*]" : "";
        in.report(Diag::type_mismatch, found.span, fmt::format("a link joins nodes, found {}", in.a_named(found.type)))
            .help(fmt::format("name a node in {}: `{}{}.{}`", found.type.array ? "each" : "it", in.text(id), all,
                              node.empty() ? "x" : node))
            .fix_when_asked({in.span(id).behind(), node.empty() ? "" : fmt::format("{}.{}", all, node)});
        return in.error(found.span);
    }
    return require_type(in, e, {.kind = TypeKind::node, .many = true}, "the end of a link");
}

}  // namespace

bool node_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::NodeDeclaration written(in.tree, id);
    const SyntaxId identifier = written.name();
    NodeStatement node;
    node.kind = node_kind(in.sources.text(in.tree.node(id).token));
    node.name = in.text(identifier);
    const std::string_view kind = node_kind_name(node.kind);
    out.span = in.span(identifier);
    node.brackets = brackets(in, written.brackets(), identifier);
    in.scopes.emplace_back();
    declare_index(in, node.index_slot, node.key_slot, out.span, node.brackets);
    node.attributes = attributes(in, written.attributes(), in.program.node_schema(node.kind), true, out.span,
                                 fmt::format("the {}", kind));
    in.scopes.pop_back();
    per_element(in.program, node);
    Type type{.kind = TypeKind::node,
              .ref = static_cast<std::uint32_t>(node.kind),
              .array = node.brackets.size(),
              .keys = keying(in.program, node.brackets.keys)};
    // `host pc { count = 4 }`: that no array is declared so is one mistake, wherever its elements are asked for.
    for (const SyntaxId given : syntax::AttributeBlock(in.tree, written.attributes()).attributes())
        if (!in.tree.is_hole(given) && asks_for_many(in.text(syntax::Attribute(in.tree, given).name()))) type = {};
    node.slot = declare_part(in, identifier, type, node.brackets);
    out.form = std::move(node);
    return true;
}

bool instance_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::InstanceDeclaration written(in.tree, id);
    const SyntaxId component_syntax = written.component(), identifier = written.name();
    if (swapped_instance(in, component_syntax, identifier)) return false;
    InstanceStatement instance;
    instance.name = in.text(identifier);
    out.span = in.span(identifier);
    instance.brackets = brackets(in, written.brackets(), identifier);
    Type type;
    std::optional<ComponentId> found;
    if (const Symbol* symbol = passed_here(in, component_syntax)) {
        const ComponentId wanted{symbol->type.ref};
        in.means(syntax::DottedName(in.tree, component_syntax).parts()[0], symbol->span);
        instance.passed = in.add(ExprKind::local, symbol->type, in.span(component_syntax), symbol->index);
        if (finished(in, wanted, in.span(component_syntax))) found = wanted;
    } else {
        found = component_named(in, component_syntax, false);
    }
    if (found) {
        instance.component = *found;
        component_body(in, *found);
        if (in.needs_run[found->value]) need_run(in, out.span);
        const Component& component = in.program.component(*found);
        in.scopes.emplace_back();
        declare_index(in, instance.index_slot, instance.key_slot, out.span, instance.brackets);
        instance.arguments = arguments(in, written.arguments(), component.parameters, in.span(component_syntax),
                                       component.name, component.span);
        if (written.has_overrides()) instance.overrides = overrides(in, written.overrides(), *found);
        in.scopes.pop_back();
        type = {.kind = TypeKind::instance,
                .ref = instance.component.value,
                .array = instance.brackets.size(),
                .keys = keying(in.program, instance.brackets.keys)};
    }
    if (!found) in.incomplete.insert(in.component.value);
    // `return a`, of a component that there is not, declares nothing anew.
    if (!found && find(in, in.text(identifier))) return false;
    instance.slot = declare_part(in, identifier, type, instance.brackets);
    if (!found) return false;
    out.form = std::move(instance);
    return true;
}

std::optional<ComponentId> component_named(Checking& in, SyntaxId dotted_name, bool models)
{
    if (!known_component(in, dotted_name, models)) return std::nullopt;
    const Symbol* symbol = find_dotted(in, dotted_name);
    if (!symbol) return std::nullopt;
    if (symbol->kind == SymbolKind::local && symbol->type.kind == TypeKind::error) return std::nullopt;
    if (symbol->kind != SymbolKind::component || (in.program.components[symbol->index].is_model && !models)) {
        auto report = in.report(Diag::type_mismatch, in.span(dotted_name),
                                fmt::format("`{}` is not a component", in.text(dotted_name)));
        if (symbol->kind == SymbolKind::component)
            report.help("a model is a whole scenario and has no instances; a model may extend it");
        else if (const auto kind = similar_name(in.text(dotted_name), {"router", "switch", "host", "endpoint", "link"});
                 symbol->kind == SymbolKind::schema && !kind.empty())
            report.write(in.span(dotted_name), std::string(kind));
        else if (symbol->kind == SymbolKind::local && symbol->span.valid()) {
            const auto hidden = [&](const Component& c) { return c.name == in.text(dotted_name) && !c.is_model; };
            if (std::any_of(in.program.components.begin(), in.program.components.end(), hidden))
                report.also(symbol->span, "this has its name, and hides the component")
                    .help("give one of the two another name");
            else
                report.also(symbol->span, "declared here");
            constexpr std::string_view kServers[] = {"server", "service", "backend", "client", "pc", "gateway", "hub"};
            if (std::ranges::find(kServers, in.text(dotted_name)) != std::end(kServers)) {
                const auto kind = meant_name(in.text(dotted_name), {"router", "switch", "host", "endpoint"});
                report.help(kind.empty() || kind == "endpoint"
                                ? "a server is an endpoint: `endpoint name { simulated = web.server() }`"
                                : fmt::format("its kind is `{}`", kind));
            }
        }
        return std::nullopt;
    }
    const ComponentId id{symbol->index};
    const auto open = std::find(in.open_components.begin(), in.open_components.end(), id);
    if (open == in.open_components.end()) return id;
    std::string cycle;
    for (auto it = open; it != in.open_components.end(); ++it)
        cycle += fmt::format("`{}` -> ", in.program.component(*it).name);
    const std::string& name = in.program.component(id).name;
    in.report(Diag::recursive_declaration, in.span(dotted_name),
              fmt::format("`{}` contains itself: {}`{}`", name, cycle, name))
        .also(in.program.component(id).span, "declared here");
    return std::nullopt;
}

// `port wan = gateway`, `port capacity = 3 Gbps`: what `instance.wan` means.
bool port_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::PortDeclaration written(in.tree, id);
    const SyntaxId identifier = written.name(), syntax = written.value();
    out.span = in.span(identifier);
    if (in.loops > 0)
        in.report(Diag::misplaced_statement, out.span, "a port cannot be declared in a loop")
            .help("it stands beside the loop, and may be an array or a list: `port name = array`");
    PortStatement port;
    port.value = expression(in, syntax);
    Type type = in.program.expr(port.value).type;
    if (type.kind == TypeKind::link || type.kind == TypeKind::workload || type.kind == TypeKind::component) {
        in.report(Diag::type_mismatch, in.span(syntax),
                  fmt::format("a port is a node, an instance or a value, found {}", in.a_named(type)))
            .help(type.kind == TypeKind::component ? "an instance of it can be a port"
                                                   : "links and workloads are known outside by their own names");
        type = {};
    }
    if (type.kind == TypeKind::node && in.text(identifier) == "nodes") port.keys = keys_of_graph(in);
    if (port.keys != abi::kNone) type.keys = keying(in.program, {port.keys});
    port.slot = declare_local(in, identifier, type, true);
    in.members.push_back({std::string(in.text(identifier)), port.slot, type, out.span});
    out.form = port;
    return true;
}

SchemaId link_schema(const CheckedProgram& program, ExprId profile)
{
    const Type type = profile ? program.expr(profile).type : Type{};
    const bool of_link = type.kind == TypeKind::schema && program.derives(SchemaId{type.ref}, program.link);
    return of_link ? SchemaId{type.ref} : program.link;
}

bool link_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::LinkDeclaration written(in.tree, id);
    LinkStatement link;
    if (written.has_name()) {
        link.name = in.text(written.name());
        out.span = in.span(written.name());
    }
    if (written.has_brackets())
        for (const SyntaxId number : syntax::Brackets(in.tree, written.brackets()).numbers()) {
            link.numbers.push_back(bracket(in, number, "an index", link.keys));
            if (const Expr e = in.program.expr(link.numbers.back()); e.type.list) {
                in.report(Diag::misplaced_statement, e.span,
                          fmt::format("an index of a link is one number or key, found {}", in.a_named(e.type)))
                    .help("links of an array have its keys: `link edge: core[*] -- hub`");
                link.numbers.back() = in.error(e.span);
            }
        }
    link.one_way = in.tree.node(id).flags & syntax_flag::directed;
    link.left = link_end(in, written.left());
    link.right = link_end(in, written.right());
    const bool by_left = in.program.expr(link.left).type.many || !in.program.expr(link.right).type.many;
    const Expr driver = in.program.expr(by_left ? link.left : link.right);
    const Selection over = selection_of(in.program, by_left ? link.left : link.right);
    std::vector<std::uint32_t> keys;  // of links per element: what the elements have
    if (over.instances != over.nodes) keys.push_back(in.program.keys_index(driver.type));
    if (over.instances && over.nodes) {
        const bool all = driver.kind == ExprKind::every;
        const Type array = all ? in.program.expr(in.program.operands_of(driver)[0]).type : Type{};
        keys.push_back(abi::kNone);
        keys.push_back(in.program.keys_index(array));
    }
    in.scopes.emplace_back();
    if (driver.type.kind == TypeKind::error)  // how many there are nobody knows
        for (const std::string word : {"index", "key"})
            in.scopes.back().try_emplace(word, Symbol{SymbolKind::local, in.slots++, out.span, {}});
    if (driver.type.many)
        declare_index(in, link.index_slot, link.key_slot, out.span, over.instances && over.nodes, keys);
    const Type wanted{.kind = TypeKind::schema, .ref = in.program.link.value};
    const Symbol* no_profile =
        written.has_profile() && in.text(written.profile()) == "Link" ? find(in, "Link") : nullptr;
    if (no_profile && no_profile->kind == SymbolKind::schema)
        in.report(Diag::type_mismatch, in.span(written.profile()), "`Link` is a schema, and here a profile stands")
            .help("a link without a profile has its attributes: leave `: Link` out")
            .fix({in.file, in.span(written.right()).end, in.span(written.profile()).end}, "");
    else if (written.has_profile())
        link.profile = value(in, written.profile(), wanted, "the link's profile");
    link.schema = link_schema(in.program, link.profile);
    // `link a -- b(rate = 5 Mbps)`: they are there.
    const bool called = in.tree.kind(written.right()) == SyntaxKind::call;
    link.attributes =
        attributes(in, written.attributes(), link.schema, !link.profile.valid() && !called, out.span, "the link");
    for (const AttributeValue& given : link.attributes)
        if (link.one_way && given.direction == LinkDirection::down)
            in.report(Diag::one_way_link, given.span, "a one-way link carries nothing down")
                .help("write `--` between its ends, or leave `down { ... }` out")
                .fix(in.tree.node(id).token, "--");
    in.scopes.pop_back();
    const auto asks_for = [&](std::uint32_t slot) {
        return mentions(in.program, link.profile, slot) ||
               std::any_of(link.attributes.begin(), link.attributes.end(),
                           [&](const AttributeValue& given) { return mentions(in.program, given.value, slot); });
    };
    if (!asks_for(link.index_slot)) link.index_slot = abi::kNone;
    if (!asks_for(link.key_slot)) link.key_slot = abi::kNone;
    if (written.has_name()) {
        const std::size_t indices = link.numbers.size() + (over.instances ? 1u : 0u) + (over.nodes ? 1u : 0u);
        keys.insert(keys.begin(), link.keys.begin(), link.keys.end());
        const auto unknown = [&](ExprId end) { return in.program.expr(end).type.kind == TypeKind::error; };
        if (unknown(link.left) || unknown(link.right)) {  // how many there are nobody knows
            const std::uint32_t slot = in.slots++;
            in.incomplete.insert(in.component.value);
            in.links.try_emplace(link.name, Symbol{SymbolKind::local, slot, out.span, {}});
            in.members.push_back({link.name, slot, {}, out.span});
            for (Level& level : in.levels) level.links.erase(link.name);
            return false;
        }
        declare_link(in, written.name(),
                     {.kind = TypeKind::link,
                      .array = static_cast<std::uint8_t>(indices),
                      .keys = keying(in.program, std::move(keys))});
    }
    out.form = std::move(link);
    return true;
}

bool workload_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::WorkloadDeclaration written(in.tree, id);
    const SyntaxId identifier = written.name(), type = written.type(), on = written.on();
    WorkloadStatement workload;
    workload.name = in.text(identifier);
    out.span = in.span(identifier);
    const Brackets written_brackets = brackets(in, written.brackets(), identifier);
    workload.numbers = written_brackets.numbers;
    workload.keys = written_brackets.keys;
    workload.keys.resize(workload.numbers.size());
    for (const ExprId count : written_brackets.counts)
        in.report(Diag::misplaced_statement, in.program.expr(count).span,
                  in.loops > 0 ? "this index is the same in each round of the loop"
                               : "a workload has an index in a loop only: it runs on any number of hosts")
            .help(in.loops > 0 ? numbering(in, workload.name)
                               : fmt::format("leave it out, and choose the hosts: `on pc[0 ..< n]`"));
    const Type any_hosts{.kind = TypeKind::node, .many = true};
    const ExprId targets = expression(in, on, in.text(on) == "all" ? &any_hosts : nullptr);
    const Type found = in.program.expr(targets).type;
    const auto is = [&](abi::NodeKind kind) { return found.ref == static_cast<std::uint32_t>(kind); };
    if (found.kind == TypeKind::node && is(abi::NodeKind::endpoint)) {  // of servers' calls: elaborate knows
        workload.on = require_type(in, targets, {.kind = TypeKind::node, .ref = found.ref, .many = true}, "a workload");
    } else if (found.kind == TypeKind::node && !is(abi::NodeKind::host)) {
        auto report = in.report(Diag::type_mismatch, in.span(on),
                                fmt::format("a workload runs on hosts, found {}", in.a_named(found)));
        if (in.text(type).ends_with("Calls"))
            report.help("calls are made by endpoints: `endpoint api { simulated = web.server() }`");
        else
            report.help(
                fmt::format("hosts are linked with it: `host pc`, `link pc -- {}`, and here `on pc`", in.text(on)));
        workload.on = in.error(in.span(on));
    } else {
        const Type hosts{.kind = TypeKind::node, .ref = static_cast<std::uint32_t>(abi::NodeKind::host), .many = true};
        workload.on = require_type(in, targets, hosts, "a workload");
    }
    const Symbol* symbol = find_dotted(in, type);
    // What asks for it does not ask before its declaration, whatever is wrong with that.
    const auto declare = [&] {
        declare_link(in, identifier,
                     {.kind = TypeKind::workload,
                      .array = static_cast<std::uint8_t>(workload.numbers.size()),
                      .keys = keying(in.program, workload.keys)});
    };
    if (!symbol) return declare(), false;
    if (symbol->kind != SymbolKind::schema || !in.program.derives(SchemaId{symbol->index}, in.program.workload)) {
        declare();
        in.report(Diag::type_mismatch, in.span(type), fmt::format("`{}` is not a kind of workload", in.text(type)))
            .help(symbol->kind == SymbolKind::profile && in.program.profiles[symbol->index].schema
                      ? fmt::format("a workload says its kind, `{}`, and its own attributes",
                                    in.program.schema(in.program.profiles[symbol->index].schema).name)
                      : "workloads are schemas that extend `Workload`, such as `web.ClosedLoop`");
        return false;
    }
    workload.schema = SchemaId{symbol->index};
    const bool called = in.tree.kind(on) == SyntaxKind::call;  // `on pc[*] (to = a)`: they are there
    workload.attributes =
        attributes(in, written.attributes(), workload.schema, !called, out.span, fmt::format("`{}`", in.text(type)));
    declare();
    out.form = std::move(workload);
    return true;
}

}  // namespace anml
