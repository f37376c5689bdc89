// What the files of the summary share: its lines, and figures as they say them. summary.cpp puts it together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/counters.h"
#include "net/model.h"
#include "report/figures.h"

namespace anml::rt::summary {

std::string rate(double bps);
std::string per_second(double value);
std::string percent(double share);
std::string named(const std::string& name, std::string_view label);  // "house[3] (Library)"

// Lines "  subject        text", subjects in bold where there is colour.
class Lines {
  public:
    explicit Lines(bool colour) : colour_(colour) {}
    void add(std::string_view subject, std::string_view text)
    {
        text_ += fmt::format("  {}{:<14}{} {}\n", bold(), subject, plain(), text);
    }
    void line(std::string_view text) { text_ += fmt::format("{}\n", text); }
    std::string_view bold() const { return colour_ ? "\x1b[1m" : ""; }
    std::string_view red() const { return colour_ ? "\x1b[1;31m" : ""; }
    std::string_view green() const { return colour_ ? "\x1b[1;32m" : ""; }
    std::string_view plain() const { return colour_ ? "\x1b[0m" : ""; }
    std::string take() { return std::move(text_); }

  private:
    bool colour_;
    std::string text_;
};

// Transactions, of a workload or of all.
std::string failures(const TransactionFigures& f);
std::string open_at_the_end(const TransactionFigures& f);
void add_transactions(Lines& lines, const TransactionFigures& f);
void add_hang(Lines& lines, const RunInfo& run, const Statistics& statistics, const TransactionFigures& f);
void add_response_times(Lines& lines, std::string_view subject, const ResponseTimes& r, std::string_view what = "");
void add_offered(Lines& lines, const WorkloadFigures& w);
void add_pages(Lines& lines, const WorkloadFigures& w, bool alone);
void add_calls(Lines& lines, const WorkloadFigures& w);

// Workloads, groups of their hosts, and servers.
void add_workloads(Lines& lines, const Figures& figures);
void add_report(Lines& lines, const ReportFigures& report);
void add_groups(Lines& lines, std::string_view subject, const std::vector<GroupFigures>& groups);
void add_servers(Lines& lines, const Figures& figures);

// What the network did with packets.
void add_packets(Lines& lines, const Model& model, const RunInfo& run, const Statistics& s, const Figures& figures);
void add_middleboxes(Lines& lines, const Model& model, const std::vector<MiddleboxCounters>& middleboxes);
void add_buffers(Lines& lines, const Model& model, std::vector<BufferCounters> buffers,
                 const std::vector<LinkCounters>& links);
void add_airs(Lines& lines, const Model& model, std::vector<AirCounters> airs, double seconds);
void add_links(Lines& lines, const Figures& figures);
void add_fluid_links(Lines& lines, const Figures& figures);
void add_impaired(Lines& lines, const Figures& figures);

}  // namespace anml::rt::summary
