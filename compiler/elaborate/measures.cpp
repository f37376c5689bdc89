// What is measured of workloads, of one or of several together: `p99(browse)`, `p99(house[*].surf)`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/array_name.h"
#include "elaborate/elaborator.h"

namespace anml {
namespace {

// What they are called together: "surf[*]" where these are all elements of their array, "surf[2 .. 5]" where their
// names differ by one index, whose numbers follow each other, else one name after the other.
std::string name_together(const Network& network, const std::vector<std::uint32_t>& chosen)
{
    const auto name = [&](std::uint32_t w) -> const std::string& { return network.workloads[w].name; };
    if (chosen.size() == 1) return name(chosen.front());
    const std::string array = without_indices(name(chosen.front()));
    const auto of_array = [&](std::uint32_t w) { return without_indices(name(w)) == array; };
    if (std::all_of(chosen.begin(), chosen.end(), of_array)) {
        std::size_t all = 0;
        for (std::uint32_t w = 0; w < network.workloads.size(); ++w) all += of_array(w);
        if (all == chosen.size()) return array;
    }
    // The place where they differ: behind a bracket, and before the end that all have.
    const std::string &first = name(chosen.front()), &last = name(chosen.back());
    const auto differs = static_cast<std::size_t>(
        std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first - first.begin());
    const std::size_t open = first.rfind('[', differs), close = first.find(']', differs);
    const auto number = [&](const std::string& of) -> std::optional<std::uint32_t> {
        std::uint32_t value = 0;
        const char *begin = of.data() + open + 1, *end = of.data() + of.size();
        const auto [behind, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || behind == end || *behind != ']') return std::nullopt;
        if (std::string_view(of).substr(0, open) != std::string_view(first).substr(0, open)) return std::nullopt;
        if (std::string_view(behind, end) != std::string_view(first).substr(close)) return std::nullopt;
        return value;
    };
    if (open != std::string::npos && close != std::string::npos) {
        const auto low = number(first), high = number(last);
        bool run = low && high && *high - *low + 1 == chosen.size();
        for (std::uint32_t i = 0; run && i < chosen.size(); ++i) run = number(name(chosen[i])) == *low + i;
        if (run) return fmt::format("{}[{} .. {}{}", first.substr(0, open), *low, *high, first.substr(close));
    }
    std::string names;
    for (const std::uint32_t w : chosen) names += fmt::format("{}{}", names.empty() ? "" : ", ", name(w));
    return fmt::format("[{}]", names);
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
    if (fresh) network_.measured.push_back({name_together(network_, at->first), at->first});
    const MeasureInfo wanted{measure_kind(function), at->second, phase};
    const auto [index, is_new] = measures_.try_emplace(wanted, network_.measures.size());
    if (is_new) network_.measures.push_back(wanted);
    return {Number{network_.values.tunable(kFirstMeasure + index->second)}};
}

}  // namespace anml
