#include "base/files/data_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/files/read_file.h"

namespace anml {
namespace {

constexpr std::size_t kLongestShownPart = 40;
constexpr std::size_t kFractionDigits = 9;
constexpr double kLongest = 3.6e15;  // 1000 h

}  // namespace

std::string shown(std::string_view text)
{
    std::string part(text.substr(0, kLongestShownPart));
    for (char& c : part)
        if (c < 0x20 || c > 0x7e) c = '.';
    return text.size() > kLongestShownPart ? part + "..." : part;
}

LineError wrong_part(std::string_view line, std::string_view part, std::string message)
{
    const auto begin = static_cast<std::size_t>(part.data() - line.data());
    return {std::move(message), begin, begin + part.size()};
}

std::string read_lines(const std::string& path, std::size_t most,
                       const std::function<bool(std::string_view line, std::size_t begin)>& take)
{
    std::string rest;  // of a line whose end has not come
    std::size_t begin = 0;
    bool wanted = true, whole = true, first = true;
    std::string_view tool;
    const auto give = [&](std::string_view line) {
        begin += line.size() + 1;
        const std::size_t at = begin - line.size() - 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        wanted = take(line, at);
    };
    const std::string problem = read_blocks(path, most, Readable::files, [&](std::string_view block) {
        if (first) {  // what editors put before a text is none of it
            constexpr std::string_view kMark = "\xEF\xBB\xBF";
            if (block.starts_with(kMark)) block.remove_prefix(begin = kMark.size());
            if (tool = decompressor(block); !tool.empty()) return false;
            first = false;
        }
        while (wanted && !block.empty()) {
            const std::size_t end = block.find('\n');
            rest += block.substr(0, end);
            whole = rest.size() <= kLongestLine;
            if (end == block.npos || !whole) break;
            give(rest);
            rest.clear();
            block.remove_prefix(end + 1);
        }
        return wanted && whole;
    });
    if (!tool.empty()) return fmt::format("it is compressed: decompress it first, with `{}`", tool);
    if (!problem.empty()) return problem;
    if (!whole) return "it has a line of more than 1 MiB";
    if (wanted && !rest.empty()) give(rest);
    return "";
}

void sort_by_time(std::vector<FileArrival>& arrivals)
{
    const auto earlier = [](const FileArrival& a, const FileArrival& b) { return a.at < b.at; };
    if (std::is_sorted(arrivals.begin(), arrivals.end(), earlier)) return;
    std::vector<std::uint32_t> order(arrivals.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return arrivals[a].at != arrivals[b].at ? arrivals[a].at < arrivals[b].at : a < b;
    });
    std::vector<FileArrival> sorted;
    sorted.reserve(arrivals.size());
    for (const std::uint32_t i : order) sorted.push_back(arrivals[i]);
    arrivals = std::move(sorted);
}

std::optional<std::uint64_t> nanoseconds(std::string_view text)
{
    const char* const end = text.data() + text.size();
    if (text.find_first_not_of("0123456789.") != text.npos) {  // 1e-05
        double seconds = 0;
        const auto [stop, code] = std::from_chars(text.data(), end, seconds);
        if (code != std::errc{} || stop != end || !(seconds >= 0) || seconds * 1e9 > kLongest) return std::nullopt;
        return static_cast<std::uint64_t>(std::llround(seconds * 1e9));
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string_view whole = text.substr(0, point), fraction = text.substr(std::min(point + 1, text.size()));
    if (whole.empty() && fraction.empty()) return std::nullopt;
    while (fraction.ends_with('0')) fraction.remove_suffix(1);
    if (fraction.size() > kFractionDigits || fraction.find('.') != fraction.npos) return std::nullopt;
    std::string digits(whole);
    digits += fraction;
    digits.append(kFractionDigits - fraction.size(), '0');
    std::uint64_t ns = 0;
    const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), ns);
    if (code != std::errc{} || stop != digits.data() + digits.size() || static_cast<double>(ns) > kLongest)
        return std::nullopt;
    return ns;
}

}  // namespace anml
