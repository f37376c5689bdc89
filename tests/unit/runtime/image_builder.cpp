#include "image_builder.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tls/hash.h"

namespace anml::test {

namespace {

constexpr std::size_t kValues = 1 << 17;
constexpr std::uint32_t kLast = 0xffffffffu;

// The values are the tunables themselves: no state outside the model.
void bind(const double* tunables, double* values) { std::copy_n(tunables, kValues, values); }

}  // namespace

std::uint32_t ChainModel::gateway(std::uint32_t net) const { return 1 + net * (2 + chain_.hosts); }
std::uint32_t ChainModel::client(std::uint32_t net, std::uint32_t i) const { return gateway(net) + 2 + i; }

// Link ids: entry, the hops, the exit, then per net its uplink and edges.
std::uint32_t ChainModel::edge_up(std::uint32_t net, std::uint32_t i) const
{
    std::uint32_t chain_links = chain_.routers + chain_.peer;
    return 2 * (chain_links + net * (1 + chain_.hosts) + 1 + i);
}

abi::StringRef ChainModel::text(const std::string& string)
{
    auto at = static_cast<abi::StringRef>(strings_.size());
    strings_.append(string).push_back('\0');
    return at;
}

abi::ValueId ChainModel::value(double v)
{
    const auto [known, added] = value_ids_.emplace(v, static_cast<abi::ValueId>(values_.size()));
    if (added) values_.push_back(v);
    return known->second;
}

abi::Distribution ChainModel::distribution(const Random& random)
{
    return {random.kind, value(random.a), random.kind == abi::DistributionKind::uniform ? value(random.b) : abi::kNone};
}

void ChainModel::node(const std::string& name, abi::NodeKind kind, std::uint32_t count, bool array,
                      std::uint32_t address, std::uint32_t endpoint, const std::vector<abi::RouteRange>& ranges)
{
    abi::NodeRow row{};
    row.name = text(name);
    row.kind = kind;
    row.count = count;
    row.is_array = array;
    row.first_node = node_count_;
    row.address = address;
    row.table = static_cast<std::uint32_t>(tables_.size());
    row.endpoint = endpoint;
    row.tcp = kind == abi::NodeKind::host ? client_tcp_ : kind == abi::NodeKind::endpoint ? server_tcp_ : abi::kNone;
    nodes_.push_back(row);
    node_count_ += count;
    abi::RouteTable table{};
    table.ranges = {static_cast<std::uint32_t>(ranges_.size()), static_cast<std::uint32_t>(ranges.size())};
    tables_.push_back(table);
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
}

std::uint32_t ChainModel::tcp(const TcpOptions& options)
{
    const auto count = [&](double v) { return value(v); };
    const auto &size = count, &rate = count, &time = count, &truth = count;
    const auto optional_size = [&](double v) { return v > 0 ? value(v) : abi::kNone; };
    return record(
        abi::record::tcp{
#define ANML_RECORD(name, schema)
#define ANML_FIELD(kind, name) .name = kind(options.name),
#define ANML_CHOICE(Enumeration, name, ...) .name = options.name,
#include "transport/tcp.def"
#undef ANML_CHOICE
#undef ANML_FIELD
#undef ANML_RECORD
        },
        abi::RecordSchema::tcp);
}

TcpOptions linux_tcp()
{
    TcpOptions tcp;
    tcp.receive_buffer = 3 << 20;
    tcp.send_buffer = 4 << 20;
    tcp.window_scaling = tcp.sack = tcp.timestamps = tcp.byte_counting = tcp.adaptive = tcp.frto = 1;
    tcp.delayed_ack = 40e6;
    tcp.quick_acks = 16;
    tcp.minimum_rto = tcp.minimum_variation = 2e8;
    tcp.maximum_rto = 120e9;
    tcp.retries = 15;
    tcp.syn_timeout = 1e9;
    tcp.syn_retries = 6;
    tcp.time_wait = 60e9;
    tcp.first_port = 32768;
    tcp.last_port = 60999;
    return tcp;
}

void ChainModel::ping(const Ping& ping, std::uint32_t clients)
{
    const auto peer = static_cast<std::uint32_t>(targets_.size());
    targets_.push_back({gateway(chain_.routers), 1});
    abi::WorkloadRow row{};
    row.name = text("ping");
    row.targets = {0, clients};
    row.peers = {peer, 1};
    row.transport = rt::protocol::icmp;
    row.start_spread = value(1e7);
    row.record = record(abi::record::ping{.interval = {abi::DistributionKind::constant, value(1e7), abi::kNone},
                                          .payload = value(ping.size),
                                          .fragments = value(ping.fragments),
                                          .count = value(0),
                                          .timeout = value(1e9),
                                          .ttl = value(ping.ttl)},
                        abi::RecordSchema::ping);
    workloads_.push_back(row);
}

void ChainModel::change(const TimelineChange& change)
{
    const auto named = std::find_if(links_.begin(), links_.end(),
                                    [&](const abi::LinkRow& row) { return &strings_[row.name] == change.links; });
    abi::TimelineRow row{};
    row.attribute = change.attribute;
    row.form = change.form;
    row.targets = {static_cast<std::uint32_t>(timeline_targets_.size()), 1};
    row.first = value(change.first);
    row.last = value(change.last);
    row.step = value(1e6);
    row.value = value(change.value);
    row.value_to = value(change.value_to);
    row.draw = {abi::DistributionKind::constant, row.value, abi::kNone};
    timeline_.push_back(row);
    timeline_targets_.push_back({named->first_link, named->count, abi::TimelineCause::itself, change.directions});
}

std::uint32_t ChainModel::link(const std::string& name, std::uint32_t count, bool array, std::uint32_t a,
                               std::uint32_t stride_a, std::uint32_t b, const LinkOptions& options)
{
    abi::ValueId rate = value(options.rate), delay = value(options.delay), queue = value(options.queue);
    abi::LinkRow row{};
    row.name = text(name);
    row.count = count;
    row.is_array = array;
    row.node[0] = a;
    row.node[1] = b;
    row.stride[0] = stride_a;
    row.first_link = link_count_;
    std::fill_n(row.rate, 2, rate);
    std::fill_n(row.delay, 2, delay);
    std::fill_n(row.queue, 2, queue);
    std::fill_n(row.queue_packets, 2, value(options.queue_packets));
    row.mtu = value(options.mtu);
    row.overhead = value(options.overhead);
    if (const auto& i = options.impairments) {
        const auto random_ratio = [&](const Random& random) { return distribution(random); };
        const auto& random_time = random_ratio;
        const auto truth = [&](double v) { return value(v); };
        row.impairment[options.impaired_back ? 1 : 0] = record(
            abi::record::impairment{
#define ANML_RECORD(name, schema)
#define ANML_FIELD(kind, name) .name = kind(i->name),
#include "net/link/impairment.def"
#undef ANML_FIELD
#undef ANML_RECORD
            },
            abi::RecordSchema::impairment);
    }
    links_.push_back(row);
    link_count_ += 2 * count;
    return row.first_link;
}

ChainModel::ChainModel(const Chain& chain) : chain_(chain)
{
    const std::uint32_t n = chain.routers, h = chain.hosts, top = subnet(n - 1) + 0xffff;
    text("");
    auto net = [](std::uint32_t i) { return "net[" + std::to_string(i) + "]."; };

    std::uint32_t entry = link("entry", 1, false, gateway(0), 0, server(), chain.backbone);
    if (chain.discipline) {
        links_.back().discipline[1] = static_cast<std::uint32_t>(records_.size());
        std::vector<std::vector<double>> all = chain.others;
        all.insert(all.begin(), chain.parameters);
        for (const std::vector<double>& parameters : all) {
            const auto first = static_cast<std::uint32_t>(record_words_.size());
            const auto schema = static_cast<std::uint32_t>(*chain.discipline);
            const auto fields = abi::record_layout(schema).fields;
            for (std::size_t i = 0; i < fields.size(); ++i) {  // those that are left out are 0
                const double parameter = i < parameters.size() ? parameters[i] : 0;
                record_words_.push_back(fields[i].kind == abi::FieldKind::choice ? static_cast<std::uint32_t>(parameter)
                                                                                 : value(parameter));
            }
            records_.push_back({schema, {first, static_cast<std::uint32_t>(fields.size())}});
        }
    }
    client_tcp_ = tcp(chain.client_tcp);
    server_tcp_ = tcp(chain.server_tcp);
    std::vector<std::uint32_t> hops;
    for (std::uint32_t i = 0; i + 1 < n; ++i)
        hops.push_back(link("hop[" + std::to_string(i) + "]", 1, false, gateway(i + 1), 0, gateway(i), chain.backbone));
    std::uint32_t peer = gateway(n), exit = kLast;
    if (chain.peer) exit = link("exit", 1, false, gateway(n - 1), 0, peer, chain.backbone);

    std::vector<abi::RouteRange> everything_else{{subnet(0), top, {entry + 1, 1, 0, 0}}};
    if (chain.peer)
        everything_else.insert(everything_else.begin(),
                               {number(peer_address()), number(peer_address()), {entry + 1, 1, 0, 0}});
    node("server", abi::NodeKind::endpoint, 1, false, number(server_address()), 0, everything_else);
    const abi::Slice prefixes{0, static_cast<std::uint32_t>(chain.prefixes.size())};
    const std::uint32_t addressed = chain.prefixes.empty();
    endpoints_.push_back(
        {text("server"), text("the web server"), server(), chain.server ? 0 : abi::kNone, 0.0, addressed, prefixes});

    for (std::uint32_t i = 0; i < n; ++i) {
        std::uint32_t lan = gateway(i) + 1, first = number(client_address(i, 0)),
                      last = number(client_address(i, h - 1));
        std::uint32_t uplink = link(net(i) + "uplink", 1, false, lan, 0, gateway(i), chain.uplink);
        std::uint32_t edge = link(net(i) + "edge", h, true, client(i, 0), 1, lan, chain.edge);

        std::uint32_t down = i == 0 ? entry : hops[i - 1];
        std::uint32_t up = i + 1 < n ? hops[i] + 1 : exit;
        std::vector<abi::RouteRange> routes{{number(server_address()), number(server_address()), {down, 1, 0, 0}}};
        if (chain.peer) routes.push_back({number(peer_address()), number(peer_address()), {up, 1, 0, 0}});
        if (i > 0) routes.push_back({subnet(0), subnet(i) - 1, {down, 1, 0, 0}});
        routes.push_back({first, last, {uplink + 1, 1, 0, 0}});
        if (i + 1 < n) routes.push_back({subnet(i + 1), top, {up, 1, 0, 0}});
        node(net(i) + "gateway", abi::NodeKind::router, 1, false, number(gateway_address(i)), abi::kNone, routes);
        node(net(i) + "lan", abi::NodeKind::switch_, 1, false, 0, abi::kNone,
             {{0, first - 1, {uplink, 1, 0, 0}},
              {first, last, {edge + 1 - 2 * first, 1, 2, 0}},
              {last + 1, kLast, {uplink, 1, 0, 0}}});
        node(net(i) + "client", abi::NodeKind::host, h, true, first, abi::kNone, {{0, kLast, {edge, 1, 0, 2}}});
    }
    if (chain.peer) {
        node("peer", abi::NodeKind::endpoint, 1, false, number(peer_address()), 1, {{0, kLast, {exit + 1, 1, 0, 0}}});
        endpoints_.push_back({text("peer"), text(""), peer, abi::kNone, 0.0, addressed, prefixes});
    }

    if (chain.server)
        servers_.push_back(
            {server(), 80,
             record(abi::record::web_server{.scheme = {},
                                            .tls_version = {},
                                            .resumption = value(0),
                                            .certificate = text(""),
                                            .service = distribution(chain.service),
                                            .workers = value(chain.workers),
                                            .processors = value(0),
                                            .backlog = value(0),
                                            .half_open = value(0),
                                            .syn_cost = value(0),
                                            .keep_alive = value(chain.keep_alive),
                                            .hold = chain.hold,
                                            .close = chain.close,
                                            .etags = value(chain.etags),
                                            .cookie = value(chain.cookie),
                                            .moved = value(chain.moved),
                                            .reply = value(chain.reply),
                                            .handshake = distribution({}),
                                            .version = chain.http2 ? abi::record::web_server::Version::HTTP_2
                                                                   : abi::record::web_server::Version::HTTP_1},
                    abi::RecordSchema::web_server)});
    if (!chain.listed.empty()) list_documents();
    for (double size : chain.listed.empty() ? chain.documents : std::vector<double>{})
        documents_.push_back({text("/" + std::to_string(static_cast<long>(size))), 1, 0, 1,
                              distribution({abi::DistributionKind::constant, size, 0}), distribution({}), abi::kNone,
                              abi::kNone});
    for (std::uint32_t i = chain.first_net; i < n && i - chain.first_net < chain.nets; ++i)
        targets_.push_back({client(i, 0), h});
    const auto clients = static_cast<std::uint32_t>(targets_.size());
    targets_.push_back({server(), 1});
    workloads_.push_back(
        {text("browse"),
         {0, clients},
         {clients, 1},
         abi::Pairing::in_order,
         rt::protocol::tcp,
         80,
         0,
         {0, static_cast<std::uint32_t>(documents_.size())},
         0,
         value(chain.start_spread),
         chain.start,
         record(abi::record::closed_loop{.connect_timeout = value(chain.connect_timeout),
                                         .timeout = value(chain.timeout),
                                         .authority = chain.host.empty() ? abi::kNone : text(chain.host),
                                         .headers = chain.headers.empty() ? abi::kNone : text(chain.headers),
                                         .scheme = {},
                                         .tls_version = {},
                                         .resumption = value(0),
                                         .trust_anchors = abi::kNone,
                                         .begin_with = chain.begin_with,
                                         .cookies = value(chain.cookies),
                                         .redirects = value(chain.redirects),
                                         .revalidate = value(chain.revalidate),
                                         .check_content = value(chain.check_content),
                                         .until = chain.until,
                                         .method = chain.method,
                                         .body = value(chain.body),
                                         .requests = value(chain.requests),
                                         .idle = value(chain.idle),
                                         .version = chain.http2 ? abi::record::closed_loop::Version::HTTP_2
                                                                : abi::record::closed_loop::Version::HTTP_1,
                                         .streams = value(chain.streams),
                                         .origins = {},
                                         .think = distribution(chain.think),
                                         .pipeline = value(chain.pipeline),
                                         .connections = value(chain.connections)},
                abi::RecordSchema::closed_loop),
         0,
         0});

    for (const Ping& p : chain.pings) ping(p, clients);
    for (const TimelineChange& one : chain.timeline) change(one);

    task_rows_.push_back({0, node_count_, 0});

    image_.magic = abi::kMagic;
    image_.version = abi::kVersion;
    image_.model_name = text("Chain");
    image_.nodes = node_count_;
    image_.directed_links = link_count_;
    image_.pool_first = 0x0a000000;
    image_.pool_length = 8;
    image_.gateway = 0x0a000001;
    image_.duration = value(120e9);
    image_.warmup = value(5e9);
    if (values_.size() > kValues) std::abort();
    values_.resize(kValues);
    image_.value_count = kValues;
    image_.tunable_count = kValues;
    image_.string_bytes = static_cast<std::uint32_t>(strings_.size());
    auto table = [](const auto& rows, auto& pointer, std::uint32_t& count) {
        pointer = rows.data();
        count = static_cast<std::uint32_t>(rows.size());
    };
    image_.strings = strings_.data();
    table(nodes_, image_.node_rows, image_.node_row_count);
    table(links_, image_.link_rows, image_.link_row_count);
    table(tables_, image_.tables, image_.table_count);
    table(ranges_, image_.ranges, image_.range_count);
    table(endpoints_, image_.endpoints, image_.endpoint_count);
    table(chain_.prefixes, image_.endpoint_prefixes, image_.endpoint_prefix_count);
    table(servers_, image_.servers, image_.server_count);
    table(documents_, image_.documents, image_.document_count);
    table(files_, image_.files, image_.file_count);
    table(file_documents_, image_.file_documents, image_.file_document_count);
    table(hashes_, image_.hashes, image_.hash_count);
    table(targets_, image_.targets, image_.target_count);
    table(records_, image_.records, image_.record_count);
    table(record_words_, image_.record_words, image_.record_word_count);
    table(workloads_, image_.workloads, image_.workload_count);
    table(timeline_, image_.timeline, image_.timeline_count);
    table(timeline_targets_, image_.timeline_targets, image_.timeline_target_count);
    table(task_rows_, image_.task_rows, image_.task_row_count);
    image_.task_count = 1;
    image_.bind = bind;
}

void ChainModel::list_documents()
{
    const std::unique_ptr<rt::tls::Hash> hash(anml_new_sha256());
    for (const std::string& body : chain_.listed) {
        hash->begin();
        hash->add({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
        file_documents_.push_back({.size = body.size(),
                                   .weight = 1,
                                   .path = text("/" + std::to_string(body.size())),
                                   .status = 200,
                                   .method = abi::Method::GET,
                                   .hash = static_cast<std::uint32_t>(hashes_.size()),
                                   .request = rt::kNone});
        std::ranges::copy(hash->end(), hashes_.emplace_back().bytes);
    }
    const auto count = static_cast<std::uint32_t>(chain_.listed.size());
    files_.push_back({text("list"), {0, count}, {0, 0}, 0, 0});
    const auto list =
        record(abi::record::list{.file = 0, .order = abi::record::list::ListOrder::in_turn}, abi::RecordSchema::list);
    documents_.push_back({text(""), count, 1, 1, distribution({}), distribution({}), list, 0});
}

void ChainModel::partition(const std::vector<std::uint32_t>& task_of)
{
    task_rows_.clear();
    for (std::uint32_t node = 0; node < task_of.size(); ++node) task_rows_.push_back({node, 1, task_of[node]});
    image_.task_rows = task_rows_.data();
    image_.task_row_count = static_cast<std::uint32_t>(task_rows_.size());
    image_.task_count = 1 + *std::max_element(task_of.begin(), task_of.end());
}

}  // namespace anml::test
