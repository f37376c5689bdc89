// A value that one thread publishes and others read, while nobody waits for anybody: a reader who was interrupted by a
// new value reads again (a sequence lock; H.-J. Boehm, "Can seqlocks get along with programming language memory
// models?", MSPC 2012).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>

namespace anml::rt {

template <class T>
class Published {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // By one thread only.
    void publish(const T& value)
    {
        Words words{};
        std::memcpy(words.data(), &value, sizeof value);
        const std::uint64_t sequence = sequence_.load(std::memory_order_relaxed);
        sequence_.store(sequence + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_relaxed);
        sequence_.store(sequence + 2, std::memory_order_release);
    }

    // What was published last; a T of its own before anything was.
    T read() const
    {
        for (;;) {
            const std::uint64_t sequence = sequence_.load(std::memory_order_acquire);
            Words words{};
            for (std::size_t i = 0; i < kWords; ++i) words[i] = words_[i].load(std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_acquire);
            if (sequence % 2 != 0 || sequence != sequence_.load(std::memory_order_relaxed)) {
                std::this_thread::yield();  // who publishes may have been interrupted
                continue;
            }
            T value{};
            if (sequence != 0) std::memcpy(&value, words.data(), sizeof value);
            return value;
        }
    }

  private:
    static constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
    using Words = std::array<std::uint64_t, kWords>;

    std::atomic<std::uint64_t> sequence_{0};
    std::array<std::atomic<std::uint64_t>, kWords> words_{};
};

}  // namespace anml::rt
