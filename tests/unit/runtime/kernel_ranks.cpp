// A run on several ranks, which are threads here, each with a simulator of its own: whatever the partition, the ranks
// and the threads of each, the digest and the figures of the sequential run.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "../tier.h"
#include "app/content.h"
#include "image_builder.h"
#include "kernel/post.h"
#include "net/crossing_ends.h"
#include "net/timeline/changes.h"
#include "net/timeline/timeline.h"
#include "simulator/check_crossing.h"
#include "simulator/cluster_task.h"
#include "simulator/divide.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"
#include "simulator/statistics_bytes.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using anml::test::Chain;
using anml::test::ChainModel;

namespace {

// What ranks send each other: few messages have room, as with a network that is slow.
class Mailboxes {
  public:
    explicit Mailboxes(unsigned ranks, std::size_t room) : boxes_(ranks), room_(room) {}

    struct Letter {
        unsigned from;
        std::vector<std::uint8_t> bytes;
    };
    bool put(unsigned to, unsigned from, std::span<const std::uint8_t> bytes)
    {
        const std::lock_guard lock(boxes_[to].mutex);
        if (boxes_[to].letters.size() >= room_) return false;
        boxes_[to].letters.push_back({from, {bytes.begin(), bytes.end()}});
        ++letters;
        return true;
    }
    bool take(unsigned rank, Letter& letter)
    {
        const std::lock_guard lock(boxes_[rank].mutex);
        if (boxes_[rank].letters.empty()) return false;
        letter = std::move(boxes_[rank].letters.front());
        boxes_[rank].letters.pop_front();
        return true;
    }
    unsigned ranks() const { return static_cast<unsigned>(boxes_.size()); }
    std::atomic<std::uint64_t> letters = 0;
    std::atomic<bool> wrong = false;  // what a rank did; checks are of the test's own thread

  private:
    struct Box {
        std::mutex mutex;
        std::deque<Letter> letters;
    };
    std::vector<Box> boxes_;
    std::size_t room_;
};

class ThreadRank final : public cct::Ranks {
  public:
    ThreadRank(Mailboxes& boxes, unsigned rank) : boxes_(boxes), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return boxes_.ranks(); }
    bool send(unsigned to, std::span<const std::uint8_t> message) override
    {
        if (message.size() > kMostBytes) boxes_.wrong = true;
        return boxes_.put(to, rank_, message);
    }
    std::optional<Message> receive() override
    {
        if (!boxes_.take(rank_, letter_)) return std::nullopt;
        return Message{letter_.from, letter_.bytes};
    }
    bool rest(std::uint32_t, unsigned awaited) override
    {
        if (awaited == rank_) boxes_.wrong = true;
        std::this_thread::yield();
        return true;
    }

  private:
    Mailboxes& boxes_;
    unsigned rank_;
    Mailboxes::Letter letter_{};
};

struct Outcome {
    std::uint64_t digest = 0;
    std::vector<std::uint8_t> figures;  // all of them
    std::vector<std::uint64_t> batches;
    bool operator==(const Outcome&) const = default;
};

// In the order in which they are made where nothing else orders them.
void put_in_order(Statistics& all)
{
    all.second_times = {};
    for (WorkloadStatistics& workload : all.workloads) {
        for (auto* ages : {&workload.offered.ages, &workload.pages.ages, &workload.open_ages})
            std::sort(ages->begin(), ages->end());
        std::sort(workload.delivered.begin(), workload.delivered.end());
    }
    std::sort(all.groups.statuses.begin(), all.groups.statuses.end(),
              [](const StatusGroup& a, const StatusGroup& b) { return a.status < b.status; });
}

Outcome gather(Simulator& simulator)
{
    simulator.gather();
    Statistics all = simulator.statistics();
    put_in_order(all);
    Outcome outcome{simulator.digest(), write_statistics(all, 0), {}};
    for (const auto& batch : all.batches)
        for (const WorkloadStatistics& workload : batch)
            outcome.batches.insert(outcome.batches.end(), {workload.completed, workload.response_time.took.count()});
    return outcome;
}

Outcome run(const Model& model, Time step, unsigned workers, unsigned tasks, cct::Post* post)
{
    constexpr Time kEnd = kSecond;
    Simulator simulator(model, 1, 0, workers, tasks, {}, post);
    simulator.cut(4);
    simulator.start_workloads(0, kEnd / 8, kEnd);
    for (Time t = step; t < kEnd; t += step) simulator.run_until(t);
    simulator.run_until(kEnd);
    return gather(simulator);
}

// Each rank on a thread: `run_rank` gets its number and its post. Returns what rank 0 found.
template <class RunRank>
Outcome on_threads(Mailboxes& boxes, RunRank run_rank)
{
    Outcome outcome;
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < boxes.ranks(); ++rank)
        threads.emplace_back([&, rank] {
            ThreadRank own(boxes, rank);
            cct::Post post(own);
            const Outcome of_rank = run_rank(rank, post);
            if (!post.wrong().empty()) boxes.wrong = true;
            if (rank == 0) outcome = of_rank;
        });
    for (std::thread& thread : threads) thread.join();
    return outcome;
}

Outcome run_on(unsigned ranks, unsigned workers, const ChainModel& chain, Time step, std::size_t room)
{
    Mailboxes boxes(ranks, room);
    const Outcome outcome = on_threads(boxes, [&](unsigned, cct::Post& post) {
        const Model model = chain.model();
        return run(model, step, workers, workers, &post);
    });
    CHECK((chain.image().task_count == 1 || boxes.letters > 100));
    CHECK(!boxes.wrong);
    return outcome;
}

// As the processes of a live run do: each has a clock of its own that goes on in steps of any length, and runs as far
// as that and the others allow.
Outcome run_beside(const Model& model, cct::Post& post, unsigned rank, Time turn)
{
    constexpr Time kEnd = kSecond;
    std::mt19937 random(rank);
    Simulator simulator(model, 1, 0, 0, 0, {}, &post);
    simulator.cut(4);
    simulator.start_workloads(0, kEnd / 8, kEnd);
    for (Time clock = 0; simulator.now() < kEnd || !post.over();) {
        post.take_in();
        const Time limit = std::min(clock, simulator.horizon() - 1);
        if (limit > simulator.now()) simulator.run_until(limit);
        if (simulator.now() >= clock)
            clock = std::min<Time>(kEnd, clock + static_cast<Time>(random() % static_cast<unsigned>(turn)));
        simulator.promise();
        const bool finished = simulator.now() >= kEnd;
        post.send_off(finished || random() % 4 == 0 ? 0 : kNever / 2, finished);
        std::this_thread::yield();
    }
    return gather(simulator);
}

Outcome run_divided(const ChainModel& chain, std::vector<std::pair<NodeId, std::uint32_t>> owned, unsigned ranks,
                    std::size_t room, Time turn)
{
    Mailboxes boxes(ranks, room);
    const Outcome outcome = on_threads(boxes, [&](unsigned rank, cct::Post& post) {
        Model model = chain.model();
        Parts parts;
        std::string error;
        if (!divide_between(model, Timeline(model), owned, ranks, parts, error)) boxes.wrong = true;
        model.divide(parts.rows, ranks);
        return run_beside(model, post, rank, turn);
    });
    CHECK(boxes.letters > 100);
    CHECK(!boxes.wrong);
    return outcome;
}

// TCP with retransmissions and ICMP errors, whose bytes cross in buffers, over links that lose, change and fail.
Chain busy_chain()
{
    using abi::TimelineAttribute;
    using abi::TimelineForm;
    Chain chain;
    chain.routers = 5;
    chain.hosts = 4;
    chain.peer = true;
    chain.backbone.rate = 2e7;
    chain.backbone.queue = 6000;
    chain.backbone.impairments = test::Impairments{.loss = {abi::DistributionKind::constant, 0.01, 0}};
    chain.documents = {1024, 30000};
    chain.service = {abi::DistributionKind::exponential, 1e6, 0};
    chain.pings = {{.ttl = 2}, {.ttl = 64}};
    chain.timeline = {{"hop[1]", TimelineAttribute::up, 300e6, 0, TimelineForm::interval, 340e6},
                      {"hop[0]", TimelineAttribute::delay, 100e6, 4e6, TimelineForm::interval, 500e6, 0, 1},
                      {"net[2].uplink", TimelineAttribute::rate, 600e6, 1e6, TimelineForm::interval, 650e6}};
    return chain;
}

}  // namespace

TEST_CASE("any number of ranks gives the sequential run's digest and figures", "[kernel][ranks]")
{
    ChainModel chain(busy_chain());
    const std::uint32_t nodes = chain.image().nodes;
    const Outcome expected = run(chain.model(), kSecond, 0, 0, nullptr);
    std::mt19937 random(11);
    for (const std::uint32_t tasks : {1u, 3u, nodes}) {
        std::vector<std::uint32_t> task_of(nodes);
        for (std::uint32_t i = 0; i < nodes; ++i) task_of[i] = i < tasks ? i : random() % tasks;
        std::shuffle(task_of.begin(), task_of.end(), random);
        chain.partition(task_of);
        for (const unsigned ranks : {2u, 3u, 8u})
            for (const unsigned workers : {1u, 2u}) {
                // More threads than processors take long.
                if (ranks == 8 && (workers == 2 || tasks == 3) && !anml::testing::everything()) continue;
                if (ranks + workers == 5 && anml::testing::rounds(2) == 1) continue;
                INFO(tasks << " tasks, " << ranks << " ranks of " << workers);
                CHECK(run_on(ranks, workers, chain, ranks == 3 ? 7'777'777 : kSecond, ranks == 8 ? 3 : 64) == expected);
            }
    }
}

TEST_CASE("processes that each follow a clock of their own give the sequential run's digest, figures and batches",
          "[kernel][ranks]")
{
    const ChainModel chain(busy_chain());
    const Outcome expected = run(chain.model(), kSecond, 0, 0, nullptr);
    const std::uint32_t nodes = chain.image().nodes;
    for (const unsigned ranks : {2u, 3u, 5u})
        for (const std::size_t room : {std::size_t{2}, std::size_t{64}}) {
            std::vector<std::pair<NodeId, std::uint32_t>> owned;
            for (std::uint32_t rank = 0; rank < ranks; ++rank)
                owned.emplace_back(rank * (nodes - 1) / (ranks - 1), rank);
            INFO(ranks << " processes, room for " << room);
            CHECK(run_divided(chain, owned, ranks, room, 3 * kMillisecond) == expected);
        }
}

// A process that had no processor for a while has more to send than there is room for at once.
TEST_CASE("processes that catch up wait for room and lose nothing", "[kernel][ranks]")
{
    Chain saturated;
    saturated.hosts = 100;
    saturated.backbone.rate = saturated.edge.rate = saturated.uplink.rate = 1e9;
    saturated.backbone.delay = 10e6;
    saturated.backbone.queue = 4e6;
    saturated.documents = {3000000};
    const ChainModel chain(saturated);
    const Outcome expected = run(chain.model(), kSecond, 0, 0, nullptr);
    for (const Time turn : {14 * kMillisecond, 60 * kMillisecond}) {
        INFO("turns of up to " << turn << " ns");
        CHECK(run_divided(chain, {{0, 0}, {chain.image().nodes - 1, 1}}, 2, 64, turn) == expected);
    }
}

TEST_CASE("the post refuses what no rank sends", "[kernel][ranks]")
{
    Mailboxes boxes(2, 64);
    ThreadRank own(boxes, 0);
    const ChainModel chain(busy_chain());
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
        cct::Post post(own);
        std::vector<std::uint8_t> bytes(random() % 80);
        for (std::uint8_t& byte : bytes) byte = random() % 3 == 0 ? static_cast<std::uint8_t>(random()) : 0;
        if (bytes.size() >= 8) std::fill_n(bytes.begin(), 8, 0);  // records
        boxes.put(0, 1, bytes);
        post.begin(0, kSecond);
        post.take_in();
        const bool records = bytes.size() >= 24;
        if (bytes.size() < 8) CHECK(!post.wrong().empty());
        // There is no channel, so that a record is of the end of a step, or refused.
        if (records && !(bytes[8] == 0xff && bytes[9] == 0xff)) CHECK(!post.wrong().empty());
    }
}

// Numbers that a peer sends are indices here: of contents, segments, nodes, versions of a link, and lengths of bytes.
TEST_CASE("a packet that refers to what the model has not is refused", "[kernel][ranks]")
{
    Chain small;
    small.timeline = {{"entry", abi::TimelineAttribute::up, 500e6, 0}};
    const ChainModel chain(small);
    const Model model = chain.model();
    const Timeline timeline(model);
    NetworkState network(model, timeline);
    const OpenPorts ports(model);
    ClusterTask task(model, 1, 0, network, ports);
    const abi::Image& image = model.image();
    const std::uint8_t both = 3 * (Changes::kSends | Changes::kReceives);
    task.cluster.changes = std::make_unique<Changes>(
        timeline, image.workload_count, std::vector<std::uint8_t>(timeline.links.size(), both));
    bool waits = false;
    Outbox outbox(waits);
    CrossingArrival end(outbox, task, [&](const Crossing& c) { return is_of_model(task.cluster, c); });
    const LinkId link = chain.entry_down();
    end.expect(link, 1);

    Packet segment;
    segment.source = ChainModel::server_address();
    segment.destination = ChainModel::client_address(0, 0);
    segment.protocol = protocol::tcp;
    segment.length = 140, segment.payload = 100;
    segment.content = content::response(0, content::Persistence::kept);
    const auto arrives = [&](const Packet& packet, std::uint32_t version = 0, std::size_t bytes = 0,
                             LinkId stream = kNone) {
        Crossing crossing{kMillisecond, stream == kNone ? link : stream,          1, version,
                          static_cast<std::uint32_t>(bytes), 0, {}};
        std::memcpy(crossing.packet, &packet, sizeof packet);
        std::vector<std::uint8_t> message(sizeof crossing + bytes);
        std::memcpy(message.data(), &crossing, sizeof crossing);
        return end.put(message, 1).has_value();
    };
    const auto with = [&](auto change) {
        Packet packet = segment;
        change(packet);
        return arrives(packet);
    };
    CHECK(arrives(segment));
    CHECK_FALSE(arrives(segment, 0, 0, link + 2));
    CHECK(arrives(segment, 1));
    CHECK_FALSE(arrives(segment, 2));
    CHECK_FALSE(arrives(segment, 0xffffffff));

    REQUIRE(model.documents().count() == 1);
    for (const std::uint32_t content : {content::kZeros, content::request(0), content::not_found(), content::datagram(0),
                                        content::failure(503, content::Persistence::last), content::flow(0)})
        CHECK(with([&](Packet& p) { p.content = content; }));
    for (const std::uint32_t content :
         {1u, content::request(1), content::response(1), content::response(1, content::Persistence::last),
          content::failure(404, content::Persistence::none), content::datagram(image.workload_count),
          content::flow(image.workload_count), content::reply(image.server_count), content::reply(0) | 0xfffffff,
          0xf0000000u, 0xffffffffu})
    {
        INFO(content);
        CHECK_FALSE(with([&](Packet& p) { p.content = content; }));
        CHECK_FALSE(with([&](Packet& p) { p.content = content, p.protocol = protocol::udp; }));
        // Of a segment without a payload it is something else.
        CHECK(with([&](Packet& p) { p.content = content, p.payload = 0; }));
    }
    CHECK_FALSE(with([&](Packet& p) { p.segment = static_cast<std::uint8_t>(std::max(image.segment_count, 1u)); }));
    CHECK_FALSE(with([&](Packet& p) { p.payload = p.length + 1; }));
    for (const std::uint32_t address : {kIpv6ExternalHosts, 0xffffffff, kIpv6Nodes | image.nodes}) {
        CHECK_FALSE(with([&](Packet& p) { p.source = Address{address}; }));
        CHECK_FALSE(with([&](Packet& p) { p.destination = Address{address}; }));
    }
    segment.buffer = 7, segment.content = 0xffffffff;  // its bytes are beside it
    CHECK(arrives(segment, 0, 140));
    CHECK_FALSE(arrives(segment, 0, 139));
    CHECK_FALSE(arrives(segment, 0, 65536));
}

TEST_CASE("statistics survive as bytes, and two halves are the whole", "[kernel][ranks]")
{
    ChainModel chain(busy_chain());
    const Model model = chain.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, kSecond);
    simulator.run_until(kSecond);
    Statistics all = simulator.statistics();
    REQUIRE(all.workloads[0].completed > 10);
    REQUIRE(all.links.size() > 10);
    all.middleboxes = {{7, 3, {{"translated", 12}}, {{9, {{"connections", 4}}}}}};
    all.workloads[0].first_broken = {5, "a word of the library"};
    std::uint64_t digest = 0;
    const std::vector<std::uint8_t> bytes = write_statistics(all, 77);
    const std::optional<Statistics> read = read_statistics(bytes, digest);
    REQUIRE(read);
    Statistics again = *read;
    CHECK(digest == 77);
    CHECK(write_statistics(again, 77) == bytes);
    CHECK(again.middleboxes[0].figures[0].first == "translated");
    CHECK(again.workloads[0].first_broken.why == "a word of the library");
    const std::uint64_t completed = again.workloads[0].completed, sent = again.packets_sent;
    join(again, *read);
    CHECK(again.workloads[0].completed == 2 * completed);
    CHECK(again.workloads[0].response_time.took.count() == 2 * all.workloads[0].response_time.took.count());
    CHECK(again.packets_sent == 2 * sent);

    // What is cut, has more behind it, or is of another model.
    for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 97)
        CHECK_FALSE(read_statistics(std::span(bytes).first(size), digest));
    std::vector<std::uint8_t> longer = bytes;
    longer.push_back(0);
    CHECK_FALSE(read_statistics(longer, digest));
    CHECK(may_join(all, *read, model.image()));
    const auto refuses = [&](const auto& change) {
        Statistics other = *read;
        change(other);
        CHECK_FALSE(may_join(all, other, model.image()));
    };
    refuses([](Statistics& other) { other.workloads.pop_back(); });
    refuses([](Statistics& other) { other.changing_links.resize(other.changing_links.size() + 1); });
    refuses([&](Statistics& other) { other.links.back().link = model.image().directed_links; });
    refuses([&](Statistics& other) { other.middleboxes[0].node = model.image().nodes; });
}

}  // namespace ANML_UNIT_FILE
