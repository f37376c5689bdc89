// Packets of links on their way from the loop of a live run to a thread that writes them. The loop leaves them in a
// ring of bytes and waits for nobody: what has no room is lost, and counted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "net/edge.h"

namespace anml::rt {

class Model;
class BufferPool;

namespace io {

class CaptureRing final : public LinkTap {
  public:
    // `bytes`: a power of two.
    CaptureRing(const Model& model, const BufferPool& buffers, std::vector<LinkId> links,
                std::size_t bytes = std::size_t{4} << 20);

    const std::vector<LinkId>& links() const { return links_; }

    // By the loop.
    void packet(LinkId link, const Packet& packet, Time now, Time start) override;
    void rate_changed(LinkId link, const RateChange& change) override;
    void failed(LinkId link, Time now) override;

    // By one other thread: what the loop has left, as a tap would have seen it. False: there is nothing.
    struct Record {
        enum class Kind : std::uint32_t { packet, rate_changed, failed } kind;
        std::uint32_t place;  // of the link, in links()
        Time start;           // of the packet
        RateChange change;    // `failed`: its `now`
        std::uint32_t bytes;
    };
    bool next(Record& record, std::vector<std::uint8_t>& bytes);
    // Of a link, by its place: packets that it took, and how many of them had no room here.
    struct Counts {
        std::uint64_t taken, lost;
    };
    Counts counts(std::size_t place) const;

  private:
    struct Counters {
        std::atomic<std::uint64_t> taken{0}, lost{0};
    };
    std::uint32_t place_of(LinkId link) const;
    bool leave(const Record& record, const std::uint8_t* bytes);
    void put(std::size_t at, const void* from, std::size_t count);
    void get(std::size_t at, void* to, std::size_t count) const;

    const Model& model_;
    const BufferPool& buffers_;
    const std::vector<LinkId> links_;
    std::unique_ptr<Counters[]> counters_;
    std::vector<std::uint8_t> ring_;
    std::atomic<std::size_t> written_{0}, read_{0};  // bytes, ever
    std::array<std::uint8_t, 65535> packet_;
};

}  // namespace io
}  // namespace anml::rt
