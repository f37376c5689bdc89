// Values as bytes, and back, between processes that are the same program. What a type consists of its `exchange` says
// once, for both directions: a member, or a function found by its argument.
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
#include <type_traits>
#include <utility>
#include <vector>

namespace anml::rt {

// __int128 is arithmetic in the dialect of GNU only.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, unsigned __int128>;

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

// Texts are kept for the rest of the program.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    template <class... T>
    void operator()(T&... values)
    {
        (read(values), ...);
    }

  private:
    template <class T>
    void read(T& value)
    {
        if constexpr (is_number<T>)
            std::memcpy(&value, raw(sizeof value), sizeof value);
        else
            exchange(*this, value);
    }
    template <class T>
    void read(std::vector<T>& values)
    {
        std::uint64_t count = 0;
        read(count);
        values.clear();
        values.resize(count);
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
        std::uint64_t count = 0;
        read(count);
        text = *kept.emplace(reinterpret_cast<const char*>(raw(count)), count).first;
    }
    const std::uint8_t* raw(std::size_t count)
    {
        const std::uint8_t* const at = bytes_.data();
        bytes_ = bytes_.subspan(count);
        return at;
    }

    std::span<const std::uint8_t> bytes_;
};

// Of a struct, all of whose fields are to be named: one that is forgotten, or new, does not compile.
#define ANML_EXCHANGE(Type, ...)                 \
    template <class Archive>                     \
    void exchange(Archive& archive, Type& value) \
    {                                            \
        auto& [__VA_ARGS__] = value;             \
        archive(__VA_ARGS__);                    \
    }
// What keeps its fields to itself has a member.
template <class Archive, class T>
    requires requires(Archive& archive, T& value) { value.exchange(archive); }
void exchange(Archive& archive, T& value)
{
    value.exchange(archive);
}

}  // namespace anml::rt
