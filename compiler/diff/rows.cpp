// Rows with the same name, and renamed ones: a row, or all rows of an instance, that is gone, and another one that is
// new and has the same attributes and the same links to the same neighbours. It is certain where there is no second
// candidate on either side.
#include "diff/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/address.h"

namespace anml {

namespace {

// Rows without a partner, by how a name may have changed: one row, or those of an instance.
struct RenamedUnit {
    std::string prefix;               // "net[3]", with its dot; "" of a single row
    std::vector<std::uint32_t> rows;  // ascending
};

class RenameSide {
  public:
    RenameSide(NetworkTexts& texts, std::vector<std::uint32_t>& partner) : texts_(texts), partner_(partner)
    {
        const Network& network = texts.network();
        for (std::uint32_t l = 0; l < network.links.size(); ++l)
            for (int side = 0; side < 2; ++side) {
                const std::uint32_t row = network.links[l].end[side].row.value;
                if (partner_[row] == abi::kNone) links_[row].emplace_back(l, side);
            }
    }

    // Instances of which no row has a partner, as outermost as can be; then single rows.
    std::vector<RenamedUnit> units(bool instances) const
    {
        const Network& network = texts_.network();
        std::vector<RenamedUnit> list;
        if (!instances) {
            for (std::uint32_t row = 0; row < network.nodes.size(); ++row)
                if (partner_[row] == abi::kNone) list.push_back({"", {row}});
            return list;
        }
        std::set<std::string_view> kept;
        const auto each_prefix = [](std::string_view name, const auto& take) {
            for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
                if (!take(name.substr(0, dot + 1))) return;
        };
        for (std::uint32_t row = 0; row < network.nodes.size(); ++row)
            if (partner_[row] != abi::kNone)
                each_prefix(network.nodes[row].name, [&](std::string_view p) { return kept.insert(p), true; });
        std::map<std::string_view, std::size_t> known;
        for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
            if (partner_[row] != abi::kNone) continue;
            each_prefix(network.nodes[row].name, [&](std::string_view p) {
                if (kept.contains(p)) return true;
                const auto [at, fresh] = known.try_emplace(p, list.size());
                if (fresh) list.push_back({std::string(p), {}});
                list[at->second].rows.push_back(row);
                return false;
            });
        }
        return list;
    }

    // All that tells a unit from others but its name; "" where a neighbour has no partner either, or there is none.
    // `own_is_second`: partners count by the second network's rows.
    std::string signature(const RenamedUnit& unit, bool own_is_second)
    {
        std::string all;
        bool attached = false;
        for (const std::uint32_t row : unit.rows) {
            const NodeArray& node = texts_.network().nodes[row];
            all +=
                fmt::format("\n{} {} {}", node.name.substr(unit.prefix.empty() ? node.name.size() : unit.prefix.size()),
                            node.is_array, node.count);
            add_facts(row, all);
            std::vector<std::string> around;
            for (const auto& [link, side] : links_[row]) {
                const std::string one = neighbour(unit, link, side, own_is_second, attached);
                if (one.empty()) return "";
                around.push_back(one);
            }
            std::sort(around.begin(), around.end());
            for (const std::string& one : around) all += one;
        }
        return attached ? all : "";
    }

  private:
    void add_facts(std::uint32_t row, std::string& all)
    {
        const NodeArray& node = texts_.network().nodes[row];
        const RowFacts facts = row_facts(texts_, row);
        for (const auto& [name, value] : facts.own) all += fmt::format("|{}={}", name, value);
        for (const auto& [name, record] : facts.records) all += fmt::format("|{}={}", name, texts_.record_line(record));
        if (node.explicit_address) all += format_address(node.address);
        if (node.explicit_ipv6) all += format_address(node.ipv6, true);
        for (const NodePosition& p : node.positions) all += fmt::format("|{},{}", p.x, p.y);
    }

    // The link and the other end; outside of the unit that has a partner.
    std::string neighbour(const RenamedUnit& unit, std::uint32_t index, int side, bool own_is_second, bool& attached)
    {
        const LinkArray& link = texts_.network().links[index];
        const LinkEnd &here = link.end[side], &there = link.end[1 - side];
        std::string other;
        if (std::binary_search(unit.rows.begin(), unit.rows.end(), there.row.value)) {
            other = texts_.network().nodes[there.row.value].name.substr(unit.prefix.size());
            if (unit.prefix.empty()) other.clear();
        } else {
            const std::uint32_t partner = partner_[there.row.value];
            if (partner == abi::kNone) return "";
            attached = true;
            other = std::to_string(own_is_second ? there.row.value : partner);
        }
        std::string text = fmt::format("\n  {} {}+{} {}+{} x{} {}", other, here.first, here.stride, there.first,
                                       there.stride, link.count, link.one_way ? side + 1 : 0);
        for (const int d : {side, 1 - side})
            for (const auto& [name, value] : direction_attributes(texts_, link, d)) text += "|" + value;
        for (const auto& [name, value] : link_attributes(texts_, link)) text += "|" + value;
        return text;
    }

    NetworkTexts& texts_;
    std::vector<std::uint32_t>& partner_;
    std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, int>>> links_;  // of rows without a partner
};

// Elements of arrays are compared by their places: with keys, if those are of the same ones.
bool same_keys(const NodeArray& a, const NodeArray& b)
{
    if (!a.keys || !b.keys) return !a.keys && !b.keys;
    for (std::uint32_t i = 0; i < std::min(a.count, b.count); ++i)
        if ((*a.keys)[i] != (*b.keys)[i]) return false;
    return true;
}

// By signature; units that share one are of no use.
std::map<std::string, std::vector<RenamedUnit>> by_signature(RenameSide& side, bool instances, bool second)
{
    std::map<std::string, std::vector<RenamedUnit>> found;
    for (RenamedUnit& unit : side.units(instances))
        if (std::string s = side.signature(unit, second); !s.empty()) found[s].push_back(std::move(unit));
    return found;
}

}  // namespace

std::vector<std::uint32_t> match_rows(Network& before, const Network& after, ComparedTexts& texts,
                                      std::vector<std::string>& old_names)
{
    constexpr std::size_t kMostCandidates = 20000;  // rows without a partner, of which none is said to be renamed
    std::vector<std::uint32_t> after_of(before.nodes.size(), abi::kNone), before_of(after.nodes.size(), abi::kNone);
    const auto pair = [&](std::uint32_t b, std::uint32_t a) {
        after_of[b] = a;
        before_of[a] = b;
    };
    std::unordered_map<std::string_view, std::uint32_t> named;
    for (std::uint32_t a = 0; a < after.nodes.size(); ++a) named.emplace(after.nodes[a].name, a);
    for (std::uint32_t b = 0; b < before.nodes.size(); ++b) {
        const auto found = named.find(before.nodes[b].name);
        if (found != named.end() && after.nodes[found->second].is_array == before.nodes[b].is_array &&
            same_keys(after.nodes[found->second], before.nodes[b]) && before_of[found->second] == abi::kNone)
            pair(b, found->second);
    }
    old_names.assign(before.nodes.size(), "");
    const auto alone = [](const std::vector<std::uint32_t>& partner) {
        return static_cast<std::size_t>(std::count(partner.begin(), partner.end(), abi::kNone));
    };
    if (alone(after_of) > kMostCandidates || alone(before_of) > kMostCandidates) return after_of;
    RenameSide first(texts.before, after_of), second(texts.after, before_of);
    for (bool progress = true; progress;) {
        progress = false;
        for (const bool instances : {true, false}) {
            if (alone(after_of) == 0 || alone(before_of) == 0) return after_of;
            const auto gone = by_signature(first, instances, false), added = by_signature(second, instances, true);
            for (const auto& [signature, units] : gone) {
                const auto found = added.find(signature);
                if (units.size() != 1 || found == added.end() || found->second.size() != 1) continue;
                for (std::size_t i = 0; i < units[0].rows.size(); ++i) {
                    const std::uint32_t b = units[0].rows[i], a = found->second[0].rows[i];
                    pair(b, a);
                    old_names[b] = before.nodes[b].name;
                    before.nodes[b].name = after.nodes[a].name;
                }
                progress = true;
            }
        }
    }
    return after_of;
}

}  // namespace anml
