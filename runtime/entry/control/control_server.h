// Answers `ctl` from a thread of its own beside the loop of a live run: what the run consists of, how it is, and
// changes, each at an instant that is said and listed in the results. A client says a line, and gets lines of JSON;
// after what it asked for is over, the connection is closed. One that stalls, or says nothing that is known, is closed.
// Clients of the API (entry/api/api_socket.h) ask the same by HTTP, and get the same answers.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "entry/api/api_socket.h"
#include "entry/control/control_client.h"
#include "entry/control/control_socket.h"
#include "entry/control/link_rates.h"
#include "entry/run/run.h"
#include "io/background_thread.h"
#include "io/device/clock.h"
#include "io/live_mailbox.h"
#include "report/live/live_view.h"

namespace anml::rt::entry {

class ControlServer {
  public:
    ControlServer(Run& run, ControlListener listener, ApiListener api, const io::Clock& clock,
                  io::LiveMailbox& mailbox, const LiveViews& views, LinkViews& links, const BufferPool& buffers);
    ~ControlServer();

    void start(const std::vector<io::SandboxProcess>& sandboxes);
    // Ends the thread. What was changed, by time, what --changes had entered included.
    std::vector<WordedChange> finish();

  private:
    void serve(const std::stop_token& stop);
    void let_in(int listener, bool http);
    void answer(ControlClient& client);
    void answer_api(ControlClient& client);
    void answer(ControlClient& client, std::string_view request);
    void watch(ControlClient& client, std::string_view names);
    void tell_watchers();
    void capture(ControlClient& client, std::string_view names);
    void send_captures(bool last);
    void end_capture(ControlClient& client);
    bool links_of(std::string_view names, std::vector<LinkId>& links, std::string& error) const;
    void remove_clients();
    LiveView view() const;
    nlohmann::ordered_json list() const;
    nlohmann::ordered_json sandboxes() const;
    void show(ControlClient& client, std::string_view name) const;
    void sandbox(ControlClient& client, std::string_view name) const;
    void change(ControlClient& client, std::string_view words);
    void end_run(ControlClient& client);
    bool knows(std::string_view words) const;

    Run& run_;
    const Model& model_;
    const ControlListener listener_;
    const ApiListener api_;
    const io::Clock& clock_;
    io::LiveMailbox& mailbox_;
    const LiveViews& views_;
    LinkRates rates_;
    const BufferPool& buffers_;
    std::vector<EnteredChange> entered_;
    std::vector<WordedChange> worded_;
    std::vector<io::SandboxProcess> sandboxes_;
    std::vector<ControlClient> clients_;
    Time next_look_ = 0;
    bool looks_ = false, counts_ = false;  // at links, for those who watch; there is a look to count from
    io::BackgroundThread thread_;
};

}  // namespace anml::rt::entry
