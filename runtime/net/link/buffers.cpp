#include "net/link/buffers.h"

#include <cstring>

namespace anml::rt {

BufferId BufferPool::store(std::span<const std::uint8_t> bytes)
{
    if (bytes.size() <= PacketBuffer::kCapacity) return put(pool_, bytes);
    return bytes.size() <= sizeof(LongBuffer::bytes) ? put(long_, bytes) | kLong : kNone;
}

template <class Buffers>
BufferId BufferPool::put(Buffers& buffers, std::span<const std::uint8_t> bytes)
{
    const BufferId id = buffers.allocate();
    auto& buffer = buffers[id];
    buffer.entered = kNever;
    buffer.held[0] = buffer.held[1] = Address::none;
    buffer.length = static_cast<std::uint16_t>(bytes.size());
    std::memcpy(buffer.bytes, bytes.data(), bytes.size());
    return id;
}

void BufferPool::hold_addresses(const Packet& packet)
{
    if (!addresses_) return;
    BufferHead& buffer = head(packet.buffer);
    const Address both[] = {packet.source, packet.destination};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!AddressTable::has(both[i])) continue;
        addresses_->hold(both[i]);
        buffer.held[i] = both[i];
    }
}

void BufferPool::free(BufferId id)
{
    for (const Address held : head(id).held)
        if (held != Address::none) addresses_->let_go(held);
    if (id & kLong)
        long_.release(id & ~kLong);
    else
        pool_.release(id);
}

}  // namespace anml::rt
