// Names and selections.
#include "printer/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/key_set.h"
#include "syntax/syntax_tree.h"

namespace anml {

std::string doc_comment(std::string_view doc)
{
    std::string out;
    while (!doc.empty()) {
        const std::size_t end = std::min(doc.find('\n'), doc.size());
        out += fmt::format("///{}{}\n", end ? " " : "", doc.substr(0, end));
        doc.remove_prefix(std::min(end + 1, doc.size()));
    }
    return out;
}

const NodeArray& row_of_node(const Network& network, std::uint32_t node)
{
    const auto after = std::upper_bound(network.nodes.begin(), network.nodes.end(), node,
                                        [](std::uint32_t id, const NodeArray& row) { return id < row.first_node; });
    return *(after - 1);
}

std::string node_element(const NodeArray& row, std::uint32_t element, bool by_key)
{
    if (by_key && row.is_array && row.keys)
        return fmt::format("{}[{}]", quoted_name(row.name), string_literal(key_in_names((*row.keys)[element])));
    return row.is_array ? fmt::format("{}[{}]", quoted_name(row.name), element) : quoted_name(row.name);
}

std::string declared_link_name(const std::string& name)
{
    const std::size_t open = name.find('[');
    const bool indexed = open != std::string::npos && name.find(']') + 1 == name.size();
    const bool numbers = name.find_first_not_of("0123456789[]", open) == std::string::npos;
    if (indexed && is_plain_name(std::string_view(name).substr(0, open)) && numbers) return name;
    return quoted_name(name);
}

std::string link_element(const LinkArray& link, std::uint32_t element, bool apart)
{
    if (apart) return quoted_name(link.element_name(element));
    return declared_link_name(link.name) + (link.is_array ? fmt::format("[{}]", element) : "");
}

std::string elements(bool is_array, std::uint32_t of, std::uint32_t first, std::uint32_t count)
{
    if (!is_array) return "";
    if (first == 0 && count == of) return "[*]";
    if (count == 1) return fmt::format("[{}]", first);
    return fmt::format("[{} .. {}]", first, first + count - 1);
}

std::string node_selection(const Network& network, const std::vector<TargetRange>& ranges, bool by_key)
{
    std::vector<std::string> parts;
    for (const TargetRange& range : ranges) {
        const NodeArray& row = network.nodes[range.row.value];
        const bool each = by_key && row.keys && range.count < row.count;
        for (std::uint32_t i = range.first; each && i < range.first + range.count; ++i)
            parts.push_back(node_element(row, i, true));
        if (!each) parts.push_back(quoted_name(row.name) + elements(row.is_array, row.count, range.first, range.count));
    }
    return parts.size() == 1 ? parts.front() : fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace anml
