// yaml-cpp's event parser builds the tree. Its own parser stops at deep nesting; what is walked afterwards is bounded
// too, so that neither aliases of aliases nor an alias to its own parent can grow.
#include "import/graphs/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <map>
#include <streambuf>

#include "import/graphs/foreign_graph.h"

namespace anml {

namespace {

class TreeBuilder : public YAML::EventHandler {
  public:
    explicit TreeBuilder(std::vector<YamlNode>& nodes) : nodes_(nodes) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { scalar(mark, anchor, ""); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const auto known = anchors_.find(anchor);
        if (known == anchors_.end())
            scalar(mark, 0, "");
        else
            attach(known->second);
        count(mark);
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override
    {
        scalar(mark, anchor, value);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(mark, anchor, YamlNode::Kind::sequence);
    }
    void OnSequenceEnd() override { open_.pop_back(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(mark, anchor, YamlNode::Kind::map);
    }
    void OnMapEnd() override { open_.pop_back(); }

  private:
    void count(const YAML::Mark& mark)
    {
        if (++values_ > kMostGraphValues)
            throw YamlTree::Problem{static_cast<std::size_t>(mark.pos),
                                    fmt::format("the file has more than {} values", kMostGraphValues)};
    }
    void attach(std::uint32_t node)
    {
        if (!open_.empty()) nodes_[open_.back()].children.push_back(node);
    }
    std::uint32_t add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind, const std::string& text)
    {
        count(mark);
        const auto index = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(
            {kind, text.substr(0, kLongestGraphText), {}, static_cast<std::size_t>(std::max(mark.pos, 0))});
        attach(index);
        if (anchor) anchors_[anchor] = index;
        return index;
    }
    void scalar(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& text)
    {
        add(mark, anchor, YamlNode::Kind::scalar, text);
    }
    void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind)
    {
        if (open_.size() == kDeepestGraph)
            throw YamlTree::Problem{static_cast<std::size_t>(mark.pos),
                                    fmt::format("values are nested more than {} deep", kDeepestGraph)};
        open_.push_back(add(mark, anchor, kind, ""));
    }

    std::vector<YamlNode>& nodes_;
    std::map<YAML::anchor_t, std::uint32_t> anchors_;
    std::vector<std::uint32_t> open_;
    std::size_t values_ = 0;
};

// The text as a stream, without a copy.
struct ViewBuffer : std::streambuf {
    explicit ViewBuffer(std::string_view text)
    {
        char* begin = const_cast<char*>(text.data());  // only read
        setg(begin, begin, begin + text.size());
    }
};

}  // namespace

std::optional<YamlTree::Problem> YamlTree::parse(std::string_view text)
{
    if (text.size() > kLargestYaml)
        return Problem{0, fmt::format("the file is larger than {} MiB, too much for YAML", kLargestYaml >> 20)};
    try {
        TreeBuilder tree(nodes);
        ViewBuffer buffer(text);
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(tree) || nodes.empty()) return Problem{0, "the file is empty"};
        try {
            further = static_cast<bool>(parser);
        } catch (const YAML::Exception&) {  // of what is not read
            further = true;
        }
    } catch (const Problem& limit) {
        return limit;
    } catch (const YAML::Exception& error) {
        return Problem{static_cast<std::size_t>(std::max(error.mark.pos, 0)),
                       fmt::format("this is not well-formed YAML: {}", error.msg)};
    }
    return std::nullopt;
}

const YamlNode* YamlTree::member(const YamlNode* map, std::string_view name, unsigned depth) const
{
    if (!map || map->kind != YamlNode::Kind::map || depth > 8) return nullptr;
    const YamlNode* merged = nullptr;
    for (std::size_t i = 0; i + 1 < map->children.size(); i += 2) {
        const YamlNode& key = nodes[map->children[i]];
        const YamlNode& value = nodes[map->children[i + 1]];
        if (key.kind != YamlNode::Kind::scalar) continue;
        if (key.text == name) return &value;
        if (key.text != "<<" || merged) continue;
        if (value.kind == YamlNode::Kind::map) merged = member(&value, name, depth + 1);
        if (value.kind != YamlNode::Kind::sequence || depth > 2) continue;
        for (std::size_t k = 0; k < value.children.size() && k < 16 && !merged; ++k)
            merged = member(&nodes[value.children[k]], name, depth + 1);
    }
    return merged;
}

std::string YamlTree::text_of(const YamlNode* map, std::string_view name) const
{
    const YamlNode* value = member(map, name);
    return value && value->kind == YamlNode::Kind::scalar ? value->text : std::string();
}

}  // namespace anml
