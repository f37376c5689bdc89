// Models made by hand for the runtime's tests: the chain of the paper's Figure 4.
//
//   server -- net[0].gateway -- net[1].gateway -- ... -- net[N-1].gateway [-- peer]
//                  |                  |
//             net[i].lan, a switch with H clients net[i].client[0..H-1]
//
// Names and end order are those of examples/paper-wan/wan.anml; the peer is a second endpoint at the far end.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abi/image.h"
#include "abi/records.h"
#include "net/model.h"
#include "net/queue/disciplines.h"

namespace anml::test {

struct Random {
    abi::DistributionKind kind = abi::DistributionKind::constant;
    double a = 0, b = 0;
};

// From end a to end b.
struct Impairments {
    Random loss{}, corrupt{}, duplicate{}, reorder{}, reorder_delay{}, jitter{};
    double in_order = 1;
};

struct LinkOptions {
    double rate = 1e9;          // bit/s
    double delay = 1e6;         // ns
    double queue = 512 * 1024;  // bytes
    double mtu = 1500;
    double overhead = 0;
    double queue_packets = 0;  // 0: as many as the bytes allow
    std::optional<Impairments> impairments{};
    bool impaired_back = false;  // from end b to end a instead
};

// As `tcp.ip_tne`.
struct TcpOptions {
    double segment = 0;  // 0: from the MTU
    double initial_window = 10;
    double receive_buffer = 65535, send_buffer = 1 << 30;
    double read_rate = 0;  // bit/s
    double window_scaling = 0, sack = 0, timestamps = 0;
    double delayed_ack = 0, quick_acks = 0;
    double byte_counting = 0;
    abi::Congestion congestion = abi::Congestion::newreno;
    abi::Ecn ecn = abi::Ecn::none;
    abi::MtuProbing mtu_probing = abi::MtuProbing::off;
    double pacing = 0, adaptive = 0, frto = 0;
    double minimum_rto = 1e9, minimum_variation = 0, maximum_rto = 60e9, retries = 8;
    double syn_timeout = 5e9, syn_retries = 0, syn_backoff = 2, syn_limit = 0;
    double nagle = 0, fast_open = 0;
    double keep_alive = 0, keep_alive_interval = 75e9, keep_alive_probes = 9;
    double time_wait = 4e9, time_wait_reuse = 0, first_port = 1024, last_port = 65535;
};
TcpOptions linux_tcp();  // as `tcp.linux`

// A statement of the timeline about links: "entry", "hop[0]", "net[1].edge".
struct TimelineChange {
    std::string links;
    abi::TimelineAttribute attribute;
    double first, value;                               // ns
    abi::TimelineForm form = abi::TimelineForm::once;  // `every` and ramps: each millisecond
    double last = 0, value_to = 0;
    std::uint32_t directions = 3;
};

// Echo requests of every client to the peer, each 10 ms.
struct Ping {
    double ttl = 64;
    double size = 56;
    double fragments = 0;  // truth
};

using CloseMode = abi::record::web_server::CloseMode;
using WorkerHold = abi::record::web_server::WorkerHold;
using TransactionEnd = abi::record::closed_loop::TransactionEnd;
using FirstDocument = abi::record::closed_loop::FirstDocument;
using Method = abi::record::closed_loop::Method;

struct Chain {
    std::uint32_t routers = 1, hosts = 1;
    LinkOptions backbone;  // entry, hops and exit
    LinkOptions uplink{1e9, 1e5, 512 * 1024, 1500, 0, 0};
    LinkOptions edge{1e8, 1e5, 512 * 1024, 1500, 0, 0};
    bool peer = false;

    TcpOptions client_tcp, server_tcp;

    bool server = true;  // simulated at the endpoint `server`, port 80
    Random service{abi::DistributionKind::constant, 1.8e6, 0};
    double workers = 0;
    CloseMode close = CloseMode::after_ack;
    double keep_alive = 75e9;
    double reply = 0;
    double etags = 0, cookie = 0, moved = 0;  // truths
    WorkerHold hold = WorkerHold::request;

    std::vector<double> documents{1024};  // body sizes; called "/<size>"
    std::vector<std::string> listed{};    // instead: bodies of a list with their hashes, in turn; called "/<size>" too
    Random think;
    double connect_timeout = 5e9, timeout = 0, start_spread = 0;
    double requests = 1, idle = 0, pipeline = 1, connections = 1;
    bool http2 = false;
    double streams = 1;
    abi::Start start = abi::Start::spread;
    TransactionEnd until = TransactionEnd::closed;  // as the paper's clients
    FirstDocument begin_with = FirstDocument::first;
    Method method = Method::GET;
    double body = 0;
    double cookies = 0, redirects = 0, revalidate = 0, check_content = 0;  // truths, but for the number of redirects
    std::string host{}, headers{};                                         // lines; "": none
    std::uint32_t first_net = 0, nets = 0xffffffff;                        // subnetworks with clients in the workload

    std::optional<rt::Discipline> discipline{};  // of the entry's queue, away from the server
    std::vector<double> parameters{};            // its own, in the order of its .def: record 0
    std::vector<std::vector<double>> others{};   // records 1, 2 ... of the same discipline

    std::vector<abi::EndpointPrefixRow> prefixes{};  // of each endpoint, which then has no address of its own

    std::vector<Ping> pings;  // workloads behind the web's; they want a peer
    std::vector<TimelineChange> timeline;
};

class ChainModel {
  public:
    explicit ChainModel(const Chain& chain);

    const abi::Image& image() const { return image_; }
    // Puts node `i` into task `task_of[i]`; the numbers run from 0 without a gap.
    void partition(const std::vector<std::uint32_t>& task_of);
    rt::Model model() const { return rt::Model(image_, values_); }

    // Node ids, addresses and directed links ("up" runs towards the server).
    std::uint32_t server() const { return 0; }
    std::uint32_t gateway(std::uint32_t net) const;
    std::uint32_t client(std::uint32_t net, std::uint32_t i) const;
    static rt::Address server_address() { return rt::Address{0x0a000050}; }
    static rt::Address peer_address() { return rt::Address{0x0a000051}; }
    static rt::Address gateway_address(std::uint32_t net) { return rt::Address{subnet(net) + 0xfffe}; }
    static rt::Address client_address(std::uint32_t net, std::uint32_t i) { return rt::Address{subnet(net) + 1 + i}; }
    std::uint32_t entry_up() const { return 0; }  // net[0].gateway to the server
    std::uint32_t entry_down() const { return 1; }
    std::uint32_t edge_up(std::uint32_t net, std::uint32_t i) const;
    std::uint32_t edge_down(std::uint32_t net, std::uint32_t i) const { return edge_up(net, i) + 1; }

  private:
    static std::uint32_t subnet(std::uint32_t net) { return 0x0a000000 + ((net + 1) << 16); }
    abi::StringRef text(const std::string& string);
    abi::ValueId value(double v);
    abi::Distribution distribution(const Random& random);
    void node(const std::string& name, abi::NodeKind kind, std::uint32_t count, bool array, std::uint32_t address,
              std::uint32_t endpoint, const std::vector<abi::RouteRange>& ranges);
    std::uint32_t tcp(const TcpOptions& options);
    void ping(const Ping& ping, std::uint32_t clients);
    void change(const TimelineChange& change);
    void list_documents();
    template <class Row>
    std::uint32_t record(const Row& row, abi::RecordSchema schema)
    {
        const auto first = static_cast<std::uint32_t>(record_words_.size());
        constexpr std::size_t kWords = sizeof(Row) / sizeof(std::uint32_t);
        record_words_.resize(first + kWords);
        std::memcpy(record_words_.data() + first, &row, sizeof row);
        records_.push_back({static_cast<std::uint32_t>(schema), {first, kWords}});
        return static_cast<std::uint32_t>(records_.size() - 1);
    }
    std::uint32_t link(const std::string& name, std::uint32_t count, bool array, std::uint32_t a,
                       std::uint32_t stride_a, std::uint32_t b, const LinkOptions& options);

    Chain chain_;
    std::string strings_;
    std::vector<double> values_;
    std::map<double, abi::ValueId> value_ids_;
    std::vector<abi::NodeRow> nodes_;
    std::vector<abi::LinkRow> links_;
    std::vector<abi::RouteTable> tables_;
    std::vector<abi::RouteRange> ranges_;
    std::vector<abi::EndpointRow> endpoints_;
    std::vector<abi::ServerRow> servers_;
    std::vector<abi::DocumentRow> documents_;
    std::vector<abi::FileRow> files_;
    std::vector<abi::FileDocument> file_documents_;
    std::vector<abi::Sha256> hashes_;
    std::vector<abi::TargetRow> targets_;
    std::vector<abi::WorkloadRow> workloads_;
    std::vector<abi::RecordRow> records_;
    std::vector<std::uint32_t> record_words_;
    std::vector<abi::TaskRow> task_rows_;
    std::vector<abi::TimelineRow> timeline_;
    std::vector<abi::TimelineTarget> timeline_targets_;
    std::uint32_t client_tcp_ = 0, server_tcp_ = 0;  // records
    std::uint32_t node_count_ = 0, link_count_ = 0;
    abi::Image image_{};
};

}  // namespace anml::test
