// The page of a live run's figures for Prometheus and whoever else reads OpenMetrics 1.0 (--metrics).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/descriptor.h"
#include "net/model.h"
#include "report/live_view.h"

namespace anml::rt::entry {

// `127.0.0.1:9100`, `[::1]:9100`, `:9100` (this machine only). Nothing: `error`.
struct MetricsAddress {
    std::string host, port;
};
bool parse_metrics_address(const std::string& text, MetricsAddress& address, std::string& error);

// Listens there; an invalid descriptor: `error`.
io::Descriptor listen_for_metrics(const MetricsAddress& address, std::string& error);

// The page.
std::string metrics_text(const Model& model, const LiveView& run, const std::vector<WorkloadView>& workloads);

// Answers whoever has connected, with `page()` if that is what he asks for; half a second at most. False: nobody could
// be let in.
bool answer_metrics(const io::Descriptor& listener, const std::function<std::string()>& page);

}  // namespace anml::rt::entry
