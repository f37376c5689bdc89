// Fills the page's template: texts as the other formats have them, and the series and curves for its charts.
#include <map>

#include "reporting/embedded_files.h"
#include "reporting/table.h"

namespace anml {

namespace {

Json figure_texts(const ReportFigure& figure)
{
    Json texts = Json::array(), differences = Json::array(), values = Json::array(), better = Json::array();
    for (std::size_t run = 0; run < figure.values.size(); ++run) {
        texts.push_back(figure.text(run));
        differences.push_back(figure.difference_text(run));
        values.push_back(figure.values[run] ? Json(*figure.values[run]) : Json(nullptr));
        better.push_back(figure.verdict(run));
    }
    return {{"id", figure.id}, {"name", figure.name},        {"unit", unit_name(figure.unit)},
            {"texts", texts},  {"differences", differences}, {"better", better},
            {"values", values}};
}

// For each kind of things that stand in a table of their own the order of its columns.
Json columns_json(const ReportTable& table)
{
    Json columns = Json::object();
    std::map<std::string, std::vector<const ReportGroup*>> kinds;
    for (const ReportGroup& group : table.groups) kinds[group.kind].push_back(&group);
    for (const auto& [kind, groups] : kinds) {
        Json& ids = columns[kind] = Json::array();
        for (const ReportFigure* figure : columns_of(groups)) ids.push_back(figure->id);
    }
    return columns;
}

Json groups_json(const ReportTable& table)
{
    Json groups = Json::array();
    for (const ReportGroup& group : table.groups) {
        Json figures = Json::array();
        for (const ReportFigure& figure : group.figures)
            if (figure.shown()) figures.push_back(figure_texts(figure));
        if (!figures.empty())
            groups.push_back({{"kind", group.kind},
                              {"name", group.name},
                              {"shown", group.shown_name()},
                              {"by", group.kind == "report" || group.kind == "request" ? group.note : ""},
                              {"title", group_title(group)},
                              {"one_of_many", group.one_of_many},
                              {"figures", figures}});
    }
    return groups;
}

Json headlines_json(const ReportTable& table)
{
    Json list = Json::array();
    for (const Headline& headline : headlines(table)) {
        Json details = Json::array();
        for (const ReportFigure* figure : headline.details) details.push_back(figure_texts(*figure));
        list.push_back({{"title", headline.title},
                        {"figure", figure_texts(*headline.figure)},
                        {"second", headline.second ? figure_texts(*headline.second) : Json(nullptr)},
                        {"details", details}});
    }
    return list;
}

// A curve of percentiles of each kind of times that a workload has.
Json curves_json(const Json& results)
{
    Json curves = Json::array();
    for (const ShownWorkload& shown : shown_workloads(results)) {
        const Json& workload = *shown.workload;
        for (const char* key : {"response_time_seconds", "page_time_seconds", "transfer_time_seconds",
                                "round_trip_seconds", "delay_seconds"})
            if (workload.contains(key) && workload[key].contains("percentiles") &&
                !workload[key]["percentiles"].empty())
                curves.push_back(
                    {{"workload", workload["name"]}, {"of", key}, {"points", workload[key]["percentiles"]}});
    }
    return curves;
}

// Of requests that failed: how many, of which causes, and the first.
Json failures_json(const Json& results)
{
    Json failures = Json::array();
    if (!results.contains("groups")) return failures;
    for (const Json& g : results["groups"].value("workload_request", Json::array()))
        if (g["failed"] != 0)
            failures.push_back({{"workload", g.value("workload", "")},
                                {"request", g["name"]},
                                {"failed", g["failed"]},
                                {"causes", g["failed_by_cause"]},
                                {"first", g.value("first_failure", Json())}});
    return failures;
}

// Workloads that ask with a file of requests.
Json requesters_json(const Json& results)
{
    Json names = Json::array();
    if (!results.contains("groups")) return names;
    for (const Json& g : results["groups"].value("workload_request", Json::array()))
        if (names.empty() || names.back() != g.value("workload", "")) names.push_back(g.value("workload", ""));
    return names;
}

Json run_json(const RunResults& run)
{
    const Json& r = run.data;
    Json json = {{"name", run.name},
                 {"file", run.file},
                 {"model", r["model"]},
                 {"mode", r["mode"]},
                 {"verdict", r["verdict"]},
                 {"reasons", r["verdict_reasons"]},
                 {"thresholds", thresholds_of(run)},
                 {"degraded", r["degraded_seconds"]},
                 {"warmup", r["window"]["begin"]},
                 {"end", r["window"]["end"]},
                 {"parameters", r["parameters"]},
                 {"series", r["series"]},
                 {"events", r["timeline"]["events"]},
                 {"requests", r.value("series_by_request", Json::array())},
                 {"requesters", requesters_json(r)},
                 {"failures", failures_json(r)},
                 {"curves", curves_json(r)},
                 {"live", nullptr},
                 {"endpoints", Json::array()}};
    for (const Json& change : r["changes"]) json["events"].push_back(change);
    if (r["live"].is_null()) return json;
    json["live"] = r["live"]["seconds"];
    for (const Json& endpoint : r["live"]["endpoints"])
        json["endpoints"].push_back({{"name", endpoint["name"]}, {"seconds", endpoint["seconds"]}});
    return json;
}

Json page_data(const std::vector<RunResults>& runs, const ReportTable& table,
               const std::vector<ReportPicture>& pictures)
{
    Json json = {{"runs", Json::array()},        {"headlines", headlines_json(table)},
                 {"groups", groups_json(table)}, {"columns", columns_json(table)},
                 {"facts", Json::array()},       {"notes", table.notes},
                 {"pictures", Json::array()}};
    for (const RunResults& run : runs) json["runs"].push_back(run_json(run));
    for (const ReportFact& fact : table.facts) json["facts"].push_back({{"name", fact.name}, {"texts", fact.texts}});
    for (const ReportPicture& picture : pictures)
        json["pictures"].push_back(
            {{"run", picture.run}, {"what", picture.what}, {"light", picture.light}, {"dark", picture.dark}});
    return json;
}

}  // namespace

std::string write_report_page(const std::vector<RunResults>& runs, const ReportTable& table,
                              const std::vector<ReportPicture>& pictures, std::string_view version)
{
    return fill_page(find_file(report_files(), "page"), [&](std::string_view name) -> std::string {
        if (name == "title") return for_text(runs.front().data["model"].get<std::string>());
        if (name == "version") return for_text(version);
        if (name == "data")
            return for_script(page_data(runs, table, pictures).dump(-1, ' ', false, Json::error_handler_t::replace));
        return std::string(find_file(report_files(), name));
    });
}

}  // namespace anml
