// What is measured of workloads, of one or of several together: `p99(browse)`, `p99(house[*].surf)`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/array_name.h"
#include "elaborate/elaborator.h"

namespace anml {
namespace {

// The numbers in brackets that without_indices leaves out.
std::vector<std::string_view> indices_of(std::string_view name)
{
    std::vector<std::string_view> indices;
    for (std::size_t open = name.find('['); open != std::string_view::npos; open = name.find('[', open + 1)) {
        const std::size_t close = name.find_first_not_of("0123456789", open + 1);
        if (close != std::string_view::npos && close != open + 1 && name[close] == ']')
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

}  // namespace

// Those that are asked for; none: an error was reported.
std::vector<std::uint32_t> Elaborator::measured_workloads(const Expr& e, Frame& frame)
{
    std::vector<std::uint32_t> chosen;
    for (const ExprId operand : program_.operands_of(e)) {
        const Value v = flat(evaluate(operand, frame));
        if (v.absent()) {
            report(Diag::absent_name, e.span, "this workload is not part of the model");
            return {};
        }
        const WorkloadSet* workloads = v.as<WorkloadSet>();
        if (!workloads) return {};
        if (workloads->empty()) {
            report(Diag::invalid_selection, program_.expr(operand).span, "there are no workloads in this selection")
                .help("nothing can be measured of them: ask `if len(...) > 0`");
            return {};
        }
        chosen.insert(chosen.end(), workloads->begin(), workloads->end());
    }
    std::sort(chosen.begin(), chosen.end());
    if (const auto twice = std::adjacent_find(chosen.begin(), chosen.end()); twice != chosen.end()) {
        report(Diag::invalid_selection, e.span, fmt::format("`{}` is chosen twice", network_.workloads[*twice].name))
            .help("what it does would count twice");
        return {};
    }
    return chosen;
}

// What figures of several have to have in common: all of the web are transactions, others are of a kind each.
bool Elaborator::measured_alike(const WorkloadInfo& a, const WorkloadInfo& b) const
{
    const RecordInfo &x = network_.records[a.record], &y = network_.records[b.record];
    const bool calls = is_a(x, abi::RecordSchema::calls) || is_a(y, abi::RecordSchema::calls);
    return x.layout == y.layout || (!calls && !a.documents.empty() && !b.documents.empty());
}

Value Elaborator::measure(const Expr& e, Builtin function, Frame& frame)
{
    if (is_link_measure(function)) return measured_link(e, function, frame);
    std::vector<std::uint32_t> chosen = measured_workloads(e, frame);
    if (chosen.empty()) return {Failed{}};
    const auto phase = static_cast<abi::MeasurePhase>(e.value);
    for (const std::uint32_t index : chosen) {
        const WorkloadInfo &w = network_.workloads[index], &first = network_.workloads[chosen.front()];
        const RecordInfo& record = network_.records[w.record];
        if (phase == abi::MeasurePhase::page && !is_a(record, abi::RecordSchema::browser) &&
            !is_a(record, abi::RecordSchema::sessions))
        {
            report(Diag::type_mismatch, e.span, fmt::format("`{}` has no pages", w.name))
                .help("hosts of web.Browser and web.Sessions look at pages");
            return {Failed{}};
        }
        if (phase == abi::MeasurePhase::slowdown) {
            if (is_a(record, abi::RecordSchema::flows)) continue;
            report(Diag::type_mismatch, e.span, fmt::format("`{}` has no slow-downs", w.name))
                .help("flows of traffic.Flows have them");
            return {Failed{}};
        }
        if (phase != abi::MeasurePhase::whole && w.documents.empty()) {
            report(Diag::type_mismatch, e.span, fmt::format("`{}` has no phases: it asks for no documents", w.name))
                .help("transactions of the web have phases; of others the whole time is measured");
            return {Failed{}};
        }
        if (!measured_alike(first, w)) {
            report(
                Diag::type_mismatch, e.span,
                fmt::format("`{}` and `{}` have no figures in common: they are of different kinds", first.name, w.name))
                .also(first.span, "the first")
                .also(w.span, "the other one")
                .help("measure each kind by itself");
            return {Failed{}};
        }
    }
    const auto [at, fresh] = measured_.try_emplace(std::move(chosen), network_.measured.size());
    if (fresh) {
        for (; named_workloads_ < network_.workloads.size(); ++named_workloads_)
            workload_arrays_[without_indices(network_.workloads[named_workloads_].name)].push_back(named_workloads_);
        network_.measured.push_back({name_together(network_, at->first, workload_arrays_), at->first, {}});
    }
    return measure_of(function, at->second, phase);
}

Value Elaborator::measured_link(const Expr& e, Builtin function, Frame& frame)
{
    const Value v = evaluate(program_.operands_of(e)[0], frame);
    if (v.absent()) {
        report(Diag::absent_name, e.span, "this link is not part of the model");
        return {Failed{}};
    }
    const LinkSet* links = v.as<LinkSet>();
    if (!links || links->parts.empty()) return {Failed{}};
    const LinkSlice slice = links->parts.front().links;
    const LinkGroup& link = network_.links[slice.row.value];
    const auto phase = static_cast<abi::MeasurePhase>(e.value);
    if (link.one_way && phase == abi::MeasurePhase::down) {
        report(Diag::type_mismatch, e.span, fmt::format("`{}` leads one way", link.name))
            .also(link.span, "declared here")
            .help("only `up` of it can be measured, which is what stands there without a direction");
        return {Failed{}};
    }
    const auto [at, fresh] = measured_links_.try_emplace({slice.row.value, slice.first}, network_.measured.size());
    if (fresh) {
        const std::string name = link.is_array ? fmt::format("{}[{}]", link.name, slice.first) : link.name;
        network_.measured.push_back({name, {}, LinkSlice{slice.row, slice.first, 1}});
    }
    return measure_of(function, at->second, phase);
}

Value Elaborator::measure_of(Builtin function, std::uint32_t of, abi::MeasurePhase phase)
{
    const MeasureInfo wanted{measure_kind(function), of, phase};
    const auto [index, is_new] = measures_.try_emplace(wanted, network_.measures.size());
    if (is_new) network_.measures.push_back(wanted);
    return {Number{network_.values.tunable(kFirstMeasure + index->second)}};
}

}  // namespace anml
