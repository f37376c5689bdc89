// Values as bytes, and back, between processes that are the same program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace anml::rt {

// A struct has a member for both directions, or its fields (base/fields.h).
template <class Archive, class T>
void exchange(Archive& archive, T& value)
{
    if constexpr (requires { value.exchange(archive); })
        value.exchange(archive);
    else
        std::apply(archive, fields(value));
}

class ByteWriter {
  public:
    template <class... T>
    void operator()(T&... values)
    {
        (write(values), ...);
    }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

  private:
    template <class T>
    void write(T& value)
    {
        if constexpr (is_number<T>)
            raw(&value, sizeof value);
        else
            exchange(*this, value);
    }
    template <class T>
    void write(std::vector<T>& values)
    {
        std::uint64_t count = values.size();
        write(count);
        for (T& value : values) write(value);
    }
    template <class T, std::size_t N>
    void write(std::array<T, N>& values)
    {
        for (T& value : values) write(value);
    }
    template <class T>
    void write(std::optional<T>& value)
    {
        bool there = value.has_value();
        write(there);
        if (there) write(*value);
    }
    template <class A, class B>
    void write(std::pair<A, B>& values)
    {
        (*this)(values.first, values.second);
    }
    void write(std::string_view& text)
    {
        std::uint64_t count = text.size();
        write(count);
        raw(text.data(), text.size());
    }
    void raw(const void* from, std::size_t count)
    {
        const auto* first = static_cast<const std::uint8_t*>(from);
        bytes_.insert(bytes_.end(), first, first + count);
    }

    std::vector<std::uint8_t> bytes_;
};

// Texts are kept for the rest of the program. What comes from another process may be cut or damaged: nothing is read past
// the end, and no list has more elements than there are bytes.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    // All that was asked for was there, and nothing behind it.
    bool whole() const { return !short_ && bytes_.empty(); }
    template <class... T>
    void operator()(T&... values)
    {
        (read(values), ...);
    }

  private:
    template <class T>
    void read(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            read(byte);
            value = byte != 0;
        } else if constexpr (is_number<T>) {
            const std::span<const std::uint8_t> bytes = next(sizeof value);
            value = {};
            if (!bytes.empty()) std::memcpy(&value, bytes.data(), bytes.size());
        } else {
            exchange(*this, value);
        }
    }
    template <class T>
    void read(std::vector<T>& values)
    {
        values.clear();
        values.resize(count());
        for (T& value : values) read(value);
    }
    template <class T, std::size_t N>
    void read(std::array<T, N>& values)
    {
        for (T& value : values) read(value);
    }
    template <class T>
    void read(std::optional<T>& value)
    {
        bool there = false;
        read(there);
        if (there)
            read(value.emplace());
        else
            value.reset();
    }
    template <class A, class B>
    void read(std::pair<A, B>& values)
    {
        (*this)(values.first, values.second);
    }
    void read(std::string_view& text)
    {
        static std::set<std::string, std::less<>> kept;
        const std::span<const std::uint8_t> bytes = next(count());
        text = *kept.emplace(bytes.begin(), bytes.end()).first;
    }
    std::uint64_t count()
    {
        std::uint64_t count = 0;
        read(count);
        short_ |= count > bytes_.size();
        return short_ ? 0 : count;
    }
    // Nothing, from the first time on that there is less.
    std::span<const std::uint8_t> next(std::size_t count)
    {
        short_ |= count > bytes_.size();
        if (short_) return {};
        const std::span<const std::uint8_t> some = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return some;
    }

    std::span<const std::uint8_t> bytes_;
    bool short_ = false;
};

}  // namespace anml::rt
