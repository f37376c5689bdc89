// Addresses, static routes, segment routes and regions.
#pragma once

#include "elaborate/schemas/schema_values.h"

namespace anml {

struct RouteDestination {
    NodeSet nodes;
    std::optional<PrefixValue> addresses;  // instead of nodes
};
// addresses.cpp
void assign_addresses(Elaboration& in, const Component& model);
// families.cpp
bool own_addresses(Elaboration& in, const SchemaValue& attributes, const NodeStatement& s, const Statement& at,
                   NodeArray& group);
void choose_families(Elaboration& in);
void add_routes(Network& network, ReportOnce& report, const StaticRoute& route, const PrefixValue& prefix);
// endpoint_prefixes.cpp
bool endpoint_prefixes(Elaboration& in, const SchemaValue& attributes, EndpointInfo& info, const Statement& at);
void check_endpoint_prefixes(const Network& network, ReportOnce& report);
// anycast.cpp
bool nearest_is_known(const Network& network, ReportOnce& report, const WorkloadInfo& info, Span place,
                      std::string_view otherwise);
void anycast_has_family(const Network& network, ReportOnce& report);
// static_routes.cpp
void static_route(Elaboration& in, const StaticRouteStatement& s, const Statement& at, Frame& frame);
void finish_static_routes(Elaboration& in);  // what needs all addresses
std::optional<RouteDestination> route_destination(const Network& network, const CheckedProgram& program,
                                                  ReportOnce& report, const StaticRouteStatement& s,
                                                  const Value& destination);
// segment_routes.cpp
void segment_route(Elaboration& in, const StaticRouteStatement& s, const Statement& at, Frame& frame);
void finish_segment_routes(Elaboration& in);
// regions.cpp
void routing(Elaboration& in, const RoutingStatement& s, const Statement& at, Frame& frame);
void finish_regions(Elaboration& in);  // what needs all nodes
// prefixes.cpp
void instance_prefix(Elaboration& in, const AddressingStatement& s, const Statement& at, Frame& frame);
bool second_family(ReportOnce& report, const PrefixValue* first, const PrefixValue* ipv6, std::string_view name,
                   Span span);
Value subnet(Elaboration& in, const Expr& e, Frame& frame);
Value in_prefix(Elaboration& in, const Expr& e, Builtin function, Frame& frame);  // `host` and `contains`
Value counted(Elaboration& in, const Expr& e, const Value& left, const Value& right, Frame& frame);  // `address + n`

}  // namespace anml
