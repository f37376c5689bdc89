#include "io/capture/capture_ring.h"

#include <algorithm>
#include <cstring>

#include "net/link/buffers.h"
#include "wire/packet_codec.h"

namespace anml::rt::io {

CaptureRing::CaptureRing(const Model& model, const BufferPool& buffers, std::vector<LinkId> links, std::size_t bytes)
    : model_(model),
      buffers_(buffers),
      links_(std::move(links)),
      counters_(std::make_unique<Counters[]>(links_.size())),
      ring_(bytes)
{
}

void CaptureRing::packet(LinkId link, const Packet& packet, Time, Time start)
{
    const std::uint32_t place = place_of(link);
    counters_[place].taken.fetch_add(1, std::memory_order_relaxed);
    const auto length = static_cast<std::uint32_t>(wire::emit(packet, model_, buffers_, packet_));
    if (!leave({Record::Kind::packet, place, start, {}, length}, packet_.data()))
        counters_[place].lost.fetch_add(1, std::memory_order_relaxed);
}

void CaptureRing::rate_changed(LinkId link, const RateChange& change)
{
    leave({Record::Kind::rate_changed, place_of(link), 0, change, 0}, nullptr);
}

void CaptureRing::failed(LinkId link, Time now)
{
    leave({Record::Kind::failed, place_of(link), 0, {now, 0, 0}, 0}, nullptr);
}

bool CaptureRing::next(Record& record, std::vector<std::uint8_t>& bytes)
{
    const std::size_t at = read_.load(std::memory_order_relaxed);
    if (at == written_.load(std::memory_order_acquire)) return false;
    get(at, &record, sizeof record);
    bytes.resize(record.bytes);
    get(at + sizeof record, bytes.data(), bytes.size());
    read_.store(at + sizeof record + bytes.size(), std::memory_order_release);
    return true;
}

CaptureRing::Counts CaptureRing::counts(std::size_t place) const
{
    return {counters_[place].taken.load(std::memory_order_relaxed),
            counters_[place].lost.load(std::memory_order_relaxed)};
}

std::uint32_t CaptureRing::place_of(LinkId link) const
{
    return static_cast<std::uint32_t>(std::find(links_.begin(), links_.end(), link) - links_.begin());
}

bool CaptureRing::leave(const Record& record, const std::uint8_t* bytes)
{
    const std::size_t at = written_.load(std::memory_order_relaxed), wanted = sizeof record + record.bytes;
    if (ring_.size() - (at - read_.load(std::memory_order_acquire)) < wanted) return false;
    put(at, &record, sizeof record);
    put(at + sizeof record, bytes, record.bytes);
    written_.store(at + wanted, std::memory_order_release);
    return true;
}

void CaptureRing::put(std::size_t at, const void* from, std::size_t count)
{
    if (count == 0) return;
    const std::size_t place = at & (ring_.size() - 1), first = std::min(count, ring_.size() - place);
    std::memcpy(ring_.data() + place, from, first);
    std::memcpy(ring_.data(), static_cast<const std::uint8_t*>(from) + first, count - first);
}

void CaptureRing::get(std::size_t at, void* to, std::size_t count) const
{
    if (count == 0) return;
    const std::size_t place = at & (ring_.size() - 1), first = std::min(count, ring_.size() - place);
    std::memcpy(to, ring_.data() + place, first);
    std::memcpy(static_cast<std::uint8_t*>(to) + first, ring_.data(), count - first);
}

}  // namespace anml::rt::io
