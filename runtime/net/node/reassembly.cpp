#include "net/node/reassembly.h"

#include <algorithm>
#include <utility>

#include "common/mix.h"
#include "net/net.h"
#include "net/packet/ecn.h"
#include "net/upcalls.h"

namespace anml::rt {

namespace {

constexpr std::size_t kHead = 576;  // of the first fragment: enough for what ICMP quotes of it
constexpr std::size_t kEach = 512;  // what is kept of a datagram besides its bytes, about

// A datagram that will not be complete. Of a workload's the first fragment stands for all of it: if that was dropped on
// its way, it was counted there.
void count_lost(Net& k, const Packet& first)
{
    if (first.protocol == protocol::udp && !(first.flags & packet_flag::corrupted)) upcalls::dropped(k, first);
}

}  // namespace

std::size_t Reassembly::Hash::operator()(const Key& key) const
{
    const std::uint64_t addresses = std::uint64_t{number(key.source)} << 32 | number(key.destination);
    const std::uint64_t rest = std::uint64_t{key.node} << 32 | std::uint64_t{key.identification} << 8 | key.protocol;
    return mix(mix(addresses) + rest);
}

std::size_t Reassembly::held(NodeId node) const
{
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? 0 : found->second.held;
}

std::size_t& Reassembly::held_by_task_of(Net& k, NodeId node)
{
    return held_by_task_[k.epoch != 0 ? 0 : k.model.task_of(node).task];
}

Time Reassembly::timeout(const Key& key) { return is_ipv6(key.source) ? kTimeoutOfIpv6 : kTimeout; }

Reassembly::Datagrams::iterator Reassembly::begin(Net& k, const Key& key, For whom)
{
    Node& node = nodes_[key.node];
    const auto made = node.waiting.insert(node.waiting.end(), Datagram{});
    made->key = key;
    made->whom = whom;
    made->begun = k.now;
    index_.emplace(key, made);
    if (!std::exchange(node.timed, true)) k.schedule(key.node, made->begun + timeout(key), timer_kind::reassembly, 0);
    return made;
}

bool Reassembly::add(Datagram& datagram, const wire::FragmentView& fragment, bool& sound)
{
    std::vector<Range>& there = datagram.there;
    const auto next = std::partition_point(there.begin(), there.end(),
                                           [&](const Range& range) { return range.end < fragment.begin; });
    sound = true;
    if (next != there.end() && next->begin <= fragment.begin && fragment.end <= next->end) return false;
    // The end is where the last fragment has it, and nothing is behind that.
    const std::uint32_t reached = there.empty() ? 0 : there.back().end;
    sound = fragment.last ? reached <= fragment.end && (datagram.end == 0 || datagram.end == fragment.end)
                          : datagram.end == 0 || fragment.end <= datagram.end;
    for (auto range = next; sound && range != there.end() && range->begin < fragment.end; ++range)
        sound = range->end <= fragment.begin;
    if (!sound) return false;

    if (fragment.last) datagram.end = fragment.end;
    if (datagram.payload.size() < fragment.end) datagram.payload.resize(fragment.end);
    std::copy(fragment.payload.begin(), fragment.payload.end(),
              datagram.payload.begin() + static_cast<std::ptrdiff_t>(fragment.begin));
    Range merged{fragment.begin, fragment.end};
    auto behind = next;
    for (; behind != there.end() && behind->begin <= merged.end; ++behind) {
        merged.begin = std::min(merged.begin, behind->begin);
        merged.end = std::max(merged.end, behind->end);
    }
    there.insert(there.erase(next, behind), merged);
    return true;
}

bool Reassembly::complete(const Datagram& datagram)
{
    return datagram.end != 0 && datagram.there.size() == 1 && datagram.there[0].begin == 0 &&
           datagram.there[0].end == datagram.end;
}

// Whether a first fragment is not that of the datagram, which has one: 65 536 datagrams later a host's identifications
// come again, and one of which a fragment was lost may still wait (RFC 4963). Records of virtual hosts tell.
bool Reassembly::another(const Datagram& datagram, const Packet& first)
{
    if (datagram.head.empty() || first.protocol != protocol::udp || first.content == 0) return false;
    const Packet& other = datagram.first;
    return first.content != other.content || first.offset_in_content() != other.offset_in_content() ||
           first.udp().sent_at() != other.udp().sent_at();
}

bool Reassembly::take(Net& k, NodeId node, const Packet& packet, const wire::FragmentView& fragment, For whom,
                      Packet& whole, std::uint32_t* largest)
{
    const Key key{node, packet.source, packet.destination, fragment.identification, packet.protocol};
    auto known = index_.find(key);
    if (known != index_.end() && fragment.begin == 0 && another(*known->second, packet)) {
        give_up(k, known->second, k.counters.reassembly_discarded);
        known = index_.end();
    }
    if (known == index_.end() && (held(node) > kRoomOfNode || held_by_task_of(k, node) > kRoom)) {
        if (fragment.begin != 0) return false;
        k.counters.reassembly_no_room += whom != For::others && k.measuring();
        if (k.measuring()) count_lost(k, packet);
        return false;
    }
    const auto datagram = known != index_.end() ? known->second : begin(k, key, whom);

    // What a link has corrupted is so in the datagram, whose checksum tells.
    std::vector<std::uint8_t> corrupted;
    wire::FragmentView view = fragment;
    if (packet.flags & packet_flag::corrupted) {
        corrupted = wire::sent_bytes(packet, k.model, k.buffers);
        if (!wire::view_fragment(corrupted, view)) view = fragment;
    }
    bool sound = true;
    if (!add(*datagram, view, sound)) {
        if (!sound) give_up(k, datagram, k.counters.reassembly_discarded);
        return false;
    }
    datagram->largest = std::max<std::uint32_t>(datagram->largest, packet.length);
    datagram->ecn |= static_cast<std::uint8_t>(1u << ecn::codepoint(packet));
    if (fragment.begin == 0) {
        const std::span<const std::uint8_t> bytes = k.buffers.bytes(packet.buffer);
        datagram->head.assign(bytes.begin(),
                              bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kHead)));
        datagram->first = packet;
        datagram->first.buffer = kNone;
    }
    charge(k, *datagram);
    if (!complete(*datagram)) return false;
    overtake(datagram);
    if (largest) *largest = datagram->largest;
    if (!join(k, *datagram, whole)) {
        give_up(k, datagram, k.counters.reassembly_discarded);
        return false;
    }
    k.counters.reassembled += datagram->whom != For::others && k.measuring();
    forget(k, datagram);
    return true;
}

// RFC 3168, 5.3: congestion that one fragment met all of them did, unless some of them could not have told.
bool Reassembly::join(Net& k, const Datagram& datagram, Packet& whole) const
{
    const Packet& first = datagram.first;
    std::uint8_t traffic_class = first.traffic_class;
    if (datagram.ecn & 1u << ecn::kCongestion) {
        if (datagram.ecn & 1u << ecn::kNotCapable) return false;
        traffic_class |= ecn::kCongestion;
    }
    if (!wire::join(datagram.head, datagram.payload, traffic_class, k.buffers, whole)) return false;
    whole.ttl = first.ttl;
    whole.source = first.source;
    whole.destination = first.destination;
    if (first.protocol != protocol::udp || first.content == 0) return true;
    // A virtual host's: what it is the record knows, without bytes.
    k.buffers.release(whole.buffer);
    whole.buffer = kNone;
    whole.content = first.content;
    whole.content_offset = first.content_offset;
    whole.content_offset_high = first.content_offset_high;
    whole.udp().sent_high = first.udp().sent_high;
    whole.udp().sent_low = first.udp().sent_low;
    whole.udp().identification = first.udp().identification;
    return true;
}

void Reassembly::charge(Net& k, Datagram& datagram)
{
    const std::size_t now =
        kEach + datagram.head.capacity() + datagram.payload.capacity() + datagram.there.capacity() * sizeof(Range);
    nodes_[datagram.key.node].held += now - datagram.charged;
    held_by_task_of(k, datagram.key.node) += now - datagram.charged;
    datagram.charged = now;
}

void Reassembly::forget(Net& k, Datagrams::iterator datagram)
{
    const Key key = datagram->key;
    Node& node = nodes_[key.node];
    node.held -= datagram->charged;
    held_by_task_of(k, key.node) -= datagram->charged;
    index_.erase(key);
    node.waiting.erase(datagram);
}

void Reassembly::give_up(Net& k, Datagrams::iterator datagram, std::uint64_t& counter)
{
    counter += datagram->whom != For::others && k.measuring();
    if (!datagram->head.empty() && k.measuring() && k.counters.in_window(datagram->begun))
        count_lost(k, datagram->first);
    forget(k, datagram);
}

// Those that began before it, of its kind.
void Reassembly::overtake(Datagrams::iterator complete)
{
    const Key& key = complete->key;
    Datagrams& waiting = nodes_[key.node].waiting;
    while (complete != waiting.begin()) {
        const Key& other = (--complete)->key;
        if (other.source != key.source || other.destination != key.destination || other.protocol != key.protocol)
            continue;
        if (std::exchange(complete->overtaken, true)) return;  // and those before it
    }
}

void Reassembly::each_overtaken(const NetCounters& counters, const std::function<void(const Packet&)>& tell) const
{
    for (const auto& [id, node] : nodes_)
        for (const Datagram& datagram : node.waiting)
            if (datagram.overtaken && !datagram.head.empty() && counters.in_window(datagram.begun))
                tell(datagram.first);
}

void Reassembly::expire(Net& k, NodeId id, const std::function<void(const Packet&)>& tell)
{
    Node& node = nodes_[id];
    node.timed = false;
    Time next = kNever;
    for (auto at = node.waiting.begin(); at != node.waiting.end();) {
        const auto datagram = at++;
        const Time until = datagram->begun + timeout(datagram->key);
        if (until > k.now) {
            next = std::min(next, until);
            continue;
        }
        if (datagram->whom == For::node && !datagram->head.empty()) {
            Packet first = datagram->first;
            first.buffer = k.buffers.store(datagram->head);
            tell(first);
            k.buffers.release(first.buffer);
        }
        give_up(k, datagram, k.counters.reassembly_timed_out);
    }
    if (node.waiting.empty())
        nodes_.erase(id);
    else if (!std::exchange(node.timed, true))
        k.schedule(id, next, timer_kind::reassembly, 0);
}

}  // namespace anml::rt
