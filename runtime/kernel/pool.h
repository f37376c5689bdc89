// Pools of fixed-size records addressed by index; storage grows by chunks and never moves, so that
// references stay valid and the event loop seldom allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/packet.h"

namespace anml::rt {

template <class T, unsigned ChunkBits = 12>
class Pool {
  public:
    std::uint32_t allocate()
    {
        if (free_.empty()) grow();
        std::uint32_t id = free_.back();
        free_.pop_back();
        return id;
    }
    void release(std::uint32_t id) { free_.push_back(id); }
    T& operator[](std::uint32_t id) { return chunks_[id >> ChunkBits][id & kMask]; }
    const T& operator[](std::uint32_t id) const { return chunks_[id >> ChunkBits][id & kMask]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(chunks_.size() << ChunkBits); }  // free ones too
    std::size_t in_use() const { return chunks_.size() * kChunk - free_.size(); }

  private:
    static constexpr std::uint32_t kChunk = 1u << ChunkBits;
    static constexpr std::uint32_t kMask = kChunk - 1;
    void grow()
    {
        auto base = static_cast<std::uint32_t>(chunks_.size() << ChunkBits);
        chunks_.push_back(std::make_unique<T[]>(kChunk));
        free_.reserve(chunks_.size() * kChunk);
        for (std::uint32_t i = kChunk; i-- > 0;) free_.push_back(base + i);
    }
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::vector<std::uint32_t> free_;
};

// Complete IP packets as real hosts sent them, up to kCapacity bytes.
struct PacketBuffer {
    static constexpr std::size_t kCapacity = 9216;
    std::uint16_t length = 0;
    std::uint8_t bytes[kCapacity - 2];
};

class BufferPool {
  public:
    // kNone when `bytes` is larger than a buffer.
    BufferId store(std::span<const std::uint8_t> bytes);
    std::unique_ptr<PacketBuffer> copy(BufferId id) const { return std::make_unique<PacketBuffer>(pool_[id]); }
    std::span<const std::uint8_t> bytes(BufferId id) const { return {pool_[id].bytes, pool_[id].length}; }
    std::span<std::uint8_t> bytes(BufferId id) { return {pool_[id].bytes, pool_[id].length}; }
    void release(BufferId id)
    {
        if (id != kNone) pool_.release(id);
    }
    std::size_t in_use() const { return pool_.in_use(); }

  private:
    Pool<PacketBuffer, 6> pool_;
};

}  // namespace anml::rt
