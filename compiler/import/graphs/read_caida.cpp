// CAIDA's AS relationships, serial-1 (`provider|customer|-1`, `peer|peer|0`) and serial-2 (with the source behind
// them).
#include <fmt/format.h>

#include <charconv>
#include <unordered_set>

#include "import/graphs/read_graph.h"

namespace anml {

bool read_caida(std::string_view text, GraphBuilder& builder)
{
    std::size_t next = 0;
    std::unordered_set<std::uint64_t> pairs;  // that have a relation
    for (std::size_t begin = 0; begin < text.size(); begin = next + 1) {
        next = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, next - begin);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        std::string_view fields[3];
        std::string_view rest = line;
        for (std::string_view& field : fields) {
            const std::size_t bar = std::min(rest.find('|'), rest.size());
            field = rest.substr(0, bar);
            rest.remove_prefix(std::min(bar + 1, rest.size()));
        }
        std::uint32_t numbers[2] = {};
        for (std::size_t i = 0; i < 2; ++i) {
            const char* end = fields[i].data() + fields[i].size();
            const auto parsed = std::from_chars(fields[i].data(), end, numbers[i]);
            if (parsed.ec != std::errc() || parsed.ptr != end)
                return builder.fail(begin,
                                    "a line is expected to be `AS|AS|relationship`, each AS a number below 2^32");
        }
        std::string_view relation;
        if (fields[2] == "-1")
            relation = "customer";
        else if (fields[2] == "0")
            relation = "peer";
        else if (fields[2] == "1" || fields[2] == "2")
            relation = "sibling";
        else
            return builder.fail(begin, fmt::format("unknown relationship `{}`", fields[2].substr(0, 20)),
                                "-1 is provider to customer, 0 is peer to peer");
        const auto [low, high] = std::minmax(numbers[0], numbers[1]);
        if (!pairs.insert(std::uint64_t{low} << 32 | high).second) {
            builder.leave_out("second relations of two autonomous systems");
            continue;
        }
        std::uint32_t a = 0, b = 0, edge = 0;
        // An AS is declared by its first line.
        for (std::size_t i = 0; i < 2; ++i)
            if (!builder.find(fields[i]) && !builder.declare(fields[i], begin, i ? b : a)) return false;
        if (!builder.edge(fields[0], fields[1], false, begin, edge) ||
            !builder.set(builder.graph().edges[edge].attributes, "relationship", ForeignKind::text, relation, begin))
            return false;
    }
    return true;
}

}  // namespace anml
