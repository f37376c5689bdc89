// The socket by which `ctl` reaches a live run: of the same user only (mode 0600), in $XDG_RUNTIME_DIR or /tmp under
// the number of the run's process, or where --control says.
#pragma once

#include <string>
#include <vector>

#include "io/device/descriptor.h"

namespace anml::rt::entry {

class ControlListener {
  public:
    ControlListener() = default;
    ControlListener(io::Descriptor socket, std::string path) : socket_(std::move(socket)), path_(std::move(path)) {}
    ControlListener(ControlListener&& other) noexcept = default;
    ControlListener& operator=(ControlListener&&) noexcept = default;
    ~ControlListener();  // removes the socket's name

    bool valid() const { return socket_.valid(); }
    int get() const { return socket_.get(); }
    const std::string& path() const { return path_; }

  private:
    io::Descriptor socket_;
    std::string path_;
};

// `path` "": the usual place, where sockets are removed that runs have left which were killed. An invalid one: `error`.
ControlListener listen_for_control(const std::string& path, std::string& error);

// `path` "": the one emulator of this user that runs. An invalid one: `error`.
io::Descriptor connect_control(const std::string& path, std::string& error);

}  // namespace anml::rt::entry
