// Frames from an untrusted network, into the gateway and on through a small model: nothing may crash, leak or be read
// beyond its end, and what the codec accepts it must be able to write again.
//
// An input is a list of frames: a byte of flags, two of length (big-endian), the frame. Flag 1 leaves the checksums as
// they are (otherwise they are made right, so that the inner layers are reached), 2: partial checksum, 4 and 8: a
// super-frame of TCP or UDP, 16: time passes, 32: so much that fragments are given up, 64: it is a file's, which enters
// whatever its transport is like.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../unit/runtime/both_families.h"
#include "io/capture/link_layer.h"
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "net/external_hosts.h"
#include "net/node/icmp_messages.h"
#include "net/node/reassembly.h"
#include "net/packet/fragments.h"
#include "simulator/simulator.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/offloads.h"

using namespace anml;
using namespace anml::rt;

namespace {

void require(bool holds)
{
    if (!holds) std::abort();
}

class NullDevice final : public io::Device {
  public:
    using Device::Device;
    std::size_t receive(std::span<io::Frame>) override { return 0; }
    bool stamps() const override { return false; }
    int descriptor() const override { return -1; }
    bool present() override { return true; }
    DeviceReport facts() override { return {"if", std::nullopt}; }
    std::uint64_t kernel_drops() override { return 0; }

  private:
    std::size_t transmit(std::size_t) override { return 0; }
};

struct World : Edge {
    test::ChainModel chain{[] {
        test::Chain description;
        for (test::TcpOptions* tcp : {&description.client_tcp, &description.server_tcp}) {
            tcp->receive_buffer = 1 << 20;
            tcp->window_scaling = tcp->sack = tcp->timestamps = 1;
            tcp->delayed_ack = 1e6;
        }
        description.routers = 2;
        description.hosts = 2;
        description.peer = true;
        return description;
    }()};
    test::BothFamilies both_families{chain};
    Model model = both_families.model();
    Simulator simulator{model, 1};
    LiveReport report;
    io::Clock clock;
    NullDevice device{"fuzz", clock, report};
    io::Gateway gateway{device, 0, model, simulator, report};

    World()
    {
        simulator.attach(0, *this);
        simulator.external_hosts().add({false, {192, 168, 7}, 24}, 0);
        simulator.external_hosts().add({true, {0xfd, 0, 0, 7}, 64}, 0);
        gateway.discovery().advertise();
        simulator.start_workloads(0, 0, 3600 * kSecond);  // the virtual clients talk to whatever answers
    }
    void release(std::uint32_t, const Packet& packet, Time at) override { gateway.send(packet, at); }
};

// Makes IP, ICMP, TCP and UDP checksums right as far as the lengths make sense.
void fix_checksums(std::span<std::uint8_t> packet)
{
    wire::Ipv4View ip;
    wire::Ipv6View six;
    if (wire::Ipv6View::check(packet, six) == wire::ParseError::none && six.protocol() == protocol::icmpv6 &&
        six.payload().size() >= 4)
    {
        std::uint8_t* sum = packet.data() + six.header_length() + 2;
        wire::store16(sum, 0);
        wire::store16(sum, wire::checksum(six.payload(), six.pseudo(six.payload().size())));
    }
    if (wire::Ipv4View::check(packet, true, ip) != wire::ParseError::none) return wire::complete_checksum(packet);
    wire::finish_ipv4(packet.data());
    wire::complete_checksum(packet);
    const std::span<std::uint8_t> transport = packet.subspan(ip.header_length(), ip.payload().size());
    if (ip.protocol() == protocol::icmp && transport.size() >= wire::IcmpView::kHeader) {
        wire::store16(transport.data() + 2, 0);
        wire::store16(transport.data() + 2, wire::checksum(transport));
    }
}

// The same of IPv6.
void check_ipv6(std::span<const std::uint8_t> bytes, const World& world)
{
    ExternalHosts external_hosts(4);
    external_hosts.add({true, {}, 1}, 0);
    external_hosts.add({true, {0x80}, 1}, 0);
    BufferPool buffers(&external_hosts.table());
    Packet packet, error;
    if (wire::parse_ipv6(bytes, true, external_hosts, packet) != wire::ParseError::none) return;
    packet.buffer = buffers.store(bytes.first(packet.length));
    require(packet.buffer != kNone);
    buffers.hold_addresses(packet);
    std::vector<std::uint8_t> out(packet.length);
    require(wire::emit(packet, world.model, buffers, out) == packet.length);
    require(std::equal(out.begin(), out.end(), bytes.begin()));
    if (wire::make_icmp_error(packet, Address{0x0a000001}, 3, 4, 1400, world.model, buffers, error)) {
        out.resize(error.length);
        require(wire::emit(error, world.model, buffers, out) == error.length);
        wire::Ipv6View again;
        require(wire::Ipv6View::check(out, again) == wire::ParseError::none);
        buffers.release(error.buffer);
    }
    buffers.release(packet.buffer);
}

// Cut at the least MTU there is, it is all there in pieces that fit.
void check_cutting(const Packet& packet, std::span<const std::uint8_t> bytes, const World& world, BufferPool& buffers)
{
    constexpr std::uint32_t kLeast = 68;
    wire::Ipv4View ip;
    if (packet.length <= kLeast || wire::Ipv4View::check(bytes, true, ip) != wire::ParseError::none) return;
    wire::FragmentView view;
    const bool sensible = !ip.is_fragment() || wire::view_fragment(bytes, view);
    const std::uint32_t begin = ip.fragment_offset();
    std::vector<std::uint8_t> payload(ip.payload().size());
    std::size_t seen = 0;
    wire::Cutter cutter(packet, kLeast, world.model, buffers);
    for (Packet piece; cutter.next(piece);) {
        std::vector<std::uint8_t> out(piece.length);
        require(piece.length <= kLeast && wire::emit(piece, world.model, buffers, out) == piece.length);
        Packet again;
        require(wire::parse(out, true, again) == wire::ParseError::none && (again.flags & packet_flag::fragment));
        wire::Ipv4View fragment;
        require(wire::Ipv4View::check(out, true, fragment) == wire::ParseError::none);
        const std::size_t at = fragment.fragment_offset() - begin;
        require(at + fragment.payload().size() <= payload.size());
        std::copy(fragment.payload().begin(), fragment.payload().end(),
                  payload.begin() + static_cast<std::ptrdiff_t>(at));
        seen += fragment.payload().size();
        require(wire::view_fragment(out, view) || !sensible);
        buffers.release(piece.buffer);
    }
    if (seen == 0 && ip.header_length() + begin + payload.size() > 65535) return;
    require(seen == payload.size() && std::equal(payload.begin(), payload.end(), ip.payload().begin()));
}

// What the codec accepts, it writes again without changing it, and answers with packets that parse.
void check_codec(std::span<const std::uint8_t> bytes, const World& world)
{
    Packet packet;
    if (wire::parse(bytes, true, packet) != wire::ParseError::none) return;
    BufferPool buffers;
    std::vector<std::uint8_t> out(packet.length);
    packet.buffer = buffers.store(bytes.first(packet.length));
    require(packet.buffer != kNone);
    require(wire::emit(packet, world.model, buffers, out) == packet.length);
    Packet again;
    require(wire::parse(out, true, again) == wire::ParseError::none);
    check_cutting(packet, out, world, buffers);
    Packet error, about;
    wire::quoted(packet, buffers, about);
    if (wire::make_icmp_error(packet, Address{0x0a000001}, 3, 1, 0, world.model, buffers, error)) {
        out.resize(error.length);
        require(wire::emit(error, world.model, buffers, out) == error.length);
        require(wire::parse(out, true, again) == wire::ParseError::none);
    }
    if (packet.protocol == protocol::icmp && packet.icmp().type == wire::icmp_type::echo_request &&
        !(packet.flags & packet_flag::fragment))
    {
        wire::make_echo_reply(packet, buffers);
        out.resize(packet.length);
        require(wire::emit(packet, world.model, buffers, out) == packet.length);
        require(wire::parse(out, true, again) == wire::ParseError::none);
    }
}

// A frame of any kind that files have: an IP packet lies within it.
void check_link_types(std::span<const std::uint8_t> frame)
{
    for (int type = 0; type < 512; ++type)
        if (io::reads_link_type(type)) require(io::find_ip(type, frame).at <= frame.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    World world;
    const wire::MacAddress mac = io::model_mac(world.model);
    Time now = 0;
    std::span<const std::uint8_t> input(data, size);
    while (input.size() >= 3) {
        const std::uint8_t flags = input[0];
        const std::size_t length = std::min<std::size_t>(wire::load16(input.data() + 1), input.size() - 3);
        std::vector<std::uint8_t> bytes(input.begin() + 3, input.begin() + 3 + static_cast<std::ptrdiff_t>(length));
        input = input.subspan(3 + length);

        constexpr std::size_t kHeader = wire::EthernetView::kHeader;
        if (!(flags & 1) && bytes.size() > kHeader) {
            std::memcpy(bytes.data(), mac.data(), mac.size());
            fix_checksums(std::span(bytes).subspan(kHeader));
        }
        check_link_types(bytes);
        if (bytes.size() > kHeader) check_codec(std::span(bytes).subspan(kHeader), world);
        if (bytes.size() > kHeader) check_ipv6(std::span(bytes).subspan(kHeader), world);
        io::Frame frame;
        frame.bytes = bytes;
        frame.checksum_partial = flags & 2;
        if ((flags & 64) && bytes.size() > kHeader)
            frame.transport = wire::judge_transport(std::span(bytes).subspan(kHeader), !frame.checksum_partial);
        if (flags & 12) {
            frame.segments = flags & 4 ? io::Frame::Segments::tcp : io::Frame::Segments::udp;
            frame.segment_size = static_cast<std::uint16_t>(flags << 3);
        }
        world.gateway.receive(frame, now);
        world.gateway.tick(now);
        if (flags & 16) now += 10 * kMillisecond;
        if (flags & 32) now += Reassembly::kTimeout;
        world.simulator.run_until(now);
        world.device.flush();
    }
    return 0;
}
