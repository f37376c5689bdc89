// Numbers, distributions, records and selections as the language writes them. What a file holds counts as well as its
// name: a digest of it stands behind that.
#include "diff/texts.h"

#include <fmt/format.h>

#include <bit>
#include <cstdlib>

#include "analysis/network_queries.h"
#include "base/address.h"
#include "base/files/read_file.h"
#include "base/record_fields.h"
#include "base/values/value_walk.h"
#include "printer/names.h"

namespace anml {

namespace {

// FNV-1a.
class ContentDigest {
  public:
    void add(std::string_view bytes)
    {
        for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    void add(double number)
    {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        for (int shift = 0; shift < 64; shift += 8) value_ = (value_ ^ (bits >> shift & 255)) * 0x100000001b3u;
    }
    std::string text() const
    {
        return fmt::format("contents {:08x}", static_cast<std::uint32_t>(value_ ^ value_ >> 32));
    }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::string joined_parts(const std::vector<std::string>& parts)
{
    return parts.size() == 1 ? parts.front() : fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

std::string run_name(const std::string& name, bool is_array, std::uint32_t of, std::uint32_t first, std::uint32_t count,
                     const KeySet* keys)
{
    if (is_array && keys && (first != 0 || count != of)) return name + elements_of_array(keys, first, count);
    return name + elements(is_array, of, first, count);
}

std::vector<AttributeChange> attribute_changes(const Attributes& before, const Attributes& after)
{
    std::vector<AttributeChange> changes;
    if (before == after) return changes;
    std::map<std::string_view, std::string_view> now(after.begin(), after.end()), then(before.begin(), before.end());
    for (const auto& [name, value] : before) {
        const auto found = now.find(name);
        if (found == now.end() || found->second != value)
            changes.push_back({name, value, found == now.end() ? "" : std::string(found->second)});
    }
    for (const auto& [name, value] : after)
        if (!then.contains(name)) changes.push_back({name, "", value});
    return changes;
}

NetworkTexts::NetworkTexts(const BuiltNetwork& built)
    : network_(built.network), expressions_(built.network, names_, built.folder)
{
}

std::string NetworkTexts::data(ValueExprId id)
{
    const ValuePool& pool = network_.values;
    if (pool.tables().empty()) return "";
    ContentDigest digest;
    bool found = false;
    std::set<ValueExprId> seen;
    visit_operands_first(
        pool, id, [&](ValueExprId part) { return seen.contains(part); },
        [&](ValueExprId part) {
            seen.insert(part);
            const ValueNode& node = pool.node(part);
            if (node.op != ValueOp::empirical || pool.tables()[node.a].file.empty()) return;
            found = true;
            for (const double v : pool.tables()[node.a].values) digest.add(v);
            for (const double v : pool.tables()[node.a].cumulated) digest.add(v);
        });
    return found ? fmt::format(" ({})", digest.text()) : "";
}

std::string NetworkTexts::number(ValueExprId id, Dimension dim)
{
    if (const auto constant = network_.values.as_constant(id)) return exact_quantity(*constant, dim);
    std::string& text = numbers_[{id, {dim.time, dim.size, dim.length}}];
    if (text.empty()) text = expressions_.number(id, dim) + data(id);
    return text;
}

std::string NetworkTexts::truth(ValueExprId id)
{
    if (const auto constant = network_.values.as_constant(id)) return *constant != 0 ? "true" : "false";
    return expressions_.condition(id);
}

std::string NetworkTexts::drawn(const DistributionValue& value, Dimension dim)
{
    if (value.kind == abi::DistributionKind::constant) return number(value.a, dim);
    return expressions_.drawn(value, dim) + data(value.a);
}

std::string NetworkTexts::drawn(const DistributionValue& value, abi::FieldKind kind)
{
    if (kind == abi::FieldKind::random_ratio && value.kind == abi::DistributionKind::constant)
        if (const auto share = network_.values.as_constant(value.a)) {
            const std::string percent = fmt::format("{:.12g}", 100 * *share);
            if (std::strtod(percent.c_str(), nullptr) / 100 == *share) return percent + " %";
        }
    return drawn(value, dimension_of(kind));
}

std::string NetworkTexts::node(std::uint32_t id) const { return node_name(network_, id); }

std::string NetworkTexts::nodes(const std::vector<TargetRange>& ranges) const
{
    std::vector<std::string> parts;
    for (const TargetRange& range : ranges) {
        const NodeArray& row = network_.nodes[range.row.value];
        parts.push_back(run_name(row, range.first, range.count));
    }
    return joined_parts(parts);
}

std::string NetworkTexts::links(const std::vector<LinkSlice>& slices) const
{
    std::vector<std::string> parts;
    for (const LinkSlice& slice : slices) {
        const LinkArray& row = network_.links[slice.row.value];
        parts.push_back(run_name(row, slice.first, slice.count));
    }
    return joined_parts(parts);
}

std::string NetworkTexts::addresses(const RecordRanges& ranges) const
{
    std::vector<std::string> parts;
    for (const RecordRange& range : ranges) {
        if (range == kAnybody) {
            parts.emplace_back("anybody");
        } else if (range.is_prefix()) {
            parts.push_back(format_prefix(range.bits, range.length, true));
        } else if (range.row == abi::kNone) {
            parts.push_back(
                fmt::format("{}/{}", format_address(range.first), std::countl_zero(range.first ^ range.last)));
        } else {
            const NodeArray& row = network_.nodes[range.row];
            parts.push_back(run_name(row, range.first, range.last - range.first + 1));
        }
    }
    return joined_parts(parts);
}

std::string NetworkTexts::file(std::uint32_t index)
{
    std::string& text = files_[index];
    if (!text.empty()) return text;
    constexpr std::size_t kMost = std::size_t{1} << 40;
    ContentDigest digest;
    const DataFile& file = *network_.files[index];
    // It was read before, so that it can be again; else its counts say what it was.
    if (!read_blocks(file.path, kMost, Readable::files, [&](std::string_view block) {
             return digest.add(block), true;
         }).empty())
        for (const std::size_t count : {file.documents.size(), file.arrivals.size()})
            digest.add(static_cast<double>(count));
    return text = fmt::format("\"{}\" ({})", file.name, digest.text());
}

std::string NetworkTexts::trace(std::uint32_t index)
{
    const TraceInfo& info = network_.traces[index];
    ContentDigest digest;
    for (const std::uint32_t ms : *info.opportunities) digest.add(static_cast<double>(ms));
    return fmt::format("trace(\"{}\") ({})", info.name, digest.text());
}

const Attributes& NetworkTexts::record(std::uint32_t index)
{
    const auto [at, fresh] = records_.try_emplace(index);
    if (fresh) {
        Attributes made;
        flatten(index, "", made);
        records_[index] = std::move(made);
    }
    return records_.at(index);
}

void NetworkTexts::flatten(std::uint32_t index, const std::string& prefix, Attributes& out)
{
    constexpr std::string_view kLibrary = "std.";
    const RecordInfo& info = network_.records[index];
    const abi::RecordLayout layout = abi::record_layout(info.layout);
    const std::string own = prefix.empty() ? "" : prefix + ".";
    out.emplace_back(prefix, layout.schema.substr(layout.schema.starts_with(kLibrary) ? kLibrary.size() : 0));
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const abi::RecordField& field = layout.fields[i];
        const RecordValue& value = info.values[i];
        const std::string name = own + std::string(field.name);
        if (const auto* number = std::get_if<ValueExprId>(&value))
            out.emplace_back(name, field.kind == abi::FieldKind::truth
                                       ? truth(*number)
                                       : this->number(*number, dimension_of(field.kind)));
        else if (const auto* choice = std::get_if<RecordChoice>(&value))
            out.emplace_back(name, abi::choice_name(field, choice->ordinal));
        else if (const auto* draw = std::get_if<DistributionValue>(&value))
            out.emplace_back(name, drawn(*draw, field.kind));
        else if (const auto* ranges = std::get_if<RecordRanges>(&value))
            out.emplace_back(name, addresses(*ranges));
        else if (const auto* text = std::get_if<std::string>(&value))
            out.emplace_back(name, "\"" + *text + "\"");
        else if (const auto* path = std::get_if<RecordFile>(&value))
            out.emplace_back(name, file(path->index));
        else if (const auto* list = std::get_if<RecordList>(&value))
            for (std::size_t k = 0; k < list->size(); ++k) flatten((*list)[k], fmt::format("{}[{}]", name, k), out);
    }
}

std::string NetworkTexts::record_line(std::uint32_t index)
{
    if (index == abi::kNone) return "none";
    const Attributes& all = record(index);
    std::string list;
    for (std::size_t i = 1; i < all.size(); ++i)
        list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", all[i].first, all[i].second);
    return list.empty() ? all.front().second : fmt::format("{} {{ {} }}", all.front().second, list);
}

std::string NetworkTexts::processes()
{
    std::string text = expressions_.declarations();
    std::string line;
    for (const char c : text)
        if (c != '\n' && c != ' ')
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    return line;
}

const std::vector<AttributeChange>& ComparedTexts::record_changes(const std::string& name, std::uint32_t b,
                                                                  std::uint32_t a)
{
    const auto [at, fresh] = known_.try_emplace({name, b, a});
    if (!fresh) return at->second;
    std::vector<AttributeChange> changes;
    if (b != abi::kNone && a != abi::kNone && before.record(b).front() == after.record(a).front()) {
        changes = attribute_changes(before.record(b), after.record(a));
        for (AttributeChange& change : changes) change.name = name + "." + change.name;
    } else if (b != abi::kNone || a != abi::kNone) {
        changes.push_back({name, before.record_line(b), after.record_line(a)});
    }
    return at->second = std::move(changes);
}

}  // namespace anml
