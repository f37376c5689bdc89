// Pools of fixed-size records addressed by index; storage never moves, so that references stay valid. A pool that is
// full doubles, and touches only what is used of it: the event loop asks for memory a few times in a run, whatever its
// length, and the pages come as they are needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace anml::rt {

template <class T, unsigned ChunkBits = 12>
class Pool {
  public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool()
    {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for (std::uint32_t id = 0; id < made_; ++id) std::destroy_at(&(*this)[id]);
    }

    // As it was released, or as it is made.
    std::uint32_t allocate()
    {
        if (free_.empty()) [[unlikely]]
            return make();
        std::uint32_t id = free_.back();
        free_.pop_back();
        return id;
    }
    void release(std::uint32_t id) { free_.push_back(id); }  // there is room for all
    T& operator[](std::uint32_t id) { return chunks_[id >> ChunkBits][id & kMask]; }
    const T& operator[](std::uint32_t id) const { return chunks_[id >> ChunkBits][id & kMask]; }
    std::uint32_t size() const { return made_; }  // free ones too
    std::size_t in_use() const { return made_ - free_.size(); }

  private:
    static constexpr std::uint32_t kChunk = 1u << ChunkBits;
    static constexpr std::uint32_t kMask = kChunk - 1;
    struct alignas(T) Room {
        std::byte bytes[sizeof(T)];
    };

    [[gnu::noinline]] std::uint32_t make()
    {
        if (made_ == chunks_.size() * kChunk) grow();
        ::new (static_cast<void*>(&(*this)[made_])) T;  // touches no more than its members ask for
        return made_++;
    }
    void grow()
    {
        const std::size_t more = std::max<std::size_t>(1, chunks_.size());
        Room* const first = blocks_.emplace_back(std::make_unique_for_overwrite<Room[]>(more * kChunk)).get();
        for (std::size_t i = 0; i < more; ++i) chunks_.push_back(reinterpret_cast<T*>(first + i * kChunk));
        free_.reserve(chunks_.size() * kChunk);
    }

    std::vector<T*> chunks_;  // into the blocks
    std::vector<std::unique_ptr<Room[]>> blocks_;
    std::vector<std::uint32_t> free_;
    std::uint32_t made_ = 0;
};

}  // namespace anml::rt
