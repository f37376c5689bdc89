// A YAML document as a small tree, in which an alias is a reference. What is hostile stays bounded: the text's size,
// its nesting, the number of values that aliases may stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

inline constexpr std::size_t kLargestYaml = 4u << 20;  // bytes: the parser's time grows with more than the text

struct YamlNode {
    enum class Kind : std::uint8_t { scalar, sequence, map } kind{};
    std::string text;                     // of a scalar
    std::vector<std::uint32_t> children;  // of a map: key, value, key, value ...
    std::size_t offset = 0;               // in the text
};

struct YamlTree {
    struct Problem {
        std::size_t offset;
        std::string message;
    };

    std::vector<YamlNode> nodes;  // the first is the document
    bool further = false;         // there are more documents

    // The first document of the text. Once.
    std::optional<Problem> parse(std::string_view text);
    // Also through `<<`, YAML's merge key. Null: the map, which may be null or none, has no such key.
    const YamlNode* member(const YamlNode* map, std::string_view name, unsigned depth = 0) const;
    std::string text_of(const YamlNode* map, std::string_view name) const;  // "": it is no scalar, or not there
};

}  // namespace anml
