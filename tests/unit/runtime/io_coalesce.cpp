// Segments and datagrams that leave together, cut again as the kernel cuts super-frames: what it makes of them is what
// was sent.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "io/device/coalesce.h"
#include "wire/offloads.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace wire_test;
using io::Coalescer;

namespace {

constexpr std::size_t kEthernet = 14, kHeaders = kEthernet + 52;

// kRequest's connection with other payload, as a frame with right checksums.
Bytes segment(std::uint32_t sequence, std::size_t payload, std::uint16_t identification,
              std::uint8_t flags = tcp_flag::ack)
{
    Bytes frame(kEthernet, 2);
    wire::store16(frame.data() + 12, 0x0800);
    frame.insert(frame.end(), kRequest.begin(), kRequest.begin() + 52);
    for (std::size_t i = 0; i < payload; ++i) frame.push_back(static_cast<std::uint8_t>((sequence + i) * 11));
    std::uint8_t* packet = frame.data() + kEthernet;
    wire::store16(packet + 2, static_cast<std::uint16_t>(52 + payload));
    wire::store16(packet + 4, identification);
    wire::store32(packet + 24, sequence);
    packet[33] = flags;
    wire::finish_ipv4(packet);
    wire::complete_checksum({packet, frame.size() - kEthernet});
    return frame;
}

// The same of UDP.
Bytes datagram(std::uint32_t number, std::size_t payload, std::uint16_t identification)
{
    Bytes frame = segment(number, payload, identification);
    frame.erase(frame.begin() + 42, frame.begin() + kHeaders);
    std::uint8_t* packet = frame.data() + kEthernet;
    packet[9] = protocol::udp;
    wire::store16(packet + 2, static_cast<std::uint16_t>(28 + payload));
    wire::store16(packet + 24, static_cast<std::uint16_t>(8 + payload));
    wire::finish_ipv4(packet);
    wire::complete_checksum({packet, frame.size() - kEthernet});
    return frame;
}

struct Sent {
    Bytes frame;
    Time due = 0;
    bool alone = false;
};

// What the kernel would make of the messages, and how many these were.
std::pair<std::vector<Bytes>, std::size_t> through(std::vector<Sent> sent, bool datagrams)
{
    Coalescer coalescer(datagrams);
    coalescer.clear();
    for (Sent& each : sent) coalescer.add(each.frame, each.due, each.alone);
    std::vector<Bytes> received;
    const std::size_t messages = coalescer.finish();
    std::size_t frames = 0;
    for (std::size_t i = 0; i < messages; ++i) {
        const Coalescer::Message message = coalescer.message(i);
        Bytes all;
        for (const iovec& part : message.parts) {
            const auto* bytes = static_cast<const std::uint8_t*>(part.iov_base);
            all.insert(all.end(), bytes, bytes + part.iov_len);
        }
        CHECK(all.size() == message.bytes);
        frames += message.frames;
        io::VirtioHeader header;
        std::memcpy(&header, all.data(), sizeof header);
        const Bytes frame(all.begin() + sizeof header, all.end());
        io::Frame described;
        io::describe(header, described);
        if (described.segments == io::Frame::Segments::none) {
            CHECK(message.frames == 1);
            received.push_back(frame);
            continue;
        }
        CHECK(message.frames > 1);
        CHECK(header.header_length == (frame[23] == protocol::tcp ? kHeaders : 42));
        CHECK(header.checksum_start == 34);
        CHECK(wire::leaves_checksum(std::span(frame).subspan(kEthernet)));
        Bytes room(9216);
        REQUIRE(wire::split_segments(std::span(frame).subspan(kEthernet), header.segment_size, wire::Cwr::counter, room,
                                     [&](std::span<const std::uint8_t> packet) {
                                         Bytes made(frame.begin(), frame.begin() + kEthernet);
                                         made.insert(made.end(), packet.begin(), packet.end());
                                         received.push_back(made);
                                     }) == wire::ParseError::none);
    }
    CHECK(frames == sent.size());
    return {received, messages};
}

// How many messages become of it; what the kernel makes of them is what was sent.
std::size_t messages_of(const std::vector<Sent>& sent, bool datagrams = true)
{
    const auto [received, messages] = through(sent, datagrams);
    REQUIRE(received.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) CHECK(received[i] == sent[i].frame);
    return messages;
}

}  // namespace

TEST_CASE("segments that leave together are one message", "[io]")
{
    const Bytes first = segment(1000, 1448, 7), second = segment(2448, 1448, 8),
                last = segment(3896, 100, 9, tcp_flag::ack | tcp_flag::psh);
    CHECK(messages_of({{first}, {second}, {last}}) == 1);
    CHECK(messages_of({{first}}) == 1);
    SECTION("but nothing follows a shorter one, or one that is pushed")
    {
        CHECK(messages_of({{last}, {segment(3996, 100, 10)}}) == 2);
        CHECK(messages_of({{segment(1000, 100, 1)}, {segment(1100, 90, 2)}, {segment(1190, 90, 3)}}) == 2);
        CHECK(messages_of({{segment(1000, 100, 1)}, {segment(1100, 101, 2)}}) == 2);
    }
    SECTION("but what is due later, or not to be touched, is another")
    {
        CHECK(messages_of({{first, 0}, {second, Coalescer::kCoalesced}}) == 1);
        CHECK(messages_of({{first, 0}, {second, Coalescer::kCoalesced + 1}}) == 2);
        CHECK(messages_of({{first, kNever}, {second, kNever}}) == 2);
        CHECK(messages_of({{first}, {second, 0, true}, {last}}) == 3);
        Bytes wrong = second;
        wrong.back() ^= 1;  // as a link with `corrupt` makes them
        CHECK(messages_of({{first}, {wrong, 0, true}}) == 2);
    }
    SECTION("but nothing else joins")
    {
        const auto changed = [&](std::size_t at, std::uint8_t flip) {
            Bytes frame = second;
            frame[kEthernet + at] ^= flip;
            wire::finish_ipv4(frame.data() + kEthernet);
            wire::complete_checksum(std::span(frame).subspan(kEthernet));
            return messages_of({{first}, {frame}});
        };
        for (std::size_t at : {1, 8, 15, 19, 21, 23, 27, 31, 35, 45, 51})
            CHECK(changed(at, 1) == 2);  // service, TTL, addresses, ports, numbers, window, options
        for (std::uint8_t flag : {tcp_flag::fin, tcp_flag::syn, tcp_flag::rst, tcp_flag::ack})
            CHECK(changed(33, flag) == 2);
        CHECK(changed(33, 0x20) == 2);  // URG
        CHECK(changed(33, 0x40) == 2);  // ECE
        CHECK(changed(6, 0x20) == 2);   // a fragment
        Bytes elsewhere = second;
        elsewhere[0] ^= 4;
        CHECK(messages_of({{first}, {elsewhere}}) == 2);
        CHECK(messages_of({{segment(1000, 0, 1)}, {segment(1000, 0, 2)}}) == 2);
        CHECK(messages_of({{Bytes(20, 1)}, {Bytes(60, 1)}, {first}}) == 3);
    }
}

TEST_CASE("datagrams that leave together are one message", "[io]")
{
    const Bytes first = datagram(1, 1200, 7), second = datagram(2, 1200, 8), last = datagram(3, 100, 9);
    CHECK(messages_of({{first}, {second}, {last}}) == 1);
    SECTION("where the kernel takes it") { CHECK(messages_of({{first}, {second}, {last}}, false) == 3); }
    SECTION("but nothing follows a shorter one, and none is longer")
    {
        CHECK(messages_of({{last}, {datagram(4, 100, 10)}, {datagram(5, 101, 11)}}) == 2);
        CHECK(messages_of({{first}, {datagram(2, 100, 8)}, {datagram(3, 100, 9)}}) == 2);
    }
    SECTION("but what is due later, or not to be touched, is another")
    {
        CHECK(messages_of({{first, 0}, {second, Coalescer::kCoalesced + 1}}) == 2);
        CHECK(messages_of({{first}, {second, 0, true}}) == 2);
    }
    SECTION("but nothing else joins")
    {
        for (std::size_t at : {1, 8, 15, 19, 21, 23}) {  // service, TTL, addresses, ports
            Bytes frame = second;
            frame[kEthernet + at] ^= 1;
            wire::finish_ipv4(frame.data() + kEthernet);
            wire::complete_checksum(std::span(frame).subspan(kEthernet));
            CHECK(messages_of({{first}, {frame}}) == 2);
        }
        for (std::size_t at : {24, 26}) {  // another length than IP's, no checksum
            Bytes frame = second;
            wire::store16(frame.data() + kEthernet + at, 0);
            CHECK(messages_of({{first}, {frame}}) == 2);
        }
        CHECK(messages_of({{first}, {segment(1200, 1200, 8)}, {second}}) == 3);
        CHECK(messages_of({{datagram(1, 0, 1)}, {datagram(2, 0, 2)}}) == 2);
    }
}

TEST_CASE("a super-frame is no longer than IP allows", "[io]")
{
    std::vector<Sent> sent;
    for (std::uint32_t i = 0; i < io::Device::kBatch; ++i)
        sent.push_back({segment(i * 1448, 1448, static_cast<std::uint16_t>(i)), 0, false});
    CHECK(messages_of(sent) == 2);
    for (std::uint32_t i = 0; i < io::Device::kBatch; ++i)
        sent[i].frame = segment(i * 8948, 8948, static_cast<std::uint16_t>(i));
    CHECK(messages_of(sent) == 10);  // seven of 8948 bytes are the most
}

TEST_CASE("whatever leaves is what was sent", "[io]")
{
    std::minstd_rand random(1);
    std::uint32_t sequence = 4'294'900'000;  // wraps
    for (int round = 0; round < 2000; ++round) {
        std::vector<Sent> sent;
        std::uint16_t identification = 65'530;
        Time due = 0;
        for (std::size_t i = random() % io::Device::kBatch + 1; i > 0; --i) {
            const std::size_t payload = random() % 4 ? 500 : random() % 600;
            const bool odd = random() % 16 == 0;
            const auto flags = static_cast<std::uint8_t>(random() % 8 ? +tcp_flag::ack : tcp_flag::ack | tcp_flag::psh);
            if (random() % 8 < 3) {
                sent.push_back({datagram(sequence, payload, identification++), due});
                continue;
            }
            sent.push_back(
                {segment(sequence, payload, identification++, odd ? +tcp_flag::rst : flags), due, random() % 32 == 0});
            sequence += static_cast<std::uint32_t>(payload) + (random() % 20 == 0);
            due += static_cast<Time>(random() % 3000);
        }
        messages_of(sent);
    }
}

}  // namespace ANML_UNIT_FILE
