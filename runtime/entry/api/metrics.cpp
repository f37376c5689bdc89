#include "entry/api/metrics.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "app/figure_kind.h"
#include "entry/tools/socket_io.h"

namespace anml::rt::entry {

namespace {

constexpr std::chrono::milliseconds kClientPatience{500};  // for one that asks or reads slowly, all in all
constexpr std::size_t kLongestRequest = 8192;

// A value of a label (OpenMetrics 1.0, 3.1).
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\' || c == '"') result += '\\';
        result += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return result;
}

std::string response(std::string_view status, std::string_view type, std::string_view body)
{
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                       type, body.size(), body);
}

// Of requests that are written out.
void add_requests(std::vector<Metric>& all, const RequestViews& requests)
{
    if (requests.all().empty()) return;
    Metric completed{"requests", "Requests of files that succeeded, measured.", MetricKind::counter, {}};
    Metric failed{"request_failures", "Those that failed, measured.", MetricKind::counter, {}};
    Metric took{"request_seconds",
                "How long those took that succeeded, measured; quantiles of those of the last 10 to 20 seconds.",
                MetricKind::summary,
                {}};
    for (const RequestViews::Series& series : requests.all()) {
        const RequestView view = series.shown.read();
        const MetricLabels labels = {{"workload", series.name.workload}, {"request", series.name.request}};
        completed.samples.push_back({labels, static_cast<double>(view.completed)});
        failed.samples.push_back({labels, static_cast<double>(view.failed)});
        MetricSample& sample =
            took.samples.emplace_back(MetricSample{labels, static_cast<double>(view.completed), view.response_seconds});
        for (std::size_t q = 0; view.recent != 0 && q < RequestView::kQuantiles.size(); ++q)
            sample.quantiles.emplace_back(RequestView::kQuantiles[q], view.took[q]);
    }
    for (Metric* const metric : {&completed, &failed, &took}) all.push_back(std::move(*metric));
}

}  // namespace

std::string_view Metric::unit() const
{
    const std::string_view last = name.substr(name.rfind('_') + 1);
    return last == "seconds" || last == "bytes" ? last : "";
}

std::vector<Metric> metrics_of(const Model& model, const LiveView& run, const std::vector<WorkloadView>& workloads,
                               const RequestViews& requests)
{
    const LiveSecond& edge = run.edge;
    std::vector<Metric> all;
    const auto gauge = [&](std::string_view name, std::string_view help, double value) {
        all.push_back({name, help, MetricKind::gauge, {{{}, value}}});
    };
    const auto counted = [&](std::string_view name, std::string_view help, double value) {
        all.push_back({name, help, MetricKind::counter, {{{}, value}}});
    };
    all.push_back({"model",
                   "What runs.",
                   MetricKind::info,
                   {{{{"model", std::string(model.text(model.image().model_name))}, {"version", ANML_VERSION}}, 1}}});
    gauge("elapsed_seconds", "Since the workloads began; negative while they wait for a server.",
          in_seconds(run.elapsed));
    counted("packets_released", "Packets handed to a device.", static_cast<double>(edge.released));
    counted("packets_received", "Packets read from devices.", static_cast<double>(edge.received));
    counted("packets_late", "Packets handed over with more than 1 ms of slip.", static_cast<double>(edge.late));
    counted("slip_seconds", "How much later than computed packets left, summed.", in_seconds(edge.slip_sum));
    gauge("slip_p99_seconds", "Its 99th percentile, of the last whole second.", in_seconds(edge.slip_p99));
    gauge("slip_max_seconds", "Its maximum, of the last whole second.", in_seconds(edge.slip_max));
    counted("kernel_drops", "Packets that the kernel dropped before the emulator read them.",
            static_cast<double>(edge.kernel_drops));
    counted("send_failures", "Packets that the kernel did not take.", static_cast<double>(edge.send_failures));
    counted("host_retransmissions", "TCP segments that real hosts sent again.",
            static_cast<double>(edge.host_retransmissions));
    Metric& ignored = all.emplace_back(Metric{
        "packets_ignored", "Frames that were none of the model's, by what they were.", MetricKind::counter, {}});
    for (const auto& [what, count] : {std::pair<std::string_view, std::uint64_t>{"malformed", run.malformed},
                                      {"foreign", run.foreign},
                                      {"ipv6", run.ipv6},
                                      {"tagged", run.tagged},
                                      {"groups", run.groups}})
        ignored.samples.push_back({{{"what", std::string(what)}}, static_cast<double>(count)});
    counted("packets_unreachable", "Packets that could not leave: the link was down, or no host answered.",
            static_cast<double>(run.unreachable));
    gauge("busy_ratio", "Share of the time that the emulator had work.", run.busy);

    using app::FigureKind;
    const abi::Image& image = model.image();
    // A metric of those workloads that come to such figures.
    const auto each = [&](std::string_view name, MetricKind kind, std::string_view help,
                          std::initializer_list<FigureKind> kinds, const auto& sample) {
        Metric metric{name, help, kind, {}};
        for (std::size_t w = 0; w < workloads.size(); ++w) {
            const abi::WorkloadRow& row = image.workloads[w];
            if (std::find(kinds.begin(), kinds.end(), app::figure_kind_of(image, row)) == kinds.end()) continue;
            sample(metric.samples, workloads[w], MetricLabels{{"workload", std::string(model.text(row.name))}});
        }
        if (!metric.samples.empty()) all.push_back(std::move(metric));
    };
    const auto counter = [&](std::string_view name, std::string_view help, std::initializer_list<FigureKind> kinds,
                             std::uint64_t WorkloadView::* what) {
        each(name, MetricKind::counter, help, kinds,
             [what](std::vector<MetricSample>& samples, const WorkloadView& w, MetricLabels workload) {
                 samples.push_back({std::move(workload), static_cast<double>(w.*what)});
             });
    };
    const std::initializer_list<FigureKind> web = {FigureKind::transactions, FigureKind::calls},
                                         done = {FigureKind::transactions, FigureKind::calls, FigureKind::flows},
                                         datagrams = {FigureKind::datagrams}, echoes = {FigureKind::echoes};
    counter("transactions", "Transactions or transfers that succeeded, measured.", done, &WorkloadView::completed);
    each("transaction_failures", MetricKind::counter, "Those that failed, by cause, measured.", done,
         [](std::vector<MetricSample>& samples, const WorkloadView& w, const MetricLabels& workload) {
             for (std::size_t i = 0; i < kFailureCauses; ++i) {
                 MetricLabels labels = workload;
                 labels.emplace_back("cause", failure_name(static_cast<FailureCause>(i)));
                 samples.push_back({std::move(labels), static_cast<double>(w.failed[i])});
             }
         });
    each("transactions_open", MetricKind::gauge, "Those under way.", done,
         [](std::vector<MetricSample>& samples, const WorkloadView& w, MetricLabels workload) {
             samples.push_back({std::move(workload), static_cast<double>(w.in_progress)});
         });
    each("response_time_seconds", MetricKind::summary, "How long those took that succeeded, measured.", done,
         [](std::vector<MetricSample>& samples, const WorkloadView& w, MetricLabels workload) {
             samples.push_back({std::move(workload), static_cast<double>(w.completed), w.response_seconds});
         });
    counter("request_bytes", "Of those that succeeded, with heads.", web, &WorkloadView::request_bytes);
    counter("response_bytes", "Of those that succeeded, with heads.", web, &WorkloadView::response_bytes);
    counter("datagrams_sent", "Datagrams sent, measured.", datagrams, &WorkloadView::datagrams_sent);
    counter("datagrams_received", "Datagrams received, measured.", datagrams, &WorkloadView::datagrams_received);
    counter("datagrams_lost", "Datagrams dropped on the way, measured.", datagrams, &WorkloadView::datagrams_lost);
    counter("echoes_sent", "Requests sent, measured.", echoes, &WorkloadView::echoes_sent);
    counter("echoes_received", "Requests answered in time, measured.", echoes, &WorkloadView::echoes_received);
    counter("echoes_lost", "Requests unanswered, measured.", echoes, &WorkloadView::echoes_lost);
    add_requests(all, requests);
    return all;
}

std::string openmetrics_text(const std::vector<Metric>& metrics)
{
    static constexpr std::array<std::string_view, 4> kTypes = {"info", "gauge", "counter", "summary"};
    static constexpr std::array<std::string_view, 4> kSuffixes = {"_info", "", "_total", "_count"};
    std::string page;
    for (const Metric& metric : metrics) {
        const auto kind = static_cast<std::size_t>(metric.kind);
        page += fmt::format("# TYPE anml_{} {}\n", metric.name, kTypes[kind]);
        if (!metric.unit().empty()) page += fmt::format("# UNIT anml_{} {}\n", metric.name, metric.unit());
        page += fmt::format("# HELP anml_{} {}\n", metric.name, metric.help);
        for (const MetricSample& sample : metric.samples) {
            std::string labels;
            for (const auto& [name, value] : sample.labels)
                labels += fmt::format("{}{}=\"{}\"", labels.empty() ? '{' : ',', name, escaped(value));
            if (!labels.empty()) labels += '}';
            page += fmt::format("anml_{}{}{} {}\n", metric.name, kSuffixes[kind], labels, sample.value);
            if (metric.kind == MetricKind::summary)
                page += fmt::format("anml_{}_sum{} {}\n", metric.name, labels, sample.sum);
            for (const auto& [share, within] : sample.quantiles)
                page += fmt::format("anml_{}{},quantile=\"{}\"}} {}\n", metric.name,
                                    labels.substr(0, labels.size() - 1), share, within);
        }
    }
    return page + "# EOF\n";
}

bool answer_metrics(const io::Descriptor& listener, const std::function<std::string()>& page)
{
    io::Descriptor connection;
    connection.reset(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.valid()) return false;
    const Deadline deadline = std::chrono::steady_clock::now() + kClientPatience;
    const std::string head = receive_head(connection.get(), kLongestRequest, deadline);
    constexpr std::string_view kPlain = "text/plain; charset=utf-8";
    std::string answer;
    if (head.starts_with("GET /metrics ") || head.starts_with("GET / "))
        answer = response("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", page());
    else if (head.starts_with("GET "))
        answer = response("404 Not Found", kPlain, "the page is /metrics\n");
    else
        answer = response("405 Method Not Allowed", kPlain, "GET /metrics\n");
    send_all(connection.get(), answer, deadline);
    return true;
}

}  // namespace anml::rt::entry
