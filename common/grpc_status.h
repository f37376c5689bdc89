// Statuses of responses: HTTP's, and behind them those of gRPC, so that both have one place.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace anml {

inline constexpr std::uint16_t kGrpcOk = 1000;
// https://grpc.github.io/grpc/core/md_doc_statuscodes.html
inline constexpr std::string_view kGrpcStatuses[] = {
    "OK",           "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",  "DEADLINE_EXCEEDED",   "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",      "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL",       "UNAVAILABLE",       "DATA_LOSS",         "UNAUTHENTICATED"};

constexpr bool is_grpc_status(std::uint64_t status)
{
    return status >= kGrpcOk && status - kGrpcOk < std::size(kGrpcStatuses);
}
// "404", "UNAVAILABLE"
inline std::string status_name(std::uint64_t status)
{
    return is_grpc_status(status) ? std::string(kGrpcStatuses[status - kGrpcOk]) : std::to_string(status);
}

}  // namespace anml
