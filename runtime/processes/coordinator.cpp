#include "processes/coordinator.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "net/model.h"
#include "simulator/simulator.h"

namespace anml::rt::processes {

namespace {

constexpr unsigned kRounds = 24;                   // of asking all others for the time, before the run
constexpr Time kPatience = 10 * kSecond;           // with one that says nothing
constexpr Time kPatienceBefore = 60 * kSecond;     // the same while it may yet be opening devices
constexpr Time kAskAgain = 40 * kMillisecond;      // while it runs
constexpr Time kSign = kSecond;                    // between signs of life for those with whom nothing is shared
constexpr Time kLongestStride = 5 * kMillisecond;  // between clocks, however far others may run with one
// A clock that is behind by this has stood still, and is set; one that is ahead never goes back.
constexpr Time kStoodStill = 2 * kMillisecond;
constexpr Time kLongestTurn = 10 * kMillisecond;  // for which a clock is corrected at once
// Until what all are to do at one time, behind what the network takes there and back.
constexpr Time kAhead = 50 * kMillisecond;

std::string network_time(Time time) { return fmt::format("{:.3g} ms", static_cast<double>(time) / 1e6); }

}  // namespace

Coordinator::Coordinator(TcpRanks& ranks, io::Clock& clock)
    : ranks_(ranks),
      clock_(clock),
      agreements_(ranks.size()),
      heard_(ranks.size(), clock.now()),
      measured_(ranks.size()),
      ready_(ranks.size())
{
    ranks_.heard = [this](unsigned from, std::span<const std::uint8_t> word) { hear(from, word); };
}

void Coordinator::say(unsigned to, What what, Time first, Time second)
{
    const Word word{what, 0, first, second};
    ranks_.say(to, {reinterpret_cast<const std::uint8_t*>(&word), sizeof word});
}

void Coordinator::say_all(What what, Time first)
{
    const Word word{what, 0, first, 0};
    ranks_.say_all({reinterpret_cast<const std::uint8_t*>(&word), sizeof word});
}

void Coordinator::fail(const std::string& why)
{
    const Word word{What::failed, 0, 0, 0};
    std::vector<std::uint8_t> bytes(sizeof word);
    std::memcpy(bytes.data(), &word, sizeof word);
    bytes.insert(bytes.end(), why.begin(), why.end());
    ranks_.say_all(bytes);
    ranks_.push();
}

void Coordinator::hear(unsigned from, std::span<const std::uint8_t> bytes)
{
    Word word;
    if (bytes.size() < sizeof word) return;
    std::memcpy(&word, bytes.data(), sizeof word);
    switch (word.what) {
        case What::ask:
            return say(from, What::answer, word.first, clock_.now());
        case What::answer:
            ++answers_;
            return agreements_[from].observe(word.first, word.second, clock_.now());
        case What::measured:
            measured_[from] = true;
            if (from == 0) clock_.set_epoch(word.first);
            return;
        case What::ready:
            ready_[from] = true;
            return agree_on_start();
        case What::start:
            start_ = word.first;
            return;
        case What::stop:
            signal_ = static_cast<int>(word.first);
            return agree_on_end();
        case What::end:
            end_ = std::min(end_, word.first);
            return;
        case What::failed:
            if (!problem_.empty()) return;
            problem_ = fmt::format("{}: {}", ranks_.name(from),
                                   std::string_view(reinterpret_cast<const char*>(bytes.data()) + sizeof word,
                                                    bytes.size() - sizeof word));
            return;
    }
}

void Coordinator::ask(unsigned rank) { say(rank, What::ask, clock_.now()); }

bool Coordinator::measure(const std::atomic<bool>& stop, std::string& error)
{
    const auto wait_until = [&](auto&& done) {
        for (const Time began = clock_.now(); !done();) {
            if (ranks_.hear()) continue;
            if (error = problem_.empty() ? ranks_.gone() : problem_; !error.empty()) return false;
            if (stop || clock_.now() - began > kPatience) {
                error = stop ? "stopped before the run began" : "another process does not answer";
                return false;
            }
            ranks_.push();
            std::vector<pollfd> waits = ranks_.waits();
            poll(waits.data(), waits.size(), 1);
        }
        return true;
    };
    for (unsigned round = 0; round < kRounds; ++round) {
        answers_ = 0;
        for (unsigned rank = 0; rank < ranks_.size(); ++rank)
            if (rank != ranks_.rank()) ask(rank);
        if (!wait_until([&] { return answers_ >= ranks_.size() - 1; })) return false;
    }
    say_all(What::measured, clock_.epoch());
    measured_[ranks_.rank()] = true;
    if (!wait_until([&] { return std::ranges::all_of(measured_, [](bool m) { return m; }); })) return false;
    if (!first()) {
        const Time ahead = agreements_[0].ahead();
        clock_.set_forward(ahead);
        for (ClockAgreement& agreement : agreements_) agreement.shift(ahead);
    }
    adjusted_ = clock_.now();
    return true;
}

bool Coordinator::check(const Model& model, const Parts& parts, std::vector<std::string>& warnings, std::string& error)
{
    // Besides the network, the loops at either end take a while.
    constexpr Time kLoops = 300 * kMicrosecond;
    for (const Parts::Border& border : parts.borders) {
        if (border.a != ranks_.rank() && border.b != ranks_.rank()) continue;
        const unsigned other = border.a == ranks_.rank() ? border.b : border.a;
        shortest_ = std::min(shortest_, border.delay);
        const Time way = agreements_[other].round_trip() / 2;
        const std::string what =
            fmt::format("the network takes {} to {}, and link {}, which is simulated across it, {}", network_time(way),
                        ranks_.name(other), model.text(model.image().link_rows[model.link_row_of(border.link)].name),
                        network_time(border.delay));
        if (border.delay <= way) {
            error = what + ": divide the model where links are slower (--own)";
            return false;
        }
        if (border.delay <= 2 * way + kLoops) warnings.push_back(what + ": this process may have to wait for it");
    }
    stride_ = shortest_ == kNever ? kLongestStride : std::clamp<Time>(shortest_ / 4, 1, kLongestStride);
    return true;
}

void Coordinator::begin(cct::Post& post, Simulator& simulator)
{
    post_ = &post;
    simulator_ = &simulator;
    std::ranges::fill(heard_, clock_.now());
}

void Coordinator::take_in(Time now)
{
    post_->take_in();
    if (problem_.empty()) problem_ = post_->wrong();
    if (problem_.empty()) problem_ = ranks_.gone();
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
        if (rank == ranks_.rank() || !problem_.empty()) continue;
        if (ranks_.has_spoken(rank)) heard_[rank] = now;
        if (now - heard_[rank] > (start_ == kNever ? kPatienceBefore : kPatience))
            problem_ =
                fmt::format("nothing has come from {} for {} s", ranks_.name(rank), (now - heard_[rank]) / kSecond);
    }
}

void Coordinator::send_off(Time now)
{
    simulator_->promise();
    const bool clocks_too = finished_ || now >= next_clock_;
    if (clocks_too) next_clock_ = now + stride_;
    post_->send_off(clocks_too ? 0 : kNever / 2, finished_);
    if (!first() && now >= next_ask_) {
        next_ask_ = now + kAskAgain;
        ask(0);
    }
    if (now >= next_sign_) {
        next_sign_ = now + kSign;
        for (unsigned rank = 1; rank < ranks_.size(); ++rank)
            if (rank != ranks_.rank()) ask(rank);
    }
    ranks_.push();
}

bool Coordinator::over(Time end)
{
    finished_ |= simulator_->now() >= end;
    return finished_ && post_->over();
}

Time Coordinator::due() const { return first() ? next_clock_ : std::min(next_clock_, next_ask_); }

Time Coordinator::adjust(Time now)
{
    if (first()) return 0;
    ClockAgreement& agreement = agreements_[0];
    if (start_ != kNever && now >= start_) worst_error_ = std::max(worst_error_, agreement.error(now));
    const Time turn = std::clamp<Time>(now - adjusted_, 0, kLongestTurn);
    const Time most = std::llround(ClockAgreement::kSlew * static_cast<double>(turn));
    adjusted_ = now;
    const Time ahead = agreement.ahead();
    const Time by = ahead > kStoodStill ? ahead : std::clamp(ahead, -most, most);
    clock_.set_forward(by);
    for (ClockAgreement& each : agreements_) each.shift(by);
    return by;
}

void Coordinator::lags(Time by, Time horizon, Time now)
{
    if (start_ == kNever || now < start_) return;  // before that it is the others' start
    if (std::exchange(horizon_, horizon) != horizon) horizon_since_ = now;
    if (by > 0 && now - horizon_since_ > kPatience && problem_.empty())
        problem_ = fmt::format("no other process has gone on for {} s", kPatience / kSecond);
    if (by <= 0) {
        if (lag_since_ != kNever) lagged_ += now - lag_since_;
        lag_since_ = kNever;
        return;
    }
    if (lag_since_ == kNever) lag_since_ = now;
    longest_lag_ = std::max(longest_lag_, by);
}

void Coordinator::ready()
{
    if (std::exchange(said_ready_, true)) return;
    ready_[ranks_.rank()] = true;
    if (first())
        agree_on_start();
    else
        say(0, What::ready);
}

// At process 0.
void Coordinator::agree_on_start()
{
    if (!first() || start_ != kNever || !std::ranges::all_of(ready_, [](bool r) { return r; })) return;
    Time longest = 0;
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) longest = std::max(longest, agreements_[rank].round_trip());
    start_ = clock_.now() + kAhead + 2 * longest;
    say_all(What::start, start_);
}

void Coordinator::stop()
{
    if (std::exchange(said_stop_, true)) return;
    if (first())
        agree_on_end();
    else
        say(0, What::stop, own_signal());
}

// The same. Where the run lags that is not soon by the clock: who is ahead of it has come to its end.
void Coordinator::agree_on_end()
{
    if (!first() || end_ != kNever) return;
    end_ = kAhead + (shortest_ == kNever ? clock_.now() : std::min(clock_.now(), simulator_->now() + shortest_));
    say_all(What::end, end_);
}

LiveReport::Process Coordinator::report() const
{
    LiveReport::Process process;
    process.clock_error = worst_error_;
    process.clock_steps = agreements_[0].steps();
    process.shortest_delay = shortest_;
    process.lagged = lagged_ + (lag_since_ == kNever ? 0 : std::max<Time>(clock_.now() - lag_since_, 0));
    process.longest_lag = longest_lag_;
    for (const ClockAgreement& agreement : agreements_)
        if (agreement.known()) process.round_trip = std::max(process.round_trip, agreement.round_trip());
    return process;
}

}  // namespace anml::rt::processes
