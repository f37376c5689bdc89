#include "app/http/validators.h"

#include <algorithm>

namespace anml::rt::app {

const Validators::Entry* Validators::find(std::uint32_t document, std::string_view path)
{
    const auto at = std::find(documents_.begin(), documents_.end(), document);
    if (at == documents_.end()) return nullptr;
    Entry& entry = entries_[static_cast<std::size_t>(at - documents_.begin())];
    if (entry.path != path) return nullptr;
    entry.used = ++uses_;
    return &entry;
}

void Validators::keep(std::uint32_t document, std::string_view path, std::string_view etag,
                      std::string_view last_modified)
{
    if (etag.size() > kLongestTag) etag = {};
    if (last_modified.size() > kLongestTag) last_modified = {};
    if (etag.empty() && last_modified.empty()) return drop(document);
    auto at = static_cast<std::size_t>(std::find(documents_.begin(), documents_.end(), document) - documents_.begin());
    if (at == documents_.size() && at < kMostDocuments) {
        documents_.push_back(document);
        entries_.emplace_back();
    } else if (at == documents_.size()) {
        const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                             [](const Entry& a, const Entry& b) { return a.used < b.used; });
        at = static_cast<std::size_t>(oldest - entries_.begin());
        documents_[at] = document;
    }
    entries_[at] = {std::string(path), std::string(etag), std::string(last_modified), ++uses_};
}

void Validators::drop(std::uint32_t document)
{
    const auto found = std::find(documents_.begin(), documents_.end(), document);
    if (found == documents_.end()) return;
    const auto at = static_cast<std::size_t>(found - documents_.begin());
    documents_[at] = documents_.back();
    documents_.pop_back();
    entries_[at] = std::move(entries_.back());
    entries_.pop_back();
}

void Validators::clear()
{
    documents_.clear();
    entries_.clear();
}

}  // namespace anml::rt::app
