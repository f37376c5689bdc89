// The examples at the end of --help: command lines that work with the model at hand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/flows/pairing.h"
#include "entry/options/describe.h"
#include "entry/options/tunables.h"
#include "entry/tools/addresses.h"
#include "io/gateway/host_range.h"
#include "io/live.h"
#include "net/model.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

// "D=2ms" with a value that differs from the default and that no requirement refuses; "": there is none.
std::string example_setting(const abi::Image& image, const abi::ParameterRow& row, std::string_view name)
{
    for (double value : {2 * row.value, row.value / 2, row.value + 1, row.minimum, row.maximum}) {
        if (value == row.value || !std::isfinite(value) || value < row.minimum || value > row.maximum) continue;
        if (row.unit == abi::Unit::integer && value != std::floor(value)) continue;
        std::string setting = fmt::format("{}={}", name, format_quantity(value, row.unit)), error;
        std::erase(setting, ' ');
        auto tunables = bind_tunables(image, std::span(&setting, 1), error);
        if (tunables && violated_requirements(Model(image, *tunables), {}).empty()) return setting;
    }
    return "";
}

std::string first_setting(const Model& model)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.parameter_count; ++i) {
        const abi::ParameterRow& row = image.parameters[i];
        if (row.tunable == abi::kNone) continue;
        if (std::string setting = example_setting(image, row, model.text(row.name)); !setting.empty()) return setting;
    }
    return "";
}

// A live run attaches the endpoints that nothing stands in for; where there are none, the one that workloads ask.
std::vector<std::uint32_t> endpoints_to_attach(const Model& model)
{
    const abi::Image& image = model.image();
    std::vector<std::uint32_t> result;
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        if (image.endpoints[i].server == abi::kNone) result.push_back(i);
        if (image.workload_count != 0 && app::has_peer(model, 0, image.endpoints[i].node)) asked = i;
    }
    if (result.empty() && image.endpoint_count != 0) result.push_back(asked);
    return result;
}

// The subnet on the segment of an endpoint without an address of its own; null: it is one host.
const abi::EndpointPrefixRow* subnet_of(const abi::Image& image, std::uint32_t endpoint)
{
    if (image.endpoints[endpoint].addressed) return nullptr;
    for (const abi::EndpointPrefixRow& prefix : io::prefixes_of(image, endpoint))
        if (prefix.kind != abi::PrefixKind::routed && prefix.length <= 24) return &prefix;
    return nullptr;
}

// The endpoint's, or of its subnet one that no other endpoint's example has.
Address example_address(const Model& model, std::uint32_t endpoint)
{
    const abi::EndpointPrefixRow* subnet = subnet_of(model.image(), endpoint);
    return subnet ? Address{subnet->first + 1 + endpoint % 200} : model.address(model.image().endpoints[endpoint].node);
}

// An address that the endpoint can ask for an answer: another endpoint's first of all. none: there is none.
Address somebody_else(const Model& model, std::uint32_t endpoint)
{
    const abi::Image& image = model.image();
    const bool ipv6 = is_ipv6(example_address(model, endpoint));
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        const Address other = example_address(model, i);
        if (i != endpoint && is_ipv6(other) == ipv6) return other;
    }
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (row.kind == abi::NodeKind::endpoint || row.address == 0) continue;
        if (ipv6 && row.ipv6[0] != 0) return ipv6_of(row.first_node);
        if (!ipv6 && !is_ipv6(Address{row.address})) return Address{row.address};
    }
    return Address::none;
}

std::string example_command(const Model& model, std::uint32_t endpoint, bool first)
{
    const abi::Image& image = model.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& row = image.workloads[w];
        if (!app::has_peer(model, w, image.endpoints[endpoint].node)) continue;
        if (row.transport == protocol::icmp) return "sleep 60";  // every host answers
        if (row.transport == protocol::udp) return fmt::format("socat -u UDP-RECV:{} OPEN:/dev/null", row.port);
        if (row.receives != 0) return fmt::format("socat -u TCP-LISTEN:{},fork OPEN:/dev/null", row.port);
        return "nginx -c /path/to/nginx.conf";
    }
    const Address other = somebody_else(model, endpoint);
    const std::string command = first && other != Address::none ? "ping -c 5 " + model.address_text(other) : "sleep 60";
    const abi::EndpointPrefixRow* subnet = subnet_of(image, endpoint);
    if (!subnet) return command;
    return fmt::format("sh -c 'ip addr add {}/{} dev eth0; {}'", format_address(example_address(model, endpoint)),
                       subnet->length, command);
}

}  // namespace

std::string describe_examples(const Model& model, const std::string& program)
{
    const abi::Image& image = model.image();
    std::string attached, sandboxed;
    for (std::uint32_t endpoint : endpoints_to_attach(model)) {
        std::string_view name = model.text(image.endpoints[endpoint].name);
        bool first = attached.empty();
        attached += fmt::format(" --attach {}=if:{}", name, first ? "eth1" : "eth2");
        sandboxed += fmt::format(" --sandbox{} -- {}", image.endpoint_count > 1 ? " " + std::string(name) : "",
                                 example_command(model, endpoint, first));
    }
    const std::string setting = first_setting(model);
    std::string out = "examples\n";
    // Without a workload nothing happens in a simulation, without a server to ask it does not begin.
    const bool simulates =
        (image.workload_count != 0 || image.endpoint_count == 0) && unserved_workload(model, {}).empty();
    if (simulates) {
        out += fmt::format("  {0} simulate\n  {0} simulate --for 30s --results results.json\n", program);
        if (!setting.empty()) out += fmt::format("  {} simulate --set {}\n", program, setting);
    }
    if (!attached.empty()) {
        out += fmt::format("  {} live{}\n", program, attached);
        out += fmt::format("  {} live --for 30s{}\n", program, sandboxed);
        if (!simulates && !setting.empty()) {
            out += fmt::format("  {} live --set {}{}\n", program, setting, sandboxed);
        }
    }
    return out;
}

}  // namespace anml::rt::entry
