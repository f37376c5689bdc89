#include "entry/api/otlp.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "entry/tools/socket_io.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kCollectorPatience{500};
constexpr std::chrono::seconds kPushInterval{5};
constexpr std::size_t kLongestAnswer = 8192;

std::int64_t nanoseconds_since_1970()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

Json attributes_of(const MetricLabels& labels)
{
    Json list = Json::array();
    for (const auto& [name, value] : labels) list.push_back({{"key", name}, {"value", {{"stringValue", value}}}});
    return list;
}

}  // namespace

std::string otlp_json(const std::vector<Metric>& metrics, std::int64_t began, std::int64_t now)
{
    MetricLabels resource = {{"service.name", "anml"}};
    Json list = Json::array();
    for (const Metric& metric : metrics) {
        if (metric.kind == MetricKind::info) {  // what the OpenMetrics page says of the whole run
            for (const MetricSample& sample : metric.samples)
                for (const auto& [name, value] : sample.labels)
                    resource.emplace_back(name == "version" ? "service.version" : "anml.model", value);
            continue;
        }
        Json points = Json::array();
        for (const MetricSample& sample : metric.samples) {
            Json point = {{"attributes", attributes_of(sample.labels)}};
            if (metric.kind != MetricKind::gauge) point["startTimeUnixNano"] = fmt::to_string(began);
            point["timeUnixNano"] = fmt::to_string(now);
            if (metric.kind == MetricKind::summary) {
                point["count"] = fmt::to_string(static_cast<std::uint64_t>(sample.value));
                point["sum"] = sample.sum;
                for (const auto& [share, within] : sample.quantiles)
                    point["quantileValues"].push_back({{"quantile", share}, {"value", within}});
            } else {
                point["asDouble"] = sample.value;
            }
            points.push_back(std::move(point));
        }
        Json data = {{"dataPoints", std::move(points)}};
        if (metric.kind == MetricKind::counter) {
            data["aggregationTemporality"] = 2;  // cumulative
            data["isMonotonic"] = true;
        }
        const std::string_view unit = metric.unit();
        list.push_back({{"name", fmt::format("anml_{}", metric.name)},
                        {"description", metric.help},
                        {"unit", unit == "seconds" ? "s" : unit == "bytes" ? "By" : "1"},
                        {metric.kind == MetricKind::gauge     ? "gauge"
                         : metric.kind == MetricKind::counter ? "sum"
                                                              : "summary",
                         std::move(data)}});
    }
    const Json scope = {{"scope", {{"name", "anml"}}}, {"metrics", std::move(list)}};
    const Json whole = {{"resource", {{"attributes", attributes_of(resource)}}}, {"scopeMetrics", Json::array({scope})}};
    return Json({{"resourceMetrics", Json::array({whole})}}).dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool OtlpExporter::open(const OtlpAddress& address, std::string& error)
{
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG;
    if (const int wrong = getaddrinfo(address.collector.host.c_str(), address.collector.port.c_str(), &wanted, &found); wrong != 0) {
        error = fmt::format("--otlp {}: `{}` has no address: {}", address.url, address.collector.host, gai_strerror(wrong));
        return false;
    }
    socket_.reset(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket_.valid()) error = fmt::format("--otlp {}: no socket: {}", address.url, std::strerror(errno));
    peer_.resize(found->ai_addrlen);
    std::memcpy(peer_.data(), found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    address_ = address;
    began_ = nanoseconds_since_1970();
    next_ = std::chrono::steady_clock::now() + kPushInterval;
    return socket_.valid();
}

std::string OtlpExporter::push(const std::vector<Metric>& metrics)
{
    next_ = std::chrono::steady_clock::now() + kPushInterval;
    const std::string wrong = exchange(otlp_json(metrics, began_, nanoseconds_since_1970()));
    // The same socket connects again (connect(2), AF_UNSPEC): another one would be of the namespace of now.
    shutdown(socket_.get(), SHUT_WR);
    const sockaddr nobody{AF_UNSPEC, {}};
    connect(socket_.get(), &nobody, sizeof nobody);
    return wrong;
}

std::string OtlpExporter::exchange(std::string_view body)
{
    const Deadline deadline = std::chrono::steady_clock::now() + kCollectorPatience;
    const int socket = socket_.get();
    if (connect(socket, reinterpret_cast<const sockaddr*>(peer_.data()), static_cast<socklen_t>(peer_.size())) != 0 &&
        errno != EINPROGRESS)
        return std::strerror(errno);
    if (!ready(socket, POLLOUT, deadline)) return "it does not answer";
    int failure = 0;
    socklen_t size = sizeof failure;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size);
    if (failure != 0) return std::strerror(failure);
    const std::string head = fmt::format(
        "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
        "Connection: close\r\n\r\n",
        address_.path, address_.collector.shown(), body.size());
    if (!send_all(socket, head, deadline) || !send_all(socket, body, deadline)) return "it does not take all of it";
    const std::string answer = receive_head(socket, kLongestAnswer, deadline);
    if (!answer.starts_with("HTTP/1.")) return "it does not answer";
    const std::string status = answer.substr(0, answer.find("\r\n"));
    const std::size_t code = status.find(' ') + 1;
    return code != 0 && status.compare(code, 1, "2") == 0 ? "" : fmt::format("it answers {}", status.substr(code));
}

}  // namespace anml::rt::entry
