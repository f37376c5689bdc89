// What Slurm says of the tasks of an array job, and for how long that is to be believed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace anml {

struct SlurmTask {
    std::string state, reason;  // "PENDING", "Resources"
    bool has_ended() const;
    bool runs() const { return state == "RUNNING" || state == "COMPLETING"; }
    std::string text() const;  // "PENDING: Resources"
};

// Those of an array that squeue knows, by their numbers there, from 1.
using SlurmTasks = std::map<std::size_t, SlurmTask>;

// What slurm_tasks() reads. Of arrays it wants all numbers: SLURM_BITSTR_LEN=0.
inline constexpr const char* kSlurmFormat = "--format=%i|%T|%r|%o";

// Of what squeue printed, as "12_[3-5,9%2]|PENDING|Resources|/home/me/growth.runs/launch/1.sbatch", of an array of
// `count`. Lines of another script than this are of another job, and left out: a controller that has lost what it knew
// gives the numbers of jobs once more.
SlurmTasks slurm_tasks(std::string_view said, const std::string& script, std::size_t count);

// The same, as it follows on what was known `before`. Slurm forgets how tasks have ended after some minutes, and says
// nothing of those that were cancelled one by one before they began: what waited, and is not there where others are.
SlurmTasks slurm_tasks_after(const SlurmTasks& before, SlurmTasks now);

// For how long something has shown the same. Times are s of any one clock.
class Standstills {
  public:
    double lasts(const std::string& of, std::string shows, double now)
    {
        auto& [before, since] = seen_.try_emplace(of, shows, now).first->second;
        if (before != shows) before = std::move(shows), since = now;
        return now - since;
    }

  private:
    std::map<std::string, std::pair<std::string, double>> seen_;
};

// For how many s a task is waited for that Slurm says runs and that shows no sign of life, and Slurm itself, where it
// does not answer.
struct SlurmPatience {
    double task = 600, controller = 3600;
};

// Whether the task may still come to an end by itself. `task`: as Slurm said last, null: it has none such. `still`: for
// so many s it has shown no sign of life. `unheard`: for so many s Slurm has not answered, 0: it has.
bool may_go_on(const SlurmTask* task, double still, double unheard, const SlurmPatience& patience);

}  // namespace anml
