// A connection of `ctl` or of the API, as the server sees it: a line or a request of HTTP to read, and what is to be
// sent to it, as lines of JSON or as HTTP has it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "entry/api/api_request.h"
#include "entry/control/control_capture.h"
#include "io/device/descriptor.h"
#include "net/packet/packet.h"

namespace anml::rt::entry {

class ControlClient {
  public:
    static constexpr std::size_t kLongestRequest = 4096;
    static constexpr std::size_t kMostUnsent = std::size_t{16} << 20;  // bytes; who takes them no faster is closed
    static constexpr Time kPatience = 10 * kSecond;                    // for the request
    static constexpr Time kLinger = kSecond;  // for the other end to close first, so that it has read all

    ControlClient(io::Descriptor connection, Time now, bool http)
        : connection_(std::move(connection)), since_(now), http_(http)
    {
    }
    ControlClient(ControlClient&&) = default;
    ControlClient& operator=(ControlClient&&) = default;

    int descriptor() const { return connection_.get(); }
    short events() const;
    // Reads what has come. True: `request` is whole.
    bool read();
    const std::string& request() const { return request_; }
    bool http() const { return http_; }
    const ApiRequest& api_request() const { return api_request_; }
    // Of HTTP: 200, or what is wrong with the request, which request() says then.
    int status() const { return status_; }

    // The whole answer, as far as it goes now: what was asked for, or why not (`status` of HTTP).
    void answer(const nlohmann::ordered_json& json);
    void refuse(int status, std::string_view why, std::string_view allow = {});
    // One that goes on: what `begins` it is of lines only.
    void begin_stream(std::string_view type, std::string_view begins);
    void stream(std::string_view bytes);
    void flush();
    std::size_t unsent() const { return unsent_.size() - sent_; }
    // To be closed once all is sent.
    void finish(Time now);
    bool over(Time now) const;
    bool ended() const { return ended_; }  // it says nothing more

    std::unique_ptr<ControlCapture> capture;  // null: it has asked for something else

    bool watches = false;
    std::uint64_t lines = 0;      // that it got of that
    std::vector<LinkId> watched;  // empty: the busiest
    Time until = kNever;          // it watches or captures

  private:
    void say(std::string_view text);

    io::Descriptor connection_;
    Time since_;
    std::string request_, unsent_;
    std::size_t sent_ = 0;  // of those
    bool http_, streams_ = false;
    int status_ = 0;
    ApiRequest api_request_;
    bool asked_ = false, ended_ = false, finished_ = false, broken_ = false;
};

// As `ctl` gets it.
std::string line_of(const nlohmann::ordered_json& json);

}  // namespace anml::rt::entry
