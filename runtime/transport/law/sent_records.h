// When each segment that is not yet acknowledged was sent, so that every acknowledgment tells a round trip to the
// microsecond. Only connections whose window law asks for it keep them (law.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "transport/sequence.h"

namespace anml::rt::tcp::law {

class SentRecords {
  public:
    // New data up to `end`, now; microseconds modulo 2^32.
    void sent(std::uint32_t end, std::uint32_t now)
    {
        if (first_ > 64 && first_ > all_.size() / 2) {
            all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        all_.push_back({end, now, false});
    }
    // [begin, end) is sent once more: which of its segments an acknowledgment is for, nobody can tell (Karn).
    void sent_again(std::uint32_t begin, std::uint32_t end)
    {
        const auto from = std::partition_point(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(),
                                               [&](const Record& record) { return !after(record.end, begin); });
        for (auto record = from; record != all_.end(); ++record) {
            record->again = true;
            if (!before(record->end, end)) break;
        }
    }
    // All before `una` is acknowledged: when the last segment of it was sent, if each was sent once.
    std::optional<std::uint32_t> acknowledged(std::uint32_t una)
    {
        bool again = false;
        std::optional<std::uint32_t> at;
        for (; first_ < all_.size() && !after(all_[first_].end, una); ++first_) {
            again |= all_[first_].again;
            at = all_[first_].at;
        }
        return again ? std::nullopt : at;
    }
    void clear()
    {
        all_.clear();
        first_ = 0;
    }
    std::size_t size() const { return all_.size() - first_; }

  private:
    struct Record {
        std::uint32_t end, at;
        bool again;
    };
    std::vector<Record> all_;  // by sequence number; the room stays when they go back to their pool
    std::size_t first_ = 0;    // those before it are acknowledged
};

}  // namespace anml::rt::tcp::law
