// Servers that the timeline cuts off from all of their clients until these stop, or the run ends.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/timeline/active_periods.h"
#include "analysis/timeline/route_epochs.h"
#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kLeastShare = 0.1;           // of a period: what is cut off behind that is there to be looked at
constexpr std::size_t kMostTraces = 200'000;  // of paths: what is beyond is not looked at

class CutOff {
  public:
    explicit CutOff(LintContext& context)
        : context_(context),
          network_(context.network),
          end_(context.value(network_.duration)),
          states_(context.network, context.input.routes)
    {
    }

    void run()
    {
        const std::vector<RouteEpoch>& epochs = context_.input.routes.epochs;
        if (epochs.empty()) return;
        for (std::uint32_t w = 0; w < network_.workloads.size(); ++w) {
            std::map<std::uint32_t, std::vector<const Flow*>> servers;
            for (const Flow& flow : context_.flows)
                if (flow.workload == &network_.workloads[w]) servers[flow.server].push_back(&flow);
            for (const ActivePeriod& period : active_periods(network_, w, context_.tunables))
                for (const auto& [server, flows] : servers) look_at(w, server, flows, period);
        }
        report();
    }

  private:
    bool joined(const Flow& flow, std::size_t epochs)
    {
        if (++traces_ > kMostTraces) return true;
        std::vector<std::vector<PathLink>> steps;
        const auto way = [&](std::uint32_t from, std::uint32_t to) {
            return trace_paths(network_, context_.input.routes, from, to, steps, &states_.after(epochs),
                               marks_of(*flow.workload));
        };
        return way(flow.client, flow.server) && (!flow.workload->traits.comes_back() || way(flow.server, flow.client));
    }

    void look_at(std::uint32_t workload, std::uint32_t server, const std::vector<const Flow*>& flows,
                 const ActivePeriod& period)
    {
        const auto any = [&](std::size_t epochs) {
            return std::any_of(flows.begin(), flows.end(), [&](const Flow* flow) { return joined(*flow, epochs); });
        };
        const std::size_t end = states_.epochs_before(period.to);
        const std::size_t first = std::max<std::size_t>(states_.epochs_before(period.from + 1), 1);
        if (end == 0 || any(end)) return;
        std::size_t last = std::min(first, end);  // of those in which nobody reaches it, the one that is left for good
        for (std::size_t epoch = last; epoch < end; ++epoch)
            if (any(epoch)) last = epoch + 1;
        const RouteEpoch& epoch = context_.input.routes.epochs[last - 1];
        const double since = std::max(epoch.time, period.from);
        if (period.to - since < kLeastShare * (period.to - period.from)) return;
        const std::string until = period.to >= end_ ? "the end" : show_time(period.to);
        Cut& cut = cuts_.try_emplace({server, since, until}, Cut{workload, 0, since, "", until, {}}).first->second;
        cut.workloads += fmt::format("{}`{}`", cut.workloads.empty() ? "" : ", ", network_.workloads[workload].name);
        cut.badness = std::max(cut.badness, period.to - since);
        for (const TimelineInfo& t : network_.timeline) {
            if (t.attribute != abi::TimelineAttribute::up || context_.value(t.first) != epoch.time) continue;
            cut.labels = {{t.span, fmt::format("here, at {}", show_time(epoch.time))}};
            break;
        }
    }

    // What one cut does to one server, whose workloads are told together.
    struct Cut {
        std::uint32_t workload;  // the first
        double badness, since;
        std::string workloads, until;
        std::vector<Label> labels;
    };
    void report()
    {
        for (const auto& [key, cut] : cuts_)
            context_.find(cut.badness,
                          {Diag::cut_off_server,
                           network_.workloads[cut.workload].span,
                           fmt::format("the timeline cuts {} off from all of {}, which {} on from {} to {} in vain",
                                       context_.node(std::get<0>(key)), cut.workloads,
                                       cut.workloads.find(',') == std::string::npos ? "goes" : "go",
                                       show_time(cut.since), cut.until),
                           "let the link or node come up again, or switch the workload off for that time",
                           cut.labels,
                           {}});
    }

    std::map<std::tuple<std::uint32_t, double, std::string>, Cut> cuts_;
    LintContext& context_;
    const Network& network_;
    double end_;
    RouteEpochs states_;
    std::size_t traces_ = 0;
};

}  // namespace

void lint_cut_off_server(LintContext& context) { CutOff(context).run(); }

}  // namespace anml
