#include "io/device/model_prefixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "io/device/dotted.h"

namespace anml::rt::io {

namespace {

struct Run {
    std::uint64_t first, last;
};

// The least list of prefixes that covers exactly the run.
void cover(const Run& run, std::vector<AddressPrefix>& prefixes)
{
    for (std::uint64_t at = run.first; at <= run.last;) {
        const int aligned = at == 0 ? 32 : std::countr_zero(at);
        const int bits = std::min<int>(aligned, std::bit_width(run.last - at + 1) - 1);
        prefixes.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(32 - bits)});
        at += std::uint64_t{1} << bits;
    }
}

__extension__ typedef unsigned __int128 Bits;
struct LongRun {
    Bits first, last;
};

Subnet subnet_of(Bits first, std::uint32_t length)
{
    Subnet subnet{true, {}, length};
    for (std::size_t i = 0; i < subnet.bits.size(); ++i)
        subnet.bits[i] = static_cast<std::uint8_t>(first >> (120 - 8 * i));
    return subnet;
}

// The same of IPv6. No run reaches the last address of all.
void cover(const LongRun& run, std::vector<Subnet>& prefixes)
{
    for (Bits at = run.first; at <= run.last;) {
        std::uint32_t bits = 0;
        while (bits < 127 && (at >> bits & 1) == 0 && run.last - at >= (Bits{2} << bits) - 1) ++bits;
        prefixes.push_back(subnet_of(at, 128 - bits));
        at += Bits{1} << bits;
    }
}

}  // namespace

std::string shown(const AddressPrefix& prefix) { return fmt::format("{}/{}", dotted(prefix.first), prefix.length); }

std::vector<AddressPrefix> model_prefixes(const abi::Image& image, std::uint32_t own)
{
    const std::uint64_t pool = image.pool_first, pool_end = pool + (std::uint64_t{1} << (32 - image.pool_length));
    std::vector<Run> runs;
    const auto add = [&](std::uint64_t first, std::uint64_t end) {
        if (first < end) runs.push_back({first, end - 1});
    };
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (row.address == 0 || row.address == own || is_ipv6(Address{row.address})) continue;
        const std::uint64_t first = row.address, end = first + row.count;
        add(first, std::min(end, pool));
        add(std::max(first, pool_end), end);
    }
    // Anycast addresses that are not its own.
    const auto shares = [&](const abi::NodeRow& row) { return own >= row.address && own - row.address < row.count; };
    std::uint32_t shared = 0;
    for (std::uint32_t i = 0; i < image.node_row_count; ++i)
        if (shares(image.node_rows[i])) shared = image.node_rows[i].anycast;
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const std::uint64_t address = image.node_rows[i].anycast;
        const bool given = address != 0 && address < abi::kIpv6Handles && address != shared;
        if (given && (address < pool || address >= pool_end)) add(address, address + 1);
    }
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::vector<AddressPrefix> prefixes{{image.pool_first, image.pool_length}};
    for (std::size_t i = 0; i < runs.size();) {
        Run run = runs[i++];
        while (i < runs.size() && runs[i].first <= run.last + 1) run.last = std::max(run.last, runs[i++].last);
        cover(run, prefixes);
    }
    return prefixes;
}

std::vector<Subnet> model_prefixes_ipv6(const abi::Image& image)
{
    std::vector<LongRun> runs;
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        if (row.ipv6[0] == 0 || row.count == 0) continue;
        Bits first = 0;
        for (const std::uint32_t word : row.ipv6) first = first << 32 | word;
        runs.push_back({first, first + (row.count - 1)});
        Bits shared = 0;
        for (const std::uint32_t word : row.anycast_ipv6) shared = shared << 32 | word;
        if (shared != 0) runs.push_back({shared, shared});
    }
    std::ranges::sort(runs, {}, &LongRun::first);
    std::vector<Subnet> prefixes{{true, {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 96}};
    for (std::size_t i = 0; i < runs.size();) {
        LongRun run = runs[i++];
        while (i < runs.size() && runs[i].first <= run.last + 1) run.last = std::max(run.last, runs[i++].last);
        cover(run, prefixes);
    }
    return prefixes;
}

}  // namespace anml::rt::io
