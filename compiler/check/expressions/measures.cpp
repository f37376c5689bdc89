// What `require` and experiments ask for: measures of a run, `p99(browse, connect)`; paths, `rtt(a, b)`; and what the
// workloads are expected to put on links, `load(link)`, which is asked for as paths are.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

std::string whole_array(std::string_view name, unsigned indices)
{
    std::string result(name);
    for (unsigned i = 0; i < indices; ++i) result += "[*]";
    return result;
}

// `connect` of `p99(browse, connect)`: a word, whatever else has the name.
std::optional<abi::MeasurePhase> find_phase(const SourceText& source, SyntaxId id, Builtin builtin)
{
    for (std::size_t i = 1; i < std::size(abi::kMeasurePhases); ++i) {
        const auto phase = static_cast<abi::MeasurePhase>(i);
        if (source.tree.kind(id) == SyntaxKind::name && source.text(id) == abi::kMeasurePhases[i] &&
            abi::is_direction(phase) == is_of_link(builtin))
            return phase;
    }
    return std::nullopt;
}

std::optional<abi::MeasurePhase> phase(const SourceText& source, Diagnostics& diagnostics, SyntaxId id, Builtin builtin)
{
    const auto phase = find_phase(source, id, builtin);
    if (phase && (has_phases(builtin) || builtin == Builtin::load)) return phase;
    if (source.tree.is_hole(id)) return std::nullopt;
    if (is_of_link(builtin)) {
        diagnostics
            .report(Diag::unknown_name, source.span(id), fmt::format("there is no direction `{}`", source.text(id)))
            .help("`up` is from the end that the link names first, `down` the other way; without either the worse one");
        return std::nullopt;
    }
    if (!has_phases(builtin)) {
        diagnostics
            .report(Diag::type_mismatch, source.span(id), fmt::format("`{}` is of no phase", builtin_name(builtin)))
            .help("times have phases; a request of a file is named in quotes");
        return std::nullopt;
    }
    diagnostics.report(Diag::unknown_name, source.span(id), fmt::format("there is no phase `{}`", source.text(id)))
        .help(
            "the phases of a transaction are connect, tls, first_byte and transfer; `page` asks for whole pages, "
            "`slowdown` for that of flows; a request of a file is named in quotes");
    return std::nullopt;
}

// Behind the operands `from` and `until`, and which of them stand there; nothing: an error was reported.
std::optional<std::uint32_t> part_of_run(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId>& operands)
{
    ExprId ends[2]{};
    const bool call = in.tree.kind(id) == SyntaxKind::call;  // else a statement of an experiment
    const SyntaxId list =
        call ? syntax::Call(in.tree, id).arguments() : syntax::InstanceDeclaration(in.tree, id).arguments();
    for (const SyntaxId one : syntax::ArgumentList(in.tree, list).arguments()) {
        if (in.tree.is_hole(one)) continue;
        const syntax::Argument argument(in.tree, one);
        if (!argument.has_name() || !is_end_of_part(builtin, in.text(argument.name()))) continue;
        if (is_link_measure(builtin) || builtin == Builtin::max_time) {
            in.report(Diag::type_mismatch, in.span(argument.name()),
                      fmt::format("`{}` is of the whole run", builtin_name(builtin)))
                .help(is_link_measure(builtin) ? "of a part of it there are the measures of workloads, but `max_time`"
                                               : "of a part of it there are percentiles, such as `p999`");
            return std::nullopt;
        }
        ExprId& end = ends[in.text(argument.name()) == "until"];
        if (end) {
            in.report(Diag::duplicate_argument, in.span(argument.name()),
                      fmt::format("`{}` is given twice", in.text(argument.name())));
            return std::nullopt;
        }
        end = value(in, argument.value(), {.kind = TypeKind::number, .dim = dimension::time},
                    fmt::format("`{}`", in.text(argument.name())));
        if (in.program.expr(end).type.kind == TypeKind::error) return std::nullopt;
    }
    for (const ExprId end : ends)
        if (end) operands.push_back(end);
    return (ends[0] ? kHasFrom : 0) | (ends[1] ? kHasUntil : 0);
}

// Whether routes can be asked for there; else it is reported.
bool may_ask_routes(CheckerScope& scope, Diagnostics& diagnostics, Span where, Builtin builtin)
{
    scope.asks_paths = scope.asks_paths || scope.in_require;
    if (scope.in_require) return true;
    diagnostics
        .report(Diag::misplaced_path_function, where,
                fmt::format("`{}` stands outside `require`", builtin_name(builtin)))
        .help(builtin == Builtin::bdp
                  ? "routes exist once the network is complete: only a `require` of a model or component can ask "
                    "for them; `bdp(link)`, of a link further up, may stand anywhere"
                  : "routes exist once the network is complete: only a `require` of a model or component can ask "
                    "for them");
    return false;
}

}  // namespace

Dimension dimension_of_measure(abi::MeasureKind kind, abi::MeasurePhase phase)
{
    const abi::Unit unit = abi::measure_unit(kind, phase);
    return unit == abi::Unit::time ? dimension::time : unit == abi::Unit::rate ? dimension::rate : dimension::none;
}

std::string measures_there_are()
{
    std::string of_workloads, of_links;
    for (auto b = Builtin::p50; is_measure(b); b = static_cast<Builtin>(static_cast<int>(b) + 1)) {
        std::string& names = is_link_measure(b) ? of_links : of_workloads;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", builtin_name(b));
    }
    return fmt::format("{} of a workload, and {} of a link", of_workloads, of_links);
}

ExprId measure(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given)
{
    const SyntaxId object = given[0];
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    const auto misplaced = [&](const std::string& why) {
        in.report(Diag::misplaced_measure, where, fmt::format("{} stands {}", what, why))
            .help("it is known when the run ends: only a `require` of a model or component can ask for it");
        return in.error(where);
    };
    if (!in.in_require) return misplaced("outside `require`");
    if (in.in_moment) return misplaced("in a `require` of a moment");
    in.asks_measures = true;
    std::vector<ExprId> workloads;  // or one link
    const auto add_workload = [&](SyntaxId one) {
        const ExprId workload = link_or_value(in, one);
        const Type found = in.program.expr(workload).type;
        workloads.push_back(workload);
        if (found.kind == TypeKind::error) return false;
        if (is_link_measure(builtin)) {
            if (found.kind == TypeKind::link && !found.array && !found.many) return true;
            auto report = in.report(found.array ? Diag::invalid_selection : Diag::type_mismatch, in.span(one),
                                    fmt::format("{} wants a link, found {}", what, in.a_named(found)));
            if (found.kind == TypeKind::workload && builtin == Builtin::losses)
                report.help(fmt::format("of a workload it is `failed({})`", in.text(one)))
                    .fix(in.span(syntax::Call(in.tree, id).callee()), "failed");
            if (found.kind == TypeKind::link && found.array)
                report.help(fmt::format("choose one: `{}[0]`", in.text(one)))
                    .fix_when_asked({in.span(one).behind(), "[0]"});
            return false;
        }
        if (found.kind == TypeKind::workload && !found.array) return true;
        auto report = in.report(Diag::type_mismatch, in.span(one),
                                fmt::format("{} wants a workload, found {}", what, in.a_named(found)));
        const auto load = std::ranges::find_if(in.links, [](const auto& named) {
            return named.second.type.kind == TypeKind::workload && named.second.type.array == 0;
        });
        if ((found.kind == TypeKind::node || found.kind == TypeKind::instance) && load != in.links.end())
            report.help(fmt::format("measures are of workloads: `{}({})`", builtin_name(builtin), load->first));
        const std::string_view literal = in.text(one);
        if (in.tree.kind(one) == SyntaxKind::literal_string && literal.size() > 2 &&
            in.links.contains(literal.substr(1, literal.size() - 2)))
            report.write(in.span(one), std::string(literal.substr(1, literal.size() - 2)));
        if (found.kind == TypeKind::link) report.help("of a link there are queue_delay, max_queue_delay and losses");
        if (found.kind == TypeKind::workload)
            report.help(fmt::format("`{}` are all its elements together", whole_array(in.text(one), found.array)))
                .fix(in.span(one), whole_array(in.text(one), found.array));
        return false;
    };
    bool fits = true;
    if (in.tree.kind(object) == SyntaxKind::list && !is_link_measure(builtin))
    {  // of no values: expressions have no lists of workloads
        const auto elements = syntax::List(in.tree, object).elements();
        for (const SyntaxId element : elements) fits = add_workload(element) && fits;
        if (elements.empty())
            in.report(Diag::type_mismatch, in.span(object), fmt::format("{} wants a workload, found none", what));
        fits = fits && !elements.empty();
    } else {
        fits = add_workload(object);
    }
    if (!fits) return in.error(where);
    // The name of a request, then a phase: either may be left out.
    std::size_t next = 1;
    const auto is_unknown = [&](SyntaxId one) {
        return in.tree.kind(one) == SyntaxKind::name && !check_named(in, in.text(one), in.span(one)) &&
               !find(in, in.text(one));
    };
    if (next < given.size() && !is_link_measure(builtin) && !in.tree.is_hole(given[next]) &&
        !find_phase(in, given[next], builtin) && !is_unknown(given[next]))
    {
        const ExprId request = expression(in, given[next]);
        if (const Type& found = in.program.expr(request).type; found.dim == dimension::time) {
            in.report(Diag::type_mismatch, in.span(given[next]), "times of the run have names")
                .help(fmt::format("of a part of it: `{}(workload, from = 2 s, until = 8 s)`", builtin_name(builtin)));
            return in.error(where);
        }
        ++next;
        workloads.push_back(require_type(in, request, {.kind = TypeKind::string}, "the name of a request"));
        if (in.program.expr(workloads.back()).type.kind == TypeKind::error) return in.error(where);
    }
    const auto of = next < given.size() ? phase(in, in.diagnostics, given[next++], builtin) : abi::MeasurePhase::whole;
    if (!of) return in.error(where);
    if (next == 3 && of == abi::MeasurePhase::page) {
        in.report(Diag::type_mismatch, in.span(given[2]), "a page is more than one request")
            .help(fmt::format("of pages there is `{}(workload, page)`", builtin_name(builtin)));
        return in.error(where);
    }
    if (next < given.size()) {
        in.report(Diag::wrong_argument_count, in.span(given[next]), fmt::format("{} is of one phase", what))
            .help(fmt::format("a request's name stands before it: `{}(workload, \"name\", first_byte)`",
                              builtin_name(builtin)));
        return in.error(where);
    }
    const auto part = part_of_run(in, id, builtin, workloads);
    if (!part) return in.error(where);
    return in.add(ExprKind::call, {.kind = TypeKind::number, .dim = dimension_of_measure(measure_kind(builtin), *of)},
                  where, static_cast<std::uint32_t>(builtin),
                  static_cast<double>(static_cast<std::uint32_t>(*of) | *part), workloads);
}

ExprId path_function(Checking& in, SyntaxId id, Builtin builtin, const std::vector<ExprId>& given)
{
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (!may_ask_routes(in, in.diagnostics, where, builtin)) return in.error(where);
    std::vector<ExprId> nodes;
    for (ExprId e : given) {
        const bool several = builtin == Builtin::path && nodes.size() == 2;
        nodes.push_back(require_type(in, e, {.kind = TypeKind::node, .many = several}, what));
        if (in.program.expr(nodes.back()).kind == ExprKind::error) return in.error(where);
    }
    Type type{.kind = TypeKind::number};
    if (builtin == Builtin::rtt) type.dim = dimension::time;
    if (builtin == Builtin::bottleneck) type.dim = dimension::rate;
    if (builtin == Builtin::bdp) type.dim = dimension::size;
    if (builtin == Builtin::hops || builtin == Builtin::disjoint_paths) type.kind = TypeKind::integer;
    if (builtin == Builtin::reachable || builtin == Builtin::via || builtin == Builtin::disjoint ||
        builtin == Builtin::path)
        type.kind = TypeKind::boolean;
    return in.call(builtin, type, where, std::move(nodes));
}

ExprId load(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given)
{
    if (!may_ask_routes(in, in.diagnostics, in.span(id), builtin)) return in.error(in.span(id));
    std::vector<ExprId> links;
    abi::MeasurePhase direction = abi::MeasurePhase::whole;
    if (!given.empty()) {
        const ExprId link = link_or_value(in, given[0]);
        const Expr of = in.program.expr(link);
        if (of.type.kind == TypeKind::error) return in.error(in.span(id));
        if (of.type.kind != TypeKind::link || of.type.array || of.type.many) {
            auto report = in.report(of.type.array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                    fmt::format("`load` wants a link, found {}", in.a_named(of.type)));
            if (of.type.kind == TypeKind::link && of.type.array)
                report.help(fmt::format("choose one: `{}[0]`", in.sources.text(of.span)))
                    .fix_when_asked({of.span.behind(), "[0]"});
            if (of.type.kind == TypeKind::node || of.type.kind == TypeKind::workload)
                report.help("it is the share of a link's rate that all workloads take together");
            return in.error(in.span(id));
        }
        links.push_back(link);
    }
    if (given.size() > 1) {
        const auto asked = phase(in, in.diagnostics, given[1], builtin);
        if (!asked) return in.error(in.span(id));
        direction = *asked;
    }
    return in.add(ExprKind::call, {.kind = TypeKind::number}, in.span(id), static_cast<std::uint32_t>(builtin),
                  static_cast<double>(direction), std::move(links));
}

}  // namespace anml
