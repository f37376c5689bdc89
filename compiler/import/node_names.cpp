// Names for imported nodes.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/address.h"
#include "base/key_set.h"
#include "base/string_literal.h"
#include "common/ascii.h"
#include "import/interpret.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

// U+00C0 to U+017F without accents; "" has no letter that resembles it.
constexpr std::string_view kPlainLetters[] = {
    "A", "A", "A",  "A", "A", "A", "AE", "C",  "E", "E", "E",  "E",  "I", "I", "I",  "I",  "D", "N", "O",  "O",
    "O", "O", "O",  "",  "O", "U", "U",  "U",  "U", "Y", "Th", "ss", "a", "a", "a",  "a",  "a", "a", "ae", "c",
    "e", "e", "e",  "e", "i", "i", "i",  "i",  "d", "n", "o",  "o",  "o", "o", "o",  "",   "o", "u", "u",  "u",
    "u", "y", "th", "y", "A", "a", "A",  "a",  "A", "a", "C",  "c",  "C", "c", "C",  "c",  "C", "c", "D",  "d",
    "D", "d", "E",  "e", "E", "e", "E",  "e",  "E", "e", "E",  "e",  "G", "g", "G",  "g",  "G", "g", "G",  "g",
    "H", "h", "H",  "h", "I", "i", "I",  "i",  "I", "i", "I",  "i",  "I", "i", "IJ", "ij", "J", "j", "K",  "k",
    "k", "L", "l",  "L", "l", "L", "l",  "L",  "l", "L", "l",  "N",  "n", "N", "n",  "N",  "n", "n", "N",  "n",
    "O", "o", "O",  "o", "O", "o", "OE", "oe", "R", "r", "R",  "r",  "R", "r", "S",  "s",  "S", "s", "S",  "s",
    "S", "s", "T",  "t", "T", "t", "T",  "t",  "U", "u", "U",  "u",  "U", "u", "U",  "u",  "U", "u", "U",  "u",
    "W", "w", "Y",  "y", "Y", "Z", "z",  "Z",  "z", "Z", "z",  "s"};

constexpr std::size_t kLongestName = 48;

// Letters and digits, one `_` for all that lies between them.
std::string plain(std::string_view label)
{
    std::string out;
    bool gap = false;
    const auto put = [&](std::string_view letters) {
        if (gap && !out.empty()) out += '_';
        gap = false;
        out += letters;
    };
    for (std::size_t i = 0; i < label.size() && out.size() < kLongestName; ++i) {
        const auto byte = static_cast<unsigned char>(label[i]);
        if (is_letter(label[i]) || is_digit(label[i])) {
            put(label.substr(i, 1));
            continue;
        }
        if (byte >= 0xC3 && byte <= 0xC5 && i + 1 < label.size()) {  // U+00C0 to U+017F
            const unsigned code = (byte & 0x1Fu) << 6 | (static_cast<unsigned char>(label[i + 1]) & 0x3Fu);
            if (code >= 0xC0 && code < 0xC0 + std::size(kPlainLetters) && !kPlainLetters[code - 0xC0].empty()) {
                put(kPlainLetters[code - 0xC0]);
                ++i;
                continue;
            }
        }
        if (label[i] != '\'' && label[i] != '.') gap = true;  // St. John's: St_Johns
    }
    return out;
}

bool says_nothing(std::string_view label)
{
    return label.empty() || label == "None" || label == "?" || label == "null";
}

// Whether nodes have no labels, no kinds, no places, and ids that number them from 0.
bool is_numbered(const ImportedNetwork& network, const ForeignGraph& graph)
{
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
        const ImportedNode& node = network.nodes[i];
        const bool plain_node = says_nothing(node.label) || node.label == graph.nodes[i].id;
        if (!plain_node || node.position || node.kind != abi::NodeKind::router) return false;
        if (graph.nodes[i].id != std::to_string(i)) return false;
    }
    return network.nodes.size() > 1;
}

// "pc[3]" is element 3 of `pc`.
std::optional<std::pair<std::string_view, std::uint32_t>> element_of(std::string_view name)
{
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
    std::uint32_t index = 0;
    const char* const end = name.data() + name.size() - 1;
    const auto read = std::from_chars(name.data() + open + 1, end, index);
    if (read.ec != std::errc() || read.ptr != end || std::to_string(index).size() + open + 2 != name.size())
        return std::nullopt;
    return std::pair(name.substr(0, open), index);
}

bool same_sort(const ImportedNode& first, const ImportedNode& later, std::uint32_t index)
{
    if (first.kind != later.kind || first.position.has_value() != later.position.has_value()) return false;
    if (first.position && first.position->geographic != later.position->geographic) return false;
    if (first.details.tcp != later.details.tcp || first.details.processing != later.details.processing ||
        first.details.icmp_limits != later.details.icmp_limits || first.details.buffer != later.details.buffer ||
        first.details.radio != later.details.radio)
        return false;
    if (first.details.address.has_value() != later.details.address.has_value()) return false;
    if (first.details.address && *first.details.address + index != *later.details.address) return false;
    if (first.details.anycast != later.details.anycast) return false;
    if (first.details.only_ipv6 != later.details.only_ipv6) return false;
    if (first.details.ipv6.has_value() != later.details.ipv6.has_value()) return false;
    return !first.details.ipv6 || *first.details.ipv6 + index == *later.details.ipv6;
}

// The array of a node that may be an element, and which: its number or its key. Endpoints are each by itself.
struct ArrayPlace {
    std::string_view array;
    std::uint32_t index = 0;
    std::string_view key{};
};
std::optional<ArrayPlace> place_of(const ImportedNode& node)
{
    const std::string_view label = node.label, key = node.key;
    if (node.kind == abi::NodeKind::endpoint || node.alone) return std::nullopt;
    const std::size_t around = key.size() + 2;  // with its brackets
    const bool keyed = !key.empty() && label.size() > around && label.ends_with(']') &&
                       label.substr(label.size() - around, around - 1) == "[" + node.key && key_in_names(key) == key;
    if (keyed) return ArrayPlace{label.substr(0, label.size() - around), 0, key};
    const auto element = element_of(label);
    return element ? std::optional(ArrayPlace{element->first, element->second}) : std::nullopt;
}

// Names that were written by us: words and quoted names, elements of arrays one after the other as arrays.
void keep_names(ImportedNetwork& network, const std::vector<std::string>& reserved)
{
    auto& nodes = network.nodes;
    std::set<std::string, std::less<>> taken(reserved.begin(), reserved.end());
    std::map<std::string, std::string, std::less<>> names;  // of arrays and nodes: what they are called here
    const auto called = [&](std::string_view label) {
        std::string name = is_quotable_name(label) ? std::string(label) : plain(label);
        if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name = "node_" + name;
        std::string result = name;
        for (unsigned n = 2; !taken.insert(result).second; ++n) result = fmt::format("{}_{}", name, n);
        return quoted_name(result);
    };
    std::map<std::string_view, std::uint32_t> sizes;  // of arrays; one that lacks elements is none
    for (const ImportedNode& node : nodes)
        if (const auto place = place_of(node)) ++sizes[place->array];
    for (std::size_t i = 0; i < nodes.size();) {
        const auto element = place_of(nodes[i]);
        ImportedNode& first = nodes[i];
        std::uint32_t count = 0;
        std::set<std::string_view> keys;
        while (element && i + count < nodes.size()) {
            const auto next = place_of(nodes[i + count]);
            const bool goes_on = next && next->array == element->array && next->key.empty() == element->key.empty() &&
                                 (next->key.empty() ? next->index == count : keys.insert(next->key).second);
            if (!goes_on || !same_sort(first, nodes[i + count], count)) break;
            ++count;
        }
        if (!element || count != sizes[element->array]) {
            first.name = called(first.label);
            ++i;
            continue;
        }
        const std::string array = called(element->array);
        bool apart = false;
        for (std::uint32_t k = 0; k < count; ++k, ++i) {
            ImportedNode& node = nodes[i];
            node.name =
                keys.empty() ? fmt::format("{}[{}]", array, k) : fmt::format("{}[{}]", array, string_literal(node.key));
            if (!keys.empty()) first.keys.push_back(node.key);
            node.array = k == 0 ? count : 0;
            node.in_array = true;
            apart = apart || node.position != first.position;
        }
        for (std::size_t k = i - count; apart && k < i; ++k) first.positions.push_back(*nodes[k].position);
    }
    std::set<std::string, std::less<>> links;
    for (ImportedLink& link : network.links) {
        const std::string ends = nodes[link.from].label + "--" + nodes[link.to].label;
        if (!is_quotable_name(link.name) || link.name == ends || !links.insert(link.name).second)
            link.name.clear();
        else
            link.name = quoted_name(link.name);
    }
}

}  // namespace

std::string declaration(const ImportedNode& node, int digits)
{
    std::string attributes;
    const auto add = [&](const std::string& text) { attributes += (attributes.empty() ? "" : ", ") + text; };
    if (node.details.address) add("address = " + format_address(*node.details.address));
    if (node.details.ipv6)
        add((node.details.only_ipv6 ? "address = " : "ipv6 = ") + format_address(*node.details.ipv6, true));
    if (node.details.anycast) add("anycast = " + format_address(*node.details.anycast));
    if (!node.details.subnets.empty()) add(node.details.subnets);
    if (!node.details.tcp.empty()) add("tcp = " + node.details.tcp);
    if (!node.details.processing.empty()) add("processing = " + node.details.processing);
    if (!node.details.icmp_limits.empty()) add("icmp_limits = " + node.details.icmp_limits);
    if (!node.details.buffer.empty()) add("buffer = " + node.details.buffer);
    if (!node.details.radio.empty()) add("radio = " + node.details.radio);
    if (!node.details.simulated.empty()) add("simulated = " + node.details.simulated);
    if (node.position) {
        const auto coordinate = [&](double NodePosition::* which) {
            if (node.positions.empty()) return fmt::format("{:.{}g}", (*node.position).*which, digits);
            std::string list;
            for (const NodePosition& p : node.positions)
                list += fmt::format("{}{:.{}g}", list.empty() ? "" : ", ", p.*which, digits);
            return fmt::format("[{}][index]", list);
        };
        const bool geographic = node.position->geographic;
        add(fmt::format("position = {}({}, {})", geographic ? "geo" : "plane",
                        coordinate(geographic ? &NodePosition::y : &NodePosition::x),
                        coordinate(geographic ? &NodePosition::x : &NodePosition::y)));
    }
    std::string keys;
    for (const std::string& key : node.keys) keys += (keys.empty() ? "" : ", ") + string_literal(key);
    const std::size_t name = node.in_array ? node.name.rfind('[') : node.name.size();
    std::string out = fmt::format("{} {}", node_kind_name(node.kind), node.name.substr(0, name));
    if (node.in_array) out += keys.empty() ? fmt::format("[{}]", node.array) : fmt::format("[[{}]]", keys);
    return attributes.empty() ? out : fmt::format("{} {{ {} }}", out, attributes);
}

void name_nodes(ImportedNetwork& network, const ForeignGraph& graph, const std::vector<std::string>& reserved)
{
    network.numbered = is_numbered(network, graph);
    if (network.numbered) {
        for (std::size_t i = 0; i < network.nodes.size(); ++i) network.nodes[i].name = fmt::format("node[{}]", i);
        return;
    }
    if (network.ours) {
        for (std::size_t i = 0; i < network.nodes.size(); ++i)
            if (network.nodes[i].label.empty()) network.nodes[i].label = graph.nodes[i].id;
        return keep_names(network, reserved);
    }
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
        ImportedNode& node = network.nodes[i];
        const std::string& id = graph.nodes[i].id;
        std::string name = says_nothing(node.label) ? "" : plain(node.label);
        const bool from_id = name.empty();
        if (from_id) name = plain(id);
        if (name.empty()) name = fmt::format("node_{}", i);
        const char first = name.front();
        if (first >= '0' && first <= '9') name = (graph.format == GraphFormat::caida ? "AS" : "node_") + name;
        if (says_nothing(node.label)) node.label = from_id && plain(id) == id ? name : id;
        wanted.push_back(std::move(name));
    }
    std::set<std::string, std::less<>> taken(reserved.begin(), reserved.end());
    for (const std::string& name : wanted)
        if (is_keyword(name)) taken.insert(name);
    std::map<std::string, std::uint32_t> next;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string name = wanted[i];
        for (std::uint32_t& number = next.try_emplace(name, 1).first->second; !taken.insert(name).second;)
            name = fmt::format("{}_{}", wanted[i], ++number);
        network.nodes[i].name = std::move(name);
    }
}

}  // namespace anml
