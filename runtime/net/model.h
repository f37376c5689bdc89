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
#include "net/packet/flow.h"
#include "net/packet/packet.h"

namespace anml::rt {

// The image's values, of tunables in ParameterRow::tunable order and measures in MeasureRow's, canonical units.
// Measures that are left out are not numbers.
std::vector<double> bind_values(const abi::Image& image, std::span<const double> tunables,
                                std::span<const double> measures = {});

struct HostPlace {  // a host's number among those of a workload, from 0, and how many these are
    std::uint64_t number = 0, of = 1;
};

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
    // What stands in brackets behind the name of an array: a number, or a key of the row's.
    std::string element_text(std::uint32_t keys, std::uint32_t element) const;
    // The element of that text; kNone: there is none.
    std::uint32_t element_with(std::uint32_t keys, std::uint32_t count, std::string_view text) const;
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
    // Documents are numbered through all rows of image().documents, each element of a set for itself.
    std::uint32_t document_count() const { return static_cast<std::uint32_t>(document_sizes_.size()); }
    std::uint32_t first_document(std::uint32_t row) const { return first_documents_[row]; }
    std::uint64_t document_size(std::uint32_t document) const { return document_sizes_[document]; }
    std::string document_path(std::uint32_t document) const;
    const abi::Sha256* document_hash(std::uint32_t document) const;  // of its body; null: not known
    std::size_t path_length(std::uint32_t document) const;
    // What a file says of a document, and how it is asked for: a log's line, of which it is one response of many to that
    // path, or a request that is written out. Null: neither.
    const abi::FileDocument* asked_as(std::uint32_t document) const
    {
        return asked_as_.empty() ? nullptr : asked_as_[document];
    }
    const abi::FileDocument* logged(std::uint32_t document) const
    {
        const abi::FileDocument* const of_file = asked_as(document);
        return of_file && of_file->request == kNone ? of_file : nullptr;
    }
    const abi::WrittenRequest* written(std::uint32_t document) const
    {
        const abi::FileDocument* const of_file = asked_as(document);
        return of_file && of_file->request != kNone ? image().requests + of_file->request : nullptr;
    }
    std::string_view body(const abi::WrittenRequest& written) const
    {
        return {image().strings + written.body, written.body_length};
    }
    // Whether something is measured of single written requests, and which of their names this one is, or kNone.
    bool measures_requests() const { return !measured_requests_.empty(); }
    std::uint32_t measured_request(abi::StringRef name) const;
    // Workloads whose requests are written out, the elements of an array together: each of their requests has a cell.
    struct RequestClass {
        std::string name;
        std::uint32_t first_request, requests, first_cell;  // rows of image().requests
    };
    const std::vector<RequestClass>& request_classes() const { return request_classes_; }
    // Of a workload that asks for it.
    std::uint32_t request_cell(std::uint32_t workload, std::uint32_t request) const
    {
        const RequestClass& of = request_classes_[class_of_workload_[workload]];
        return of.first_cell + request - of.first_request;
    }
    // Of a row that a file lists, where they differ: the weights of all documents up to each, together.
    std::span<const double> weights(std::uint32_t row) const { return weights_[row]; }
    // Of a row whose requests are made up beforehand: what is asked for one after the other, by number in the set, from
    // 0.
    std::span<const std::uint32_t> sequence(std::uint32_t row) const { return sequences_[sequence_of_row_[row]]; }
    // Of a workload that asks for such a row, or replays, or asks several servers in turn, or whose hosts may be on in
    // part.
    HostPlace place_of(std::uint32_t workload, NodeId host) const;
    std::uint64_t hosts_of(std::uint32_t workload) const { return host_counts_[workload]; }  // of these
    // What a host begins that replays a file, by number among the workload's: indices into Image::arrivals, by time.
    std::span<const std::uint32_t> arrivals_of(std::uint32_t workload, std::uint64_t host) const
    {
        const Replayed& r = replayed_[workload];
        return std::span(r.arrivals).subspan(r.first[host], r.first[host + 1] - r.first[host]);
    }

    // Requests are numbered as the documents that they ask for. Behind those come the documents of each workload whose
    // requests say more than a GET does, for themselves.
    struct Asked {
        std::uint32_t document, workload;  // kNone: of any that says no more
    };
    std::uint32_t request_number(std::uint32_t workload, std::uint32_t document) const;
    Asked asked(std::uint32_t request) const;
    std::uint32_t request_count() const
    {
        return own_requests_.empty() ? document_count() : own_requests_.back().first + own_requests_.back().count;
    }

    // The node that all clients of a web workload ask, where there is one; else the first of them.
    NodeId server(const abi::WorkloadRow& workload) const { return image_->targets[workload.peers.first].first_node; }
    std::string node_name(NodeId node) const;  // "net[3].client[17]"

    const Subnets& subnets() const { return subnets_; }
    // The names that the model gives (net/labels.cpp); "": it gives none.
    std::string_view label_of_node(NodeId node) const;
    std::string_view label_of_link(LinkId link) const;
    // Which group of a row of Image::reports a host's transactions are in, of a web workload.
    std::uint32_t report_group(std::uint32_t row, std::uint32_t workload, NodeId host) const;
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
    void make_documents();
    void number_requests();
    void make_request_classes();
    void make_sequence(std::uint32_t row);
    void number_hosts(std::uint32_t workload);
    void add_listed(std::uint32_t row, std::vector<std::uint64_t>& sizes);
    void deal_arrivals(std::uint32_t workload);

    const abi::Image* image_;
    std::vector<double> tunables_, values_;
    std::vector<abi::TaskRow> divided_;  // empty: as the compiler did
    std::uint32_t divided_tasks_ = 0;
    std::vector<std::uint32_t> rows_by_node_;     // rows that are not empty, sorted by first_node
    std::vector<std::uint32_t> rows_by_ipv6_;     // the rows with an address of IPv6, sorted by it
    std::vector<std::uint32_t> rows_by_address_;  // of those, the rows with an address, sorted by it
    std::vector<std::uint32_t> rows_by_link_;     // link rows that are not empty, sorted by first_link
    std::vector<std::uint32_t> first_documents_;  // by row of documents
    std::vector<std::uint64_t> document_sizes_;   // bytes, by document
    struct OwnRequests {
        std::uint32_t workload, first, first_document, count;
    };
    std::vector<OwnRequests> own_requests_;       // by `first`
    std::vector<std::uint32_t> sequence_of_row_;  // of documents: index into sequences_, where it has some
    std::vector<std::vector<std::uint32_t>> sequences_;
    struct NumberedHosts {
        std::uint32_t first_node, count;
        std::uint64_t before;  // hosts of the workload
    };
    std::vector<std::vector<NumberedHosts>> hosts_;  // by workload, those of which place_of tells; by first_node
    std::vector<std::uint64_t> host_counts_;         // of these
    std::vector<const abi::FileDocument*> asked_as_;  // by document; empty: no file says any
    std::vector<std::vector<double>> weights_;       // by row of documents
    std::vector<abi::StringRef> measured_requests_;  // sorted
    std::vector<RequestClass> request_classes_;
    std::vector<std::uint32_t> class_of_workload_;  // empty: no request is written out
    struct Replayed {
        std::vector<std::uint32_t> arrivals, first;  // by host; where each host's begin, and the end
    };
    std::vector<Replayed> replayed_;  // by workload
    Subnets subnets_;
};

}  // namespace anml::rt
