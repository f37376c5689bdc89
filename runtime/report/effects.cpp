#include "report/effects.h"

#include <algorithm>

#include "app/flows/pairing.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/live/live_report.h"

namespace anml::rt {

namespace {

// What a packet that was lost outside of the model costs: the least retransmission time-out of usual stacks.
constexpr double kRecovery = 0.2;
// Where nothing says how long packets of real hosts are under way.
constexpr double kShortestRoundTrip = 1e-3;

double mean_seconds(Time sum, std::uint64_t count)
{
    return count == 0 ? 0 : in_seconds(sum) / static_cast<double>(count);
}

double per_round_trip(const LiveSecond& s)
{
    return mean_seconds(s.slip_sum, s.released) + mean_seconds(s.entry_sum, s.received);
}

// Something that is measured of real hosts.
struct Subject {
    std::string workload, key;
    const ResponseTimes* times;  // null: `usual` is all there is
    double usual;                // the mean of what is measured: s
    double round_trips;          // in it
    double count;                // how often it was measured
};

bool asks_real_host(const Model& model, const RunInfo& run, std::uint32_t workload)
{
    return std::any_of(run.attached.begin(), run.attached.end(), [&](std::uint32_t endpoint) {
        return app::has_peer(model, workload, model.image().endpoints[endpoint].node);
    });
}

// The propagation delay of the links of attached endpoints, there and back: the shortest.
double access_round_trip(const Model& model, const RunInfo& run)
{
    const abi::Image& image = model.image();
    double least = 1e9;
    for (const std::uint32_t endpoint : run.attached)
        for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
            const abi::LinkRow& row = image.link_rows[i];
            const NodeId node = image.endpoints[endpoint].node;
            if (row.node[0] != node && row.node[1] != node) continue;
            least = std::min(least, in_seconds(model.time(row.delay[0]) + model.time(row.delay[row.one_way ? 0 : 1])));
        }
    return least;
}

std::vector<Subject> subjects(const Model& model, const RunInfo& run, const Figures& figures)
{
    using app::FigureKind;
    const LiveSecond& measured = run.real_time->counters.measured();
    std::vector<Subject> result;
    std::uint64_t completed = 0;
    bool flows = false;
    for (std::uint32_t w = 0; w < figures.workloads.size(); ++w)
        if (asks_real_host(model, run, w)) completed += figures.workloads[w].transactions.completed;
    const double released_each = static_cast<double>(measured.released) / std::max(static_cast<double>(completed), 1.0);
    for (std::uint32_t w = 0; w < figures.workloads.size(); ++w) {
        const WorkloadFigures& f = figures.workloads[w];
        if (!run.workload || !asks_real_host(model, run, w)) continue;
        const ResponseTimes& response = f.transactions.response;
        if (f.kind == FigureKind::echoes && f.echoes.round_trip.mean) {
            const ResponseTimes& trip = f.echoes.round_trip;
            result.push_back({f.name, "round_trip_seconds", &trip, *trip.mean, 1, static_cast<double>(trip.samples)});
        } else if ((f.kind == FigureKind::transactions || f.calls || f.kind == FigureKind::flows) && response.mean) {
            const double connect = f.phases.connect.mean.value_or(0);
            const double round_trips = connect > 0 ? std::min(*response.mean / connect, released_each) : released_each;
            result.push_back({f.name, f.kind != FigureKind::flows ? "response_time_seconds" : "transfer_time_seconds",
                              &response, *response.mean, std::max(round_trips, 1.0),
                              static_cast<double>(response.samples)});
            // Of a page, which ends with the last of its parts, as many as it has time for.
            if (f.pages && f.pages->time.mean) {
                const ResponseTimes& page = f.pages->time;
                result.push_back({f.name, "page_time_seconds", &page, *page.mean,
                                  std::max(round_trips, 1.0) * *page.mean / *response.mean,
                                  static_cast<double>(page.samples)});
            }
        } else {
            flows |= f.kind == FigureKind::flows;
        }
    }
    // What real hosts see of each other's packets, and flows that no transfer ends.
    if (measured.transits != 0) {
        result.push_back({"", "delay", nullptr, mean_seconds(measured.transit_sum, measured.transits), 1,
                          static_cast<double>(measured.transits)});
    } else if (flows || result.empty()) {
        result.push_back({"", "delay", nullptr, std::max(access_round_trip(model, run), kShortestRoundTrip), 1,
                          static_cast<double>(measured.received + measured.released)});
    }
    return result;
}

class Estimate {
  public:
    // `length`: of the measured time, s.
    Estimate(const LiveReport& report, double length)
        : counters_(report.counters),
          length_(length),
          server_room_(std::max(1.0, static_cast<double>(report.processors) - report.cpu_emulator))
    {
    }

    // What others had of the servers' processors.
    double of_server(const Subject& subject) const
    {
        const double share = of_server(subject, counters_.measured(), length_);
        return share > Effects::kServerLimit ? share : 0;
    }
    double of_server_in(const Subject& subject, const LiveSecond& second) const
    {
        const double share = of_server(subject, second, 1);
        return share > Effects::kServerSecondLimit ? share : 0;
    }

    double of_mean(const Subject& subject) const
    {
        const double stalls = counters_.measured_stalls().sum_from(long_stall(subject)) / kSecond;
        return std::max(of_packets(subject, counters_.measured(), subject.count),
                        of_stalls(subject, stalls, subject.count));
    }
    double of_second(const Subject& subject, const LiveSecond& second) const
    {
        const double count = subject.count / length_;
        const double stalls = second.slip_max >= long_stall(subject) ? in_seconds(second.stall_sum) : 0;
        return std::max(of_packets(subject, second, count), of_stalls(subject, stalls, count));
    }
    double of_quantile(const Subject& subject, double quantile, double value) const
    {
        const double level = 100 * (1 - (1 - quantile) / (2 * subject.round_trips));
        const Time late = counters_.measured_slip().percentile(level) + counters_.measured_entry().percentile(level);
        const double recovery = lost() > (1 - quantile) * subject.count ? kRecovery : 0;
        const double packets = subject.round_trips * in_seconds(late) + recovery;
        return std::max(packets, stall_met(subject, quantile)) / value;
    }
    double of_maximum(double value) const
    {
        const Time late = counters_.measured_slip().maximum() + counters_.measured_entry().maximum();
        return (in_seconds(late) + (lost() > 0 ? kRecovery : 0)) / value;
    }

  private:
    double of_packets(const Subject& subject, const LiveSecond& span, double count) const
    {
        const double lost = static_cast<double>(span.kernel_drops + span.send_failures);
        const double retransmissions = count > 0 ? kRecovery * lost / count : 0;
        return (subject.round_trips * per_round_trip(span) + retransmissions) / subject.usual;
    }
    double of_server(const Subject& subject, const LiveSecond& span, double length) const
    {
        if (!subject.times || span.server_lost <= 0) return 0;
        const double lost = in_seconds(span.server_lost), wanted = in_seconds(span.server_ran) + lost;
        const double busy = std::max(wanted / server_room_, in_seconds(span.server_busiest));
        const double left = 1 - busy / length, count = subject.count * length / length_;
        const double slower = lost / wanted;
        constexpr double kSpare = 0.1;
        if (left < kSpare || count == 0) return slower;
        return std::min(slower, lost / (count * subject.usual) / left);
    }
    // By stalls of so many seconds together, where so many were measured.
    double of_stalls(const Subject& subject, double stalls, double count) const
    {
        if (!subject.times || count == 0) return 0;
        return stalls * under_way(subject) / (count * subject.usual);
    }
    // The stall that no more of them than 1 - quantile met: s.
    double stall_met(const Subject& subject, double quantile) const
    {
        const Histogram& stalls = counters_.measured_stalls();
        const double longer = (1 - quantile) * subject.count / under_way(subject);
        const auto all = static_cast<double>(stalls.count());
        if (longer >= all) return 0;
        const Time stall = stalls.percentile(100 * (1 - longer / all));
        return stall >= long_stall(subject) ? in_seconds(stall) : 0;
    }
    static Time long_stall(const Subject& subject)
    {
        return static_cast<Time>(Effects::kLimit * subject.usual * kSecond);
    }
    double under_way(const Subject& subject) const { return std::max(1.0, subject.count * subject.usual / length_); }

    double lost() const
    {
        return static_cast<double>(counters_.measured().kernel_drops + counters_.measured().send_failures);
    }
    const LiveCounters& counters_;
    const double length_;
    const double server_room_;  // processors that the emulator leaves
};

// Two clocks are each off that of process 0.
double off_one_way(const std::vector<LiveProcess>& processes)
{
    Time most = 0, next = 0, shortest = kNever;
    for (const LiveProcess& process : processes) {
        shortest = std::min(shortest, process.shortest_delay);
        next = std::max(next, std::min(most, process.clock_error));
        most = std::max(most, process.clock_error);
    }
    return shortest == kNever ? 0 : std::min(1.0, in_seconds(most + next) / in_seconds(shortest));
}

}  // namespace

Effects effects_of_lateness(const Model& model, const RunInfo& run, const Figures& figures)
{
    const LiveCounters& counters = run.real_time->counters;
    const Estimate estimate(*run.real_time, std::max<double>(1, figures.measured_seconds));
    const std::vector<Subject> all = subjects(model, run, figures);
    Effects effects;
    const auto add = [&](const Subject& subject, const char* figure, Effect::On on, double high) {
        if (on != Effect::On::extreme) high = std::max(high, estimate.of_server(subject));
        effects.figures.push_back({subject.workload, subject.key + figure, on, std::min(high, 1.0)});
    };
    for (const Subject& subject : all) {
        effects.server = std::max(effects.server, estimate.of_server(subject));
        add(subject, ".mean", Effect::On::mean, estimate.of_mean(subject));
        if (!subject.times) continue;
        const auto quantile = [&](const char* figure, double q, Effect::On on, const std::optional<double>& value) {
            if (value && *value > 0) add(subject, figure, on, estimate.of_quantile(subject, q, *value));
        };
        quantile(".median", 0.5, Effect::On::mean, subject.times->median);
        quantile(".p95", 0.95, Effect::On::tail, subject.times->p95);
        quantile(".p99", 0.99, Effect::On::tail, subject.times->p99);
        if (const auto& most = subject.times->max; most && *most > 0)
            add(subject, ".max", Effect::On::extreme, estimate.of_maximum(*most));
    }
    effects.one_way = off_one_way(run.real_time->processes);
    for (const LiveSecond& second : counters.seconds()) {
        double most = 0, server = 0;
        for (const Subject& subject : all) {
            most = std::max(most, estimate.of_second(subject, second));
            server = std::max(server, estimate.of_server_in(subject, second));
        }
        effects.seconds.push_back(std::min(std::max(most, server), 1.0));
        effects.server_seconds.push_back(std::min(server, 1.0));
    }
    return effects;
}

}  // namespace anml::rt
