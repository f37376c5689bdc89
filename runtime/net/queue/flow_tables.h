// Where disciplines keep a queue for each flow (net/queue/flow_queues.h): queues that are records of the cluster's
// pool, and tables that say which one a hash means. A link has a table once a packet has waited for it, and a queue
// for each place of the table that one has come to: links without traffic cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/pool.h"
#include "net/queue/codel_control.h"
#include "net/queue/waiting.h"

namespace anml::rt {

// What a class owes two token buckets, and has borrowed (net/queue/htb.h).
struct FlowBuckets {
    Time at;                 // as of then
    double missing;          // tokens, in bytes, that the bucket lacks to be full
    double missing_of_ceil;  // the same of the other one
    std::uint64_t name;      // of the class
    std::int64_t borrowed;   // bytes
};

struct FlowQueue {
    WaitingList list;
    union {
        codel::Control control = {};  // of disciplines that control its delay
        FlowBuckets buckets;          // of those that shape it
    };
    std::int64_t deficit = 0;  // bytes that it may yet send; of a class, that it had by its own rate
    std::uint32_t behind = 0;  // who is behind it in the round that it is in
    std::uint32_t source = 0;  // places of its hosts
    std::uint32_t destination = 0;
    bool listed = false;  // it is in a round
    bool heavy = false;   // and has sent a quantum in it
};

static_assert(sizeof(FlowQueue) <= 88);

// Queues that take turns. All zero: none.
class FlowRound {
  public:
    bool empty() const { return size_ == 0; }
    std::uint32_t size() const { return size_; }
    std::uint32_t front() const { return first_; }
    void push(Pool<FlowQueue>& queues, std::uint32_t queue)
    {
        (empty() ? first_ : queues[last_].behind) = queue;
        last_ = queue;
        ++size_;
    }
    void pop(Pool<FlowQueue>& queues)
    {
        if (--size_ != 0) first_ = queues[first_].behind;
    }

  private:
    std::uint32_t size_ = 0;
    std::uint32_t first_ = 0, last_ = 0;
};

struct Shaper;  // of a link: classes of its own (net/queue/htb_classes.h)

class FlowTables {
  public:
    using Table = std::uint32_t;
    static constexpr Table kNoTable = 0;

    // Of so many words, all zero.
    Table make(std::uint32_t words)
    {
        for (std::size_t i = 0; i < free_.size(); ++i) {
            const Table table = free_[i];
            if (tables_[table - 1].size() != words) continue;
            free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
            tables_[table - 1].assign(words, 0);
            return table;
        }
        tables_.emplace_back(words);
        return static_cast<Table>(tables_.size());
    }
    void release(Table table) { free_.push_back(table); }
    std::uint32_t* operator[](Table table) { return tables_[table - 1].data(); }

    Pool<FlowQueue> queues;

    static constexpr std::uint32_t kNoShaper = 0;
    std::uint32_t keep(std::shared_ptr<Shaper> shaper)
    {
        for (std::size_t i = 0; i < shapers_.size(); ++i) {
            if (shapers_[i]) continue;
            shapers_[i] = std::move(shaper);
            return static_cast<std::uint32_t>(i + 1);
        }
        shapers_.push_back(std::move(shaper));
        return static_cast<std::uint32_t>(shapers_.size());
    }
    std::shared_ptr<Shaper>& shaper(std::uint32_t number) { return shapers_[number - 1]; }
    void forget_shaper(std::uint32_t number) { shapers_[number - 1] = nullptr; }

  private:
    std::vector<std::shared_ptr<Shaper>> shapers_;
    std::vector<std::vector<std::uint32_t>> tables_;
    std::vector<Table> free_;
};

}  // namespace anml::rt
