#include "app/http/path_index.h"

#include <algorithm>
#include <utility>

#include "net/model.h"

namespace anml::rt::app {

PathIndex::PathIndex(const Model& model)
{
    for (std::uint32_t i = 0; i < model.documents().count(); ++i) {
        const std::string path = model.documents().path(i);
        entries_.push_back({text_.size(), static_cast<std::uint32_t>(path.size()), i});
        text_ += path;
    }
    // A log may have a path with several lengths, methods and statuses, and requests that are written out methods.
    const auto other = [&](const Entry& entry) {
        const abi::FileDocument* const of_file = model.documents().asked_as(entry.document);
        return of_file && (of_file->method != abi::Method::GET || of_file->status != 200);
    };
    std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
        const int order = path(a).compare(path(b));
        return order != 0 ? order < 0 : std::pair(other(a), a.document) < std::pair(other(b), b.document);
    });
}

// Paths that end here stand before all that go on.
PathRange PathIndex::narrow(PathRange range, std::uint32_t depth, std::uint8_t byte) const
{
    const auto next = [&](const Entry& entry) {
        return entry.size > depth ? static_cast<std::uint8_t>(text_[entry.at + depth]) : -1;
    };
    const auto begin = entries_.begin() + range.first, end = entries_.begin() + range.end;
    const auto first = std::partition_point(begin, end, [&](const Entry& entry) { return next(entry) < byte; });
    const auto last = std::partition_point(first, end, [&](const Entry& entry) { return next(entry) == byte; });
    return {static_cast<std::uint32_t>(first - entries_.begin()), static_cast<std::uint32_t>(last - entries_.begin())};
}

std::uint32_t PathIndex::document(PathRange range, std::uint32_t depth) const
{
    if (range.first == range.end || entries_[range.first].size != depth) return kNone;
    return entries_[range.first].document;
}

}  // namespace anml::rt::app
