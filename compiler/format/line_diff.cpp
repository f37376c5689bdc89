// The shortest edit script, by E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986;
// shown in the unified format.
#include "format/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace anml {

namespace {

using Lines = std::vector<std::string_view>;

constexpr long kContext = 3;
constexpr long kMostEdits = 2000;  // beyond it the rest counts as replaced: the script's search takes its square

Lines split(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

struct LineEdit {
    char sign;  // ' ', '-' or '+'
    std::string_view line;
    long before, after;  // lines ahead of it
};

// Edits of a[first_a, end_a) to b[first_b, end_b).
void shortest_script(const Lines& a, const Lines& b, long first_a, long end_a, long first_b, long end_b,
                     std::vector<LineEdit>& script)
{
    const long n = end_a - first_a, m = end_b - first_b, most = std::min(n + m, kMostEdits);
    std::vector<std::vector<long>> trace;
    std::vector<long> reach(static_cast<std::size_t>(2 * most + 3), 0);  // by diagonal
    auto at = [&](std::vector<long>& v, long k) -> long& { return v[static_cast<std::size_t>(k + most + 1)]; };
    long found = -1;
    for (long d = 0; d <= most && found < 0; ++d) {
        trace.push_back(reach);
        for (long k = -d; k <= d; k += 2) {
            bool down = k == -d || (k != d && at(reach, k - 1) < at(reach, k + 1));
            long x = down ? at(reach, k + 1) : at(reach, k - 1) + 1, y = x - k;
            while (x < n && y < m &&
                   a[static_cast<std::size_t>(first_a + x)] == b[static_cast<std::size_t>(first_b + y)])
                ++x, ++y;
            at(reach, k) = x;
            if (x >= n && y >= m) found = d;
            if (found >= 0) break;
        }
    }
    std::vector<LineEdit> back;
    long x = n, y = m;
    auto step = [&](char sign) {
        long before = first_a + x - (sign != '+'), after = first_b + y - (sign != '-');
        const std::string_view line =
            sign == '+' ? b[static_cast<std::size_t>(after)] : a[static_cast<std::size_t>(before)];
        back.push_back({sign, line, before, after});
        x -= sign != '+';
        y -= sign != '-';
    };
    if (found < 0) {
        while (y > 0) step('+');
        while (x > 0) step('-');
    }
    for (long d = found; d >= 0 && (x > 0 || y > 0); --d) {
        std::vector<long>& v = trace[static_cast<std::size_t>(d)];
        const long k = x - y;
        const bool down = k == -d || (k != d && at(v, k - 1) < at(v, k + 1));
        const long from_k = down ? k + 1 : k - 1, from_x = d == 0 ? 0 : at(v, from_k),
                   from_y = d == 0 ? 0 : from_x - from_k;
        while (x > from_x && y > from_y) step(' ');
        if (d > 0) step(down ? '+' : '-');
    }
    script.insert(script.end(), back.rbegin(), back.rend());
}

std::string hunk(const std::vector<LineEdit>& script, std::size_t first, std::size_t last)
{
    std::string body;
    long removed = 0, added = 0;
    for (std::size_t i = first; i < last; ++i) {
        const LineEdit& edit = script[i];
        removed += edit.sign != '+';
        added += edit.sign != '-';
        body += edit.sign;
        body += edit.line;
        if (!edit.line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    const LineEdit& begin = script[first];
    return fmt::format("@@ -{},{} +{},{} @@\n{}", begin.before + (removed > 0), removed, begin.after + (added > 0),
                       added, body);
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after)
{
    if (before == after) return {};
    const Lines a = split(before), b = split(after);
    const long n = static_cast<long>(a.size()), m = static_cast<long>(b.size());
    long same = 0, tail = 0;
    while (same < std::min(n, m) && a[static_cast<std::size_t>(same)] == b[static_cast<std::size_t>(same)]) ++same;
    while (tail < std::min(n, m) - same &&
           a[static_cast<std::size_t>(n - 1 - tail)] == b[static_cast<std::size_t>(m - 1 - tail)])
        ++tail;
    std::vector<LineEdit> script;
    for (long i = std::max(0L, same - kContext); i < same; ++i)
        script.push_back({' ', a[static_cast<std::size_t>(i)], i, i});
    shortest_script(a, b, same, n - tail, same, m - tail, script);
    for (long i = 0; i < std::min(tail, kContext); ++i)
        script.push_back({' ', a[static_cast<std::size_t>(n - tail + i)], n - tail + i, m - tail + i});

    std::string out = fmt::format("--- {}\n+++ {}\n", path, path);
    const std::size_t context = static_cast<std::size_t>(kContext);
    for (std::size_t i = 0; i < script.size();) {
        if (script[i].sign == ' ') {
            ++i;
            continue;
        }
        std::size_t last = i, quiet = 0;  // changes closer than twice the context share a hunk
        for (std::size_t j = i; j < script.size() && quiet <= 2 * context; ++j) {
            quiet = script[j].sign == ' ' ? quiet + 1 : 0;
            if (quiet == 0) last = j;
        }
        std::size_t end = std::min(script.size(), last + 1 + context);
        out += hunk(script, i - std::min(i, context), end);
        i = end;
    }
    return out;
}

}  // namespace anml
