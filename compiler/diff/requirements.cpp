// Requirements by what they say and where, and whether they hold with tunables at their defaults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/network_queries.h"
#include "base/values/value_walk.h"
#include "common/ascii.h"
#include "diff/parts.h"
#include "printer/names.h"

namespace anml {

namespace {

struct StatedRequirement {
    std::string name, verdict;
    std::string meaning;              // the same of all texts that say the same; "" where that cannot be said
    Attributes figures;               // "rtt(a, b)": "24 ms"
    std::uint32_t node = abi::kNone;  // the first one of a path that it is about
};

class RequirementFacts {
  public:
    RequirementFacts(const BuiltNetwork& built, const NetworkTexts& texts)
        : network_(built.network), texts_(texts), conditions_(built)
    {
        for (const TunableInfo& t : network_.tunables) values_.push_back(t.value);
        values_.insert(values_.end(), built.answers.begin(), built.answers.end());
        answers_ = built.answers.size();
    }

    std::vector<StatedRequirement> all()
    {
        std::vector<StatedRequirement> list;
        std::map<std::string, int> seen, meant;  // those of one text are told apart by their order
        for (const RequirementInfo& r : network_.requirements) {
            if (r.implied) continue;
            StatedRequirement stated;
            stated.name = r.text.empty() ? r.message : r.text;
            if (!r.instance.empty()) stated.name += " in " + r.instance;
            for (const auto& [loop, round] : r.rounds) stated.name += ", " + round;
            if (const int again = seen[stated.name]++; again > 0) stated.name += fmt::format(" ({})", again + 1);
            judge(r.holds, stated);
            stated.meaning = meaning(r.holds, stated.figures);
            if (const int again = stated.meaning.empty() ? 0 : meant[stated.meaning]++; again > 0)
                stated.meaning += fmt::format(" ({})", again + 1);
            list.push_back(std::move(stated));
        }
        return list;
    }

  private:
    // What is computed and compared, and when; not how it is written.
    std::string meaning(ValueExprId holds, const Attributes& figures)
    {
        if (network_.values.as_constant(holds) || !conditions_.failure().empty()) return "";
        std::string text = conditions_.truth(holds);
        if (!conditions_.failure().empty()) return "";
        for (const auto& [figure, value] : figures) text += "; " + figure;
        std::erase(text, '`');  // an element of an array, or what is called so
        return text;
    }

    void judge(ValueExprId holds, StatedRequirement& stated) const
    {
        std::set<ValueExprId> seen;
        bool measured = false, unanswered = false;
        visit_operands_first(
            network_.values, holds, [&](ValueExprId id) { return seen.contains(id); },
            [&](ValueExprId id) {
                seen.insert(id);
                const ValueNode& node = network_.values.node(id);
                if (node.op != ValueOp::tunable || node.a < network_.tunables.size()) return;
                if (node.a >= kFirstMeasure)
                    measured = true;
                else if (node.a - network_.tunables.size() >= answers_)
                    unanswered = true;
                else
                    add_figure(network_.queries[node.a - network_.tunables.size()], values_[node.a], stated);
            });
        stated.verdict = measured                                        ? "decided by the run"
                         : unanswered                                    ? "not known"
                         : network_.values.evaluate(holds, values_) != 0 ? "holds"
                                                                         : "fails";
    }

    void add_figure(const PathQuery& q, double value, StatedRequirement& stated) const
    {
        if (q.of_links()) {
            const std::string at = q.time != 0 ? " at " + format_quantity(q.time, dimension::time) : "";
            stated.figures.emplace_back(load_query_text(network_, q) + at, percent_text(value));
            return;
        }
        if (stated.node == abi::kNone) stated.node = q.from;
        std::string nodes = texts_.node(q.from) + ", " + texts_.node(q.to);
        if (q.function == PathFunction::via) nodes += ", " + texts_.node(q.third);
        if (q.function == PathFunction::disjoint) nodes += ", " + texts_.node(q.third) + ", " + texts_.node(q.fourth);
        if (q.function == PathFunction::path) {
            std::string between;
            for (const std::uint32_t id : q.between) between += (between.empty() ? "" : ", ") + texts_.node(id);
            nodes += fmt::format(", [{}]", between);
        }
        std::string name = fmt::format("{}({})", path_function_name(q.function), nodes);
        if (q.time != 0) name += " at " + format_quantity(q.time, dimension::time);
        stated.figures.emplace_back(std::move(name), figure_text(q.function, value));
    }

    static std::string figure_text(PathFunction function, double value)
    {
        switch (function) {
            case PathFunction::reachable:
            case PathFunction::via:
            case PathFunction::disjoint:
            case PathFunction::path:
                return value != 0 ? "true" : "false";
            case PathFunction::hops:
            case PathFunction::disjoint_paths:
                return std::isfinite(value) ? fmt::format("{}", value) : "infinite";
            case PathFunction::rtt:
                return std::isfinite(value) ? format_quantity(value, dimension::time) : "infinite";
            case PathFunction::bdp:
                return std::isfinite(value) ? format_quantity(value, dimension::size) : "infinite";
            case PathFunction::bottleneck:
                return std::isfinite(value) ? format_quantity(value, dimension::rate) : "infinite";
            case PathFunction::load:
            case PathFunction::max_load:
                return percent_text(value);
        }
        return "";
    }

    const Network& network_;
    const NetworkTexts& texts_;
    NetworkTexts conditions_;     // apart: what they name is no process of the networks'
    std::vector<double> values_;  // of tunables, then of queries
    std::size_t answers_ = 0;
};

// What the text of a requirement is called where nodes are, by each part of their names: "lan.a" became "lan.b".
class RenamedWords {
  public:
    explicit RenamedWords(const Comparison& c)
    {
        for (std::size_t row = 0; row < c.old_names.size(); ++row) {
            if (c.old_names[row].empty()) continue;
            const auto then = parts(c.old_names[row]), now = parts(c.before.network.nodes[row].name);
            for (std::size_t i = 0; i < then.size() && then.size() == now.size(); ++i)
                if (then[i] != now[i]) words_.emplace(then[i], now[i]);
        }
    }

    std::string renamed(std::string_view text) const
    {
        std::string out;
        while (!text.empty()) {
            const bool quoted = text.front() == '`' && text.find('`', 1) != text.npos;
            std::size_t size = quoted ? text.find('`', 1) + 1 : 0;
            while (!quoted && size < text.size() && in_word(text[size])) ++size;
            const std::string_view word = text.substr(0, std::max<std::size_t>(size, 1));
            const auto found = words_.find(std::string(quoted ? word.substr(1, size - 2) : word));
            out += found == words_.end() ? std::string(word) : quoted_name(found->second);
            text.remove_prefix(word.size());
        }
        return out;
    }

  private:
    // Without subscripts, which stay.
    static std::vector<std::string> parts(std::string_view name)
    {
        std::vector<std::string> all(1);
        bool inside = false;
        for (const char c : name) {
            inside = c == '[' || (inside && c != ']');
            if (c == '.' && !inside)
                all.emplace_back();
            else if (!inside && c != ']')
                all.back() += c;
        }
        return all;
    }

    std::map<std::string, std::string> words_;
};

void place(DifferenceEntry& entry, std::uint32_t node, const Network& network)
{
    if (node == abi::kNone) return;
    entry.row = static_cast<std::uint32_t>(node_row_of(network, node));
    entry.element = node - network.nodes[entry.row].first_node;
}

}  // namespace

void compare_requirements(Comparison& c)
{
    const auto then = RequirementFacts(c.before, c.texts.before).all(),
               now = RequirementFacts(c.after, c.texts.after).all();
    std::map<std::string, const StatedRequirement*> named, meant;
    for (const StatedRequirement& r : then) named.emplace(r.name, &r);
    for (const StatedRequirement& r : then)
        if (!r.meaning.empty()) meant.emplace(r.meaning, &r);
    // By what they mean, whatever their texts are; the rest by their texts.
    std::map<const StatedRequirement*, const StatedRequirement*> same;
    std::set<const StatedRequirement*> kept;
    for (const StatedRequirement& r : now)
        if (const auto found = meant.find(r.meaning); found != meant.end()) {
            same.emplace(&r, found->second);
            kept.insert(found->second);
        }
    // Of one that is no more by its name, what it would be called by the new names of nodes.
    std::set<std::string_view> names_now;
    for (const StatedRequirement& r : now) names_now.insert(r.name);
    const RenamedWords words(c);
    for (const StatedRequirement& r : then)
        if (!names_now.contains(r.name)) named.emplace(words.renamed(r.name), &r);
    for (const StatedRequirement& r : now)
        if (const auto found = named.find(r.name); !same.contains(&r) && found != named.end())
            if (kept.insert(found->second).second) same.emplace(&r, found->second);
    for (const StatedRequirement& r : now) {
        const auto found = same.find(&r);
        if (found == same.end()) {
            DifferenceEntry& entry = c.add(Part::requirements, Change::added, r.name);
            entry.attributes.push_back({"verdict", "", r.verdict});
            place(entry, r.node, c.after.network);
            continue;
        }
        if (found->second->verdict == r.verdict) continue;
        DifferenceEntry& entry = c.add(Part::requirements, Change::changed, r.name);
        entry.attributes.push_back({"verdict", found->second->verdict, r.verdict});
        place(entry, r.node, c.after.network);
        for (AttributeChange& change : attribute_changes(found->second->figures, r.figures))
            entry.attributes.push_back(std::move(change));
    }
    for (const StatedRequirement& r : then)
        if (!kept.contains(&r))
            c.add(Part::requirements, Change::removed, r.name).attributes.push_back({"verdict", r.verdict, ""});
}

}  // namespace anml
