// A heap of numbered things that knows where each of them is, so that any of them can leave, and not the first alone:
// each change costs the logarithm of how many there are. The least `key` is first, then the least `tie`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace anml::rt {

class NumberedHeap {
  public:
    struct Entry {
        std::int64_t key;
        std::uint64_t tie;
        std::uint32_t number;  // small ones: there is a place for each up to the largest

        bool before(const Entry& other) const { return key != other.key ? key < other.key : tie < other.tie; }
    };

    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    // Not of an empty one.
    const Entry& front() const { return entries_.front(); }
    bool has(std::uint32_t number) const { return number < places_.size() && places_[number] != kAbsent; }

    // One that is not there.
    void push(const Entry& entry)
    {
        if (entry.number >= places_.size()) places_.resize(entry.number + 1, kAbsent);
        entries_.push_back(entry);
        rise(entries_.size() - 1, entry);
    }
    Entry pop()
    {
        const Entry first = entries_.front();
        remove(0);
        return first;
    }
    // Nothing happens where it is not there.
    void erase(std::uint32_t number)
    {
        if (has(number)) remove(places_[number]);
    }
    void clear()
    {
        for (const Entry& entry : entries_) places_[entry.number] = kAbsent;
        entries_.clear();
    }

  private:
    static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

    void put(std::size_t place, const Entry& entry)
    {
        entries_[place] = entry;
        places_[entry.number] = static_cast<std::uint32_t>(place);
    }
    void rise(std::size_t place, const Entry& entry)
    {
        for (; place != 0 && entry.before(entries_[(place - 1) / 2]); place = (place - 1) / 2)
            put(place, entries_[(place - 1) / 2]);
        put(place, entry);
    }
    void sink(std::size_t place, const Entry& entry)
    {
        for (std::size_t below; (below = 2 * place + 1) < entries_.size(); place = below) {
            if (below + 1 < entries_.size() && entries_[below + 1].before(entries_[below])) ++below;
            if (!entries_[below].before(entry)) break;
            put(place, entries_[below]);
        }
        put(place, entry);
    }
    void remove(std::size_t place)
    {
        places_[entries_[place].number] = kAbsent;
        const Entry last = entries_.back();
        entries_.pop_back();
        if (place == entries_.size()) return;
        if (place != 0 && last.before(entries_[(place - 1) / 2]))
            rise(place, last);
        else
            sink(place, last);
    }

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> places_;  // by number
};

}  // namespace anml::rt
