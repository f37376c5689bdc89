// What squeue says of array jobs, as Slurm 22.05 prints it, and what follows for who waits.
#include "experiment/launch/slurm_tasks.h"

#include <catch2/catch.hpp>
#include <string>

namespace anml {

namespace {

const std::string kScript = "/home/me/growth.runs/launch/1.sbatch";

// "1-3 PENDING: Resources, 5 RUNNING".
std::string text(const SlurmTasks& tasks)
{
    std::string all;
    for (auto at = tasks.begin(); at != tasks.end();) {
        const std::size_t first = at->first;
        std::size_t last = first;
        const std::string state = at->second.text();
        while (++at != tasks.end() && at->first == last + 1 && at->second.text() == state) last = at->first;
        all += (all.empty() ? "" : ", ") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
        all += " " + state;
    }
    return all;
}

std::string line(const std::string& id, const std::string& state, const std::string& script = kScript)
{
    return id + "|" + state + "|" + script + "\n";
}

std::string read(const std::string& said, std::size_t count = 12) { return text(slurm_tasks(said, kScript, count)); }

}  // namespace

TEST_CASE("tasks of an array, as squeue has them")
{
    CHECK(read("") == "");
    CHECK(read(line("7_[3-5,9-10%2]", "PENDING|JobArrayTaskLimit") + line("7_2", "RUNNING|None") +
               line("7_1", "TIMEOUT|TimeLimit")) ==
          "1 TIMEOUT: TimeLimit, 2 RUNNING, 3-5 PENDING: JobArrayTaskLimit, 9-10 PENDING: JobArrayTaskLimit");
    CHECK(read(line("7_[2-8:3]", "PENDING|Resources")) ==
          "2 PENDING: Resources, 5 PENDING: Resources, 8 PENDING: Resources");
    // All that had not begun, cancelled at once, and one of its own.
    CHECK(read(line("7", "CANCELLED|Resources") + line("7_11", "CANCELLED|JobHeldUser") +
               line("7_1", "RUNNING|None")) == "1 RUNNING, 2-12 CANCELLED");
    // Cut: what is behind may all be there.
    CHECK(read(line("7_[3,5-6,1", "PENDING|Resources")) == "3 PENDING: Resources, 5-12 PENDING: Resources");
    // Another job has this number since the controller lost what it knew.
    CHECK(read(line("7_[1-12]", "PENDING|Resources", "/home/you/launch/1.sbatch")) == "");
    CHECK(read(line("7_3", "RUNNING|None", "(null)")) == "");
    CHECK(read("CLUSTER: one\n" + line("7_3", "RUNNING|None") + "what|is this") == "3 RUNNING");
    CHECK(read(line("7_[0-99999999999999999999]", "PENDING|") + line("7_[-", "PENDING|") + line("7_13", "RUNNING|")) ==
          "1-12 PENDING");
}

TEST_CASE("what is no longer said of tasks")
{
    const SlurmTasks before = slurm_tasks(
        line("7_[3-6]", "PENDING|Resources") + line("7_1", "TIMEOUT|TimeLimit") + line("7_2", "RUNNING|None"), kScript,
        6);
    // Two were cancelled before they began, and one has ended so long ago that it is forgotten.
    CHECK(text(slurm_tasks_after(before, slurm_tasks(line("7_[5-6]", "PENDING|Resources"), kScript, 6))) ==
          "1 TIMEOUT: TimeLimit, 3-4 CANCELLED, 5-6 PENDING: Resources");
    CHECK(text(slurm_tasks_after(before, slurm_tasks(line("7", "CANCELLED|Resources"), kScript, 6))) ==
          "1 TIMEOUT: TimeLimit, 2-6 CANCELLED");
    // One begins again.
    CHECK(text(slurm_tasks_after(before, slurm_tasks(line("7_[1,3-6]", "PENDING|BeginTime"), kScript, 6))) ==
          "1 PENDING: BeginTime, 3-6 PENDING: BeginTime");
    // The whole job is unknown.
    CHECK(text(slurm_tasks_after(before, {})) == "1 TIMEOUT: TimeLimit");
}

TEST_CASE("tasks are waited for as long as they may go on")
{
    const SlurmTask pending{"PENDING", "Resources"}, running{"RUNNING", "None"}, completing{"COMPLETING", "None"},
        failed{"NODE_FAIL", ""};
    const SlurmPatience patience{600, 3600};
    const auto goes_on = [&](const SlurmTask* task, double still, double unheard = 0) {
        return may_go_on(task, still, unheard, patience);
    };
    CHECK(goes_on(&pending, 1e6));
    CHECK(goes_on(&running, 600));
    CHECK_FALSE(goes_on(&running, 601));
    CHECK_FALSE(goes_on(&completing, 601));
    CHECK_FALSE(goes_on(&failed, 0));
    CHECK_FALSE(goes_on(nullptr, 0));
    // Slurm does not answer: what it said may be old. What shows signs of life needs no Slurm.
    CHECK(goes_on(&running, 3000, 3600));
    CHECK(goes_on(nullptr, 3000, 1));
    CHECK(goes_on(&running, 5, 9999));
    CHECK_FALSE(goes_on(&pending, 3601, 3601));
}

TEST_CASE("how long the same is shown")
{
    Standstills still;
    CHECK(still.lasts("1-1", "a", 10) == 0);
    CHECK(still.lasts("1-2", "a", 15) == 0);
    CHECK(still.lasts("1-1", "a", 20) == 10);
    CHECK(still.lasts("1-1", "b", 25) == 0);
    CHECK(still.lasts("1-1", "b", 26) == 1);
    CHECK(still.lasts("1-2", "a", 26) == 11);
}

}  // namespace anml
