#include "app/http/http_fields.h"

#include <algorithm>
#include <iterator>

#include "app/http/http_words.h"
#include "common/ascii.h"

namespace anml::rt::app::http {

namespace {

constexpr std::string_view kKept[] = {"set-cookie", "location", "etag", "last-modified",
                                        "if-none-match", "cookie"};
static_assert(std::size(kKept) == Fields::kNames);

}  // namespace

void Fields::clear()
{
    text_.clear();
    all_.clear();
    begun_ = 0;
    alike_ = kAnyWord;
    at_ = 0;
    drop();
}

void Fields::want(std::span<const std::string_view> others)
{
    others_ = others;
    other_.clear();
}

void Fields::name_byte(std::uint8_t byte)
{
    if (!others_.empty() && other_.size() < kLongest) other_ += static_cast<char>(lower(byte));
    alike_ = still_alike(kKept, alike_, at_, lower(byte));
    if (at_ < kLongestWord) ++at_;
}

void Fields::end_name()
{
    drop();
    for (unsigned i = 0; i < kNames; ++i)
        if ((wanted_ >> i & 1) && is(kKept, i, alike_, at_)) name_ = static_cast<std::uint16_t>(i);
    const auto other =
        std::ranges::find_if(others_, [&](std::string_view name) { return same_in_any_case(name, other_); });
    if (other != others_.end()) other_name_ = static_cast<std::uint16_t>(kNames + 1 + (other - others_.begin()));
    other_.clear();
    if (all_.size() >= kMost) drop();
    begun_ = text_.size();
    alike_ = kAnyWord;
    at_ = 0;
}

void Fields::value_byte(std::uint8_t byte)
{
    if (!is_wanted()) return;
    const bool space = blank(byte) || byte == '\r';
    if (space && text_.size() == begun_) return;
    if ((byte < ' ' && !space) || byte == 0x7f || text_.size() - begun_ == kLongest || text_.size() >= kMostText) {
        drop();
        text_.resize(begun_);
        return;
    }
    text_ += space ? ' ' : static_cast<char>(byte);
}

void Fields::end_value()
{
    if (is_wanted()) {
        while (text_.size() > begun_ && text_.back() == ' ') text_.pop_back();
        const Kept value{name_, static_cast<std::uint32_t>(begun_), static_cast<std::uint32_t>(text_.size() - begun_)};
        if (name_ != kNobody) all_.push_back(value);
        if (Kept* const before = other_name_ == kNobody ? nullptr : find(other_name_)) {
            const auto at = static_cast<std::uint32_t>(text_.size());
            if (const std::uint32_t size = before->size + 2 + value.size; at + size <= kMostText) {
                text_.append(text_, before->at, before->size).append(", ").append(text_, value.at, value.size);
                *before = {other_name_, at, size};
            }
        } else if (other_name_ != kNobody) {
            all_.push_back({other_name_, value.at, value.size});
        }
    }
    drop();
    alike_ = kAnyWord;
    at_ = 0;
}

void Fields::add(std::string_view name, std::string_view value)
{
    for (const char c : name) name_byte(static_cast<std::uint8_t>(c));
    end_name();
    for (const char c : value) value_byte(static_cast<std::uint8_t>(c));
    end_value();
}

Fields::Kept* Fields::find(std::uint16_t name)
{
    const auto found = std::ranges::find(all_, name, &Kept::name);
    return found == all_.end() ? nullptr : &*found;
}

std::optional<std::string_view> Fields::wanted(std::size_t other) const
{
    for (const Kept& kept : all_)
        if (kept.name == kNames + 1 + other) return std::string_view(text_).substr(kept.at, kept.size);
    return std::nullopt;
}

std::string_view Fields::value(Name name) const
{
    for (const Kept& kept : all_)
        if (kept.name == name) return std::string_view(text_).substr(kept.at, kept.size);
    return {};
}

}  // namespace anml::rt::app::http
