#include "elaborate/workloads/call_entries.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/abi/entry_path.h"

namespace anml {

std::vector<std::string_view> entries_of(const Network& network, const WorkloadInfo& call)
{
    std::vector<std::string_view> entries;
    const RecordValue* value = find_value(network.records[call.record], "entry");
    const auto* lines = value ? std::get_if<std::string>(value) : nullptr;
    for (std::string_view left = lines ? *lines : std::string_view(); !left.empty();) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        entries.push_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return entries;
}

// Paths of sets are those of Model::document_path (runtime/net/documents).
double share_of_entries(const Network& network, const std::vector<std::string_view>& entries,
                        const DocumentInfo& document)
{
    const auto has = [&](std::string_view path) {
        return std::any_of(entries.begin(), entries.end(), [&](std::string_view e) { return abi::entry_has(e, path); });
    };
    if (entries.empty()) return 1;
    if (document.file != abi::kNone) {
        const std::vector<FileDocument>& listed = network.files[document.file]->documents;
        const auto there = std::count_if(listed.begin(), listed.end(),
                                         [&](const FileDocument& of) { return has(document.path + of.path); });
        return listed.empty() ? 0 : static_cast<double>(there) / static_cast<double>(listed.size());
    }
    if (!document.set) return has(document.path);
    if (has(document.path + "/")) return 1;
    if (std::none_of(entries.begin(), entries.end(), [&](std::string_view e) { return e.starts_with(document.path); }))
        return 0;
    if (document.record != abi::kNone && is_a(network.records[document.record], abi::RecordSchema::specweb99))
        return 1.0 / document.count;  // one directory or file of them
    std::uint32_t there = 0;
    for (std::uint32_t number = 1; number <= document.count; ++number)
        there += has(fmt::format("{}/{}/{}/{}/{}", document.path, number % 10, number / 10 % 10, number / 100 % 10,
                                 number));
    return static_cast<double>(there) / document.count;
}

double share_made(const Network& network, const WorkloadInfo& call, const WorkloadInfo& by)
{
    if (call.traits.transport == Transport::udp) {
        const bool group = by.pairing == abi::Pairing::multicast;
        const bool datagrams = by.traits.transport == Transport::udp && !by.traits.answers && !group;
        const ValueExprId listen = record_number(network.records[call.record], "listen");
        return datagrams && network.values.as_constant(listen) == static_cast<double>(by.port) ? 1 : 0;
    }
    if (by.traits.transport == Transport::udp) return 0;
    const std::vector<std::string_view> entries = entries_of(network, call);
    if (entries.empty() || by.documents.empty()) return 1;
    double sum = 0;
    for (const DocumentInfo& document : by.documents) sum += share_of_entries(network, entries, document);
    return sum / static_cast<double>(by.documents.size());
}

bool is_made_for(const Network& network, const WorkloadInfo& call, const WorkloadInfo& by)
{
    return share_made(network, call, by) > 0;
}

}  // namespace anml
