// Making and taking down what a real-time run needs: attachments, sandboxes, probes.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "app/flows/pairing.h"
#include "app/web_client/web_origins.h"
#include "io/capture/replay.h"
#include "io/device/dotted.h"
#include "io/device/interface.h"
#include "io/device/tap.h"
#include "io/live_run.h"
#include "io/sandbox/drop_privileges.h"
#include "io/sandbox/forwarder.h"
#include "io/xdp/xdp_socket.h"
#include "net/model.h"

namespace anml::rt::io {

namespace {
constexpr std::size_t kMostNames = 10'000;  // of nodes, in a sandbox: each look-up reads them all
}

LiveRun::LiveRun(Simulator& simulator, const Model& model, const LiveOptions& options, const std::atomic<bool>& stop)
    : simulator_(simulator),
      model_(model),
      options_(options),
      stop_(stop),
      clock_(options.clock),
      gateway_of_(model.image().endpoint_count)
{
}

LiveRun::~LiveRun() = default;

bool LiveRun::open(std::string& error)
{
    prctl(PR_SET_TIMERSLACK, 1);
    if (!check_endpoints(error)) return false;
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
        settings.relay = options_.relays[relays_.size()]->get();
        const Address target = model_.address(model_.image().endpoints[attachment.to].node);
        settings.relay_to = {model_.address_text(target), attachment.to_port, attachment.udp};
        relays_.push_back(make_sandbox(std::move(settings), attachment.endpoint, error));
        if (!relays_.back()) return false;
        if (attachment.kind == Attachment::Kind::listen)
            say(fmt::format("{}:{}: clients {}come out of `{}`, for port {} of `{}`", attachment.device,
                            attachment.port, attachment.udp ? "of UDP " : "", endpoint_name(attachment.endpoint),
                            attachment.to_port, endpoint_name(attachment.to)));
    }
    for (const SandboxRequest& request : options_.sandboxes) {
        if (!open_sandbox(request, error)) return false;
    }
    for (const std::uint32_t endpoint : options_.elsewhere) simulator_.attach(endpoint, elsewhere_);
    join_sides();
    schedule_.reset(::open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC));
    watch_servers();  // on any processor
    return pin(error);
}

void LiveRun::join_sides()
{
    for (Port& port : ports_) {
        if (!has_prefix(port.gateway->endpoint(), abi::PrefixKind::bridged)) continue;
        if (!bridge_) bridge_ = std::make_unique<Bridge>(model_, simulator_.external_hosts(), report_);
        port.gateway->join(*bridge_);
    }
}

bool LiveRun::has_prefix(std::uint32_t endpoint, abi::PrefixKind kind) const
{
    const auto prefixes = prefixes_of(model_.image(), endpoint);
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const auto& prefix) { return prefix.kind == kind; });
}

bool LiveRun::drop_privileges(std::string& error) const
{
    Confinement needs{false, options_.outputs, options_.connecting};
    for (const Port& port : ports_) needs.restores_network |= port.device->restores();
    Kept kept;
    if (!io::drop_privileges(needs, kept, error)) return false;
    if (kept.net_admin)
        say("keeps CAP_NET_ADMIN: a device that was there before gets its configuration back at the end");
    if (kept.dac_override) say("keeps CAP_DAC_OVERRIDE: the results are to be written where only root may");
    return true;
}

bool LiveRun::check_endpoints(std::string& error) const
{
    const abi::Image& image = model_.image();
    std::vector<bool> used(image.endpoint_count);
    const auto use = [&](std::uint32_t endpoint) {
        const bool twice = used[endpoint];
        used[endpoint] = true;
        if (twice) error = fmt::format("endpoint `{}` is attached twice", endpoint_name(endpoint));
        return !twice;
    };
    for (const Attachment& attachment : options_.attachments) {
        if (!use(attachment.endpoint)) return false;
    }
    for (const SandboxRequest& request : options_.sandboxes) {
        if (!use(request.endpoint)) return false;
    }
    for (const std::uint32_t endpoint : options_.elsewhere) used[endpoint] = true;
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        if (used[i] || image.endpoints[i].server != abi::kNone) continue;
        error = fmt::format(
            "endpoint `{0}` has no simulated server and is not attached: --attach {0}=tap:NAME, "
            "--attach {0}=if:NAME or --sandbox {0} -- COMMAND",
            endpoint_name(i));
        return false;
    }
    return !options_.workload || check_peers(used, error);
}

// A workload talks to one host: which one of the attached network?
bool LiveRun::check_peers(const std::vector<bool>& attached, std::string& error) const
{
    const abi::Image& image = model_.image();
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        if (!attached[i] || image.endpoints[i].addressed) continue;
        if (!has_prefix(i, abi::PrefixKind::on_link) && !has_prefix(i, abi::PrefixKind::bridged)) continue;
        for (std::uint32_t w = 0; w < image.workload_count; ++w) {
            if (!app::has_peer(model_, w, image.endpoints[i].node)) continue;
            error = fmt::format(
                "workload `{}` talks to endpoint `{}`, which is a subnet of hosts: give the endpoint the `address` of "
                "the one it is to talk to, or start no workload (--no-workload)",
                model_.text(image.workloads[w].name), endpoint_name(i));
            return false;
        }
    }
    return true;
}

bool LiveRun::open_attachment(const Attachment& attachment, std::string& error)
{
    const HostAddresses host = addresses(attachment.endpoint);
    const std::optional<WireEnd> wire = wire_at(model_.image(), attachment.endpoint);
    std::string prefixes;
    for (const AddressPrefix& prefix : host.prefixes) prefixes += (prefixes.empty() ? "" : ", ") + shown(prefix);
    for (const Subnet& prefix : host.prefixes6) prefixes += (prefixes.empty() ? "" : ", ") + shown(prefix);
    if (attachment.kind == Attachment::Kind::pcap) return open_replay(attachment, error);
    const bool any = attachment.kind == Attachment::Kind::any;
    const bool tap = any ? is_free_tap(attachment.device) : attachment.kind == Attachment::Kind::tap;
    if (any) say(fmt::format("{}: {}", attachment.device, tap ? "as a TAP device" : "through a packet socket"));
    if (tap) {
        auto device = TapDevice::open(attachment.device, host, clock_, report_, error);
        if (!device) return false;
        if (wire) {
            say_wire(attachment, *wire, host.mtu);
            return add_port(std::move(device), attachment.endpoint);
        }
        say(fmt::format("{}: this machine is endpoint `{}`, {}; {} goes through it", attachment.device,
                        endpoint_name(attachment.endpoint),
                        host.shown().empty() ? hosts_shown(attachment.endpoint) : host.shown(), prefixes));
        say_subnets(attachment.endpoint, attachment.device);
        return add_port(std::move(device), attachment.endpoint);
    }
    auto device = open_interface(attachment, error);
    if (!device) return false;
    if (wire) {
        say_wire(attachment, *wire, host.mtu);
        if (!device->has_carrier()) say(fmt::format("{} has no carrier: is the other end up?", attachment.device));
        return add_port(std::move(device), attachment.endpoint);
    }
    if (const std::string hosts = hosts_shown(attachment.endpoint); !hosts.empty()) {
        say(
            fmt::format("{}: endpoint `{}`, {}. On each that is to reach more than its subnet, where DEV is its "
                        "interface:",
                        attachment.device, endpoint_name(attachment.endpoint), hosts));
    } else {
        say(fmt::format("{}: endpoint `{}`. On the host behind it, where DEV is its interface:", attachment.device,
                        endpoint_name(attachment.endpoint)));
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
    if (!add_port(std::move(device), attachment.endpoint)) return false;
    ports_.back().gateway->advertise();
    return true;
}

bool LiveRun::open_forward(const Attachment& attachment, Forwarder& forwarder, std::string& error)
{
    const std::string interface = fmt::format("forward{}", attachment.endpoint);
    const HostAddresses host = addresses(attachment.endpoint);
    if (!forwarder.join(attachment.device, interface, host, error)) return false;
    auto device = PacketSocket::open(interface, heard_at(attachment.endpoint), clock_, report_, error);
    if (!device) return false;
    say(fmt::format("{}: this machine forwards between it and endpoint `{}`, {}", attachment.device,
                    endpoint_name(attachment.endpoint), host.shown()));
    return add_port(std::move(device), attachment.endpoint);
}

std::unique_ptr<PacketSocket> LiveRun::open_interface(const Attachment& attachment, std::string& error)
{
    const std::string& name = attachment.device;
    if (attachment.kind != Attachment::Kind::xdp)
        return PacketSocket::open(name, heard_at(attachment.endpoint), clock_, report_, error);
    auto device =
        XdpSocket::open(name, model_mac(model_), heard_at(attachment.endpoint), clock_, report_, error);
    if (!device) return nullptr;
    const std::string refusal = device->refusal();
    say(fmt::format("{}: through AF_XDP, {}{}", name, device->mode(),
                    refusal.empty() ? "" : fmt::format(" (its driver takes no program: {})", refusal)));
    return device;
}

bool LiveRun::open_replay(const Attachment& attachment, std::string& error)
{
    auto device = PcapDevice::open(attachment.files, model_mac(model_), first_mtu(model_, attachment.endpoint), clock_,
                                   &clock_, report_, error);
    if (!device) return false;
    PcapDevice* replay = device.get();
    return add_port(std::move(device), attachment.endpoint, replay);
}

// The Ethernet address that the model has there; none: all frames are for it.
std::optional<wire::MacAddress> LiveRun::heard_at(std::uint32_t endpoint) const
{
    if (wire_at(model_.image(), endpoint) || has_prefix(endpoint, abi::PrefixKind::bridged)) return std::nullopt;
    return model_mac(model_);
}

void LiveRun::say_wire(const Attachment& attachment, const WireEnd& wire, std::uint32_t mtu) const
{
    say(fmt::format("{}: endpoint `{}`, a wire to `{}`: every frame crosses as it is", attachment.device,
                    endpoint_name(attachment.endpoint), model_.node_name(wire.other)));
    const auto facts = interface_facts(attachment.device);
    if (facts && static_cast<std::uint32_t>(facts->mtu) < mtu)
        say(fmt::format("{} has an MTU of {} B, and the wire one of {} B", attachment.device, facts->mtu, mtu));
}

// What the host has to do for the subnets behind it, and for IPv6 those behind others. Routes of IPv4 are among those
// of the model.
void LiveRun::say_subnets(std::uint32_t endpoint, const std::string& device) const
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

bool LiveRun::open_sandbox(const SandboxRequest& request, std::string& error)
{
    SandboxSettings settings;
    settings.command = request.command;
    settings.hosts = names();
    settings.user = options_.user;
    settings.stop_timeout = options_.stop_timeout;
    settings.streams = options_.streams;
    settings.own_output = options_.quiet;
    auto sandbox = make_sandbox(std::move(settings), request.endpoint, error);
    if (!sandbox) return false;
    sandboxes_.push_back(std::move(sandbox));
    return true;
}

std::unique_ptr<Sandbox> LiveRun::make_sandbox(SandboxSettings settings, std::uint32_t endpoint, std::string& error)
{
    // Seen only in the emulator's own namespace, so that any name is free.
    const std::string interface = fmt::format("sandbox{}", endpoint);
    settings.host = addresses(endpoint);
    if (settings.host.ipv6 && !wire_at(model_.image(), endpoint))
        settings.host.prefixes6 = {Subnet{.ipv6 = true}};  // there is nothing else
    settings.name = endpoint_name(endpoint);
    auto sandbox = Sandbox::make(interface, settings, error);
    if (!sandbox) return nullptr;
    auto device = PacketSocket::open(interface, heard_at(endpoint), clock_, report_, error);
    if (!device || !add_port(std::move(device), endpoint)) return nullptr;
    return sandbox;
}

namespace {

// What stands in URLs too, where brackets are patterns or addresses: " web-1" of "web[1]".
std::string alias(std::string_view name)
{
    if (name.find('[') == name.npos) return {};
    std::string plain = " ";
    for (const char c : name)
        if (c == '[')
            plain += '-';
        else if (c != ']' && c != '"')
            plain += c;
    return plain;
}

}  // namespace

// The model's hosts and routers, as lines of /etc/hosts.
std::string LiveRun::names() const
{
    const abi::Image& image = model_.image();
    std::string lines;
    std::size_t count = 0;
    const auto add = [&](NodeId node, const std::string& name) {
        const Address own = model_.address(node);
        if (own == Address::none) return;
        ++count;
        const std::string known = name + alias(name);
        lines += fmt::format("{} {}\n", model_.address_text(own), known);
        if (!is_ipv6(own) && model_.has_ipv6(node)) lines += fmt::format("{} {}\n", shown(model_.ipv6(node)), known);
    };
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i)
        if (image.endpoints[i].addressed || (prefixes_of(image, i).empty() && !wire_at(model_.image(), i)))
            add(image.endpoints[i].node, endpoint_name(i));
    const auto is_endpoint = [&](NodeId node) {
        return std::any_of(image.endpoints, image.endpoints + image.endpoint_count,
                           [&](const abi::EndpointRow& row) { return row.node == node; });
    };
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        for (NodeId node = row.first_node; node - row.first_node < row.count && count < kMostNames; ++node)
            if (!is_endpoint(node)) add(node, model_.node_name(node));
    }
    return lines;
}

std::vector<SandboxProcess> LiveRun::processes() const
{
    std::vector<SandboxProcess> processes;
    for (std::size_t i = 0; i < sandboxes_.size(); ++i)
        processes.push_back({options_.sandboxes[i].endpoint, sandboxes_[i]->first_process()});
    return processes;
}

bool LiveRun::add_port(std::unique_ptr<Device> device, std::uint32_t endpoint, PcapDevice* replay)
{
    auto gateway = std::make_unique<Gateway>(*device, endpoint, model_, simulator_, report_);
    std::vector<AddressMap::Pair> pairs;
    for (const MappedAddress& pair : options_.maps)
        if (pair.endpoint == endpoint) pairs.push_back({pair.virtual_address, pair.real_address});
    gateway->translate(AddressMap(std::move(pairs)));
    gateway_of_[endpoint] = gateway.get();
    ports_.push_back({std::move(device), std::move(gateway), replay});
    simulator_.attach(endpoint, *this);
    return true;
}

bool LiveRun::pin(std::string& error) const
{
    if (options_.processors.empty()) return true;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int processor : options_.processors) {
        if (processor >= 0 && processor < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(processor), &set);
    }
    if (sched_setaffinity(0, sizeof set, &set) == 0) return true;
    error = fmt::format("cannot run on the processors asked for: {} (`nproc` says how many there are, from 0)",
                        std::strerror(errno));
    return false;
}

HostAddresses LiveRun::addresses(std::uint32_t endpoint) const
{
    const abi::Image& image = model_.image();
    if (const auto wire = wire_at(model_.image(), endpoint)) return addresses_at_wire(endpoint, *wire);
    HostAddresses host = own_addresses(endpoint);
    if (host.prefixes.empty()) return host;
    for (const SubnetBehind& other : options_.subnets) {
        if (other.endpoint != endpoint && !other.subnet.ipv6)
            host.prefixes.push_back({other.subnet.first(), other.subnet.length});
    }
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, i)) {
            const AddressPrefix other{prefix.first, prefix.length};
            if (i != endpoint && std::find(host.prefixes.begin(), host.prefixes.end(), other) == host.prefixes.end())
                host.prefixes.push_back(other);
        }
    }
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, endpoint)) {
        if (prefix.kind == abi::PrefixKind::routed) continue;
        if (!image.endpoints[endpoint].addressed) host.address = 0;
        // The segment's own hosts need no route.
        const HostRange hosts = hosts_of(prefix);
        std::erase_if(host.prefixes, [&](const AddressPrefix& other) {
            return other.length >= prefix.length && other.first >= prefix.first && other.first <= last_of(prefix);
        });
        if (host.address && hosts.has(Address{host.address})) host.length = prefix.length;
    }
    for (const MappedAddress& pair : options_.maps)
        if (pair.endpoint == endpoint && number(pair.virtual_address) == host.address) {
            host.address = number(pair.real_address);
            host.length = 32;
            break;
        }
    return host;
}

// What the model sets, and on the link the address of the other end.
HostAddresses LiveRun::addresses_at_wire(std::uint32_t endpoint, const WireEnd& wire) const
{
    const abi::Image& image = model_.image();
    const NodeId node = image.endpoints[endpoint].node;
    HostAddresses host;
    host.mtu = first_mtu(model_, endpoint);
    const bool other_addressed = std::any_of(
        image.endpoints, image.endpoints + image.endpoint_count,
        [&](const abi::EndpointRow& row) { return row.node == wire.other && row.addressed != 0; });
    if (!image.endpoints[endpoint].addressed) return host;
    const Address own = model_.address(node), other = model_.address(wire.other);
    if (!is_ipv6(own)) host.address = number(own);
    if (!is_ipv6(own) && !is_ipv6(other) && other_addressed) host.prefixes.push_back({number(other), 32});
    if (!model_.has_ipv6(node)) return host;
    host.ipv6 = model_.ipv6(node);
    if (model_.has_ipv6(wire.other) && other_addressed)
        host.prefixes6.push_back({true, model_.ipv6(wire.other), 128});
    return host;
}

// Without what lies at other endpoints. There is no IPv4 for one that has no address of it.
HostAddresses LiveRun::own_addresses(std::uint32_t endpoint) const
{
    const abi::Image& image = model_.image();
    const NodeId node = image.endpoints[endpoint].node;
    const Address own = model_.address(node);
    HostAddresses host;
    const Address shared{model_.node_row(node).anycast};
    if (!is_ipv6(own))
        host = {number(own), 32, is_ipv6(shared) ? 0 : number(shared), model_prefixes(image, number(own)),
                image.gateway};
    const auto at_link = [](const abi::EndpointPrefixRow& prefix) { return prefix.kind != abi::PrefixKind::routed; };
    const auto prefixes = prefixes_of(image, endpoint);
    if (!model_.has_ipv6(node) || (!image.endpoints[endpoint].addressed && std::ranges::any_of(prefixes, at_link)))
        return host;
    host.ipv6 = model_.ipv6(node);
    host.prefixes6 = model_prefixes_ipv6(image);
    std::erase(host.prefixes6, Subnet{true, *host.ipv6, 128});
    if (is_ipv6(shared)) {
        host.anycast6 = model_.ipv6_bytes(shared);
        std::erase(host.prefixes6, Subnet{true, *host.anycast6, 128});
    }
    host.gateway6 = model_link_local(model_);
    return host;
}

// "hosts of 192.168.7.0/24 (bridged)"; "": it is one host.
std::string LiveRun::hosts_shown(std::uint32_t endpoint) const
{
    std::string text;
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(model_.image(), endpoint)) {
        if (prefix.kind == abi::PrefixKind::routed) continue;
        text += fmt::format("{}{} ({})", text.empty() ? "hosts of " : ", ",
                            shown(AddressPrefix{prefix.first, prefix.length}), abi::prefix_kind_name(prefix.kind));
    }
    return text;
}

std::string LiveRun::endpoint_name(std::uint32_t endpoint) const
{
    return std::string(model_.text(model_.image().endpoints[endpoint].name));
}

void LiveRun::make_probes()
{
    // A simulated server accepts from the start; a real one is asked once, however many workloads use it.
    const abi::Image& image = model_.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& workload = image.workloads[w];
        if (workload.transport != protocol::tcp) continue;  // who listens to UDP cannot be asked
        for (Port& port : ports_) {
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
    for (Port& port : ports_) {
        port.gateway->on_tcp = [this](const Packet& packet) {
            return std::any_of(probes_.begin(), probes_.end(),
                               [&](const auto& probe) { return probe->answer(packet); });
        };
    }
}

void LiveRun::say(const std::string& line) const
{
    if (options_.say) options_.say(line);
}

std::optional<LiveReport> run_live(Simulator& simulator, const Model& model, const LiveOptions& options,
                                   const std::atomic<bool>& stop, std::string& error)
{
    error.clear();
    LiveRun run(simulator, model, options, stop);
    if (!run.open(error)) return std::nullopt;
    if (!run.drop_privileges(error)) return std::nullopt;
    if (options.opened) options.opened(run.processes());
    if (!run.run(error)) return std::nullopt;
    return run.finish();
}

}  // namespace anml::rt::io
