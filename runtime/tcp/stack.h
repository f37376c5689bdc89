// The state of TCP in a cluster. The functions on it are in tcp.h.
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/pool.h"
#include "tcp/connection.h"
#include "tcp/connection_table.h"
#include "tcp/range_set.h"
#include "tcp/settings.h"
#include "tcp/time_wait.h"

namespace anml::rt::tcp {

struct Stack {
    explicit Stack(const Model& model)
    {
        const abi::Image& image = model.image();
        for (std::uint32_t i = 0; i < image.tcp_count; ++i) settings.emplace_back(model, image.tcps[i]);
    }

    Pool<RangeSet, 6> ranges;
    std::uint32_t new_ranges()
    {
        std::uint32_t id = ranges.allocate();
        ranges[id].count = ranges[id].bytes = 0;
        return id;
    }
    void release_ranges(std::uint32_t& id)
    {
        if (id != kNone) ranges.release(id);
        id = kNone;
    }

    std::vector<Settings> settings;  // by row of the image's `tcps`
    // A slot, once given to a node, stays with it (NodeState::free_connection): a timer event that outlives its
    // connection finds the same node's next one, and which slot a node uses depends on that node alone.
    Pool<Connection, 8> connections;
    ConnectionTable table;
    TimeWait time_wait;
    std::size_t open = 0;  // connections that are not free
};

}  // namespace anml::rt::tcp
