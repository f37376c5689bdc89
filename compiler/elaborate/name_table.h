// What is known of each of many names: of a large model's nodes and links. A hash table with open addressing; the text
// lies in blocks beside it, so that neither growing nor ending touches every name by itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace anml {

template <class Value>
class NameTable {
  public:
    // The value of a name, which stays where it is until the next call, and whether it is new: then it is `value`.
    std::pair<Value*, bool> try_emplace(std::string_view name, const Value& value)
    {
        if (2 * (size_ + 1) > slots_.size()) grow();
        const std::size_t hash = std::hash<std::string_view>{}(name);
        Slot* slot = place(hash, name);
        if (slot->text) return {&slot->value, false};
        ++size_;
        *slot = {hash, keep(name), static_cast<std::uint32_t>(name.size()), value};
        return {&slot->value, true};
    }

  private:
    struct Slot {
        std::size_t hash = 0;
        const char* text = nullptr;  // null: free
        std::uint32_t length = 0;
        Value value{};
    };

    Slot* place(std::size_t hash, std::string_view name)
    {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
            Slot& slot = slots_[i];
            if (!slot.text || (slot.hash == hash && std::string_view(slot.text, slot.length) == name)) return &slot;
        }
    }

    void grow()
    {
        std::vector<Slot> before(slots_.empty() ? 64 : 2 * slots_.size());
        before.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& slot : before) {
            if (!slot.text) continue;
            std::size_t i = slot.hash & mask;
            while (slots_[i].text) i = (i + 1) & mask;
            slots_[i] = slot;
        }
    }

    const char* keep(std::string_view name)
    {
        constexpr std::size_t kBlock = 1 << 16;
        if (name.size() >= room_) {
            room_ = std::max(kBlock, name.size() + 1);
            next_ = blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(room_)).get();
        }
        char* text = next_;
        std::memcpy(text, name.data(), name.size());
        next_ += name.size();
        room_ -= name.size();
        return text;
    }

    std::vector<Slot> slots_;  // as many as a power of two
    std::size_t size_ = 0;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* next_ = nullptr;  // the rest of the last block
    std::size_t room_ = 0;
};

}  // namespace anml
