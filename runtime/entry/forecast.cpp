#include "entry/forecast.h"

#include <fmt/format.h>

#include "common/this_machine.h"
#include "net/model.h"

namespace anml::rt::entry {

namespace {

std::string thousands(double number)
{
    if (number >= 1e6) return fmt::format("{:.3g} million", number / 1e6);
    return number >= 1e4 ? fmt::format("{:.3g} thousand", number / 1e3) : fmt::format("{:.0f}", number);
}

}  // namespace

std::optional<Forecast> forecast(const Model& model, const Options& options)
{
    const abi::Image& image = model.image();
    if (!options.workload || image.expected_hops == 0) return std::nullopt;
    Forecast result;
    result.hops = image.expected_hops;
    for (const io::Attachment& attachment : options.attachments)
        result.packets += image.endpoints[attachment.endpoint].expected_packets;
    for (const io::SandboxRequest& sandbox : options.sandboxes)
        result.packets += image.endpoints[sandbox.endpoint].expected_packets;
    const this_machine::Speed speed = this_machine::measure();
    result.processor = result.hops / speed.packet_hops + result.packets / speed.device_packets;
    return result;
}

std::string describe(const Forecast& forecast, const Options& options)
{
    std::string text = fmt::format(
        "forecast: {} packets/s to and from real hosts, {} packet-hops/s{}: {} % of a processor\n",
        thousands(forecast.packets), thousands(forecast.hops), options.settings.empty() ? "" : " (without --set)",
        forecast.processor < 0.1 ? fmt::format("{:.1f}", 100 * forecast.processor)
                                 : fmt::format("{:.0f}", 100 * forecast.processor));
    if (forecast.processor > this_machine::kMostLoad)
        text +=
            "warning: that will not fit, unless the servers are slower than the clients ask: packets will be late; "
            "fewer "
            "clients, longer think times or less data make it lighter\n";
    return text;
}

}  // namespace anml::rt::entry
