// What comes of flows (app/flows/flows.h) besides what all transfers have.
#include <fmt/format.h>

#include "abi/records.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/quantity.h"

namespace anml::rt {

std::optional<FlowTimeFigures> flow_time_figures(const Model& model, std::uint32_t row, const WorkloadStatistics& w)
{
    const abi::Image& image = model.image();
    if (abi::schema_of(image, image.workloads[row].record) != abi::RecordSchema::flows) return std::nullopt;
    FlowTimeFigures f;
    f.due = w.offered.due;
    f.late = w.offered.late;
    f.waiting = w.offered.waiting;
    f.most_at_once = w.flows.most;
    f.waited = response_times(w.flows.waited);
    f.slowdown = response_times(w.flows.slowdown);
    for (std::size_t i = 0; i < w.flows.bins.size(); ++i) {
        const FlowBin& bin = w.flows.bins[i];
        if (bin.completed == 0) continue;
        f.sizes.push_back({least_of_flow_bin(i), i + 1 < kFlowBins ? least_of_flow_bin(i + 1) : 0, bin.completed,
                           bin.bytes, response_times(bin.time), response_times(bin.slowdown)});
    }
    return f;
}

namespace {

// "mean 1.42, median 1.1, p99 12.9": those that are there.
std::string slowdown_text(const ResponseTimes& slowdown)
{
    std::string text;
    const auto add = [&](std::string_view name, const std::optional<double>& value) {
        if (value) text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", name, *value);
    };
    add("mean", slowdown.mean);
    add("median", slowdown.median);
    add("p95", slowdown.p95);
    add("p99", slowdown.p99);
    return text;
}

// Below which size, or from which on, by powers of ten.
std::string size_text(const FlowSizeFigures& size)
{
    const auto power = [](std::uint64_t bytes) { return fmt::format("10^{} B", std::to_string(bytes).size() - 1); };
    if (size.below == 0) return power(size.from) + " and more";
    return size.from == 0 ? "below " + power(size.below) : fmt::format("{} to {}", power(size.from), power(size.below));
}

}  // namespace

std::vector<std::string> describe_flow_times(const FlowTimeFigures& f)
{
    std::vector<std::string> lines;
    if (f.slowdown.samples != 0) lines.push_back("slow-down: " + slowdown_text(f.slowdown));
    for (const FlowSizeFigures& size : f.sizes) {
        std::string text = fmt::format("{}: {}, time mean {}", size_text(size), plural(size.completed, "flow"),
                                       duration(*size.time.mean));
        if (size.time.p99) text += fmt::format(", p99 {}", duration(*size.time.p99));
        if (size.slowdown.samples != 0) text += "; slow-down " + slowdown_text(size.slowdown);
        lines.push_back(std::move(text));
    }
    std::string text = fmt::format("{} due, at most {} under way at a host", plural(f.due, "flow"), f.most_at_once);
    if (f.late + f.waiting != 0) text += fmt::format("; {} began late, {} waiting at the end", f.late, f.waiting);
    lines.push_back(std::move(text));
    return lines;
}

}  // namespace anml::rt
