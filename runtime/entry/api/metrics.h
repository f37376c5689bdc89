// The page of a live run's figures for Prometheus and whoever else reads OpenMetrics 1.0 (--metrics).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/device/descriptor.h"
#include "net/model.h"
#include "report/live/live_view.h"

namespace anml::rt::entry {

// The page.
std::string metrics_text(const Model& model, const LiveView& run, const std::vector<WorkloadView>& workloads);

// Answers whoever has connected, with `page()` if that is what he asks for; half a second at most. False: nobody could
// be let in.
bool answer_metrics(const io::Descriptor& listener, const std::function<std::string()>& page);

}  // namespace anml::rt::entry
