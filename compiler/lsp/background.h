// Work of later stages, and of requests that look at much, in processes of their own: it begins with a copy of all that
// the server knows, can be given up at any moment, and takes its memory along.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string>

namespace anml::lsp {

struct WorkLimits {
    std::chrono::seconds time{120};
    std::size_t memory = std::size_t{4} << 30;  // bytes beside what the server has
};

class Background {
  public:
    Background() = default;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background() { stop_all(); }

    using Number = std::uint64_t;
    // `work` runs in the process, `done` here: with what it returned, or nothing where it failed or took too long.
    Number start(const std::function<std::string()>& work, std::function<void(std::optional<std::string>)> done,
                 WorkLimits limits = {});
    void stop(Number number);  // `done` is not called
    void stop_all();
    bool idle() const { return tasks_.empty(); }

    // What to wait for besides others: descriptors that become readable; then `attend`.
    std::vector<int> descriptors() const;
    void attend();

  private:
    struct Task {
        Number number = 0;
        pid_t process = 0;
        int result = -1;
        std::string text;
        std::chrono::steady_clock::time_point end;
        std::function<void(std::optional<std::string>)> done;
    };
    static void kill_task(Task& task);

    std::list<Task> tasks_;
    Number last_ = 0;
};

}  // namespace anml::lsp
