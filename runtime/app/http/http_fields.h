// Values of a few header fields, taken out of a head as it is read. Whatever a peer sends, what is kept of it is
// bounded: a value that is too long is as good as not sent, and so is one with control characters, which must not come
// to stand in a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anml::rt::app::http {

// A header field of one request more, as lines or as a list has it.
struct Field {
    std::string_view name, value;
};

class Fields {
  public:
    enum Name : std::uint8_t { set_cookie, location, etag, last_modified, if_none_match, cookie, kNames };
    static constexpr std::size_t kLongest = 16384, kMost = 64, kMostText = 65536;  // of a value, values, all of them

    Fields() = default;
    explicit Fields(std::initializer_list<Name> wanted)
    {
        for (const Name name : wanted) wanted_ |= static_cast<std::uint8_t>(1u << name);
    }

    void clear();  // the next head begins
    void want(std::span<const std::string_view> others);  // of any name; they outlive it
    // A head that comes in bytes: a name, its value, which may go on in lines that begin with a blank, the field's end.
    void name_byte(std::uint8_t byte);
    void end_name();
    void value_byte(std::uint8_t byte);
    void end_value();
    // A whole field.
    void add(std::string_view name, std::string_view value);

    // The first of its name; "": none came.
    std::string_view value(Name name) const;
    // Of several fields of that name all, as RFC 9110, 5.3 combines them.
    std::optional<std::string_view> wanted(std::size_t other) const;
    template <class Take>
    void each(Name name, Take&& take) const
    {
        for (const Kept& kept : all_)
            if (kept.name == name) take(std::string_view(text_).substr(kept.at, kept.size));
    }

  private:
    struct Kept {
        std::uint16_t name;  // Name, or behind kNames the number of another
        std::uint32_t at, size;
    };
    static constexpr std::uint16_t kNobody = kNames;

    Kept* find(std::uint16_t name);
    bool is_wanted() const { return name_ != kNobody || other_name_ != kNobody; }
    void drop() { name_ = other_name_ = kNobody; }

    std::span<const std::string_view> others_;
    std::string other_;  // the name that comes, where there are others
    std::string text_;   // of all values; behind them the one that comes
    std::vector<Kept> all_;
    std::size_t begun_ = 0;     // where that one begins
    std::uint8_t wanted_ = 0;   // names, a bit each
    std::uint8_t alike_ = 0xff;  // those of them that what was read is the beginning of
    std::uint8_t at_ = 0;       // in the name
    std::uint16_t name_ = kNobody, other_name_ = kNobody;  // of the value that comes: a field may be wanted as both
};

}  // namespace anml::rt::app::http
