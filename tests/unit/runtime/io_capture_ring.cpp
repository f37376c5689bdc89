// The ring between the loop of a live run and who writes its packets, and the blocks that he writes.
#include <catch2/catch.hpp>
#include <cstring>

#include "image_builder.h"
#include "io/capture/capture_ring.h"
#include "io/capture/pcapng.h"
#include "net/link/buffers.h"
#include "wire/ipv4.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;
using io::CaptureRing;
using Kind = CaptureRing::Record::Kind;

TEST_CASE("packets come out of the ring as they went in, and those without room are counted", "[io]")
{
    const test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    const BufferPool buffers;
    CaptureRing ring(model, buffers, {6, 2}, 1024);
    Packet packet;
    REQUIRE(wire::parse(kSyn, true, packet) == wire::ParseError::none);
    CaptureRing::Record record;
    std::vector<std::uint8_t> bytes, expected(std::begin(kSyn), std::end(kSyn));
    wire::store16(expected.data() + 4, 0);  // the record does not keep its identification
    wire::finish_ipv4(expected.data());
    CHECK_FALSE(ring.next(record, bytes));
    // Round and round, a few at a time.
    for (Time round = 0; round < 50; ++round) {
        ring.packet(6, packet, round, round + 5);
        ring.rate_changed(2, {round, 1e6, 2e6});
        ring.packet(2, packet, round, round + 7);
        ring.failed(6, round);
        REQUIRE(ring.next(record, bytes));
        CHECK((record.kind == Kind::packet && record.place == 0 && record.start == round + 5));
        CHECK(bytes == expected);
        REQUIRE(ring.next(record, bytes));
        CHECK((record.kind == Kind::rate_changed && record.place == 1 && record.change.now == round));
        CHECK(record.change.after == 2e6);
        REQUIRE(ring.next(record, bytes));
        CHECK((record.kind == Kind::packet && record.place == 1 && record.start == round + 7));
        REQUIRE(ring.next(record, bytes));
        CHECK((record.kind == Kind::failed && record.place == 0 && record.change.now == round));
        CHECK_FALSE(ring.next(record, bytes));
    }
    for (int i = 0; i < 100; ++i) ring.packet(2, packet, 0, 0);
    std::uint64_t kept = 0;
    while (ring.next(record, bytes)) ++kept;
    CHECK(kept > 0);
    CHECK(ring.counts(1).taken == 150);
    CHECK(ring.counts(1).lost == 100 - kept);
    CHECK(ring.counts(0).lost == 0);
    ring.packet(2, packet, 0, 0);
    CHECK(ring.next(record, bytes));
}

TEST_CASE("blocks of pcapng say their length twice, and what was lost", "[io]")
{
    const std::vector<std::uint8_t> odd(61, 7);
    for (const std::string& block : {io::pcapng::section("anml"), io::pcapng::interface("net[3].edge>"),
                                     io::pcapng::packet(1, 5, odd), io::pcapng::statistics(1, 5, 90, 17)})
    {
        std::uint32_t length[2];
        std::memcpy(&length[0], block.data() + 4, 4);
        std::memcpy(&length[1], block.data() + block.size() - 4, 4);
        CHECK(length[0] == block.size());
        CHECK(length[1] == block.size());
        CHECK(block.size() % 4 == 0);
    }
    const std::string statistics = io::pcapng::statistics(1, 5, 90, 17);
    CHECK(io::pcapng::dropped_in(statistics) == 17);
    CHECK(io::pcapng::dropped_in(io::pcapng::packet(1, 5, odd)) == 0);
    for (std::size_t length = 0; length < statistics.size(); ++length)
        io::pcapng::dropped_in(std::string_view(statistics).substr(0, length));
}

}  // namespace ANML_UNIT_FILE
