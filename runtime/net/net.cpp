#include "net/net.h"

#include "net/fluid/fluid.h"

namespace anml::rt {

Net::Net(const Model& m, std::uint64_t s, Time e, NetworkState& n)
    : model(m),
      image(m.image()),
      seed(s),
      epoch(e),
      buffers(&n.external_hosts.table()),
      network(n),
      links(n.links.data()),
      far_ends(n.far_ends.data()),
      nodes(n.nodes.data()),
      edges(n.edges),
      taps(n.taps),
      tables_(m.image().tables),
      codes_(m.image().codes)
{
    if (image.epoch_count == 0) return;
    own_tables.assign(image.tables, image.tables + image.table_count);
    tables_ = own_tables.data();
    if (image.column_change_count == 0) return;
    own_codes.assign(image.codes, image.codes + image.code_bytes);
    codes_ = own_codes.data();
}

void Net::lose(LinkId link, PacketId id)
{
    if (measuring()) changes->lost(link);
    drop(packets[id], id, DropReason::link);
}

LinkId Net::route_otherwise(const abi::NodeRow& row, std::uint32_t element, const Flow& flow) const
{
    const auto by = [&](Address instead) {
        return model.route(tables(), codes(), row, element, instead, seed, [&] { return flow; });
    };
    if (is_ipv6_of_node(flow.destination)) return by(model.address(ipv6_node(flow.destination)));
    const std::uint32_t endpoint = network.external_hosts.endpoint_of(flow.destination);
    if (endpoint == kNone) return kNone;
    return by(model.address(image.endpoints[endpoint].node));
}

void make_changes(Net& k)
{
    const Time at = k.next_change;
    fluid::Fluid* const fluid = k.network.fluid.get();
    if (fluid) fluid->advance_links(k, at);
    if (at == k.next_instant) k.next_instant = k.changes->make(k);
    if (fluid) k.next_epoch = fluid->apply(k, at);
    k.next_change = std::min(k.next_instant, k.next_epoch);
}

}  // namespace anml::rt
