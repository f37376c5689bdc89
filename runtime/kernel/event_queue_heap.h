// Pending events as an implicit 4-ary heap: best while they are few, and the place of those that a calendar cannot
// hold.
//
// Popping leaves a hole at the root, because most events schedule another one (a packet's next hop): the push then
// fills the hole with one sift instead of two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernel/event.h"

namespace anml::rt {

class EventHeap {
  public:
    std::size_t size() const { return heap_.size() - hole_; }

    // Time of the earliest event, kNever if there is none.
    Time next_time() const
    {
        if (!hole_) return heap_.empty() ? kNever : heap_.front().time;
        Time least = kNever;
        for (std::size_t i = 1; i < std::min<std::size_t>(heap_.size(), 5); ++i) least = std::min(least, heap_[i].time);
        return least;
    }

    void push(const Event& event)
    {
        if (hole_) {
            hole_ = false;
            sift_down(event);
        } else {
            heap_.push_back(event);
            sift_up(event);
        }
    }

    // The earliest event, null if there is none. Fills the hole.
    const Event* front()
    {
        if (hole_) fill_hole();
        return heap_.empty() ? nullptr : heap_.data();
    }

    // Removes what front() returned.
    void pop() { hole_ = true; }

    // In no order.
    template <class Visit>
    void each(Visit&& visit) const
    {
        for (std::size_t i = hole_; i < heap_.size(); ++i) visit(heap_[i]);
    }

    // Removes those of which taken(event) is true.
    template <class Taken>
    void extract(Taken&& taken)
    {
        if (hole_) fill_hole();
        const std::vector<Event> all = std::exchange(heap_, {});
        for (const Event& event : all)
            if (!taken(event)) push(event);
    }

  private:
    void fill_hole()
    {
        hole_ = false;
        Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sift_down(last);
    }

    // Places `event` on the way from the last position up.
    void sift_up(const Event& event)
    {
        std::size_t i = heap_.size() - 1;
        while (i > 0) {
            std::size_t parent = (i - 1) / 4;
            if (!earlier(event, heap_[parent])) break;
            heap_[i] = heap_[parent];
            i = parent;
        }
        heap_[i] = event;
    }

    // Places `event` on the way from the root down.
    void sift_down(const Event& event)
    {
        Event* heap = heap_.data();
        std::size_t size = heap_.size(), i = 0;
        for (;;) {
            std::size_t first = 4 * i + 1;
            if (first >= size) break;
            std::size_t least = first, last = std::min(first + 4, size);
            for (std::size_t child = first + 1; child < last; ++child)
                if (earlier(heap[child], heap[least])) least = child;
            if (!earlier(heap[least], event)) break;
            heap[i] = heap[least];
            i = least;
        }
        heap[i] = event;
    }

    std::vector<Event> heap_;
    bool hole_ = false;  // heap_[0] is free
};

}  // namespace anml::rt
