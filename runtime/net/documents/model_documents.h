// The documents of a model, the requests for them, and who asks for what of those that files list.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/image.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;

struct HostPlace {  // a host's number among those of a workload, from 0, and how many these are
    std::uint64_t number = 0, of = 1;
};

class Documents {
  public:
    explicit Documents(const Model& model);

    // Documents are numbered through all rows of Image::documents, each element of a set for itself.
    std::uint32_t count() const { return static_cast<std::uint32_t>(sizes_.size()); }
    std::uint32_t first(std::uint32_t row) const { return first_[row]; }
    std::uint64_t size(std::uint32_t document) const { return sizes_[document]; }
    std::string path(std::uint32_t document) const;
    const abi::Sha256* hash(std::uint32_t document) const;  // of its body; null: not known
    std::size_t path_length(std::uint32_t document) const;
    // What a file says of a document, and how it is asked for: a log's line, of which it is one response of many to
    // that path, or a request that is written out. Null: neither.
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
        return of_file && of_file->request != kNone ? image_->requests + of_file->request : nullptr;
    }
    std::string_view body(const abi::WrittenRequest& written) const
    {
        return {image_->strings + written.body, written.body_length};
    }
    // Whether something is measured of single written requests, and which of their names this one is, or kNone.
    bool measures_requests() const { return !measured_requests_.empty(); }
    std::uint32_t measured_request(abi::StringRef name) const;
    // Workloads whose requests are written out, the elements of an array together: each of their requests has a cell.
    struct RequestClass {
        std::string name;
        std::uint32_t first_request, requests, first_cell;  // rows of Image::requests
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
        return own_requests_.empty() ? count() : own_requests_.back().first + own_requests_.back().count;
    }

  private:
    void make(const Model& model);
    void make_sequence(const Model& model, std::uint32_t row);
    void add_listed(const Model& model, std::uint32_t row, std::vector<std::uint64_t>& sizes);
    void number_hosts(std::uint32_t workload);
    void deal_arrivals(std::uint32_t workload);
    void number_requests();
    void make_request_classes();
    std::string_view text(abi::StringRef ref) const { return image_->strings + ref; }

    const abi::Image* image_;
    std::vector<std::uint32_t> first_;  // by row of documents
    std::vector<std::uint64_t> sizes_;  // bytes, by document
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
    std::vector<std::vector<NumberedHosts>> hosts_;   // by workload, those of which place_of tells; by first_node
    std::vector<std::uint64_t> host_counts_;          // of these
    std::vector<const abi::FileDocument*> asked_as_;  // by document; empty: no file says any
    std::vector<std::vector<double>> weights_;        // by row of documents
    std::vector<abi::StringRef> measured_requests_;   // sorted
    std::vector<RequestClass> request_classes_;
    std::vector<std::uint32_t> class_of_workload_;  // empty: no request is written out
    struct Replayed {
        std::vector<std::uint32_t> arrivals, first;  // by host; where each host's begin, and the end
    };
    std::vector<Replayed> replayed_;  // by workload
};

}  // namespace anml::rt
