#include "elaborate/report_once.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

Diagnostics::Builder ReportOnce::operator()(Diag diag, Span span, std::string message)
{
    const Span place = users_place(cell_place(span));
    const bool first = !place.valid() || reported.insert({diag, {place.file.value, place.begin}}).second;
    auto builder = (first ? diagnostics : muted).report(diag, place, std::move(message));
    builder.in(path);
    if (place != span && !table) builder.also(span, "here, in the standard library");
    constexpr std::size_t kMostShown = 3;
    for (std::size_t i = 0; i < std::min(calls.size(), kMostShown); ++i) {
        const Span call = calls[calls.size() - 1 - i];
        if (call != place && !of_library(call)) builder.also(call, "called from here");
    }
    if (diag != Diag::network_too_large)  // of which no round is the reason
        for (auto round = rounds.rbegin(); round != rounds.rend(); ++round)
            builder.also(round->loop, round_text(*round));
    return builder;
}

std::string ReportOnce::path_of(std::string_view name) const
{ return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name); }

// Whether the standard library declares it, whose schemas are in every program that uses them.
bool ReportOnce::of_library(Span declared) const
{
    const auto& files = program.library_files;  // a file that is quoted is none of them
    return declared.valid() && declared.file.value < files.size() && files[declared.file.value];
}

// Of a column's header, the cell of the row that is being made.
Span ReportOnce::cell_place(Span span) const
{
    if (!table) return span;
    for (std::size_t i = 0; i < table->columns.size(); ++i)
        if (table->columns[i].span == span) return table->cells[table_row * table->columns.size() + i].place;
    return span;
}

// Which round it is: the number, and what a reader knows the element by.
std::string ReportOnce::round_text(const Round& round) const
{
    const std::string said = fmt::format("in its round {}", round.number);
    const Value& element = round.frame->slots[round.statement->slot];
    if (const auto* text = element.as<std::string>()) return fmt::format("{}, \"{}\"", said, *text);
    if (const SchemaValue* row = element.schema())
        for (const Value& v : row->attributes)
            if (const auto* text = v.as<std::string>()) return fmt::format("{}, \"{}\"", said, *text);
    const auto* nodes = element.as<NodeSet>();
    if (nodes && nodes->size() == 1)
        return fmt::format("{}, `{}`", said,
                           network.nodes[nodes->front().row.value].element_name(nodes->front().first));
    return said;
}

}  // namespace anml
