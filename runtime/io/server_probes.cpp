#include "io/server_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/flows/pairing.h"
#include "app/web_client/web_origins.h"
#include "io/device/dotted.h"
#include "io/endpoint_addresses.h"
#include "io/sandbox/listening.h"
#include "net/model.h"
#include "wire/icmpv6.h"

namespace anml::rt::io {

namespace {

// Null: the endpoint has none here.
Sandbox* sandbox_of(const LiveParts& parts, const LiveOptions& options, std::uint32_t endpoint)
{
    for (std::size_t i = 0; i < parts.sandboxes.size(); ++i)
        if (options.sandboxes[i].endpoint == endpoint) return parts.sandboxes[i].get();
    return nullptr;
}

}  // namespace

void ServerProbes::make()
{
    // A simulated server accepts from the start; a real one is asked once, however many workloads use it.
    const abi::Image& image = model_.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& workload = image.workloads[w];
        if (workload.transport != protocol::tcp) continue;  // who listens to UDP cannot be asked
        for (const LivePort& port : parts_.ports) {
            const std::uint32_t node = image.endpoints[port.gateway->endpoint()].node;
            if (!app::has_peer(model_, w, node)) continue;
            const Address address = model_.address(node, workload.ipv6 != 0);
            const auto ask = [&](std::uint16_t service) {
                bool known = false;
                for (const auto& probe : probes_) known |= probe->server() == address && probe->port() == service;
                if (!known) probes_.push_back(std::make_unique<Probe>(*port.gateway, address, service));
            };
            const std::vector<app::WebOrigin> origins = app::web_origins::of_workload(model_, w).all;
            if (origins.empty()) ask(static_cast<std::uint16_t>(workload.port));
            for (const app::WebOrigin& origin : origins)
                if (origin.node == node) ask(origin.named.port);
        }
    }
    for (const LivePort& port : parts_.ports) {
        port.gateway->on_tcp = [this](const Packet& packet) {
            return std::any_of(probes_.begin(), probes_.end(),
                               [&](const auto& probe) { return probe->answer(packet); });
        };
    }
}

bool ServerProbes::ask(Time now)
{
    bool ready = true;
    for (const auto& probe : probes_) {
        probe->tick(now);
        ready &= probe->seen() == Probe::Seen::accepted;
    }
    return ready;
}

bool ServerProbes::may_accept(Time now, Time waited, std::string& error)
{
    if (!commands_go_on(error) || !can_be_reached(now, error)) return false;
    if (waited < options_.wait) return true;
    const auto missing = std::find_if(probes_.begin(), probes_.end(),
                                      [](const auto& probe) { return probe->seen() != Probe::Seen::accepted; });
    error = unanswered(**missing);
    return false;
}

// What has ended, and left nobody, does not accept any more.
bool ServerProbes::commands_go_on(std::string& error) const
{
    for (const auto& probe : probes_) {
        const std::uint32_t endpoint = probe->gateway().endpoint();
        Sandbox* const sandbox = sandbox_of(parts_, options_, endpoint);
        if (probe->seen() == Probe::Seen::accepted || !sandbox || !sandbox->over()) continue;
        error = fmt::format(
            "the command of the sandbox at `{}` ended with status {} before a server accepted at {}:{}; it has to go "
            "on while the run does",
            endpoint_name(model_, endpoint), sandbox->command_status().value_or(0),
            model_.address_text(probe->server()), probe->port());
        return false;
    }
    return true;
}

bool ServerProbes::listens_to_itself(const Probe& probe) const
{
    const Sandbox* const sandbox = sandbox_of(parts_, options_, probe.gateway().endpoint());
    return sandbox && probe.seen() == Probe::Seen::refused &&
           on_loopback_alone(read_listening(fmt::format("/proc/{}/net", sandbox->first_process())), probe.port());
}

// A server is not waited for that is only reached from within its sandbox, at two looks.
bool ServerProbes::can_be_reached(Time now, std::string& error)
{
    if (now < next_look_) return true;
    next_look_ = now + kSecond;
    const Probe* const before = std::exchange(hidden_, nullptr);
    for (const auto& probe : probes_) {
        if (!listens_to_itself(*probe)) continue;
        hidden_ = probe.get();
        if (hidden_ != before) return true;
        const std::string server = model_.address_text(probe->server());
        error = fmt::format(
            "the server of endpoint `{}` listens at port {} on the loopback alone (localhost), where no client reaches "
            "it: have it listen on {}, or on {}",
            endpoint_name(model_, probe->gateway().endpoint()), probe->port(),
            is_ipv6(probe->server()) ? "::" : "0.0.0.0", server);
        return false;
    }
    return true;
}

std::string ServerProbes::unanswered(const Probe& probe) const
{
    const Gateway& gateway = probe.gateway();
    const bool ipv6 = is_ipv6(probe.server());
    const std::string host = ipv6 ? model_.address_text(probe.server()) : dotted(gateway.host());
    const char* const resolution = ipv6 ? "neighbour solicitations" : "ARP";
    std::string foreign;
    if (!ipv6 && gateway.foreign_source() != Address::none) foreign = dotted(gateway.foreign_source());
    if (ipv6 && gateway.foreign_ipv6()) foreign = shown(*gateway.foreign_ipv6());
    std::string seen;
    if (!foreign.empty()) {
        seen = fmt::format("packets came from {} instead: its address has to be {}", foreign, host);
    } else if (!gateway.knows_host(probe.server())) {
        seen = fmt::format("nobody answered {} for {}: has the host that address, and is its end of the link up?",
                           resolution, host);
    } else if (probe.seen() == Probe::Seen::refused) {
        seen = "it refused every connection: does the server listen on that address and port?";
    } else if (ipv6) {
        seen = fmt::format("it answered {} and no SYN: has it a route to {} through {}, and no firewall?", resolution,
                           shown(wire::embedded(gateway.address())), shown(model_link_local(model_)));
    } else {
        seen =
            fmt::format("it answered {} and no SYN: has it a route to {}/{} through {}, and no firewall?", resolution,
                        dotted(model_.image().pool_first), model_.image().pool_length, dotted(gateway.address()));
    }
    const std::string server = model_.address_text(probe.server());
    return fmt::format("the server at {}:{} (endpoint `{}`) did not accept a connection within {:g} s; {}",
                       ipv6 ? "[" + server + "]" : server, probe.port(), endpoint_name(model_, gateway.endpoint()),
                       static_cast<double>(options_.wait) / kSecond, seen);
}

}  // namespace anml::rt::io
