// What is measured of workloads, of one or of several together: `p99(browse)`, `p99(house[*].surf)`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/string_literal.h"
#include "common/array_name.h"
#include "elaborate/model.h"
#include "elaborate/topology/numbered.h"

namespace anml {
namespace {

// The numbers and keys in brackets that without_indices leaves out.
std::vector<std::string_view> indices_of(std::string_view name)
{
    std::vector<std::string_view> indices;
    for (std::size_t open = name.find('['); open != std::string_view::npos; open = name.find('[', open + 1)) {
        std::size_t close = open + 1;
        while (close < name.size() && stands_in_brackets(name[close])) ++close;
        if (close < name.size() && close != open + 1 && name[close] == ']')
            indices.push_back(name.substr(open + 1, close - open - 1));
    }
    return indices;
}

// "house[*].surf[*]" with other words in the places of the stars, one after the other.
std::string with_indices(std::string_view array, const std::vector<std::string>& indices)
{
    std::string name;
    std::size_t next = 0;
    for (const char c : array) name += c == '*' ? indices[next++] : std::string(1, c);
    return name;
}

// What they are called together: "surf[*]" or "call[0][*]" where these are all elements of their array with these
// indices, "surf[2 .. 5]" where one index differs, whose numbers follow each other, else one name after the other.
// `arrays`: all workloads by the names of their arrays.
std::string name_together(const Network& network, const std::vector<std::uint32_t>& chosen,
                          const std::map<std::string, std::vector<std::uint32_t>>& arrays)
{
    const auto name = [&](std::uint32_t w) -> const std::string& { return network.workloads[w].name; };
    const std::string array = without_indices(name(chosen.front()));
    const auto of_array = [&](std::uint32_t w) { return without_indices(name(w)) == array; };
    if (chosen.size() > 1 && std::all_of(chosen.begin(), chosen.end(), of_array)) {
        const auto first = indices_of(name(chosen.front())), last = indices_of(name(chosen.back()));
        std::vector<bool> differs(first.size());
        for (const std::uint32_t w : chosen) {
            const auto indices = indices_of(name(w));
            for (std::size_t i = 0; i < first.size(); ++i) differs[i] = differs[i] || indices[i] != first[i];
        }
        std::size_t all = 0;
        for (const std::uint32_t w : arrays.at(array)) {
            if (all > chosen.size()) break;
            const auto indices = indices_of(name(w));
            bool fits = true;
            for (std::size_t i = 0; i < first.size(); ++i) fits = fits && (differs[i] || indices[i] == first[i]);
            all += fits;
        }
        std::vector<std::string> shown;
        for (std::size_t i = 0; i < first.size(); ++i) shown.emplace_back(differs[i] ? "*" : first[i]);
        if (all == chosen.size()) return with_indices(array, shown);
        const auto number = [](std::string_view text) {
            std::uint32_t value = 0;
            std::from_chars(text.data(), text.data() + text.size(), value);
            return value;
        };
        const auto at = static_cast<std::size_t>(std::find(differs.begin(), differs.end(), true) - differs.begin());
        bool run = std::count(differs.begin(), differs.end(), true) == 1 &&
                   number(last[at]) - number(first[at]) + 1 == chosen.size();
        for (std::uint32_t i = 0; run && i < chosen.size(); ++i)
            run = number(indices_of(name(chosen[i]))[at]) == number(first[at]) + i;
        if (run) {
            shown[at] = fmt::format("{} .. {}", first[at], last[at]);
            return with_indices(array, shown);
        }
    }
    std::string names;
    for (const std::uint32_t w : chosen) names += fmt::format("{}{}", names.empty() ? "" : ", ", name(w));
    return chosen.size() > 1 ? fmt::format("[{}]", names) : names;
}

// Those that are asked for; none: an error was reported.
std::vector<std::uint32_t> measured_workloads(Elaboration& in, const Expr& e, Frame& frame)
{
    std::vector<std::uint32_t> chosen;
    for (const ExprId operand : in.program.operands_of(e)) {
        const TypeKind kind = in.program.expr(operand).type.kind;
        if (kind == TypeKind::string || kind == TypeKind::number) continue;  // a request's name, an end of a part
        const Value v = flat(evaluate(in, operand, frame));
        if (v.absent()) {
            in.report(Diag::absent_name, e.span, "this workload is not part of the model");
            return {};
        }
        const WorkloadSet* workloads = v.as<WorkloadSet>();
        if (!workloads) return {};
        if (workloads->empty()) {
            in.report(Diag::invalid_selection, in.program.expr(operand).span,
                      "there are no workloads in this selection")
                .help("nothing can be measured of them: ask `if len(...) > 0`");
            return {};
        }
        chosen.insert(chosen.end(), workloads->begin(), workloads->end());
    }
    std::sort(chosen.begin(), chosen.end());
    if (const auto twice = std::adjacent_find(chosen.begin(), chosen.end()); twice != chosen.end()) {
        in.report(Diag::invalid_selection, e.span,
                  fmt::format("`{}` is chosen twice", in.network.workloads[*twice].name))
            .help("what it does would count twice");
        return {};
    }
    return chosen;
}

// What figures of several have to have in common: all of the web are transactions, others are of a kind each.
bool measured_alike(const Network& network, const WorkloadInfo& a, const WorkloadInfo& b)
{
    const RecordInfo &x = network.records[a.record], &y = network.records[b.record];
    const bool calls = is_a(x, abi::RecordSchema::calls) || is_a(y, abi::RecordSchema::calls);
    return x.layout == y.layout || (!calls && !a.documents.empty() && !b.documents.empty());
}

// The operand that names a request; none: there is none.
ExprId request_operand(const CheckedProgram& program, const Expr& e)
{
    for (const ExprId operand : program.operands_of(e))
        if (program.expr(operand).type.kind == TypeKind::string) return operand;
    return {};
}

// "": all of them. Nothing: an error was reported.
std::optional<std::string> measured_request(Elaboration& in, const Expr& e, Frame& frame)
{
    const ExprId named = request_operand(in.program, e);
    if (!named) return "";
    const Value v = evaluate(in, named, frame);
    const std::string* name = v.as<std::string>();
    if (name && name->empty())
        in.report(Diag::unknown_name, in.program.expr(named).span, "no request has an empty name");
    return name && !name->empty() ? std::optional(*name) : std::nullopt;
}

// Of which part of the run. False: an error was reported.
bool take_part(Elaboration& in, const Expr& e, Frame& frame, MeasureInfo& wanted)
{
    const auto operands = in.program.operands_of(e);
    std::size_t last = operands.size();
    for (auto [end, of] : {std::pair(kHasUntil, &wanted.until), std::pair(kHasFrom, &wanted.from)}) {
        if (!has_end(e.value, end)) continue;
        const Value v = evaluate(in, operands[--last], frame);
        const Number* const time = v.as<Number>();
        if (!time) return false;
        *of = time->id;
    }
    return true;
}

// Whether one of them has a request or a group of that name.
bool ask_for(const Network& network, ReportOnce& report, const std::string& request,
             const std::vector<std::uint32_t>& workloads, Span at)
{
    std::vector<std::string_view> names;
    for (const std::uint32_t index : workloads)
        for (const DocumentInfo& d : network.workloads[index].documents) {
            if (d.file == abi::kNone) continue;
            for (const FileDocument& document : network.files[d.file]->documents) {
                if (!document.request) continue;
                for (const std::string* name : {&document.request->name, &document.request->group}) {
                    if (*name == request) return true;
                    if (!name->empty()) names.push_back(*name);
                }
            }
        }
    const WorkloadInfo& first = network.workloads[workloads.front()];
    auto error =
        report(Diag::unknown_name, at, fmt::format("`{}` has no request {}", first.name, string_literal(request)));
    error.also(first.span, "declared here");
    if (names.empty()) return error.help("only requests of a file have names: `documents = web.requests(...)`"), false;
    if (const auto near = similar_name(request, names); !near.empty())
        return error.suggest(at, near, string_literal(near)), false;
    constexpr std::size_t kMostShown = 8;
    std::string shown;
    for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i)
        shown += fmt::format("{}{}", i == 0 ? "" : ", ", string_literal(names[i]));
    error.help(fmt::format("there are {}{}", shown, names.size() > kMostShown ? ", ..." : ""));
    return false;
}

// The link that is asked for, in the direction that is asked for. None: an error was reported.
std::optional<LinkSlice> asked_link(Elaboration& in, const Expr& e, Frame& frame)
{
    const Value v = evaluate(in, in.program.operands_of(e)[0], frame);
    if (v.absent()) {
        in.report(Diag::absent_name, e.span, "this link is not part of the model");
        return std::nullopt;
    }
    const LinkSet* links = v.as<LinkSet>();
    if (!links || links->parts.empty()) return std::nullopt;
    const LinkSlice slice = links->parts.front().links;
    const LinkArray& link = in.network.links[slice.row.value];
    if (link.one_way && phase_in(e.value) == abi::MeasurePhase::down) {
        in.report(Diag::type_mismatch, e.span, fmt::format("`{}` leads one way", link.name))
            .also(link.span, "declared here")
            .help("only `up` of it can be measured, which is what stands there without a direction");
        return std::nullopt;
    }
    return LinkSlice{slice.row, slice.first, 1};
}

Value measure_of(Elaboration& in, const MeasureInfo& wanted)
{
    const auto [index, is_new] = in.measures.try_emplace(wanted, in.network.measures.size());
    if (is_new) in.network.measures.push_back(wanted);
    return {Number{in.network.values.tunable(kFirstMeasure + index->second)}};
}

Value measured_link(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    const auto link = asked_link(in, e, frame);
    if (!link) return {Failed{}};
    const auto [at, fresh] = in.measured_links.try_emplace({link->row.value, link->first}, in.network.measured.size());
    if (fresh) in.network.measured.push_back({in.network.links[link->row.value].element_name(link->first), {}, *link});
    return measure_of(in, {measure_kind(function), at->second, phase_in(e.value)});
}

}  // namespace

// Parts begin when measuring does, or later, and end with the run, or earlier.
void check_parts(Elaboration& in)
{
    ValuePool& pool = in.network.values;
    const auto demand = [&](ValueExprId holds, const std::string& text, Span span) {
        const auto fixed = pool.as_constant(holds);
        if (fixed ? *fixed == 0 : pool.evaluate(holds, in.tunable_defaults) == 0)
            return in.report(Diag::out_of_range, span, text), false;
        if (!fixed) require(in, holds, text, span, true);
        return true;
    };
    const auto shown = [&](ValueExprId time) {
        return format_quantity(pool.evaluate(time, in.tunable_defaults), dimension::time);
    };
    for (const auto& [measure, span] : in.parts) {
        for (const auto& end : {measure.from, measure.until})
            if (end && !pool.as_constant(*end))
                return report_shape(in, *end, span, "a part of the run that is measured");
        const ValueExprId from = measure.from.value_or(in.network.warmup);
        const ValueExprId until = measure.until.value_or(in.network.duration);
        const bool fine =
            demand(pool.make(ValueOp::le, in.network.warmup, from),
                   fmt::format("the part begins at {}, in the warm-up of {}", shown(from), shown(in.network.warmup)),
                   span) &&
            demand(pool.make(ValueOp::le, until, in.network.duration),
                   fmt::format("the part ends at {}, behind the end of the run at {}", shown(until),
                               shown(in.network.duration)),
                   span) &&
            demand(pool.make(ValueOp::lt, from, until),
                   fmt::format("the part from {} to {} has no time in it", shown(from), shown(until)), span);
        if (!fine) return;
    }
}

Value measure(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    if (is_link_measure(function)) return measured_link(in, e, function, frame);
    std::vector<std::uint32_t> chosen = measured_workloads(in, e, frame);
    if (chosen.empty()) return {Failed{}};
    const auto request = measured_request(in, e, frame);
    if (!request) return {Failed{}};
    const auto phase = phase_in(e.value);
    for (const std::uint32_t index : chosen) {
        const WorkloadInfo &w = in.network.workloads[index], &first = in.network.workloads[chosen.front()];
        const RecordInfo& record = in.network.records[w.record];
        if (phase == abi::MeasurePhase::page && !is_a(record, abi::RecordSchema::browser) &&
            !is_a(record, abi::RecordSchema::sessions))
            return failed(in.report(Diag::type_mismatch, e.span, fmt::format("`{}` has no pages", w.name))
                              .help("hosts of web.Browser and web.Sessions look at pages"));
        if (phase == abi::MeasurePhase::slowdown) {
            if (is_a(record, abi::RecordSchema::flows)) continue;
            return failed(in.report(Diag::type_mismatch, e.span, fmt::format("`{}` has no slow-downs", w.name))
                              .help("flows of traffic.Flows have them"));
        }
        if (phase != abi::MeasurePhase::whole && w.documents.empty())
            return failed(in.report(Diag::type_mismatch, e.span,
                                    fmt::format("`{}` has no phases: it asks for no documents", w.name))
                              .help("transactions of the web have phases; of others the whole time is measured"));
        if (!measured_alike(in.network, first, w))
            return failed(in.report(Diag::type_mismatch, e.span,
                                    fmt::format("`{}` and `{}` have no figures in common: they are of different kinds",
                                                first.name, w.name))
                              .also(first.span, "the first")
                              .also(w.span, "the other one")
                              .help("measure each kind by itself"));
    }
    if (!request->empty() &&
        !ask_for(in.network, in.report, *request, chosen, in.program.expr(request_operand(in.program, e)).span))
        return {Failed{}};
    const auto [at, fresh] = in.measured.try_emplace({std::move(chosen), *request}, in.network.measured.size());
    if (fresh) {
        for (; in.named_workloads < in.network.workloads.size(); ++in.named_workloads)
            in.workload_arrays[without_indices(in.network.workloads[in.named_workloads].name)].push_back(
                in.named_workloads);
        const auto& [workloads, of_request] = at->first;
        std::string name = name_together(in.network, workloads, in.workload_arrays);
        if (!of_request.empty()) name += ", " + string_literal(of_request);
        in.network.measured.push_back({std::move(name), workloads, {}, of_request});
    }
    MeasureInfo wanted{measure_kind(function), at->second, phase};
    if (!take_part(in, e, frame, wanted)) return {Failed{}};
    if (wanted.of_part()) in.parts.emplace_back(wanted, e.span);
    return measure_of(in, wanted);
}

// What is expected to be on a link, or on any: a query of routes, which resolve_requirements answers.
Value load_query(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    PathQuery query;
    query.function = static_cast<PathFunction>(static_cast<int>(function) - static_cast<int>(Builtin::rtt));
    query.direction = phase_in(e.value);
    query.span = e.span;
    query.time = in.query_time;
    QueryNodes asked;  // the link and the direction, in the place of nodes
    if (function == Builtin::load) {
        const auto link = asked_link(in, e, frame);
        if (!link) return {Failed{}};
        query.link = *link;
        asked = {{link->row.value, link->first}, {static_cast<std::uint32_t>(query.direction), 0}};
    }
    return answer_of(in, query, std::move(asked));
}

}  // namespace anml
