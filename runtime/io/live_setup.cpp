#include "io/live_setup.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "app/flows/pairing.h"
#include "io/capture/replay.h"
#include "io/device/dotted.h"
#include "io/device/interface.h"
#include "io/device/packet_socket.h"
#include "io/device/tap.h"
#include "io/endpoint_addresses.h"
#include "io/gateway/host_range.h"
#include "io/gateway/wire_end.h"
#include "io/sandbox/drop_privileges.h"
#include "io/sandbox/forwarder.h"
#include "io/xdp/xdp_socket.h"
#include "net/model.h"

namespace anml::rt::io {

namespace {

// A workload talks to one host: which one of the attached network?
bool check_peers(const Model& model, const std::vector<bool>& attached, std::string& error)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        if (!attached[i] || image.endpoints[i].addressed) continue;
        if (!has_prefix(image, i, abi::PrefixKind::on_link) && !has_prefix(image, i, abi::PrefixKind::bridged))
            continue;
        for (std::uint32_t w = 0; w < image.workload_count; ++w) {
            if (!app::has_peer(model, w, image.endpoints[i].node)) continue;
            error = fmt::format(
                "workload `{}` talks to endpoint `{}`, which is a subnet of hosts: give the endpoint the `address` of "
                "the one it is to talk to, or start no workload (--no-workload)",
                model.text(image.workloads[w].name), endpoint_name(model, i));
            return false;
        }
    }
    return true;
}

bool check_endpoints(const Model& model, const LiveOptions& options, std::string& error)
{
    const abi::Image& image = model.image();
    std::vector<bool> used(image.endpoint_count);
    const auto use = [&](std::uint32_t endpoint) {
        const bool twice = used[endpoint];
        used[endpoint] = true;
        if (twice) error = fmt::format("endpoint `{}` is attached twice", endpoint_name(model, endpoint));
        return !twice;
    };
    for (const Attachment& attachment : options.attachments) {
        if (!use(attachment.endpoint)) return false;
    }
    for (const SandboxRequest& request : options.sandboxes) {
        if (!use(request.endpoint)) return false;
    }
    for (const std::uint32_t endpoint : options.elsewhere) used[endpoint] = true;
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        if (used[i] || image.endpoints[i].server != abi::kNone) continue;
        error = fmt::format(
            "endpoint `{0}` has no simulated server and is not attached: --attach {0}=tap:NAME, "
            "--attach {0}=if:NAME or --sandbox {0} -- COMMAND",
            endpoint_name(model, i));
        return false;
    }
    return !options.workload || check_peers(model, used, error);
}

class LiveSetup {
  public:
    LiveSetup(LiveParts& parts, Edge& edge, Simulator& simulator, const Model& model, const LiveOptions& options,
              LiveReport& report)
        : parts_(parts), edge_(edge), simulator_(simulator), model_(model), options_(options), report_(report)
    {
    }

    bool open(std::string& error);

  private:
    bool open_attachment(const Attachment& attachment, std::string& error);
    std::unique_ptr<PacketSocket> open_interface(const Attachment& attachment, std::string& error);
    bool open_forward(const Attachment& attachment, Forwarder& forwarder, std::string& error);
    bool open_replay(const Attachment& attachment, std::string& error);
    bool open_sandbox(const SandboxRequest& request, std::string& error);
    std::unique_ptr<Sandbox> make_sandbox(SandboxSettings settings, std::uint32_t endpoint, std::string& error);
    void add_port(std::unique_ptr<Device> device, std::uint32_t endpoint, PcapDevice* replay = nullptr);
    void join_sides();
    std::optional<wire::MacAddress> heard_at(std::uint32_t endpoint) const;
    void say_wire(const Attachment& attachment, const WireEnd& wire, std::uint32_t mtu) const;
    void say_subnets(std::uint32_t endpoint, const std::string& device) const;
    void say(const std::string& line) const
    {
        if (options_.say) options_.say(line);
    }

    LiveParts& parts_;
    Edge& edge_;
    Simulator& simulator_;
    const Model& model_;
    const LiveOptions& options_;
    LiveReport& report_;
};

bool LiveSetup::open(std::string& error)
{
    if (!check_endpoints(model_, options_, error)) return false;
    for (const SubnetBehind& behind : options_.subnets) simulator_.external_hosts().add(behind.subnet, behind.endpoint);
    add_external_hosts(model_.image(), simulator_.external_hosts());
    const auto forwards = [](const Attachment& attachment) { return attachment.kind == Attachment::Kind::forward; };
    for (const Attachment& attachment : options_.attachments) {
        if (!attachment.relays() && !forwards(attachment) && !open_attachment(attachment, error)) return false;
    }
    Forwarder forwarder;
    const bool forwarded = std::ranges::any_of(options_.attachments, forwards);
    if (forwarded && !forwarder.begin(error)) return false;
    const bool inside = forwarded || !options_.sandboxes.empty() || !options_.relays.empty();
    if (inside && !enter_network_namespace(error)) return false;
    for (const Attachment& attachment : options_.attachments) {
        if (forwards(attachment) && !open_forward(attachment, forwarder, error)) return false;
        if (!attachment.relays()) continue;
        SandboxSettings settings;
        settings.relay = options_.relays[parts_.relays.size()]->get();
        const Address target = model_.address(model_.image().endpoints[attachment.to].node);
        settings.relay_to = {model_.address_text(target), attachment.to_port, attachment.udp};
        parts_.relays.push_back(make_sandbox(std::move(settings), attachment.endpoint, error));
        if (!parts_.relays.back()) return false;
        if (attachment.kind == Attachment::Kind::listen)
            say(fmt::format("{}:{}: clients {}come out of `{}`, for port {} of `{}`", attachment.device,
                            attachment.port, attachment.udp ? "of UDP " : "",
                            endpoint_name(model_, attachment.endpoint), attachment.to_port,
                            endpoint_name(model_, attachment.to)));
    }
    for (const SandboxRequest& request : options_.sandboxes) {
        if (!open_sandbox(request, error)) return false;
    }
    for (const std::uint32_t endpoint : options_.elsewhere) simulator_.attach(endpoint, parts_.elsewhere);
    join_sides();
    return true;
}

bool LiveSetup::open_attachment(const Attachment& attachment, std::string& error)
{
    const HostAddresses host = addresses_of(model_, options_, attachment.endpoint);
    const std::optional<WireEnd> wire = wire_at(model_.image(), attachment.endpoint);
    std::string prefixes;
    for (const AddressPrefix& prefix : host.prefixes) prefixes += (prefixes.empty() ? "" : ", ") + shown(prefix);
    for (const Subnet& prefix : host.prefixes6) prefixes += (prefixes.empty() ? "" : ", ") + shown(prefix);
    if (attachment.kind == Attachment::Kind::pcap) return open_replay(attachment, error);
    const bool any = attachment.kind == Attachment::Kind::any;
    const bool tap = any ? is_free_tap(attachment.device) : attachment.kind == Attachment::Kind::tap;
    if (any) say(fmt::format("{}: {}", attachment.device, tap ? "as a TAP device" : "through a packet socket"));
    if (tap) {
        auto device = TapDevice::open(attachment.device, host, options_.clock, report_, error);
        if (!device) return false;
        if (wire) {
            say_wire(attachment, *wire, host.mtu);
            add_port(std::move(device), attachment.endpoint);
            return true;
        }
        say(fmt::format("{}: this machine is endpoint `{}`, {}; {} goes through it", attachment.device,
                        endpoint_name(model_, attachment.endpoint),
                        host.shown().empty() ? hosts_shown(model_.image(), attachment.endpoint) : host.shown(),
                        prefixes));
        say_subnets(attachment.endpoint, attachment.device);
        add_port(std::move(device), attachment.endpoint);
        return true;
    }
    auto device = open_interface(attachment, error);
    if (!device) return false;
    if (wire) {
        say_wire(attachment, *wire, host.mtu);
        if (!device->has_carrier()) say(fmt::format("{} has no carrier: is the other end up?", attachment.device));
        add_port(std::move(device), attachment.endpoint);
        return true;
    }
    if (const std::string hosts = hosts_shown(model_.image(), attachment.endpoint); !hosts.empty()) {
        say(
            fmt::format("{}: endpoint `{}`, {}. On each that is to reach more than its subnet, where DEV is its "
                        "interface:",
                        attachment.device, endpoint_name(model_, attachment.endpoint), hosts));
    } else {
        say(fmt::format("{}: endpoint `{}`. On the host behind it, where DEV is its interface:", attachment.device,
                        endpoint_name(model_, attachment.endpoint)));
        if (host.address != 0) say(fmt::format("  ip addr add {}/32 dev DEV", dotted(host.address)));
        if (host.ipv6) say(fmt::format("  ip addr add {}/128 dev DEV", shown(*host.ipv6)));
    }
    for (const AddressPrefix& prefix : host.prefixes)
        say(fmt::format("  ip route add {} via {} dev DEV onlink", shown(prefix), dotted(host.gateway)));
    for (const Subnet& prefix : host.prefixes6)
        say(fmt::format("  ip -6 route add {} via {} dev DEV", shown(prefix), shown(host.gateway6)));
    say_subnets(attachment.endpoint, "DEV");
    if (host.ipv6) say("  or it accepts router advertisements, and has a default route of IPv6 by them");
    if (!device->has_carrier()) say(fmt::format("{} has no carrier: is the other end up?", attachment.device));
    add_port(std::move(device), attachment.endpoint);
    parts_.ports.back().gateway->discovery().advertise();
    return true;
}

std::unique_ptr<PacketSocket> LiveSetup::open_interface(const Attachment& attachment, std::string& error)
{
    const std::string& name = attachment.device;
    if (attachment.kind != Attachment::Kind::xdp)
        return PacketSocket::open(name, heard_at(attachment.endpoint), options_.clock, report_, error);
    auto device =
        XdpSocket::open(name, model_mac(model_), heard_at(attachment.endpoint), options_.clock, report_, error);
    if (!device) return nullptr;
    const std::string refusal = device->refusal();
    say(fmt::format("{}: through AF_XDP, {}{}", name, device->mode(),
                    refusal.empty() ? "" : fmt::format(" (its driver takes no program: {})", refusal)));
    return device;
}

bool LiveSetup::open_forward(const Attachment& attachment, Forwarder& forwarder, std::string& error)
{
    const std::string interface = fmt::format("forward{}", attachment.endpoint);
    const HostAddresses host = addresses_of(model_, options_, attachment.endpoint);
    if (!forwarder.join(attachment.device, interface, host, error)) return false;
    auto device = PacketSocket::open(interface, heard_at(attachment.endpoint), options_.clock, report_, error);
    if (!device) return false;
    say(fmt::format("{}: this machine forwards between it and endpoint `{}`, {}", attachment.device,
                    endpoint_name(model_, attachment.endpoint), host.shown()));
    add_port(std::move(device), attachment.endpoint);
    return true;
}

bool LiveSetup::open_replay(const Attachment& attachment, std::string& error)
{
    auto device = PcapDevice::open(attachment.files, model_mac(model_), first_mtu(model_, attachment.endpoint),
                                   options_.clock, &options_.clock, report_, error);
    if (!device) return false;
    PcapDevice* replay = device.get();
    add_port(std::move(device), attachment.endpoint, replay);
    return true;
}

bool LiveSetup::open_sandbox(const SandboxRequest& request, std::string& error)
{
    SandboxSettings settings;
    settings.command = request.command;
    settings.hosts = names_of_nodes(model_);
    settings.user = options_.user;
    settings.stop_timeout = options_.stop_timeout;
    settings.streams = options_.streams;
    settings.own_output = options_.quiet;
    auto sandbox = make_sandbox(std::move(settings), request.endpoint, error);
    if (!sandbox) return false;
    parts_.sandboxes.push_back(std::move(sandbox));
    return true;
}

std::unique_ptr<Sandbox> LiveSetup::make_sandbox(SandboxSettings settings, std::uint32_t endpoint, std::string& error)
{
    // Seen only in the emulator's own namespace, so that any name is free.
    const std::string interface = fmt::format("sandbox{}", endpoint);
    settings.host = addresses_of(model_, options_, endpoint);
    if (settings.host.ipv6 && !wire_at(model_.image(), endpoint))
        settings.host.prefixes6 = {Subnet{.ipv6 = true}};  // there is nothing else
    settings.name = endpoint_name(model_, endpoint);
    auto sandbox = Sandbox::make(interface, settings, error);
    if (!sandbox) return nullptr;
    auto device = PacketSocket::open(interface, heard_at(endpoint), options_.clock, report_, error);
    if (!device) return nullptr;
    add_port(std::move(device), endpoint);
    return sandbox;
}

void LiveSetup::add_port(std::unique_ptr<Device> device, std::uint32_t endpoint, PcapDevice* replay)
{
    auto gateway = std::make_unique<Gateway>(*device, endpoint, model_, simulator_, report_);
    std::vector<AddressMap::Pair> pairs;
    for (const MappedAddress& pair : options_.maps)
        if (pair.endpoint == endpoint) pairs.push_back({pair.virtual_address, pair.real_address});
    gateway->translate(AddressMap(std::move(pairs)));
    parts_.gateway_of[endpoint] = gateway.get();
    parts_.ports.push_back({std::move(device), std::move(gateway), replay});
    simulator_.attach(endpoint, edge_);
}

void LiveSetup::join_sides()
{
    for (LivePort& port : parts_.ports) {
        if (!has_prefix(model_.image(), port.gateway->endpoint(), abi::PrefixKind::bridged)) continue;
        if (!parts_.bridge) parts_.bridge = std::make_unique<Bridge>(model_, simulator_.external_hosts(), report_);
        port.gateway->join(*parts_.bridge);
    }
}

// The Ethernet address that the model has there; none: all frames are for it.
std::optional<wire::MacAddress> LiveSetup::heard_at(std::uint32_t endpoint) const
{
    const abi::Image& image = model_.image();
    if (wire_at(image, endpoint) || has_prefix(image, endpoint, abi::PrefixKind::bridged)) return std::nullopt;
    return model_mac(model_);
}

void LiveSetup::say_wire(const Attachment& attachment, const WireEnd& wire, std::uint32_t mtu) const
{
    say(fmt::format("{}: endpoint `{}`, a wire to `{}`: every frame crosses as it is", attachment.device,
                    endpoint_name(model_, attachment.endpoint), model_.node_name(wire.other)));
    const auto facts = interface_facts(attachment.device);
    if (facts && static_cast<std::uint32_t>(facts->mtu) < mtu)
        say(fmt::format("{} has an MTU of {} B, and the wire one of {} B", attachment.device, facts->mtu, mtu));
}

// What the host has to do for the subnets behind it, and for IPv6 those behind others. Routes of IPv4 are among those
// of the model.
void LiveSetup::say_subnets(std::uint32_t endpoint, const std::string& device) const
{
    std::string own;
    for (const SubnetBehind& behind : options_.subnets) {
        if (behind.endpoint == endpoint)
            own += (own.empty() ? "" : ", ") + shown(behind.subnet);
        else if (behind.subnet.ipv6)
            say(fmt::format("  ip -6 route add {} via {} dev {}", shown(behind.subnet), shown(model_link_local(model_)),
                            device));
    }
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(model_.image(), endpoint))
        if (prefix.kind == abi::PrefixKind::routed)
            own += (own.empty() ? "" : ", ") + shown(AddressPrefix{prefix.first, prefix.length});
    if (!own.empty()) say(fmt::format("  and it forwards packets from and to {}", own));
}

}  // namespace

bool set_up(LiveParts& parts, Edge& edge, Simulator& simulator, const Model& model, const LiveOptions& options,
            LiveReport& report, std::string& error)
{
    return LiveSetup(parts, edge, simulator, model, options, report).open(error);
}

bool pin(const LiveOptions& options, std::string& error)
{
    if (options.processors.empty()) return true;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int processor : options.processors) {
        if (processor >= 0 && processor < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(processor), &set);
    }
    if (sched_setaffinity(0, sizeof set, &set) == 0) return true;
    error = fmt::format("cannot run on the processors asked for: {} (`nproc` says how many there are, from 0)",
                        std::strerror(errno));
    return false;
}

bool drop_privileges(const LiveParts& parts, const LiveOptions& options, std::string& error)
{
    Confinement needs{false, options.outputs, options.connecting};
    for (const LivePort& port : parts.ports) needs.restores_network |= port.device->restores();
    Kept kept;
    if (!io::drop_privileges(needs, kept, error)) return false;
    if (kept.net_admin && options.say)
        options.say("keeps CAP_NET_ADMIN: a device that was there before gets its configuration back at the end");
    if (kept.dac_override && options.say)
        options.say("keeps CAP_DAC_OVERRIDE: the results are to be written where only root may");
    return true;
}

}  // namespace anml::rt::io
