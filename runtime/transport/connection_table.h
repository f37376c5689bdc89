// Finds the connection of an arriving segment: open addressing with linear probing over pairs of a hash and a slot; the
// connection record itself decides. Removal shifts back, so that probes stay short.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/mix.h"
#include "net/packet/packet.h"

namespace anml::rt::tcp {

struct Tuple {
    NodeId node;
    Address remote;
    std::uint16_t local_port, remote_port;
    // Looked for where the node has several of one family, else none: the ports tell a node's connections apart.
    Address local = Address::none;

    std::uint64_t hash() const
    {
        std::uint64_t ports = static_cast<std::uint32_t>(local_port << 16) | remote_port;
        return mix((static_cast<std::uint64_t>(node) << 32 | number(remote)) + ports * 0x9e3779b97f4a7c15u);
    }
};

class ConnectionTable {
  public:
    ConnectionTable() : entries_(1024) {}

    // The slot for which `same(slot)` holds, kNone if there is none.
    template <class Same>
    std::uint32_t find(const Tuple& tuple, Same same) const
    {
        const auto hash = static_cast<std::uint32_t>(tuple.hash());
        for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
            const Entry entry = entries_[i];
            if (entry.slot == kNone || (entry.hash == hash && same(entry.slot))) return entry.slot;
        }
    }

    void prefetch(const Tuple& tuple) const { __builtin_prefetch(&entries_[tuple.hash() & mask()]); }

    void insert(const Tuple& tuple, std::uint32_t slot)
    {
        if (2 * (size_ + 1) > entries_.size()) grow();
        ++size_;
        place({static_cast<std::uint32_t>(tuple.hash()), slot});
    }

    void erase(const Tuple& tuple, std::uint32_t slot)
    {
        std::size_t hole = tuple.hash() & mask();
        while (entries_[hole].slot != slot) hole = (hole + 1) & mask();
        for (std::size_t i = hole;;) {
            i = (i + 1) & mask();
            if (entries_[i].slot == kNone) break;
            // An entry moves into the hole unless its home lies behind the hole.
            if (((i - entries_[i].hash) & mask()) >= ((i - hole) & mask())) {
                entries_[hole] = entries_[i];
                hole = i;
            }
        }
        entries_[hole] = {};
        --size_;
    }

  private:
    struct Entry {
        std::uint32_t hash = 0;
        std::uint32_t slot = kNone;  // kNone: empty
    };

    std::size_t mask() const { return entries_.size() - 1; }
    void place(const Entry& entry)
    {
        std::size_t i = entry.hash & mask();
        while (entries_[i].slot != kNone) i = (i + 1) & mask();
        entries_[i] = entry;
    }
    void grow()
    {
        std::vector<Entry> old(entries_.size() * 2);
        std::swap(old, entries_);
        for (const Entry& entry : old)
            if (entry.slot != kNone) place(entry);
    }

    std::vector<Entry> entries_;
    std::size_t size_ = 0;
};

}  // namespace anml::rt::tcp
