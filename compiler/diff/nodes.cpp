// Rows of nodes: those that are new or gone, the ends of arrays that grew or shrank, and what differs of the others.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "diff/parts.h"

namespace anml {

namespace {

std::string address_run(AddressBits first, std::uint32_t count, bool ipv6)
{
    const std::string text = format_address(first, ipv6);
    return count == 1 ? text : fmt::format("{} .. {}", text, format_address(first + (count - 1), ipv6));
}

Attributes addresses_of(const NodeArray& row, std::uint32_t first, std::uint32_t count)
{
    Attributes list;
    if (row.has_ipv4()) list.emplace_back("address", address_run(row.address + first, count, false));
    if (row.has_ipv6) list.emplace_back("ipv6", address_run(row.ipv6 + first, count, true));
    return list;
}

class NodeComparison {
  public:
    NodeComparison(Comparison& c, const LabelComparison& labels) : c_(c), labels_(labels) {}

    void run()
    {
        const Network &before = c_.before.network, &after = c_.after.network;
        for (std::uint32_t a = 0; a < after.nodes.size(); ++a) {
            const std::uint32_t b = c_.before_row[a];
            const std::uint32_t common = b == abi::kNone ? 0 : std::min(before.nodes[b].count, after.nodes[a].count);
            if (b != abi::kNone) {
                if (!c_.old_names[b].empty()) renamed(b, a);
                if (common > 0) both(b, a, common);
                if (common < before.nodes[b].count)
                    alone(Change::removed, before, b, common, before.nodes[b].count - common);
            }
            if (common < after.nodes[a].count) alone(Change::added, after, a, common, after.nodes[a].count - common);
        }
        for (std::uint32_t b = 0; b < before.nodes.size(); ++b)
            if (c_.result.after_row[b] == abi::kNone && before.nodes[b].count > 0)
                alone(Change::removed, before, b, 0, before.nodes[b].count);
    }

  private:
    void alone(Change change, const Network& network, std::uint32_t index, std::uint32_t first, std::uint32_t count)
    {
        const NodeArray& row = network.nodes[index];
        DifferenceEntry& entry = c_.add(Part::nodes, change, run_name(row, first, count));
        entry.what = abi::node_kind_name(row.kind);
        entry.count = count;
        std::string text = change_name(change);
        for (auto& [name, value] : addresses_of(row, first, count)) {
            text += fmt::format("\n{}: {}", name, value);
            const bool added = change == Change::added;
            entry.attributes.push_back({name, added ? "" : value, added ? value : ""});
        }
        c_.result.nodes.push_back({index, first, count, change, text});
    }

    void renamed(std::uint32_t b, std::uint32_t a)
    {
        const NodeArray& row = c_.after.network.nodes[a];
        const auto whole = [&](const std::string& name) {
            return run_name(name, row.is_array, row.count, 0, row.count);
        };
        DifferenceEntry& entry = c_.add(Part::nodes, Change::renamed, whole(row.name));
        entry.before_name = whole(c_.old_names[b]);
        entry.what = abi::node_kind_name(row.kind);
        entry.count = row.count;
        c_.result.nodes.push_back({a, 0, row.count, Change::renamed, "was called " + entry.before_name});
    }

    void both(std::uint32_t b, std::uint32_t a, std::uint32_t common)
    {
        const NodeArray &then = c_.before.network.nodes[b], &now = c_.after.network.nodes[a];
        const RowFacts first = row_facts(c_.texts.before, b), second = row_facts(c_.texts.after, a);
        Stretch whole{0, 0, common, attribute_changes(first.own, second.own)};
        for (std::size_t i = 0; i < first.records.size(); ++i) {
            const auto& changes =
                c_.texts.record_changes(first.records[i].first, first.records[i].second, second.records[i].second);
            whole.changes.insert(whole.changes.end(), changes.begin(), changes.end());
        }
        const auto kind_changes = addresses(b, a, common);
        whole.changes.insert(whole.changes.end(), kind_changes.begin(), kind_changes.end());
        for (const Stretch& labelled : labels_.split(Labelled::nodes, b, a, std::move(whole)))
            for (const Stretch& stretch : positions(then, now, labelled))
                if (!stretch.changes.empty()) changed(now, a, stretch);
    }

    void changed(const NodeArray& row, std::uint32_t a, const Stretch& stretch)
    {
        DifferenceEntry& entry =
            c_.add(Part::nodes, Change::changed, run_name(row, stretch.a, stretch.count));
        entry.what = abi::node_kind_name(row.kind);
        entry.count = stretch.count;
        entry.attributes = stretch.changes;
        c_.result.nodes.push_back({a, stretch.a, stretch.count, Change::changed, changes_text(stretch.changes)});
    }

    // Those that the model says are changes of the node; what others come to is a part of its own, since a single host
    // more shifts all that follow it.
    std::vector<AttributeChange> addresses(std::uint32_t b, std::uint32_t a, std::uint32_t common)
    {
        const NodeArray &then = c_.before.network.nodes[b], &now = c_.after.network.nodes[a];
        std::vector<AttributeChange> given, assigned;
        for (AttributeChange& change : attribute_changes(addresses_of(then, 0, common), addresses_of(now, 0, common))) {
            const bool said = change.name == "ipv6" ? then.explicit_ipv6 || now.explicit_ipv6
                                                    : then.explicit_address || now.explicit_address;
            (said ? given : assigned).push_back(std::move(change));
        }
        if (!assigned.empty()) {
            DifferenceEntry& entry =
                c_.add(Part::addresses, Change::changed, run_name(now, 0, common));
            entry.what = abi::node_kind_name(now.kind);
            entry.count = common;
            entry.attributes = std::move(assigned);
            entry.row = a;
        }
        return given;
    }

    // Elements of an array may stand at places of their own.
    static std::vector<Stretch> positions(const NodeArray& then, const NodeArray& now, const Stretch& whole)
    {
        if (then.positions.empty() && now.positions.empty()) return {whole};
        const auto text = [](const std::optional<NodePosition>& p) -> std::string {
            if (!p) return "none";
            return p->geographic ? fmt::format("geo({}, {})", p->y, p->x) : fmt::format("({}, {})", p->x, p->y);
        };
        std::vector<Stretch> list;
        std::vector<AttributeChange> base = whole.changes;
        std::erase_if(base, [](const AttributeChange& change) { return change.name == "position"; });
        for (std::uint32_t i = 0; i < whole.count; ++i) {
            Stretch one{whole.b + i, whole.a + i, 1, base};
            std::string first = text(then.position_of(one.b)), second = text(now.position_of(one.a));
            if (first != second) one.changes.push_back({"position", std::move(first), std::move(second)});
            if (!list.empty() && list.back().changes == one.changes)
                ++list.back().count;
            else
                list.push_back(std::move(one));
        }
        return list;
    }

    Comparison& c_;
    const LabelComparison& labels_;
};

}  // namespace

void compare_nodes(Comparison& comparison, const LabelComparison& labels) { NodeComparison(comparison, labels).run(); }

}  // namespace anml
