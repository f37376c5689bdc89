// The processes that `mpirun` started, by way of the plugin (mpi/plugin.h), which is loaded when a run asks for it.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "kernel/ranks.h"

struct AnmlMpiPlugin;

namespace anml::rt::entry {

class Mpi final : public cct::Ranks {
  public:
    // Joins the others. Null, and why: there is no plugin, or it is for another version, or MPI does not start.
    static std::unique_ptr<Mpi> join(std::string& error);
    // Ends the other processes, unless leave() was called.
    ~Mpi() override;

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return size_; }
    bool send(unsigned to, std::span<const std::uint8_t> message) override;
    std::optional<Message> receive() override;
    bool rest(std::uint32_t times, unsigned awaited) override;
    void refused(unsigned from) override;

    // How many threads each has: where they are more than the processors, none waits for long without sleeping.
    void has_threads(unsigned threads);
    // A process that is told to stop while it waits for another one gives that one a while to get on, and then ends
    // all.
    void stop_on(const std::atomic<bool>& stop) { stop_ = &stop; }
    // Behind the last message: waits for the others to come here, too.
    void leave();

  private:
    explicit Mpi(const AnmlMpiPlugin& plugin) : plugin_(plugin) {}
    [[noreturn]] void fail(const std::string& what);

    const AnmlMpiPlugin& plugin_;
    unsigned rank_ = 0, size_ = 1;
    unsigned here_ = 1;     // processes on this machine
    bool crowded_ = false;  // with more threads than processors
    bool left_ = false;
    std::uint32_t stopping_ = 0;  // sleeps since it was told to stop, and the last message
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace anml::rt::entry
