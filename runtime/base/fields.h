// What a struct consists of, said once beside it; and what follows from that: sums and differences of what is counted, and
// its bytes (base/archive.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/time.h"

namespace anml::rt {

// All fields of a struct are to be named: one that is forgotten, or new, does not compile.
#define ANML_FIELDS(Type, ...)              \
    inline auto fields(Type& value)         \
    {                                       \
        auto& [__VA_ARGS__] = value;        \
        return std::tie(__VA_ARGS__);       \
    }                                       \
    inline auto fields(const Type& value)   \
    {                                       \
        const auto& [__VA_ARGS__] = value;  \
        return std::tie(__VA_ARGS__);       \
    }

// __int128 is arithmetic in the dialect of GNU only.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, unsigned __int128>;

// The highest and the lowest of several, of which there is no difference: they stay.
template <class T>
struct Highest {
    T value{};

    operator T() const { return value; }
    void add(Highest other) { value = std::max(value, other.value); }
    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(value);
    }
};
template <class T>
struct Lowest {
    T value = std::numeric_limits<T>::max();

    operator T() const { return value; }
    void add(Lowest other) { value = std::min(value, other.value); }
    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(value);
    }
};

// Lists of single things, in no order: one behind the other, and none in a difference. Other lists have an element for
// each number of something, and grow to the largest.
template <class T>
inline constexpr bool is_single = std::is_same_v<T, Time>;

template <class T, class Do>
void each_field(T& a, const T& b, const Do& act)
{
    const auto both = std::pair(fields(a), fields(b));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (act(std::get<I>(both.first), std::get<I>(both.second)), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(fields(a))>>());
}

// Of numbers the sum; of what says it itself, by `add`, that; of a struct that of its fields.
struct AddUp {
    template <class T>
    void operator()(T& sum, const T& other) const
    {
        if constexpr (std::is_same_v<T, bool>)
            sum |= other;
        else if constexpr (is_number<T>)
            sum += other;
        else if constexpr (requires { sum.add(other); })
            sum.add(other);
        else
            each_field(sum, other, *this);
    }
    template <class T>
    void operator()(std::vector<T>& sum, const std::vector<T>& other) const
    {
        if constexpr (is_single<T>) {
            sum.insert(sum.end(), other.begin(), other.end());
        } else {
            if (sum.size() < other.size()) sum.resize(other.size());
            for (std::size_t i = 0; i < other.size(); ++i) (*this)(sum[i], other[i]);
        }
    }
    template <class T, std::size_t N>
    void operator()(std::array<T, N>& sum, const std::array<T, N>& other) const
    {
        for (std::size_t i = 0; i < N; ++i) (*this)(sum[i], other[i]);
    }
};
inline constexpr AddUp add_up;

// What was counted since it was `earlier`. Of what has no difference (it has `add` and no `remove`) it is the whole.
struct TakeOff {
    template <class T>
    void operator()(T& all, const T& earlier) const
    {
        if constexpr (std::is_same_v<T, bool>)
            return;
        else if constexpr (is_number<T>)
            all -= earlier;
        else if constexpr (requires { all.remove(earlier); })
            all.remove(earlier);
        else if constexpr (!requires { all.add(earlier); })
            each_field(all, earlier, *this);
    }
    template <class T>
    void operator()(std::vector<T>& all, const std::vector<T>& earlier) const
    {
        if constexpr (is_single<T>) {
            all.clear();
        } else {
            for (std::size_t i = 0; i < all.size(); ++i) (*this)(all[i], i < earlier.size() ? earlier[i] : T{});
        }
    }
    template <class T, std::size_t N>
    void operator()(std::array<T, N>& all, const std::array<T, N>& earlier) const
    {
        for (std::size_t i = 0; i < N; ++i) (*this)(all[i], earlier[i]);
    }
    template <class T>
    void operator()(std::optional<T>& all, const std::optional<T>& earlier) const
    {
        if (all) (*this)(*all, earlier.value_or(T{}));
    }
};
inline constexpr TakeOff take_off;

}  // namespace anml::rt
