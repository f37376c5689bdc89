#include "entry/control/ctl.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "commandline/streams.h"
#include "entry/control/control_socket.h"
#include "entry/control/ctl_capture.h"
#include "entry/control/ctl_tables.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/output_file.h"

namespace anml::rt::entry {

namespace {

using Clock = std::chrono::steady_clock;

int refuse_ctl(const std::string& error)
{
    commandline::say(fmt::format("error: {}\n", error));
    return kExitFailed;
}

// What the run sends, until it closes the connection, time is up, or somebody interrupts.
class Answer {
  public:
    Answer(int connection, const Options& options, const std::atomic<bool>& stop)
        : connection_(connection), stop_(stop), ends_(Clock::time_point::max())
    {
        if (options.duration) ends_ = Clock::now() + std::chrono::nanoseconds(*options.duration);
    }

    // The next line without its end; false: there is none.
    bool next_line(std::string& line)
    {
        std::size_t end;
        while ((end = buffer_.find('\n')) == std::string::npos)
            if (!more()) return false;
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
    }

    bool closed() const { return closed_; }
    // What has come behind it.
    std::string rest() { return std::move(buffer_); }

  private:
    bool more()
    {
        while (!stop_.load(std::memory_order_relaxed) && Clock::now() < ends_) {
            pollfd waits{connection_, POLLIN, 0};
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(ends_ - Clock::now()).count();
            if (poll(&waits, 1, static_cast<int>(std::min<long long>(left, 100))) <= 0) continue;
            std::array<char, 65536> bytes;
            const ssize_t count = recv(connection_, bytes.data(), bytes.size(), 0);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                closed_ = true;
                return false;
            }
            buffer_.append(bytes.data(), static_cast<std::size_t>(count));
            return true;
        }
        return false;
    }

    int connection_;
    const std::atomic<bool>& stop_;
    Clock::time_point ends_;
    std::string buffer_;
    bool closed_ = false;
};

bool send_request(int connection, const std::vector<std::string>& words)
{
    std::string request;
    for (const std::string& word : words) request += (request.empty() ? "" : " ") + word;
    request += '\n';
    for (std::string_view left = request; !left.empty();) {
        const ssize_t sent = send(connection, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0) return false;
        left.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace

std::string ask_run(const Options& options, std::string& error)
{
    const io::Descriptor connection = connect_control(options.control, error);
    if (!connection.valid()) return "";
    error.clear();
    send_request(connection.get(), options.words);
    const std::atomic<bool> never{false};
    Answer answer(connection.get(), options, never);
    std::string line;
    if (answer.next_line(line))
        error = refusal_in(line);
    else
        error = "the run did not answer";
    return line;
}

int run_ctl(const Options& options)
{
    const bool captures = options.words.front() == "capture";
    if (captures && isatty(STDOUT_FILENO)) {
        return refuse_ctl("a capture is nothing for a terminal: write it to a file, or `| wireshark -k -i -`");
    }
    const std::atomic<bool>& stop = catch_interrupts();
    std::string error;
    const io::Descriptor connection = connect_control(options.control, error);
    if (!connection.valid()) return refuse_ctl(error);
    send_request(connection.get(), options.words);  // what it did not take it refuses
    Answer answer(connection.get(), options, stop);
    std::string line;
    bool any = false;
    while (answer.next_line(line)) {
        any = true;
        if (const std::string refused = refusal_in(line); !refused.empty()) return refuse_ctl(refused);
        if (captures) return write_capture(connection.get(), answer.rest(), options, stop);
        const std::string text = options.json ? line + "\n" : table_of(options.words.front(), line);
        if (!write_standard_output(text)) return kExitFailed;
    }
    if (!any && answer.closed()) return refuse_ctl("the run did not answer");
    return kExitOk;
}

}  // namespace anml::rt::entry
