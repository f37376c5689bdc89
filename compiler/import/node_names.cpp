// Names for imported nodes.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "import/interpret.h"
#include "syntax/file_tokens.h"

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

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

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
        if (is_word(label[i])) {
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

// Which of the names are keywords: the lexer knows.
std::set<std::string, std::less<>> keywords_among(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    SourceSet sources;
    const FileId file = sources.add("names", std::move(text), "");
    std::vector<Token> tokens;
    Diagnostics unused;
    lex_file(sources, file, tokens, unused);
    std::set<std::string, std::less<>> result;
    for (const Token& token : tokens)
        if (token.cls == TokenClass::keyword) result.emplace(sources.text(token.span));
    return result;
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

}  // namespace

void name_nodes(ImportedNetwork& network, const ForeignGraph& graph, const std::vector<std::string>& reserved)
{
    network.numbered = is_numbered(network, graph);
    if (network.numbered) {
        for (std::size_t i = 0; i < network.nodes.size(); ++i) network.nodes[i].name = fmt::format("node[{}]", i);
        return;
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
    std::set<std::string, std::less<>> taken = keywords_among(wanted);
    taken.insert(reserved.begin(), reserved.end());
    std::map<std::string, std::uint32_t> next;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string name = wanted[i];
        for (std::uint32_t& number = next.try_emplace(name, 1).first->second; !taken.insert(name).second;)
            name = fmt::format("{}_{}", wanted[i], ++number);
        network.nodes[i].name = std::move(name);
    }
}

}  // namespace anml
