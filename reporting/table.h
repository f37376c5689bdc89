// What all formats of a report show: figures side by side, a value for each run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reporting/report.h"

namespace anml {

enum class Unit : std::uint8_t { count, per_second, seconds, rate, bytes, share, plain };
std::string_view unit_name(Unit unit);  // "bit/s", "" of what has none

enum class Better : std::uint8_t { neither, lower, higher };

struct ReportFigure {
    std::string id;    // where results have it, from the group on: "response_time_seconds.p99"
    std::string name;  // "response time, p99"
    Unit unit{};
    Better better{};
    bool rare = false;                            // need not be shown where it is 0 in all runs
    std::vector<std::optional<double>> values;    // a run each; none: the results do not have it
    std::vector<std::optional<double>> at_least;  // where the value is only known to be that at least

    bool given() const;                       // by any of the runs
    bool shown() const;                       // given, and not rare and 0
    std::string text(std::size_t run) const;  // "12.3 ms", "> 6 s", "–"
    // What the run has more than the first one, as a share of that; none where there is nothing to compare.
    std::optional<double> difference(std::size_t run) const;
    std::string difference_text(std::size_t run) const;  // "+4.2 %", "" where there is none
    int verdict(std::size_t run) const;  // 1: better than the first, -1: worse, 0: neither, or too little to tell
};

// Figures of one thing: the run, a workload, a server, a link, an endpoint.
struct ReportGroup {
    std::string kind, name;
    std::string note;          // of a workload its schema: "web.ClosedLoop"; of `report by` its keys: "region, class";
                               // of a request the workload: "shop"
    bool one_of_many = false;  // of a large array of workloads, which stands for it but in tables
    std::string label{};       // the name that the model gives it; "": none
    std::vector<ReportFigure> figures{};

    std::string shown_name() const;   // "surf[3] (Library)"
    std::string unique_name() const;  // among those of its kind: "region, class: north, fibre"
    const ReportFigure* find(std::string_view id) const;
    bool shown() const;
};

// What somebody reads first.
struct Headline {
    std::string title;  // "Response time, p99"
    const ReportFigure* figure = nullptr;
    const ReportFigure* second = nullptr;  // as large, beside it
    std::vector<const ReportFigure*> details;
};

// What is known of the runs beside their figures.
struct ReportFact {
    std::string name;
    std::vector<std::string> texts;  // a run each, "" where it is not known
};

// Of things of a kind all figures, beside each other: where one lacks some, those of others stand in their places.
std::vector<const ReportFigure*> columns_of(const std::vector<const ReportGroup*>& groups);

struct ReportTable {
    std::vector<ReportGroup> groups;
    std::vector<ReportFact> facts;
    std::vector<std::string> notes;  // on the runs beside each other
};

// Workloads of results; those of an array behind what they come to together.
struct ShownWorkload {
    const Json* workload;
    bool one_of_many;
};
std::vector<ShownWorkload> shown_workloads(const Json& results);
// Of results the links that differ by their indices alone, one object for each such array in either direction: how
// many, their mean utilisation and that of the busiest, and sums.
Json link_arrays(const Json& results);
// Empty of results from before there were any.
Json thresholds_of(const RunResults& run);
std::vector<ReportFact> make_facts(const std::vector<RunResults>& runs);
ReportTable make_table(const std::vector<RunResults>& runs);
std::vector<Headline> headlines(const ReportTable& table);  // point into it

// "Whole run", "Workload browse (web.ClosedLoop)", "Link slow>".
std::string group_title(const ReportGroup& group);

std::string write_report_json(const std::vector<RunResults>& runs, const ReportTable& table);
std::string write_report_csv(const std::vector<RunResults>& runs, const ReportTable& table);
std::string write_report_junit(const std::vector<RunResults>& runs);
std::string write_report_markdown(const std::vector<RunResults>& runs, const ReportTable& table);
std::string write_report_page(const std::vector<RunResults>& runs, const ReportTable& table,
                              const std::vector<ReportPicture>& pictures, std::string_view version);

}  // namespace anml
