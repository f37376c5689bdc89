#include "app/messages/event_stream.h"

#include <string_view>

namespace anml::rt::app {

namespace {

constexpr std::string_view kData = "data";
constexpr std::uint8_t kMark[] = {0xef, 0xbb, 0xbf};  // of UTF-8
constexpr std::uint8_t kPast = kData.size() + 1;      // behind the name and its colon

}  // namespace

void EventStream::end_line()
{
    const bool empty = at_ == 0;
    has_data_ |= data_ && at_ >= kData.size();
    if (empty) {
        ended_ = has_data_;
        has_data_ = false;
    }
    at_ = 0;
    data_ = true;
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
        if (at_ < kData.size())
            data_ &= byte == static_cast<std::uint8_t>(kData[at_]);
        else if (at_ == kData.size())
            data_ &= byte == ':';
        if (at_ < kPast) ++at_;
    }
    return i;
}

}  // namespace anml::rt::app
