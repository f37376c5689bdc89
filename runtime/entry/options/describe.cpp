#include "entry/options/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "abi/records.h"
#include "entry/options/tunables.h"
#include "entry/tools/addresses.h"
#include "io/live.h"
#include "net/middlebox/back_ends.h"
#include "net/model.h"
#include "report/describe_draws.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

std::string parameter_range(const abi::ParameterRow& row)
{
    return fmt::format("{} .. {}", format_quantity(row.minimum, row.unit), format_quantity(row.maximum, row.unit));
}

void add_tunables(std::string& out, const Model& model)
{
    const abi::Image& image = model.image();
    std::string tunables, fixed;
    for (std::uint32_t i = 0; i < image.parameter_count; ++i) {
        const abi::ParameterRow& row = image.parameters[i];
        std::string_view name = model.text(row.name), doc = model.text(row.doc);
        if (row.tunable == abi::kNone) {
            fixed += fmt::format(
                "{}{} = {}", fixed.empty() ? "" : ", ", name,
                row.word == abi::kNone ? format_quantity(row.value, row.unit) : std::string(model.text(row.word)));
            continue;
        }
        tunables += fmt::format("  {:<12} {}, {}, default {}\n", name, unit_name(row.unit), parameter_range(row),
                                format_quantity(row.value, row.unit));
        if (!doc.empty()) tunables += fmt::format("  {:<12} {}\n", "", doc);
    }
    if (!tunables.empty()) out += "tunables (--set NAME=VALUE)\n" + tunables + "\n";
    if (!fixed.empty()) out += fmt::format("fixed when it was compiled\n  {}\n\n", fixed);
}

void add_endpoints(std::string& out, const Model& model)
{
    const abi::Image& image = model.image();
    if (image.endpoint_count == 0) return;
    out += "endpoints (real hosts in a live run)\n";
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        const abi::EndpointRow& row = image.endpoints[i];
        std::string stand_in = describe_stand_in(model, row);
        out += fmt::format("  {:<12} {}; {}\n", model.text(row.name), model.address_text(model.address(row.node)),
                           stand_in.empty() ? "nothing stands in for it in a simulation" : "simulated: " + stand_in);
        if (const std::string hosts = describe_prefixes(image, row); !hosts.empty())
            out += fmt::format("  {:<12} hosts of {}\n", "", hosts);
        if (*model.text(row.doc).data()) out += fmt::format("  {:<12} {}\n", "", model.text(row.doc));
    }
    out += "\n";
}

std::string documents_of(const Model& model, const abi::WorkloadRow& row)
{
    constexpr std::uint32_t kShown = 3;
    std::string text;
    for (std::uint32_t i = 0; i < std::min(row.documents.count, kShown); ++i) {
        const abi::DocumentRow& document = model.image().documents[row.documents.first + i];
        const std::string size = describe_distribution(model, document.size, abi::Unit::size);
        text += i == 0 ? "" : ", ";
        text += document.set ? fmt::format("{} documents in {}/ ({})", document.count, model.text(document.path), size)
                             : fmt::format("{} ({})", model.text(document.path), size);
    }
    if (row.documents.count > kShown) text += fmt::format(" and {} more", row.documents.count - kShown);
    return text;
}

// "2 documents in /a/ (1 KB), think exponential with mean 1 s"
std::string what_it_does(const Model& model, const abi::WorkloadRow& row)
{
    const std::string documents = row.documents.count != 0 ? documents_of(model, row) : "",
                      values = describe_values(model, row.record);
    return documents + (documents.empty() || values.empty() ? "" : ", ") + values;
}

bool makes_calls(const abi::Image& image, const abi::WorkloadRow& row)
{
    return abi::schema_of(image, row.record) == abi::RecordSchema::calls;
}

// "server:80", or "256 nodes:9 (permutation)".
std::string peers_of(const Model& model, const abi::WorkloadRow& row)
{
    std::uint64_t peers = 0;
    for (std::uint32_t t = 0; t < row.peers.count; ++t) peers += model.image().targets[row.peers.first + t].count;
    const bool ports = row.port != 0;
    if (peers == 1) return model.node_name(model.server(row)) + (ports ? fmt::format(":{}", row.port) : "");
    if (row.pairing == abi::Pairing::by_request)
        return fmt::format("{}:{} and {} other origin{}", model.node_name(model.server(row)), row.port, peers - 1,
                           peers == 2 ? "" : "s");
    // Calls go to all of them; flows have a pairing of their own among their attributes.
    const bool paired =
        !makes_calls(model.image(), row) && abi::schema_of(model.image(), row.record) != abi::RecordSchema::flows;
    return fmt::format("{}{} nodes{}", ports ? fmt::format("port {} of ", row.port) : "", peers,
                       paired ? fmt::format(" ({})", abi::pairing_name(row.pairing)) : "");
}

void add_workloads(std::string& out, const Model& model)
{
    const abi::Image& image = model.image();
    if (image.workload_count == 0) return;
    out += "workloads\n";
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        const abi::WorkloadRow& row = image.workloads[i];
        std::uint64_t hosts = 0;
        for (std::uint32_t t = 0; t < row.targets.count; ++t) hosts += image.targets[row.targets.first + t].count;
        out += fmt::format("  {:<12} {} on {} {}{}, to {}, {}\n", model.text(row.name), schema_name(image, row.record),
                           hosts, makes_calls(image, row) ? "server" : "host", hosts == 1 ? "" : "s",
                           peers_of(model, row), what_it_does(model, row));
    }
    out += "\n";
}

}  // namespace

std::string describe_prefixes(const abi::Image& image, const abi::EndpointRow& endpoint)
{
    std::string text;
    for (std::uint32_t i = 0; i < endpoint.prefixes.count; ++i) {
        const abi::EndpointPrefixRow& row = image.endpoint_prefixes[endpoint.prefixes.first + i];
        text += fmt::format("{}{}/{} ({})", text.empty() ? "" : ", ", format_address(row.first), row.length,
                            abi::prefix_kind_name(row.kind));
    }
    return text;
}

std::string describe_stand_in(const Model& model, const abi::EndpointRow& endpoint)
{
    if (endpoint.server == abi::kNone) return "";
    const abi::ServerRow& server = model.image().servers[endpoint.server];
    const std::string values = describe_values(model, server.record);
    return fmt::format("{} on port {}{}{}", schema_name(model.image(), server.record), server.port,
                       values.empty() ? "" : ", ", values);
}

std::string unserved_workload(const Model& model, std::span<const io::Attachment> attached)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        const abi::WorkloadRow& workload = image.workloads[i];
        if (workload.documents.count == 0) continue;  // others have no server
        // On another port a simulated one refuses connections.
        const auto served = [&](NodeId asked) {
            return std::any_of(attached.begin(), attached.end(),
                               [&](const io::Attachment& replayed) {
                                   return image.endpoints[replayed.endpoint].node == asked;
                               }) ||
                   std::any_of(image.servers, image.servers + image.server_count,
                               [&](const abi::ServerRow& server) { return server.node == asked; });
        };
        // Of a load balancer the first of its back ends that is not.
        const auto unserved = [&](NodeId asked) -> std::optional<NodeId> {
            using Balancer = abi::record::load_balancer;
            const std::uint32_t record = model.node_row(asked).middlebox;
            if (record == kNone || abi::schema_of(image, record) != Balancer::kSchema)
                return served(asked) ? std::nullopt : std::optional(asked);
            const auto& balancer = abi::row_of<Balancer>(image, record);
            for (const BackEndNodes& nodes : back_ends_of(model, balancer))
                for (std::uint32_t n = 0; n < nodes.count; ++n)
                    if (!served(nodes.first_node + n)) return nodes.first_node + n;
            return std::nullopt;
        };
        for (std::uint32_t t = 0; t < workload.peers.count; ++t) {
            const abi::TargetRow& peers = image.targets[workload.peers.first + t];
            std::optional<NodeId> without;
            for (std::uint32_t n = 0; n < peers.count && !without; ++n) without = unserved(peers.first_node + n);
            if (!without) continue;
            return fmt::format(
                "workload `{}` asks `{}`, which has no simulated server; give it one in the model "
                "(simulated = web.server(...)), or run it live",
                model.text(workload.name), model.node_name(*without));
        }
    }
    return "";
}

std::string describe_model(const abi::Image& image, const std::string& program)
{
    std::string error;
    Model model(image, *bind_tunables(image, {}, error));
    std::string_view doc = model.text(image.model_doc);
    std::string out = std::string(model.text(image.model_name)) + (doc.empty() ? "" : ": " + std::string(doc)) + "\n\n";
    out += fmt::format("usage: {} COMMAND [OPTIONS]\n\n", program);
    out +=
        "commands\n"
        "  simulate     run as fast as possible, simulated servers in the endpoints' places; needs no privileges\n"
        "  live         run in real time against real hosts, which replace the simulated servers\n"
        "  info         show what the model consists of; --json for programs\n"
        "  ctl          ask a live run, and change it\n"
        "  doctor       look at what live runs need of this machine\n"
        "  COMMAND --help shows the options of a command. --version shows the versions.\n"
        "  Exit status: 0 done, 1 failed, 2 wrong usage, 98 not kept up (live --strict), 99 a threshold not met, 130 "
        "or 143\n"
        "  interrupted.\n\n";
    add_tunables(out, model);
    add_endpoints(out, model);
    add_workloads(out, model);
    out += fmt::format("run\n  {}, of which {} of warm-up\n\n",
                       format_quantity(model.value(image.duration), abi::Unit::time),
                       format_quantity(model.value(image.warmup), abi::Unit::time));
    out += describe_examples(model, program);
    out += fmt::format("\ncompiled from {} by {}; runtime {}\n", model.text(image.source_file),
                       model.text(image.compiler), ANML_VERSION);
    return out;
}

std::string describe_versions(const abi::Image& image)
{
    return fmt::format("{}: compiled from {} by {}; runtime {}\n", image.strings + image.model_name,
                       image.strings + image.source_file, image.strings + image.compiler, ANML_VERSION);
}

}  // namespace anml::rt::entry
