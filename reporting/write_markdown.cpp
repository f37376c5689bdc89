// Markdown, for pull requests and notes: the answers as tables, a column for each run.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reporting/markdown.h"
#include "reporting/table.h"

namespace anml {

namespace {

constexpr std::size_t kMostLinks = 10, kMostGroups = 20;

class MarkdownWriter {
  public:
    MarkdownWriter(const std::vector<RunResults>& runs, const ReportTable& table) : runs_(runs), table_(table) {}

    std::string write()
    {
        out_ = fmt::format("# {}\n\n", plain_markdown(runs_.front().data["model"].get<std::string>()));
        for (const RunResults& run : runs_) verdict(run);
        out_ += '\n';
        thresholds();
        for (const std::string& note : table_.notes) out_ += note + "\n\n";
        for (const ReportGroup& group : table_.groups)
            if (group.kind == "run" || (group.kind == "workload" && !group.one_of_many)) figures(group);
        matrix("request");
        matrix("phase");
        std::set<std::string_view> reports;
        for (const ReportGroup& group : table_.groups)
            if (group.kind == "report" && reports.insert(group.note).second) matrix("report", group.note);
        for (const char* kind :
             {"check", "subnetwork", "size", "status", "server", "array", "link", "buffer", "radio", "endpoint", "file",
              "downtime"})
            matrix(kind);
        facts();
        return std::move(out_);
    }

  private:
    void verdict(const RunResults& run)
    {
        const std::string name = runs_.size() > 1 ? fmt::format("{}: ", plain_markdown(run.name)) : "";
        out_ += fmt::format("- {}**{}**", name, run.data["verdict"].get<std::string>());
        for (const Json& reason : run.data["verdict_reasons"]) out_ += "; " + plain_markdown(reason.get<std::string>());
        out_ += '\n';
    }

    void thresholds()
    {
        std::string rows;
        for (const RunResults& run : runs_)
            for (const Json& threshold : thresholds_of(run))
                rows += fmt::format("| {}{} | {} | {} |\n",
                                    runs_.size() > 1 ? plain_markdown(run.name) + " | " : "",
                                    plain_markdown(threshold["requires"].get<std::string>()),
                                    threshold["met"].get<bool>()      ? "met"
                                    : threshold.value("judged", true) ? "**not met**"
                                                                      : "**not measured**",
                                    plain_markdown(threshold["found"].get<std::string>()));
        if (rows.empty()) return;
        const bool several = runs_.size() > 1;
        out_ += fmt::format("| {}required | | found |\n| {}--- | --- | --- |\n{}\n", several ? "run | " : "",
                            several ? "--- | " : "", rows);
    }

    void header(const std::string& first, bool differences)
    {
        out_ += fmt::format("| {} |", first);
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            out_ += fmt::format(" {} |", plain_markdown(runs_[i].name));
            if (differences && i > 0) out_ += " |";
        }
        out_ += "\n| --- |";
        for (std::size_t i = 0; i < runs_.size(); ++i) out_ += differences && i > 0 ? " ---: | ---: |" : " ---: |";
        out_ += '\n';
    }

    void figures(const ReportGroup& group)
    {
        if (!group.shown()) return;
        out_ += fmt::format("## {}\n", plain_markdown(group_title(group)));
        header("", true);
        for (const ReportFigure& figure : group.figures) {
            if (!figure.shown()) continue;
            out_ += fmt::format("| {} |", plain_markdown(figure.name));
            for (std::size_t run = 0; run < runs_.size(); ++run) {
                out_ += fmt::format(" {} |", plain_markdown(figure.text(run)));
                if (run > 0) out_ += fmt::format(" {} |", figure.difference_text(run));
            }
            out_ += '\n';
        }
        out_ += '\n';
    }

    // Things of a kind below each other, and their figures beside each other.
    void matrix(std::string_view kind, std::string_view keys = "")
    {
        std::vector<const ReportGroup*> groups;
        for (const ReportGroup& group : table_.groups)
            if (group.kind == kind && group.shown() && (keys.empty() || group.note == keys)) groups.push_back(&group);
        if (groups.empty()) return;
        const std::vector<const ReportFigure*> columns = columns_of(groups);
        const std::string what = !keys.empty()        ? plain_markdown(keys)
                                 : kind == "array"   ? "array of links"
                                 : kind == "request" ? "workload and request"
                                                     : std::string(kind);
        out_ += fmt::format("## By {}\n| {} |", what, what);
        std::string line = "| --- |";
        for (const ReportFigure* column : columns)
            for (const RunResults& run : runs_) {
                out_ += fmt::format(" {}{} |", plain_markdown(column->name),
                                    runs_.size() > 1 ? ", " + plain_markdown(run.name) : "");
                line += " ---: |";
            }
        out_ += "\n" + line + "\n";
        const std::size_t rows = std::min(groups.size(), kind == "link" ? kMostLinks : kMostGroups);
        for (std::size_t i = 0; i < rows; ++i) {
            const std::string of = kind == "request" ? groups[i]->note + ": " : "";
            out_ += fmt::format("| {} |", plain_markdown(of + groups[i]->shown_name()));
            for (const ReportFigure* column : columns) {
                const ReportFigure* figure = groups[i]->find(column->id);
                for (std::size_t run = 0; run < runs_.size(); ++run)
                    out_ += fmt::format(" {} |", figure ? figure->text(run) : "–");
            }
            out_ += '\n';
        }
        if (rows < groups.size()) out_ += fmt::format("\n{} of {}.\n", rows, groups.size());
        out_ += '\n';
    }

    void facts()
    {
        out_ += "## Runs\n";
        header("", false);
        for (const ReportFact& fact : table_.facts) {
            out_ += fmt::format("| {} |", plain_markdown(fact.name));
            for (const std::string& text : fact.texts) out_ += fmt::format(" {} |", plain_markdown(text));
            out_ += '\n';
        }
    }

    const std::vector<RunResults>& runs_;
    const ReportTable& table_;
    std::string out_;
};

}  // namespace

std::string write_report_markdown(const std::vector<RunResults>& runs, const ReportTable& table)
{
    return MarkdownWriter(runs, table).write();
}

}  // namespace anml
