// What the processes of a live run say to each other while it runs: the time, that they are ready, when it starts and
// ends; and what crosses between them, by way of the post.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/device/clock.h"
#include "io/other_processes.h"
#include "kernel/post.h"
#include "processes/clock_agreement.h"
#include "processes/tcp_ranks.h"
#include "report/live/live_report.h"
#include "simulator/divide.h"

namespace anml::rt {
class Simulator;
class Model;
}  // namespace anml::rt

namespace anml::rt::processes {

class Coordinator final : public io::OtherProcesses {
  public:
    // `clock`: of this process, which is set to agree with that of process 0.
    Coordinator(TcpRanks& ranks, io::Clock& clock);

    // Measures the clocks and the network between the processes: every process does so at the same time. False:
    // `error`.
    bool measure(const std::atomic<bool>& stop, std::string& error);
    // Whether the network is faster than the links that cross it. What is doubtful goes to `warnings`.
    bool check(const Model& model, const Parts& parts, std::vector<std::string>& warnings, std::string& error);
    // Before the loop.
    void begin(cct::Post& post, Simulator& simulator);
    // The run failed here: the others are to know why.
    void fail(const std::string& why);
    // What there is to report of this process.
    LiveReport::Process report() const;

    void take_in(Time now) override;
    void send_off(Time now) override;
    Time due() const override;
    bool over(Time end) override;
    std::vector<pollfd> waits() const override { return ranks_.waits(); }
    Time adjust(Time now) override;
    void lags(Time by, Time horizon, Time now) override;
    void ready() override;
    Time start() const override { return start_; }
    void stop() override;
    // By which signal this process was told to stop, and another one was; 0: by none.
    std::function<int()> own_signal = [] { return 0; };
    int signal() const { return signal_; }
    Time end() const override { return end_; }
    const std::string& problem() const override { return problem_; }

  private:
    enum class What : std::uint32_t { ask, answer, measured, ready, start, stop, end, failed };
    struct Word {
        What what;
        std::uint32_t padding;
        Time first, second;
    };
    void say(unsigned to, What what, Time first = 0, Time second = 0);
    void say_all(What what, Time first);
    void hear(unsigned from, std::span<const std::uint8_t> bytes);
    void ask(unsigned rank);
    bool first() const { return ranks_.rank() == 0; }
    void agree_on_start();
    void agree_on_end();

    TcpRanks& ranks_;
    io::Clock& clock_;
    cct::Post* post_ = nullptr;
    Simulator* simulator_ = nullptr;
    std::vector<ClockAgreement> agreements_;  // by rank
    std::vector<Time> heard_;                 // when each was last heard of
    std::vector<bool> measured_, ready_;      // by rank: who said so
    unsigned answers_ = 0;                    // that came of the present round
    Time stride_ = 0;                         // between clocks
    Time next_clock_ = 0, next_ask_ = 0, next_sign_ = 0;
    Time adjusted_ = 0;
    Time worst_error_ = 0;                  // of the clock, since the start
    Time shortest_ = kNever;                // delay that crosses between this process and others
    Time horizon_ = 0, horizon_since_ = 0;  // and since when it has been that
    Time lag_since_ = kNever, lagged_ = 0, longest_lag_ = 0;
    bool finished_ = false;
    int signal_ = 0;
    bool said_ready_ = false, said_stop_ = false;
    Time start_ = kNever, end_ = kNever;
    std::string problem_;
};

}  // namespace anml::rt::processes
