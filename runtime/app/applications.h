// Every workload and every server: a namespace of app/ whose functions say what it does (application.h), in a header of
// its name, which cluster.h includes. Its place in the list is its number in timers and in connections. Workloads are
// named as abi::WorkloadKind has them.
#pragma once

// X(name, ...) for each of them.
#define ANML_WORKLOADS(X, ...)                \
    X(closed_loop __VA_OPT__(, ) __VA_ARGS__) \
    X(open_loop __VA_OPT__(, ) __VA_ARGS__)   \
    X(bulk __VA_OPT__(, ) __VA_ARGS__)        \
    X(cbr __VA_OPT__(, ) __VA_ARGS__)         \
    X(on_off __VA_OPT__(, ) __VA_ARGS__)      \
    X(ping __VA_OPT__(, ) __VA_ARGS__)

#define ANML_SERVERS(X, ...)                 \
    X(web_server __VA_OPT__(, ) __VA_ARGS__) \
    X(bulk_sink __VA_OPT__(, ) __VA_ARGS__)

#define ANML_APPLICATIONS(X, ...) ANML_WORKLOADS(X, __VA_ARGS__) ANML_SERVERS(X, __VA_ARGS__)
