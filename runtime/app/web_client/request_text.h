// Requests that say more than a GET does: another method with its body, a host, header fields of the workload's own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/content.h"
#include "app/http/http_fields.h"
#include "app/http/http_words.h"

namespace anml::rt {

class Model;

namespace content {

#define ANML_HOST "anml"
#define ANML_USER_AGENT "User-Agent: anml/" ANML_VERSION
#define ANML_ACCEPT "Accept: */*"

// A request that differs from those of its client's others.
struct Variation {
    std::uint32_t workload, document;
    Persistence persistence;
    app::http::Method method;
    std::string_view path;                     // "": the document's
    std::string_view elsewhere;                // the authority to which it was redirected; "": the document's
    std::span<const app::http::Field> fields;  // besides those that all of them have
    // In place of what is written out; null: that.
    const std::string* own_fields = nullptr;
    const std::string* own_body = nullptr;
};
void write_head(const Model& model, const Variation& request, std::string& head);
std::uint64_t request_body(const Model& model, const Variation& request);  // bytes of its body

// Whether one of the lines is of the same field as `field`.
bool gives(std::string_view lines, std::string_view field);

bool says_more(const Model& model, std::uint32_t request);
// Of one that does, as those of content.h. The body is zeros, unless it is written out.
[[gnu::noinline]] std::uint64_t request_length(const Model& model, std::uint32_t request);
void produce_request(const Model& model, std::uint32_t request, std::uint64_t offset, std::span<std::uint8_t> out);

// Copies what `text`, which lies at `at` in the content, has of the bytes [offset, offset + out.size()).
void overlap(std::string_view text, std::uint64_t at, std::uint64_t offset, std::span<std::uint8_t> out);

}  // namespace content
}  // namespace anml::rt
