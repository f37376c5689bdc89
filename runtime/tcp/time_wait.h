// TIME_WAIT: connections that closed first, remembered for 4 s so that a repeated FIN is acknowledged again. The
// usual 2 MSL of minutes would serve nothing here: no segment lives that long, and a new SYN takes the tuple over.
//
// A record is far smaller than a connection, and there are many. They live in two hash tables of one generation
// each, swapped every 4 s: nothing is scheduled, and a table is cleared as a whole when all of it has expired.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/time.h"
#include "tcp/connection_table.h"

namespace anml::rt::tcp {

inline constexpr Time kTimeWait = 4 * kSecond;

struct TimeWaitRecord {
    Tuple tuple{};
    std::uint32_t sequence = 0, acknowledgment = 0;  // SND.NXT, RCV.NXT
    Time expires = 0;                                // 0: empty
};

class TimeWait {
  public:
    void insert(const TimeWaitRecord& record, Time now)
    {
        turn(now);
        if (TimeWaitRecord* old = find(record.tuple, now)) old->expires = kGone;
        Generation& generation = generations_[current_];
        if (2 * (generation.size + 1) > generation.records.size()) generation.grow();
        ++generation.size;
        generation.place(record);
    }

    TimeWaitRecord* find(const Tuple& tuple, Time now)
    {
        for (Generation& generation : generations_)
            for (std::size_t i = tuple.hash();; ++i) {
                if (generation.records.empty()) break;
                TimeWaitRecord& record = generation.records[i & (generation.records.size() - 1)];
                if (record.expires == 0) break;
                if (record.expires > now && record.tuple.node == tuple.node && record.tuple.remote == tuple.remote &&
                    record.tuple.local_port == tuple.local_port && record.tuple.remote_port == tuple.remote_port)
                    return &record;
            }
        return nullptr;
    }

    static void forget(TimeWaitRecord& record) { record.expires = kGone; }

  private:
    static constexpr Time kGone = -1;  // expired, but probes go on

    struct Generation {
        std::vector<TimeWaitRecord> records;
        std::size_t size = 0;

        void place(const TimeWaitRecord& record)
        {
            std::size_t mask = records.size() - 1, i = record.tuple.hash() & mask;
            while (records[i].expires != 0) i = (i + 1) & mask;
            records[i] = record;
        }
        void grow()
        {
            std::vector<TimeWaitRecord> old(std::max<std::size_t>(64, records.size() * 2));
            std::swap(old, records);
            for (const TimeWaitRecord& record : old)
                if (record.expires != 0) place(record);
        }
    };

    // Starts a new generation every kTimeWait; what is older than the one before has expired.
    void turn(Time now)
    {
        if (now < next_turn_) return;
        next_turn_ = now + kTimeWait;
        current_ = 1 - current_;
        Generation& generation = generations_[current_];
        if (generation.size > 0) std::fill(generation.records.begin(), generation.records.end(), TimeWaitRecord{});
        generation.size = 0;
    }

    Generation generations_[2];
    int current_ = 0;
    Time next_turn_ = 0;
};

}  // namespace anml::rt::tcp
