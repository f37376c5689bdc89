// netlab's topologies (netlab.tools), YAML: nodes, groups of them, and links in their four forms. Of what is configured
// in devices only costs of OSPF and IS-IS matter to a network; `tc` is netem's, at each end, for what leaves there.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/ascii.h"
#include "import/graphs/read_graph.h"
#include "import/graphs/yaml_tree.h"
#include "import/links/link_attributes.h"

namespace anml {

namespace {

constexpr unsigned kDeepestGroup = 8;
constexpr double kPercent = 0.01, kKilobit = 1e3, kMs = 1e-3;
constexpr std::string_view kUnlimited = "1 Gbps";  // beside a direction with a rate

class NetlabReader {
  public:
    explicit NetlabReader(GraphBuilder& builder) : builder_(builder) {}

    bool run(std::string_view text)
    {
        last_ = text.empty() ? 0 : text.size() - 1;
        if (const auto problem = tree_.parse(text))
            return builder_.fail(std::min(problem->offset, last_), problem->message);
        const YamlNode& root = tree_.nodes[0];
        if (const std::string name = tree_.text_of(&root, "name"); !name.empty())
            if (!builder_.set(builder_.graph().attributes, "label", ForeignKind::text, name, 0)) return false;
        groups(tree_.member(&root, "groups"));
        if (!nodes(root)) return false;
        for (const std::string_view name : {"plugin", "include", "components"})
            if (tree_.member(&root, name)) builder_.leave_out(fmt::format("`{}` of the topology", name));
        if (!links(tree_.member(&root, "links"), {})) return false;
        bool good = true;
        for (const std::string_view name : {"vlans", "vrfs"})
            each(tree_.member(&root, name), [&](const YamlNode&, const YamlNode& part) {
                good = good && links(tree_.member(&part, "links"), {});
            });
        return good;
    }

  private:
    using Maps = std::vector<const YamlNode*>;  // the first that says something counts
    struct End {
        std::string node;
        const YamlNode* own;  // what stands at it; may be null
        std::size_t offset;
    };

    std::size_t offset(const YamlNode& node) const { return std::min(node.offset, last_); }

    template <class Take>
    void each(const YamlNode* map, Take take) const
    {
        if (!map || map->kind != YamlNode::Kind::map) return;
        for (std::size_t i = 0; i + 1 < map->children.size(); i += 2)
            take(tree_.nodes[map->children[i]], tree_.nodes[map->children[i + 1]]);
    }
    template <class Take>
    void each_item(const YamlNode* list, Take take) const
    {
        if (list && list->kind == YamlNode::Kind::scalar && !list->text.empty()) take(*list);
        if (list && list->kind == YamlNode::Kind::sequence)
            for (const std::uint32_t child : list->children) take(tree_.nodes[child]);
    }

    // "tc.delay": also of `tc: { delay: ... }`.
    const YamlNode* find(const YamlNode* map, std::string_view path, unsigned depth = 0) const
    {
        if (const YamlNode* found = tree_.member(map, path)) return found;
        for (std::size_t dot = path.find('.'); dot != path.npos && depth < 4; dot = path.find('.', dot + 1))
            if (const YamlNode* part = tree_.member(map, path.substr(0, dot)))
                if (const YamlNode* found = find(part, path.substr(dot + 1), depth + 1)) return found;
        return nullptr;
    }
    const YamlNode* find(const Maps& maps, std::string_view path) const
    {
        for (const YamlNode* map : maps)
            if (const YamlNode* found = find(map, path); found && found->kind == YamlNode::Kind::scalar) return found;
        return nullptr;
    }
    std::string text_of(const Maps& maps, std::string_view path) const
    {
        const YamlNode* found = find(maps, path);
        return found ? found->text : "";
    }
    bool is_true(const YamlNode* map, std::string_view path) const
    {
        return lower_case(text_of({map}, path)) == "true";
    }

    // --- nodes

    void groups(const YamlNode* groups)
    {
        const bool create = is_true(groups, "_auto_create");
        each(groups, [&](const YamlNode& name, const YamlNode& group) {
            if (name.text == "_auto_create") return;
            named_groups_[name.text] = &group;
            if (create || is_true(&group, "_auto_create")) created_.push_back(&group);
        });
        for (const auto& [name, group] : named_groups_) members(*group, *group, 0);
    }

    const YamlNode* members_of(const YamlNode& group) const
    {
        return group.kind == YamlNode::Kind::map ? tree_.member(&group, "members") : &group;
    }

    void members(const YamlNode& group, const YamlNode& of, unsigned depth)
    {
        each_item(members_of(of), [&](const YamlNode& member) {
            const auto nested = named_groups_.find(member.text);
            if (nested == named_groups_.end())
                groups_of_[member.text].push_back(&group);
            else if (depth < kDeepestGroup)
                members(group, *nested->second, depth + 1);
        });
    }

    bool nodes(const YamlNode& root)
    {
        usual_device_ = text_of({&root}, "defaults.device");
        bool good = true;
        const YamlNode* const list = tree_.member(&root, "nodes");
        each_item(list, [&](const YamlNode& node) {
            const bool named = node.kind == YamlNode::Kind::map;
            const std::string name = named ? tree_.text_of(&node, "name") : node.text;
            good = good && declare(name, named ? &node : nullptr, offset(node));
        });
        each(list, [&](const YamlNode& name, const YamlNode& node) {
            const std::string id = name.text.substr(0, name.text.find('.'));  // "r1.bgp.as: 65000"
            const bool whole = id == name.text;
            if (whole || !builder_.find(id)) good = good && declare(id, whole ? &node : nullptr, offset(name));
        });
        for (const YamlNode* group : created_)
            each_item(members_of(*group), [&](const YamlNode& member) {
                if (good && !named_groups_.contains(member.text) && !builder_.find(member.text))
                    good = declare(member.text, nullptr, offset(member));
            });
        if (good && builder_.graph().nodes.empty())
            return builder_.fail(0, "there are no `nodes` in the file",
                                 "plugins are not run: `netlab create -o yaml=lab.yml` writes what they make");
        return good;
    }

    bool declare(const std::string& name, const YamlNode* own, std::size_t at)
    {
        std::uint32_t index = 0;
        if (name.empty()) return builder_.fail(at, "a node has no name");
        if (!builder_.declare(name, at, index)) return false;
        Maps maps{own};
        each_item(tree_.member(own, "group"), [&](const YamlNode& group) {
            const auto found = named_groups_.find(group.text);
            if (found != named_groups_.end()) maps.push_back(found->second);
        });
        if (const auto found = groups_of_.find(name); found != groups_of_.end())
            maps.insert(maps.end(), found->second.begin(), found->second.end());
        const std::string role = text_of(maps, "role"), device = text_of(maps, "device");
        const bool host = role.empty() && (device.empty() ? usual_device_ : device) == "linux";
        const std::string_view kind = role == "bridge" ? "switch" : role == "host" || host ? "host" : "router";
        ForeignAttributes attributes;
        bool good = builder_.set(attributes, "kind", ForeignKind::text, kind, at);
        each(own, [&](const YamlNode& key, const YamlNode& value) {
            for (const std::string_view known : {"name", "group", "role", "device", "id", "<<"})
                if (key.text == known) return;
            good = good && builder_.set(attributes, key.text, ForeignKind::text, value.text, offset(key));
        });
        builder_.graph().nodes[index].attributes = std::move(attributes);
        return good;
    }

    // --- links

    // A list, or lists with names.
    bool links(const YamlNode* list, const Maps& around)
    {
        bool good = true;
        each_item(list, [&](const YamlNode& one) { good = good && link(one, around); });
        each(list, [&](const YamlNode&, const YamlNode& part) { good = good && links(&part, around); });
        return good;
    }

    bool link(const YamlNode& given, const Maps& around)
    {
        Maps maps{&given};
        maps.insert(maps.end(), around.begin(), around.end());
        if (given.kind == YamlNode::Kind::map) {
            if (is_true(&given, "disable")) return builder_.leave_out("links that are disabled"), true;
            if (const YamlNode* of = find(&given, "members")) return links_of_group(*of, maps);
            if (const YamlNode* of = find(&given, "lag.members")) return links_of_group(*of, maps);
        }
        std::vector<End> ends;
        if (!ends_of(given, ends)) return false;
        for (const End& end : ends)
            if (!builder_.find(end.node))
                return builder_.fail(end.offset, fmt::format("a link leads to `{}`, and there is no such node",
                                                             end.node.substr(0, 60)));
        const std::string type = text_of(maps, "type"), bridge = text_of(maps, "bridge");
        if (type == "tunnel") return builder_.leave_out("tunnels"), true;
        const bool bridged = !bridge.empty() && builder_.find(bridge);
        if (ends.size() < 2 && !bridged) return builder_.leave_out("links with one end"), true;
        if (ends.size() == 2 && !bridged) return direct(given, ends, maps);
        return across(given, ends, maps, bridged ? bridge : "");
    }

    bool links_of_group(const YamlNode& members, const Maps& around)
    {
        if (around.size() > kDeepestGroup) return builder_.fail(offset(members), "groups of links are nested too deep");
        return links(&members, around);
    }

    bool ends_of(const YamlNode& given, std::vector<End>& ends)
    {
        if (given.kind == YamlNode::Kind::scalar) return joined(given, ends);
        const auto add = [&](const YamlNode& one) {
            const bool map = one.kind == YamlNode::Kind::map;
            ends.push_back({map ? tree_.text_of(&one, "node") : one.text, map ? &one : nullptr, offset(one)});
        };
        const YamlNode* const list = given.kind == YamlNode::Kind::map ? tree_.member(&given, "interfaces") : &given;
        each_item(list, add);
        if (list) return true;
        each(&given, [&](const YamlNode& key, const YamlNode& value) {
            if (builder_.find(key.text) || (value.kind == YamlNode::Kind::scalar && value.text.empty()))
                ends.push_back({key.text, &value, offset(key)});
        });
        return true;
    }

    // "r1-r2", "r1-r2-r3": the shortest names that are nodes, since names may have hyphens.
    bool joined(const YamlNode& given, std::vector<End>& ends)
    {
        std::string_view rest = given.text;
        while (!rest.empty()) {
            std::size_t end = rest.find('-');
            while (end < rest.size() && !builder_.find(trimmed(rest.substr(0, end)))) end = rest.find('-', end + 1);
            const std::string_view name = trimmed(rest.substr(0, end));
            if (!builder_.find(name))
                return builder_.fail(offset(given),
                                     fmt::format("the link `{}` leads to `{}`, and there is no such node",
                                                 given.text.substr(0, 60), name.substr(0, 60)));
            ends.push_back({std::string(name), nullptr, offset(given)});
            rest.remove_prefix(end < rest.size() ? end + 1 : rest.size());
        }
        return true;
    }

    bool direct(const YamlNode& given, const std::vector<End>& ends, const Maps& maps)
    {
        const bool differ = says(ends[0].own) || says(ends[1].own);
        std::uint32_t index = 0;
        for (int i = 0; i < (differ ? 2 : 1); ++i) {
            if (!builder_.edge(ends[i].node, ends[1 - i].node, differ, offset(given), index)) return false;
            ForeignAttributes& edge = builder_.graph().edges[index].attributes;
            const Maps own = with(ends[i].own, maps);
            if (!attributes(edge, own, given)) return false;
            if (differ && !unlike(edge, own, with(ends[1 - i].own, maps))) return false;
        }
        return true;
    }

    // What a direction does not do and the other one does.
    bool unlike(ForeignAttributes& edge, const Maps& own, const Maps& other)
    {
        const auto differ = [&](std::string_view path) { return find(other, path) && !find(own, path); };
        return (!differ("tc.delay") || builder_.set(edge, "delay", ForeignKind::text, "0 ms", 0)) &&
               (!differ("tc.rate") || find(own, "bandwidth") ||
                builder_.set(edge, "rate", ForeignKind::text, kUnlimited, 0));
    }

    // A bridge that has a link to each end; netem is at the ends, and does nothing to what comes to them.
    bool across(const YamlNode& given, const std::vector<End>& ends, const Maps& maps, std::string bridge)
    {
        std::uint32_t index = 0;
        if (bridge.empty()) {
            for (int i = 1; bridge.empty() || builder_.find(bridge); ++i) bridge = fmt::format("lan{}", lans_ + i);
            ++lans_;
            if (!builder_.declare(bridge, offset(given), index)) return false;
            ForeignAttributes& made = builder_.graph().nodes[index].attributes;
            if (!builder_.set(made, "kind", ForeignKind::text, "switch", 0)) return false;
        }
        for (const End& end : ends) {
            const Maps own = with(end.own, maps);
            const bool impaired = find(own, "tc.delay") || find(own, "tc.rate") || find(own, "tc.loss") ||
                                  find(own, "tc.corrupt") || find(own, "tc.duplicate") || find(own, "tc.jitter");
            if (!builder_.edge(end.node, bridge, impaired, offset(given), index)) return false;
            if (!attributes(builder_.graph().edges[index].attributes, own, given)) return false;
            if (!impaired) continue;
            if (!builder_.edge(bridge, end.node, true, offset(given), index)) return false;
            if (!unlike(builder_.graph().edges[index].attributes, {}, own)) return false;
        }
        return true;
    }

    static Maps with(const YamlNode* own, const Maps& maps)
    {
        Maps all{own};
        all.insert(all.end(), maps.begin(), maps.end());
        return all;
    }
    bool says(const YamlNode* own) const
    {
        return own && own->kind == YamlNode::Kind::map &&
               (find(own, "tc") || find(own, "bandwidth") || find(own, "ospf.cost") || find(own, "isis.cost") ||
                std::any_of(own->children.begin(), own->children.end(),
                            [&](std::uint32_t child) { return tree_.nodes[child].text.starts_with("tc."); }));
    }

    bool attributes(ForeignAttributes& into, const Maps& maps, const YamlNode& given)
    {
        bool good = true;
        const auto set = [&](std::string_view name, const YamlNode* of, const std::string& value) {
            good = good && builder_.set(into, name, ForeignKind::text, value, offset(*of));
        };
        // A number in this unit, or else what the file says, which is then complained of by its reader.
        const auto scaled = [&](std::string_view name, std::string_view path, double unit) {
            const YamlNode* const of = find(maps, path);
            if (!of) return;
            const auto number = read_number(of->text);
            set(name, of, number ? fmt::format("{}", *number * unit) : of->text);
        };
        const YamlNode *const delay = find(maps, "tc.delay"), *const jitter = find(maps, "tc.jitter");
        const double base = delay ? time(*delay).value_or(0) : 0, around = jitter ? time(*jitter).value_or(0) : 0;
        const double least = base < 0 ? base : std::max(0.0, base - around);  // below 0 it is complained of
        if (delay) set("delay", delay, time(*delay) ? in_ms(least) : delay->text);
        if (jitter && time(*jitter)) {  // of netem: any delay so much around it, and packets pass each other
            set("jitter_drawn", jitter, fmt::format("uniform(0 s, {})", in_ms(around + std::min(base, around))));
            set("in_order", jitter, "false");
        } else if (jitter) {
            set("tc.jitter", jitter, jitter->text);
        }
        for (const std::string_view path : {"tc.rate", "tc.loss", "tc.corrupt", "tc.duplicate"})
            if (const YamlNode* of = find(maps, path); of && !delay) {  // netem, which adds none
                set("delay", of, "0 ms");
                break;
            }
        scaled("rate", "tc.rate", kKilobit);
        if (!find(maps, "tc.rate")) scaled("rate", "bandwidth", kKilobit);
        scaled("loss", "tc.loss", kPercent);
        scaled("corrupt", "tc.corrupt", kPercent);
        scaled("duplicate", "tc.duplicate", kPercent);
        for (const std::string_view path : {"ospf.cost", "isis.cost"})
            if (const YamlNode* of = find(maps, path); of && read_number(of->text)) {
                set("cost", of, of->text);
                break;
            }
        if (const YamlNode* of = find(maps, "mtu")) set("mtu", of, of->text);
        each(find(maps, "tc"), [&](const YamlNode& key, const YamlNode& value) {
            for (const std::string_view known : {"delay", "jitter", "rate", "loss", "corrupt", "duplicate"})
                if (key.text == known) return;
            set("tc." + key.text, &key, value.text);
        });
        each(given.kind == YamlNode::Kind::map ? &given : nullptr, [&](const YamlNode& key, const YamlNode& value) {
            const std::string_view word = std::string_view(key.text).substr(0, key.text.find('.'));
            for (const std::string_view known :
                 {"interfaces", "bandwidth", "mtu", "type", "bridge", "name", "tc", "linkindex", "<<"})
                if (word == known) return;
            if (builder_.find(key.text)) return;
            if ((word == "ospf" || word == "isis") && find(maps, std::string(word) + ".cost")) return;
            set(key.text, &key, value.text);
        });
        return good;
    }

    // In seconds; a plain number is in milliseconds.
    static std::optional<double> time(const YamlNode& of)
    {
        const auto number = read_number(of.text);
        return number ? std::optional(*number * kMs) : read_delay(of.text);
    }
    static std::string in_ms(double seconds) { return fmt::format("{} ms", std::round(seconds * 1e9) / 1e6); }

    GraphBuilder& builder_;
    YamlTree tree_;
    std::size_t last_ = 0;
    std::string usual_device_;
    std::map<std::string, const YamlNode*, std::less<>> named_groups_;
    std::map<std::string, Maps, std::less<>> groups_of_;  // by node
    Maps created_;                                        // groups that make their members
    int lans_ = 0;
};

}  // namespace

bool read_netlab(std::string_view text, GraphBuilder& builder) { return NetlabReader(builder).run(text); }

bool is_netlab(std::string_view text)
{
    bool found = false;
    for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
        const std::string_view line = text.substr(at);
        if (line.starts_with("topology:")) return false;
        for (const std::string_view word : {"nodes:", "links:", "groups:"}) found = found || line.starts_with(word);
    }
    return found;
}

}  // namespace anml
