// A first-in first-out queue in a power-of-two array that grows when full and never shrinks, so that a queue in
// its steady state does not allocate.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace anml::rt {

template <class T>
class Ring {
  public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    void push(const T& value)
    {
        if (size_ == slots_.size()) grow();
        slots_[(first_ + size_++) & (slots_.size() - 1)] = value;
    }
    T pop()
    {
        T value = slots_[first_];
        first_ = (first_ + 1) & (slots_.size() - 1);
        --size_;
        return value;
    }

  private:
    void grow()
    {
        std::vector<T> larger(slots_.empty() ? 16 : slots_.size() * 2);
        for (std::size_t i = 0; i < size_; ++i) larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
        slots_ = std::move(larger);
        first_ = 0;
    }
    std::vector<T> slots_;
    std::size_t first_ = 0, size_ = 0;
};

}  // namespace anml::rt
