// Requests: their numbers, one of which is all that a packet says of what it asks, and where each is counted.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "abi/records.h"
#include "common/array_name.h"
#include "net/documents/model_documents.h"
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

void Documents::number_requests()
{
    constexpr std::uint64_t kMost = 1u << 28;  // app/content.h
    std::uint64_t next = count();
    for (std::uint32_t i = 0; i < image_->workload_count; ++i) {
        const abi::WorkloadRow& row = image_->workloads[i];
        if (row.documents.count == 0 || !says_more(*image_, row)) continue;
        const std::uint32_t last = row.documents.first + row.documents.count - 1;
        const std::uint32_t first = first_[row.documents.first];
        const std::uint32_t count = first_[last] + image_->documents[last].count - first;
        own_requests_.push_back({i, static_cast<std::uint32_t>(next), first, count});
        next += count;
    }
    if (next > kMost) throw std::length_error("the workloads ask for more than 2^28 documents");
}

std::uint32_t Documents::request_number(std::uint32_t workload, std::uint32_t document) const
{
    const auto own = std::lower_bound(own_requests_.begin(), own_requests_.end(), workload,
                                      [](const OwnRequests& o, std::uint32_t wanted) { return o.workload < wanted; });
    if (own == own_requests_.end() || own->workload != workload) return document;
    return own->first + (document - own->first_document);
}

Documents::Asked Documents::asked(std::uint32_t request) const
{
    if (request < count()) return {request, kNone};
    const OwnRequests& own =
        *(std::upper_bound(own_requests_.begin(), own_requests_.end(), request,
                           [](std::uint32_t number, const OwnRequests& o) { return number < o.first; }) -
          1);
    return {own.first_document + (request - own.first), own.workload};
}

void Documents::make_request_classes()
{
    std::map<std::string, std::uint32_t> by_name;
    class_of_workload_.resize(image_->workload_count, kNone);
    for (std::uint32_t i = 0; i < image_->workload_count; ++i) {
        const abi::WorkloadRow& workload = image_->workloads[i];
        std::uint32_t least = kNone, end = 0;
        for (std::uint32_t row = 0; row < workload.documents.count; ++row)
            for (std::uint32_t one = 0; one < image_->documents[workload.documents.first + row].count; ++one) {
                const std::uint32_t document = first_[workload.documents.first + row] + one;
                if (document >= asked_as_.size() || !written(document)) break;
                least = std::min(least, asked_as_[document]->request);
                end = std::max(end, asked_as_[document]->request + 1);
            }
        if (end == 0) continue;
        std::string name = without_indices(text(workload.name));
        const auto [at, fresh] = by_name.try_emplace(name, static_cast<std::uint32_t>(request_classes_.size()));
        class_of_workload_[i] = at->second;
        if (fresh) {
            request_classes_.push_back({std::move(name), least, end - least, 0});
            continue;
        }
        RequestClass& of = request_classes_[at->second];
        end = std::max(end, of.first_request + of.requests);
        of.first_request = std::min(of.first_request, least);
        of.requests = end - of.first_request;
    }
    std::uint32_t cells = 0;
    for (RequestClass& of : request_classes_) {
        of.first_cell = cells;
        cells += of.requests;
    }
}

std::uint32_t Documents::measured_request(abi::StringRef name) const
{
    const auto at = std::ranges::lower_bound(measured_requests_, name);
    if (at == measured_requests_.end() || *at != name) return kNone;
    return static_cast<std::uint32_t>(at - measured_requests_.begin());
}

}  // namespace anml::rt
