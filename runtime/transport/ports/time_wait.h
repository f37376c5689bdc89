// TIME_WAIT: connections that closed first, remembered so that a repeated FIN is acknowledged again, and their ports
// are not taken again; a new SYN of the peer takes the tuple over.
//
// A record is far smaller than a connection, and there are many. They live in generations, each of a part of the time
// that the longest stays: nothing is scheduled, and a generation is cleared as a whole when all of it has expired.
//
// Records outgrow the caches, and most tuples that are looked for are those of new connections, which have none. So
// inserting only appends, a filter with a bit for each record answers for what is not there (successive ports, which
// clients take, share a line of it), and what has come since is hashed when that says that a record may be there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "common/mix.h"
#include "transport/connection_table.h"

namespace anml::rt::tcp {

struct TimeWaitRecord {
    Tuple tuple{};
    std::uint32_t sequence = 0, acknowledgment = 0;  // SND.NXT, RCV.NXT
    bool timestamps = false;                         // were agreed on
    Time expires = 0;
};

class TimeWait {
  public:
    explicit TimeWait(Time longest) : part_(longest / (kGenerations - 1) + 1) {}

    void insert(const TimeWaitRecord& record, Time now)
    {
        turn(now);
        if (TimeWaitRecord* old = find(record.tuple, now)) old->expires = kGone;
        generations_[current_].add(record);
    }

    TimeWaitRecord* find(const Tuple& tuple, Time now)
    {
        for (Generation& generation : generations_)
            if (generation.may_have(tuple))
                if (TimeWaitRecord* found = generation.find(tuple, now)) return found;
        return nullptr;
    }

    static void forget(TimeWaitRecord& record) { record.expires = kGone; }

  private:
    static constexpr Time kGone = -1;  // expires before any time
    static constexpr int kGenerations = 3;

    class Generation {
      public:
        bool may_have(const Tuple& tuple) const
        {
            if (records_.empty()) return false;
            const std::size_t bit = filter_bit(tuple);
            return (filter_[bit / 64] >> bit % 64 & 1) != 0;
        }

        TimeWaitRecord* find(const Tuple& tuple, Time now)
        {
            index();
            for (std::size_t i = tuple.hash() & mask(); table_[i] != 0; i = (i + 1) & mask()) {
                TimeWaitRecord& record = records_[table_[i] - 1];
                if (record.expires > now && record.tuple.node == tuple.node && record.tuple.remote == tuple.remote &&
                    record.tuple.local_port == tuple.local_port && record.tuple.remote_port == tuple.remote_port)
                    return &record;
            }
            return nullptr;
        }

        void add(const TimeWaitRecord& record)
        {
            records_.push_back(record);
            if (kBits * records_.size() > 64 * filter_.size()) {
                filter_.assign(std::max<std::size_t>(64, 2 * filter_.size()), 0);
                for (const TimeWaitRecord& each : records_) mark(each.tuple);
            } else {
                mark(record.tuple);
            }
        }

        void clear()
        {
            records_.clear();
            std::fill(filter_.begin(), filter_.end(), 0);
            if (indexed_ > 0) std::fill(table_.begin(), table_.end(), 0);
            indexed_ = 0;
        }

      private:
        static constexpr std::size_t kBits = 8;  // of the filter for each record, at least

        std::size_t mask() const { return table_.size() - 1; }

        // Of 512 successive ports in one line of 64 bytes.
        std::size_t filter_bit(const Tuple& tuple) const
        {
            constexpr unsigned kLine = 9;
            const std::uint64_t ports = std::uint64_t{tuple.local_port} >> kLine << 16 | tuple.remote_port >> kLine;
            const std::uint64_t line =
                mix((std::uint64_t{tuple.node} << 32 | number(tuple.remote)) + ports * 0x9e3779b97f4a7c15u);
            const std::uint64_t within = (tuple.local_port ^ tuple.remote_port) & ((1u << kLine) - 1);
            return (line << kLine | within) & (64 * filter_.size() - 1);
        }
        void mark(const Tuple& tuple)
        {
            const std::size_t bit = filter_bit(tuple);
            filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
        }

        // Hashes the records that are not in the table yet.
        void index()
        {
            if (2 * records_.size() > table_.size()) {
                table_.assign(std::bit_ceil(4 * records_.size()), 0);
                indexed_ = 0;
            }
            for (; indexed_ < records_.size(); ++indexed_) {
                std::size_t i = records_[indexed_].tuple.hash() & mask();
                while (table_[i] != 0) i = (i + 1) & mask();
                table_[i] = static_cast<std::uint32_t>(indexed_ + 1);
            }
        }

        std::vector<TimeWaitRecord> records_;  // as they came
        std::vector<std::uint64_t> filter_;
        std::vector<std::uint32_t> table_;  // of places in records_, from 1; 0: empty
        std::size_t indexed_ = 0;           // records in the table
    };

    // Starts a new generation after each part of the time; what the one that is cleared holds has expired.
    void turn(Time now)
    {
        if (now < next_turn_) return;
        next_turn_ = now + part_;
        current_ = (current_ + 1) % kGenerations;
        generations_[current_].clear();
    }

    const Time part_;
    Generation generations_[kGenerations];
    int current_ = 0;
    Time next_turn_ = 0;
};

}  // namespace anml::rt::tcp
