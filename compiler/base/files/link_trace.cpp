#include "base/files/link_trace.h"

#include <fmt/format.h>

#include <charconv>

#include "base/files/data_file.h"
#include "runtime/abi/image.h"

namespace anml {

TraceError read_trace(std::string_view text, std::vector<std::uint32_t>& opportunities)
{
    opportunities.clear();
    if (text.size() > kLargestTrace) return {fmt::format("it is larger than {} MiB", kLargestTrace >> 20)};
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++line_number;
        const auto wrong = [&](std::string message) {
            return TraceError{std::move(message), line_number, begin, begin + line.size()};
        };
        std::uint32_t time = 0;
        const auto [stop, code] = std::from_chars(line.data(), line.data() + line.size(), time);
        if (line.empty()) return wrong("an empty line");
        if (code == std::errc::result_out_of_range) return wrong(fmt::format("`{}` is too large", shown(line)));
        if (code != std::errc{} || stop != line.data() + line.size())
            return wrong(fmt::format("`{}` is not a whole number of milliseconds", shown(line)));
        if (!opportunities.empty() && time < opportunities.back())
            return wrong(fmt::format("{} comes after {}: times must ascend", time, opportunities.back()));
        opportunities.push_back(time);
        begin = end + 1;
    }
    if (opportunities.empty()) return {"it is empty"};
    if (opportunities.back() == 0) {
        const std::size_t last = text.substr(0, text.size() - text.ends_with('\n')).rfind('\n') + 1;
        return {"the last time is 0, so that the trace has no length", line_number, last, text.size()};
    }
    return {};
}

double mean_rate(const std::vector<std::uint32_t>& opportunities)
{
    return 8e3 * abi::kOpportunityBytes * static_cast<double>(opportunities.size()) / opportunities.back();
}

}  // namespace anml
