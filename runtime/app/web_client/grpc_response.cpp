#include "app/web_client/grpc_response.h"

#include <algorithm>
#include <charconv>

#include "app/cluster.h"
#include "common/grpc_status.h"

namespace anml::rt::app::grpc_response {

namespace {

constexpr std::size_t kMostSaid = 256;  // of a status' explanation
constexpr std::uint16_t kUnknown = kGrpcOk + 2;

// A number that is none of them is UNKNOWN.
std::uint16_t status_of(std::string_view text)
{
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool known = error == std::errc() && end == text.data() + text.size() && number < std::size(kGrpcStatuses);
    return known ? static_cast<std::uint16_t>(kGrpcOk + number) : kUnknown;
}

}  // namespace

ScriptedRequest* call(Cluster& k, const Client& client)
{
    if (!k.request_scripts.act_in(client.workload) || client.exchange == kNone) return nullptr;
    ScriptedRequest& made = k.closed_loop.exchanges[client.exchange].scripted;
    return made.grpc ? &made : nullptr;
}

namespace {

// As grpc-message is written (PROTOCOL-HTTP2.md); what is no escape stays.
std::string percent_decoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const char* const digits = text.data() + i + 1;
        const bool escape = text[i] == '%' && i + 2 < text.size() &&
                            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        out += escape ? static_cast<char>(byte) : text[i];
        if (escape) i += 2;
    }
    return out;
}

}  // namespace

void read_fields(ScriptedRequest& call, std::string_view lines, http::Fields* wanted)
{
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find("\r\n"), lines.size());
        const std::string_view line = lines.substr(0, end), name = line.substr(0, line.find(": "));
        lines.remove_prefix(std::min(end + 2, lines.size()));
        if (name.size() == line.size()) continue;
        const std::string_view value = line.substr(name.size() + 2);
        if (name == "grpc-status") call.grpc->status = status_of(value);
        if (name == "grpc-message") call.grpc->said = percent_decoded(value).substr(0, kMostSaid);
        if (name == "content-type") call.grpc->typed = value.starts_with("application/grpc");
        if (wanted) wanted->add(name, value);
    }
}

void read(Cluster& k, Client& client, ScriptedRequest& call, std::span<const std::uint8_t> body)
{
    if (!call.script) {  // a simulated server has no bytes
        if (client.answered == 0) client.answered = k.now;
        return;
    }
    const BodyTaker last{nullptr, call.script->reads_body ? &call.response : nullptr};
    call.grpc->messages.read(
        body,
        [&] {
            call.response.clear();
            k.statistics.workloads[client.workload].received += k.measuring();
            if (client.answered == 0) client.answered = k.now;
        },
        [&](std::span<const std::uint8_t> bytes) { last.add(bytes); });
}

std::optional<FailureCause> outcome(Cluster& k, Client& client, ScriptedRequest& call,
                                    std::optional<FailureCause> failure)
{
    const GrpcResponse& response = *call.grpc;
    if (failure && (failure != FailureCause::status || !client.response.whole())) return failure;
    if (response.status == 0 && (failure || client.response.status() != 200)) return FailureCause::status;
    if (!response.typed) {
        if (k.measuring())
            k.statistics.workloads[client.workload].first_wrong.add({k.now, "a response that is no application/grpc"});
        return FailureCause::protocol;
    }
    if (response.messages.compressed()) return FailureCause::compressed;
    if (response.status == 0) return FailureCause::no_trailers;
    client.response.answers(response.status);
    if (response.status != kGrpcOk) {
        if (call.response.empty()) call.response = response.said;
        return FailureCause::grpc_status;
    }
    if (!response.messages.whole()) return FailureCause::truncated;
    if (!call.script) k.statistics.workloads[client.workload].received += k.measuring();
    return std::nullopt;
}

}  // namespace anml::rt::app::grpc_response
