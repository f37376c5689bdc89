#include "entry/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>

#include "commandline/streams.h"
#include "common/mix.h"
#include "entry/describe.h"
#include "entry/run.h"

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
    return fmt::format("{} {} {} {:x}\n", describe_versions(image), image.nodes, image.directed_links, hash.value());
}

namespace {

// What all processes must have alike: the model, its values, and what the command line says.
std::string all_alike(const Model& model, const std::vector<std::string>& command_line)
{
    std::string text = identity(model);
    for (std::size_t i = 1; i < command_line.size(); ++i) text += command_line[i] + "\n";
    return text;
}

// All come here, each with why it cannot run, or nothing. What rank 0 makes of it is the status of all.
int agree(Together& together, const Ending& own, const std::string& identity)
{
    const std::string said = fmt::format("{}\n{}", own.exit_code, identity);
    const std::vector<std::vector<std::uint8_t>> all = together.post.gather(bytes_of(own.error + '\0' + said));
    Ending ending = own;
    for (std::size_t rank = 1; rank < all.size() && ending.exit_code == kExitOk; ++rank) {
        const std::string theirs = text_of(all[rank]), error = theirs.substr(0, theirs.find('\0'));
        if (!error.empty())
            ending = {kExitFailed, "", fmt::format("rank {}: {}", rank, error)};
        else if (theirs.substr(1) != said)
            ending = {kExitFailed, "",
                      fmt::format("error: rank {} runs another model than rank 0, or has other options\n", rank)};
    }
    if (together.first()) commandline::say(ending.error);
    return std::stoi(text_of(together.post.broadcast(bytes_of(std::to_string(ending.exit_code)))));
}

int run_together(Mpi& mpi, const abi::Image& image, const Options& options,
                 const std::vector<std::string>& command_line)
{
    Together together{mpi};
    Options own = options;
    if (!together.first()) own.results = own.report = "";
    Ending ending;
    const std::unique_ptr<Run> run = Run::prepare(image, own, command_line, ending);
    if (run && run->options().workload)
        if (const std::string error = unserved_workload(run->model(), {}); !error.empty())
            ending = {kExitFailed, "", fmt::format("error: {}\n", error)};
    int status = agree(together, ending, run ? all_alike(run->model(), command_line) : "");
    if (status == kExitOk) {
        status = run_simulate(*run, &together);
        status = std::stoi(text_of(together.post.broadcast(bytes_of(std::to_string(status)))));
    }
    mpi.leave();
    return status;
}

}  // namespace

int simulate_together(const abi::Image& image, const Options& options, const std::vector<std::string>& command_line)
{
    std::string error;
    const std::unique_ptr<Mpi> mpi = Mpi::join(error);
    if (!mpi) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    // The others would wait for this one.
    try {
        return run_together(*mpi, image, options, command_line);
    } catch (const std::bad_alloc&) {
        error = "the memory that may be used does not do";
    } catch (const std::system_error& problem) {
        error = problem.what();
    }
    commandline::say(fmt::format("error: rank {}: {}\n", mpi->rank(), error));
    return kExitFailed;
}

}  // namespace anml::rt::entry
