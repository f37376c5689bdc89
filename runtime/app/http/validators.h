// The documents that a client has, by what a server said of each to tell whether it is still the same (RFC 9110, 8.8).
// Of many it knows the last 1024 that were asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anml::rt::app {

class Validators {
  public:
    static constexpr std::size_t kMostDocuments = 1024, kLongestTag = 256;

    struct Entry {
        std::string path;                 // where it came from, if it was redirected
        std::string etag, last_modified;  // "": none
        std::uint64_t used = 0;
    };
    // What it has of the document from that path, "" being the document's own; null: nothing.
    const Entry* find(std::uint32_t document, std::string_view path);
    // It has come anew. Nothing is kept of one without either, or with more than a tag has.
    void keep(std::uint32_t document, std::string_view path, std::string_view etag, std::string_view last_modified);
    void drop(std::uint32_t document);
    void clear();

  private:
    std::vector<std::uint32_t> documents_;
    std::vector<Entry> entries_;  // of these
    std::uint64_t uses_ = 0;
};

}  // namespace anml::rt::app
