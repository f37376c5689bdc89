// Capture files, read back with libpcap.
#include <fmt/format.h>
#include <pcap/pcap.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "image_builder.h"
#include "io/capture/capture.h"
#include "net/link/buffers.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;

TEST_CASE("a capture holds the packets as IPv4 with their times in nanoseconds", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    BufferPool buffers;
    const std::string path = fmt::format("/tmp/anml-capture-{}.pcap", getpid());
    std::string error;
    {
        auto capture = io::CaptureFile::open(path, model, buffers, 1'700'000'000 * kSecond, error);
        REQUIRE(capture);
        Packet packet;
        REQUIRE(wire::parse(kSyn, true, packet) == wire::ParseError::none);
        packet.buffer = buffers.store(kSyn);
        capture->packet(0, packet, 1, 1);
        packet.buffer = kNone;
        packet.length = 44;
        capture->packet(0, packet, 2, 2 * kSecond + 123'456'789);
        CHECK(capture->finish(3 * kSecond, error));
    }
    char message[PCAP_ERRBUF_SIZE];
    pcap_t* file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message);
    REQUIRE(file);
    CHECK(pcap_datalink(file) == DLT_RAW);
    pcap_pkthdr* header;
    const unsigned char* bytes;
    REQUIRE(pcap_next_ex(file, &header, &bytes) == 1);
    CHECK(header->ts.tv_sec == 1'700'000'000);
    CHECK(header->ts.tv_usec == 1);
    CHECK(Bytes(bytes, bytes + header->caplen) == kSyn);
    REQUIRE(pcap_next_ex(file, &header, &bytes) == 1);
    CHECK(header->ts.tv_sec == 1'700'000'002);
    CHECK(header->ts.tv_usec == 123'456'789);
    Packet packet;
    CHECK(wire::parse({bytes, header->caplen}, true, packet) == wire::ParseError::none);
    CHECK(packet.tcp_syn().mss == 1460);
    CHECK(pcap_next_ex(file, &header, &bytes) == PCAP_ERROR_BREAK);
    pcap_close(file);
    std::remove(path.c_str());
}

TEST_CASE("a capture file that cannot be written is an error", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    BufferPool buffers;
    std::string error;
    CHECK_FALSE(io::CaptureFile::open("/nowhere/at/all.pcap", model, buffers, 0, error));
    CHECK(error.find("/nowhere/at/all.pcap: No such file or directory") != std::string::npos);

    auto full = io::CaptureFile::open("/dev/full", model, buffers, 0, error);
    REQUIRE(full);
    Packet packet;
    REQUIRE(wire::parse(kSyn, true, packet) == wire::ParseError::none);
    packet.buffer = buffers.store(kSyn);
    for (int i = 0; i < 1000; ++i) full->packet(0, packet, i, i);
    CHECK_FALSE(full->finish(kSecond, error));
    CHECK(error == "capture file /dev/full is incomplete: No space left on device");
}

TEST_CASE("a capture is in order over its links, and has what was transmitted", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    BufferPool buffers;
    const std::string path = fmt::format("/tmp/anml-capture-order-{}.pcap", getpid());
    std::string error;
    {
        auto capture = io::CaptureFile::open(path, model, buffers, 0, error);
        REQUIRE(capture);
        Packet packet;
        REQUIRE(wire::parse(kSyn, true, packet) == wire::ParseError::none);
        const auto take = [&](LinkId link, Time now, Time start) {
            packet.ttl = static_cast<std::uint8_t>(start);  // tells which it was
            capture->packet(link, packet, now, start);
        };
        take(0, 10, 10);
        take(0, 10, 40);  // begins before the failure
        take(0, 10, 70);  // lost in the queue
        take(1, 20, 20);
        take(1, 20, 90);  // half of the wait is left at 50: from there it takes twice as long
        take(0, 30, 100);
        capture->rate_changed(1, {50, 2e6, 1e6});
        capture->failed(0, 60);
        take(2, 65, 65);
        take(2, 65, 200);  // begins after the end
        CHECK(capture->finish(150, error));
    }
    char message[PCAP_ERRBUF_SIZE];
    pcap_t* file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message);
    REQUIRE(file);
    std::vector<std::pair<int, int>> seen;  // when, and which
    pcap_pkthdr* header;
    const unsigned char* bytes;
    while (pcap_next_ex(file, &header, &bytes) == 1) seen.emplace_back(header->ts.tv_usec, bytes[8]);
    CHECK(seen == std::vector<std::pair<int, int>>{{10, 10}, {20, 20}, {40, 40}, {65, 65}, {130, 90}});
    pcap_close(file);
    std::remove(path.c_str());
}

}  // namespace ANML_UNIT_FILE
