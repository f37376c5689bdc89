#include "entry/run/mpi.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/pause.h"
#include "base/processors.h"
#include "commandline/streams.h"
#include "entry/options/options.h"
#include "entry/tools/interrupt.h"
#include "mpi/plugin.h"

namespace anml::rt::entry {

namespace {

constexpr const char* kPlugin = "libanml_mpi.so";
// Looks take some 100 ns. First it does nothing else, then others may have the processor, in the end it sleeps.
constexpr std::uint32_t kRestSpins = 4000, kRestYields = 40'000;
constexpr std::uint32_t kCrowdedSpins = 16, kCrowdedYields = 400;  // with more processes than processors
constexpr long kRestTime = 50'000;                                 // ns
constexpr std::chrono::seconds kLongStart(10);                     // as MPI starts in some 0.1 s
constexpr std::uint32_t kSleepsToStop = 3000;                      // in a row, of one that is to stop: some 0.3 s

// Says something unless it ends within so long.
class SaysIfNot {
  public:
    SaysIfNot(std::chrono::seconds patience, std::string_view what)
    {
        thread_ = std::jthread([this, patience, what](const std::stop_token& stop) {
            std::unique_lock lock(mutex_);
            if (!ended_.wait_for(lock, stop, patience, [] { return false; }) && !stop.stop_requested())
                commandline::say(fmt::format("{}\n", what));
        });
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_;
};

}  // namespace

std::unique_ptr<Mpi> Mpi::join(std::string& error)
{
    // Open MPI's own parts are loaded by it, and look for it among what all may use.
    void* const library = dlopen(kPlugin, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char* const why = dlerror();
        error = fmt::format(
            "--mpi: the plugin cannot be loaded: {}; `anmlc --mpi` makes emulators that know where it is, and "
            "LD_LIBRARY_PATH may name its folder",
            why ? why : kPlugin);
        return nullptr;
    }
    const auto* const plugin = static_cast<const AnmlMpiPlugin*>(dlsym(library, ANML_MPI_PLUGIN_SYMBOL));
    if (!plugin || plugin->version != ANML_MPI_PLUGIN_VERSION) {
        error = fmt::format("--mpi: {} is of another version than this emulator; compile the model again", kPlugin);
        return nullptr;
    }
    std::unique_ptr<Mpi> mpi(new Mpi(*plugin));
    int rank = 0, size = 1, here = 1;
    const int joined = [&] {
        const SaysIfNot late(kLongStart, "waits for the other processes that mpirun has started: all need --mpi");
        return plugin->join(kMostBytes, &rank, &size, &here);
    }();
    if (joined != 0) {
        error = fmt::format("--mpi: MPI does not start: {}", plugin->problem());
        mpi->left_ = true;
        return nullptr;
    }
    mpi->rank_ = static_cast<unsigned>(rank);
    mpi->size_ = static_cast<unsigned>(size);
    mpi->here_ = static_cast<unsigned>(here);
    mpi->has_threads(1);
    return mpi;
}

void Mpi::has_threads(unsigned threads)
{
    crowded_ = here_ * threads > static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)) || Processors().count() < threads;
}

Mpi::~Mpi()
{
    if (!left_) plugin_.abort(kExitFailed);
}

void Mpi::fail(const std::string& what)
{
    commandline::say(fmt::format("error: rank {}: {}\n", rank_, what));
    plugin_.abort(kExitFailed);
    _exit(kExitFailed);
}

bool Mpi::send(unsigned to, std::span<const std::uint8_t> message)
{
    const int sent = plugin_.send(static_cast<int>(to), message.data(), message.size());
    if (sent < 0) fail(fmt::format("MPI cannot send to rank {}: {}", to, plugin_.problem()));
    return sent != 0;
}

std::optional<cct::Ranks::Message> Mpi::receive()
{
    int from = 0;
    const void* message = nullptr;
    const long bytes = plugin_.receive(&from, &message);
    if (bytes == -1) return std::nullopt;
    stopping_ = 0;
    if (bytes < 0) fail(fmt::format("MPI cannot receive: {}", plugin_.problem()));
    return Message{static_cast<unsigned>(from),
                   {static_cast<const std::uint8_t*>(message), static_cast<std::size_t>(bytes)}};
}

// Where a rank dies MPI ends all others.
bool Mpi::rest(std::uint32_t times, unsigned awaited)
{
    if (times < (crowded_ ? kCrowdedSpins : kRestSpins)) {
        pause_briefly();
    } else if (times < (crowded_ ? kCrowdedYields : kRestYields)) {
        sched_yield();
    } else {
        const timespec pause{0, kRestTime};
        nanosleep(&pause, nullptr);
        const bool stop = stop_ && stop_->load(std::memory_order_relaxed);
        if (stop && ++stopping_ > kSleepsToStop)
            fail(fmt::format("it is to stop, and rank {} does not answer", awaited));
    }
    return true;
}

void Mpi::refused(unsigned from) { fail(fmt::format("what rank {} sends is damaged", from)); }

void Mpi::leave()
{
    left_ = true;
    if (plugin_.leave() != 0) fail(fmt::format("MPI does not end: {}", plugin_.problem()));
}

}  // namespace anml::rt::entry
