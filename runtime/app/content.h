// Named payload: bytes of requests and responses that are produced only where somebody looks.
//
// A content reference packs a kind and an index: 0 is zeros; a request is what asks for a document, with its body; a
// response is the header and body that a simulated web server sends for it (or its 404, or another failure), a reply
// what it sends for a body; a datagram is a workload's, and so is a flow, which is zeros. Requests and responses say
// what becomes of their connection (RFC 9112, section 9.3).
#pragma once

#include <cstdint>
#include <span>

namespace anml::rt {

class Model;

namespace content {

enum class Kind : std::uint32_t { zeros, request, response, not_found, datagram, reply, flow };
Kind kind(std::uint32_t content);

enum class Persistence : std::uint32_t {
    none,  // HTTP/1.0: it ends with the response
    kept,  // HTTP/1.1: it stays
    last,  // HTTP/1.1: it ends with this response, "Connection: close"
};
Persistence persistence(std::uint32_t content);  // of a request or a response

inline constexpr std::uint32_t kZeros = 0;
std::uint32_t request(std::uint32_t number, Persistence persistence = Persistence::none);  // as Model numbers them
std::uint32_t response(std::uint32_t document, Persistence persistence = Persistence::none);
std::uint32_t not_found(Persistence persistence = Persistence::none);
std::uint32_t failure(std::uint16_t status, Persistence persistence);                    // 400 or 501 to 505
std::uint32_t reply(std::uint32_t server, Persistence persistence = Persistence::none);  // row
// A datagram of a workload (row): its offset is its number, and the text begins with both.
std::uint32_t datagram(std::uint32_t workload);

// A flow of a workload (row): the offset of its first byte is when it began, ns modulo 2^46, so that there is room for
// its bytes behind that (net/packet/packet.h).
std::uint32_t flow(std::uint32_t workload);
inline constexpr std::uint64_t kFlowTimes = (std::uint64_t{1} << 46) - 1;

// Whether the model has what the reference names: where it was not made in this process.
bool exists(const Model& model, std::uint32_t content);

// Total length in bytes of the content, headers included.
std::uint64_t length(const Model& model, std::uint32_t content);
std::uint16_t status(const Model& model, std::uint32_t content);  // of a response, a reply or a failure
std::uint64_t body(const Model& model, std::uint32_t content);    // bytes of it behind the headers; of a response
// Fills `out` with bytes [offset, offset + out.size()) of it; zeros past its end.
void produce(const Model& model, std::uint32_t content, std::uint64_t offset, std::span<std::uint8_t> out);
std::uint32_t workload_of(std::uint32_t content);     // of a datagram or a flow
std::uint32_t request_number(std::uint32_t content);  // kNone if it is not a request

}  // namespace content
}  // namespace anml::rt
