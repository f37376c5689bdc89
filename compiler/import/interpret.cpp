// From attributes of a foreign graph to a network. The names that are understood are in the tables below.
#include "import/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <set>
#include <tuple>

#include "common/ascii.h"
#include "import/links/link_attributes.h"
#include "import/links/link_profiles.h"

namespace anml {

namespace {

using Names = std::initializer_list<std::string_view>;

constexpr Names kLabels{"label", "name", "Label", "Name", "title", "hostname"};
constexpr Names kLatitudes{"Latitude", "latitude", "lat", "Lat"};
constexpr Names kLongitudes{"Longitude", "longitude", "lon", "lng", "long", "Lon", "Long"};
constexpr Names kPairs{"pos", "position", "coordinates"};
constexpr Names kDelays{"delay", "latency", "propagation_delay", "Delay", "Latency"};
constexpr Names kLengths{"dist", "distance", "length", "Length", "Distance", "km"};
constexpr Names kPlainRates{"rate", "LinkSpeedRaw", "bps"};  // in bit/s where there is no unit
constexpr Names kRates{"bandwidth", "capacity", "bw", "speed", "Bandwidth", "Capacity"};  // in bit/s or Mbit/s
constexpr Names kLosses{"loss", "packet_loss"};
constexpr Names kNodeKinds{"kind", "type", "device_type"};
constexpr Names kRateLabels{"LinkLabel", "LinkType", "LinkNote", "label", "name"};
constexpr Names kTitles{"Network", "label", "name", "id", "NetworkDate"};

constexpr double kLeastRate = 1, kMostRate = 1e15;         // of the schema Link
constexpr double kMostQueue = 1099511627776.0;             // B, of the schema Queue
constexpr double kMostCost = 1e9;
constexpr double kMostDelay = 3600, kMostLength = 7.2e11;  // an hour, and as far as light in glass gets in one

class Interpreter {
  public:
    Interpreter(const ForeignGraph& graph, ImportLosses& losses, Diagnostics& diagnostics, const GraphTexts* texts)
        : graph_(graph), losses_(losses), diagnostics_(diagnostics), texts_(texts), planar_pairs_(pairs_are_planar())
    {
    }

    std::optional<ImportedNetwork> run()
    {
        losses_.elements = {graph_.left_out.begin(), graph_.left_out.end()};
        take(graph_.attributes, "generator");
        network_.ours = is_graph_of_ours(graph_);
        title();
        for (const ForeignNode& node : graph_.nodes)
            if (!this->node(node)) return std::nullopt;
        links();
        components();
        return std::move(network_);
    }

  private:
    // An attribute, which then counts as read.
    const ForeignAttribute* take(const ForeignAttributes& list, std::string_view name)
    {
        const ForeignAttribute* found = graph_.find(list, name);
        if (found) read_.insert(found);
        return found;
    }
    // One that has a name that is known and a value that is not; an empty one says nothing.
    void unreadable(const ForeignAttribute* a)
    {
        if (a->value.find_first_not_of(" \t\r\n") == std::string::npos) return;
        losses_.unreadable(graph_.names[a->name], a->value, graph_.span(a->offset));
        read_.insert(a);
    }
    AttributeReader reader(const ForeignAttributes& list)
    {
        return {[this, &list](std::string_view name) { return graph_.find(list, name); },
                [this](const ForeignAttribute* a) { read_.insert(a); }};
    }
    // Two numbers that make a place, of which one alone says nothing.
    std::optional<std::pair<double, double>> take_numbers(const ForeignAttributes& list, Names first, Names second)
    {
        std::optional<double> numbers[2];
        const ForeignAttribute* found[2]{};
        for (int i = 0; i < 2; ++i)
            for (std::string_view name : i == 0 ? first : second)
                if (const ForeignAttribute* a = graph_.find(list, name); a && !numbers[i]) {
                    if ((numbers[i] = read_number(a->value)))
                        found[i] = a;
                    else
                        unreadable(a);
                }
        if (!numbers[0] || !numbers[1]) return std::nullopt;
        read_.insert(std::begin(found), std::end(found));
        return std::pair(*numbers[0], *numbers[1]);
    }
    void count_unread(const ForeignAttributes& list, std::map<std::string, std::uint64_t>& counts)
    {
        for (const ForeignAttribute& a : list)
            if (!read_.contains(&a)) ++counts[graph_.names[a.name]];
        read_.clear();
    }

    void title()
    {
        std::string name, date;
        if (network_.ours) {  // what names say again
            for (std::string_view word : {"doc", "groups"}) take(graph_.attributes, word);
            if (texts_) take(graph_.attributes, "anml");
            losses_.elements.erase("values in tables of the graph");
        }
        for (std::string_view word : kTitles) {
            const ForeignAttribute* a = take(graph_.attributes, word);
            if (!a) continue;
            if (word == "NetworkDate")
                date = a->value;
            else if (name.empty())
                name = a->value;
        }
        network_.title = date.empty() ? name : fmt::format("{}, {}", name, date);
        count_unread(graph_.attributes, losses_.graph_attributes);
    }

    // Pairs of numbers called `pos` are longitude and latitude, unless we wrote them, they cannot be, or a layout's,
    // which are small, or agree with the lengths of edges as a plane's do.
    bool pairs_are_planar() const
    {
        if (graph_.format == GraphFormat::dot || is_graph_of_ours(graph_)) return true;
        std::vector<std::optional<std::pair<double, double>>> places;
        bool small = true;
        for (const ForeignNode& node : graph_.nodes) {
            auto& place = places.emplace_back();
            for (std::string_view name : kPairs)
                if (const ForeignAttribute* a = graph_.find(node.attributes, name)) place = pair(a->value);
            if (!place) continue;
            if (std::abs(place->first) > 180 || std::abs(place->second) > 90) return true;
            small = small && std::abs(place->first) <= 1 && std::abs(place->second) <= 1;
        }
        std::size_t agree = 0, compared = 0;
        for (const ForeignEdge& edge : graph_.edges) {
            const ForeignAttribute* length = graph_.find(edge.attributes, "dist");
            const auto &a = places[edge.from], &b = places[edge.to];
            const auto number = length ? read_number(length->value) : std::nullopt;
            if (!number || !a || !b) continue;
            ++compared;
            const double plane = std::hypot(a->first - b->first, a->second - b->second);
            agree += std::abs(plane - *number) <= 0.02 * *number + 0.02;
        }
        return small || 2 * agree > compared;
    }

    static std::optional<std::pair<double, double>> pair(std::string_view text)
    {
        const std::size_t comma = text.find(',');
        if (comma == std::string_view::npos) return std::nullopt;
        std::string_view second = text.substr(comma + 1);
        second = second.substr(0, second.find_first_of(",!"));
        const auto x = read_number(text.substr(0, comma)), y = read_number(second);
        if (!x || !y) return std::nullopt;
        return std::pair(*x, *y);
    }

    // What tools call them: Shadow, GNS3, Mininet, Cisco's and other simulators.
    static std::optional<abi::NodeKind> node_kind(std::string_view word)
    {
        const std::string small = lower_case(word);
        using enum abi::NodeKind;
        constexpr std::pair<std::string_view, abi::NodeKind> kKinds[] = {
            {"host", host},       {"client", host},    {"server", host},    {"pc", host},      {"workstation", host},
            {"computer", host},   {"laptop", host},    {"router", router},  {"gateway", router}, {"firewall", router},
            {"switch", switch_},  {"bridge", switch_}, {"hub", switch_},    {"endpoint", endpoint}};
        for (const auto& [name, kind] : kKinds)
            if (small == name) return kind;
        return std::nullopt;
    }

    // Of the hosts at a node of Shadow's graphs.
    std::optional<double> host_rate(const ForeignAttributes& list, std::string_view name)
    {
        const ForeignAttribute* a = graph_.find(list, name);
        if (!a) return std::nullopt;
        const auto number = read_number(a->value), rate = number ? number : read_rate(a->value);
        if (!rate || *rate < kLeastRate || *rate > kMostRate) return unreadable(a), std::nullopt;
        read_.insert(a);
        return rate;
    }

    bool node(const ForeignNode& from)
    {
        ImportedNode& node = network_.nodes.emplace_back();
        node.offset = from.offset;
        if (!from.declared) {
            const std::string what = "nodes that only edges name";
            ++losses_.guesses[what];
            const auto end = from.offset + static_cast<std::uint32_t>(from.id.size());
            losses_.guessed_at.try_emplace(what, Span{graph_.file, from.offset, end});
        }
        for (std::string_view name : kLabels) {
            const ForeignAttribute* a = take(from.attributes, name);
            if (a && node.label.empty() && a->value != "\\N") node.label = a->value;
        }
        bool said = false;
        for (std::string_view name : kNodeKinds) {
            const ForeignAttribute* a = graph_.find(from.attributes, name);
            const auto kind = a ? node_kind(a->value) : std::nullopt;
            if (!kind) continue;
            node.kind = *kind;
            said = true;
            read_.insert(a);
            break;
        }
        if (graph_.format == GraphFormat::containerlab)
            if (const ForeignAttribute* kind = take(from.attributes, "clab_kind"); kind && !said) {
                if (kind->value == "bridge" || kind->value == "ovs-bridge") node.kind = abi::NodeKind::switch_;
                if (kind->value == "linux") node.kind = abi::NodeKind::host;
            }
        if (!place(from, node)) return false;
        node.host_up = host_rate(from.attributes, "host_bandwidth_up");
        node.host_down = host_rate(from.attributes, "host_bandwidth_down");
        take(from.attributes, "id");  // a second name
        if (network_.ours) {
            node.details = read_node_details(reader(from.attributes), texts_);
            if (const ForeignAttribute* key = take(from.attributes, "key")) node.key = key->value;
            if (const ForeignAttribute* array = take(from.attributes, "array")) node.alone = array->value == "false";
            for (std::string_view word : {"group", "last_address", "last_ipv6", "task", "count"})
                take(from.attributes, word);
            if (node.details.address && !addresses_.insert(*node.details.address).second) node.details.address.reset();
        }
        count_unread(from.attributes, losses_.node_attributes);
        return true;
    }

    bool place(const ForeignNode& from, ImportedNode& node)
    {
        if (const auto found = take_numbers(from.attributes, kLatitudes, kLongitudes)) {
            const auto [latitude, longitude] = *found;
            for (const auto& [value, limit, word] :
                 {std::tuple{latitude, 90, "latitude"}, {longitude, 180, "longitude"}})
            {
                if (std::abs(value) <= limit) continue;
                diagnostics_.report(
                    Diag::malformed_graph, graph_.span(from.offset),
                    fmt::format("the {} {} of this node is not within -{} .. {} degrees", word, value, limit, limit));
                return false;
            }
            node.position = NodePosition{true, longitude, latitude};
            return true;
        }
        for (std::string_view name : kPairs) {
            const ForeignAttribute* a = graph_.find(from.attributes, name);
            const auto place = a ? pair(a->value) : std::nullopt;
            if (!place) continue;
            read_.insert(a);
            node.position = NodePosition{!planar_pairs_, place->first, place->second};
            if (!planar_pairs_)
                ++losses_.guesses[fmt::format("pairs of numbers in `{}`, taken as longitude and latitude,", name)];
            return true;
        }
        if (const auto at = take_numbers(from.attributes, {"x", "graphics.x"}, {"y", "graphics.y"}))
            node.position = NodePosition{false, at->first, at->second};
        return true;
    }

    // The first of these that is a rate; what says it once more counts as read too, what is none doesn't.
    std::optional<double> rate(const ForeignAttributes& list, std::optional<double>* back = nullptr)
    {
        if (const auto both = back ? both_ways(list, "rate", read_rate, kLeastRate, kMostRate) : std::nullopt) {
            for (std::string_view name : kRateLabels)
                if (const ForeignAttribute* a = graph_.find(list, name); a && find_rate(a->value)) read_.insert(a);
            return *back = both->second, both->first;
        }
        std::optional<double> result;
        const auto offer = [&](const ForeignAttribute* a, std::optional<double> rate) {
            const bool is_rate = rate && *rate >= kLeastRate && *rate <= kMostRate;
            if (is_rate) read_.insert(a);
            if (is_rate && !result) result = rate;
            return is_rate;
        };
        for (std::string_view name : kPlainRates)
            if (const ForeignAttribute* a = graph_.find(list, name))
                if (!offer(a, read_number(a->value)) && !offer(a, read_rate(a->value))) unreadable(a);
        const ForeignAttribute *speed = graph_.find(list, "LinkSpeed"), *unit = graph_.find(list, "LinkSpeedUnits");
        if (speed && unit && offer(speed, find_rate(speed->value + unit->value))) read_.insert(unit);
        if (speed && !offer(speed, find_rate(speed->value)) && !read_.contains(speed)) unreadable(speed);
        for (std::string_view name : kRates) {
            const ForeignAttribute* a = graph_.find(list, name);
            if (!a) continue;
            const auto number = read_number(a->value);
            const bool small = number && *number < 1e5, first = !result;
            if (!offer(a, !number ? read_rate(a->value) : small ? *number * 1e6 : *number))
                unreadable(a);
            else if (number && first)
                ++losses_.guesses[fmt::format("numbers in `{}`, taken as {},", name, small ? "Mbit/s" : "bit/s")];
        }
        for (std::string_view name : kRateLabels)
            if (const ForeignAttribute* a = graph_.find(list, name)) offer(a, find_rate(a->value));
        return result;
    }

    // A time or length: with its unit as the file says it, without one in `unit`.
    std::optional<double> quantity(const ForeignAttributes& list, Names names,
                                   std::optional<double> (*read)(std::string_view), double unit,
                                   std::string_view unit_name, double most)
    {
        for (std::string_view name : names) {
            const ForeignAttribute* a = graph_.find(list, name);
            if (!a) continue;
            auto value = read(a->value);
            const auto number = value ? std::nullopt : read_number(a->value);
            if (number) value = *number * unit;
            if (!value || *value < 0 || *value > most) {
                unreadable(a);
                continue;
            }
            if (number && !network_.ours)
                ++losses_.guesses[fmt::format("numbers in `{}`, taken as {},", name, unit_name)];
            read_.insert(a);
            return value;
        }
        return std::nullopt;
    }

    std::optional<double> bytes(const ForeignAttributes& list, std::string_view name, double least, double most)
    {
        const ForeignAttribute* a = graph_.find(list, name);
        if (!a) return std::nullopt;
        auto value = read_number(a->value);
        if (!value) value = read_size(a->value);
        if (!value || *value < least || *value > most) return unreadable(a), std::nullopt;
        read_.insert(a);
        return value;
    }

    // The file has what the right end is to the left one. Siblings are one organisation: one system.
    AsRelation relation(const ForeignAttributes& list)
    {
        const ForeignAttribute* a = take(list, "relationship");
        if (a && a->value == "customer") return AsRelation::provider;
        if (a && a->value == "peer") return AsRelation::peer;
        return AsRelation::none;
    }

    // An edge that is a link, and the one that is its way back.
    struct JoinedEdge {
        std::uint32_t edge = 0;
        std::optional<std::uint32_t> back{};
    };

    // What an edge of a graph of ours is called.
    std::string_view own_name(const ForeignEdge& edge) const
    {
        const ForeignAttribute* name = network_.ours ? graph_.find(edge.attributes, "name") : nullptr;
        if (!name && network_.ours) name = graph_.find(edge.attributes, "key");
        return name ? std::string_view(name->value) : std::string_view();
    }

    // Whether an edge of a graph of ours says of both directions what it says, though it is directed: somebody has
    // made each edge two.
    bool says_both(const ForeignEdge& edge) const
    {
        return network_.ours && std::any_of(edge.attributes.begin(), edge.attributes.end(), [&](const auto& a) {
                   const std::string_view name = graph_.names[a.name];
                   return name.ends_with("_back") || name.ends_with("_back_drawn");
               });
    }

    bool is_one_way(const ForeignEdge& edge) const
    {
        const ForeignAttribute* said = network_.ours ? graph_.find(edge.attributes, "one_way") : nullptr;
        return said && said->value == "true";
    }

    // Which end of an edge of a graph of ours is the link's left one, where it says so. Programs write the ends of
    // edges without a direction in any order.
    enum class Left : std::uint8_t { unsaid, source, target, gone };
    Left left_of(const ForeignEdge& edge) const
    {
        const ForeignAttribute* said = network_.ours ? graph_.find(edge.attributes, "left") : nullptr;
        if (!said) return Left::unsaid;
        const auto is = [&](std::uint32_t node) {
            return said->value == graph_.nodes[node].id || said->value == network_.nodes[node].label;
        };
        return is(edge.from) ? Left::source : is(edge.to) ? Left::target : Left::gone;
    }

    // Two directed edges there and back are one link: in a graph of ours those of one name that are not one-way.
    std::vector<JoinedEdge> joined_edges()
    {
        std::vector<JoinedEdge> joined;
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::string_view>, std::deque<std::size_t>> waiting;
        for (std::uint32_t i = 0; i < graph_.edges.size(); ++i) {
            const ForeignEdge& edge = graph_.edges[i];
            if (edge.from == edge.to) {
                ++losses_.elements["self-loops"];
                continue;
            }
            if (!edge.directed || is_one_way(edge)) {
                joined.push_back({i});
                continue;
            }
            const std::string_view name = own_name(edge);
            const auto back = waiting.find({edge.to, edge.from, name});
            if (back == waiting.end() || back->second.empty()) {
                waiting[{edge.from, edge.to, name}].push_back(joined.size());
                joined.push_back({i});
                continue;
            }
            JoinedEdge& first = joined[back->second.front()];
            back->second.pop_front();
            if (says_both(edge)) continue;
            first.back = i;
            if (left_of(edge) == Left::source) std::swap(first.edge, *first.back);
        }
        std::uint64_t one_way = 0;
        for (const auto& [ends, links] : waiting) one_way += links.size();
        if (one_way > 0)
            losses_.guesses["directed edges without the other direction, taken as links both ways,"] = one_way;
        return joined;
    }

    void links()
    {
        for (const JoinedEdge& joined : joined_edges()) {
            const ForeignEdge& edge = graph_.edges[joined.edge];
            ImportedLink link;
            link.from = edge.from;
            link.to = edge.to;
            link.edge = joined.edge;
            link.edge_back = joined.back;
            link.offset = edge.offset;
            const Left left = left_of(edge);
            if (left == Left::target && (!edge.directed || says_both(edge))) std::swap(link.from, link.to);
            if (left == Left::gone)
                ++losses_.guesses["links whose left end has another name, of which the source is it,"];
            take(edge.attributes, "left");
            link.rate = rate(edge.attributes, &link.rate_back);
            link.delay = delay(edge, link.exact_delay, &link.delay_back);
            link.length = length(edge);
            link.mtu = bytes(edge.attributes, "mtu", 68, 65535);
            link.queue = bytes(edge.attributes, "queue", 1, kMostQueue);
            link.overhead = bytes(edge.attributes, "overhead", 0, 1024);
            if (graph_.format == GraphFormat::caida) link.relation = relation(edge.attributes);
            const auto &a = network_.nodes[edge.from].position, &b = network_.nodes[edge.to].position;
            if (!link.length && a && b && a->geographic && b->geographic)
                link.length = great_circle(a->y, a->x, b->y, b->x);
            if (network_.ours)
                ours(edge, link);
            else
                link.details = details(edge.attributes);
            for (std::string_view word : {"id", "key"}) take(edge.attributes, word);  // names, not properties
            count_unread(edge.attributes, losses_.edge_attributes);
            if (joined.back) other_way(graph_.edges[*joined.back], link);
            ++network_.nodes[edge.from].degree;
            ++network_.nodes[edge.to].degree;
            network_.links.push_back(link);
        }
        join_siblings();
        // Only routers and switches pass packets on.
        if ((graph_.format == GraphFormat::containerlab && !network_.ours) || graph_.format == GraphFormat::netlab)
            for (ImportedNode& node : network_.nodes)
                if (node.kind == abi::NodeKind::host && node.degree > 1) node.kind = abi::NodeKind::router;
    }

    // `exact`: of a graph of ours, what it is in ns. `back`: the other way, of `anmlc graph`'s DOT.
    std::optional<double> delay(const ForeignEdge& edge, std::string& exact, std::optional<double>* back = nullptr)
    {
        if (const auto both = back ? both_ways(edge.attributes, "delay", read_delay, 0, kMostDelay) : std::nullopt)
            return *back = both->second, both->first;
        const auto seconds = quantity(edge.attributes, kDelays, read_delay, 1e-3, "milliseconds", kMostDelay);
        const ForeignAttribute* const a = network_.ours ? graph_.find(edge.attributes, "delay") : nullptr;
        if (const auto ns = seconds && a ? read_milliseconds(a->value) : std::nullopt)
            exact = exact_quantity(*ns, dimension::time);
        return seconds;
    }

    // "10 Mbps / 2 Mbps", as `anmlc graph` writes DOT, whose edges have two directions.
    std::optional<std::pair<double, double>> both_ways(const ForeignAttributes& list, std::string_view name,
                                                       std::optional<double> (*read)(std::string_view), double least,
                                                       double most)
    {
        constexpr std::string_view kBetween = " / ";
        const ForeignAttribute* a = graph_.format == GraphFormat::dot ? graph_.find(list, name) : nullptr;
        const std::size_t at = a ? a->value.find(kBetween) : std::string::npos;
        if (at == std::string::npos) return std::nullopt;
        const auto there = read(a->value.substr(0, at)), back = read(a->value.substr(at + kBetween.size()));
        const auto possible = [&](const auto& value) { return value && *value >= least && *value <= most; };
        if (!possible(there) || !possible(back)) return std::nullopt;
        read_.insert(a);
        return std::pair(*there, *back);
    }

    std::optional<double> length(const ForeignEdge& edge)
    {
        return quantity(edge.attributes, kLengths, read_length, 1e3, "kilometres", kMostLength);
    }

    // What graphs of others say besides. A link that loses nothing says nothing.
    LinkDetails details(const ForeignAttributes& list)
    {
        if (graph_.format == GraphFormat::netlab) return read_link_details(reader(list), "", kUsualQueue, nullptr);
        LinkDetails result;
        const auto take_value = [&](std::string_view attribute, std::optional<double> value,
                                    const ForeignAttribute* a, double most, double usual) {
            if (!value || *value < 0 || *value > most) return unreadable(a);
            read_.insert(a);
            if (*value != usual) result.try_emplace(std::string(attribute), exact_quantity(*value, dimension::none));
        };
        for (std::string_view name : kLosses)
            if (const ForeignAttribute* a = graph_.find(list, name)) take_value("loss", read_ratio(a->value), a, 1, 0);
        if (const ForeignAttribute* a = graph_.find(list, "cost"))
            take_value("cost", read_number(a->value), a, kMostCost, 1);
        return result;
    }

    // A directed edge as the way back of a link.
    void other_way(const ForeignEdge& edge, ImportedLink& link)
    {
        link.rate_back = rate(edge.attributes);
        link.delay_back = delay(edge, link.exact_delay_back);
        link.queue_back = bytes(edge.attributes, "queue", 1, kMostQueue);
        const auto own_length = length(edge);
        link.length_back = own_length ? own_length : link.length;
        if (!link.delay_back && own_length && own_length != link.length) link.delay_back = *own_length / kFibreSpeed;
        // What a link has once.
        for (const auto& [name, value] : {std::pair{"mtu", link.mtu}, {"overhead", link.overhead}}) {
            const ForeignAttribute* a = graph_.find(edge.attributes, name);
            const auto number = a ? read_number(a->value) : std::nullopt;
            if (a && value && (number ? number : read_size(a->value)) == value) read_.insert(a);
        }
        for (std::string_view word : {"id", "key"}) take(edge.attributes, word);
        if (network_.ours) {
            link.details_back =
                read_link_details(reader(edge.attributes), "", link.queue_back.value_or(kUsualQueue), texts_);
            fill_defaults(link);
            for (std::string_view word : {"name", "links", "load", "down", "relation", "left"})
                take(edge.attributes, word);
        } else {
            link.details_back = details(edge.attributes);
            fill_defaults(link);
        }
        count_unread(edge.attributes, losses_.edge_attributes);
    }

    // What only the way there has is the default on the way back.
    static void fill_defaults(ImportedLink& link)
    {
        for (const auto& [name, value] : link.details) {
            if (name == "reorder_delay") continue;  // without reordering it is nothing
            const std::string queue =
                fmt::format("droptail({})", exact_quantity(link.queue_back.value_or(kUsualQueue), dimension::size));
            link.details_back.try_emplace(name, name == "queue" ? queue : usual_detail(name));
        }
    }

    // What the writer of `anmlc graph` says besides.
    void ours(const ForeignEdge& edge, ImportedLink& link)
    {
        const ForeignAttributes& list = edge.attributes;
        const auto back = [&](std::string_view name, double least, double most) {
            const ForeignAttribute* a = take(list, name);
            const auto value = a ? read_number(a->value) : std::nullopt;
            return value && *value >= least && *value <= most ? value : std::nullopt;
        };
        link.rate_back = back("rate_back", kLeastRate, kMostRate);
        link.delay_back = back("delay_back", 0, kMostDelay * 1e3);
        if (link.delay_back) {
            *link.delay_back *= 1e-3;
            if (const auto ns = read_milliseconds(graph_.find(list, "delay_back")->value))
                link.exact_delay_back = exact_quantity(*ns, dimension::time);
        }
        link.queue_back = back("queue_back", 1, kMostQueue);
        const double queue = link.queue.value_or(kUsualQueue);
        link.details = read_link_details(reader(list), "", queue, texts_);
        link.details_back = read_link_details(reader(list), "_back", link.queue_back.value_or(queue), texts_);
        if (const ForeignAttribute* relation = take(list, "relation"))
            for (const AsRelation r : {AsRelation::customer, AsRelation::peer, AsRelation::provider})
                if (relation->value == as_relation_name(r)) link.relation = r;
        const auto truth = [&](const char* key) {
            const ForeignAttribute* a = take(list, key);
            return a && a->value == "true";
        };
#define ANML_LINK_TRUTH(name, ...) link.name = truth(#name);
#include "base/link_attributes.def"
        for (std::string_view word : {"links", "load", "load_back", "down"}) take(list, word);
        link.one_way = truth("one_way");
        const ForeignAttribute* name = take(list, "name");
        if (!name) name = graph_.find(list, "key");
        if (name) link.name = name->value;
    }

    // By node: the first of those that some links join.
    template <class Joins>
    std::vector<std::uint32_t> joined_by(const Joins& joins) const
    {
        std::vector<std::uint32_t> parent(network_.nodes.size());
        std::iota(parent.begin(), parent.end(), 0u);
        const auto root = [&](std::uint32_t i) {
            while (parent[i] != i) i = parent[i] = parent[parent[i]];
            return i;
        };
        for (const ImportedLink& link : network_.links) {
            if (!joins(link)) continue;
            const std::uint32_t a = root(link.from), b = root(link.to);
            parent[std::max(a, b)] = std::min(a, b);
        }
        for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
        return parent;
    }

    // What a system says of itself, by way of siblings, counts for nothing.
    void join_siblings()
    {
        const auto system = joined_by([](const ImportedLink& link) { return link.relation == AsRelation::none; });
        for (ImportedLink& link : network_.links) {
            if (link.relation == AsRelation::none || system[link.from] != system[link.to]) continue;
            link.relation = AsRelation::none;
            ++losses_.elements["relations between siblings of siblings"];
        }
    }

    void components()
    {
        const auto first = joined_by([](const ImportedLink&) { return true; });
        std::vector<std::uint32_t> number(first.size());
        for (std::uint32_t i = 0; i < first.size(); ++i) {
            if (first[i] == i) number[i] = network_.components++;
            network_.nodes[i].component = number[first[i]];
        }
    }

    const ForeignGraph& graph_;
    ImportLosses& losses_;
    Diagnostics& diagnostics_;
    const GraphTexts* texts_;
    const bool planar_pairs_;
    ImportedNetwork network_;
    std::set<const ForeignAttribute*> read_;
    std::set<std::uint32_t> addresses_;  // that nodes have
};

}  // namespace

std::optional<ImportedNetwork> interpret_graph(const ForeignGraph& graph, ImportLosses& losses,
                                               Diagnostics& diagnostics, const GraphTexts* texts)
{
    return Interpreter(graph, losses, diagnostics, texts).run();
}

EdgeMeaning edge_meaning(std::string_view name)
{
    const auto in = [&](Names names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (in(kPlainRates) || in(kRates) || name == "LinkSpeed" || name == "LinkSpeedUnits") return EdgeMeaning::rate;
    if (in(kDelays)) return EdgeMeaning::delay;
    if (in(kLengths)) return EdgeMeaning::length;
    return in(kLosses) || in({"cost", "mtu", "queue", "overhead"}) ? EdgeMeaning::other : EdgeMeaning::nothing;
}

bool is_graph_of_ours(const ForeignGraph& graph)
{
    const ForeignAttribute* writer = graph.find(graph.attributes, "generator");
    return writer && writer->value == "anmlc";
}

}  // namespace anml
