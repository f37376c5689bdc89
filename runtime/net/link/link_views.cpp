#include "net/link/link_views.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <thread>

#include "net/fluid/fluid.h"
#include "net/link/droptail.h"
#include "net/net.h"

namespace anml::rt {

namespace {

constexpr Time kPass = 100 * kMillisecond;
constexpr std::size_t kBlocks = 4;        // of links, in a turn
constexpr std::size_t kLooked = 1 << 12;  // blocks that are looked at for those

using Words = std::array<std::uint64_t, sizeof(LinkView) / 8>;

LinkView view_of(const Net& k, LinkId id)
{
    const LinkState& link = k.network.links[id];
    const LinkState& line = k.network.line(id);
    LinkView view{k.now, link.packets, link.bytes, k.network.dropped[id]};
    if (k.network.impaired.size() != 0) view.lost = k.network.impaired[id].lost;
    view.down = k.changes && k.changes->down(id);
    if (view.down) return view;
    if (line.decided_elsewhere()) {
        if (k.network.traced.size() != 0) view.waiting = k.network.traced[id].backlog;
        return view;
    }
    view.rate = line.rate;
    if (const fluid::FluidLink* shared = k.network.fluid_of(id)) {
        fluid::FluidLink now = *shared;
        fluid::advance(now, std::max(k.now, now.at), {});
        view.waiting = static_cast<std::uint64_t>(fluid::work(now) * fluid::bytes_per_ns(line.rate));
        return view;
    }
    view.waiting = droptail::backlog(std::max<Time>(line.busy_until - k.now, 0), line.rate);
    if (const DisciplinedLink* own = k.network.disciplines.of(id)) view.waiting += own->bytes;
    return view;
}

}  // namespace

LinkView LinkViews::read(LinkId link) const
{
    const auto word = [&](std::size_t i) { return std::atomic_ref(words_[link * kWords + i]); };
    for (;;) {
        const std::uint64_t sequence = word(0).load(std::memory_order_acquire);
        Words words;
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = word(1 + i).load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (sequence % 2 == 0 && sequence == word(0).load(std::memory_order_relaxed))
            return std::bit_cast<LinkView>(words);
        std::this_thread::yield();
    }
}

void LinkViews::write(LinkId link, const LinkView& view)
{
    const auto word = [&](std::size_t i) { return std::atomic_ref(words_[link * kWords + i]); };
    const auto words = std::bit_cast<Words>(view);
    const std::uint64_t sequence = word(0).load(std::memory_order_relaxed);
    word(0).store(sequence + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < words.size(); ++i) word(1 + i).store(words[i], std::memory_order_relaxed);
    word(0).store(sequence + 2, std::memory_order_release);
}

void LinkViews::show(const Net& k)
{
    if (asked_.load(std::memory_order_relaxed) == 0) return;
    if (next_ == 0) {
        if (k.now - began_ < kPass) return;
        began_ = k.now;
    }
    const ZeroPages<std::uint8_t>& used = k.network.used;
    std::size_t shown = 0;
    for (std::size_t looked = 0; looked < kLooked && shown < kBlocks; ++looked) {
        const std::size_t first = next_ * NetworkState::kUsedTogether;
        if (used[next_]) {
            ++shown;
            const std::size_t last = std::min(first + NetworkState::kUsedTogether, links_);
            for (std::size_t id = first; id < last; ++id)
                if (k.network.links[id].mtu != 0) write(static_cast<LinkId>(id), view_of(k, static_cast<LinkId>(id)));
        }
        if (++next_ < used.size()) continue;
        next_ = 0;
        asked_.fetch_sub(1, std::memory_order_relaxed);  // a question in between counts from here, or from before
        return;
    }
}

}  // namespace anml::rt
