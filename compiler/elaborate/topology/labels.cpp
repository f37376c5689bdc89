// Labels: strings by key of nodes, instances, links and workloads, and the groups that `report by` makes of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

constexpr std::size_t kLongest = 200, kMostReports = 16;

// What can stand in a line of a terminal.
bool is_line(std::string_view text)
{
    return text.size() <= kLongest && std::none_of(text.begin(), text.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
           });
}

// Elements [first, behind) of a row that a label says something of.
struct Labelled {
    std::uint32_t row, first, behind;
    std::size_t label;
    auto operator<=>(const Labelled&) const = default;
};

// Whether one of these labels is of who makes transactions: hosts, workloads, or instances around them.
bool tells_apart(const Network& network, const std::vector<std::size_t>& labels)
{
    std::set<std::size_t> rows;
    std::set<std::uint32_t> workloads;
    std::set<std::string_view> paths;
    for (const std::size_t i : labels) {
        for (const TargetRange& r : network.labels[i].nodes) rows.insert(r.row.value);
        workloads.insert(network.labels[i].workloads.begin(), network.labels[i].workloads.end());
        paths.insert(network.labels[i].instances.begin(), network.labels[i].instances.end());
    }
    const auto stands_in = [&](std::string_view name) {
        for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
            name = name.substr(0, dot);
            if (paths.contains(name)) return true;
        }
        return false;
    };
    for (std::uint32_t w = 0; w < network.workloads.size(); ++w) {
        const WorkloadInfo& workload = network.workloads[w];
        if (workload.documents.empty() || workload.traits.load == Load::served) continue;
        if (workloads.contains(w) || stands_in(workload.name)) return true;
        for (const TargetRange& target : workload.targets)
            if (rows.contains(target.row.value) || stands_in(network.nodes[target.row.value].name)) return true;
    }
    return false;
}

}  // namespace

void label(Elaboration& in, const LabelStatement& s, Frame& frame)
{
    std::vector<LabelInfo> made;
    for (const LabelValue& label : s.labels) {
        const Value v = evaluate(in, label.value, frame);
        const auto* text = v.as<std::string>();
        if (v.absent())
            in.report(Diag::absent_name, in.program.expr(label.value).span, "this optional attribute is not set")
                .help("write `if given(...) { label ... }` around it");
        if (text && !is_line(*text)) {
            in.report(Diag::invalid_label, in.program.expr(label.value).span,
                      text->size() > kLongest
                          ? fmt::format("a label has {} bytes at most; this has {}", kLongest, text->size())
                          : std::string("a label is a single line of text; this has control characters"));
            continue;
        }
        if (text) made.push_back({label.key, *text, {}, {}, {}, {}, in.report.path, label.span});
    }
    for (const ExprId subject : s.subjects) {
        const Value v = flat(evaluate(in, subject, frame));
        if (v.absent()) in.report(Diag::absent_name, in.program.expr(subject).span, "this is not part of the model");
        for (LabelInfo& info : made) {
            if (const NodeSet* nodes = v.as<NodeSet>())
                info.nodes.insert(info.nodes.end(), nodes->begin(), nodes->end());
            if (const WorkloadSet* all = v.as<WorkloadSet>())
                info.workloads.insert(info.workloads.end(), all->begin(), all->end());
            if (const LinkSet* links = v.as<LinkSet>())
                for (const LinkPart& part : links->parts) info.links.push_back(part.links);
            if (const InstanceSet* instances = v.as<InstanceSet>())
                for (const auto& group : instances->groups)
                    for (const std::uint32_t index : group) info.instances.push_back(in.frames[index].path);
        }
    }
    std::move(made.begin(), made.end(), std::back_inserter(in.network.labels));
}

void report_by(Elaboration& in, const ReportStatement& s, const Statement& at)
{
    std::vector<std::string> keys;
    for (const auto& [key, span] : s.keys) keys.push_back(key);
    for (const ReportInfo& known : in.network.reports)
        if (known.keys == keys) {
            in.report(Diag::repeated_statement, at.span, "the model reports by these keys already");
            return;
        }
    if (in.network.reports.size() == kMostReports) {
        in.report(Diag::network_too_large, at.span, fmt::format("a model has {} `report by` at most", kMostReports))
            .help("each counts every transaction once more");
        return;
    }
    in.network.reports.push_back({std::move(keys)});
    in.report_keys.push_back(s.keys);
}

// No two of one key for anything, and something for each key that is asked for.
bool check_labels(Elaboration& in)
{
    const std::size_t before = in.report.diagnostics.errors();
    const std::vector<LabelInfo>& labels = in.network.labels;
    std::map<std::string_view, std::vector<std::size_t>> by_key;
    for (std::size_t i = 0; i < labels.size(); ++i) by_key[labels[i].key].push_back(i);
    const auto twice = [&](std::size_t a, std::size_t b, const std::string& what) {
        in.report.path = labels[b].instance;
        in.report(Diag::invalid_label, labels[b].span,
                  fmt::format("`{}` has a label `{}` already", what, labels[b].key))
            .also(labels[a].span, fmt::format("it is \"{}\"", labels[a].value));
        in.report.path.clear();
    };
    for (const auto& [key, indices] : by_key) {
        std::vector<Labelled> nodes, links, workloads;
        std::map<std::string_view, std::size_t> instances;
        std::set<std::pair<std::size_t, std::size_t>> told;  // once for two statements
        for (const std::size_t i : indices) {
            for (const TargetRange& r : labels[i].nodes)
                nodes.push_back({static_cast<std::uint32_t>(r.row.value), r.first, r.first + r.count, i});
            for (const LinkSlice& r : labels[i].links)
                links.push_back({static_cast<std::uint32_t>(r.row.value), r.first, r.first + r.count, i});
            for (const std::uint32_t w : labels[i].workloads) workloads.push_back({0, w, w + 1, i});
            for (const std::string& path : labels[i].instances)
                if (const auto [at, fresh] = instances.try_emplace(path, i);
                    !fresh && told.emplace(at->second, i).second)
                    twice(at->second, i, path);
        }
        const auto overlaps = [&](std::vector<Labelled>& all, auto&& name) {
            std::sort(all.begin(), all.end());
            for (std::size_t i = 1; i < all.size(); ++i) {
                const Labelled &a = all[i - 1], &b = all[i];
                if (a.row != b.row || b.first >= a.behind) continue;
                const auto [first, second] = std::minmax(a.label, b.label);
                if (told.emplace(first, second).second) twice(first, second, name(b.row, b.first));
                all[i].behind = std::max(a.behind, b.behind);
            }
        };
        overlaps(nodes, [&](std::uint32_t row, std::uint32_t at) { return in.network.nodes[row].element_name(at); });
        overlaps(links, [&](std::uint32_t row, std::uint32_t at) { return in.network.links[row].element_name(at); });
        overlaps(workloads, [&](std::uint32_t, std::uint32_t w) { return in.network.workloads[w].name; });
    }
    std::vector<std::string_view> keys;
    std::string list;
    for (const auto& [key, indices] : by_key) {
        keys.push_back(key);
        if (keys.size() <= 8) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", key);
    }
    for (const auto& asked : in.report_keys)
        for (const auto& [key, span] : asked) {
            if (const auto found = by_key.find(key); found != by_key.end()) {
                if (!tells_apart(in.network, found->second))
                    in.report(
                          Diag::unknown_label, span,
                          fmt::format("no host or workload that makes transactions of the web has a label `{}`", key))
                        .help(
                            "transactions are told apart by who makes them: label hosts, the instances around them, "
                            "or workloads");
                continue;
            }
            auto unknown = in.report(Diag::unknown_label, span, fmt::format("nothing has a label `{}`", key));
            if (!in.report.diagnostics.suggests()) continue;
            if (const std::string_view near = similar_name(key, keys); !near.empty())
                unknown.help(fmt::format("there are labels `{}`", near)).fix(span, std::string(near));
            else if (keys.empty())
                unknown.help(fmt::format("say it of nodes or instances: `label site[i] {{ {} = \"...\" }}`", key));
            else
                unknown.help(fmt::format("labels are {}", list));
        }
    return in.report.diagnostics.errors() == before;
}

}  // namespace anml
