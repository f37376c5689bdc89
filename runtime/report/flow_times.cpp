// What comes of flows (app/flows.h) besides what all transfers have.
#include "abi/records.h"
#include "net/model.h"
#include "report/figures.h"

namespace anml::rt {

std::optional<FlowTimeFigures> flow_time_figures(const Model& model, std::uint32_t row, const WorkloadStatistics& w)
{
    const abi::Image& image = model.image();
    if (abi::schema_of(image, image.workloads[row].record) != abi::RecordSchema::flows) return std::nullopt;
    FlowTimeFigures f{
        w.due, w.late, w.waiting, w.flows.most, response_times(w.flows.waited), response_times(w.flows.slowdown), {}};
    for (std::size_t i = 0; i < w.flows.bins.size(); ++i) {
        const FlowBin& bin = w.flows.bins[i];
        if (bin.completed == 0) continue;
        f.sizes.push_back({least_of_flow_bin(i), i + 1 < kFlowBins ? least_of_flow_bin(i + 1) : 0, bin.completed,
                           bin.bytes, response_times(bin.time), response_times(bin.slowdown)});
    }
    return f;
}

}  // namespace anml::rt
