// What an analysis counts as one: hosts that are attached alike are one place and their links one slot, since by
// symmetry they carry the same; every router, switch and endpoint is a place of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/routes/row_graph.h"
#include "analysis/timeline/network_moment.h"
#include "elaborate/network.h"

namespace anml {

struct Place {
    NodeRowId row;
    std::uint32_t element = 0, count = 1;  // elements [element, element + count) of the row; they are alike
    bool transit = false;                  // passes packets on
    bool terminal = false;                 // one of those whose pairs are analysed
};

// A directed link, or the links in one direction of hosts that are alike.
struct Slot {
    std::uint32_t link = 0;  // directed id of the first
    std::uint32_t count = 1;
    std::uint32_t from = 0, to = 0;  // places
    double rate = 0, delay = 0;      // bit/s, ns, at the tunables' defaults
};

// Whose pairs are analysed: hosts and endpoints, or routers; `hosts` takes the routers of a network without hosts.
enum class Between : std::uint8_t { hosts, routers, all };

class Places {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    // Rows in `apart` (by row, or empty) have a place for each element. `moment`: of the timeline, whose tables
    // `routes` has; nullptr: the beginning.
    Places(const Network& network, const RouteTables& routes, Between between, const std::vector<char>& apart,
           NetworkMoment* moment = nullptr);

    const std::vector<Place>& places() const { return places_; }
    const std::vector<Slot>& slots() const { return slots_; }
    const std::vector<std::uint32_t>& terminals() const { return terminals_; }  // places
    Between between() const { return between_; }                                // as it was decided

    // Next hops of element `element` of a place towards an address: slots, and the places that they lead to.
    struct Hop {
        std::uint32_t slot, place;
    };
    void next_hops(std::uint32_t place, std::uint32_t element, std::uint32_t address, std::vector<Hop>& hops) const;
    std::uint32_t address(std::uint32_t place) const;  // of its first element
    std::uint32_t place_of(NodeRowId row, std::uint32_t element) const;

    std::string name(std::uint32_t place) const;      // "gateway", "client[0..4095]"
    std::string link_name(std::uint32_t slot) const;  // "net[3].edge[0..4095]"
    char direction(std::uint32_t slot) const { return slots_[slot].link % 2 == 0 ? '>' : '<'; }

  private:
    bool grouped(std::uint32_t vertex) const;
    void add_places(Between between);
    void add_slots(NetworkMoment* moment);

    const Network& network_;
    const RouteTables& routes_;
    const std::vector<char>& apart_;
    RowGraph graph_;
    Between between_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> first_place_;  // by vertex of the row graph
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> terminals_;
    // By the parity of a directed link's id, ascending by `lowest`: the edges of the row graph, with their first slot.
    struct Edge {
        std::uint32_t lowest, to, slot;  // slot kNone: the links are down
        bool one_slot, to_run;           // all links in one slot; each link leads to another place
    };
    std::vector<Edge> edges_[2];
};

}  // namespace anml
