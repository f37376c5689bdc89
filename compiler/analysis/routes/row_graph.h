// The graph that routes are computed on: rows as far as their elements are attached alike, elements where they are not.
//
// A vertex is a run of elements of one node row. A run longer than one is kept only where every link group attaches it,
// element by element, to a single node: then its elements are interchangeable, and an edge of the graph stands for all
// their links. A row is cut wherever a link, a region, a static route or a statement of the timeline that acts on
// routes names one element of it or a slice begins or ends, and into its elements where two arrays are paired. The cost
// is proportional to what the model's text distinguishes.
//
// An anycast address may be a vertex, too, behind all others: one that each link to a node with that address leads to,
// besides, by an edge of the same id and lane. The shortest way to it ends at the nearest of these nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elaborate/network.h"

namespace anml {

struct RouteVertex {
    NodeRowId row;
    std::uint32_t first = 0, count = 1;  // elements of the row
    bool transit = false;                // forwards what isn't for itself: routers and switches
    std::uint32_t anycast = 0;           // an address, and no node: `row` is the first that has it
};

// One direction of a link group, seen from the vertex that it leaves.
struct RouteEdge {
    std::uint32_t to = 0;              // vertex
    std::uint32_t lane = 0;            // 2 * link row + direction: index of its weight; lane ^ 1 runs the other way
    std::uint32_t lowest = 0;          // least directed link id that it stands for
    std::uint32_t base = 0;            // directed link from row element e: base + e * by_element (modulo 2^32)
    std::uint32_t by_element = 0;      // 2 where a run leaves, else 0
    std::uint32_t by_destination = 0;  // 2 where it leads to a run: one link for each element
    bool closed = false;               // against a one-way link: nothing is sent on it
};

class RowGraph {
  public:
    // Anycast addresses are vertices where routes are computed.
    enum class Anycast : std::uint8_t { left_out, as_vertices };
    explicit RowGraph(const Network& network, Anycast anycast = Anycast::left_out);

    std::span<const RouteVertex> vertices() const { return vertices_; }
    std::span<const RouteEdge> edges() const { return edges_; }
    std::uint32_t first_edge(std::uint32_t vertex) const { return first_edge_[vertex]; }
    std::uint32_t end_edge(std::uint32_t vertex) const { return first_edge_[vertex + 1]; }
    std::uint32_t source(std::uint32_t edge) const { return source_[edge]; }
    // The edge for the same links the other way.
    std::uint32_t reverse(std::uint32_t edge) const;
    // That of which an edge to or from an anycast address is a copy, to or from the node itself; others are themselves.
    std::uint32_t original(std::uint32_t edge) const;
    // Of an edge to a node with an anycast address its copy, else kNoEdge.
    static constexpr std::uint32_t kNoEdge = 0xffffffffu;
    std::uint32_t copy(std::uint32_t edge) const;
    bool is_anycast(std::uint32_t vertex) const { return vertex >= first_vertex_.back(); }
    std::size_t rows() const { return first_vertex_.size() - 1; }
    // Vertices of a row, by element, are [first_vertex(row), first_vertex(row + 1)).
    std::uint32_t first_vertex(std::size_t row) const { return first_vertex_[row]; }
    std::uint32_t vertex_at(NodeRowId row, std::uint32_t element) const;
    std::size_t lanes() const { return lanes_; }

  private:
    void cut_rows(const Network& network);
    static void cut_for_statements(const Network& network, std::vector<std::vector<std::uint32_t>>& cuts);
    void add_anycast(const Network& network);
    void add_links(const Network& network);

    std::vector<std::uint32_t> anycast_of_;  // by vertex: that of its address, or kNoEdge; empty: none is a vertex
    std::vector<RouteVertex> vertices_;
    std::vector<std::uint32_t> first_vertex_;
    std::vector<RouteEdge> edges_;  // grouped by source
    std::vector<std::uint32_t> source_, first_edge_;
    std::size_t lanes_ = 0;
};

// Of a node (id).
std::uint32_t vertex_of(const Network& network, const RowGraph& graph, std::uint32_t node);

}  // namespace anml
