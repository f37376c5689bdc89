#include "net/buffers.h"

#include <cstring>

namespace anml::rt {

BufferId BufferPool::store(std::span<const std::uint8_t> bytes)
{
    if (bytes.size() > sizeof(PacketBuffer::bytes)) return kNone;
    BufferId id = pool_.allocate();
    PacketBuffer& buffer = pool_[id];
    buffer.entered = kNever;
    buffer.length = static_cast<std::uint16_t>(bytes.size());
    std::memcpy(buffer.bytes, bytes.data(), bytes.size());
    return id;
}

}  // namespace anml::rt
