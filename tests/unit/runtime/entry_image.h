// A small model for the tests of the command line and the results: 4 clients, a router, an endpoint; tunables D and Q.
#pragma once

#include <limits>
#include <string>

#include "abi/records.h"

namespace entry_test {

using namespace anml::abi;

inline std::string& strings()
{
    static std::string text(1, '\0');
    return text;
}

inline StringRef intern(const char* text)
{
    auto at = static_cast<StringRef>(strings().size());
    strings().append(text).push_back('\0');
    return at;
}

enum Value : ValueId { rate, delay, queue, mtu, zero, duration, warmup, service, size, near_enough, one, value_count };

inline void bind(const double* tunables, double* values)
{
    values[rate] = 1e9;
    values[delay] = tunables[0];
    values[queue] = tunables[1];
    values[mtu] = 1500;
    values[zero] = 0;
    values[duration] = 120e9;
    values[warmup] = 5e9;
    values[service] = 1.8e6;
    values[size] = 1024;
    values[near_enough] = tunables[0] < 500e6;
    values[one] = 1;
}

inline const Image& image()
{
    static const StringRef empty = intern("");
    static const NodeRow nodes[] = {
        {intern("client"), NodeKind::host, 4, 1, 0, 0x0a000100, 0, anml::abi::kNone, 0, anml::abi::kNone, {}},
        {intern("gateway"), NodeKind::router, 1, 0, 4, 0x0a000001, 0, anml::abi::kNone, 0, anml::abi::kNone, {}},
        {intern("server"), NodeKind::endpoint, 1, 0, 5, 0x0a000050, 0, 0, 0, anml::abi::kNone, {}},
    };
    static const LinkRow links[] = {
        {intern("edge"),
         4,
         1,
         {0, 4},
         {1, 0},
         0,
         {rate, rate},
         {delay, delay},
         {queue, queue},
         {zero, zero},
         mtu,
         zero,
         0},
        {intern("entry"),
         1,
         0,
         {4, 5},
         {0, 0},
         8,
         {rate, rate},
         {delay, delay},
         {queue, queue},
         {zero, zero},
         mtu,
         zero,
         0},
    };
    static const RouteTable tables[] = {{}};
    static const RouteRange ranges[] = {{}};
    static const EndpointRow endpoints[] = {{intern("server"), intern("the web server"), 5, 0}};
    static const ServerRow servers[] = {{5, 80, 1}};
    static const DocumentRow documents[] = {{intern("/1024"),
                                             1,
                                             0,
                                             1,
                                             {DistributionKind::constant, size, anml::abi::kNone},
                                             {DistributionKind::constant, zero, anml::abi::kNone},
                                             anml::abi::kNone,
                                             anml::abi::kNone}};
    static const TargetRow targets[] = {{0, 4}, {5, 1}};
    static const WorkloadRow workloads[] = {
        {intern("browse"), {0, 1}, {1, 1}, Pairing::in_order, 6, 80, 0, {0, 1}, 0, zero, Start::spread, 0, 0, 0}};
    static const struct {
        record::closed_loop browse;
        record::web_server server;
    } values{{duration,
              zero,
              anml::abi::kNone,
              zero,
              {},
              {},
              zero,
              anml::abi::kNone,
              {},
              zero,
              zero,
              zero,
              zero,
              {},
              {},
              zero,
              one,
              zero,
              {},
              one,
              {},
              {DistributionKind::constant, zero, anml::abi::kNone},
              one,
              one},
             {{},
              {},
              zero,
              intern(""),
              {DistributionKind::constant, service, anml::abi::kNone},
              zero,
              zero,
              zero,
              zero,
              zero,
              zero,
              {},
              {},
              zero,
              zero,
              zero,
              zero,
              {DistributionKind::constant, zero, anml::abi::kNone},
              {}}};
    constexpr std::uint32_t kBrowse = sizeof values.browse / sizeof(std::uint32_t),
                            kServer = sizeof values.server / sizeof(std::uint32_t);
    static const RecordRow records[] = {
        {static_cast<std::uint32_t>(RecordSchema::closed_loop), {0, kBrowse}},
        {static_cast<std::uint32_t>(RecordSchema::web_server), {kBrowse, kServer}},
    };
    static const double infinity = std::numeric_limits<double>::infinity();
    static const ParameterRow parameters[] = {
        {intern("N"), empty, Unit::integer, anml::abi::kNone, 8, 1, 32, anml::abi::kNone, 0},
        {intern("delay"), intern("of each link"), Unit::time, 0, 1e6, 1e5, 1e9, anml::abi::kNone, 0},
        {intern("queue"), empty, Unit::size, 1, 512 * 1024.0, 2048, infinity, anml::abi::kNone, 0},
    };
    static const RequirementRow requirements[] = {{near_enough, intern("too far away"), intern("wan.anml:7:3")}};
    static const Image result = [] {
        Image image{};
        image.magic = kMagic;
        image.version = kVersion;
        image.model_name = intern("Small");
        image.model_doc = intern("Four clients.");
        image.source_file = intern("small.anml");
        image.compiler = intern("anmlc 1");
        image.nodes = 6;
        image.directed_links = 10;
        image.pool_first = 0x0a000000;
        image.pool_length = 8;
        image.gateway = 0x0a000051;
        image.duration = duration;
        image.warmup = warmup;
        image.value_count = value_count;
        image.tunable_count = 2;
        image.string_bytes = static_cast<std::uint32_t>(strings().size());
        image.node_row_count = 3;
        image.link_row_count = 2;
        image.table_count = 1;
        image.range_count = 0;
        image.endpoint_count = image.server_count = image.document_count = 1;
        image.target_count = 2;
        image.record_count = 2;
        image.record_word_count = kBrowse + kServer;
        image.records = records;
        image.record_words = reinterpret_cast<const std::uint32_t*>(&values);
        image.workload_count = image.requirement_count = 1;
        image.parameter_count = 3;
        image.strings = strings().data();
        image.node_rows = nodes;
        image.link_rows = links;
        image.tables = tables;
        image.ranges = ranges;
        image.endpoints = endpoints;
        image.servers = servers;
        image.documents = documents;
        image.targets = targets;
        image.workloads = workloads;
        image.parameters = parameters;
        image.requirements = requirements;
        image.bind = bind;
        return image;
    }();
    return result;
}

}  // namespace entry_test
