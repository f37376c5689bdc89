#include "simulator/new_timeline.h"

#include <algorithm>
#include <utility>

#include "net/fluid/fluid.h"
#include "net/net.h"

namespace anml::rt {

NewTimeline::NewTimeline(const Model& model, std::span<const EnteredChange> entered, Time from)
    : from_(from), timeline_(std::make_unique<Timeline>(model, entered))
{
    constexpr std::uint8_t kBothEnds = (Changes::kSends | Changes::kReceives) * 3;
    changes_ = std::make_unique<Changes>(*timeline_, model.image().workload_count,
                                         std::vector<std::uint8_t>(timeline_->links.size(), kBothEnds));
    laws_ = NetworkState::all_laws(model, *timeline_);
}

void NewTimeline::exchange(Net& k, std::unique_ptr<const Timeline>& present, Time origin)
{
    k.next_instant = changes_->take_over(k, k.changes.get(), origin);
    k.next_change = std::min(k.next_instant, k.next_epoch);
    std::swap(k.changes, changes_);
    std::swap(k.network.laws, laws_);
    std::swap(present, timeline_);
    if (k.network.fluid) k.network.fluid->exchanged();
    k.hooked = k.hooked || !present->links.empty();
}

}  // namespace anml::rt
