// A connection of `ctl`, as the server sees it: a line to read, and what is to be sent to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "entry/control_capture.h"
#include "io/descriptor.h"
#include "net/packet.h"

namespace anml::rt::entry {

class ControlClient {
  public:
    static constexpr std::size_t kLongestRequest = 4096;
    static constexpr std::size_t kMostUnsent = std::size_t{16} << 20;  // bytes; who takes them no faster is closed
    static constexpr Time kPatience = 10 * kSecond;                    // for the request

    ControlClient(io::Descriptor connection, Time now) : connection_(std::move(connection)), since_(now) {}

    int descriptor() const { return connection_.get(); }
    short events() const;
    // Reads what has come. True: `request` is whole.
    bool read();
    const std::string& request() const { return request_; }

    // To be sent, as far as it goes now.
    void say(std::string_view text);
    void flush();
    std::size_t unsent() const { return unsent_.size() - sent_; }
    // To be closed once all is sent.
    void finish(Time now)
    {
        finished_ = true;
        since_ = now;
    }
    bool over(Time now) const;
    bool ended() const { return ended_; }  // it says nothing more

    std::unique_ptr<ControlCapture> capture;  // null: it has asked for something else

    bool watches = false;
    std::vector<LinkId> watched;  // empty: the busiest

  private:
    io::Descriptor connection_;
    Time since_;
    std::string request_, unsent_;
    std::size_t sent_ = 0;  // of those
    bool asked_ = false, ended_ = false, finished_ = false, broken_ = false;
};

}  // namespace anml::rt::entry
