// Numbers of requests (Model): one is all that a packet says of what it asks.
#include <algorithm>
#include <stdexcept>

#include "abi/records.h"
#include "net/model.h"
#include "net/web_clients.h"

namespace anml::rt {

namespace {

using WebClient = abi::record::closed_loop;  // all rows of web clients begin alike

// It asks for what a file has written out.
bool has_written(const abi::Image& image, const abi::WorkloadRow& row)
{
    for (std::uint32_t i = row.documents.first; i < row.documents.first + row.documents.count; ++i) {
        const std::uint32_t file = image.documents[i].file;
        if (file != kNone && image.file_documents[image.files[file].documents.first].request != kNone) return true;
    }
    return false;
}

bool says_more(const abi::Image& image, const abi::WorkloadRow& row)
{
    if (abi::schema_of(image, row.record) == abi::RecordSchema::replay &&
        abi::row_of<abi::record::replay>(image, row.record).log != kNone)
        return true;
    if (!web_clients::is_one(image, row, web_clients::kPages | web_clients::kLoops)) return false;
    const auto& values = abi::row_of<WebClient>(image, row.record);
    return web_clients::method(image, row) != WebClient::Method::GET || values.authority != abi::kNone ||
           values.headers != abi::kNone || (image.request_count != 0 && has_written(image, row));
}

}  // namespace

void Model::number_requests()
{
    constexpr std::uint64_t kMost = 1u << 28;  // app/content.h
    std::uint64_t next = document_count();
    for (std::uint32_t i = 0; i < image_->workload_count; ++i) {
        const abi::WorkloadRow& row = image_->workloads[i];
        if (row.documents.count == 0 || !says_more(*image_, row)) continue;
        const std::uint32_t last = row.documents.first + row.documents.count - 1;
        const std::uint32_t first = first_document(row.documents.first);
        const std::uint32_t count = first_document(last) + image_->documents[last].count - first;
        own_requests_.push_back({i, static_cast<std::uint32_t>(next), first, count});
        next += count;
    }
    if (next > kMost) throw std::length_error("the workloads ask for more than 2^28 documents");
}

std::uint32_t Model::request_number(std::uint32_t workload, std::uint32_t document) const
{
    const auto own = std::lower_bound(own_requests_.begin(), own_requests_.end(), workload,
                                      [](const OwnRequests& o, std::uint32_t wanted) { return o.workload < wanted; });
    if (own == own_requests_.end() || own->workload != workload) return document;
    return own->first + (document - own->first_document);
}

Model::Asked Model::asked(std::uint32_t request) const
{
    if (request < document_count()) return {request, kNone};
    const OwnRequests& own =
        *(std::upper_bound(own_requests_.begin(), own_requests_.end(), request,
                           [](std::uint32_t number, const OwnRequests& o) { return number < o.first; }) -
          1);
    return {own.first_document + (request - own.first), own.workload};
}

}  // namespace anml::rt
