#include "entry/api/metrics.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "app/figure_kind.h"

namespace anml::rt::entry {

namespace {

constexpr std::chrono::milliseconds kClientPatience{500};  // for one that asks or reads slowly, all in all
constexpr std::size_t kLongestRequest = 8192;

// A value of a label, escaped (OpenMetrics 1.0, 3.1).
std::string label(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\' || c == '"') result += '\\';
        result += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return result;
}

class Page {
  public:
    // A family, before its samples.
    void family(std::string_view name, std::string_view type, std::string_view help)
    {
        name_ = name;
        text_ += fmt::format("# TYPE anml_{} {}\n", name, type);
        if (const std::size_t unit = name.rfind('_');
            name.substr(unit + 1) == "seconds" || name.substr(unit + 1) == "bytes")
            text_ += fmt::format("# UNIT anml_{} {}\n", name, name.substr(unit + 1));
        text_ += fmt::format("# HELP anml_{} {}\n", name, help);
    }
    void sample(std::string_view suffix, std::string_view labels, double value)
    {
        text_ += fmt::format("anml_{}{}{}{}{} {}\n", name_, suffix, labels.empty() ? "" : "{", labels,
                             labels.empty() ? "" : "}", value);
    }
    void counter(std::string_view name, std::string_view help, double value)
    {
        family(name, "counter", help);
        sample("_total", "", value);
    }
    void gauge(std::string_view name, std::string_view help, double value)
    {
        family(name, "gauge", help);
        sample("", "", value);
    }
    std::string take() { return std::move(text_) + "# EOF\n"; }

  private:
    std::string text_, name_;
};

using Instant = std::chrono::steady_clock::time_point;

// Waits until the connection is ready; false: it is too late.
bool ready(int connection, short what, Instant deadline)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waits{connection, what, 0};
    return left.count() > 0 && poll(&waits, 1, static_cast<int>(left.count())) == 1;
}

void send_all(int connection, std::string_view text, Instant deadline)
{
    while (!text.empty() && ready(connection, POLLOUT, deadline)) {
        const ssize_t sent = send(connection, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) return;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

// The head of a request, or as much as came in time.
std::string read_head(int connection, Instant deadline)
{
    std::string head;
    std::array<char, 1024> bytes;
    while (head.size() < kLongestRequest && head.find("\r\n\r\n") == std::string::npos &&
           ready(connection, POLLIN, deadline))
    {
        const ssize_t count = recv(connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (count <= 0) break;
        head.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return head;
}

std::string response(std::string_view status, std::string_view type, std::string_view body)
{
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                       type, body.size(), body);
}

}  // namespace

std::string metrics_text(const Model& model, const LiveView& run, const std::vector<WorkloadView>& workloads)
{
    const LiveSecond& edge = run.edge;
    Page page;
    page.family("model", "info", "What runs.");
    page.sample("_info",
                fmt::format("model=\"{}\",version=\"{}\"", label(model.text(model.image().model_name)), ANML_VERSION),
                1);
    page.gauge("elapsed_seconds", "Since the workloads began; negative while they wait for a server.",
               in_seconds(run.elapsed));
    page.counter("packets_released", "Packets handed to a device.", static_cast<double>(edge.released));
    page.counter("packets_received", "Packets read from devices.", static_cast<double>(edge.received));
    page.counter("packets_late", "Packets handed over with more than 1 ms of slip.", static_cast<double>(edge.late));
    page.counter("slip_seconds", "How much later than computed packets left, summed.", in_seconds(edge.slip_sum));
    page.gauge("slip_p99_seconds", "Its 99th percentile, of the last whole second.", in_seconds(edge.slip_p99));
    page.gauge("slip_max_seconds", "Its maximum, of the last whole second.", in_seconds(edge.slip_max));
    page.counter("kernel_drops", "Packets that the kernel dropped before the emulator read them.",
                 static_cast<double>(edge.kernel_drops));
    page.counter("send_failures", "Packets that the kernel did not take.", static_cast<double>(edge.send_failures));
    page.counter("host_retransmissions", "TCP segments that real hosts sent again.",
                 static_cast<double>(edge.host_retransmissions));
    page.family("packets_ignored", "counter", "Frames that were none of the model's, by what they were.");
    for (const auto& [what, count] : {std::pair<std::string_view, std::uint64_t>{"malformed", run.malformed},
                                      {"foreign", run.foreign},
                                      {"ipv6", run.ipv6},
                                      {"tagged", run.tagged},
                                      {"groups", run.groups}})
        page.sample("_total", fmt::format("what=\"{}\"", what), static_cast<double>(count));
    page.counter("packets_unreachable", "Packets that could not leave: the link was down, or no host answered.",
                 static_cast<double>(run.unreachable));
    page.gauge("busy_ratio", "Share of the time that the emulator had work.", run.busy);

    using app::FigureKind;
    const abi::Image& image = model.image();
    // A family of those workloads that come to such figures.
    const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                          std::initializer_list<FigureKind> kinds, const auto& samples) {
        bool any = false;
        for (std::size_t w = 0; w < workloads.size(); ++w) {
            const abi::WorkloadRow& row = image.workloads[w];
            if (std::find(kinds.begin(), kinds.end(), app::figure_kind_of(image, row)) == kinds.end()) continue;
            if (!std::exchange(any, true)) page.family(name, type, help);
            samples(workloads[w], fmt::format("workload=\"{}\"", label(model.text(row.name))));
        }
    };
    const auto counter = [&](std::string_view name, std::string_view help, std::initializer_list<FigureKind> kinds,
                             std::uint64_t WorkloadView::* what) {
        each(name, "counter", help, kinds, [&](const WorkloadView& w, const std::string& workload) {
            page.sample("_total", workload, static_cast<double>(w.*what));
        });
    };
    const std::initializer_list<FigureKind> web = {FigureKind::transactions, FigureKind::calls},
                                         done = {FigureKind::transactions, FigureKind::calls, FigureKind::flows},
                                         datagrams = {FigureKind::datagrams}, echoes = {FigureKind::echoes};
    counter("transactions", "Transactions or transfers that succeeded, measured.", done, &WorkloadView::completed);
    each("transaction_failures", "counter", "Those that failed, by cause, measured.", done,
         [&](const WorkloadView& w, const std::string& workload) {
             for (std::size_t i = 0; i < kFailureCauses; ++i)
                 page.sample("_total",
                             fmt::format("{},cause=\"{}\"", workload, failure_name(static_cast<FailureCause>(i))),
                             static_cast<double>(w.failed[i]));
         });
    each("transactions_open", "gauge", "Those under way.", done,
         [&](const WorkloadView& w, const std::string& workload) {
             page.sample("", workload, static_cast<double>(w.in_progress));
         });
    each("response_time_seconds", "summary", "How long those took that succeeded, measured.", done,
         [&](const WorkloadView& w, const std::string& workload) {
             page.sample("_count", workload, static_cast<double>(w.completed));
             page.sample("_sum", workload, w.response_seconds);
         });
    counter("request_bytes", "Of those that succeeded, with heads.", web, &WorkloadView::request_bytes);
    counter("response_bytes", "Of those that succeeded, with heads.", web, &WorkloadView::response_bytes);
    counter("datagrams_sent", "Datagrams sent, measured.", datagrams, &WorkloadView::datagrams_sent);
    counter("datagrams_received", "Datagrams received, measured.", datagrams, &WorkloadView::datagrams_received);
    counter("datagrams_lost", "Datagrams dropped on the way, measured.", datagrams, &WorkloadView::datagrams_lost);
    counter("echoes_sent", "Requests sent, measured.", echoes, &WorkloadView::echoes_sent);
    counter("echoes_received", "Requests answered in time, measured.", echoes, &WorkloadView::echoes_received);
    counter("echoes_lost", "Requests unanswered, measured.", echoes, &WorkloadView::echoes_lost);
    return page.take();
}

bool answer_metrics(const io::Descriptor& listener, const std::function<std::string()>& page)
{
    io::Descriptor connection;
    connection.reset(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.valid()) return false;
    const Instant deadline = std::chrono::steady_clock::now() + kClientPatience;
    const std::string head = read_head(connection.get(), deadline);
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
