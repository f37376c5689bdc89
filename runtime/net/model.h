// The model at run time: the image with its tunables bound. Read-only once made, but for bind().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/forwarding.h"
#include "abi/image.h"
#include "base/time.h"
#include "net/address/address.h"
#include "net/address/address_table.h"
#include "net/address/subnets.h"
#include "net/documents/model_documents.h"
#include "net/packet/flow.h"
#include "net/packet/packet.h"

namespace anml::rt {

// The image's values, of tunables in ParameterRow::tunable order and measures in MeasureRow's, canonical units.
// Measures that are left out are not numbers.
std::vector<double> bind_values(const abi::Image& image, std::span<const double> tunables,
                                std::span<const double> measures = {});

// What stands in brackets behind the name of an array: a number, or a key of the row's.
std::string element_text(const abi::Image& image, std::uint32_t keys, std::uint32_t element);

// labels.cpp: the names that the model gives; "": it gives none.
std::string_view label_of_node(const abi::Image& image, NodeId node);
std::string_view label_of_link(const abi::Image& image, LinkId link);
// Which group of a row of Image::reports a host's transactions are in, of a web workload.
std::uint32_t report_group(const abi::Image& image, std::uint32_t row, std::uint32_t workload, NodeId host);

class Model {
  public:
    // `tunables` in ParameterRow::tunable order, canonical units. Requirements are not checked here.
    Model(const abi::Image& image, std::span<const double> tunables);

    // Gives tunables other values, on which nothing depends that was made of the model so far but timelines
    // (Simulator::follow) and requirements.
    void bind(std::span<const double> tunables);

    // Takes the place of the compiler's partition: rows as Image::task_rows, of `count` tasks. Before a simulator is
    // made.
    void divide(std::vector<abi::TaskRow> rows, std::uint32_t count);

#ifdef ANML_SPECIALISED
    static const abi::Image& image() { return anml_image; }
#else
    const abi::Image& image() const { return *image_; }
#endif
    std::string_view text(abi::StringRef ref) const { return image().strings + ref; }
    double value(abi::ValueId id) const { return values_[id]; }
    const double* values() const { return values_.data(); }
    std::span<const double> tunables() const { return tunables_; }
    Time time(abi::ValueId id) const;              // rounded to the nearest ns
    std::uint64_t integer(abi::ValueId id) const;  // rounded

    std::uint32_t row_of(NodeId node) const;  // index into image().node_rows
    const abi::NodeRow& node_row(NodeId node) const { return image().node_rows[row_of(node)]; }
    Address address(NodeId node) const;  // none: it has none; of IPv6 where that is all that it has
    Address address(NodeId node, bool ipv6) const { return ipv6 ? ipv6_of(node) : address(node); }
    // By which a workload's hosts talk to one of its peers.
    Address address_of_peer(const abi::WorkloadRow& workload, NodeId peer) const
    {
        if (workload.pairing == abi::Pairing::nearest) return Address{node_row(peer).anycast};
        return address(peer, workload.ipv6 != 0);
    }
    bool is_anycast(Address address) const;
    bool has_ipv6(NodeId node) const { return node_row(node).ipv6[0] != 0; }
    Ipv6 ipv6(NodeId node) const;                     // of a node that has one
    Address find_ipv6(const Ipv6& address) const;     // none: no node has it, and none shares it
    Ipv6 ipv6_bytes(Address address) const;           // of a node, a group, or what nodes share
    std::string address_text(Address address) const;  // of a node; of IPv4 whoever's
    std::optional<NodeId> node_with(Address address) const;
    const Documents& documents() const { return documents_; }

    // The node that all clients of a web workload ask, where there is one; else the first of them.
    NodeId server(const abi::WorkloadRow& workload) const { return image_->targets[workload.peers.first].first_node; }
    std::string node_name(NodeId node) const;  // "net[3].client[17]"

    const Subnets& subnets() const { return subnets_; }
    // The partition.
    std::span<const abi::TaskRow> task_rows() const;
    std::uint32_t task_count() const { return divided_.empty() ? image().task_count : divided_tasks_; }
    const abi::TaskRow& task_of(NodeId node) const;  // the row that holds the node

    std::uint32_t link_row_of(LinkId link) const;
    bool is_transparent(LinkId link) const { return image().link_rows[link_row_of(link)].transparent != 0; }
    NodeId near_end(LinkId link) const;        // the node that the link leaves
    NodeId far_end(LinkId link) const;         // the one that it leads to
    std::string link_name(LinkId link) const;  // "net[3].edge[17]" with ">" appended for direction 0, "<" for 1
    // Directed links that "net[3].edge", "net[3].edge[17]", optionally with ">" or "<", names; empty: no such link. All
    // links of an array have its name, whether one declaration made them or a loop.
    std::vector<LinkId> links_named(std::string_view name) const;

    // The directed link on which element `element` of a row sends a flow's packets, kNone: unreachable, or the address
    // of IPv6 of a node that tables know by its other one (Net::route_otherwise). `tables` and
    // `codes`: the image's, or those of an epoch. `flow` makes the Flow, where it is wanted.
    template <class MakeFlow>
    LinkId route(const abi::RouteTable* tables, const std::uint8_t* codes, const abi::NodeRow& row,
                 std::uint32_t element, Address to, std::uint64_t seed, MakeFlow flow) const
    {
        const std::uint32_t destination = number(to);
        const abi::RouteTable& table = tables[row.table + element * row.table_stride];
        const abi::Forwarding forwarding{image().ranges,       image().hops, image().columns,
                                         image().column_count, codes,        image().alternatives};
        const abi::NextHop* hop = abi::next_hop(forwarding, table, destination);
        if (!hop) return kNone;
        const std::uint32_t path =
            hop->paths == 1 ? 0 : choose_path(flow(), seed, row.first_node + element, hop->paths);
        return abi::link_of(forwarding, *hop, destination, element, path);
    }

  private:
    Address shared_ipv6(const Ipv6& wanted) const;
    NodeId end_of(LinkId link, std::uint32_t far) const;

    const abi::Image* image_;
    std::vector<double> tunables_, values_;
    std::vector<abi::TaskRow> divided_;  // empty: as the compiler did
    std::uint32_t divided_tasks_ = 0;
    std::vector<std::uint32_t> rows_by_node_;     // rows that are not empty, sorted by first_node
    std::vector<std::uint32_t> rows_by_ipv6_;     // the rows with an address of IPv6, sorted by it
    std::vector<std::uint32_t> rows_by_address_;  // of those, the rows with an address, sorted by it
    std::vector<std::uint32_t> rows_by_link_;     // link rows that are not empty, sorted by first_link
    Subnets subnets_;
    Documents documents_;  // made of what stands above
};

}  // namespace anml::rt
