#include "lsp/features/facts.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/network_queries.h"
#include "base/address.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kMostFacts = 20'000;  // of a model; the rest of a larger one has none
constexpr std::size_t kMostLines = 5;       // of one place: instances of what is there

// Of one place in the text: a line for each instance.
struct Gathered {
    std::vector<std::string> lines;
    std::size_t more = 0;
    std::uint64_t count = 0;  // elements
    std::string hint;
};
using All = std::map<std::pair<std::uint32_t, std::uint32_t>, Gathered>;

class Finder {
  public:
    Finder(const Network& network, const std::vector<double>& answers)
        : network_(network), answers_(answers), tunables_(default_tunables(network))
    {
    }

    All run()
    {
        for (const NodeArray& row : network_.nodes) node(row);
        for (const LinkArray& row : network_.links) link(row);
        for (std::size_t i = 0; i < network_.queries.size() && i < answers_.size(); ++i)
            query(network_.queries[i], answers_[i]);
        return std::move(all_);
    }

  private:
    Gathered* at(Span span)
    {
        if (!span.valid()) return nullptr;
        if (all_.size() >= kMostFacts && !all_.contains({span.file.value, span.begin})) return nullptr;
        return &all_[{span.file.value, span.begin}];
    }

    static void add(Gathered& to, std::string line)
    {
        if (to.lines.size() < kMostLines)
            to.lines.push_back(std::move(line));
        else
            ++to.more;
    }

    void node(const NodeArray& row)
    {
        Gathered* to = at(row.span);
        if (!to) return;
        std::vector<std::string> addresses;
        if (row.has_ipv4())
            addresses.push_back(row.count == 1 ? format_address(row.address)
                                               : fmt::format("{} .. {}", format_address(row.address),
                                                             format_address(row.address + row.count - 1)));
        if (row.has_ipv6)
            addresses.push_back(row.count == 1 ? format_address(row.ipv6, true)
                                               : fmt::format("{} .. {}", format_address(row.ipv6, true),
                                                             format_address(row.ipv6 + (row.count - 1), true)));
        const std::string name = row.is_array ? fmt::format("{}[{}]", row.name, row.count) : row.name;
        add(*to,
            addresses.empty() ? fmt::format("`{}`", name) : fmt::format("`{}`: {}", name, fmt::join(addresses, ", ")));
        to->hint = to->count == 0 ? fmt::format("{}", fmt::join(addresses, ", ")) : "";
        to->count += row.count;
    }

    std::string quantity(ValueExprId id, Dimension dim) const
    {
        return approximate_quantity(network_.values.evaluate(id, tunables_), dim, 6);
    }

    // Rate, delay, what fits on the way, and the queue; of each direction where they differ.
    void link(const LinkArray& row)
    {
        Gathered* to = at(row.span);
        if (!to) return;
        const auto figures = [&](int i) {
            const double rate = network_.values.evaluate(row.rate[i], tunables_),
                         delay = network_.values.evaluate(row.delay[i], tunables_);
            return fmt::format("{}, {} one way, bandwidth-delay product {} ({} there and back), queue {}",
                               quantity(row.rate[i], dimension::rate), quantity(row.delay[i], dimension::time),
                               approximate_quantity(rate * delay / 8e9, dimension::size, 4),
                               approximate_quantity(2 * rate * delay / 8e9, dimension::size, 4),
                               quantity(row.queue[i], dimension::size));
        };
        const std::string up = figures(0), down = row.one_way ? up : figures(1);
        const std::string name = row.is_array ? fmt::format("{}[{}]", row.name, row.count) : row.name;
        add(*to, up == down ? fmt::format("`{}`: {}", name, up)
                            : fmt::format("`{}`: from left to right {}; back {}", name, up, down));
        to->count += row.count;
    }

    void query(const PathQuery& query, double value)
    {
        Gathered* to = at(query.span);
        if (!to) return;
        std::string shown;
        switch (query.function) {
            case PathFunction::rtt:
                shown = approximate_quantity(value, dimension::time, 6);
                break;
            case PathFunction::bottleneck:
                shown = approximate_quantity(value, dimension::rate, 6);
                break;
            case PathFunction::bdp:
                shown = approximate_quantity(value, dimension::size, 6);
                break;
            case PathFunction::hops:
            case PathFunction::disjoint_paths:
                shown = fmt::format("{}", value);
                break;
            case PathFunction::reachable:
            case PathFunction::via:
            case PathFunction::disjoint:
            case PathFunction::path:
                shown = value != 0 ? "true" : "false";
                break;
            case PathFunction::load:
            case PathFunction::max_load:
                shown = percent_text(value);
                break;
        }
        if (!std::isfinite(value)) shown = "infinite: there is no way";
        add(*to, query.of_links()
                     ? fmt::format("`{}`: {}", load_query_text(network_, query), shown)
                     : fmt::format("`{}` from `{}` to `{}`: {}", path_function_name(query.function),
                                   node_name(network_, query.from), node_name(network_, query.to), shown));
        to->hint = to->count == 0 ? shown : "";
        ++to->count;
    }

    const Network& network_;
    const std::vector<double>& answers_;
    std::vector<double> tunables_;
    All all_;
};

}  // namespace

void find_facts(const Network& network, const std::vector<double>& answers, Facts& facts)
{
    for (auto& [place, found] : Finder(network, answers).run()) {
        if (facts.contains(place)) continue;  // of the model that the file declares first
        Fact fact;
        for (const std::string& line : found.lines) fact.hover += fmt::format("- {}\n", line);
        if (found.more > 0) fact.hover += fmt::format("- and {} more\n", found.more);
        fact.hint = found.lines.size() == 1               ? found.hint
                    : found.more == 0 && found.count == 0 ? ""
                                                          : fmt::format("{} in all", found.count);
        facts.emplace(place, std::move(fact));
    }
}

json facts_json(const Facts& facts)
{
    json all = json::array();
    for (const auto& [place, fact] : facts) all.push_back({place.first, place.second, fact.hover, fact.hint});
    return all;
}

Facts facts_of_json(const json& facts)
{
    Facts all;
    for (const json& one : facts)
        all[{one[0].get<std::uint32_t>(), one[1].get<std::uint32_t>()}] = {one[2].get<std::string>(),
                                                                           one[3].get<std::string>()};
    return all;
}

}  // namespace anml::lsp
