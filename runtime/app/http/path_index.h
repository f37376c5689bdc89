// Finds a document by its path, a byte of it at a time: the paths are sorted, and what was read so far has narrowed
// them to those that begin with it. So no two documents are mistaken for each other, and no path has to be kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anml::rt {

class Model;

namespace app {

struct PathRange {  // of the sorted paths: all that begin with the bytes read so far
    std::uint32_t first = 0, end = 0;
};

class PathIndex {
  public:
    PathIndex() = default;
    explicit PathIndex(const Model& model);

    PathRange all() const { return {0, static_cast<std::uint32_t>(entries_.size())}; }
    // Of `range`, alike in `depth` bytes, those whose next one is `byte`.
    PathRange narrow(PathRange range, std::uint32_t depth, std::uint8_t byte) const;
    // The document whose path has these `depth` bytes and no more, kNone: there is none. Of several, the first.
    std::uint32_t document(PathRange range, std::uint32_t depth) const;

  private:
    struct Entry {
        std::uint64_t at;  // in text_
        std::uint32_t size, document;
    };
    std::string_view path(const Entry& entry) const { return std::string_view(text_).substr(entry.at, entry.size); }

    std::string text_;
    std::vector<Entry> entries_;  // by path, then by document
};

}  // namespace app
}  // namespace anml::rt
