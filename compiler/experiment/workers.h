// Programs that run beside each other, and not longer than this one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace anml {

class Workers {
  public:
    Workers() = default;
    ~Workers();  // ends those that run
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Starts the command in the folder ("": this one); what it prints goes to the file `log`, which is made anew. "":
    // it runs; else why it doesn't.
    std::string start(std::size_t id, const std::vector<std::string>& command, const std::string& log,
                      const std::string& folder = "");
    std::size_t running() const { return running_.size(); }
    void signal(std::size_t id, int number);  // to one that runs

    // Those that run, with the seconds that they do.
    std::vector<std::pair<std::size_t, double>> under_way() const;

    struct Ended {
        std::size_t id = 0;
        int status = 0;  // exit status; 128 and the signal that ended it
        double seconds = 0;
    };
    // Waits until one has ended, or for so many ms; nothing: none has.
    std::optional<Ended> wait(int milliseconds);

  private:
    struct Running {
        pid_t process;
        std::size_t id;
        double begun;  // s
    };
    std::vector<Running> running_;
};

}  // namespace anml
