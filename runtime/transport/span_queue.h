// The spans of a connection that has more than one, or real bytes, in the order of its stream: what is sent and not yet
// acknowledged, and what is still to be sent. From a pool (Stack::span_queues).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/span.h"

namespace anml::rt::tcp {

class SpanQueue {
  public:
    // Where a byte of the stream lies: `within` its span, behind which `left` bytes follow, it included.
    struct Place {
        const Span& span;
        std::uint64_t within, left;
    };

    std::size_t size() const { return all_.size() - first_; }
    void add(const Span& span, std::uint64_t at) { all_.push_back({span, at}); }
    Place find(std::uint64_t at) const
    {
        const auto behind =
            std::upper_bound(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(), at,
                             [](std::uint64_t offset, const Queued& queued) { return offset < queued.begin; });
        const Queued& queued = *std::prev(behind);
        const std::uint64_t within = at - queued.begin;
        return {queued.span, within, queued.span.length - within};
    }
    // All before `at` is acknowledged; `release` gets the spans that are gone. True: none is left.
    template <class Release>
    bool trim(std::uint64_t at, Release release)
    {
        for (; first_ < all_.size() && all_[first_].begin + all_[first_].span.length <= at; ++first_)
            release(all_[first_].span);
        if (first_ == all_.size()) {
            all_.clear();
            first_ = 0;
        } else if (first_ > 64 && first_ > all_.size() / 2) {
            all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        return all_.empty();
    }

  private:
    struct Queued {
        Span span;
        std::uint64_t begin;  // in the stream
    };
    std::vector<Queued> all_;  // the room stays when the queue goes back to its pool
    std::size_t first_ = 0;    // those before it are gone
};

}  // namespace anml::rt::tcp
