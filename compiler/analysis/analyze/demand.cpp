#include "analysis/analyze/demand.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/values/quantity.h"

namespace anml {
namespace {

class Reader {
  public:
    Reader(const Network& network, const SourceSet& sources, FileId file, Diagnostics& diagnostics)
        : network_(network), text_(sources.file(file).text), file_(file), diagnostics_(diagnostics)
    {
        for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
            rows_.emplace(network.nodes[row].name, NodeRowId(row));
            names_.push_back(network.nodes[row].name);
        }
    }

    std::optional<std::vector<DemandLine>> run()
    {
        std::vector<DemandLine> lines;
        bool good = true, first = true;
        for (std::size_t begin = 0; begin < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            const Field line = trimmed({begin, end});
            begin = end + 1;
            if (line.empty() || text_[line.begin] == '#') continue;
            const bool header = first && text_.substr(line.begin, line.end - line.begin) == "from,to,rate";
            first = false;
            if (header) continue;
            if (const auto demand = read_line(line))
                lines.push_back(*demand);
            else if (good = false; ++errors_ == 10)
                break;
        }
        if (good && lines.empty()) report({0, 0}, "the file asks for nothing: lines are `from,to,rate`"), good = false;
        if (!good) return std::nullopt;
        return lines;
    }

  private:
    struct Field {
        std::size_t begin, end;
        bool empty() const { return begin == end; }
    };

    std::string_view text(Field field) const { return text_.substr(field.begin, field.end - field.begin); }
    Field trimmed(Field field) const
    {
        const auto blank = [&](std::size_t at) { return text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r'; };
        while (field.begin < field.end && blank(field.begin)) ++field.begin;
        while (field.begin < field.end && blank(field.end - 1)) --field.end;
        return field;
    }
    Diagnostics::Builder report(Field field, std::string message)
    {
        const Span span{file_, static_cast<std::uint32_t>(field.begin), static_cast<std::uint32_t>(field.end)};
        return diagnostics_.report(Diag::invalid_demand, span, std::move(message));
    }

    std::optional<DemandLine> read_line(Field line)
    {
        Field fields[3];
        std::size_t count = 0;
        for (std::size_t begin = line.begin;; ++count) {
            const std::size_t end = std::min(text_.find(',', begin), line.end);
            if (count < 3) fields[count] = trimmed({begin, end});
            if (end >= line.end) break;
            begin = end + 1;
        }
        if (++count != 3) {
            report(line, fmt::format("a line has three fields, `from,to,rate`; this one has {}", count));
            return std::nullopt;
        }
        const auto from = read_nodes(fields[0]), to = read_nodes(fields[1]);
        const auto rate = parse_quantity(text(fields[2]));
        if (!rate || rate->dim != dimension::rate || rate->value < 0) {
            report(fields[2], fmt::format("`{}` is not a rate", text(fields[2]))).help("such as `10 Mbps`");
            return std::nullopt;
        }
        if (!from || !to) return std::nullopt;
        return DemandLine{*from, *to, rate->value};
    }

    // "gateway", "client" (all of them), "client[3]".
    std::optional<TargetRange> read_nodes(Field field)
    {
        std::string_view name = text(field);
        if (const auto row = rows_.find(name); row != rows_.end()) return whole(field, row->second);
        if (!name.empty() && name.back() == ']') {
            const std::size_t open = name.rfind('[');
            const auto row = rows_.find(name.substr(0, open));
            std::uint32_t element = 0;
            const std::string_view digits = name.substr(open + 1, name.size() - open - 2);
            if (row != rows_.end() && network_.nodes[row->second.value].keys) {
                const NodeArray& group = network_.nodes[row->second.value];
                if (const auto at = group.keys->find(digits); at && *at < group.count)
                    return TargetRange{row->second, *at, 1};
                for (std::uint32_t i = 0; i < group.count; ++i)
                    if (key_in_names((*group.keys)[i]) == digits) return TargetRange{row->second, i, 1};
            }
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), element);
            if (row != rows_.end() && error == std::errc() && end == digits.data() + digits.size()) {
                const NodeArray& group = network_.nodes[row->second.value];
                if (group.is_array && element < group.count) return TargetRange{row->second, element, 1};
                report(field, fmt::format("`{}` has {} elements", group.name, group.is_array ? group.count : 0));
                return std::nullopt;
            }
        }
        auto builder = report(field, fmt::format("no node is called `{}`", name));
        if (!diagnostics_.suggests()) return std::nullopt;
        if (const std::string_view similar = similar_name(name, names_); !similar.empty())
            builder.help(fmt::format("there is `{}`", similar));
        return std::nullopt;
    }

    std::optional<TargetRange> whole(Field field, NodeRowId row)
    {
        const NodeArray& group = network_.nodes[row.value];
        if (group.address != 0) return TargetRange{row, 0, group.count};
        report(field, fmt::format("`{}` is a switch, to which nothing can be sent", group.name));
        return std::nullopt;
    }

    const Network& network_;
    std::string_view text_;
    FileId file_;
    Diagnostics& diagnostics_;
    std::map<std::string_view, NodeRowId> rows_;
    std::vector<std::string_view> names_;
    int errors_ = 0;
};

// By pair of terminals: the sum of all lines.
PairDemand listed(const Places& places, const std::vector<DemandLine>& lines)
{
    std::vector<std::uint32_t> index(places.places().size(), Places::kNone);
    for (std::uint32_t i = 0; i < places.terminals().size(); ++i) index[places.terminals()[i]] = i;
    const auto terminals_of = [&](const TargetRange& range) {
        std::vector<std::uint32_t> list;
        for (std::uint32_t element = range.first; element < range.first + range.count;) {
            const std::uint32_t place = places.place_of(range.row, element);
            if (index[place] != Places::kNone) list.push_back(index[place]);
            element = places.places()[place].element + places.places()[place].count;
        }
        return list;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> sums;
    for (const DemandLine& line : lines)
        for (const std::uint32_t from : terminals_of(line.from))
            for (const std::uint32_t to : terminals_of(line.to)) sums[{from, to}] += line.rate;
    return [sums = std::move(sums)](std::uint32_t from, std::uint32_t to) {
        const auto at = sums.find({from, to});
        return at == sums.end() ? 0 : at->second;
    };
}

}  // namespace

std::optional<std::vector<DemandLine>> read_demands(const std::string& path, const Network& network, SourceSet& sources,
                                                    Diagnostics& diagnostics)
{
    const std::size_t files = sources.files.size();
    if (!load_file(path, sources, diagnostics) || sources.files.size() == files) return std::nullopt;
    return Reader(network, sources, FileId(static_cast<std::uint32_t>(files)), diagnostics).run();
}

PairDemand make_demand(const Places& places, const DemandOptions& options, const std::vector<DemandLine>& lines)
{
    if (options.kind == DemandKind::file) return listed(places, lines);
    if (options.kind == DemandKind::workloads) return [](std::uint32_t, std::uint32_t) { return 0.0; };
    // Masses; the sum over all ordered pairs of different nodes is (sum of masses)^2 - sum of squares.
    std::vector<double> masses(places.terminals().size(), options.kind == DemandKind::uniform ? 1 : 0);
    if (options.kind == DemandKind::gravity) {
        std::vector<double> capacity(places.places().size());
        for (const Slot& slot : places.slots()) capacity[slot.from] += slot.rate;
        for (std::size_t i = 0; i < masses.size(); ++i) masses[i] = capacity[places.terminals()[i]] / 1e9;
    }
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        const double count = places.places()[places.terminals()[i]].count;
        sum += count * masses[i];
        squares += count * masses[i] * masses[i];
    }
    const double all = sum * sum - squares;
    const double scale = options.total && all > 0 ? *options.total / all : 1;
    return [masses = std::move(masses), scale](std::uint32_t from, std::uint32_t to) {
        return scale * masses[from] * masses[to];
    };
}

}  // namespace anml
