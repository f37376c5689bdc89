// The pieces of a stream that came before their turn, for an application that reads them, by sequence number; disjoint.
// Contents that go on are one piece; of real bytes the bytes are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "transport/sequence.h"
#include "transport/span.h"

namespace anml::rt::tcp {

class ReassemblyQueue {
  public:
    struct Held {
        std::uint32_t begin, end;  // sequence numbers
        std::uint32_t content;
        bool real;
        std::uint64_t offset;  // in the content, or of the first byte in bytes_
    };
    // More come of a peer that means harm.
    static constexpr std::size_t kMost = 1u << 15;

    bool empty() const { return all_.empty(); }
    bool full() const { return all_.size() >= kMost; }
    const std::vector<Held>& all() const { return all_; }
    Piece piece(const Held& held, std::uint32_t from) const
    {
        Piece piece{held.content, held.offset + (from - held.begin), held.end - from, held.real, {}};
        if (held.real) piece.bytes = {bytes_.data() + piece.offset, piece.length};
        return piece;
    }

    // What of [begin, end) is not there yet; `piece` begins at `begin`.
    void add(std::uint32_t begin, std::uint32_t end, const Piece& piece)
    {
        const std::uint32_t first = begin;
        auto at = static_cast<std::size_t>(
            std::partition_point(all_.begin(), all_.end(), [&](const Held& held) { return !after(held.end, begin); }) -
            all_.begin());
        while (before(begin, end)) {
            const bool gap = at == all_.size() || after(all_[at].begin, begin);
            if (gap) {
                const std::uint32_t to = at < all_.size() && before(all_[at].begin, end) ? all_[at].begin : end;
                if (!extend(at, begin, to, first, piece)) insert(at++, begin, to, first, piece);
            }
            if (at == all_.size()) break;
            begin = all_[at++].end;
        }
    }

    // Moves what begins before `sequence` to `taken`; the rest stays. `taken` and `spare` are empty before, and lend
    // their room.
    void take(std::uint32_t sequence, ReassemblyQueue& taken, ReassemblyQueue& spare)
    {
        const auto rest = std::partition_point(all_.begin(), all_.end(),
                                               [&](const Held& held) { return before(held.begin, sequence); });
        if (rest == all_.begin()) return;
        for (auto held = rest; held != all_.end(); ++held) spare.add(held->begin, held->end, piece(*held, held->begin));
        all_.erase(rest, all_.end());
        std::swap(*this, taken);
        std::swap(*this, spare);
    }
    void clear()
    {
        all_.clear();
        bytes_.clear();
    }

  private:
    // The piece before `at` goes on with this.
    bool extend(std::size_t at, std::uint32_t begin, std::uint32_t end, std::uint32_t first, const Piece& piece)
    {
        if (at == 0) return false;
        Held& last = all_[at - 1];
        if (last.end != begin || last.real != piece.real) return false;
        const std::uint64_t reached = last.offset + (last.end - last.begin);
        if (last.real ? reached != bytes_.size()
                      : last.content != piece.content || reached != piece.offset + (begin - first))
            return false;
        if (last.real) append(begin - first, end - first, piece);
        last.end = end;
        return true;
    }
    void insert(std::size_t at, std::uint32_t begin, std::uint32_t end, std::uint32_t first, const Piece& piece)
    {
        const std::uint64_t offset = piece.real ? bytes_.size() : piece.offset + (begin - first);
        if (piece.real) append(begin - first, end - first, piece);
        all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(at), {begin, end, piece.content, piece.real, offset});
    }
    void append(std::uint32_t from, std::uint32_t to, const Piece& piece)
    {
        bytes_.insert(bytes_.end(), piece.bytes.begin() + from, piece.bytes.begin() + to);
    }

    std::vector<Held> all_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace anml::rt::tcp
