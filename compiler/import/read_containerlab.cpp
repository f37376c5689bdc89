// containerlab's topology files (containerlab.dev), YAML: nodes with their kinds, and links between their interfaces.
//
// yaml-cpp's event parser builds a small tree, in which an alias is a reference. Its own parser stops at deep nesting;
// what is walked afterwards is bounded too, so that neither aliases of aliases nor an alias to its own parent can grow.
#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <map>
#include <streambuf>
#include <vector>

#include "import/read_graph.h"

namespace anml {

namespace {

constexpr std::size_t kLargestYaml = 4u << 20;  // bytes

struct YamlNode {
    enum class Kind : std::uint8_t { scalar, sequence, map } kind{};
    std::string text;                     // of a scalar
    std::vector<std::uint32_t> children;  // of a map: key, value, key, value ...
    std::size_t offset = 0;
};

struct TooLarge {
    std::size_t offset;
    std::string message;
};

class TreeBuilder : public YAML::EventHandler {
  public:
    std::vector<YamlNode> nodes;

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
            throw TooLarge{static_cast<std::size_t>(mark.pos),
                           fmt::format("the file has more than {} values", kMostGraphValues)};
    }
    void attach(std::uint32_t node)
    {
        if (!open_.empty()) nodes[open_.back()].children.push_back(node);
    }
    std::uint32_t add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind, const std::string& text)
    {
        count(mark);
        const auto index = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(
            {kind, text.substr(0, kLongestGraphValue), {}, static_cast<std::size_t>(std::max(mark.pos, 0))});
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
            throw TooLarge{static_cast<std::size_t>(mark.pos),
                           fmt::format("values are nested more than {} deep", kDeepestGraph)};
        open_.push_back(add(mark, anchor, kind, ""));
    }

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

class ContainerlabReader {
  public:
    explicit ContainerlabReader(GraphBuilder& builder) : builder_(builder) {}

    bool run(std::string_view text)
    {
        last_ = text.empty() ? 0 : text.size() - 1;
        if (text.size() > kLargestYaml)  // the parser's time grows with more than the text
            return builder_.fail(0,
                                 fmt::format("the file is larger than {} MiB, too much for YAML", kLargestYaml >> 20));
        try {
            ViewBuffer buffer(text);
            std::istream stream(&buffer);
            YAML::Parser parser(stream);
            if (!parser.HandleNextDocument(tree_) || tree_.nodes.empty()) return builder_.fail(0, "the file is empty");
        } catch (const TooLarge& limit) {
            return builder_.fail(std::min(limit.offset, last_), limit.message);
        } catch (const YAML::Exception& error) {
            const auto at = static_cast<std::size_t>(std::max(error.mark.pos, 0));
            return builder_.fail(std::min(at, last_), fmt::format("this is not well-formed YAML: {}", error.msg));
        }
        const YamlNode* topology = member(&tree_.nodes[0], "topology");
        if (!topology) return builder_.fail(0, "there is no `topology` in the file", "a containerlab file has one");
        if (const YamlNode* name = member(&tree_.nodes[0], "name"))
            if (!builder_.set(builder_.graph().attributes, "label", ForeignKind::text, name->text, offset(*name)))
                return false;
        return nodes(*topology) && links(*topology);
    }

  private:
    std::size_t offset(const YamlNode& node) const { return std::min(node.offset, last_); }

    // Also through `<<`, YAML's merge key.
    const YamlNode* member(const YamlNode* map, std::string_view name, unsigned depth = 0) const
    {
        if (!map || map->kind != YamlNode::Kind::map || depth > 8) return nullptr;
        const YamlNode* merged = nullptr;
        for (std::size_t i = 0; i + 1 < map->children.size(); i += 2) {
            const YamlNode& key = tree_.nodes[map->children[i]];
            const YamlNode& value = tree_.nodes[map->children[i + 1]];
            if (key.kind != YamlNode::Kind::scalar) continue;
            if (key.text == name) return &value;
            if (key.text != "<<" || merged) continue;
            if (value.kind == YamlNode::Kind::map) merged = member(&value, name, depth + 1);
            if (value.kind != YamlNode::Kind::sequence || depth > 2) continue;
            for (std::size_t k = 0; k < value.children.size() && k < 16 && !merged; ++k)
                merged = member(&tree_.nodes[value.children[k]], name, depth + 1);
        }
        return merged;
    }

    std::string text_of(const YamlNode* map, std::string_view name) const
    {
        const YamlNode* value = member(map, name);
        return value && value->kind == YamlNode::Kind::scalar ? value->text : std::string();
    }

    bool nodes(const YamlNode& topology)
    {
        const YamlNode* list = member(&topology, "nodes");
        if (!list || list->kind != YamlNode::Kind::map)
            return builder_.fail(offset(topology), "`topology` has no `nodes`");
        const std::string usual = text_of(member(&topology, "defaults"), "kind");
        const YamlNode* groups = member(&topology, "groups");
        for (std::size_t i = 0; i + 1 < list->children.size(); i += 2) {
            const YamlNode& key = tree_.nodes[list->children[i]];
            const YamlNode& node = tree_.nodes[list->children[i + 1]];
            std::uint32_t index = 0;
            if (!builder_.declare(key.text, offset(key), index)) return false;
            std::string kind = text_of(&node, "kind");
            if (kind.empty()) kind = text_of(member(groups, text_of(&node, "group")), "kind");
            if (kind.empty()) kind = usual;
            ForeignAttributes attributes;
            if (!kind.empty() && !builder_.set(attributes, "clab_kind", ForeignKind::text, kind, offset(key)))
                return false;
            for (std::size_t k = 0; k + 1 < node.children.size() && node.kind == YamlNode::Kind::map; k += 2) {
                const YamlNode& name = tree_.nodes[node.children[k]];
                const YamlNode& value = tree_.nodes[node.children[k + 1]];
                if (name.text == "kind" || name.text == "<<") continue;
                if (!builder_.set(attributes, name.text, ForeignKind::text, value.text, offset(name))) return false;
            }
            // Pictures of containerlab say where nodes are by labels.
            const YamlNode* labels = member(&node, "labels");
            for (const auto& [label, name] : {std::pair{"graph-posX", "x"}, {"graph-posY", "y"}})
                if (const std::string at = text_of(labels, label); !at.empty())
                    if (!builder_.set(attributes, name, ForeignKind::number, at, offset(key))) return false;
            builder_.graph().nodes[index].attributes = std::move(attributes);
        }
        return true;
    }

    // "leaf1:e1-1", or `{ node: leaf1, interface: e1-1 }`. "" where it is no node of the lab.
    std::string end(const YamlNode& node) const
    {
        std::string name =
            node.kind == YamlNode::Kind::map ? text_of(&node, "node") : node.text.substr(0, node.text.find(':'));
        return builder_.find(name) ? name : "";
    }

    bool links(const YamlNode& topology)
    {
        const YamlNode* list = member(&topology, "links");
        if (!list) return true;
        if (list->kind != YamlNode::Kind::sequence) return builder_.fail(offset(*list), "`links` is no list");
        for (std::uint32_t child : list->children) {
            const YamlNode& link = tree_.nodes[child];
            const YamlNode* ends = member(&link, "endpoints");
            if (!ends || ends->kind != YamlNode::Kind::sequence || ends->children.size() != 2) {
                if (member(&link, "type") || member(&link, "endpoint")) {
                    builder_.leave_out("links to the machine or to networks outside of the lab");
                    continue;
                }
                return builder_.fail(offset(link), "a link has no `endpoints`, a list of two");
            }
            const std::string from = end(tree_.nodes[ends->children[0]]), to = end(tree_.nodes[ends->children[1]]);
            if (from.empty() || to.empty()) {
                builder_.leave_out("links to the machine or to networks outside of the lab");
                continue;
            }
            std::uint32_t index = 0;
            if (!builder_.edge(from, to, false, offset(link), index)) return false;
            ForeignAttributes attributes;
            for (std::size_t k = 0; k + 1 < link.children.size(); k += 2) {
                const YamlNode& name = tree_.nodes[link.children[k]];
                const YamlNode& value = tree_.nodes[link.children[k + 1]];
                if (name.text == "endpoints" || name.text == "<<" || value.kind != YamlNode::Kind::scalar) continue;
                if (!builder_.set(attributes, name.text, ForeignKind::text, value.text, offset(name))) return false;
            }
            builder_.graph().edges[index].attributes = std::move(attributes);
        }
        return true;
    }

    GraphBuilder& builder_;
    TreeBuilder tree_;
    std::size_t last_ = 0;
};

}  // namespace

bool read_containerlab(std::string_view text, GraphBuilder& builder) { return ContainerlabReader(builder).run(text); }

}  // namespace anml
