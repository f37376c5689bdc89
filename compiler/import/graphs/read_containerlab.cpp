// containerlab's topology files (containerlab.dev), YAML: nodes with their kinds, and links between their interfaces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"
#include "import/graphs/yaml_tree.h"

namespace anml {

namespace {

// What links lead to besides nodes: types of links with one end in the lab, and names of ends.
constexpr std::string_view kOutside[] = {"host", "mgmt-net", "macvlan", "vxlan", "vxlan-stitch", "dummy"};
constexpr std::string_view kInside = "veth";  // the type of all other links

// The text with the values of environment variables, as containerlab reads it (github.com/hellt/envsubst): `$A`,
// `${A}`, `${A:-default}`, `${A-default}`, `:=` and `=` for the same, `${A:+other}`, `${A+other}`, and `$$` for a
// dollar. With a colon a variable that is empty counts as one that is not set. Comments stay.
class Variables {
  public:
    Variables(std::string_view text, GraphBuilder& builder) : text_(text), builder_(builder) {}

    bool run()
    {
        bool begins = true;
        for (std::size_t at = 0; at < text_.size();) {
            const char c = text_[at];
            if (begins && c == '#') {
                const std::size_t end = std::min(text_.find('\n', at), text_.size());
                out += text_.substr(at, end - at);
                at = end;
            } else if (c == '$') {
                if (!variable(at, text_.size(), out, 0)) return false;
                changes_.emplace_back(out.size(), at);
            } else {
                begins = c == '\n' || (begins && (c == ' ' || c == '\t'));
                out += c;
                ++at;
            }
            if (out.size() > kLargestYaml) return builder_.fail(at, "the values of variables make the file too large");
        }
        return true;
    }

    // Where in the file a place of the text is.
    std::size_t offset(std::size_t place) const
    {
        auto change = std::upper_bound(changes_.begin(), changes_.end(), place,
                                       [](std::size_t p, const auto& c) { return p < c.first; });
        if (change == changes_.begin()) return place;
        --change;
        return change->second + (place - change->first);
    }

    std::string out;

  private:
    // At a `$`, behind which it ends.
    bool variable(std::size_t& at, std::size_t end, std::string& into, unsigned depth)
    {
        const std::size_t begin = at++;
        const bool braces = at < end && text_[at] == '{';
        if (at < end && text_[at] == '$') {
            ++at;
            into += '$';
            return true;
        }
        at += braces;
        const std::size_t first = at;
        while (at < end && (at == first ? begins_word(text_[at]) : in_word(text_[at]))) ++at;
        const std::string name(text_.substr(first, at - first));
        if (name.empty() && !braces) {
            into += '$';
            return true;
        }
        if (name.empty()) return builder_.fail(begin, "a variable's name is expected behind `${`");
        const char* const set = std::getenv(name.c_str());
        std::string_view value = set ? set : "";
        if (!braces) return known(set != nullptr, name), into += value, true;
        const bool colon = at < end && text_[at] == ':';
        at += colon;
        const char sign = at < end ? text_[at] : '\0';
        if (sign == '}' && !colon) {
            ++at;
            return known(set != nullptr, name), into += value, true;
        }
        if (std::string_view("-=+").find(sign) == std::string_view::npos)
            return builder_.fail(begin,
                                 fmt::format("`}}`, or a default such as `:=1`, is expected behind `${{{}`", name));
        ++at;
        std::string other;
        while (at < end && text_[at] != '}') {
            if (text_[at] == '\n') break;
            if (text_[at] != '$') {
                other += text_[at++];
            } else if (depth == kDeepestVariable) {
                return builder_.fail(at, "variables are nested too deep");
            } else if (!variable(at, end, other, depth + 1)) {
                return false;
            }
        }
        if (at >= end || text_[at] != '}') return builder_.fail(begin, "this `${` is never closed");
        ++at;
        const bool given = colon ? !value.empty() : set != nullptr;
        if (sign == '+')
            into += given ? other : "";
        else
            into += given ? value : std::string_view(other);
        return true;
    }

    void known(bool set, const std::string& name)
    {
        if (!set) builder_.leave_out(fmt::format("values of `{}`, a variable that is not set,", name.substr(0, 60)));
    }

    static constexpr unsigned kDeepestVariable = 8;
    std::string_view text_;
    GraphBuilder& builder_;
    std::vector<std::pair<std::size_t, std::size_t>> changes_;  // places in `out` and in the file
};

class ContainerlabReader {
  public:
    explicit ContainerlabReader(GraphBuilder& builder) : builder_(builder) {}

    bool run(std::string_view file)
    {
        last_ = file.empty() ? 0 : file.size() - 1;
        if (file.size() > kLargestYaml)  // the parser's time grows with more than the text
            return builder_.fail(0,
                                 fmt::format("the file is larger than {} MiB, too much for YAML", kLargestYaml >> 20));
        Variables variables(file, builder_);
        if (!variables.run()) return false;
        variables_ = &variables;
        if (const auto problem = tree_.parse(variables.out))
            return builder_.fail(place(problem->offset), problem->message);
        if (tree_.further) builder_.leave_out("further documents of the file");
        const YamlNode* topology = tree_.member(&tree_.nodes[0], "topology");
        if (!topology) return builder_.fail(0, "there is no `topology` in the file", "a containerlab file has one");
        if (const YamlNode* name = tree_.member(&tree_.nodes[0], "name"))
            if (!builder_.set(builder_.graph().attributes, "label", ForeignKind::text, name->text, offset(*name)))
                return false;
        // Variables of the lab, its nodes and links are for templates, and what `anmlc graph` has written.
        const YamlNode* const defaults = tree_.member(topology, "defaults");
        const YamlNode* const config = tree_.member(defaults, "config");
        return is_map(defaults, "defaults") && is_map(config, "config") &&
               templates(tree_.member(config, "vars"), builder_.graph().attributes) && places(*topology) &&
               nodes(*topology) && links(*topology);
    }

  private:
    std::size_t place(std::size_t at) const { return std::min(variables_->offset(at), last_); }
    std::size_t offset(const YamlNode& node) const { return place(node.offset); }

    // What is not there, or nothing, is one too.
    bool is_map(const YamlNode* node, std::string_view called)
    {
        const bool nothing = !node || (node->kind == YamlNode::Kind::scalar && node->text.empty());
        if (nothing || node->kind == YamlNode::Kind::map) return true;
        return builder_.fail(offset(*node), fmt::format("`{}` is no map", called.substr(0, 60)));
    }

    // Whether what a map has of that name is a word, if it has it.
    bool is_word(const YamlNode* map, std::string_view name)
    {
        const YamlNode* const value = tree_.member(map, name);
        return !value || value->kind == YamlNode::Kind::scalar ||
               builder_.fail(offset(*value), fmt::format("`{}` is a list or a map, and no word", name));
    }

    bool templates(const YamlNode* map, ForeignAttributes& into)
    {
        if (!is_map(map, "vars")) return false;
        if (!map) return true;
        for (std::size_t i = 0; i + 1 < map->children.size(); i += 2) {
            const YamlNode& name = tree_.nodes[map->children[i]];
            const YamlNode& value = tree_.nodes[map->children[i + 1]];
            if (name.text == "<<") continue;
            if (!builder_.set(into, name.text, ForeignKind::text, value.text, offset(name))) return false;
        }
        return true;
    }

    bool nodes(const YamlNode& topology)
    {
        const YamlNode* list = tree_.member(&topology, "nodes");
        if (!list || list->kind != YamlNode::Kind::map)
            return builder_.fail(offset(topology), "`topology` has no `nodes`");
        const YamlNode* const defaults = tree_.member(&topology, "defaults");
        const YamlNode* groups = tree_.member(&topology, "groups");
        if (!is_word(defaults, "kind") || !is_map(groups, "groups")) return false;
        const std::string usual = tree_.text_of(defaults, "kind");
        for (std::size_t i = 0; i + 1 < list->children.size(); i += 2) {
            const YamlNode& key = tree_.nodes[list->children[i]];
            const YamlNode& node = tree_.nodes[list->children[i + 1]];
            if (key.text == "links" && node.kind == YamlNode::Kind::sequence)
                return builder_.fail(offset(key), "`links` stands inside `nodes`");
            if (key.text == "<<") continue;
            std::uint32_t index = 0;
            if (node.kind == YamlNode::Kind::sequence)
                builder_.leave_out("lists where a node's map is expected");
            else if (!is_map(&node, key.text))
                return false;
            if (!builder_.declare(key.text, offset(key), index)) return false;
            const YamlNode* const group = tree_.member(groups, tree_.text_of(&node, "group"));
            if (!is_word(&node, "kind") || !is_word(&node, "group") || !is_map(group, "group") ||
                !is_word(group, "kind"))
                return false;
            std::string kind = tree_.text_of(&node, "kind");
            if (kind.empty()) kind = tree_.text_of(group, "kind");
            if (kind.empty()) kind = usual;
            ForeignAttributes attributes;
            if (!kind.empty() && !builder_.set(attributes, "clab_kind", ForeignKind::text, kind, offset(key)))
                return false;
            for (std::size_t k = 0; k + 1 < node.children.size() && node.kind == YamlNode::Kind::map; k += 2) {
                const YamlNode& name = tree_.nodes[node.children[k]];
                const YamlNode& value = tree_.nodes[node.children[k + 1]];
                if (name.text == "kind" || name.text == "<<") continue;
                if (name.text == "config") {
                    if (!is_map(&value, "config") || !templates(tree_.member(&value, "vars"), attributes)) return false;
                    continue;
                }
                if (name.text == "links" || name.text == "nodes" || name.text == "endpoints")
                    return builder_.fail(offset(name), fmt::format("`{}` stands inside the node `{}`", name.text,
                                                                   key.text.substr(0, 60)));
                if (!builder_.set(attributes, name.text, ForeignKind::text, value.text, offset(name))) return false;
            }
            // Pictures of containerlab say where nodes are by labels.
            const YamlNode* labels = tree_.member(&node, "labels");
            if (!is_map(labels, "labels")) return false;
            for (const auto& [label, name] : {std::pair{"graph-posX", "x"}, {"graph-posY", "y"}})
                if (const std::string at = tree_.text_of(labels, label); !at.empty())
                    if (!builder_.set(attributes, name, ForeignKind::number, at, offset(key))) return false;
            builder_.graph().nodes[index].attributes = std::move(attributes);
        }
        return true;
    }

    // What stands elsewhere than containerlab looks for it.
    bool places(const YamlNode& topology)
    {
        for (const std::string_view name : {"nodes", "links", "kinds", "defaults", "groups"})
            if (const YamlNode* found = tree_.member(&tree_.nodes[0], name))
                return builder_.fail(offset(*found), fmt::format("`{}` stands outside of `topology`", name));
        if (topology.kind != YamlNode::Kind::map) return builder_.fail(offset(topology), "`topology` is no map");
        for (std::size_t i = 0; i + 1 < topology.children.size(); i += 2) {
            const YamlNode& key = tree_.nodes[topology.children[i]];
            bool known = false;
            for (const std::string_view name : {"nodes", "links", "kinds", "defaults", "groups", "<<"})
                known = known || key.text == name;
            if (!known)
                return builder_.fail(offset(key), fmt::format("`topology` has no `{}`", key.text.substr(0, 60)),
                                     "it has `defaults`, `kinds`, `groups`, `nodes` and `links`");
        }
        const YamlNode* list = tree_.member(&topology, "links");
        return !list || list->kind == YamlNode::Kind::sequence || builder_.fail(offset(*list), "`links` is no list");
    }

    // "leaf1:e1-1", or `{ node: leaf1, interface: e1-1 }`.
    std::string end(const YamlNode& node) const
    {
        const bool map = node.kind == YamlNode::Kind::map;
        return map ? tree_.text_of(&node, "node") : node.text.substr(0, node.text.find(':'));
    }

    // Of a link's end: a node of the lab; "" where it is something outside; nothing after an error.
    std::optional<std::string> inside(const YamlNode& node)
    {
        std::string name = end(node);
        if (builder_.find(name)) return name;
        if (std::find(std::begin(kOutside), std::end(kOutside), name) != std::end(kOutside)) return "";
        builder_.fail(offset(node), name.empty() ? std::string("an end of a link names no node")
                                                 : fmt::format("a link leads to `{}`, and there is no such node",
                                                               name.substr(0, 60)));
        return std::nullopt;
    }

    // Of a node or of what is outside; one of the lab has one link. False: an error was reported.
    bool takes_interface(const YamlNode& end)
    {
        const bool map = end.kind == YamlNode::Kind::map;
        const std::string node = this->end(end);
        const std::size_t colon = end.text.find(':');
        const std::string interface = map                      ? tree_.text_of(&end, "interface")
                                      : colon == end.text.npos ? ""
                                                               : end.text.substr(colon + 1);
        if (interface.empty())
            return builder_.fail(offset(end),
                                 fmt::format("an end of a link names no interface of `{}`", node.substr(0, 60)),
                                 "an end is a node and one of its interfaces, such as `\"leaf1:eth1\"`");
        const std::string own = node + ":" + interface;
        if (!builder_.find(node) || taken_.insert(own).second) return true;
        return builder_.fail(offset(end), fmt::format("the interface `{}` is an end of two links", own.substr(0, 60)));
    }

    // Those of a link that its type wants: one where it leads outside. False: an error was reported.
    bool ends_of(const YamlNode& link, std::vector<const YamlNode*>& ends)
    {
        if (!is_word(&link, "type")) return false;
        const std::string type = lower_case(tree_.text_of(&link, "type"));
        const bool outside = std::find(std::begin(kOutside), std::end(kOutside), type) != std::end(kOutside);
        const YamlNode *list = tree_.member(&link, "endpoints"), *only = tree_.member(&link, "endpoint");
        if (!outside && !type.empty() && type != kInside)
            return builder_.fail(offset(*tree_.member(&link, "type")),
                                 only ? fmt::format("a link of the type `{}` has no `endpoint`", type.substr(0, 60))
                                      : fmt::format("there is no type of links `{}`", type.substr(0, 60)),
                                 fmt::format("types are `{}`, `{}`", kInside, fmt::join(kOutside, "`, `")));
        const YamlNode* const wrong = outside ? list : only;
        const std::string whose =
            type.empty() ? "a link without a `type`" : fmt::format("a link of the type `{}`", type);
        if (wrong)
            return builder_.fail(offset(*wrong),
                                 fmt::format("{} has no `{}`", whose, outside ? "endpoints" : "endpoint"),
                                 outside ? "it has one `endpoint`" : "it has `endpoints`, a list of two");
        if (outside && !only) return builder_.fail(offset(link), fmt::format("{} has one `endpoint`", whose));
        if (outside) return ends.push_back(only), true;
        if (!list || list->kind != YamlNode::Kind::sequence || list->children.size() != 2)
            return builder_.fail(offset(link), "a link has no `endpoints`, a list of two");
        for (const std::uint32_t end : list->children) {
            const YamlNode& node = tree_.nodes[end];
            ends.push_back(&node);
            for (std::size_t k = 0; k + 1 < node.children.size() && node.kind == YamlNode::Kind::map; k += 2)
                if (const std::string& name = tree_.nodes[node.children[k]].text;
                    name != "node" && name != "interface" && name != "mac" && name != "<<")
                    builder_.leave_out(fmt::format("values `{}` of ends of links", name.substr(0, 60)));
        }
        return true;
    }

    bool links(const YamlNode& topology)
    {
        const YamlNode* list = tree_.member(&topology, "links");
        if (!list) return true;
        for (std::uint32_t child : list->children) {
            const YamlNode& link = tree_.nodes[child];
            std::vector<const YamlNode*> ends;
            if (!ends_of(link, ends)) return false;
            const auto from = inside(*ends.front()), to = inside(*ends.back());
            if (!from || !to) return false;
            for (const YamlNode* end : ends)
                if (!takes_interface(*end)) return false;
            if (ends.size() == 1 || from->empty() || to->empty()) {
                builder_.leave_out(kLinksOutside);
                continue;
            }
            std::uint32_t index = 0;
            if (!builder_.edge(*from, *to, false, offset(link), index)) return false;
            ForeignAttributes attributes;
            if (!templates(tree_.member(&link, "vars"), attributes)) return false;
            for (std::size_t k = 0; k + 1 < link.children.size(); k += 2) {
                const YamlNode& name = tree_.nodes[link.children[k]];
                const YamlNode& value = tree_.nodes[link.children[k + 1]];
                if (name.text == "endpoints" || name.text == "type" || name.text == "vars" || name.text == "<<")
                    continue;
                if (!builder_.set(attributes, name.text, ForeignKind::text, value.text, offset(name))) return false;
            }
            builder_.graph().edges[index].attributes = std::move(attributes);
        }
        return true;
    }

    GraphBuilder& builder_;
    YamlTree tree_;
    std::size_t last_ = 0;
    const Variables* variables_ = nullptr;
    std::set<std::string> taken_;  // interfaces, "leaf1:e1-1"
};

}  // namespace

bool read_containerlab(std::string_view text, GraphBuilder& builder) { return ContainerlabReader(builder).run(text); }

}  // namespace anml
