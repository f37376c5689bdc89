#include "net/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace anml::rt {

namespace {

// Rows with a count, sorted by `key`.
template <class Row, class Key>
std::vector<std::uint32_t> sorted_rows(const Row* rows, std::uint32_t count, Key key)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < count; ++i)
        if (rows[i].count > 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(rows[a]) < key(rows[b]); });
    return order;
}

// The last row in `order` whose key is not above `wanted`, kNone if there is none.
template <class Row, class Key>
std::uint32_t last_not_above(const std::vector<std::uint32_t>& order, const Row* rows, std::uint32_t wanted, Key key)
{
    auto above = std::upper_bound(order.begin(), order.end(), wanted,
                                  [&](std::uint32_t value, std::uint32_t row) { return value < key(rows[row]); });
    return above == order.begin() ? kNone : *(above - 1);
}

// Whether `row` is "ea[2]" where the name is "ea": a loop makes a row per index.
bool is_element(std::string_view row, std::string_view name)
{
    return row.size() > name.size() + 2 && row.starts_with(name) && row[name.size()] == '[' &&
           row.find_first_of(".[]", name.size() + 1) == row.size() - 1 && row.back() == ']';
}

// The element of that text; kNone: there is none.
std::uint32_t element_with(const abi::Image& image, std::uint32_t keys, std::uint32_t count,
                           std::string_view wanted)
{
    std::uint32_t element = kNone;
    if (keys == kNone) {
        const char* const end = wanted.data() + wanted.size();
        const auto [stop, error] = std::from_chars(wanted.data(), end, element);
        return error == std::errc() && stop == end && element < count ? element : kNone;
    }
    for (element = 0; element < count; ++element)
        if (image.strings + image.keys[keys + element] == wanted) return element;
    return kNone;
}

auto first_node = [](const abi::NodeRow& row) { return row.first_node; };
auto first_address = [](const abi::NodeRow& row) { return row.address; };
auto first_link = [](const abi::LinkRow& row) { return row.first_link; };

}  // namespace

std::vector<double> bind_values(const abi::Image& image, std::span<const double> tunables,
                                std::span<const double> measures)
{
    std::vector<double> arguments(tunables.begin(), tunables.end()), values(image.value_count);
    arguments.insert(arguments.end(), measures.begin(), measures.end());
    arguments.resize(image.tunable_count + image.measure_count, std::numeric_limits<double>::quiet_NaN());
    image.bind(arguments.data(), values.data());
    return values;
}

std::string element_text(const abi::Image& image, std::uint32_t keys, std::uint32_t element)
{
    return keys == kNone ? std::to_string(element) : std::string(image.strings + image.keys[keys + element]);
}

Model::Model(const abi::Image& image, std::span<const double> tunables)
    : image_(&image),
      tunables_(tunables.begin(), tunables.end()),
      values_(bind_values(image, tunables)),
      subnets_(image),
      documents_(*this)
{
    rows_by_node_ = sorted_rows(image.node_rows, image.node_row_count, first_node);
    rows_by_link_ = sorted_rows(image.link_rows, image.link_row_count, first_link);
    rows_by_address_ = sorted_rows(image.node_rows, image.node_row_count, first_address);
    std::erase_if(rows_by_address_, [&](std::uint32_t row) { return image.node_rows[row].address == 0; });
    for (const std::uint32_t row : rows_by_node_)
        if (image.node_rows[row].ipv6[0] != 0) rows_by_ipv6_.push_back(row);
    std::sort(rows_by_ipv6_.begin(), rows_by_ipv6_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(image.node_rows[a].ipv6, image.node_rows[b].ipv6);
    });
}

void Model::bind(std::span<const double> tunables)
{
    tunables_.assign(tunables.begin(), tunables.end());
    values_ = bind_values(image(), tunables);
}

Time Model::time(abi::ValueId id) const { return std::llround(values_[id]); }

std::uint64_t Model::integer(abi::ValueId id) const
{
    return values_[id] > 0 ? static_cast<std::uint64_t>(std::llround(values_[id])) : 0;
}

std::uint32_t Model::row_of(NodeId node) const
{
    return last_not_above(rows_by_node_, image_->node_rows, node, first_node);
}

Address Model::address(NodeId node) const
{
    const abi::NodeRow& row = node_row(node);
    return row.address == 0 ? Address::none : Address{row.address + (node - row.first_node)};
}

bool Model::is_anycast(Address address) const
{
    const std::span rows(image_->node_rows, image_->node_row_count);
    return address != Address::none &&
           std::ranges::any_of(rows, [&](const abi::NodeRow& row) { return Address{row.anycast} == address; });
}

std::optional<NodeId> Model::node_with(Address wanted) const
{
    if (is_ipv6_of_node(wanted)) return ipv6_node(wanted);
    const std::uint32_t address = number(wanted);
    std::uint32_t index = last_not_above(rows_by_address_, image_->node_rows, address, first_address);
    if (index == kNone) return std::nullopt;
    const abi::NodeRow& row = image_->node_rows[index];
    if (address - row.address >= row.count) return std::nullopt;
    return row.first_node + (address - row.address);
}

std::string Model::node_name(NodeId node) const
{
    const abi::NodeRow& row = node_row(node);
    if (!row.is_array) return std::string(text(row.name));
    return fmt::format("{}[{}]", text(row.name), element_text(*image_, row.keys, node - row.first_node));
}

void Model::divide(std::vector<abi::TaskRow> rows, std::uint32_t count)
{
    divided_ = std::move(rows);
    divided_tasks_ = count;
}

std::span<const abi::TaskRow> Model::task_rows() const
{
    if (!divided_.empty()) return divided_;
    return {image_->task_rows, image_->task_row_count};
}

const abi::TaskRow& Model::task_of(NodeId node) const
{
    const std::span<const abi::TaskRow> rows = task_rows();
    return *(std::upper_bound(rows.begin(), rows.end(), node,
                              [](NodeId id, const abi::TaskRow& row) { return id < row.first_node; }) -
             1);
}

std::uint32_t Model::link_row_of(LinkId link) const
{
    return last_not_above(rows_by_link_, image_->link_rows, link, first_link);
}

NodeId Model::end_of(LinkId link, std::uint32_t far) const
{
    const abi::LinkRow& row = image_->link_rows[link_row_of(link)];
    const std::uint32_t offset = link - row.first_link, end = (offset & 1) ^ far;
    return row.node[end] + offset / 2 * row.stride[end];
}
NodeId Model::near_end(LinkId link) const { return end_of(link, 0); }
NodeId Model::far_end(LinkId link) const { return end_of(link, 1); }

std::string Model::link_name(LinkId link) const
{
    const abi::LinkRow& row = image_->link_rows[link_row_of(link)];
    std::uint32_t offset = link - row.first_link;
    char direction = offset % 2 == 0 ? '>' : '<';
    if (!row.is_array) return fmt::format("{}{}", text(row.name), direction);
    return fmt::format("{}[{}]{}", text(row.name), element_text(*image_, row.keys, offset / 2), direction);
}

std::vector<LinkId> Model::links_named(std::string_view name) const
{
    bool forward = true, back = true;
    if (name.ends_with('>') || name.ends_with('<')) {
        forward = name.back() == '>';
        back = !forward;
        name.remove_suffix(1);
    }
    std::string_view array = name, chosen;
    if (auto bracket = name.rfind('['); bracket != name.npos && name.ends_with(']')) {
        array = name.substr(0, bracket);
        chosen = name.substr(bracket + 1, name.size() - bracket - 2);
    }
    std::vector<LinkId> links;
    auto add = [&](const abi::LinkRow& row, std::uint32_t index) {
        if (forward) links.push_back(row.first_link + 2 * index);
        if (back) links.push_back(row.first_link + 2 * index + 1);
    };
    for (std::uint32_t i = 0; i < image_->link_row_count; ++i) {
        const abi::LinkRow& row = image_->link_rows[i];
        if (text(row.name) == name || is_element(text(row.name), name))
            for (std::uint32_t index = 0; index < row.count; ++index) add(row, index);
        else if (row.is_array && !chosen.empty() && text(row.name) == array)
            if (const std::uint32_t element = element_with(*image_, row.keys, row.count, chosen); element != kNone)
                add(row, element);
    }
    return links;
}

}  // namespace anml::rt
