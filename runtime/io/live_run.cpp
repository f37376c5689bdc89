#include "io/live_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "io/endpoint_addresses.h"
#include "io/sandbox/relay.h"
#include "net/model.h"

namespace anml::rt::io {

namespace {

// Pace::hybrid. Sleeping wakes up to 100 us late, so the last stretch before an event is spent spinning; and so is a
// while after each packet, because the next one (a server's answer) often follows within it.
constexpr Time kSpin = 100 * kMicrosecond;
constexpr Time kLinger = 200 * kMicrosecond;
constexpr Time kLongestSleep = 10 * kMillisecond;
constexpr Time kHousekeeping = kMillisecond;
constexpr Time kPresence = kSecond;
constexpr Time kView = 100 * kMillisecond;
constexpr Time kMostReserved = 1 << 20;  // seconds

void relax()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// How long this process was ready to run and had to wait (proc(5), schedstat); nothing where the kernel doesn't count
// it.
std::optional<Time> processor_wait(const Descriptor& schedule)
{
    char text[128] = {};
    long long run = 0, wait = 0;
    if (!schedule.valid() || pread(schedule.get(), text, sizeof text - 1, 0) <= 0) return std::nullopt;
    if (std::sscanf(text, "%lld %lld", &run, &wait) != 2) return std::nullopt;
    return wait;
}

}  // namespace

LiveRun::LiveRun(Simulator& simulator, const Model& model, const LiveOptions& options, const std::atomic<bool>& stop)
    : simulator_(simulator),
      model_(model),
      options_(options),
      stop_(stop),
      clock_(options.clock),
      probes_(model, options, parts_)
{
    parts_.gateway_of.resize(model.image().endpoint_count);
}

bool LiveRun::open(std::string& error)
{
    prctl(PR_SET_TIMERSLACK, 1);
    if (!set_up(parts_, *this, simulator_, model_, options_, report_, error)) return false;
    schedule_.reset(::open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC));
    watch_servers();  // on any processor
    return pin(options_, error) && drop_privileges(parts_, options_, error);
}

bool LiveRun::run(std::string& error)
{
    for (const LivePort& port : parts_.ports) {
        waits_.push_back({port.device->descriptor(), POLLIN, 0});
        all_stamp_ &= port.device->stamps();
    }
    if (options_.others)
        for (const pollfd& other : options_.others->waits()) waits_.push_back(other);
    for (int i = 0; i < 8; ++i) arrivals_.observe(ArrivalClock::look(clock_));
    const auto seconds = static_cast<std::size_t>(std::min<Time>(options_.duration / kSecond + 2, kMostReserved));
    report_.counters.reserve(seconds);
    for (LivePort& port : parts_.ports) port.device->counters().reserve(seconds);
    loop_began_ = unseen_since_ = clock_.now();
    processor_before_ = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    waited_before_ = processor_wait(schedule_);
    report_.workloads_started = kNever;
    if (starts_workloads())
        probes_.make();
    else if (!options_.others)
        begin(loop_began_);
    // Not before everything is ready to answer: a command's first packets would wait for it.
    for (const auto& relay : parts_.relays) relay->start_command();
    for (int ms = 0; ms < 1000 && !relays_are_ready(); ++ms) poll(nullptr, 0, 1);
    for (const auto& sandbox : parts_.sandboxes) sandbox->start_command();
    for (Time now = loop_began_;;) {
        const bool active = exchange(now);
        if (now >= next_housekeeping_) {
            next_housekeeping_ = now + kHousekeeping;
            if (!housekeeping(now, error)) {
                if (options_.views) publish(now, true);
                break;
            }
        }
        for (LivePort& port : parts_.ports) port.device->flush();
        const Time after = clock_.now();
        if (active) {
            busy_ += after - now;
            last_active_ = after;
        } else {
            idle(after);
        }
        now = clock_.now();
    }
    for (LivePort& port : parts_.ports) {
        port.gateway->discovery().cease();
        port.device->flush();
    }
    if (options_.mailbox) options_.mailbox->close();
    report_.ended = simulator_.now();
    return error.empty();
}

// Whatever arrived before `now` is read before the simulator runs up to it.
bool LiveRun::exchange(Time now)
{
    bool active = false;
    if (options_.others) options_.others->take_in(now);
    Time limit = this->limit(now);
    for (LivePort& port : parts_.ports) {
        const std::size_t count = port.device->receive(frames_);
        if (count == 0) continue;
        take_in(port, count);
        active = true;
        if (count == frames_.size()) limit = std::min(limit, port.arrived);  // more of them wait
    }
    unseen_since_ = now;
    active |= simulator_.next_event() <= limit;
    if (limit > simulator_.now()) simulator_.run_until(limit);
    if (simulator_.now() == end_ - 1) simulator_.run_before(end_);
    if (options_.connections) options_.connections->take(simulator_.take_connections(false));
    if (options_.others) options_.others->send_off(now);
    return active;
}

// How far the simulator may run: no farther than other processes have.
Time LiveRun::limit(Time now)
{
    Time wanted = std::min(now, end_ - 1);
    if (!options_.others) return wanted;
    if (began_ == kNever) wanted = std::min(wanted, options_.others->start() - 1);
    const Time horizon = simulator_.horizon();
    options_.others->lags(horizon > wanted ? 0 : wanted - horizon + 1, horizon, now);
    return std::min(wanted, horizon - 1);
}

// Of several processes each goes on until all are as far.
bool LiveRun::goes_on_for_others()
{
    if (!options_.others) return false;
    options_.others->stop();
    return true;
}

// The frames have been read: behind that, a look at the clocks is later than any of their arrivals.
void LiveRun::take_in(LivePort& port, std::size_t count)
{
    const ArrivalClock::Look look = ArrivalClock::look(clock_);
    arrivals_.observe(look);
    for (std::size_t i = 0; i < count; ++i) {
        const Frame& frame = frames_[i];
        // In the order of reading, whatever the stamps of several receive queues say.
        const bool stamped = frame.stamp || frame.arrived != kNever;
        const Time arrived = frame.arrived != kNever ? frame.arrived
                             : frame.stamp           ? arrivals_.arrival(frame.stamp)
                                                     : look.after;
        port.arrived = std::max(port.arrived, arrived);
        // Without a stamp nobody knows how long the frame has waited: at most since the last look at the device.
        const Time late = stamped ? std::max<Time>(simulator_.now() - port.arrived, 0)
                                  : look.after - std::min(unseen_since_, look.after);
        if (port.replay)
            port.replay->hand_over(*port.gateway, i, frame, port.arrived, late);
        else
            port.gateway->receive(frame, port.arrived, late);
    }
}

bool LiveRun::housekeeping(Time now, std::string& error)
{
    if (options_.others) {
        end_ = std::min(end_, options_.others->end());
        if (const std::string& problem = options_.others->problem(); !problem.empty()) {
            // What was counted is there, but for what another process alone had.
            if (began_ == kNever)
                error = problem;
            else if (report_.broken.empty())
                report_.broken = problem;
            return false;
        }
        arrivals_.shift(options_.others->adjust(now));
    }
    if (now >= end_ && (!options_.others || options_.others->over(end_))) return false;
    if (stop_.load(std::memory_order_relaxed)) {
        report_.interrupted = true;
        if (!command_may_end(now) && !goes_on_for_others()) return false;
    }
    for (std::size_t i = 0; i < parts_.sandboxes.size(); ++i) {
        if (!parts_.sandboxes[i]->started(error)) {
            const std::optional<int> failed = parts_.sandboxes[i]->command_status();
            if (failed && options_.not_started) *options_.not_started = *failed;
            return false;
        }
        const std::optional<int> status = parts_.sandboxes[i]->command_status();
        if (!status) continue;
        const std::uint32_t endpoint = options_.sandboxes[i].endpoint;
        if (*status != 0 || interrupted_ != kNever) {
            report_.command_status = status;
            report_.command_endpoint = endpoint;
        }
        if ((*status != 0 || endpoint == options_.until) && !goes_on_for_others()) return false;
    }
    if (parts_.sandboxes.size() == 1 &&
        ((options_.ends_with_command && parts_.sandboxes.front()->over()) ||
         parts_.sandboxes.front()->left_terminal()) &&
        !goes_on_for_others())
        return false;
    arrivals_.observe(ArrivalClock::look(clock_));
    for (LivePort& port : parts_.ports) port.gateway->tick(now);
    if (parts_.bridge) parts_.bridge->tick(now);
    end_seconds(now);
    if (!all_present(now) && !goes_on_for_others()) return false;
    if (began_ == kNever && !start_when_ready(now, error)) return false;
    if (options_.mailbox) options_.mailbox->look(simulator_);
    if (options_.links) simulator_.show(*options_.links);
    if (options_.views && now >= next_view_) {
        next_view_ = now + kView;
        publish(now, false);
    }
    return true;
}

// The run was interrupted, and so is the command: it ends in its own time, with the network.
bool LiveRun::command_may_end(Time now)
{
    if (interrupted_ == kNever) {
        if (parts_.sandboxes.size() != 1 || !options_.interrupts_command || !options_.interrupts_command())
            return false;
        interrupted_ = now;
        parts_.sandboxes.front()->interrupt();
    }
    return now - interrupted_ < options_.stop_timeout;
}

void LiveRun::publish(Time now, bool last)
{
    LiveView view;
    view.began = began_;
    view.elapsed = began_ == kNever ? -std::max<Time>(now - loop_began_, 1) : now - began_;
    view.last = view.elapsed < 0
                    ? Second{}
                    : simulator_.second(static_cast<std::size_t>(std::max(view.elapsed / kSecond, Time{1}) - 1));
    const LiveCounters& counters = report_.counters;
    view.edge = counters.all();
    if (!counters.seconds().empty()) {
        view.edge.slip_p99 = counters.seconds().back().slip_p99;
        view.edge.slip_max = counters.seconds().back().slip_max;
    }
    view.busy = static_cast<double>(busy_) / static_cast<double>(std::max<Time>(now - loop_began_, 1));
    view.malformed = report_.malformed;
    view.foreign = report_.foreign;
    view.ipv6 = report_.ipv6;
    view.tagged = report_.tagged;
    view.groups = report_.groups;
    view.unreachable = report_.unreachable;
    options_.views->run.publish(view);
    for (std::uint32_t w = 0; w < options_.views->workloads.size(); ++w)
        options_.views->workloads[w].publish(view_of(simulator_.counted(w)));
    options_.views->requests.look(now, simulator_.groups(), last);
}

bool LiveRun::start_when_ready(Time now, std::string& error)
{
    const bool ready = probes_.ask(now);
    if (ready && options_.others) {
        options_.others->ready();
        const Time at = options_.others->start();
        if (at == kNever) return true;
        if (at <= simulator_.now()) {
            error = "the time to start at had passed when it became known";
            return false;
        }
        begin(at);
        return true;
    }
    if (ready) {
        begin(now);
        return true;
    }
    return probes_.may_accept(now, now - loop_began_, error);
}

bool LiveRun::starts_workloads() const { return options_.workload && model_.image().workload_count != 0; }

void LiveRun::begin(Time at)
{
    began_ = second_began_ = at;
    if (!options_.open_end) end_ = std::min(end_, at + options_.duration);
    if (starts_workloads()) {
        report_.workloads_started = at;
        end_second(false, false);
        simulator_.cut(options_.batches);
        simulator_.start_workloads(at, options_.warmup, options_.duration);
    } else {
        simulator_.measure(options_.warmup < options_.duration ? at + options_.warmup : at, at + options_.duration);
        simulator_.start_timeline(at);
    }
    start_replays(at);
}

void LiveRun::start_replays(Time begin)
{
    std::vector<PcapDevice*> replays;
    for (const LivePort& port : parts_.ports)
        if (port.replay) replays.push_back(port.replay);
    start_together(replays, begin, clock_.epoch());
}

bool LiveRun::all_present(Time now)
{
    if (now < next_presence_) return true;
    next_presence_ = now + kPresence;
    all_stamp_ = true;
    for (LivePort& port : parts_.ports) {
        all_stamp_ &= port.device->stamps();
        if (port.device->present()) continue;
        report_.broken = port.device->gone();
        return false;
    }
    return true;
}

// Files what was counted under the seconds that are over.
void LiveRun::end_seconds(Time now)
{
    if (began_ == kNever || now - second_began_ < kSecond) return;
    for (LivePort& port : parts_.ports) {
        const std::uint64_t dropped = port.device->kernel_drops();
        count_drops(port, dropped - std::exchange(port.dropped, dropped));
    }
    for (; now - second_began_ >= kSecond; second_began_ += kSecond) end_second(true, measuring());
}

void LiveRun::count_drops(LivePort& port, std::uint64_t dropped)
{
    report_.counters.dropped(dropped);
    port.device->counters().dropped(dropped);
}

void LiveRun::end_second(bool listed, bool measured)
{
    report_.counters.end_second(listed, measured);
    for (LivePort& port : parts_.ports) port.device->counters().end_second(listed);
    if (!watch_) return;
    watch_->look();
    looks_.push_back({listed, measured});
}

void LiveRun::watch_servers()
{
    report_.processors = static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    report_.relayed = !parts_.relays.empty();
    report_.server_seen = !parts_.sandboxes.empty() && schedule_.valid();
    if (!report_.server_seen) return;
    std::vector<pid_t> firsts;
    for (const auto& sandbox : parts_.sandboxes) firsts.push_back(sandbox->first_process());
    watch_.emplace(std::move(firsts));
}

// Files what servers had of the processors under the seconds that are over.
void LiveRun::file_looks()
{
    if (!watch_) return;
    const std::vector<ProcessorUse> uses = watch_->stop();
    std::size_t second = 0;
    for (std::size_t i = 0; i < looks_.size(); ++i)
        report_.counters.served(looks_[i].listed ? std::optional(second++) : std::nullopt, looks_[i].measured,
                                uses[i].ran, uses[i].waited, uses[i].taken(), uses[i].busiest);
}

// Whether the figures cover some of the present second.
bool LiveRun::measuring() const { return began_ != kNever && second_began_ + kSecond > began_ + options_.warmup; }

void LiveRun::idle(Time now)
{
    const bool hybrid = options_.pace == Pace::hybrid;
    Time event = simulator_.next_event();
    if (options_.others && event >= simulator_.horizon()) event = kNever;  // what lets it happen wakes the loop
    Time next = std::min({event, end_, now + kLongestSleep});
    for (const LivePort& port : parts_.ports) next = std::min(next, port.device->next_arrival());
    if (options_.others) next = std::min(next, options_.others->due());
    const Time longest = next - (hybrid ? kSpin : 0) - now;
    if (longest <= 0 || options_.pace == Pace::spin || (hybrid && now - last_active_ < kLinger))
        relax();
    else
        sleep(now, longest);
}

void LiveRun::sleep(Time now, Time longest)
{
    const auto waited = [&] { return all_stamp_ ? 0 : processor_wait(schedule_).value_or(0); };
    const Time waited_before = waited();
    const timespec timeout{longest / kSecond, longest % kSecond};
    // A signal ends the sleep; housekeeping sees what it wants.
    ppoll(waits_.data(), waits_.size(), &timeout, nullptr);
    // What woke us has waited since, if others had the processor or this process was stopped.
    const Time woken = clock_.now();
    const Time unseen = std::max(woken - now - longest, waited() - waited_before);
    unseen_since_ = woken - std::clamp<Time>(unseen, 0, woken - unseen_since_);
}

void LiveRun::release(std::uint32_t endpoint, const Packet& packet, Time at)
{
    parts_.gateway_of[endpoint]->send(packet, at);
}

LiveReport LiveRun::finish()
{
    const Time elapsed = std::max<Time>(clock_.now() - loop_began_, 1);
    const auto wall = static_cast<double>(elapsed);
    report_.cpu_emulator = static_cast<double>(read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor_before_) / wall;
    report_.busy = static_cast<double>(busy_) / wall;
    report_.pace = options_.pace;
    report_.arrival_error = arrivals_.error();
    const std::optional<Time> waited = processor_wait(schedule_);
    if (waited && waited_before_) {
        report_.processor_wait = static_cast<double>(*waited - *waited_before_) / kSecond;
    }
    end_seconds(std::min(clock_.now(), end_) - 1);
    for (LivePort& port : parts_.ports) count_drops(port, port.device->kernel_drops() - port.dropped);
    end_second(began_ != kNever, measuring());
    file_looks();
    for (LivePort& port : parts_.ports)
        report_.endpoints.push_back({port.gateway->endpoint(), port.device->counters(), port.device->facts()});
    for (LivePort& port : parts_.ports) {
        if (port.replay) report_.replays.push_back(port.replay->report(port.gateway->endpoint()));
        std::string error;
        if (port.replay && !port.replay->finish(error) && report_.broken.empty()) report_.broken = error;
    }
    if (!parts_.sandboxes.empty()) {
        double seconds = 0;
        for (std::size_t i = 0; i < parts_.sandboxes.size(); ++i) {
            seconds += parts_.sandboxes[i]->stop();
            if (parts_.sandboxes[i]->killed() && options_.say)
                options_.say(
                    fmt::format("what ran in the sandbox at `{}` had not ended {:g} s behind SIGTERM, and was "
                                "killed: --stop-timeout gives it longer",
                                endpoint_name(model_, options_.sandboxes[i].endpoint),
                                static_cast<double>(options_.stop_timeout) / kSecond));
        }
        report_.cpu_server = seconds * kSecond / wall;  // they began with the loop
    }
    return report_;
}

std::vector<SandboxProcess> LiveRun::processes() const
{
    std::vector<SandboxProcess> processes;
    for (std::size_t i = 0; i < parts_.sandboxes.size(); ++i)
        processes.push_back({options_.sandboxes[i].endpoint, parts_.sandboxes[i]->first_process()});
    return processes;
}

std::optional<LiveReport> run_live(Simulator& simulator, const Model& model, const LiveOptions& options,
                                   const std::atomic<bool>& stop, std::string& error)
{
    error.clear();
    LiveRun run(simulator, model, options, stop);
    if (!run.open(error)) return std::nullopt;
    if (options.opened) options.opened(run.processes());
    if (!run.run(error)) return std::nullopt;
    return run.finish();
}

}  // namespace anml::rt::io
