// An imported network as the text of a model: what a person would have written, apart from the layout, which the
// formatter makes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/values/quantity.h"
#include "import/links/link_profiles.h"
#include "import/provider_cones.h"

namespace anml {

namespace {

constexpr std::size_t kMostPlaces = 1000;  // where hosts are put: a sample of larger networks

std::string one_line(std::string_view text, std::size_t longest = 100)
{
    std::string out;
    for (char c : text.substr(0, longest)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80 && text.size() > longest)
        out.pop_back();
    if (text.size() > longest && !out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
    return out;
}

std::string count(std::size_t n, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

class ModelWriter {
  public:
    ModelWriter(const ImportedNetwork& network, const ImportOptions& options, const LinkProfiles& profiles,
                const GraphProgram* program, ImportLosses& losses)
        : network_(network), options_(options), profiles_(profiles), program_(program), losses_(losses)
    {
        if (!program_) choose_places();
        drop_host_rates();
    }

    std::string run(const std::string& file)
    {
        head(file);
        const bool traffic = !groups_.empty();
        if (traffic) parameters();
        out_ += " {\n";
        nodes();
        out_ += "\n";
        for (const ImportedLink& link : network_.links)
            out_ += fmt::format("  link {}{} {} {} {}\n", link.name.empty() ? "" : link.name + ": ", name(link.from),
                                link.one_way ? "->" : "--", name(link.to), profiles_.use(link));
        for (std::size_t g = 0; g < groups_.size(); ++g) group(g);
        if (!network_.ours && any_cost()) out_ += "\n  routing { metric = cost }\n";
        if (program_)
            out_ += fmt::format("\n{}}}\n", program_->statements);
        else
            out_ += "\n  run { duration = 10 s, warmup = 1 s }\n}\n";
        return std::move(out_);
    }

  private:
    // Nodes that links join, and what sends and receives there.
    struct Group {
        std::vector<std::uint32_t> places;  // routers that hosts are put at; empty: `own`
        std::vector<std::uint32_t> own;     // hosts of the file
    };

    const std::string& name(std::uint32_t node) const { return network_.nodes[node].name; }
    bool left_out(const ImportedNode& node) const { return node.degree == 0 && !network_.numbered && !network_.ours; }

    bool any_cost() const
    {
        return std::any_of(network_.links.begin(), network_.links.end(), [](const ImportedLink& link) {
            return link.details.contains("cost") || link.details_back.contains("cost");
        });
    }

    // Hosts that are put nowhere have no rate.
    void drop_host_rates()
    {
        std::set<std::uint32_t> used;
        for (const Group& group : groups_) used.insert(group.places.begin(), group.places.end());
        for (std::uint32_t i = 0; i < network_.nodes.size(); ++i) {
            if (used.contains(i)) continue;
            if (network_.nodes[i].host_up) ++losses_.node_attributes["host_bandwidth_up"];
            if (network_.nodes[i].host_down) ++losses_.node_attributes["host_bandwidth_down"];
        }
    }

    void choose_places()
    {
        if (options_.hosts == 0) return;
        std::vector<Group> groups(network_.components);
        const std::vector<char> reached = below_top_providers(network_);
        for (std::uint32_t i = 0; i < network_.nodes.size(); ++i) {
            const ImportedNode& node = network_.nodes[i];
            if (node.degree == 0) continue;
            if (!reached[i]) {
                ++losses_.guesses["autonomous systems without hosts, since no provider at the top leads to them,"];
                continue;
            }
            if (node.kind == abi::NodeKind::router) groups[node.component].places.push_back(i);
            if (node.kind == abi::NodeKind::host) groups[node.component].own.push_back(i);
        }
        for (Group& group : groups) {
            const bool own = group.own.size() >= 2;
            if (own || network_.ours) group.places.clear();  // a network of ours is whole
            if (!own) group.own.clear();
            if (group.places.size() > kMostPlaces) {
                std::vector<std::uint32_t> sample;
                for (std::size_t k = 0; k < kMostPlaces; ++k)
                    sample.push_back(group.places[k * group.places.size() / kMostPlaces]);
                losses_.guesses[fmt::format("places of hosts, {} of so many routers,", kMostPlaces)] +=
                    group.places.size();
                group.places = std::move(sample);
            }
            if (group.places.size() + group.own.size() >= 2) groups_.push_back(std::move(group));
        }
    }

    void head(const std::string& file)
    {
        std::size_t routers = 0;
        for (const ImportedNode& node : network_.nodes) routers += !left_out(node);
        const std::string title = one_line(network_.title);
        out_ +=
            fmt::format("/// {}{}, {}. Imported from {}.\n", title.empty() ? "" : title + ": ",
                        count(routers, "node", "nodes"), count(network_.links.size(), "link", "links"), one_line(file));
        bool added = false;
        for (const Group& group : groups_) added |= !group.places.empty();
        std::set<std::string> imports;
        if (program_) imports = program_->imports;
        if (added) imports.insert("import std.ether");
        if (!groups_.empty()) imports.insert("import std.traffic");
        for (const ImportedNode& node : network_.nodes)
            if (const std::string& server = node.details.simulated; !server.empty())
                imports.insert("import std." + server.substr(0, server.find('.')));
        out_ += fmt::format("{}{}\n", fmt::join(imports, "\n"), imports.empty() ? "" : "\n");
        if (program_) out_ += program_->declarations + "\n";
        out_ += profiles_.declarations();
        out_ += fmt::format("\nmodel {}", options_.model);
    }

    // Of the sum of all hosts' traffic, half would fit through the slowest link: none of them is overloaded for long.
    void parameters()
    {
        double slowest = options_.rate;
        for (std::size_t i = 0; i < network_.links.size(); ++i)
            slowest = std::min(slowest, network_.links[i].rate.value_or(options_.rate));
        for (const Group& group : groups_)
            for (const std::uint32_t place : group.places)
                for (const auto& rate : {network_.nodes[place].host_up, network_.nodes[place].host_down})
                    slowest = std::min(slowest, rate.value_or(slowest));
        std::size_t senders = 1;
        bool added = false;
        for (const Group& group : groups_) {
            senders = std::max(senders, group.own.empty() ? group.places.size() * options_.hosts : group.own.size());
            added |= group.own.empty();
        }
        double load = std::clamp(slowest / 2 / static_cast<double>(senders), 100.0, 1e6);
        const double power = std::pow(10, std::floor(std::log10(load)));
        load = power * (load >= 5 * power ? 5 : load >= 2 * power ? 2 : 1);
        out_ += "(\n";
        if (added)
            out_ += fmt::format("  /// Hosts at each router.\n  hosts: int in 1 .. {} = {},\n",
                                std::max(100u, options_.hosts), options_.hosts);
        out_ += fmt::format(
            "  /// What each host sends to another one.\n  tunable load: rate in 1 bps .. 100 Gbps = {},\n)",
            format_quantity(load, dimension::rate));
    }

    void nodes()
    {
        if (network_.numbered) {
            out_ += fmt::format("  router node[{}]\n", network_.nodes.size());
            return;
        }
        std::uint64_t isolated = 0;
        for (const ImportedNode& node : network_.nodes) {
            if (left_out(node)) {
                ++isolated;
                continue;
            }
            if (node.array == 0) continue;
            out_ += "  " + declaration(node, 10);
            if (node.label != node.name && !network_.ours) out_ += fmt::format("  // {}", one_line(node.label));
            out_ += "\n";
        }
        if (isolated) losses_.elements["nodes without links"] += isolated;
    }

    // "[a, b, c]", or `node[*]` where that is all.
    std::string list(const std::vector<std::uint32_t>& nodes) const
    {
        if (network_.numbered && nodes.size() == network_.nodes.size()) return "node[*]";
        std::string out;
        for (std::uint32_t node : nodes) out += fmt::format("{}{}", out.empty() ? "" : ", ", name(node));
        return fmt::format("[{}]", out);
    }

    // What hosts at a node have of their own.
    std::string host_rates(std::uint32_t place) const
    {
        const ImportedNode& node = network_.nodes[place];
        const auto rate = [](double value) { return exact_quantity(value, dimension::rate); };
        if (node.host_up && node.host_down && *node.host_up != *node.host_down)
            return fmt::format(" {{ rate = {}, down {{ rate = {} }} }}", rate(*node.host_up), rate(*node.host_down));
        if (node.host_up && node.host_down) return fmt::format(" {{ rate = {} }}", rate(*node.host_up));
        if (node.host_up) return fmt::format(" {{ up {{ rate = {} }} }}", rate(*node.host_up));
        return node.host_down ? fmt::format(" {{ down {{ rate = {} }} }}", rate(*node.host_down)) : "";
    }

    // A loop for each run of places whose hosts are alike.
    void access(const Group& group, const std::string& suffix, const std::string& places)
    {
        const std::size_t n = group.places.size();
        std::vector<std::string> rates;
        std::size_t runs = 0;
        for (std::size_t k = 0; k < n; ++k) {
            rates.push_back(host_rates(group.places[k]));
            runs += k == 0 || rates[k] != rates[k - 1];
        }
        for (std::size_t begin = 0, end = 0, run = 0; begin < n; begin = end, ++run) {
            while (end < n && rates[end] == rates[begin]) ++end;
            const std::string hosts =
                runs == 1 ? fmt::format("{0} * i ..< {0} * (i + 1)", n)
                          : fmt::format("{0} * i + {1} ..< {0} * i + {2}", n, begin, end);
            const std::string name = runs == 1 ? "" : fmt::format("[{}]", run);
            const std::string ends = runs == 1 ? "" : fmt::format("[{} ..< {}]", begin, end);
            out_ += fmt::format(
                "  for i in 0 ..< hosts {{ link access{0}{1}[i]: pc{0}[{2}] -- {3}{4} : ether.gigabit{5} }}\n", suffix,
                name, hosts, places == "node[*]" && runs > 1 ? "node" : places, ends, rates[begin]);
        }
    }

    void group(std::size_t index)
    {
        const Group& group = groups_[index];
        const std::string suffix = index == 0 ? "" : fmt::format("_{}", index + 1);
        const std::size_t n = group.places.size();
        std::string senders;
        out_ += "\n";
        if (n > 0) {
            senders = fmt::format("pc{}[*]", suffix);
            out_ += fmt::format("  host pc{}[{} * hosts]\n", suffix, n);
            const std::string places = list(group.places);
            const bool all = places == "node[*]";
            if (!all) out_ += fmt::format("  let places{} = {}\n", suffix, places);
            access(group, suffix, all ? places : "places" + suffix);
        } else {
            senders = fmt::format("senders{}", suffix);
            out_ += fmt::format("  let {} = {}\n", senders, list(group.own));
        }
        out_ += fmt::format(
            "  workload demand{0} : traffic.Cbr on {1} {{ to = {1}, pairing = permutation, rate = load, start_spread = "
            "100 ms }}\n",
            suffix, senders);
    }

    const ImportedNetwork& network_;
    const ImportOptions& options_;
    const LinkProfiles& profiles_;
    const GraphProgram* program_;
    ImportLosses& losses_;
    std::vector<Group> groups_;
    std::string out_;
};

}  // namespace

std::string write_model(const ImportedNetwork& network, const ImportOptions& options, const LinkProfiles& profiles,
                        const std::string& file, const GraphProgram* program, ImportLosses& losses)
{
    return ModelWriter(network, options, profiles, program, losses).run(file);
}

}  // namespace anml
