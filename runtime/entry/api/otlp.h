// Figures of a live run, pushed to a collector of OpenTelemetry (--otlp): OTLP 1.0 by HTTP/1.1 in its JSON encoding.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entry/api/metrics.h"
#include "entry/options/options.h"
#include "io/device/descriptor.h"

namespace anml::rt::entry {

// An ExportMetricsServiceRequest. Sums are cumulative from `began` on; both are ns since 1970.
std::string otlp_json(const std::vector<Metric>& metrics, std::int64_t began, std::int64_t now);

class OtlpExporter {
  public:
    // Resolves the collector's name and makes the socket, where the emulator was started: pushes leave from there, also
    // when it has entered a sandbox's namespace. False: `error`.
    bool open(const OtlpAddress& address, std::string& error);
    bool is_open() const { return socket_.valid(); }
    int socket() const { return socket_.get(); }
    const std::string& name() const { return address_.url; }

    // Whether the next push is due: every five seconds.
    bool due() const { return is_open() && std::chrono::steady_clock::now() >= next_; }
    // Half a second at most. What went wrong; nothing: the collector has taken it.
    std::string push(const std::vector<Metric>& metrics);

  private:
    std::string exchange(std::string_view body);

    OtlpAddress address_;
    io::Descriptor socket_;
    std::vector<std::byte> peer_;  // a sockaddr
    std::int64_t began_ = 0;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace anml::rt::entry
