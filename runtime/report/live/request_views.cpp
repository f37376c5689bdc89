#include "report/live/request_views.h"

#include <map>
#include <utility>

namespace anml::rt {

RequestViews::RequestViews(const std::vector<RequestName>& names)
{
    std::map<RequestName, std::uint32_t> known;
    for (RequestName name : names) {
        if (all_.size() >= kMost && !known.contains(name)) name.request = "others";
        const auto [at, fresh] = known.try_emplace(name, static_cast<std::uint32_t>(all_.size()));
        if (fresh) all_.emplace_back().name = name;
        of_cell_.push_back(at->second);
    }
    earlier_.resize(all_.size());
    later_.resize(all_.size());
}

void RequestViews::look(Time now, std::span<const TransactionGroups* const> clusters, bool last)
{
    if (all_.empty() || (now < next_look_ && !last)) return;
    next_look_ = now + kInterval;
    std::vector<RequestView> views(all_.size());
    std::vector<CoarseHistogram> took(all_.size());
    for (const TransactionGroups* groups : clusters)
        for (std::size_t cell = 0; cell < groups->requests.size(); ++cell) {
            const GroupStatistics& counted = groups->requests[cell].counted;
            RequestView& view = views[of_cell_[cell]];
            view.completed += counted.completed;
            view.failed += counted.ended() - counted.completed;
            view.response_seconds += counted.response_time.mean() * static_cast<double>(counted.response_time.count()) /
                                     static_cast<double>(kSecond);
            took[of_cell_[cell]].add(counted.response_time);
        }
    if (now >= next_window_) {
        next_window_ = now + kWindow;
        earlier_ = std::exchange(later_, took);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
        took[i].remove(earlier_[i]);
        views[i].recent = took[i].count();
        for (std::size_t q = 0; q < RequestView::kQuantiles.size(); ++q)
            views[i].took[q] = in_seconds(took[i].percentile(100 * RequestView::kQuantiles[q]));
        all_[i].shown.publish(views[i]);
    }
}

}  // namespace anml::rt
