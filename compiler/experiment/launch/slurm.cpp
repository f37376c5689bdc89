// Array jobs of Slurm, by its commands: sbatch, squeue, scancel, scontrol.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "base/files/read_file.h"
#include "base/process.h"
#include "commandline/whole_file.h"
#include "experiment/launch/launcher.h"
#include "experiment/launch/slurm_submission.h"
#include "experiment/progress.h"
#include "experiment/run_folder.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kUsualMost = 1001;              // MaxArraySize, where nobody says another
constexpr std::chrono::seconds kFirst{2}, kLast{15};  // between questions to the controller, of which it wants few

class Slurm : public Launcher {
  public:
    explicit Slurm(const ExperimentRequest& request) : request_(request), record_(request.folder + "/launch/slurm.json")
    {
    }

    std::vector<std::string> under_way() override
    {
        read_submissions(record_, submissions_);
        if (!submissions_.empty()) read_config();
        std::vector<std::string> names;
        for (Submission& one : submissions_) {
            ask(one);
            one.over = !one.may_live();
            if (latest_.empty()) latest_ = one.id();
            for (std::size_t place = 0; place < one.names.size() && !one.over && !one.job.empty(); ++place) {
                const SlurmTask* task = one.task(one.task_of(place));
                if (one.unheard_since > 0 || (task && !task->has_ended())) names.push_back(one.names[place]);
            }
        }
        return names;
    }

    std::string submit(const std::vector<LaunchedRun>& runs) override
    {
        const std::string path = next_submission(request_.folder);
        read_config();
        // As many tasks as an array may have: more runs than that share them.
        const std::size_t most = std::max<std::size_t>(2, max_array_size_) - 1;
        Submission made;
        made.number = fs::path(path).filename().string();
        made.each = (runs.size() + most - 1) / most;
        for (const LaunchedRun& run : runs) made.add(run.name);
        std::string names;
        for (const std::string& name : made.names) names += name + "\n";
        const std::string script = path + ".sbatch";
        if (!commandline::write_whole(path + ".names", names) || !commandline::write_whole(script, job_script(made)))
            return fmt::format("cannot write `{}`: {}", script, std::strerror(errno));
        // Written down first: a job that is taken while this process is killed is found by its script.
        submissions_.push_back(std::move(made));
        if (std::string wrong = write_record(); !wrong.empty()) return submissions_.pop_back(), wrong;
        Submission& one = submissions_.back();
        std::string said;
        const std::string call = fmt::format("exec sbatch --parsable {} \"$@\"", request_.launch.arguments);
        const std::string here = fs::absolute(request_.folder).lexically_normal().string();
        const int status =
            run_tool({"sh", "-c", call, "sbatch", "--chdir=" + here, script_of(one)}, request_.folder, said);
        for (const std::string& line : lines_of(said))
            if (status == 0 && is_job(line)) one.job = line;
        // Taken, it may be, by a controller that was too busy to say so in time.
        if (one.job.empty()) find_by_script(one);
        latest_ = one.id();
        between_ = kFirst, next_ = {};
        if (!one.job.empty()) {
            for (std::size_t task = 1; task <= one.count(); ++task) one.tasks[task] = {"PENDING", ""};
            return write_record();
        }
        if (one.unheard_since == 0) submissions_.pop_back(), write_record();
        return fmt::format("sbatch has not taken the job:\n{}", without_end(said));
    }

    std::string said() const override { return "as job " + latest_; }

    bool working(const std::vector<std::string>& missing) override
    {
        const bool due = Clock::now() >= next_;
        if (due) {
            for (Submission& one : submissions_) ask(one);
            next_ = Clock::now() + between_;
            between_ = std::min<Clock::duration>(between_ * 3 / 2, kLast);
        }
        if (due || !working_) judge(missing);  // of which some may have come since the question
        return working_;
    }

    std::string states() const override { return states_; }

    std::string more() const override
    {
        std::string ids;
        for (const Submission& one : submissions_)
            if (!one.job.empty() && one.may_live()) ids += (ids.empty() ? "" : ",") + one.id();
        return fmt::format("`squeue --jobs={}` and {}/launch", ids.empty() ? latest_ : ids, request_.folder);
    }

    // Of the task that had it last.
    std::string last_words(const std::string& run) const override
    {
        for (auto one = submissions_.rbegin(); one != submissions_.rend(); ++one)
            if (const auto at = one->places.find(run); at != one->places.end())
                return last_lines_of(
                    fmt::format("{}/launch/{}-{}.out", request_.folder, one->number, one->task_of(at->second)));
        return "";
    }

    bool was_cancelled(const std::string& run) const override
    {
        for (auto one = submissions_.rbegin(); one != submissions_.rend(); ++one)
            if (const auto at = one->places.find(run); at != one->places.end()) {
                const SlurmTask* task = one->task(one->task_of(at->second));
                return task && task->state == "CANCELLED";
            }
        return false;
    }

    std::string begin_no_more() override { return cancel({"--state=PENDING"}); }
    std::string cancel() override { return cancel({}); }

  private:
    // Of the script's path as sbatch is given it: what links are in it depends on where the command was called.
    std::string script_of(const Submission& one) const
    {
        std::error_code ignored;
        const fs::path path = fs::absolute(fmt::format("{}/launch/{}.sbatch", request_.folder, one.number));
        const fs::path real = fs::weakly_canonical(path, ignored);
        return (ignored ? path.lexically_normal() : real).string();
    }

    std::string write_record() const { return write_submissions(record_, submissions_); }

    // Asks Slurm of its tasks.
    void ask(Submission& one) const
    {
        if (one.over) return;
        if (one.job.empty()) find_by_script(one);
        if (one.job.empty()) return;
        std::vector<std::string> words{"env", "SLURM_BITSTR_LEN=0"};
        for (std::string& word : one.command("squeue")) words.push_back(std::move(word));
        words.insert(words.end(), {"--noheader", "--states=all", kSlurmFormat, "--jobs=" + one.id()});
        std::string said;
        const bool answered = run_tool(words, request_.folder, said) == 0;
        if (!hear(one, answered || said.find("Invalid job id") != std::string::npos, said)) return;
        one.tasks =
            slurm_tasks_after(one.tasks, answered ? slurm_tasks(said, script_of(one), one.count()) : SlurmTasks{});
    }

    // Of a submission without a number of a job: whether there is one all the same.
    void find_by_script(Submission& one) const
    {
        std::string said;
        const bool answered = run_tool({"squeue", "--noheader", "--format=%F|%o", fmt::format("--user={}", getuid())},
                                       request_.folder, said) == 0;
        if (!hear(one, answered, said)) return;
        const std::string script = "|" + script_of(one);
        for (const std::string& line : lines_of(said))
            if (is_job(line.substr(0, line.find('|'))) && line.ends_with(script))
                one.job = line.substr(0, line.find('|'));
    }

    static bool hear(Submission& one, bool answered, const std::string& said)
    {
        if (answered) {
            one.unheard_since = 0;
        } else {
            if (one.unheard_since == 0) one.unheard_since = seconds_now();
            const auto lines = lines_of(said);
            one.refusal = lines.empty() ? "" : lines.back();
        }
        return answered;
    }

    // Whether any of these runs may still begin or end, and what is to be said of their tasks.
    void judge(const std::vector<std::string>& missing)
    {
        const double now = seconds_now();
        working_ = false;
        std::map<std::string, std::size_t> counts;
        std::string refusal;
        std::map<std::string, std::size_t> last_of;  // the submission that is told of
        for (std::size_t i = 0; i < submissions_.size(); ++i)
            for (const std::string& name : missing)
                if (submissions_[i].places.contains(name)) last_of[name] = i;
        for (std::size_t i = 0; i < submissions_.size(); ++i) {
            const Submission& one = submissions_[i];
            const double unheard = one.unheard_since > 0 ? std::max(now - one.unheard_since, 1e-9) : 0;
            std::map<std::size_t, std::string> signs;  // by task
            std::set<std::size_t> told;
            for (const std::string& name : missing) {
                const auto at = one.places.find(name);
                if (at == one.places.end()) continue;
                const std::size_t index = one.task_of(at->second);
                const SlurmTask* task = one.task(index);
                std::string& sign = signs.try_emplace(index, task ? task->state : "").first->second;
                if (unheard > 0 || (task && task->runs())) sign += " " + sign_of_life(request_.folder, name);
                if (last_of[name] == i) told.insert(index);
            }
            for (const auto& [index, sign] : signs) {
                const SlurmTask* task = one.task(index);
                const double still = still_.lasts(fmt::format("{}-{}", one.number, index), sign, now);
                if (may_go_on(task, still, unheard, patience_)) working_ = true;
                if (!told.contains(index)) continue;
                if (unheard > 0)
                    refusal = fmt::format("Slurm has not answered for {}: {}", duration_text(now - one.unheard_since),
                                          one.refusal);
                else if (!task)
                    ++counts["not in the queue"];
                else if (task->runs() && still >= kSilent)
                    ++counts[fmt::format("{} without a sign of life", task->state)];
                else
                    ++counts[task->text()];
            }
        }
        states_ = refusal;
        for (const auto& [state, count] : counts)
            states_ += fmt::format("{}{} {}", states_.empty() ? "" : ", ", count, state);
    }

    // "", or what was not cancelled and why.
    std::string cancel(const std::vector<std::string>& how) const
    {
        std::string wrong;
        for (const Submission& one : submissions_) {
            if (one.job.empty() || !one.may_live()) continue;
            std::vector<std::string> words = one.command("scancel");
            words.insert(words.end(), how.begin(), how.end());
            words.push_back(one.id());
            std::string said;
            if (run_tool(words, request_.folder, said) != 0 && said.find("nvalid job id") == std::string::npos)
                wrong += fmt::format("{}job {} is not cancelled: {}", wrong.empty() ? "" : "; ", one.id(),
                                     without_end(said));
        }
        return wrong;
    }

    // Once it has been told.
    void read_config()
    {
        std::string said;
        if (configured_ || run_tool({"scontrol", "show", "config"}, request_.folder, said) != 0) return;
        configured_ = true;
        for (const std::string& line : lines_of(said)) {
            std::size_t value = 0;
            if (const auto digit = line.find_first_of("0123456789"); digit != std::string::npos)
                std::from_chars(line.data() + digit, line.data() + line.size(), value);
            if (line.starts_with("MaxArraySize")) max_array_size_ = value;
            // Slurm gives nodes up after that, and has their tasks begin again.
            if (line.starts_with("SlurmdTimeout"))
                patience_.task = std::max(patience_.task, 2 * static_cast<double>(value));
        }
    }

    std::string job_script(const Submission& one) const
    {
        const std::string at_once = request_.launch.jobs > 0 ? fmt::format("%{}", request_.launch.jobs) : "";
        const std::string lines =
            one.each == 1
                ? "${SLURM_ARRAY_TASK_ID}p"
                : fmt::format("$(((SLURM_ARRAY_TASK_ID - 1) * {0} + 1)),$((SLURM_ARRAY_TASK_ID * {0}))p", one.each);
        return fmt::format(
            "#!/bin/sh\n"
            "#SBATCH --job-name={}\n"
            "#SBATCH --array=1-{}{}\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n"
            "#SBATCH --output=launch/{}-%a.out\n"
            "exec sh launch/run.sh $(sed -n \"{}\" launch/{}.names)\n",
            request_.name, one.count(), at_once, one.number, lines, one.number);
    }

    static constexpr double kSilent = 60;  // s, as run.sh has it
    const ExperimentRequest& request_;
    std::string record_, latest_, states_;
    std::vector<Submission> submissions_;  // also of processes before
    Standstills still_;
    SlurmPatience patience_;
    std::size_t max_array_size_ = kUsualMost;
    bool configured_ = false, working_ = true;
    Clock::time_point next_{};
    Clock::duration between_ = kFirst;
};

}  // namespace

std::string try_slurm(const LaunchRequest& launch)
{
    for (const char* tool : {"sbatch", "squeue", "scancel"})
        if (find_program(tool).empty())
            return fmt::format("--launcher=slurm: no `{}` on the PATH: where are Slurm's commands?", tool);
    // What may come to be possible, as with nodes that are down now, sbatch takes. Of the rest it says the same then.
    const auto sbatch = [&](std::string_view words) {
        return run_process({"/bin/sh", "-c", fmt::format("exec sbatch {} {} --wrap=true", launch.arguments, words)});
    };
    const auto says = [](const ProcessResult& result, std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](std::string_view word) { return result.output.find(word) != std::string::npos; });
    };
    const auto refused = [](const ProcessResult& result) {
        return fmt::format("sbatch has not taken the job:\n{}", without_end(result.output));
    };
    ProcessResult tried = sbatch("--test-only");
    if (tried.exit_code == 0) return "";
    // It says the same of what no node will ever have and of nodes that are down. A job for later tells them apart (of
    // one that is held Slurm asks nothing).
    if (says(tried, {"node configuration is not available"})) {
        tried = sbatch("--begin=now+10days --parsable --output=/dev/null");
        if (tried.exit_code != 0) return refused(tried);
        const std::string said = without_end(tried.output);
        Submission later;
        later.job = said.substr(said.rfind('\n') + 1);
        std::vector<std::string> words = later.command("scancel");
        words.front() = find_program("scancel");
        words.push_back(later.id());
        run_process(words);
        return "";
    }
    if (!says(tried, {"nvalid", "nrecognized", "ambiguous", "requires an argument", "nable to contact",
                      "configuration source"}))
        return "";
    return refused(tried);
}

std::unique_ptr<Launcher> make_slurm(const ExperimentRequest& request) { return std::make_unique<Slurm>(request); }

}  // namespace anml
