#include "entry/options/address_maps.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "common/ascii.h"
#include "entry/tools/addresses.h"
#include "io/gateway/host_range.h"

namespace anml::rt::entry {

namespace {

constexpr std::size_t kMostPairs = 65536;
constexpr std::size_t kLongestLine = 256;

std::optional<Address> parse_address(std::string_view text)
{
    in_addr bits{};
    if (text.size() > 15 || inet_pton(AF_INET, std::string(text).c_str(), &bits) != 1) return std::nullopt;
    return Address{ntohl(bits.s_addr)};
}

// One side of a pair in `whole`, at which the message points.
std::optional<Address> one_host(std::string_view whole, std::string_view part, const std::string& where, bool columns,
                                std::string& error)
{
    const std::string_view text = trimmed(part);
    const auto place = [&] {
        if (!columns) return where;
        return fmt::format("{}:{}", where, (text.empty() ? part : text).data() - whole.data() + 1);
    };
    const std::optional<Address> address = parse_address(text);
    if (!address) {
        error = fmt::format("{}: `{}` is no address of IPv4", place(), text);
        return std::nullopt;
    }
    const std::uint32_t first = number(*address) >> 24;
    if (first != 0 && first != 127 && first < 224) return address;
    error = fmt::format("{}: {} is the address of no single host", place(), text);
    return std::nullopt;
}

// "VIRTUAL:REAL", or with a comma. "": added.
std::string add_pair(std::uint32_t endpoint, std::string_view text, char between, const std::string& where,
                     bool columns, std::vector<io::MappedAddress>& all)
{
    const std::size_t split = text.find(between);
    if (split == std::string_view::npos || text.find(between, split + 1) != std::string_view::npos)
        return fmt::format("{}{}: `{}` is no pair of addresses; write it as VIRTUAL{}REAL", where, columns ? ":1" : "",
                           trimmed(text), between);
    std::string error;
    const auto first = one_host(text, text.substr(0, split), where, columns, error);
    if (!first) return error;
    const auto second = one_host(text, text.substr(split + 1), where, columns, error);
    if (!second) return error;
    if (all.size() == kMostPairs) return fmt::format("{}: more than {} pairs", where, kMostPairs);
    all.push_back({endpoint, *first, *second, where});
    return "";
}

std::string read_file(std::uint32_t endpoint, const std::string& name, std::vector<io::MappedAddress>& all)
{
    std::error_code status;
    if (!std::filesystem::is_regular_file(name, status)) return fmt::format("--map: `{}` is no file", name);
    std::ifstream file(name);
    std::string line;
    for (std::size_t i = 1; std::getline(file, line); ++i) {
        const std::string where = fmt::format("{}:{}", name, i);
        if (line.size() > kLongestLine) return fmt::format("{}:{}: the line is too long", where, kLongestLine + 1);
        const std::string_view text = std::string_view(line).substr(0, line.find('#'));
        if (trimmed(text).empty() || (i == 1 && trimmed(text) == "virtual,real")) continue;
        if (std::string error = add_pair(endpoint, text, ',', where, true, all); !error.empty()) return error;
    }
    if (!file.eof()) return fmt::format("--map: cannot read `{}`", name);
    return "";
}

// Whether the endpoint stands for the address: its own, or one of its subnets.
bool stands_for(const abi::Image& image, const std::vector<io::SubnetBehind>& subnets, std::uint32_t endpoint,
                Address address)
{
    const auto prefixes = io::prefixes_of(image, endpoint);
    for (std::uint32_t i = 0; i < image.node_row_count; ++i)
        if (image.node_rows[i].endpoint == endpoint && image.node_rows[i].address == number(address)) return true;
    for (const abi::EndpointPrefixRow& prefix : prefixes)
        if (io::hosts_of(prefix).has(address)) return true;
    return std::any_of(subnets.begin(), subnets.end(), [&](const io::SubnetBehind& behind) {
        return behind.endpoint == endpoint && !behind.subnet.ipv6 && number(address) >= behind.subnet.first() &&
               number(address) <= behind.subnet.last();
    });
}

// Of the model's nodes, the one with the address, but for this endpoint; "": none.
std::string node_with(const abi::Image& image, std::uint32_t endpoint, Address address)
{
    if (number(address) == image.gateway) return "the model's gateway";
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (row.address == 0 || row.endpoint == endpoint) continue;
        if (number(address) >= row.address && number(address) - row.address < row.count)
            return fmt::format("the model's `{}`", image.strings + row.name);
    }
    return "";
}

}  // namespace

std::string read_address_map(std::uint32_t endpoint, const std::string& text, std::vector<io::MappedAddress>& all)
{
    // A pair begins with a digit; so does no file but with a folder before it.
    if (text.empty() || text.find(':') == std::string::npos || text[0] < '0' || text[0] > '9')
        return read_file(endpoint, text, all);
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view pair = std::string_view(text).substr(at, comma - at);
        if (std::string error = add_pair(endpoint, pair, ':', "--map", false, all); !error.empty()) return error;
        at = comma + 1;
    }
    return "";
}

std::string check_address_maps(const abi::Image& image, const std::vector<io::SubnetBehind>& subnets,
                               const std::vector<io::MappedAddress>& all)
{
    std::map<std::pair<std::uint32_t, Address>, const io::MappedAddress*> virtuals, reals;
    for (const io::MappedAddress& pair : all) {
        const char* name = image.strings + image.endpoints[pair.endpoint].name;
        const std::string from = format_address(number(pair.virtual_address)),
                          to = format_address(number(pair.real_address));
        for (const abi::EndpointPrefixRow& prefix : io::prefixes_of(image, pair.endpoint))
            if (prefix.kind == abi::PrefixKind::bridged)
                return fmt::format("{}: endpoint `{}` is bridged: its hosts keep their addresses", pair.where, name);
        if (!stands_for(image, subnets, pair.endpoint, pair.virtual_address))
            return fmt::format("{}: {} is neither the address of endpoint `{}` nor in a subnet of it", pair.where, from,
                               name);
        if (const std::string node = node_with(image, pair.endpoint, pair.real_address); !node.empty())
            return fmt::format("{}: {} is the address of {}, which the real hosts may want to reach", pair.where, to,
                               node);
        const auto [before, fresh] = virtuals.try_emplace({pair.endpoint, pair.virtual_address}, &pair);
        if (!fresh)
            return fmt::format("{}: {} stands for {} already ({})", pair.where,
                               format_address(number(before->second->real_address)), from, before->second->where);
        const auto [taken, first] = reals.try_emplace({pair.endpoint, pair.real_address}, &pair);
        if (!first)
            return fmt::format("{}: {} stands for {} already ({})", pair.where, to,
                               format_address(number(taken->second->virtual_address)), taken->second->where);
    }
    return "";
}

}  // namespace anml::rt::entry
