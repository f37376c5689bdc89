// Where disciplines keep a queue for each flow (net/queue/flow_queues.h): queues that are records of the cluster's
// pool, and tables that say which one a hash means. A link has a table once a packet has waited for it, and a queue
// for each place of the table that one has come to: links without traffic cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/numbered_heap.h"
#include "base/pool.h"
#include "net/link/waiting.h"
#include "net/queue/codel_control.h"

namespace anml::rt {

struct FlowQueue {
    WaitingList list;
    codel::Control control;    // of disciplines that control its delay
    std::int64_t deficit = 0;  // bytes that it may yet send
    std::uint32_t behind = 0;  // who is behind it in the round that it is in
    std::uint32_t source = 0;  // places of its hosts
    std::uint32_t destination = 0;
    std::uint32_t place = 0;  // of the table
    std::uint32_t turn = 0;   // the less the nearer to its turn, of all rounds of the link; SFQ's: it changed last
    bool listed = false;      // it is in a round
    bool heavy = false;       // and has sent a quantum in it
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

struct HtbClasses;  // of a link: one for each host, flow or DSCP (net/queue/htb/htb.h)
struct Shaper;      // of a link: classes of its own (net/queue/htb/htb_classes.h)

// What links have of one such type, by numbers from 1 on.
template <class T>
class KeptOfLinks {
  public:
    std::uint32_t keep(std::shared_ptr<T> one)
    {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (kept_[i]) continue;
            kept_[i] = std::move(one);
            return static_cast<std::uint32_t>(i + 1);
        }
        kept_.push_back(std::move(one));
        return static_cast<std::uint32_t>(kept_.size());
    }
    std::shared_ptr<T>& operator[](std::uint32_t number) { return kept_[number - 1]; }
    void forget(std::uint32_t number) { kept_[number - 1] = nullptr; }

  private:
    std::vector<std::shared_ptr<T>> kept_;
};

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

    KeptOfLinks<NumberedHeap> lengths;  // of queues (net/queue/flow_queues.h)
    KeptOfLinks<HtbClasses> htb_classes;
    KeptOfLinks<Shaper> shapers;

  private:
    std::vector<std::vector<std::uint32_t>> tables_;
    std::vector<Table> free_;
};

}  // namespace anml::rt
