// Array jobs of Slurm, by its commands: sbatch, squeue, scancel, scontrol.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "base/process.h"
#include "base/read_file.h"
#include "commandline/whole_file.h"
#include "experiment/launcher.h"
#include "experiment/run_folder.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kUsualMost = 1001;              // MaxArraySize, where nobody says another
constexpr std::chrono::seconds kFirst{2}, kLast{15};  // between questions to the controller, of which it wants few

struct Job {
    std::string id;     // "12", or "12;cluster"
    std::string names;  // file with the runs' names, below launch/
    std::string number() const { return id.substr(0, id.find(';')); }
    std::vector<std::string> command(const char* tool) const
    {
        std::vector<std::string> words{tool};
        if (const auto cluster = id.find(';'); cluster != std::string::npos)
            words.push_back("--clusters=" + id.substr(cluster + 1));
        return words;
    }
};

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

class Slurm : public Launcher {
  public:
    explicit Slurm(const ExperimentRequest& request) : request_(request), record_(request.folder + "/launch/slurm.json")
    {
    }

    std::vector<std::string> under_way() override
    {
        std::vector<std::string> names;
        const auto record = read_json(record_);
        if (!record || !record->is_array()) return names;
        for (const Json& one : *record) {
            if (!one.is_object() || !one.contains("job") || !one.contains("names") || !one["job"].is_string() ||
                !one["names"].is_string())
                continue;
            const Job job{one["job"], one["names"]};
            if (!is_alive(job)) continue;
            jobs_.push_back(job);
            std::string text;
            read_file(fmt::format("{}/launch/{}", request_.folder, job.names), std::size_t{1} << 30, Readable::files,
                      text);
            for (std::string& name : lines_of(text)) names.push_back(std::move(name));
        }
        return names;
    }

    std::string submit(const std::vector<LaunchedRun>& runs) override
    {
        const std::string path = next_submission(request_.folder);
        std::string names;
        for (const LaunchedRun& run : runs) names += run.name + "\n";
        // As many tasks as an array may have: more runs than that share them.
        const std::size_t most = std::max<std::size_t>(2, max_array_size()) - 1;
        const std::size_t each = (runs.size() + most - 1) / most, tasks = (runs.size() + each - 1) / each;
        const std::string script = path + ".sbatch";
        if (!commandline::write_whole(path + ".names", names) ||
            !commandline::write_whole(script, job_script(fs::path(path).filename().string(), tasks, each)))
            return fmt::format("cannot write `{}`: {}", script, std::strerror(errno));
        std::string said;
        const std::string call = fmt::format("exec sbatch --parsable {} \"$@\"", request_.launch.arguments);
        const std::string here = fs::absolute(request_.folder).lexically_normal().string();
        const int status = run_tool({"sh", "-c", call, "sbatch", "--chdir=" + here, fs::absolute(script).string()},
                                    request_.folder, said);
        for (const std::string& line : lines_of(said)) {
            const auto end =
                std::find_if_not(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c); });
            if (status != 0 || end == line.begin() || (end != line.end() && *end != ';')) continue;
            jobs_.push_back({line, fs::path(path).filename().string() + ".names"});
            latest_ = jobs_.back().number();
            submissions_.push_back({path, each, {}});
            for (const LaunchedRun& run : runs) submissions_.back().names.push_back(run.name);
            return write_record();
        }
        return fmt::format("sbatch has not taken the job:\n{}", without_end(said));
    }

    std::string said() const override { return "as job " + latest_; }

    bool working() override
    {
        if (jobs_.empty()) return false;
        if (Clock::now() < next_) return true;
        next_ = Clock::now() + between_;
        between_ = std::min<Clock::duration>(between_ * 3 / 2, kLast);
        std::erase_if(jobs_, [&](const Job& job) { return !is_alive(job); });
        return !jobs_.empty();
    }

    std::string more() const override
    {
        std::string numbers;
        for (const Job& job : jobs_) numbers += (numbers.empty() ? "" : ",") + job.number();
        return fmt::format("`squeue --jobs={}`{} and {}/launch", numbers, states(), request_.folder);
    }

    // Of the task that had it last.
    std::string last_words(const std::string& run) const override
    {
        for (auto one = submissions_.rbegin(); one != submissions_.rend(); ++one) {
            const auto at = std::find(one->names.begin(), one->names.end(), run);
            if (at == one->names.end()) continue;
            const auto task = static_cast<std::size_t>(at - one->names.begin()) / one->each + 1;
            return last_lines_of(fmt::format("{}-{}.out", one->path, task));
        }
        return "";
    }

    void begin_no_more() override { cancel({"--state=PENDING"}); }
    void cancel() override { cancel({}); }

  private:
    // What the controller cannot tell now may still go on.
    bool is_alive(const Job& job) const
    {
        std::vector<std::string> words = job.command("squeue");
        words.insert(words.end(), {"--noheader", "--format=%i", "--jobs=" + job.number()});
        std::string said;
        if (run_tool(words, request_.folder, said) == 0)
            return std::any_of(said.begin(), said.end(), [](unsigned char c) { return std::isdigit(c); });
        return said.find("Invalid job id") == std::string::npos;
    }

    // " (3 RUNNING, 9 PENDING: Resources)": of tasks, the controller's words.
    std::string states() const
    {
        std::map<std::string, std::size_t> counts;
        for (const Job& job : jobs_) {
            std::vector<std::string> words = job.command("squeue");
            words.insert(words.end(), {"--noheader", "--array", "--format=%T: %r", "--jobs=" + job.number()});
            std::string said;
            if (run_tool(words, request_.folder, said) != 0) continue;
            for (std::string line : lines_of(said)) {
                if (line.ends_with(": None")) line.erase(line.size() - 6);
                ++counts[line];
            }
        }
        std::string text;
        for (const auto& [state, count] : counts)
            text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", count, state);
        return text.empty() ? text : text + ")";
    }

    void cancel(const std::vector<std::string>& how) const
    {
        for (const Job& job : jobs_) {
            std::vector<std::string> words = job.command("scancel");
            words.insert(words.end(), how.begin(), how.end());
            words.push_back(job.number());
            std::string ignored;
            run_tool(words, request_.folder, ignored);
        }
    }

    std::string write_record() const
    {
        Json record = Json::array();
        for (const Job& job : jobs_) record.push_back({{"job", job.id}, {"names", job.names}});
        if (write_json(record_, record)) return "";
        return fmt::format("cannot write `{}`: {}", record_, std::strerror(errno));
    }

    std::size_t max_array_size() const
    {
        std::string said;
        std::size_t size = kUsualMost;
        if (run_tool({"scontrol", "show", "config"}, request_.folder, said) != 0) return size;
        for (const std::string& line : lines_of(said))
            if (line.starts_with("MaxArraySize"))
                if (const auto digit = line.find_first_of("0123456789"); digit != std::string::npos)
                    std::from_chars(line.data() + digit, line.data() + line.size(), size);
        return size;
    }

    std::string job_script(const std::string& number, std::size_t tasks, std::size_t each) const
    {
        const std::string at_once = request_.launch.jobs > 0 ? fmt::format("%{}", request_.launch.jobs) : "";
        const std::string lines =
            each == 1 ? "${SLURM_ARRAY_TASK_ID}p"
                      : fmt::format("$(((SLURM_ARRAY_TASK_ID - 1) * {0} + 1)),$((SLURM_ARRAY_TASK_ID * {0}))p", each);
        return fmt::format(
            "#!/bin/sh\n"
            "#SBATCH --job-name={}\n"
            "#SBATCH --array=1-{}{}\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n"
            "#SBATCH --output=launch/{}-%a.out\n"
            "exec sh launch/run.sh $(sed -n \"{}\" launch/{}.names)\n",
            request_.name, tasks, at_once, number, lines, number);
    }

    const ExperimentRequest& request_;
    std::string record_, latest_;
    std::vector<Job> jobs_;
    struct Submission {
        std::string path;  // "FOLDER/launch/3"
        std::size_t each;  // runs of a task
        std::vector<std::string> names;
    };
    std::vector<Submission> submissions_;  // of this process
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
    const ProcessResult tried =
        run_process({"/bin/sh", "-c", fmt::format("exec sbatch --test-only {} --wrap=true", launch.arguments)});
    constexpr std::string_view kNever[] = {"nvalid", "nrecognized", "ambiguous", "requires an argument"};
    if (tried.exit_code == 0 || std::none_of(std::begin(kNever), std::end(kNever), [&](std::string_view word) {
            return tried.output.find(word) != std::string::npos;
        }))
        return "";
    return fmt::format("sbatch has not taken the job:\n{}", without_end(tried.output));
}

std::unique_ptr<Launcher> make_slurm(const ExperimentRequest& request) { return std::make_unique<Slurm>(request); }

}  // namespace anml
