// The messages of a response of gRPC, which come in its body, each behind five bytes: whether it is compressed, and how
// long it is (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). They are counted as they come, in pieces
// of any size; what is kept is their reader's to say.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace anml::rt::app {

namespace http {

class GrpcMessages {
  public:
    // The next bytes. `begin()` is called where a message begins, `take(bytes)` with each piece of it.
    template <class Begin, class Take>
    void read(std::span<const std::uint8_t> bytes, Begin&& begin, Take&& take)
    {
        while (!bytes.empty()) {
            if (prefix_ < kPrefix) {
                const std::uint8_t byte = bytes.front();
                bytes = bytes.subspan(1);
                if (prefix_++ == 0)
                    compressed_ |= byte != 0;
                else
                    left_ = left_ << 8 | byte;
                if (prefix_ < kPrefix) continue;
                begin();
                if (left_ == 0) end();
                continue;
            }
            const std::size_t count = left_ < bytes.size() ? left_ : bytes.size();
            take(bytes.first(count));
            bytes = bytes.subspan(count);
            left_ -= static_cast<std::uint32_t>(count);
            if (left_ == 0) end();
        }
    }

    std::uint64_t count() const { return count_; }      // that came whole
    bool whole() const { return prefix_ == 0; }         // none has come in part
    bool compressed() const { return compressed_; }     // any was

  private:
    static constexpr std::uint8_t kPrefix = 5;

    void end()
    {
        ++count_;
        prefix_ = 0;
    }

    std::uint64_t count_ = 0;
    std::uint32_t left_ = 0;  // of the message; while the prefix is read, its number
    std::uint8_t prefix_ = 0;  // bytes of it that have come
    bool compressed_ = false;
};

}  // namespace http

// What counts of a response.
struct GrpcResponse {
    http::GrpcMessages messages;
    std::uint16_t status = 0;  // common/grpc_status.h; 0: none has come
    bool typed = false;        // it says that it is one
    std::string said;          // grpc-message, which explains the status
};

}  // namespace anml::rt::app
