// The nodes of a foreign graph as a table's rows, in their order: that of the port `nodes` of its component.
#include "import/graphs/foreign_graph.h"
#include "import/tables/read_table.h"

namespace anml {

void read_graph_table(const ForeignGraph& graph, TableFile& table)
{
    std::vector<std::size_t> columns(graph.names.size(), graph.names.size());  // by name; that many: none yet
    for (const ForeignNode& node : graph.nodes) {
        const Span place = graph.span(node.offset);
        table.rows.push_back({place, {}});
        auto& cells = table.rows.back().cells;
        const auto set = [&](std::size_t column, const std::string& text, bool nested) {
            if (cells.size() <= column) cells.resize(column + 1);
            cells[column] = {place.begin, place.end, text, nested};
        };
        set(column_named(table, "id", place), node.id, false);
        for (const ForeignAttribute& attribute : node.attributes) {
            std::size_t& column = columns[attribute.name];
            if (column == graph.names.size()) column = column_named(table, graph.names[attribute.name], place);
            set(column, attribute.value, attribute.kind == ForeignKind::list);
        }
    }
}

}  // namespace anml
