// Pending events in the order of event.h: a heap while they are few, a calendar when they are many.
//
// The events of the calendar's current bucket are sorted; pop takes the earlier of the first of those and the heap's
// first, so that the heap may hold anything, and changing over between the two moves nothing. The calendar's buckets
// are made wider or narrower by how many events the last ones held.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "kernel/event.h"
#include "kernel/event_queue_calendar.h"
#include "kernel/event_queue_heap.h"

namespace anml::rt {

class EventQueue {
  public:
    EventQueue() = default;
    explicit EventQueue(Time now) : popped_(now) {}  // no event before it will come

    std::size_t size() const { return heap_.size() + opened() + (calendar_ ? calendar_->size() : 0); }
    bool empty() const { return size() == 0; }

    // Time of the earliest event, kNever if there is none.
    Time next_time() const
    {
        Time least = heap_.next_time();
        if (first_ != last_) return std::min(least, first_->time);
        return calendar_ ? std::min(least, calendar_->next_time()) : least;
    }

    // The event travels in registers. Were it copied from memory at once, in wider pieces than it was stored there, the
    // loads would wait until all earlier stores are in the cache, those to other processors' lines included.
    [[gnu::always_inline]] void push(const Event& event)
    {
        const auto words = std::bit_cast<Words>(event);
        push_words(words[0], words[1], words[2]);
    }

    // Takes the earliest event if its time is not after `limit`.
    bool pop(Time limit, Event& event)
    {
        set_limit(limit);
        return pop(event, Nothing{}, Nothing{});
    }
    void set_limit(Time limit)
    {
        limit_ = limit;
        set_bound();
    }

    // The same by the limit that was set. When events are so many that what they refer to may be out of all caches,
    // `soon` is called with events that will come out soon, to prefetch that: a while before, and once more when one is
    // the next. `next` is called with those that come out right after this one, to prefetch what is found there.
    template <class Soon, class Next>
    bool pop(Event& event, Soon&& soon, Next&& next)
    {
        while (first_ != last_ || (spread_ && open(std::min(limit_, heap_time_), soon, next))) {
            if (first_->time > bound_) [[unlikely]] {
                if (const Event* other = heap_.front(); other && earlier(*other, *first_)) break;
                if (first_->time > limit_) return false;
            }
            event = *first_++;
            if (crowded_ && first_ != last_) [[unlikely]]
                soon(*first_);
            return true;
        }
        const Event* first = heap_.front();
        if (first == nullptr || first->time > limit_) return false;
        event = *first;
        popped_ = event.time;
        heap_.pop();
        if (spread_) look_at_heap();
        return true;
    }

    // All events, in no order.
    template <class Visit>
    void each(Visit&& visit) const
    {
        heap_.each(visit);
        for (const Event* at = first_; at != last_; ++at) visit(*at);
        if (calendar_) calendar_->each(visit);
    }

    // Removes those of these times, which are in order, of which taken(event) is true, and returns them in order. Looks
    // only where events of such times are.
    template <class Taken>
    std::vector<Event> extract(std::span<const Time> times, Taken&& taken)
    {
        std::vector<Event> all;
        if (times.empty()) return all;
        const auto takes = [&](const Event& event) {
            if (!taken(event)) return false;
            all.push_back(event);
            return true;
        };
        heap_.extract(takes);
        if (spread_) look_at_heap();
        if (first_ != last_ && first_->time <= times.back()) last_ = std::remove_if(first_, last_, takes);
        if (calendar_) calendar_->extract(times, takes);
        std::sort(all.begin(), all.end(), earlier);
        return all;
    }

  private:
    using Words = std::array<std::uint64_t, 3>;
    // What most events take has no calls but at its end, and so no registers to save.
    [[gnu::noinline]] void push_words(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        const auto event = [=] { return std::bit_cast<Event>(Words{first, second, third}); };
        if (!spread_) return push_few(first, second, third);
        const std::int64_t ahead = calendar_->ahead(event());
        if (ahead <= 0) return push_due(first, second, third);
        if (!calendar_->push_near(event(), ahead)) push_further(first, second, third);
    }
    [[gnu::noinline]] void push_further(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        if (!calendar_->push_fresh(std::bit_cast<Event>(Words{first, second, third})))
            push_otherwise(first, second, third);
    }
    [[gnu::noinline]] void push_few(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        heap_.push(std::bit_cast<Event>(Words{first, second, third}));
        if (heap_.size() > kMany) [[unlikely]]
            spread();
    }
    [[gnu::noinline]] void push_otherwise(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        const auto event = std::bit_cast<Event>(Words{first, second, third});
        const Event* const begin = opened_ ? calendar_->events(opened_).data() : nullptr;
        if (!calendar_->push(event)) push_heap(event);
        if (opened_) take(opened_, first_ - begin, last_ - begin);
    }
    [[gnu::noinline]] void push_due(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        if (last_ - first_ >= kCrowd || last_ == end_) [[unlikely]]
            return push_crowded(first, second, third);
        insert(std::bit_cast<Event>(Words{first, second, third}));
    }
    [[gnu::noinline]] void push_crowded(std::uint64_t first, std::uint64_t second, std::uint64_t third)
    {
        const auto event = std::bit_cast<Event>(Words{first, second, third});
        if (last_ - first_ >= kCrowd) return push_heap(event);
        make_room();
        insert(event);
    }

    struct Nothing {
        void operator()(const Event&) const {}
    };
    static constexpr unsigned kShift = 10, kWidest = 26;  // of the buckets: to begin with, at most
    static constexpr std::size_t kMany = 16;              // more events than this go to the calendar
    static constexpr std::size_t kFew = kMany / 4;        // fewer go to the heap again
    static constexpr std::size_t kCached = 8192;          // with fewer events, what they need is in the cache
    static constexpr std::ptrdiff_t kCrowd = 48;          // sorted events among which inserting another is dear

    void push_heap(const Event& event)
    {
        heap_.push(event);
        heap_time_ = std::min(heap_time_, event.time);
        set_bound();
    }
    void look_at_heap()
    {
        const Event* const first = heap_.front();
        heap_time_ = first ? first->time : kNever;
        set_bound();
    }
    void set_bound() { bound_ = std::min(limit_, heap_time_ - 1); }

    // From now on events go to the calendar.
    void spread()
    {
        spread_ = true;
        look_at_heap();
        if (!calendar_) calendar_ = std::make_unique<EventCalendar>(kShift);
        if (sorted_.empty()) resize(64);
        calendar_->resize(popped_, calendar_->shift(), [](const Event&) {});
        begin_period(popped_, 256);
    }

    void insert(const Event& event)
    {
        Event *const first = first_, *at = last_++;
        for (; at != first && earlier(event, at[-1]); --at) *at = at[-1];
        *at = event;
        ++seen_;
    }

    std::size_t opened() const { return static_cast<std::size_t>(last_ - first_); }

    // The current bucket's events are in this chunk.
    void take(std::uint32_t chunk, std::ptrdiff_t first, std::ptrdiff_t last)
    {
        Event* const begin = calendar_->events(chunk).data();
        opened_ = chunk;
        first_ = begin + first;
        last_ = begin + last;
        end_ = begin + EventCalendar::kCapacity;
    }
    void leave_chunk()
    {
        if (opened_ != EventCalendar::kNoChunk) calendar_->free(opened_);
        opened_ = EventCalendar::kNoChunk;
    }

    // Those of the current bucket go to the beginning.
    void make_room()
    {
        last_ = std::copy(first_, last_, sorted_.data());
        first_ = sorted_.data();
        end_ = first_ + sorted_.size();
        leave_chunk();
        if (2 * opened() > sorted_.size()) resize(2 * sorted_.size());
    }

    // Where the events begin at the beginning, or there are none.
    void resize(std::size_t room)
    {
        const std::size_t count = opened();
        sorted_.resize(room);
        first_ = sorted_.data();
        last_ = first_ + count;
        end_ = first_ + room;
    }

    // Sorts the next bucket, unless all of the calendar's events are later than `bound`.
    template <class Soon, class Next>
    bool open(Time bound, Soon&& soon, Next&& next)
    {
        if (seen_ >= period_) [[unlikely]]
            adapt();
        const std::uint32_t chunk = calendar_->open(bound);
        leave_chunk();
        if (chunk == EventCalendar::kNoChunk) {
            first_ = last_ = end_ = nullptr;
            if (calendar_->size() == 0 && heap_.size() < kFew) spread_ = false;
            return false;
        }
        if (calendar_->is_last(chunk))
            take(chunk, 0, hand_out(chunk));
        else
            gather(chunk);
        ++buckets_;
        sort(first_, last_);
        if constexpr (!std::is_same_v<std::remove_cvref_t<Soon>, Nothing>)
            if (crowded_ = calendar_->size() > kCached; crowded_) [[unlikely]] {
                calendar_->peek(soon);
                for (const Event* at = first_ + 1; at < last_; ++at) next(*at);
            }
        return true;
    }

    std::ptrdiff_t hand_out(std::uint32_t chunk)
    {
        const std::uint32_t count = calendar_->hand_out(chunk);
        seen_ += count;
        return count;
    }

    [[gnu::noinline]] void gather(std::uint32_t chunk)
    {
        first_ = last_ = sorted_.data();
        end_ = first_ + sorted_.size();
        for (; chunk != EventCalendar::kNoChunk; chunk = calendar_->free(chunk)) {
            const std::span<const Event> events = calendar_->events(chunk);
            if (static_cast<std::size_t>(end_ - last_) < events.size()) resize(2 * sorted_.size());
            last_ = std::copy_n(events.begin(), hand_out(chunk), last_);
        }
        if (opened() > 24) std::sort(first_, last_, earlier);
    }

    static void sort(Event* first, Event* last)
    {
        for (Event* next = first + 1; next < last; ++next) {
            if (!earlier(*next, next[-1])) continue;
            const Event event = *next;
            Event* at = next;
            do *at = at[-1];
            while (--at != first && earlier(event, at[-1]));
            *at = event;
        }
    }

    void begin_period(Time now, std::size_t period)
    {
        began_ = now;
        period_ = period;
        seen_ = buckets_ = 0;
    }

    // Chooses the buckets' width anew.
    void adapt()
    {
        Time now = calendar_->current_time();
        std::size_t share = seen_ / std::max<std::size_t>(buckets_, 1);
        unsigned shift = calendar_->shift(), wanted = shift;
        // Narrower than the mean gap does not help against events at the same time.
        const auto gap = static_cast<std::uint64_t>(std::max<Time>(now - began_, 0)) / seen_;
        const auto least = static_cast<unsigned>(std::bit_width(gap));
        if (share < 4)
            wanted = std::min(std::max(shift + 1, least), kWidest);
        else if (share >= 8) {
            unsigned narrower = static_cast<unsigned>(std::bit_width(share / 8));
            wanted = std::max(shift > narrower ? shift - narrower : 0, std::min(least, shift));
        }
        if (wanted != shift) calendar_->resize(now, wanted, [this](const Event& event) { push_heap(event); });
        begin_period(now, std::max<std::size_t>(4096, 2 * size()));
    }

    bool spread_ = false;      // events go to the calendar
    bool crowded_ = false;     // more than kCached of them
    Time limit_ = kNever;
    Time heap_time_ = kNever;  // of the heap's first, while events go to the calendar
    Time bound_ = kNever - 1;  // up to then the current bucket's first is the earliest of all, and within the limit
    // The current bucket's events, sorted, and the end of where they may be: a chunk of the calendar's, or sorted_.
    Event *first_ = nullptr, *last_ = nullptr, *end_ = nullptr;
    std::uint32_t opened_ = EventCalendar::kNoChunk;
    std::vector<Event> sorted_;
    std::unique_ptr<EventCalendar> calendar_;
    EventHeap heap_;
    Time popped_ = 0;  // the last taken from the heap
    Time began_ = 0;   // when the period of the statistics below began
    std::size_t period_ = 0, seen_ = 0, buckets_ = 0;
};

}  // namespace anml::rt
