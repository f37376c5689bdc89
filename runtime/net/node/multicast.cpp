#include "net/node/multicast.h"

#include <algorithm>
#include <optional>

#include "abi/records.h"
#include "abi/targets.h"
#include "net/node/multicast_trees.h"

namespace anml::rt::multicast {

namespace {

template <class Visit>
void each_member(const Net& k, std::uint32_t workload, NodeId source, Visit&& visit)
{
    abi::each_node(k.image, k.image.workloads[workload].peers, [&](NodeId node) {
        if (node != source) visit(node);
    });
}

// The way to a node from its neighbour towards the source.
struct Above {
    NodeId node = 0;
    LinkId link = kNone;  // from there; kNone: no way leads to the source
};

Above above(const Net& k, NodeId node, Address source, Address group)
{
    const abi::NodeRow& row = k.model.node_row(node);
    const LinkId back = k.route(row, node - row.first_node, Flow{group, source, protocol::udp, 0, 0});
    if (back == kNone) return {};
    const abi::LinkRow& link = k.image.link_rows[k.model.link_row_of(back)];
    if (link.one_way != 0) return {};
    return {k.model.far_end(back), link.first_link + ((back - link.first_link) ^ 1)};
}

MulticastTrees::Tree make_tree(const Net& k, std::uint32_t workload, NodeId source, Address group)
{
    const Address address = k.model.address(source, is_ipv6(group));
    std::unordered_map<NodeId, Above> known;
    MulticastTrees::Tree tree;
    std::vector<Above> way;
    each_member(k, workload, source, [&](NodeId member) {
        way.clear();
        for (NodeId at = member; at != source;) {
            const auto [entry, fresh] = known.try_emplace(at);
            if (fresh) entry->second = above(k, at, address, group);
            if (entry->second.link == kNone || way.size() > known.size()) return;  // nowhere, or in a circle
            way.push_back(entry->second);
            at = entry->second.node;
        }
        for (const Above& step : way) {
            std::vector<MulticastBranch>& branches = tree[step.node];
            const auto same = std::find_if(branches.begin(), branches.end(),
                                           [&](const MulticastBranch& branch) { return branch.link == step.link; });
            if (same == branches.end())
                branches.push_back({step.link, 1});
            else
                ++same->members;
        }
    });
    return tree;
}

const std::vector<MulticastBranch>& branches_of(Net& k, NodeId node, NodeId source, Address group)
{
    static const std::vector<MulticastBranch> kNobody;
    const std::uint32_t workload = workload_of_group(group);
    const auto [tree, fresh] = k.trees.by_source.try_emplace(std::uint64_t{source} << 32 | workload);
    if (fresh) tree->second = make_tree(k, workload, source, group);
    const auto found = tree->second.find(node);
    return found == tree->second.end() ? kNobody : found->second;
}

PacketId copy_of(Net& k, const Packet& packet, std::uint32_t members)
{
    const PacketId id = k.packets.allocate();
    k.packets[id] = packet;
    k.packets[id].multicast().members = members;
    k.counters.packets_sent += k.measuring();
    return id;
}

}  // namespace

bool sends(const abi::Image& image, std::uint32_t workload)
{
    return image.workloads[workload].pairing == abi::Pairing::multicast;
}

std::uint32_t members(const Net& k, std::uint32_t workload, NodeId source)
{
    std::uint32_t all = 0;
    each_member(k, workload, source, [&](NodeId) { ++all; });
    return all;
}

void arrive(Net& k, const node::Self& self, Packet& packet, PacketId id)
{
    if (is_group(packet.destination)) return node::deliver(k, self, packet, id);
    k.drop(packet, id, DropReason::malformed);
}

void forward(Net& k, const node::Self& self, Packet& packet, PacketId id)
{
    const auto source = k.model.node_with(packet.source);
    const std::uint32_t workload = workload_of_group(packet.destination);
    const bool sends_here = source == self.id;
    k.counters.packets_sent += sends_here && k.measuring();
    if (packet.protocol != protocol::udp || !source || workload >= k.image.workload_count || !sends(k.image, workload))
        return k.drop(packet, id, DropReason::no_route);
    const std::vector<MulticastBranch>& branches = branches_of(k, self.id, *source, packet.destination);
    std::uint32_t behind = 0;
    for (const MulticastBranch& branch : branches) behind += branch.members;
    // No way leads to some, or the tree has moved since.
    if (behind < packet.multicast().members && !branches.empty()) {
        const PacketId lost = copy_of(k, packet, packet.multicast().members - behind);
        k.drop(k.packets[lost], lost, DropReason::no_route);
    }
    if (branches.empty()) return k.drop(packet, id, DropReason::no_route);
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const MulticastBranch& branch = branches[i];
        const bool last = i + 1 == branches.size();
        const PacketId copy = last ? id : copy_of(k, packet, branch.members);
        Packet& goes = k.packets[copy];
        goes.multicast().members = branch.members;
        LinkState& link = k.link(branch.link);
        if (goes.length > link.known_mtu())
            k.drop(goes, copy, DropReason::mtu);  // without a message (RFC 1122, 3.2.2)
        else
            k.transmit(link, branch.link, goes, copy);
    }
}

}  // namespace anml::rt::multicast
