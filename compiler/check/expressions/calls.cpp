// Calls: the functions of the language, and profiles with parameters; arguments by position, then by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "common/ascii.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

constexpr std::array kBuiltins = {
#define ANML_BUILTIN(id, usage) std::pair<std::string_view, std::string_view>{#id, usage},
#include "check/expressions/builtins.def"
};

// The least and the largest number of arguments.
std::pair<std::size_t, std::size_t> argument_counts(Builtin builtin)
{
    switch (builtin) {
        case Builtin::min:
        case Builtin::max:
            return {1, 1000};
        case Builtin::floor:
        case Builtin::ceil:
        case Builtin::round:
        case Builtin::bdp:
        case Builtin::load:
        case Builtin::cumulative:
        case Builtin::empirical:
            return {1, 2};
        case Builtin::draw:
            return {1, 1000};
        case Builtin::max_load:
            return {0, 0};
        case Builtin::pow:
        case Builtin::atan2:
        case Builtin::mixture:
        case Builtin::distance:
        case Builtin::host:
        case Builtin::contains:
            return {2, 2};
        case Builtin::nearest:
            return {2, 3};
        case Builtin::truncated:
        case Builtin::subnet:
            return {3, 3};
        default: {
            const std::string_view usage = builtin_usage(builtin);  // as many as it shows
            if (is_measure(builtin)) return {1, most_of_measure(builtin)};
            const std::size_t count = is_path_function(builtin)
                                          ? static_cast<std::size_t>(1 + std::count(usage.begin(), usage.end(), ','))
                                      : is_distribution(builtin) ? distribution_arguments(builtin).size()
                                                                 : 1;
            return {count, count};
        }
    }
}

// `Site s(count = 3)`, `Site s(depends_on = a)`: whether it is one of these. `array`: it has brackets already.
bool help_with_instances(Diagnostics::Builder& report, std::string_view component, std::string_view name, bool array)
{
    if (asks_for_many(name) && !array)
        report.help(
            fmt::format("several are an array, `{0} name[3]`, or one for each key: `{0} name[[\"ann\", "
                        "\"bob\"]]`",
                        component));
    else if (const std::string_view meant = asks_for_many(name) ? "" : foreign_node_help(name); !meant.empty())
        report.help(std::string(meant));
    else
        return false;
    return true;
}

// Whether a literal may be such a value; of what is none nothing is known.
std::optional<bool> literal_fits(const SyntaxTree& tree, const SourceSet& sources, SyntaxId id, const Type& type)
{
    const SyntaxKind kind = tree.kind(id);
    const bool number = is_numeric(type);
    if (kind == SyntaxKind::literal_string) return type.kind == TypeKind::string || type.kind == TypeKind::file;
    if (kind != SyntaxKind::literal_quantity && kind != SyntaxKind::literal_integer) return std::nullopt;
    const auto quantity = parse_quantity(sources.text(tree.node(id).span));
    if (!quantity) return std::nullopt;
    return number && !type.list && quantity->dim == type.dim &&
           (type.kind != TypeKind::integer || kind == SyntaxKind::literal_integer);
}

// `web.fixed("/", 20 KB)`: two arguments by position that fit each in the other's place. It is reported as one mistake.
bool swapped_arguments(Checking& in, std::span<const SyntaxId> list, const std::vector<Parameter>& parameters,
                       std::string_view callee, Span declared)
{
    if (list.size() < 2 || parameters.size() < 2) return false;
    SyntaxId values[2];
    for (std::size_t i = 0; i < 2; ++i) {
        if (in.tree.is_hole(list[i]) || syntax::Argument(in.tree, list[i]).has_name()) return false;
        values[i] = syntax::Argument(in.tree, list[i]).value();
    }
    const auto own = [&](std::size_t i) { return literal_fits(in.tree, in.sources, values[i], parameters[i].type); };
    const auto other = [&](std::size_t i) {
        return literal_fits(in.tree, in.sources, values[i], parameters[1 - i].type);
    };
    const bool literals = own(0) == false && other(0) == true && own(1) == false && other(1) == true;
    // Of one that is known to be wrong the other is looked at: `site(server, rows[key].hosts)`.
    std::size_t known = 2;
    for (std::size_t i = 0; i < 2 && !literals; ++i) {
        const Symbol* const symbol =
            in.tree.kind(values[i]) == SyntaxKind::name ? find(in, in.text(values[i])) : nullptr;
        const bool node = symbol && symbol->kind == SymbolKind::local && symbol->type.kind == TypeKind::node &&
                          !assignable(in.program, symbol->type, parameters[i].type) &&
                          assignable(in.program, symbol->type, parameters[1 - i].type);
        if (node || (own(i) == false && other(i) == true)) known = i;
    }
    if (!literals) {
        if (known == 2 || other(1 - known) == false || own(1 - known) == true) return false;
        const std::size_t errors = in.diagnostics.errors();
        const Type type = in.program.expr(expression(in, values[1 - known])).type;
        if (in.diagnostics.errors() != errors) return true;  // it is wrong by itself, which was said
        if (type.kind == TypeKind::error || assignable(in.program, type, parameters[1 - known].type) ||
            !assignable(in.program, type, parameters[known].type))
            return false;
    }
    const Span both{in.file, in.span(values[0]).begin, in.span(values[1]).end};
    const std::string order = fmt::format("{}, {}", in.text(values[1]), in.text(values[0]));
    in.report(Diag::type_mismatch, both,
              fmt::format("`{}` takes first `{}`, {}, then `{}`, {}", callee, parameters[0].name,
                          in.a_named(parameters[0].type), parameters[1].name, in.a_named(parameters[1].type)))
        .also(declared, "declared here")
        .write(both, order);
    return true;
}

// Whether the profile that is declared there is of links.
bool is_link_profile(const CheckedProgram& program, Span declared)
{
    return std::any_of(program.profiles.begin(), program.profiles.end(), [&](const Profile& p) {
        return p.span.file == declared.file && p.span.begin == declared.begin &&
               program.derives(p.schema, program.link);
    });
}

// How it is called, with what is given in its place: "pareto(20 KB, shape)".
std::string usage_with(const Checking& in, Builtin builtin, const std::vector<SyntaxId>& given)
{
    std::string_view usage = builtin_usage(builtin);
    if (given.size() >= argument_counts(builtin).first || usage.find('[') != usage.npos) return std::string(usage);
    std::string text(usage.substr(0, usage.find('(') + 1));
    usage.remove_prefix(text.size());
    for (const SyntaxId one : given) {
        if (usage.find(", ") == usage.npos) return std::string(builtin_usage(builtin));
        usage.remove_prefix(usage.find(", ") + 2);
        text += std::string(in.text(one)) + ", ";
    }
    return text.append(usage);
}

ExprId builtin_call(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    const auto [least, most] = argument_counts(builtin);
    if (syntax.size() < least || syntax.size() > most) {
        constexpr std::string_view kCounts[] = {"no arguments", "one argument", "two arguments", "three arguments",
                                                "four arguments"};
        const bool list_of_values =
            syntax.size() > 1 && (builtin == Builtin::sum || builtin == Builtin::any || builtin == Builtin::all);
        auto report = in.report(Diag::wrong_argument_count, where,
                                fmt::format("{} takes {}, found {}", what,
                                            most > 4 ? (least == 1 ? "one or more arguments" : "two or more arguments")
                                            : least == most     ? kCounts[least]
                                            : most - least == 2 ? "one to three arguments"
                                            : least == 1        ? "one or two arguments"
                                                                : "two or three arguments",
                                            syntax.size()));
        if (list_of_values) {
            const Span all{where.file, in.span(syntax.front()).begin, in.span(syntax.back()).end};
            report
                .help(fmt::format("a list stands in brackets: `{}([{}])`", builtin_name(builtin), in.sources.text(all)))
                .fix(all, fmt::format("[{}]", in.sources.text(all)));
        } else if (builtin == Builtin::path && syntax.size() > 3) {
            const Span way{where.file, in.span(syntax[2]).begin, in.span(syntax.back()).end};
            report
                .help(fmt::format("a list stands in brackets: `path({}, {}, [{}])`", in.text(syntax[0]),
                                  in.text(syntax[1]), in.sources.text(way)))
                .fix(way, fmt::format("[{}]", in.sources.text(way)));
        } else {
            report.help(fmt::format("write `{}`", usage_with(in, builtin, syntax)));
        }
        if (builtin == Builtin::rtt && syntax.size() == 1) report.help("of a link it is asked between its two ends");
        if (builtin == Builtin::rtt && syntax.size() == 3)
            report.help(fmt::format("whether packets pass a node is `via({}, {}, {})`", in.text(syntax[0]),
                                    in.text(syntax[2]), in.text(syntax[1])));
        return in.error(where);
    }
    if (is_distribution(builtin)) return distribution_call(in, id, builtin, syntax);
    if (builtin == Builtin::trace) return trace(in, id, syntax[0]);
    if (is_measure(builtin)) return measure(in, id, builtin, syntax);
    if (builtin == Builtin::load || builtin == Builtin::max_load) return load(in, id, builtin, syntax);
    std::vector<ExprId> given;
    for (SyntaxId s : syntax) given.push_back(expression(in, s));
    for (ExprId e : given)
        if (in.program.expr(e).type.kind == TypeKind::error) return in.error(where);
    if (builtin == Builtin::bdp && given.size() == 1) return link_bdp(in, id, given[0]);
    if (is_path_function(builtin)) return path_function(in, id, builtin, given);
    if (builtin == Builtin::len || builtin == Builtin::indices) return length(in, id, builtin, given[0]);
    if (builtin == Builtin::text) return text_of(in, id, given[0]);
    if (asks_list(builtin, given)) return of_list(in, id, builtin, given[0]);
    if (builtin == Builtin::mean) return mean(in, id, given[0]);
    if (builtin == Builtin::given) return anml::given(in, id, given[0]);
    if (builtin == Builtin::subnet) {
        const Type integer{.kind = TypeKind::integer};
        given[0] = require_type(in, given[0], {.kind = TypeKind::prefix}, what);
        for (std::size_t i : {1, 2}) given[i] = require_type(in, given[i], integer, what);
        return in.call(builtin, {.kind = TypeKind::prefix}, where, std::move(given));
    }
    if (builtin == Builtin::host) {
        given[0] = require_type(in, given[0], {.kind = TypeKind::prefix}, what);
        given[1] = require_type(in, given[1], {.kind = TypeKind::integer}, what);
        return in.call(builtin, {.kind = TypeKind::address}, where, std::move(given));
    }
    if (builtin == Builtin::distance) {
        for (ExprId& e : given) e = require_type(in, e, {.kind = TypeKind::node}, what);
        return in.call(builtin, {.kind = TypeKind::number, .dim = dimension::length}, where, std::move(given));
    }
    if (builtin == Builtin::nearest) {
        given[0] = require_type(in, given[0], {.kind = TypeKind::node, .many = true}, what);
        given[1] = require_type(in, given[1], {.kind = TypeKind::node}, what);
        if (given.size() > 2) given[2] = require_type(in, given[2], {.kind = TypeKind::integer}, what);
        return in.call(builtin, {.kind = TypeKind::integer}, where, std::move(given));
    }
    if (builtin == Builtin::draw) return draw(in, id, std::move(given));
    return mathematics(in, id, builtin, std::move(given));
}

// `prefix.contains(address)`, or of another prefix.
ExprId contains(Checking& in, SyntaxId id)
{
    const syntax::Call written(in.tree, id);
    const SyntaxId object = syntax::Member(in.tree, written.callee()).object();
    const auto given = syntax::ArgumentList(in.tree, written.arguments()).arguments();
    const ExprId prefix = value(in, object, {.kind = TypeKind::prefix}, "`contains`");
    if (given.size() != 1 || in.tree.is_hole(given[0]) || syntax::Argument(in.tree, given[0]).has_name()) {
        in.report(Diag::wrong_argument_count, in.span(id), "`contains` takes an address or a prefix")
            .help(fmt::format("write `{}.contains(address)`", in.text(object)));
        return in.error(in.span(id));
    }
    const ExprId one = expression(in, syntax::Argument(in.tree, given[0]).value());
    const Expr of = in.program.expr(one);
    if (of.type.kind == TypeKind::error || in.program.expr(prefix).type.kind == TypeKind::error)
        return in.error(in.span(id));
    if ((of.type.kind != TypeKind::address && of.type.kind != TypeKind::prefix) || of.type.list) {
        auto report = in.report(Diag::type_mismatch, of.span,
                                fmt::format("`contains` takes an address or a prefix, found {}", in.a_named(of.type)));
        const std::string_view literal = in.sources.text(of.span);
        if (of.kind == ExprKind::string && literal.size() > 2 && literal.find_first_of(".:") != literal.npos)
            report.help(fmt::format("an address stands without quotes: `{}`", literal.substr(1, literal.size() - 2)))
                .fix(of.span, std::string(literal.substr(1, literal.size() - 2)));
        if (of.type.list)
            report.help(fmt::format("ask for each: `all([{}.contains(a) for a in {}])`", in.text(object),
                                    in.sources.text(of.span)));
        return in.error(in.span(id));
    }
    return in.call(Builtin::contains, {.kind = TypeKind::boolean}, in.span(id), {prefix, one});
}

}  // namespace

bool is_end_of_part(Builtin builtin, std::string_view name)
{
    return is_measure(builtin) && (name == "from" || name == "until");
}

std::string_view builtin_name(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)].first; }

std::string_view builtin_usage(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)].second; }

std::optional<Builtin> find_builtin(std::string_view name)
{
    for (std::size_t i = 0; i < kBuiltins.size(); ++i)
        if (kBuiltins[i].first == name) return static_cast<Builtin>(i);
    return std::nullopt;
}

ExprId call(Checking& in, SyntaxId id)
{
    const syntax::Call written(in.tree, id);
    const SyntaxId callee = written.callee(), list = written.arguments();
    if (in.tree.kind(callee) == SyntaxKind::member && in.text(syntax::Member(in.tree, callee).name()) == "contains")
        return contains(in, id);
    const Symbol* symbol = static_symbol(in, callee);
    if (symbol && symbol->kind == SymbolKind::profile)
        return profile_call(in, callee, symbol->index, list, in.span(id));
    if (symbol && symbol->kind == SymbolKind::process) {
        in.use(SymbolKind::process, symbol->index, in.span(callee));
        const std::uint32_t index = symbol->index;
        const Process process = in.program.processes[index];  // a copy: arguments may grow the program
        auto given = arguments(in, list, process.parameters, in.span(callee), in.text(callee), process.span);
        return in.add(ExprKind::process, process.type, in.span(id), index, 0, std::move(given));
    }
    if (symbol && symbol->kind == SymbolKind::function) return function_call(in, id, FunctionId{symbol->index}, list);
    const auto builtin = in.tree.kind(callee) == SyntaxKind::name ? find_builtin(in.text(callee)) : std::nullopt;
    if (builtin == Builtin::contains) {
        in.report(Diag::unknown_name, in.span(callee), "unknown name `contains`")
            .help(fmt::format("it is asked of a prefix: `{}`", builtin_usage(*builtin)));
        return in.error(in.span(id));
    }
    if (builtin) {
        std::vector<SyntaxId> values;
        for (SyntaxId argument_syntax : syntax::ArgumentList(in.tree, list).arguments()) {
            if (in.tree.is_hole(argument_syntax)) {
                values.push_back(argument_syntax);
                continue;
            }
            const syntax::Argument argument(in.tree, argument_syntax);
            if (argument.has_name() && is_end_of_part(*builtin, in.text(argument.name()))) continue;
            if (argument.has_name() && is_measure(*builtin)) {
                in.report(Diag::unknown_argument, in.span(argument.name()),
                          fmt::format("`{}` has no argument `{}`", in.text(callee), in.text(argument.name())))
                    .help(is_link_measure(*builtin)
                              ? fmt::format("write `{}`", builtin_usage(*builtin))
                              : fmt::format("of a part of the run it is `{}(workload, from = 30 s, until = 60 s)`",
                                            in.text(callee)));
                continue;
            }
            if (argument.has_name())
                in.report(Diag::unknown_argument, in.span(argument.name()),
                          fmt::format("`{}` takes its arguments by position", in.text(callee)))
                    .help(fmt::format("their names are left out: `{}`, as in `{}`", in.text(argument.value()),
                                      builtin_usage(*builtin)))
                    .fix({in.file, in.span(argument.name()).begin, in.span(argument.value()).begin}, "");
            values.push_back(argument.value());
        }
        return builtin_call(in, id, *builtin, values);
    }
    if (symbol) {
        const bool no_value = symbol->kind == SymbolKind::component || symbol->kind == SymbolKind::schema;
        auto report = in.report(
            Diag::not_callable, in.span(callee),
            no_value ? fmt::format("`{}` is a {}, which is not a value", in.text(callee), kind_of(in.program, *symbol))
                     : fmt::format("`{}` takes no arguments", in.text(callee)));
        if (symbol->kind == SymbolKind::component)
            report.help(fmt::format("an instance is a statement: `{} name(...)`", in.text(callee)));
        if (symbol->kind == SymbolKind::schema) report.help("a schema is a type; a profile makes a value of it");
        return in.error(in.span(id));
    }
    if (in.tree.kind(callee) == SyntaxKind::name && !find(in, in.text(callee))) {
        if (report_python(in, in.diagnostics, callee, list)) return in.error(in.span(id));
        std::vector<std::string_view> candidates;
        if (in.diagnostics.suggests()) candidates = visible_names(in);
        for (const auto& [name, usage] : kBuiltins) candidates.push_back(name);
        const auto similar = similar_name(in.text(callee), candidates);
        const std::string_view name = in.text(callee);
        const bool percentile = name.size() > 1 && name[0] == 'p' && name[1] >= '0' && name[1] <= '9';
        if (!similar.empty() && find_builtin(similar) && !percentile) {
            in.report(Diag::unknown_name, in.span(callee), fmt::format("unknown name `{}`", in.text(callee)))
                .help(fmt::format("there is `{}`", builtin_usage(*find_builtin(similar))))
                .fix(in.span(callee), std::string(similar));
            return in.error(in.span(id));
        }
    }
    const bool outer = std::exchange(in.may_be_measure, in.in_require);
    const ExprId e = expression(in, callee);
    in.may_be_measure = outer;
    const Type found = in.program.expr(e).type;
    if (found.kind == TypeKind::error) return in.error(in.span(id));
    const std::uint32_t bracket = in.span(list).begin;  // `on pc[*] ( to = sink )`
    const bool blank = found.kind == TypeKind::node && in.span(callee).end < bracket;
    auto report = in.report(
        Diag::not_callable, blank ? Span{in.file, bracket, bracket + 1} : in.span(callee),
        blank ? "attributes do not stand in parentheses" : fmt::format("`{}` takes no arguments", in.text(callee)));
    const auto given = syntax::ArgumentList(in.tree, list).arguments();
    if (found.kind == TypeKind::node && !given.empty() && !in.tree.is_hole(given[0]) &&
        syntax::Argument(in.tree, given[0]).has_name())
    {
        const std::string_view all = in.text(list);
        const std::string braces = fmt::format("{{ {} }}", trimmed(all.substr(1, all.size() - 2)));
        report.help(fmt::format("attributes stand in braces: `{}`", braces)).fix(in.span(list), braces);
    } else if (found.array) {
        const std::string_view all = in.text(list), inside = all.size() < 2 ? all : all.substr(1, all.size() - 2);
        report.help(fmt::format("an element is chosen with brackets: `{}[{}]`", in.text(callee), inside))
            .fix(in.span(list), fmt::format("[{}]", inside));
    }
    return in.error(in.span(id));
}

std::vector<ExprId> arguments(Checking& in, SyntaxId argument_list, const std::vector<Parameter>& parameters,
                              Span callee, std::string_view callee_name, Span declared)
{
    std::vector<ExprId> given(parameters.size());
    std::vector<Span> places(parameters.size());
    constexpr std::size_t kMostParameters = 10;
    std::size_t position = 0;
    bool named = false, stranger = false;
    const auto list =
        argument_list ? syntax::ArgumentList(in.tree, argument_list).arguments() : std::span<const SyntaxId>{};
    if (swapped_arguments(in, list, parameters, callee_name, declared)) {
        for (ExprId& e : given) e = in.error(callee);
        return given;
    }
    for (SyntaxId argument_syntax : list) {
        if (in.tree.is_hole(argument_syntax)) {
            if (position < parameters.size() && !given[position])
                given[position++] = in.error(in.span(argument_syntax));
            continue;
        }
        const syntax::Argument argument(in.tree, argument_syntax);
        const SyntaxId name = argument.name(), value_syntax = argument.value();
        std::size_t index = position;
        if (argument.has_name()) {
            for (index = 0; index < parameters.size() && parameters[index].name != in.text(name);) ++index;
            if (index == parameters.size()) {
                auto report = in.report(Diag::unknown_argument, in.span(name),
                                        fmt::format("`{}` has no parameter `{}`", callee_name, in.text(name)));
                std::vector<std::string_view> candidates;
                if (in.diagnostics.suggests())
                    for (const Parameter& p : parameters) candidates.push_back(p.name);
                const auto similar = meant_name(in.text(name), candidates);
                if (!similar.empty())
                    report.suggest(in.span(name), similar, quoted_name(similar));
                else if (has_attribute(in.program, in.program.link.value, in.text(name)) &&
                         is_link_profile(in.program, declared))
                    report.help(
                        fmt::format("attributes stand in braces: `{} {{ {} = ... }}`", callee_name, in.text(name)));
                else if (const Symbol* of = find(in, callee_name);
                         of && of->kind == SymbolKind::component &&
                         help_with_instances(
                             report, callee_name, in.text(name),
                             in.sources.text({callee.file, callee.end, in.span(argument_list).begin}).find('[') !=
                                 std::string_view::npos))
                    ;
                else if (candidates.size() == 1 && !given[0])
                    report.suggest(in.span(name), candidates.front(), quoted_name(candidates.front()));
                else if (!stranger && !candidates.empty()) {
                    const std::size_t shown = std::min(candidates.size(), kMostParameters);
                    const std::string others =
                        shown < candidates.size() ? fmt::format(" and {} more", candidates.size() - shown) : "";
                    candidates.resize(shown);
                    report.help(fmt::format("it has `{}`{}", fmt::join(candidates, "`, `"), others));
                }
                report.also(declared, "declared here");
                stranger = true;
                const ExprId stray = expression(in, value_syntax);
                for (std::size_t i = 0; i < parameters.size() && !similar.empty(); ++i)  // not missing besides
                    if (parameters[i].name == similar && !given[i]) {
                        given[i] = in.error(in.program.expr(stray).span);
                        places[i] = in.span(name);
                    }
                continue;
            }
            in.means(name, parameters[index].span);
            position = parameters.size();  // no positions after a name
            named = true;
        } else if (position >= parameters.size()) {
            auto report = in.report(Diag::wrong_argument_count, in.span(argument_syntax),
                                    named ? std::string("an argument without a name follows one with a name")
                                          : fmt::format("`{}` takes {} argument{}", callee_name, parameters.size(),
                                                        parameters.size() == 1 ? "" : "s"));
            report.also(declared, "declared here");
            const auto next = std::ranges::find_if(
                parameters, [&](const Parameter& p) {
                    return p.required && !given[static_cast<std::size_t>(&p - parameters.data())];
                });
            if (named && next != parameters.end()) {
                const std::string name = quoted_name(next->name) + " = ";
                report.help(fmt::format("behind one with a name all have theirs: `{}{}`", name, in.text(value_syntax)))
                    .fix({in.file, in.span(argument_syntax).begin, in.span(argument_syntax).begin}, name);
                stranger = true;  // the others may be what follows
            }
            break;
        } else {
            ++position;
        }
        const Parameter& parameter = parameters[index];
        if (given[index]) {
            in.report(Diag::duplicate_argument, in.span(argument_syntax),
                      fmt::format("`{}` is given twice", parameter.name))
                .also(places[index], "first given here");
            continue;
        }
        places[index] = in.span(argument_syntax);
        given[index] = value(in, value_syntax, parameter.type, fmt::format("`{}`", parameter.name));
        const bool bound = parameter.name == "capacity" && in.tree.kind(value_syntax) == SyntaxKind::literal_integer;
        const bool refused = in.program.expr(given[index]).kind == ExprKind::error;
        const auto packets = std::ranges::find(parameters, "packets", &Parameter::name);
        if (bound && refused && packets != parameters.end())  // `droptail(100)`
            in.diagnostics.amend(in.diagnostics.list().size() - 1)
                .help(fmt::format("of packets it is `packets = {}`", in.text(value_syntax)))
                .fix(in.span(argument_syntax), fmt::format("packets = {}", in.text(value_syntax)));
        check_range(in, in.program, in.diagnostics, given[index], parameter.range, parameter.type, parameter.name,
                    parameter.span);
    }
    std::string missing;
    for (std::size_t i = 0; i < parameters.size() && !stranger; ++i)  // that it has another name was said
        if (!given[i] && parameters[i].required)
            missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", parameters[i].name);
    if (!missing.empty())
        in.report(Diag::wrong_argument_count, callee, fmt::format("`{}` also needs {}", callee_name, missing))
            .also(declared, "declared here");
    return given;
}

}  // namespace anml
