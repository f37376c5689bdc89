// Typed indices into dense vectors.
#pragma once

#include <cstdint>
#include <functional>

namespace anml {

template <class Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = 0xffffffffu;
    std::uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
    constexpr bool valid() const { return value != kInvalid; }
    constexpr explicit operator bool() const { return valid(); }
    friend constexpr bool operator==(Id, Id) = default;
    friend constexpr auto operator<=>(Id, Id) = default;
};

using FileId = Id<struct FileTag>;

// Bytes [begin, end) of a file. An invalid file means "no place in the text".
struct Span {
    FileId file;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    constexpr bool valid() const { return file.valid(); }
    constexpr Span behind() const { return {file, end, end}; }
    friend constexpr bool operator==(const Span&, const Span&) = default;
};

}  // namespace anml

template <class Tag>
struct std::hash<anml::Id<Tag>> {
    std::size_t operator()(anml::Id<Tag> id) const noexcept { return id.value; }
};
