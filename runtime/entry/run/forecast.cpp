#include "entry/run/forecast.h"

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

// The forecast in words, without what it takes of a processor.
std::string expected(const Forecast& forecast)
{
    return fmt::format("{} packets/s to and from real hosts, {} packet-hops/s", thousands(forecast.packets),
                       thousands(forecast.hops));
}

std::string share(const Forecast& forecast)
{
    const double percent = 100 * forecast.processor;
    return percent < 10 ? fmt::format("{:.1f} % of a processor", percent)
                        : fmt::format("{:.0f} % of a processor", percent);
}

constexpr std::string_view kLighter = "fewer clients, longer think times or less data make it lighter";

Forecast weigh(double packets, double hops)
{
    const this_machine::Speed speed = this_machine::measure();
    return {packets, hops, hops / speed.packet_hops + packets / speed.device_packets};
}

}  // namespace

std::optional<Forecast> forecast(const Model& model, const Options& options)
{
    const abi::Image& image = model.image();
    if (!options.workload || image.expected_hops == 0) return std::nullopt;
    double packets = 0;
    for (const io::Attachment& attachment : options.attachments)
        packets += image.endpoints[attachment.endpoint].expected_packets;
    for (const io::SandboxRequest& sandbox : options.sandboxes)
        packets += image.endpoints[sandbox.endpoint].expected_packets;
    return weigh(packets, image.expected_hops);
}

std::string describe(const Forecast& forecast, const Options& options)
{
    std::string text = fmt::format("forecast: {}{}: {}\n", expected(forecast),
                                   options.settings.empty() ? "" : " (without --set)", share(forecast));
    if (forecast.processor > this_machine::kMostLoad)
        text += fmt::format(
            "warning: that will not fit, unless the servers are slower than the clients ask: packets will "
            "be late; {}\n",
            kLighter);
    return text;
}

commandline::MachineCheck check_forecast(const abi::Image& image)
{
    using commandline::Health;
    if (image.endpoint_count == 0)
        return {"forecast", Health::good, "the model has no endpoint: it runs in simulated time", ""};
    if (image.expected_hops == 0)
        return {"forecast", Health::good, "the model has no workload: real traffic decides", ""};
    double packets = 0;
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) packets += image.endpoints[i].expected_packets;
    const Forecast forecast = weigh(packets, image.expected_hops);
    const std::string text =
        fmt::format("live, with all endpoints attached: {}: {}", expected(forecast), share(forecast));
    if (forecast.processor <= this_machine::kMostLoad) return {"forecast", Health::good, text, ""};
    return {"forecast", Health::advice, text, fmt::format("that will not fit this machine: {}", kLighter)};
}

}  // namespace anml::rt::entry
