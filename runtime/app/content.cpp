#include "app/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "abi/records.h"
#include "app/web_client/request_text.h"
#include "net/model.h"

namespace anml::rt::content {

namespace {

constexpr std::uint32_t kKindShift = 28, kIndexMask = (1u << kKindShift) - 1;
// Kinds without persistence; behind them those that have it, twice; then replies, and flows.
constexpr std::uint32_t kPlain = 5, kReply = kPlain + 2 * 3, kFlow = kReply + 3;
constexpr std::string_view kMethod = "GET ";
#define ANML_REQUEST "Host: " ANML_HOST "\r\n" ANML_USER_AGENT "\r\n" ANML_ACCEPT "\r\n"
#define ANML_FOUND " 200 OK\r\nServer: anml\r\nContent-Type: application/octet-stream\r\nContent-Length: "
#define ANML_NOT_FOUND " 404 Not Found\r\nServer: anml\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n"
// By Persistence. A client of HTTP/1.0 that asks for persistence has to be told of it (RFC 9112, 9.3).
constexpr std::string_view kRequestHeads[] = {
    " HTTP/1.0\r\n" ANML_REQUEST "\r\n",
    " HTTP/1.1\r\n" ANML_REQUEST "\r\n",
    " HTTP/1.1\r\n" ANML_REQUEST "Connection: close\r\n\r\n",
};
constexpr std::string_view kResponseHeads[] = {"HTTP/1.0" ANML_FOUND, "HTTP/1.1" ANML_FOUND, "HTTP/1.1" ANML_FOUND};
constexpr std::string_view kResponseTails[] = {
    "\r\nConnection: close\r\n\r\n",
    "\r\nConnection: keep-alive\r\n\r\n",
    "\r\nConnection: close\r\n\r\n",
};
constexpr std::string_view kNotFound[] = {
    "HTTP/1.0" ANML_NOT_FOUND "Connection: close\r\n\r\nnot found\n",
    "HTTP/1.1" ANML_NOT_FOUND "Connection: keep-alive\r\n\r\nnot found\n",
    "HTTP/1.1" ANML_NOT_FOUND "Connection: close\r\n\r\nnot found\n",
};
#undef ANML_NOT_FOUND
#undef ANML_FOUND
#undef ANML_REQUEST
constexpr std::string_view kNotFoundBody = "not found\n";
static_assert(kNotFound[0].ends_with(kNotFoundBody));
// The body, over and over: 64 bytes.
constexpr std::string_view kBody = "This document was made by the simulated web server of ANML.    \n";
static_assert(kBody.size() == 64);

std::uint32_t make(Kind kind, std::uint32_t index, Persistence persistence = Persistence::none)
{
    const auto plain = static_cast<std::uint32_t>(kind), kept = static_cast<std::uint32_t>(persistence);
    if (kind == Kind::reply) return (kReply + kept) << kKindShift | index;
    const std::uint32_t word = kept == 0 ? plain : kPlain + 3 * (kept - 1) + plain - 1;
    return word << kKindShift | index;
}
static_assert(static_cast<std::uint32_t>(Kind::request) == 1 && static_cast<std::uint32_t>(Kind::not_found) == 3);
std::uint32_t index(std::uint32_t content) { return content & kIndexMask; }

// RFC 9110, 6.4.1
bool carries_body(std::uint32_t status) { return status != 204 && status != 304; }

// Bytes of the body of a response or a reply.
std::uint64_t size(const Model& model, std::uint32_t content)
{
    if (kind(content) == Kind::response)
        return carries_body(status(model, content)) ? model.documents().size(index(content)) : 0;
    const abi::Image& image = model.image();
    const std::uint32_t record = image.servers[index(content)].record;
    return model.integer(abi::row_of<abi::record::web_server>(image, record).reply);
}

std::size_t digits(std::uint64_t value)
{
    std::size_t count = 1;
    for (; value >= 10; value /= 10) ++count;
    return count;
}

// The head of a response that an access log has with another status than 200.
std::string other_head(std::uint16_t status, std::size_t kept, std::uint64_t body)
{
    return fmt::format("HTTP/1.{} {} \r\nServer: anml{}{}{}", kept == 0 ? 0 : 1, status,
                       carries_body(status) ? "\r\nContent-Type: application/octet-stream\r\nContent-Length: " : "",
                       carries_body(status) ? fmt::to_string(body) : "", kResponseTails[kept]);
}

// RFC 9110, 15.5 and 15.6.
std::string_view failure_words(std::uint32_t status)
{
    switch (status) {
        case 400:
            return "Bad Request";
        case 501:
            return "Not Implemented";
        case 502:
            return "Bad Gateway";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return "HTTP Version Not Supported";
    }
}

std::string failure_text(std::uint32_t content)
{
    const auto kept = static_cast<std::size_t>(persistence(content));
    const std::string_view words = failure_words(index(content));
    return fmt::format("HTTP/1.{} {} {}\r\nServer: anml\r\nContent-Type: text/plain\r\nContent-Length: {}{}{}\n",
                       kept == 0 ? 0 : 1, index(content), words, words.size() + 1, kResponseTails[kept], words);
}

// Those that few contents need, away from those that all do.
[[gnu::noinline]] std::uint64_t length_of_other(std::uint16_t status, std::size_t kept, std::uint64_t body)
{
    return other_head(status, kept, body).size() + body;
}
[[gnu::noinline]] std::uint64_t length_of_failure(std::uint32_t content) { return failure_text(content).size(); }

}  // namespace

void overlap(std::string_view text, std::uint64_t at, std::uint64_t offset, std::span<std::uint8_t> out)
{
    std::uint64_t begin = std::max(at, offset), end = std::min(at + text.size(), offset + out.size());
    if (begin < end) std::copy_n(text.data() + (begin - at), end - begin, out.data() + (begin - offset));
}

Kind kind(std::uint32_t content)
{
    const std::uint32_t word = content >> kKindShift;
    if (word >= kReply) return word == kFlow ? Kind::flow : Kind::reply;
    return static_cast<Kind>(word < kPlain ? word : word < kPlain + 3 ? word - kPlain + 1 : word - kPlain - 2);
}
Persistence persistence(std::uint32_t content)
{
    const std::uint32_t word = content >> kKindShift;
    if (word >= kReply) return static_cast<Persistence>(word - kReply);
    return word < kPlain ? Persistence::none : word < kPlain + 3 ? Persistence::kept : Persistence::last;
}
std::uint32_t request(std::uint32_t number, Persistence persistence)
{
    return make(Kind::request, number, persistence);
}
std::uint32_t response(std::uint32_t document, Persistence persistence)
{
    return make(Kind::response, document, persistence);
}
std::uint32_t not_found(Persistence persistence) { return make(Kind::not_found, 0, persistence); }
std::uint32_t failure(std::uint16_t status, Persistence persistence)
{
    return make(Kind::not_found, status, persistence);
}
std::uint32_t reply(std::uint32_t server, Persistence persistence) { return make(Kind::reply, server, persistence); }
std::uint32_t datagram(std::uint32_t workload) { return make(Kind::datagram, workload); }
std::uint32_t flow(std::uint32_t workload) { return kFlow << kKindShift | workload; }
std::uint32_t workload_of(std::uint32_t content) { return index(content); }
std::uint32_t request_number(std::uint32_t content)
{
    return kind(content) == Kind::request ? index(content) : abi::kNone;
}

std::uint16_t status(const Model& model, std::uint32_t content)
{
    if (kind(content) == Kind::not_found) return static_cast<std::uint16_t>(index(content) == 0 ? 404 : index(content));
    const abi::FileDocument* const logged =
        kind(content) == Kind::response ? model.documents().logged(index(content)) : nullptr;
    return static_cast<std::uint16_t>(logged ? logged->status : 200);
}

bool exists(const Model& model, std::uint32_t content)
{
    if (content >> kKindShift > kFlow) return false;
    const abi::Image& image = model.image();
    const std::uint32_t number = index(content);
    switch (kind(content)) {
        case Kind::zeros:
            return number == 0;
        case Kind::request:
            return number < model.documents().request_count();
        case Kind::response:
            return number < model.documents().count();
        case Kind::not_found:
            return number == 0 || (number >= 502 && number <= 504);
        case Kind::datagram:
        case Kind::flow:
            return number < image.workload_count;
        case Kind::reply:
            return number < image.server_count &&
                   abi::schema_of(image, image.servers[number].record) == abi::record::web_server::kSchema;
    }
    return false;
}

std::uint64_t length(const Model& model, std::uint32_t content)
{
    const auto kept = static_cast<std::size_t>(persistence(content));
    switch (kind(content)) {
        case Kind::zeros:
        case Kind::datagram:  // as long as the workload says
        case Kind::flow:
            break;
        case Kind::request:
            if (says_more(model, content)) return request_length(model, content);
            return kMethod.size() + model.documents().path_length(index(content)) + kRequestHeads[kept].size();
        case Kind::response:
        case Kind::reply: {
            std::uint64_t body = size(model, content);
            if (const std::uint16_t other = status(model, content); other != 200)
                return length_of_other(other, kept, body);
            return kResponseHeads[kept].size() + digits(body) + kResponseTails[kept].size() + body;
        }
        case Kind::not_found:
            return index(content) == 0 ? kNotFound[kept].size() : length_of_failure(content);
    }
    return 0;
}

std::uint64_t body(const Model& model, std::uint32_t content)
{
    if (kind(content) != Kind::not_found) return size(model, content);
    return index(content) == 0 ? kNotFoundBody.size() : failure_words(index(content)).size() + 1;
}

void produce(const Model& model, std::uint32_t content, std::uint64_t offset, std::span<std::uint8_t> out)
{
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    const auto kept = static_cast<std::size_t>(persistence(content));
    switch (kind(content)) {
        case Kind::zeros:
        case Kind::flow:
            break;
        case Kind::request:
            if (says_more(model, content)) return produce_request(model, content, offset, out);
            overlap(fmt::format("{}{}{}", kMethod, model.documents().path(index(content)), kRequestHeads[kept]), 0,
                    offset, out);
            break;
        case Kind::response:
        case Kind::reply: {
            std::uint64_t body = size(model, content);
            const std::uint16_t other = status(model, content);
            std::string head = other == 200 ? fmt::format("{}{}{}", kResponseHeads[kept], body, kResponseTails[kept])
                                            : other_head(other, kept, body);
            overlap(head, 0, offset, out);
            std::uint64_t end = std::min(head.size() + body, offset + out.size());
            for (std::uint64_t i = std::max<std::uint64_t>(offset, head.size()); i < end; ++i)
                out[i - offset] = static_cast<std::uint8_t>(kBody[(i - head.size()) % kBody.size()]);
            break;
        }
        case Kind::not_found:
            overlap(index(content) == 0 ? std::string(kNotFound[kept]) : failure_text(content), 0, offset, out);
            break;
        case Kind::datagram:
            overlap(fmt::format("{} {}\n", model.text(model.image().workloads[index(content)].name), offset), 0, 0,
                    out);
            break;
    }
}

}  // namespace anml::rt::content
