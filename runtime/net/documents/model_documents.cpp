// The documents of a model. The sizes of a set are drawn once, from a seed of its own: they belong to the model, and a
// real server has to have the same in every run.
#include "net/documents/model_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "abi/records.h"
#include "net/documents/prowgen.h"
#include "net/documents/specweb99.h"
#include "net/model.h"
#include "net/samples.h"

namespace anml::rt {

namespace {

std::uint32_t row_of_document(const std::vector<std::uint32_t>& first, std::uint32_t document)
{
    return static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), document) - first.begin() - 1);
}

std::size_t digits(std::uint32_t number)
{
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

bool is(const abi::Image& image, const abi::DocumentRow& row, abi::RecordSchema schema)
{
    return row.record != kNone && abi::schema_of(image, row.record) == schema;
}

abi::StringRef listed_path(const abi::Image& image, const abi::DocumentRow& row, std::uint32_t number)
{
    return image.file_documents[image.files[row.file].documents.first + number].path;
}

prowgen::Parameters parameters_of(const Model& model, const abi::DocumentRow& row)
{
    const auto& given = abi::row_of<abi::record::prowgen>(model.image(), row.record);
    return {row.count,
            model.integer(given.requests),
            model.value(given.one_timers),
            model.value(given.slope),
            model.value(given.correlation),
            model.integer(given.stack),
            row.seed};
}

std::vector<std::uint64_t> sizes_of(const Model& model, const abi::DocumentRow& row)
{
    std::vector<std::uint64_t> sizes(row.count);
    std::vector<double> state(state_words(row.size));
    for (std::uint32_t i = 0; i < row.count; ++i) {
        Draws draws(row.seed, i, Purpose::document, 0, 0);
        sizes[i] = static_cast<std::uint64_t>(std::llround(sample(model, row.size, draws, state.data())));
    }
    return sizes;
}

}  // namespace

Documents::Documents(const Model& model) : image_(&model.image())
{
    for (std::uint32_t i = 0; i < image_->measure_count; ++i)
        if (image_->measures[i].request != kNone) measured_requests_.push_back(image_->measures[i].request);
    std::ranges::sort(measured_requests_);
    measured_requests_.erase(std::ranges::unique(measured_requests_).begin(), measured_requests_.end());
    make(model);
    number_requests();
    if (image_->request_count != 0) make_request_classes();
}

// Workloads that name one set share its sequence.
void Documents::make_sequence(const Model& model, std::uint32_t row)
{
    const abi::DocumentRow* const rows = image_->documents;
    sequence_of_row_.push_back(kNone);
    if (!is(*image_, rows[row], abi::RecordSchema::prowgen)) return;
    for (std::uint32_t other = 0; other < row; ++other)
        if (rows[other].record == rows[row].record && rows[other].count == rows[row].count &&
            rows[other].seed == rows[row].seed)
            sequence_of_row_[row] = sequence_of_row_[other];
    if (sequence_of_row_[row] != kNone) return;
    sequence_of_row_[row] = static_cast<std::uint32_t>(sequences_.size());
    sequences_.push_back(prowgen::sequence(parameters_of(model, rows[row])));
}

void Documents::number_hosts(std::uint32_t workload)
{
    const abi::WorkloadRow& row = image_->workloads[workload];
    std::vector<NumberedHosts>& hosts = hosts_.emplace_back();
    host_counts_.push_back(0);
    const bool replays = abi::schema_of(*image_, row.record) == abi::RecordSchema::replay;
    const auto has_sequence = [&](std::uint32_t i) { return sequence_of_row_[row.documents.first + i] != kNone; };
    const auto documents = std::views::iota(0u, row.documents.count);
    const bool in_part = image_->timeline_count != 0 || image_->endpoint_count != 0;  // by the timeline, or who runs it
    const bool in_turn = row.pairing == abi::Pairing::round_robin;  // they ask one of several servers each
    if (!replays && !in_part && !in_turn && std::none_of(documents.begin(), documents.end(), has_sequence)) return;
    std::uint64_t before = 0;
    for (std::uint32_t i = row.targets.first; i < row.targets.first + row.targets.count; ++i) {
        const abi::TargetRow& target = image_->targets[i];
        if (target.count > 0) hosts.push_back({target.first_node, target.count, before});
        before += target.count;
    }
    host_counts_[workload] = before;
    std::sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.first_node < b.first_node; });
}

HostPlace Documents::place_of(std::uint32_t workload, NodeId host) const
{
    const std::vector<NumberedHosts>& hosts = hosts_[workload];
    const auto at = std::upper_bound(hosts.begin(), hosts.end(), host,
                                     [](NodeId node, const NumberedHosts& some) { return node < some.first_node; }) -
                    1;
    return {at->before + host - at->first_node, host_counts_[workload]};
}

void Documents::add_listed(const Model& model, std::uint32_t row, std::vector<std::uint64_t>& sizes)
{
    const abi::DocumentRow& documents = image_->documents[row];
    const abi::FileDocument* const listed = image_->file_documents + image_->files[documents.file].documents.first;
    const bool written = documents.count > 0 && listed->request != kNone;
    if (written)
        sizes = sizes_of(model, documents);
    else
        for (std::uint32_t i = 0; i < documents.count; ++i) sizes[i] = listed[i].size;
    if (documents.record == kNone || written) {
        asked_as_.resize(count());
        for (std::uint32_t i = 0; i < documents.count; ++i) asked_as_.push_back(listed + i);
    }
    if (documents.record == kNone) return;
    if (abi::row_of<abi::record::list>(*image_, documents.record).order != abi::record::list::ListOrder::by_weight)
        return;
    double sum = 0;
    for (std::uint32_t i = 0; i < documents.count; ++i) weights_[row].push_back(sum += listed[i].weight);
}

// The clients of a file are the workload's hosts, over and over.
void Documents::deal_arrivals(std::uint32_t workload)
{
    const std::uint32_t index = abi::replayed_file(*image_, image_->workloads[workload].record);
    const std::uint64_t hosts = host_counts_[workload];
    Replayed& dealt = replayed_[workload];
    dealt.first.resize(hosts + 1);
    if (hosts == 0) return;
    const abi::Slice all = image_->files[index].arrivals;
    for (std::uint32_t i = 0; i < all.count; ++i) ++dealt.first[image_->arrivals[all.first + i].client % hosts + 1];
    for (std::uint64_t h = 0; h < hosts; ++h) dealt.first[h + 1] += dealt.first[h];
    std::vector<std::uint32_t> next(dealt.first);
    dealt.arrivals.resize(all.count);
    for (std::uint32_t i = 0; i < all.count; ++i)
        dealt.arrivals[next[image_->arrivals[all.first + i].client % hosts]++] = all.first + i;
}

void Documents::make(const Model& model)
{
    weights_.resize(image_->document_count);
    for (std::uint32_t row = 0; row < image_->document_count; ++row) {
        const abi::DocumentRow& documents = image_->documents[row];
        first_.push_back(count());
        make_sequence(model, row);
        std::vector<std::uint64_t> sizes(documents.count);
        if (documents.file != kNone)
            add_listed(model, row, sizes);
        else if (is(*image_, documents, abi::RecordSchema::specweb99))
            for (std::uint32_t i = 0; i < documents.count; ++i) sizes[i] = specweb99::size(i);
        else
            sizes = sizes_of(model, documents);
        if (is(*image_, documents, abi::RecordSchema::prowgen))
            prowgen::correlate(parameters_of(model, documents), sizes);
        sizes_.insert(sizes_.end(), sizes.begin(), sizes.end());
    }
    if (!asked_as_.empty()) asked_as_.resize(count());
    replayed_.resize(image_->workload_count);
    for (std::uint32_t i = 0; i < image_->workload_count; ++i) {
        number_hosts(i);
        if (abi::schema_of(*image_, image_->workloads[i].record) == abi::RecordSchema::replay) deal_arrivals(i);
    }
}

// Number 1234 of a set is /4/3/2/1234 in it: ten entries to a folder, three deep, by the digits from the last one on.
std::string Documents::path(std::uint32_t document) const
{
    const std::uint32_t row = row_of_document(first_, document);
    const abi::DocumentRow& documents = image_->documents[row];
    if (!documents.set) return std::string(text(documents.path));
    if (documents.file != kNone)
        return fmt::format("{}{}", text(documents.path), text(listed_path(*image_, documents, document - first_[row])));
    const std::uint32_t number = document - first_[row] + 1;
    if (is(*image_, documents, abi::RecordSchema::specweb99))
        return fmt::format("{}/dir{:05}/class{}_{}", text(documents.path), (number - 1) / specweb99::kDirectory,
                           specweb99::class_of(number - 1), specweb99::file_of(number - 1));
    return fmt::format("{}/{}/{}/{}/{}", text(documents.path), number % 10, number / 10 % 10, number / 100 % 10,
                       number);
}

const abi::Sha256* Documents::hash(std::uint32_t document) const
{
    const std::uint32_t row = row_of_document(first_, document), file = image_->documents[row].file;
    if (file == kNone) return nullptr;
    const std::uint32_t first = image_->files[file].documents.first;
    const std::uint32_t hash = image_->file_documents[first + document - first_[row]].hash;
    return hash == kNone ? nullptr : image_->hashes + hash;
}

std::size_t Documents::path_length(std::uint32_t document) const
{
    const std::uint32_t row = row_of_document(first_, document);
    const abi::DocumentRow& documents = image_->documents[row];
    if (documents.file != kNone)
        return text(documents.path).size() + text(listed_path(*image_, documents, document - first_[row])).size();
    constexpr std::size_t kFolders = 7;  // "/4/3/2/"
    if (is(*image_, documents, abi::RecordSchema::specweb99))
        return text(documents.path).size() + std::string_view("/dir00000/class0_0").size();
    return text(documents.path).size() + (documents.set ? kFolders + digits(document - first_[row] + 1) : 0);
}

}  // namespace anml::rt
