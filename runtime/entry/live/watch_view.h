// `live --watch`: how a live run is, as sparklines over the last minute: transactions, response times, slip, and the
// busiest links.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "entry/control/link_rates.h"
#include "net/model.h"
#include "report/live/live_view.h"

namespace anml::rt::entry {

// The last values of something, one a second; absent where there was nothing to measure.
class Sparkline {
  public:
    static constexpr std::size_t kSeconds = 60;

    void add(std::optional<double> value);
    std::optional<double> last() const { return values_.empty() ? std::nullopt : values_.back(); }
    // The latest `width` of them, a column each, from 0 to `full`, or to the largest: blank where absent.
    std::string draw(std::size_t width, bool unicode, std::optional<double> full = {}) const;

  private:
    std::deque<std::optional<double>> values_;
};

class WatchView {
  public:
    // `unicode`: whether the terminal shows more than ASCII.
    WatchView(const Model& model, LinkViews& links, Time total, bool unicode);

    // Once a second: what came since the time before.
    void look(const LiveView& run, const std::vector<WorkloadView>& workloads);

    // Of at most `height` lines, none wider than `width`.
    std::vector<std::string> lines(std::size_t width, std::size_t height) const;
    // The same for a log: one line.
    std::string line() const;

  private:
    void look_at_links();
    std::string link_row(const LinkRate& link, std::size_t chart) const;

    const Model& model_;
    LinkRates rates_;
    const Time total_;
    const bool unicode_;
    LiveView run_;
    bool looked_ = false;
    std::uint64_t completed_ = 0, released_ = 0;
    double response_seconds_ = 0;
    Sparkline transactions_, response_, slip_, packets_;  // per second; s; s; per second
    std::uint32_t failed_ = 0;                            // in the last second
    std::vector<LinkRate> busiest_;
    std::map<LinkId, Sparkline> utilisation_;  // of these, and of some that were
};

// Whether the environment says that the terminal shows UTF-8 (setlocale(3)).
bool shows_unicode();

}  // namespace anml::rt::entry
