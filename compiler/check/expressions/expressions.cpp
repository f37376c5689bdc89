// Expressions: dispatch by syntax, names and members, conditionals and lists, and the check against a wanted type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

std::pair<std::string_view, std::string_view> usual_units(Dimension d, double value)
{
    if (d == dimension::rate && value >= 1e5) return {"bps", "Kbps"};
    if (d == dimension::time) return {"ms", "s"};
    if (d == dimension::size) return {"B", "KB"};
    if (d == dimension::rate) return {"Mbps", "Gbps"};
    if (d == dimension::length) return {"m", "km"};
    return {};
}

namespace {

// `eth0`, `ge3`: a word that an interface is called by, and its number.
bool names_interface(std::string_view name)
{
    const std::size_t number = name.find_last_not_of("0123456789") + 1;
    constexpr std::string_view kWords[] = {"eth", "en", "ens", "wlan", "gi", "ge", "fa", "lo", "if", "port", "swp"};
    return number > 0 && number < name.size() &&
           std::find(std::begin(kWords), std::end(kWords), name.substr(0, number)) != std::end(kWords);
}

bool is_numeric(const Type& t) { return t.kind == TypeKind::number || t.kind == TypeKind::integer; }

}  // namespace

ExprId Checker::add(ExprKind kind, Type type, Span span, std::uint32_t index, double value,
                    std::vector<ExprId> operands)
{
    Expr e{kind,
           type,
           span,
           index,
           value,
           static_cast<std::uint32_t>(program_.operands.size()),
           static_cast<std::uint32_t>(operands.size())};
    e.type.or_trace = false;  // of the place, not of what stands there
    const bool keyed = kind == ExprKind::local || kind == ExprKind::bound || kind == ExprKind::table ||
                       kind == ExprKind::member || kind == ExprKind::element || kind == ExprKind::every;
    if (!keyed) e.type.keys = 0;
    program_.operands.insert(program_.operands.end(), operands.begin(), operands.end());
    program_.expressions.push_back(e);
    return ExprId{program_.expressions.size() - 1};
}

ExprId Checker::expression(SyntaxId id, const Type* wanted)
{
    const Span where = span(id);
    if (wanted && wanted->kind == TypeKind::component) {
        const bool call = tree_.kind(id) == SyntaxKind::call;
        const Symbol* symbol = static_symbol(call ? syntax::Call(tree_, id).callee() : id);
        if (symbol && symbol->kind == SymbolKind::component)
            return passed_component(id, ComponentId{symbol->index},
                                    call ? syntax::Call(tree_, id).arguments() : SyntaxId{}, *wanted);
    }
    switch (tree_.kind(id)) {
        case SyntaxKind::literal_integer:
        case SyntaxKind::literal_number:
        case SyntaxKind::literal_quantity:
            return quantity(id);
        case SyntaxKind::literal_string:
            program_.strings.push_back(string_value(id));
            find_placeholders(id);
            return add(ExprKind::string, {.kind = TypeKind::string}, where,
                       static_cast<std::uint32_t>(program_.strings.size() - 1));
        case SyntaxKind::literal_boolean:
            return add(ExprKind::number, {.kind = TypeKind::boolean}, where, 0, text(id) == "true");
        case SyntaxKind::literal_address:
        case SyntaxKind::literal_prefix:
            return address(id, wanted);
        case SyntaxKind::name:
            return name(id, wanted);
        case SyntaxKind::self:
            diagnostics_.report(Diag::misplaced_self, where, "`self` is not a value by itself")
                .help("name an attribute: `self.x`");
            return error(where);
        case SyntaxKind::member:
            return member(id);
        case SyntaxKind::subscript:
            return subscript(id);
        case SyntaxKind::call:
            return call(id);
        case SyntaxKind::unary:
            return unary(id, wanted);
        case SyntaxKind::binary:
            return binary(id, wanted);
        case SyntaxKind::conditional:
            return conditional(id, wanted);
        case SyntaxKind::list:
            return list(id, wanted);
        case SyntaxKind::comprehension:
            return comprehension(id, wanted);
        case SyntaxKind::adapted:
            return adapted(id);
        default:
            return error(where);
    }
}

ExprId Checker::value(SyntaxId id, const Type& wanted, std::string_view what)
{
    // Of whatever dimension: what stands there says which.
    return require_type(expression(id, wanted.any ? nullptr : &wanted), wanted, what);
}

// A profile with which a value of type `found` makes one of the schema `wanted`: `droptail` of a size and a `Queue`.
std::string Checker::profile_from(const Type& found, const Type& wanted) const
{
    if (wanted.kind != TypeKind::schema) return {};
    for (const Profile& p : program_.profiles) {
        if (p.owner || p.parameters.empty() || !program_.derives(p.schema, SchemaId{wanted.ref})) continue;
        const Type& first = p.parameters.front().type;
        bool others = false;
        for (std::size_t i = 1; i < p.parameters.size(); ++i) others = others || p.parameters[i].required;
        if (!is_numeric(first) || first.kind != found.kind || first.dim != found.dim || others) continue;
        std::string_view module = sources_.file(p.span.file).module;
        if (module.empty() || module == "std.prelude") return p.name;
        // An access line of the library is more than its rate.
        if (found.dim == dimension::rate && program_.library_files[p.span.file.value]) continue;
        return fmt::format("{}.{}", module.substr(module.rfind('.') + 1), p.name);
    }
    return {};
}

// ", or `ether.fast`" where std.ether, if it is imported, has a link of that rate.
std::string Checker::ether_of(std::optional<double> rate) const
{
    for (const Profile& p : program_.profiles) {
        if (p.owner || !p.parameters.empty() || sources_.file(p.span.file).module != "std.ether") continue;
        for (const AttributeValue& given : p.attributes)
            if (rate && program_.schema(p.schema).attributes[given.attribute].name == "rate" &&
                constant(given.value) == rate)
                return fmt::format(", or `ether.{}`", p.name);
    }
    return {};
}

// Whether a string says, without its quotes, what may be such a value.
bool Checker::means_value(std::string_view bare, const Type& wanted) const
{
    switch (wanted.kind) {
        case TypeKind::address:
        case TypeKind::prefix:
            return true;
        case TypeKind::boolean:
            return bare == "true" || bare == "false";
        case TypeKind::enumeration: {
            const auto& values = program_.enums[wanted.ref].values;
            return std::find(values.begin(), values.end(), bare) != values.end();
        }
        case TypeKind::node:
        case TypeKind::link:
        case TypeKind::workload:
        case TypeKind::schema: {
            const std::string_view first = bare.substr(0, bare.find_first_of(".([ "));
            return find(first) || links_.contains(first);
        }
        default:
            return false;
    }
}

// `site[0]` where hosts are wanted: `site[0].pc[*]`.
void Checker::help_with_instance(Diagnostics::Builder& report, const Expr& found, const Type& wanted) const
{
    if (wanted.kind != TypeKind::node) return;
    for (const Member& m : program_.component(ComponentId{found.type.ref}).members) {
        if (m.type.kind != TypeKind::node || (wanted.ref != abi::kNone && m.type.ref != wanted.ref)) continue;
        const std::string_view all = found.type.array ? "[*]" : "",
                               chosen = !m.type.array ? "" : wanted.many ? "[*]" : "[0]";
        const std::string inner = fmt::format("{}.{}{}", all, m.name, chosen);
        report.help(fmt::format("name what is in it: `{}{}`", sources_.text(found.span), inner))
            .fix_when_asked({found.span.behind(), inner});
        return;
    }
}

// A link over the air and the radio that serves it are taken for each other.
void Checker::help_with_radio(Diagnostics::Builder& report, const Type& found, const Type& wanted) const
{
    if (program_.schema(SchemaId{wanted.ref}).name == "Radio" && program_.derives(SchemaId{found.ref}, program_.link))
        report.help("the radio is the node's, `switch ap { radio = wifi.ac() }`, and what reaches it a link, `link "
                    "pc[*] -- ap : wifi.air(300 Mbps)`");
    else if (program_.derives(SchemaId{wanted.ref}, program_.link))
        report.help("a radio is the node's, `switch ap { radio = wifi.ac() }`; the link's profile is "
                    "`wifi.air(300 Mbps)`");
}

// Whether it is a radio, such as a cell.
bool Checker::derives_radio(const Type& type) const
{
    for (SchemaId base{type.ref}; base.valid(); base = program_.schemas[base.value].base)
        if (program_.schemas[base.value].name == "Radio") return true;
    return false;
}

ExprId Checker::require_type(ExprId expr, const Type& wanted, std::string_view what)
{
    const Expr e = program_.expr(expr);
    const Type& found = e.type;
    if (assignable(found, wanted)) return expr;
    if (wanted.kind == TypeKind::file && !wanted.list && e.kind == ExprKind::string) return named_file(expr);
    const std::string written{sources_.text(e.span)};
    Type one = wanted;
    one.many = false;
    if (one.dim == dimension::none) one.random = false;  // so much goes without saying
    const std::string place = wanted.many ? a_named(one) + " or several" : a_named(one);
    if ((found.array || (found.many && !wanted.many)) && wanted.kind == found.kind) {
        auto report = diagnostics_.report(Diag::invalid_selection, e.span,
                                          fmt::format("{} wants {}, found {}", what, place, a_named(found)));
        if (found.array && wanted.many)
            report.help(fmt::format("choose all its elements with `{}[*]`, or one with `{}[0]`", written, written))
                .fix(e.span.behind(), "[*]")
                .fix(e.span.behind(), "[0]");
        else if (found.array)
            report.help(fmt::format("choose an element: `{}[0]`", written)).fix_when_asked({e.span.behind(), "[0]"});
        else if (written.ends_with("[*]"))
            report.help(fmt::format("choose one of them: `{}[0]`", written.substr(0, written.size() - 3)))
                .fix_when_asked({{e.span.file, e.span.end - 3, e.span.end}, "[0]"});
        return error(e.span);
    }
    if (is_numeric(found) && is_numeric(wanted) && found.dim != wanted.dim && !found.list && !wanted.any) {
        auto report = diagnostics_.report(Diag::unit_mismatch, e.span,
                                          fmt::format("{} wants {}, found {}", what, place, a_named(found)));
        const bool plain = found.dim == dimension::none && e.kind == ExprKind::number;
        const auto [small, large] = usual_units(wanted.dim, plain ? e.value : 0);
        if (found.dim == dimension::none && !small.empty()) {
            if (e.kind == ExprKind::number)
                report.write_either(e.span, fmt::format("{} {}", written, small), fmt::format("{} {}", written, large));
            else
                report.help(fmt::format("multiply it by a unit: `({}) * 1 {}`", written, small))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, small))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, large));
        } else if (wanted.dim == dimension::time && e.kind == ExprKind::number && written.ends_with("m")) {
            report.help("`m` is metres; minutes are `min`").fix({e.span.file, e.span.end - 1, e.span.end}, "min");
        } else if (!small.empty() && e.kind == ExprKind::number) {
            report.help(fmt::format("{} is written in units such as `{}` and `{}`", a_named(wanted), small, large));
        }
        return error(e.span);
    }
    // That nothing is filled in there is no second mistake.
    if (found.kind == TypeKind::string && diagnostics_.suggests())
        diagnostics_.remove_if([&](const Diagnostic& d) {
            return d.diag == Diag::literal_placeholder && d.span.file == e.span.file && e.span.begin <= d.span.begin &&
                   d.span.end <= e.span.end;
        });
    auto report = diagnostics_.report(Diag::type_mismatch, e.span,
                                      fmt::format("{} wants {}, found {}", what, place, a_named(found)));
    if (wanted.kind == TypeKind::integer && found.kind == TypeKind::number && found.dim == dimension::none &&
        !found.random)
        report.help(fmt::format("round it: `floor({})`", written)).fix(e.span, fmt::format("floor({})", written));
    if (wanted.kind == TypeKind::schema && program_.schema(SchemaId{wanted.ref}).name == "Queue" &&
        found.kind == TypeKind::integer)
        report.help(fmt::format("in packets it is `droptail(packets = {})`", written))
            .fix(e.span, fmt::format("droptail(packets = {})", written));
    if (found.kind == TypeKind::string && written.size() > 2) {
        std::string bare = written.substr(1, written.size() - 2);
        if (bare.starts_with("${") && bare.ends_with("}")) bare = bare.substr(2, bare.size() - 3);
        if (is_numeric(wanted) ? parse_quantity(bare).has_value() : means_value(bare, wanted))
            report.help(fmt::format("write it without quotes: `{}`", bare)).fix(e.span, bare);
        else if (wanted.or_trace && (bare.find('.') != bare.npos || bare.find('/') != bare.npos))
            report.help(fmt::format("a file's values are a trace: `trace({})`", written))
                .fix(e.span, fmt::format("trace({})", written));
        else if (const std::string_view ours = foreign_name_help(bare); !ours.empty())
            report.help(std::string(ours));
        else if (wanted.kind == TypeKind::schema && program_.schema(SchemaId{wanted.ref}).name == "Radio")
            report.help("a radio is a profile of `std.wifi`: `wifi.n()`, `wifi.ac()`");
        else if (wanted.kind == TypeKind::schema || wanted.kind == TypeKind::enumeration)
            help_with_library(report, e.span, bare);
        else if (wanted.kind == TypeKind::node || wanted.kind == TypeKind::link || wanted.kind == TypeKind::workload)
            report.help(bare.find('/') != bare.npos
                            ? "who is asked is a node, by its name: `endpoint s { address = 10.9.0.80 }`, and here `s`"
                            : "what is declared is named without quotes: `a`, `pc[0]`, `pc[*]`");
    }
    if (wanted.kind == TypeKind::address && found.kind == TypeKind::address && found.list)
        report.help("a node has one address; those of an array count on from it: `host pc[2] { address = 10.0.0.1 }`");
    if (const std::string profile = is_numeric(found) ? profile_from(found, wanted) : ""; !profile.empty())
        report.help(fmt::format("a profile makes one of it: `{}({})`", profile, written))
            .fix(e.span, fmt::format("{}({})", profile, written));
    else if (is_numeric(found) && found.dim == dimension::rate && wanted.kind == TypeKind::schema &&
             program_.derives(program_.link, SchemaId{wanted.ref}))
        report.help(fmt::format("a profile says the rate: `profile wire : Link {{ rate = {} }}`{}", written,
                                ether_of(constant(expr))));
    if (wanted.kind == TypeKind::node && (found.kind == TypeKind::address || found.kind == TypeKind::prefix))
        report.help("traffic goes to nodes, which have addresses: name the node, or all that share one, `near[*]`");
    if (found.kind == TypeKind::instance) help_with_instance(report, e, wanted);
    const bool radio = found.kind == TypeKind::schema && wanted.kind == TypeKind::schema && !found.list &&
                       (program_.schema(SchemaId{wanted.ref}).name == "Radio" || derives_radio(found));
    if (radio)
        help_with_radio(report, found, wanted);
    else if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema &&
        program_.derives(program_.link, SchemaId{wanted.ref}))
        report.help(
            "a link has a profile of lines, such as `ether.fast`; what serves at an endpoint is its `simulated`");
    if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema)
        report.also(program_.schemas[found.ref].span,
                    fmt::format("`{}` does not extend `{}`", program_.schemas[found.ref].name,
                                program_.schemas[wanted.ref].name));
    return error(e.span);
}

std::string_view Checker::table_of(const Type& key) const
{
    const std::uint32_t keys = program_.keys_index(key);
    if (keys == abi::kNone) return {};
    for (const Table& table : program_.data_tables)
        if (table.keys == keys && find(table.name)) return table.name;
    return {};
}

ExprId Checker::name(SyntaxId id, const Type* wanted)
{
    const std::string_view written = text(id);
    if (wanted && wanted->kind == TypeKind::enumeration) {
        const Enum& e = program_.enums[wanted->ref];
        for (std::size_t i = 0; i < e.values.size(); ++i)
            if (e.values[i] == written) {
                means(syntax::Name(tree_, id).identifier(), e.value_spans[i]);
                return add(ExprKind::enum_value, *wanted, span(id), static_cast<std::uint32_t>(i));
            }
    }
    if (check_named(written, span(id))) return error(span(id));
    if (const Symbol* symbol = find(written)) return use_symbol(*symbol, id);
    if (check_link_named(written, span(id))) return error(span(id));
    if (const auto link = links_.find(written); link != links_.end()) return use_link(link->second, id);
    if (wanted && wanted->kind == TypeKind::enumeration) {
        const Enum& e = program_.enums[wanted->ref];
        auto report =
            diagnostics_.report(Diag::unknown_name, span(id), fmt::format("`{}` has no value `{}`", e.name, written));
        if (diagnostics_.suggests()) report.help(fmt::format("its values are `{}`", fmt::join(e.values, "`, `")));
        if (const std::string_view ours = foreign_name_help(written); !ours.empty()) report.help(std::string(ours));
        return error(span(id));
    }
    if (find_builtin(written)) {
        diagnostics_
            .report(Diag::type_mismatch, span(id), fmt::format("`{}` is a function, which is not a value", written))
            .help(fmt::format("call it: `{}`", builtin_usage(*find_builtin(written))));
        return error(span(id));
    }
    report_unknown(span(id), written);
    return error(span(id));
}

ExprId Checker::use_symbol(const Symbol& symbol, SyntaxId id)
{
    const Span where = span(id);
    const auto not_a_value = [&](std::string_view kind, std::string help) {
        auto report = diagnostics_.report(Diag::type_mismatch, where,
                                          fmt::format("`{}` is {}, which is not a value", text(id), kind));
        if (!help.empty()) report.help(std::move(help));
        return error(where);
    };
    if (tree_.kind(id) == SyntaxKind::name) means(syntax::Name(tree_, id).identifier(), symbol.span);
    switch (symbol.kind) {
        case SymbolKind::local:
            if (symbol.computed) return let_computed(symbol, id);
            if (symbol.bound) return add(ExprKind::bound, symbol.type, where, bound_ - 1 - symbol.index);
            return add(ExprKind::local, symbol.type, where, symbol.index);
        case SymbolKind::profile: {
            const Profile& profile = program_.profiles[symbol.index];
            use(SymbolKind::profile, symbol.index, where);
            std::string required;
            for (const Parameter& p : profile.parameters)
                if (p.required) required += fmt::format("{}{}", required.empty() ? "" : ", ", p.name);
            if (!required.empty()) {
                diagnostics_.report(Diag::wrong_argument_count, where, fmt::format("`{}` needs arguments", text(id)))
                    .also(profile.span, "declared here")
                    .help(fmt::format("write `{}({})`", text(id), required));
                return error(where);
            }
            if (std::vector<ExprId> given(profile.parameters.size()); !is_unbounded(profile, given, where))
                return add(ExprKind::profile, profile_type(profile), where, symbol.index, 0, std::move(given));
            return error(where);
        }
        case SymbolKind::process: {
            const Process& process = program_.processes[symbol.index];
            use(SymbolKind::process, symbol.index, where);
            std::string required;
            for (const Parameter& p : process.parameters)
                if (p.required) required += fmt::format("{}{}", required.empty() ? "" : ", ", p.name);
            if (!required.empty()) {
                diagnostics_.report(Diag::wrong_argument_count, where, fmt::format("`{}` needs arguments", text(id)))
                    .also(process.span, "declared here")
                    .help(fmt::format("write `{}({})`", text(id), required));
                return error(where);
            }
            return add(ExprKind::process, process.type, where, symbol.index, 0,
                       std::vector<ExprId>(process.parameters.size()));
        }
        case SymbolKind::table: {
            const SchemaId schema = program_.data_tables[symbol.index].schema;
            if (!schema) return error(where);
            const std::uint32_t keys = program_.data_tables[symbol.index].keys;
            return add(ExprKind::table,
                       {.kind = TypeKind::schema, .ref = schema.value, .list = true, .keys = keying({keys})}, where,
                       symbol.index);
        }
        case SymbolKind::module:
            return not_a_value("a module", fmt::format("name something in it: `{}.x`", text(id)));
        case SymbolKind::schema:
            return not_a_value("a schema", "a schema is a type; a profile is a value of it");
        case SymbolKind::enumeration: {
            const Enum& e = program_.enums[symbol.index];
            return not_a_value(
                "an enum", e.values.empty() ? "" : fmt::format("name a value: `{}.{}`", text(id), e.values.front()));
        }
        case SymbolKind::function: {
            std::string names;
            for (const Parameter& p : program_.functions[symbol.index].parameters)
                names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
            return not_a_value("a function", fmt::format("call it: `{}({})`", text(id), names));
        }
        case SymbolKind::component:
            return not_a_value("a component", fmt::format("make an instance of it: `{} name`", text(id)));
    }
    return error(where);
}

ExprId Checker::let_computed(const Symbol& let, SyntaxId id)
{
    if (!in_require_ || (let.measures && in_moment_)) {
        diagnostics_
            .report(let.measures ? Diag::misplaced_measure : Diag::misplaced_path_function, span(id),
                    fmt::format("`{}` asks for {} and stands {}", text(id), let.measures ? "measures" : "paths",
                                in_require_ ? "in a `require` of a moment" : "outside `require`"))
            .also(let.span, "declared here")
            .help(let.measures
                      ? "it is known when the run ends: only a `require` of a model or component can ask for it"
                      : "routes exist once the network is complete: only a `require` of a model or component can ask "
                        "for them");
        return error(span(id));
    }
    asks_paths_ = asks_paths_ || !let.measures;
    asks_measures_ = asks_measures_ || let.measures;
    return let.computed;
}

ExprId Checker::member(SyntaxId id)
{
    const syntax::Member written(tree_, id);
    const SyntaxId object_syntax = written.object(), identifier = written.name();
    const std::string_view wanted = text(identifier);
    const Span where = span(id);
    const auto unknown = [&](std::string message, const std::vector<std::string_view>& candidates,
                             std::string otherwise = "") {
        auto report = diagnostics_.report(Diag::unknown_member, span(identifier), std::move(message));
        if (!diagnostics_.suggests()) return error(where);
        if (const auto similar = similar_name(wanted, candidates); !similar.empty())
            report.suggest(span(identifier), similar, quoted_name(similar));
        else if (!otherwise.empty())
            report.help(std::move(otherwise));
        return error(where);
    };
    const auto attribute_of = [&](SchemaId schema_id, ExprKind kind, std::vector<ExprId> operands) {
        const Schema& schema = program_.schema(schema_id);
        std::vector<std::string_view> candidates;
        for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
            const Attribute& attribute = schema.attributes[i];
            candidates.push_back(attribute.name);
            if (attribute.name != wanted) continue;
            means(identifier, attribute.span);
            read_attributes_.insert(attribute.span);
            return add(kind, attribute.type, where, static_cast<std::uint32_t>(i), 0, std::move(operands));
        }
        if (kind == ExprKind::own_attribute && find(wanted) && similar_name(wanted, candidates).empty()) {
            diagnostics_
                .report(Diag::unknown_member, span(identifier),
                        fmt::format("`{}` has no attribute `{}`", schema.name, wanted))
                .help(fmt::format("`self` has its own attributes alone; what is declared is known by its name: `{}`",
                                  wanted))
                .fix(where, std::string(wanted));
            return error(where);
        }
        return unknown(fmt::format("`{}` has no attribute `{}`", schema.name, wanted), candidates);
    };
    if (tree_.kind(object_syntax) == SyntaxKind::self) {
        if (!self_) {
            auto report =
                diagnostics_.report(Diag::misplaced_self, span(object_syntax),
                                    in_change_ ? "`self` has no meaning in the timeline: a change says new values"
                                               : "`self` stands outside a block of attributes");
            if (find(wanted))
                report.help(fmt::format("parameters and what a block declares are known by their names: `{}`", wanted))
                    .fix(where, std::string(wanted));
            else if (in_change_)
                report.help(fmt::format("name the value beside what is declared: `let {} = ...`", wanted));
            else
                report.help(
                    fmt::format("`self.{}` is an attribute of the node, link, profile or workload in whose "
                                "braces it stands; elsewhere name the value: `let {} = ...`",
                                wanted, wanted));
            return error(where);
        }
        return attribute_of(self_, ExprKind::own_attribute, {});
    }
    if (const Symbol* symbol = static_symbol(object_syntax)) {
        if (symbol->kind == SymbolKind::module) {
            const Symbol* inner = find_in_module(*symbol, identifier);
            return inner ? use_symbol(*inner, id) : error(where);
        }
        if (symbol->kind == SymbolKind::enumeration) {
            const Enum& e = program_.enums[symbol->index];
            for (std::size_t i = 0; i < e.values.size(); ++i)
                if (e.values[i] == wanted) {
                    means(identifier, e.value_spans[i]);
                    return add(ExprKind::enum_value, {.kind = TypeKind::enumeration, .ref = symbol->index}, where,
                               static_cast<std::uint32_t>(i));
                }
            const std::string message = fmt::format("`{}` has no value `{}`", e.name, wanted);
            if (!diagnostics_.suggests()) return unknown(message, {});
            return unknown(message, {e.values.begin(), e.values.end()},
                           fmt::format("its values are `{}`", fmt::join(e.values, "`, `")));
        }
    }
    const ExprId object = expression(object_syntax);
    const Type type = program_.expr(object).type;
    if (type.kind == TypeKind::error) return error(where);
    if (type.kind == TypeKind::schema && !type.list && (wanted == "up" || wanted == "down") &&
        program_.derives(SchemaId{type.ref}, program_.link))
        return add(ExprKind::direction, type, where, wanted == "down", 0, {object});
    if (type.kind == TypeKind::schema && !type.list)
        return attribute_of(SchemaId{type.ref}, ExprKind::attribute, {object});
    if (type.kind == TypeKind::instance) {
        const Component& component = program_.components[type.ref];
        if (type.array) {
            diagnostics_
                .report(Diag::invalid_selection, span(object_syntax),
                        fmt::format("`{}` is an array; `.{}` belongs to an element", text(object_syntax), wanted))
                .help(fmt::format("choose elements: `{}[*].{}` or `{}[0].{}`", text(object_syntax), wanted,
                                  text(object_syntax), wanted))
                .fix(span(object_syntax).behind(), "[*]")
                .fix(span(object_syntax).behind(), "[0]");
            return error(where);
        }
        if (const auto found = member_named(ComponentId{type.ref}, wanted)) {
            means(identifier, found->span);
            return member(*found, type, id, object);
        }
        const std::string message =
            fmt::format("`{}` has no node, instance, link, workload, port or parameter `{}`", component.name, wanted);
        if (!diagnostics_.suggests()) return unknown(message, {});
        std::vector<std::string_view> candidates;
        for (const Member& m : component.members) candidates.push_back(m.name);
        for (const Parameter& p : component.parameters) candidates.push_back(p.name);
        if (sources_.file(component.span.file).part_of.valid() && similar_name(wanted, candidates).empty())
            return unknown_in_graph(object_syntax, identifier, message, component);
        return unknown(message, candidates);
    }
    if (type.kind == TypeKind::link && (wanted == "rate" || wanted == "delay")) {
        diagnostics_.report(Diag::unknown_member, span(identifier), "a link has no members")
            .help(fmt::format("{} between its ends; attributes are read of a profile: `ether.fast.{}`",
                              wanted == "rate" ? "`bottleneck(a, b)` is the rate" : "`rtt(a, b)` is twice the delay",
                              wanted));
        return error(where);
    }
    if ((type.list || type.array || type.many) && (wanted == "len" || foreign_word(wanted, {"len"}) == "len"))
        return unknown(fmt::format("{} has no members", a_named(type)), {},
                       fmt::format("how many there are says `len({})`", text(object_syntax)));
    if (const auto table = type.kind == TypeKind::string && !type.list ? table_of(type) : std::string_view();
        !table.empty())
    {
        const std::string row = fmt::format("{}[{}]", table, text(object_syntax));
        diagnostics_
            .report(Diag::unknown_member, span(identifier),
                    fmt::format("`{}` is the key itself, a string, which has no members", text(object_syntax)))
            .help(fmt::format("its row is `{}`: `{}.{}`", row, row, wanted))
            .fix(span(object_syntax), row);
        return error(where);
    }
    const bool interface = type.kind == TypeKind::node && names_interface(wanted);
    if (interface) {
        diagnostics_
            .report(Diag::unknown_member, span(identifier), fmt::format("{} has no members", a_named(type)))
            .help(fmt::format("nodes have no interfaces that are named: `{}` alone is the node", text(object_syntax)))
            .fix(where, std::string(text(object_syntax)));
        return error(where);
    }
    return unknown(fmt::format("{} has no members", a_named(type)), {},
                   type.keys != 0
                       ? fmt::format("an element is chosen by its key: `{}[\"{}\"]`", text(object_syntax), wanted)
                   : type.kind == TypeKind::string
                       ? (tree_.kind(object_syntax) == SyntaxKind::literal_string || wanted == "format"
                              ? "strings are put together: `\"site \" + text(n)`"
                              : "of a table's rows the key comes first: `for key, row in table`")
                   : type.kind == TypeKind::workload
                       ? fmt::format("measures are functions: `{}({})`", find_builtin(wanted) ? wanted : "p95",
                                     text(object_syntax))
                   : type.kind == TypeKind::node
                       ? "what a graph's file says of its nodes has a table of that file: `table rows(\"file\") : Row`"
                       : "");
}

// What `instance.name` is, of one instance or of several.
ExprId Checker::member(const Member& found, const Type& instance, SyntaxId id, ExprId object)
{
    Type result = found.type;
    if (instance.many || instance.list) {
        if (!result.array) result.keys = is_part(result) && !result.many && is_flat(instance) ? instance.keys : 0;
        if (is_part(result)) {
            result.many = true;
        } else if (result.list) {
            const SyntaxId several = syntax::Member(tree_, id).object();
            diagnostics_
                .report(Diag::invalid_selection, span(several),
                        fmt::format("`{}` of several instances would be a list of lists", found.name))
                .help(fmt::format("ask one after the other: `for i, x in {} {{ ... x.{} ... }}`", text(several),
                                  found.name));
            return error(span(id));
        } else if (result.kind != TypeKind::error) {
            result.list = true;
        }
    }
    return add(ExprKind::member, result, span(id), found.slot, 0, {object});
}

// Nodes of a foreign graph are called as its file calls them, or numbered where it only numbers them.
ExprId Checker::unknown_in_graph(SyntaxId object, SyntaxId identifier, const std::string& message,
                                 const Component& graph)
{
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> names;
    std::size_t nodes = 0;
    for (const Member& m : graph.members) {
        if (m.type.kind != TypeKind::node) continue;
        if (++nodes <= kMostNames)
            names.push_back(fmt::format("`{}.{}{}`", text(object), quoted_name(m.name), m.type.array ? "[0]" : ""));
    }
    std::string help = fmt::format("its nodes are named {}", fmt::join(names, ", "));
    if (nodes > kMostNames) help += fmt::format(" and {} more; `anmlc import` lists them", nodes - kMostNames);
    diagnostics_.report(Diag::unknown_member, span(identifier), message).help(help);
    return error(span(identifier));
}

ExprId Checker::conditional(SyntaxId id, const Type* wanted)
{
    const syntax::Conditional written(tree_, id);
    const ExprId condition = value(written.condition(), {.kind = TypeKind::boolean, .random = true}, "the condition");
    const ExprId a = expression(written.then(), wanted), b = expression(written.otherwise(), wanted);
    const Type x = program_.expr(a).type, y = program_.expr(b).type;
    const bool random = program_.expr(condition).type.random;
    const auto result = [&](Type type) {
        type.random = type.random || random;
        return add(ExprKind::conditional, type, span(id), 0, 0, {condition, a, b});
    };
    if (x.kind == TypeKind::error || y.kind == TypeKind::error) return error(span(id));
    const auto drawn = [](const Type& t) { return (is_numeric(t) || t.kind == TypeKind::boolean) && !t.list; };
    if (random && (!drawn(x) || !drawn(y))) {
        diagnostics_
            .report(
                Diag::type_mismatch, span(drawn(x) ? written.otherwise() : written.then()),
                fmt::format("only numbers, quantities and bools can be random, found {}", a_named(drawn(x) ? y : x)))
            .also(span(written.condition()), "this is drawn anew each time");
        return error(span(id));
    }
    if (assignable(x, y)) return result(y);
    if (assignable(y, x)) return result(x);
    if (wanted && assignable(x, *wanted) && assignable(y, *wanted)) return result(*wanted);
    diagnostics_
        .report(is_numeric(x) && is_numeric(y) ? Diag::unit_mismatch : Diag::type_mismatch, span(id),
                fmt::format("the two branches are {} and {}", a_named(x), a_named(y)))
        .also(span(written.then()), a_named(x))
        .also(span(written.otherwise()), a_named(y));
    return error(span(id));
}

// Of the list, or the selection of nodes, that a place wants; an error: it wants neither.
Type Checker::wanted_element(const Type* wanted)
{
    if (!wanted) return {};
    Type element = *wanted;
    if (wanted->kind == TypeKind::node && wanted->many) return element;
    element.list = false;
    return wanted->list ? element : Type{};
}

ExprId Checker::list(SyntaxId id, const Type* wanted)
{
    Type element = wanted_element(wanted);
    const bool known = element.kind != TypeKind::error;
    const auto written = syntax::List(tree_, id).elements();
    if (!known && written.empty()) {
        diagnostics_.report(Diag::type_mismatch, span(id), "nothing says what this empty list would contain")
            .help("an empty list can be the value of an attribute or argument that is a list");
        return error(span(id));
    }
    std::vector<ExprId> elements;
    for (SyntaxId element_syntax : written) {
        ExprId e = expression(element_syntax, known || !elements.empty() ? &element : nullptr);
        const Type type = program_.expr(e).type;
        if (type.list && type.kind != TypeKind::error) {
            diagnostics_
                .report(Diag::type_mismatch, program_.expr(e).span,
                        fmt::format("a list cannot hold lists, found {}", a_named(type)))
                .help("lists are put together with `+`");
            return error(span(id));
        }
        const bool wider = elements.empty() || (!assignable(type, element) && assignable(element, type));
        if (!known && wider) element = type;
        // Of two where neither extends the other it is what both extend: `[queue.red(64 KB), queue.codel(64 KB)]`.
        if (!known && element.kind == TypeKind::schema && type.kind == TypeKind::schema && !assignable(type, element))
            for (SchemaId base{element.ref}; base.valid(); base = program_.schemas[base.value].base)
                if (program_.derives(SchemaId{type.ref}, base)) {
                    element.ref = base.value;
                    break;
                }
        // After a node the others may be nodes of any kind.
        if (!known && elements.empty() && type.kind == TypeKind::node) element = {.kind = TypeKind::node, .many = true};
        elements.push_back(require_type(e, element, "the list"));
    }
    // Nodes in brackets are a selection of them, in this order.
    if (element.kind == TypeKind::node) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const std::uint32_t kind = program_.expr(elements[i]).type.ref;
            element.ref = i == 0 || element.ref == kind ? kind : abi::kNone;
        }
        return add(ExprKind::list, element, span(id), 0, 0, std::move(elements));
    }
    element.list = element.kind != TypeKind::error;
    return add(ExprKind::list, element, span(id), 0, 0, std::move(elements));
}

}  // namespace anml
