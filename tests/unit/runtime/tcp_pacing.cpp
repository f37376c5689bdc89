// Pacing: the time between segments, and a connection that keeps to it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "transfers.h"
#include "transport/law/pacing.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::Download;

namespace {

// The times between the segments of a document, behind the first ten; and what it took.
std::vector<Time> spacing(const test::TcpOptions& options, Time& took)
{
    Download download(100'000, options, packet_flag::sack);
    took = download.fetch({});
    std::vector<Time> arrivals, between;
    for (const auto& [packet, at, bytes] : download.client.received)
        if (packet.payload > 0) arrivals.push_back(at);
    for (std::size_t i = 11; i < arrivals.size(); ++i) between.push_back(arrivals[i] - arrivals[i - 1]);
    return between;
}

}  // namespace

TEST_CASE("a segment's time is its share of the window in a round trip, and a fifth less", "[tcp]")
{
    tcp::Connection c;
    c.cwnd = 100'000;
    c.ssthresh = 100'000;
    c.srtt = 8 * 60'000;                                          // 60 ms
    CHECK(tcp::law::Pacing::gap(c, 1000) == 500 * kMicrosecond);  // 60 ms / 100 / 1.2
    c.ssthresh = 1 << 30;
    CHECK(tcp::law::Pacing::gap(c, 1000) == 300 * kMicrosecond);  // slow start: twice the rate
    c.una = 1;
    c.max = 200'001;  // more is under way than the window has
    CHECK(tcp::law::Pacing::gap(c, 1000) == 150 * kMicrosecond);

    tcp::law::Pacing pacing;
    c.measured = true;
    for (int i = 0; i < 10; ++i) pacing.segment(c, 1000, kSecond);
    CHECK(pacing.next == 0);
    pacing.segment(c, 1000, kSecond);
    CHECK(pacing.next == kSecond + 150 * kMicrosecond);
    pacing.segment(c, 1000, kSecond);  // one that did not wait
    CHECK(pacing.next == kSecond + 300 * kMicrosecond);
    pacing.segment(c, 1000, 2 * kSecond);  // no credit for a pause
    CHECK(pacing.next == 2 * kSecond + 150 * kMicrosecond);
}

TEST_CASE("paced segments come one by one, unpaced ones in bursts", "[tcp]")
{
    Time burst = 0, even = 0;
    test::TcpOptions options = test::linux_tcp();
    const std::vector<Time> bursts = spacing(options, burst);
    options.pacing = 1;
    const std::vector<Time> paced = spacing(options, even);
    const Time back_to_back = 12 * kMicrosecond;  // 1040 bytes at 1 Gbps take 8.3
    const auto close = [&](Time between) { return between < back_to_back; };
    CHECK(std::count_if(bursts.begin(), bursts.end(), close) > static_cast<std::ptrdiff_t>(bursts.size() / 2));
    CHECK(std::count_if(paced.begin(), paced.end(), close) == 0);
    CHECK(even < 2 * burst);
}

TEST_CASE("paced connections end as others do, with losses too", "[tcp]")
{
    for (const abi::Congestion law : {abi::Congestion::newreno, abi::Congestion::cubic}) {
        test::Chain chain;
        chain.documents = {1 << 20};
        chain.backbone.queue = 16 << 10;  // it overflows
        chain.client_tcp = chain.server_tcp = test::linux_tcp();
        chain.server_tcp.pacing = 1;
        chain.server_tcp.congestion = law;
        test::Transaction transaction(chain);  // which checks that nothing is left
        CHECK(transaction.time() < 2 * kSecond);
    }
}

}  // namespace ANML_UNIT_FILE
