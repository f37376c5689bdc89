// Transactions by where their hosts stand, by the size of the document and by status.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "abi/image.h"
#include "app/web_client/request_script.h"
#include "common/grpc_status.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/quantity.h"

namespace anml::rt {

namespace {

GroupFigures figures_of_group(std::string name, const GroupStatistics& counted, double seconds)
{
    GroupFigures f;
    f.name = std::move(name);
    f.completed = counted.completed;
    f.failed = counted.ended() - counted.completed;
    f.failed_by_cause = counted.failed;
    f.request_bytes = counted.request_bytes;
    f.response_bytes = counted.response_bytes;
    if (seconds > 0) {
        f.per_second = static_cast<double>(f.completed) / seconds;
        f.throughput_bps = 8 * static_cast<double>(f.request_bytes + f.response_bytes) / seconds;
    }
    f.response = response_times(counted.response_time);
    return f;
}

std::string size_name(std::size_t of_class)
{
    const auto shown = [](std::size_t c) {
        return format_quantity(static_cast<double>(least_size(c)), abi::Unit::size);
    };
    if (of_class == 0) return "below " + shown(1);
    if (of_class + 1 == kSizeClasses) return shown(of_class) + " and more";
    return fmt::format("{} to {}", shown(of_class), shown(of_class + 1));
}

// The name of all hosts of each subnetwork that have the same one.
std::vector<std::string> subnet_labels(const Model& model)
{
    const abi::Image& image = model.image();
    std::vector<std::optional<std::string>> labels(model.subnets().names().size());
    for (std::uint32_t row = 0; row < image.node_row_count && image.node_name_count != 0; ++row) {
        const std::uint32_t subnet = model.subnets().of_row(row);
        if (subnet >= labels.size()) continue;
        const abi::NodeRow& nodes = image.node_rows[row];
        for (NodeId node = nodes.first_node; node < nodes.first_node + nodes.count; ++node) {
            const std::string_view label = label_of_node(model.image(), node);
            if (!labels[subnet]) labels[subnet] = label;
            if (*labels[subnet] == label) continue;
            labels[subnet] = "";
            break;
        }
    }
    std::vector<std::string> result;
    for (const auto& label : labels) result.push_back(label.value_or(""));
    return result;
}

// As the model asks for it: all of its groups, those too of which nothing ended.
// Between commas, and not to be taken for the further ones together.
std::string label_in_name(const std::string& label)
{
    return label == "others" || label.find(',') != std::string::npos ? fmt::format("\"{}\"", label) : label;
}

ReportFigures report_figures(const Model& model, std::uint32_t row, const TransactionGroups& counted, double seconds)
{
    const abi::Image& image = model.image();
    const abi::ReportRow& report = image.reports[row];
    const auto word = [&](std::uint32_t at) { return std::string(model.text(image.report_words[at])); };
    ReportFigures figures;
    for (std::uint32_t k = 0; k < report.keys.count; ++k) figures.keys.push_back(word(report.keys.first + k));
    const std::uint32_t groups = report.labels.count / report.keys.count;
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::vector<std::string> labels;
        for (std::uint32_t k = 0; k < report.keys.count; ++k)
            labels.push_back(word(report.labels.first + group * report.keys.count + k));
        const bool others = labels.front().empty();
        std::vector<std::string> words;
        for (const std::string& label : labels) words.push_back(label_in_name(label));
        const bool any = row < counted.reports.size() && group < counted.reports[row].size();
        figures.groups.push_back(figures_of_group(others ? "others" : fmt::format("{}", fmt::join(words, ", ")),
                                                  any ? counted.reports[row][group] : GroupStatistics{}, seconds));
        if (!others) figures.groups.back().labels = std::move(labels);
    }
    return figures;
}

std::optional<FailureExample> example_of(const Model& model, const FirstFailure& first)
{
    const auto cause = static_cast<std::size_t>(first.cause);
    if (first.at == kNever || cause >= kFailureCauses) return std::nullopt;
    return FailureExample{std::string(failure_name(first.cause)), first.status, show_body(first.body),
                          first.origin == kNone ? "" : std::string(model.text(first.origin))};
}

// What has the same name is together. Of more than `most` those with most transactions are left, in their order, and
// the further ones are together behind them, as `others`.
class NamedRequests {
  public:
    struct Request {
        std::string name;
        RequestStatistics counted;
        std::vector<RequestSecond> seconds;
        std::vector<CheckFigures> checks;
    };

    explicit NamedRequests(const Model& model) : model_(model) {}
    void add(std::uint32_t row, const RequestStatistics* counted, const std::vector<RequestSecond>* seconds)
    {
        Request& request = add_named(model_.image().requests[row].name, counted, seconds);
        if (counted && !counted->checks.empty()) add_checks(request, row, counted->checks);
    }
    Request& add_named(abi::StringRef text, const RequestStatistics* counted, const std::vector<RequestSecond>* seconds)
    {
        std::string name(model_.text(text));
        const auto [at, fresh] = by_name_.try_emplace(name, all_.size());
        if (fresh) all_.push_back({std::move(name), {}, {}, {}});
        if (counted) add_up(all_[at->second].counted, *counted);
        if (seconds) add_up(all_[at->second].seconds, *seconds);
        return all_[at->second];
    }
    std::vector<Request> take(std::size_t most)
    {
        std::erase_if(all_, [](const Request& r) { return ended(r) == 0; });
        if (all_.size() <= most) return std::move(all_);
        std::vector<std::uint64_t> counts;
        for (const Request& each : all_) counts.push_back(ended(each));
        std::ranges::sort(counts, std::greater());
        const std::uint64_t least = counts[most - 2];
        std::size_t room = most - 1 - static_cast<std::size_t>(std::ranges::count_if(
                                          counts, [&](std::uint64_t count) { return count > least; }));
        std::vector<Request> kept;
        Request others{"others", {}, {}, {}};
        for (Request& each : all_) {
            const bool stays = ended(each) > least || (ended(each) == least && room > 0);
            room -= stays && ended(each) == least;
            if (stays) {
                kept.push_back(std::move(each));
                continue;
            }
            add_up(others.counted, each.counted);
            add_up(others.seconds, each.seconds);
        }
        kept.push_back(std::move(others));
        return kept;
    }

  private:
    static std::uint64_t ended(const Request& r)
    {
        return std::accumulate(r.seconds.begin(), r.seconds.end(), r.counted.counted.ended(),
                               [](std::uint64_t sum, const RequestSecond& second) {
                                   return sum + second.completed + second.failed;
                               });
    }

    // Requests of one name may come from several files: what is checked alike is together.
    void add_checks(Request& request, std::uint32_t row, const std::vector<CheckStatistics>& counted)
    {
        const app::RequestScript script(model_.text(model_.image().requests[row].script));
        for (std::uint32_t i = 0; i < std::min(counted.size(), script.checks.size() + script.takes.size()); ++i) {
            std::string name = app::name_of(script, i);
            auto at = std::ranges::find(request.checks, name, &CheckFigures::check);
            if (at == request.checks.end() && request.checks.size() >= Groupings::kMostChecks) {
                name = "others";
                at = std::ranges::find(request.checks, name, &CheckFigures::check);
            }
            if (at == request.checks.end()) at = request.checks.insert(at, {std::move(name), 0, 0});
            at->passed += counted[i].passed;
            at->failed += counted[i].failed;
        }
    }

    const Model& model_;
    std::vector<Request> all_;
    std::map<std::string, std::size_t> by_name_;
};

void add_requests(Groupings& all, const Model& model, const TransactionGroups& counted, double seconds)
{
    const auto add = [&](std::vector<GroupFigures>& to, const NamedRequests::Request& request) -> GroupFigures& {
        to.push_back(figures_of_group(request.name, request.counted.counted, seconds));
        to.back().first_failure = example_of(model, request.counted.first_failure);
        to.back().checks = request.checks;
        return to.back();
    };
    NamedRequests together(model), series(model), groups(model);
    for (const Documents::RequestClass& of : model.documents().request_classes()) {
        NamedRequests alone(model);
        for (std::uint32_t i = 0; i < of.requests && of.first_cell + i < counted.requests.size(); ++i) {
            const RequestStatistics& cell = counted.requests[of.first_cell + i];
            if (cell.counted.ended() == 0) continue;
            alone.add(of.first_request + i, &cell, nullptr);
            together.add(of.first_request + i, &cell, nullptr);
            if (const abi::StringRef group = model.image().requests[of.first_request + i].group; group != abi::kNone)
                groups.add_named(group, &cell, nullptr);
        }
        for (const NamedRequests::Request& each : alone.take(Groupings::kMostRequests))
            add(all.of_workloads, each).workload = of.name;
    }
    for (const NamedRequests::Request& each : together.take(Groupings::kMostRequests)) add(all.requests, each);
    for (const NamedRequests::Request& each : groups.take(Groupings::kMostRequests)) add(all.request_groups, each);
    for (std::uint32_t row = 0; row < counted.seconds.size(); ++row) series.add(row, nullptr, &counted.seconds[row]);
    for (NamedRequests::Request& each : series.take(Groupings::kMostSeries))
        all.series.push_back({std::move(each.name), std::move(each.seconds)});
}

}  // namespace

std::string show_body(std::span<const char> begins)
{
    std::string body(begins.begin(), std::ranges::find(begins, '\0'));
    std::ranges::replace_if(body, [](char c) { return c < ' ' || c > '~'; }, '.');
    return body;
}

Groupings group_figures(const Model& model, const TransactionGroups& counted, double seconds)
{
    Groupings all;
    const std::vector<std::string>& names = model.subnets().names();
    for (std::size_t i = 0; i < std::max(names.size(), counted.subnets.size()); ++i)
        all.subnets.push_back(figures_of_group(i < names.size() ? names[i] : "others",
                                               i < counted.subnets.size() ? counted.subnets[i] : GroupStatistics{},
                                               seconds));
    const std::vector<std::string> labels = subnet_labels(model);
    for (std::size_t i = 0; i < labels.size(); ++i) all.subnets[i].label = labels[i];
    for (std::uint32_t row = 0; row < model.image().report_count; ++row)
        all.reports.push_back(report_figures(model, row, counted, seconds));
    for (std::size_t i = 0; i < counted.sizes.size(); ++i)
        if (counted.sizes[i].ended() != 0)
            all.sizes.push_back(figures_of_group(size_name(i), counted.sizes[i], seconds));
    add_requests(all, model, counted, seconds);
    std::vector<StatusGroup> statuses = counted.statuses;
    std::sort(statuses.begin(), statuses.end(),
              [](const StatusGroup& a, const StatusGroup& b) { return a.status < b.status; });
    for (const StatusGroup& group : statuses)
        all.statuses.push_back(
            figures_of_group(group.status == 0 ? "none" : status_name(group.status), group.counted, seconds));
    return all;
}

}  // namespace anml::rt
