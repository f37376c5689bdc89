// Responses that say more than where their document ends: what tells whether it is still the same (RFC 9110, 8.8.3), a
// cookie (RFC 6265), where it has moved (RFC 9110, 15.4.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/content.h"

namespace anml::rt::content {

// Before the paths of documents that have moved.
inline constexpr std::string_view kMoved = "/moved";

enum class Answer : std::uint8_t { document, not_modified, moved };

struct Answering {
    Answer answer;
    std::uint32_t document;
    Persistence persistence;
    bool etag;
    std::uint64_t cookie;  // the session's number; 0: none
};
std::string response_head(const Model& model, const Answering& response);
std::string etag(const Model& model, std::uint32_t document);

}  // namespace anml::rt::content
