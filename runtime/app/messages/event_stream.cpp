#include "app/messages/event_stream.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace anml::rt::app {

namespace {

constexpr std::string_view kData = "data";
constexpr std::uint8_t kMark[] = {0xef, 0xbb, 0xbf};  // of UTF-8
constexpr std::uint8_t kPast = kData.size() + 1;      // behind the name and its colon
constexpr std::size_t kMostLine = EventStream::kMostId + 4;
constexpr std::int64_t kMostRetry = 3'600'000'000;  // ms, 1000 h

}  // namespace

void EventStream::end_line()
{
    const bool empty = at_ == 0;
    if (std::exchange(keeps_, false)) take_field(line_);
    has_data_ |= data_ && at_ >= kData.size();
    if (empty) {
        ended_ = has_data_;
        has_data_ = false;
        if (std::exchange(has_id_, false)) id_ = next_id_;  // of an event without data, too
    }
    at_ = 0;
    data_ = true;
}

void EventStream::take_field(std::string_view line)
{
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value = colon == line.npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "id" && std::ranges::none_of(value, [](char c) { return (c >= 0 && c < ' ') || c == 127; })) {
        next_id_ = value;
        has_id_ = true;
    }
    std::int64_t retry = 0;
    if (name != "retry" || value.empty() || value.find_first_not_of("0123456789") != value.npos) return;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), retry);
    retry_ = read.ec == std::errc() ? std::min(retry, kMostRetry) : kMostRetry;
}

void EventStream::begin_again()
{
    EventStream next;
    next.id_.swap(id_);
    next.retry_ = retry_;
    *this = std::move(next);
}

std::size_t EventStream::read(std::span<const std::uint8_t> bytes)
{
    if (ended_) length_ = 0;
    ended_ = false;
    std::size_t i = 0;
    while (i < bytes.size() && !ended_) {
        const std::uint8_t byte = bytes[i++];
        ++length_;
        if (!begun_) {
            if (byte == kMark[mark_]) {
                begun_ = ++mark_ == 3;
                continue;
            }
            begun_ = true;
            at_ = mark_;  // what looked like a mark is the beginning of a line
            data_ = mark_ == 0;
        }
        if (byte == '\n' && after_cr_) {
            after_cr_ = false;
            continue;
        }
        after_cr_ = byte == '\r';
        if (byte == '\n' || byte == '\r') {
            end_line();
            continue;
        }
        if (at_ == 0) {
            keeps_ = byte == 'i' || byte == 'r';
            line_.clear();
        }
        if (keeps_ && line_.size() == kMostLine)
            keeps_ = false;  // none of ours is that long
        else if (keeps_)
            line_ += static_cast<char>(byte);
        if (at_ < kData.size())
            data_ &= byte == static_cast<std::uint8_t>(kData[at_]);
        else if (at_ == kData.size())
            data_ &= byte == ':';
        if (at_ < kPast) ++at_;
    }
    return i;
}

}  // namespace anml::rt::app
