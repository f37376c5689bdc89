#include "net/network_state.h"

#include <algorithm>
#include <atomic>

#include "net/fluid/fluid.h"
#include "net/link/link_bounds.h"
#include "net/link/shared_buffers.h"
#include "net/middlebox/middleboxes.h"
#include "net/node/icmp_limits.h"
#include "net/processing.h"
#include "net/radio/air.h"
#include "net/timeline/timeline.h"

namespace anml::rt {

namespace {

bool is_impairment(const abi::Image& image, std::uint32_t record)
{
    return abi::schema_of(image, record) == abi::RecordSchema::impairment;
}

LinkId impaired_links(const abi::Image& image)  // at most
{
    if (image.endpoint_count != 0) return image.directed_links;  // who runs the model may have any link lose packets
    for (std::uint32_t i = 0; i < image.record_count; ++i)
        if (is_impairment(image, i)) return image.directed_links;
    return 0;
}

std::uint32_t most_words(const std::vector<Impairments>& laws)
{
    std::uint32_t most = 0;
    for (const Impairments& law : laws) most = std::max(most, law.words());
    return most;
}

}  // namespace

std::vector<Impairments> NetworkState::all_laws(const Model& model, const Timeline& timeline)
{
    const abi::Image& image = model.image();
    std::vector<Impairments> laws(image.record_count);
    for (std::uint32_t i = 0; i < image.record_count; ++i)
        if (is_impairment(image, i)) laws[i] = impairments_of(model, i);
    laws.insert(laws.end(), timeline.laws.begin(), timeline.laws.end());
    return laws;
}

NetworkState::NetworkState(const Model& m, const Timeline& timeline)
    : model(m),
      links(m.image().directed_links),
      dropped(m.image().directed_links),
      queue_delay(m.image().directed_links),
      impaired(impaired_links(m.image())),
      laws(all_laws(m, timeline)),
      sampler_words(most_words(laws)),
      sampler_states(std::size_t{sampler_words} * m.image().directed_links),
      traced(m.image().trace_count == 0 ? 0 : m.image().directed_links),
      disciplines(m),
      far_ends(m.image().directed_links),
      far_end_known(m.image().directed_links),
      nodes(m.image().nodes),
      used(m.image().directed_links / kUsedTogether + 1),
      edges(m.image().endpoint_count, nullptr)
{
    const abi::Image& image = m.image();
    if (fluid::Fluid::needed(image)) fluid = std::make_unique<fluid::Fluid>(m);
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (row.processing != kNone && !processing) processing = std::make_unique<Processing>(m);
        if (row.middlebox != kNone && !middleboxes) middleboxes = std::make_unique<Middleboxes>(m);
        if (row.icmp_limits != kNone && !icmp_limits) icmp_limits = std::make_unique<IcmpLimits>(m);
        if (row.buffer != kNone && !shared_buffers) shared_buffers = std::make_unique<SharedBuffers>(m);
        if (row.radio != kNone && !airs) airs = std::make_unique<Airs>(m);
    }
}

NetworkState::~NetworkState() = default;

fluid::FluidLink* NetworkState::find_fluid(LinkId link) { return fluid->of(link); }

LinkState* NetworkState::line_of_fluid(LinkId link)
{
    fluid::FluidLink* const shared = fluid->of(link);
    return shared ? &shared->line : nullptr;
}

void NetworkState::set_up(LinkId id, const std::vector<std::uint16_t>& outbox_to)
{
    const abi::LinkRow& row = model.image().link_rows[model.link_row_of(id)];
    const std::uint32_t direction = (id - row.first_link) & 1;
    LinkState& link = links[id];
    link.rate = model.value(row.rate[direction]);
    link.fraction = LinkState::kHalf;
    link.delay = model.time(row.delay[direction]);
    link.capacity = queue_bytes(model.value(row.queue[direction]), link.rate);
    link.packet_limit = static_cast<std::uint16_t>(model.integer(row.queue_packets[direction]));
    link.mtu = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.mtu), 0xffff));
    link.overhead = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.overhead), 0xffff));
    if (!outbox_to.empty()) link.outbox = outbox_to[model.task_of(model.far_end(id)).task];
    if (link.outbox == 0) look_up_far_end(id);
    if (row.impairment[direction] != abi::kNone) {
        link.outbox |= LinkState::kImpaired;
        impaired[id].law = row.impairment[direction];
    }
    if (row.trace[direction] != abi::kNone) {
        traced[id].trace = row.trace[direction];
        traced[id].capacity = link.capacity;
        link.decide_elsewhere();
    }
    const bool in_buffer = shared_buffers && shared_buffers->begin(id);
    const bool on_air = airs && airs->begin(id);
    const bool shares = (in_buffer || on_air) && row.trace[direction] == abi::kNone;
    disciplines.begin(id, link, model, row.discipline[direction], shares);
    if (fluid) fluid->set_up(id, link);
    // Neighbours may belong to other tasks, which set the same byte to the same value.
    std::atomic_ref(used[id / kUsedTogether]).store(1, std::memory_order_relaxed);
}

void NetworkState::look_up_far_end(LinkId link)
{
    if (std::exchange(far_end_known[link], 1) != 0) return;
    far_ends[link] = end_at(model, model.far_end(link));
}

template <class Visit>
void NetworkState::each_used_link(Visit&& visit) const
{
    for (std::size_t block = 0; block < used.size(); ++block) {
        if (!used[block]) continue;
        const std::size_t first = block * kUsedTogether, last = std::min(first + kUsedTogether, links.size());
        for (std::size_t id = first; id < last; ++id) visit(static_cast<LinkId>(id), links[id]);
    }
}

std::vector<LinkCounters> NetworkState::counters() const
{
    const auto counted = [&](LinkId id, const LinkState& link) { return link.packets != 0 || dropped[id] != 0; };
    std::size_t count = 0;
    each_used_link([&](LinkId id, const LinkState& link) { count += counted(id, link); });
    std::vector<LinkCounters> result;
    result.reserve(count);  // there may be millions
    each_used_link([&](LinkId id, const LinkState& link) {
        if (!counted(id, link)) return;
        LinkCounters& counters = result.emplace_back();
        counters.link = id;
        counters.packets = link.packets;
        counters.bytes = link.bytes;
        counters.dropped = dropped[id];
        counters.queue_delay = queue_delay[id].sum;
        counters.longest_queue_delay = {queue_delay[id].longest};
        const DisciplinedLink* const own = disciplines.of(id);
        if (own && own->marked != 0) counters.rare.make().marked = own->marked;
        if (!(link.outbox & LinkState::kImpaired)) return;
        RareLinkCounters& rare = counters.rare.make();
        rare.lost = impaired[id].lost;
        rare.corrupted = impaired[id].corrupted;
        rare.duplicated = impaired[id].duplicated;
        rare.reordered = impaired[id].reordered;
    });
    return result;
}

NetworkState::BusyLinks NetworkState::busy_beyond(Time at) const
{
    BusyLinks result;
    // A link that is down has no room, and is busy for ever. So is one that follows a trace, which is asked itself;
    // when that one goes down, what waits is lost.
    each_used_link([&](LinkId id, const LinkState&) {
        if (fluid && fluid->of(id)) return;  // it counts for itself
        const LinkState& link = line(id);
        const Time busy_until = !link.decided_elsewhere() ? link.busy_until
                                : traced.size() != 0      ? traced[id].busy_until
                                                          : 0;
        if (busy_until > at) result.emplace_back(id, busy_until - at);
    });
    return result;
}

}  // namespace anml::rt
