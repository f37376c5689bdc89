// What the exchange formats say of single nodes and links besides what pictures show, so that `anmlc import` makes the
// same network of it; see docs/graph.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/picture.h"
#include "printer/graph_notes.h"

namespace anml {

struct Detail {
    std::string key;
    std::variant<bool, double, std::string> value;
};
// Of a time in ns: what is read as it again, where a double can be.
double milliseconds(double ns);
const char* detail_type(const Detail& detail);  // GraphML's
std::string detail_text(const Detail& detail);  // without quotes

class Details {
  public:
    // Without `notes` there is nothing but numbers: no distributions, traces and settings of TCP.
    Details(const Network& network, GraphNotes* notes);

    std::vector<Detail> of_node(const PictureNode& node);
    // Of edges that stand for links of one row. `directed`: the other direction is an edge of its own.
    std::vector<Detail> of_edge(const PictureEdge& edge, bool directed);
    // Of the graph, when all nodes and edges are done: what only the language can say. Nothing where `picture` has
    // nodes or links that stand for several.
    std::vector<Detail> of_graph(const Picture& picture);

  private:
    using Values = std::map<std::string, std::variant<bool, double, std::string>>;
    double number(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }
    void drawn(Values& values, const std::string& key, const DistributionValue& d, Dimension dim,
               std::optional<double> usual = 0);
    static void subnets(const EndpointInfo& endpoint, std::vector<Detail>& list);
    std::optional<double> usual(const RecordInfo& record, std::string_view attribute) const;
    Values record(const RecordInfo& record);
    Values link(const LinkArray& link, int direction);

    const Network& network_;
    GraphNotes* notes_;
    std::vector<double> tunables_;
    std::map<std::uint32_t, const ServerInfo*> servers_;      // by row of nodes
    std::map<std::uint32_t, const EndpointInfo*> endpoints_;  // by row of nodes
};

}  // namespace anml
