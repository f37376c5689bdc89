// The state of TCP in a cluster. The functions on it are in tcp.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pool.h"
#include "transport/connection.h"
#include "transport/connection_table.h"
#include "transport/law/law.h"
#include "transport/options/cookies.h"
#include "transport/ports/time_wait.h"
#include "transport/recovery/range_set.h"
#include "transport/recovery/reassembly_queue.h"
#include "transport/recovery/scoreboard.h"
#include "transport/settings.h"
#include "transport/span_queue.h"

namespace anml::rt::tcp {

// Of a host that once had no local port left for a server (local_ports.h).
struct Shortage {
    using Server = std::tuple<NodeId, Address, std::uint16_t>;  // the host, and whom it connects to
    std::deque<std::pair<Time, std::uint16_t>> coming;          // ports that no connection has, by when they are free
};

struct Stack {
    explicit Stack(const Model& model) : settings(settings_of(model)), time_wait(longest_wait(settings)) {}

    // What a connection has received out of order, and what of that its application is to be shown.
    struct OutOfOrder {
        RangeSet ranges;
        ReassemblyQueue pieces;
    };
    Pool<OutOfOrder, 6> out_of_order;
    std::uint32_t new_out_of_order()
    {
        std::uint32_t id = out_of_order.allocate();
        out_of_order[id].ranges.clear();
        return id;
    }
    void release_out_of_order(std::uint32_t& id)
    {
        if (id != kNone) {
            out_of_order[id].pieces.clear();
            out_of_order.release(id);
        }
        id = kNone;
    }
    ReassemblyQueue shown, spare;  // pieces that are being shown, and room

    Pool<SpanQueue, 6> span_queues;

    Pool<Scoreboard, 6> scoreboards;
    Scoreboard& scoreboard(Connection& c)  // its own, a new one if it has none
    {
        if (c.scoreboard == kNone) {
            c.scoreboard = scoreboards.allocate();
            scoreboards[c.scoreboard].reset(c.una);
        }
        return scoreboards[c.scoreboard];
    }
    void release_scoreboard(Connection& c)
    {
        if (c.scoreboard != kNone) scoreboards.release(c.scoreboard);
        c.scoreboard = kNone;
    }

    law::States law_states;
    std::uint32_t new_law_state(const Settings& all)  // kNone where they need none
    {
        if (!all.pacing && !all.nagle && !law::traits(all.congestion).state) return kNone;
        return new_law_state();
    }
    void need_law_state(Connection& c)  // what its settings say need none
    {
        if (c.law_state == kNone) c.law_state = new_law_state();
    }
    void release_law_state(Connection& c)
    {
        if (c.law_state == kNone) return;
        law_states[c.law_state].sent.clear();
        law_states[c.law_state].delivery.clear();
        law_states.release(c.law_state);
        c.law_state = kNone;
    }

    std::vector<Settings> settings;  // by row of the image's records, of those of this kind
    // A slot, once given to a node, stays with it (NodeState::free_connection): a timer event that outlives its
    // connection finds the same node's next one, and which slot a node uses depends on that node alone.
    Pool<Connection, 8> connections;
    ConnectionTable table;
    TimeWait time_wait;
    std::map<Shortage::Server, Shortage> shortages;
    Cookies cookies;
    std::size_t open = 0;  // connections that are not free

  private:
    std::uint32_t new_law_state()
    {
        const std::uint32_t id = law_states.allocate();
        law_states[id].pacing = {};
        law_states[id].echo = {};
        law_states[id].nagle = {};
        law_states[id].accurate = {};
        if (facts.mtu_searches) law_states[id].mtu.begun = false;
        return id;
    }
    static std::vector<Settings> settings_of(const Model& model)
    {
        const abi::Image& image = model.image();
        std::vector<Settings> all(image.record_count);
        for (std::uint32_t i = 0; i < image.record_count; ++i)
            if (abi::schema_of(image, i) == abi::RecordSchema::tcp)
                all[i] = Settings(model, abi::row_of<abi::record::tcp>(image, i));
        return all;
    }
    static Time longest_wait(const std::vector<Settings>& all)
    {
        Time longest = 0;
        for (const Settings& each : all) longest = std::max(longest, each.time_wait);
        return longest;
    }
};

}  // namespace anml::rt::tcp
