#include "entry/run/mpi_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>

#include "commandline/streams.h"
#include "common/mix.h"
#include "entry/options/describe.h"
#include "entry/run/run.h"

namespace anml::rt::entry {

namespace {

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

class Hash {
  public:
    template <class T>
    void add(const T* rows, std::size_t count)
    {
        const auto* at = reinterpret_cast<const unsigned char*>(rows);
        for (std::size_t left = count * sizeof(T); left != 0;) {
            std::uint64_t word = 0;
            const std::size_t some = std::min(left, sizeof word);
            std::memcpy(&word, at, some);
            hash_ = mix(hash_ ^ word);
            at += some;
            left -= some;
        }
    }
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0;
};

}  // namespace

std::string identity(const Model& model)
{
    const abi::Image& image = model.image();
    Hash hash;
    hash.add(image.strings, image.string_bytes);
    hash.add(image.node_rows, image.node_row_count);
    hash.add(image.link_rows, image.link_row_count);
    hash.add(image.tables, image.table_count);
    hash.add(image.codes, image.code_bytes);
    hash.add(image.workloads, image.workload_count);
    hash.add(image.task_rows, image.task_row_count);
    for (std::uint32_t i = 0; i < image.value_count; ++i) {
        const double value = model.value(i);
        hash.add(&value, 1);
    }
    std::string text =
        fmt::format("{} {} {} {:x}", describe_versions(image), image.nodes, image.directed_links, hash.value());
    std::replace(text.begin(), text.end(), '\n', ',');
    return text;
}

namespace {

// What all processes must have alike: that line and the words of the command line, each ended by a zero.
std::string all_alike(const Model& model, const std::vector<std::string>& command_line)
{
    std::string text = identity(model);
    text.push_back('\0');
    for (std::size_t i = 1; i < command_line.size(); ++i) text += command_line[i], text.push_back('\0');
    return text;
}

struct Identity {
    std::string model;
    std::vector<std::string> words;
};

Identity read_identity(const std::string& text)
{
    std::vector<std::string> all;
    for (std::size_t begin = 0, end = 0; (end = text.find('\0', begin)) != text.npos; begin = end + 1)
        all.push_back(text.substr(begin, end - begin));
    if (all.empty()) return {};
    return {all.front(), {all.begin() + 1, all.end()}};
}

// The words from the first to the last that differ.
std::string differing(const std::vector<std::string>& words, const std::vector<std::string>& others)
{
    const std::size_t least = std::min(words.size(), others.size());
    std::size_t same = 0, behind = 0;
    while (same < least && words[same] == others[same]) ++same;
    while (behind < least - same && words[words.size() - 1 - behind] == others[others.size() - 1 - behind]) ++behind;
    // A value without its option says little.
    const auto is_option = [&](const std::vector<std::string>& some) {
        return some.size() - behind <= same || some[same].starts_with("-");
    };
    if (same > 0 && words[same - 1].starts_with("--") && !is_option(words) && !is_option(others)) --same;
    std::string text;
    for (std::size_t i = same; i < words.size() - behind; ++i) text += (text.empty() ? "" : " ") + words[i];
    return text.empty() ? "nothing there" : "`" + text + "`";
}

std::string difference(std::size_t rank, const std::string& own, const std::string& theirs)
{
    const Identity here = read_identity(own), there = read_identity(theirs);
    if (here.words != there.words)
        return fmt::format("error: rank {} has other options than rank 0: {}, and rank 0 {}\n", rank,
                           differing(there.words, here.words), differing(here.words, there.words));
    return fmt::format(
        "error: rank {} runs another model than rank 0, or one with other values\n  rank 0: {}\n  rank {}: {}\n", rank,
        here.model, rank, there.model);
}

// All come here, each with why it cannot run, or nothing. What rank 0 makes of it is the status of all.
int agree(MpiRun& mpi_run, const Ending& own, const std::string& identity)
{
    // Its status does not count among what is to be alike: who cannot run says so.
    const std::vector<std::vector<std::uint8_t>> all = mpi_run.post.gather(bytes_of(own.error + '\0' + identity));
    Ending ending = own;
    for (std::size_t rank = 1; rank < all.size() && ending.exit_code == kExitOk; ++rank) {
        const std::string theirs = text_of(all[rank]), error = theirs.substr(0, theirs.find('\0'));
        if (!error.empty())
            ending = {kExitFailed, "", fmt::format("rank {}: {}", rank, error)};
        else if (const std::string they = theirs.substr(1); they != identity)
            ending = {kExitFailed, "", difference(rank, identity, they)};
    }
    if (mpi_run.first()) commandline::say(ending.error);
    return std::stoi(text_of(mpi_run.post.broadcast(bytes_of(std::to_string(ending.exit_code)))));
}

int run_with_mpi(Mpi& mpi, const abi::Image& image, const Options& options,
                 const std::vector<std::string>& command_line)
{
    MpiRun mpi_run{mpi};
    Options own = options;
    if (!mpi_run.first()) own.results.clear(), own.reports.clear();
    Ending ending;
    const std::unique_ptr<Run> run = Run::prepare(image, own, command_line, ending);
    if (run && run->options().workload)
        if (const std::string error = unserved_workload(run->model(), {}); !error.empty())
            ending = {kExitFailed, "", fmt::format("error: {}\n", error)};
    int status = agree(mpi_run, ending, run ? all_alike(run->model(), command_line) : "");
    if (status == kExitOk) {
        status = run_simulate(*run, &mpi_run);
        status = std::stoi(text_of(mpi_run.post.broadcast(bytes_of(std::to_string(status)))));
    }
    mpi.leave();
    return status;
}

}  // namespace

void warn_of_copies()
{
    const auto number = [](const char* name) {
        const char* const text = std::getenv(name);
        return text ? std::atol(text) : -1;
    };
    struct Starter {
        const char *size, *rank;
    };
    // Open MPI, MPICH and what has its PMI, Slurm with PMI-2 or PMIx: a task of a job alone is not started by MPI.
    for (const auto& [size, rank] :
         {Starter{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, Starter{"PMI_SIZE", "PMI_RANK"},
          Starter{"SLURM_NTASKS", "PMIX_RANK"}, Starter{"SLURM_NTASKS", "PMI_RANK"}})
    {
        if (number(size) < 2 || number(rank) < 0) continue;
        if (number(rank) == 0)
            commandline::say(fmt::format(
                "warning: this is one of {} processes that each run the whole model by themselves: `simulate "
                "--mpi` has them run it together\n",
                number(size)));
        return;
    }
}

int simulate_with_mpi(const abi::Image& image, const Options& options, const std::vector<std::string>& command_line)
{
    std::string error;
    const std::unique_ptr<Mpi> mpi = Mpi::join(error);
    if (!mpi) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    // The others would wait for this one.
    try {
        return run_with_mpi(*mpi, image, options, command_line);
    } catch (const std::bad_alloc&) {
        error = "the memory that may be used does not do";
    } catch (const std::system_error& problem) {
        error = problem.what();
    }
    commandline::say(fmt::format("error: rank {}: {}\n", mpi->rank(), error));
    return kExitFailed;
}

}  // namespace anml::rt::entry
