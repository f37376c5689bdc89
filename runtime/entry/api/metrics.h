// A live run's figures for Prometheus and whoever else reads OpenMetrics 1.0 (--metrics), and for collectors of
// OpenTelemetry (--otlp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/device/descriptor.h"
#include "net/model.h"
#include "report/live/live_view.h"

namespace anml::rt::entry {

enum class MetricKind : std::uint8_t { info, gauge, counter, summary };

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

struct MetricSample {
    MetricLabels labels;
    double value = 0, sum = 0;  // of a summary how many there were, and what they sum up to
    std::vector<std::pair<double, double>> quantiles{};  // of one that has some: a share, and what that many are within
};

struct Metric {
    std::string_view name, help;  // without `anml_`; ends in its unit, if it has one
    MetricKind kind;
    std::vector<MetricSample> samples;

    // `seconds`, `bytes`, or nothing.
    std::string_view unit() const;
};

std::vector<Metric> metrics_of(const Model& model, const LiveView& run, const std::vector<WorkloadView>& workloads,
                               const RequestViews& requests);

// The page.
std::string openmetrics_text(const std::vector<Metric>& metrics);

// Answers whoever has connected, with `page()` if that is what he asks for; half a second at most. False: nobody could
// be let in.
bool answer_metrics(const io::Descriptor& listener, const std::function<std::string()>& page);

}  // namespace anml::rt::entry
