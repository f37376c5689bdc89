// What distinguishes a network from another one, by the rows of its nodes and links: for pictures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace anml {

enum class Mark : std::uint8_t { same, added, removed, changed };
constexpr const char* mark_name(Mark mark)
{
    constexpr const char* kNames[] = {"the same", "added", "removed", "changed"};
    return kNames[static_cast<int>(mark)];
}

// Elements [first, first + count) of a row; what lies in no run is the same.
struct MarkedRun {
    std::uint32_t first = 0, count = 0;
    Mark mark{};
    std::string text;  // what is said of it: "delay: 5 ms -> 8 ms"; lines
};
using RowMarks = std::vector<MarkedRun>;  // ascending, without overlaps

// What is said of the networks besides: of routes, requirements, parameters.
struct MarkedEntry {
    Mark mark{};
    std::string name, text;            // text as MarkedRun's
    std::optional<std::uint32_t> row;  // of nodes, where there is one to look at
    std::uint32_t element = 0;
};
struct MarkedPart {
    std::string title;                 // "Routes: 12 of 40 change, at 3 nodes"
    std::vector<MarkedEntry> entries;  // the first ones
    std::size_t more = 0;              // than these
};

struct NetworkMarks {
    std::vector<RowMarks> nodes, links;  // by row
    std::vector<MarkedPart> others;
};

// What is drawn may stand for several elements.
struct MarkSum {
    std::optional<Mark> mark;  // nothing: no element yet; several different ones: changed
    std::string text;

    void add(const RowMarks& row, std::uint32_t first, std::uint32_t count)
    {
        constexpr std::size_t kMostText = 400;
        const auto put = [&](Mark next) { mark = !mark || *mark == next ? next : Mark::changed; };
        std::uint32_t at = first;
        for (auto run = std::lower_bound(row.begin(), row.end(), first,
                                         [](const MarkedRun& r, std::uint32_t e) { return r.first + r.count <= e; });
             run != row.end() && run->first < first + count; ++run)
        {
            if (run->first > at) put(Mark::same);
            put(run->mark);
            if (!run->text.empty() && text.find(run->text) == std::string::npos && text.size() < kMostText)
                text += (text.empty() ? "" : "\n") + run->text;
            at = run->first + run->count;
        }
        if (at < first + count) put(Mark::same);
    }

    // Of what lies inside of it: alike or not, it stays what it is, or is changed.
    void add_inner(const RowMarks& row, std::uint32_t first, std::uint32_t count)
    {
        MarkSum inner;
        inner.add(row, first, count);
        if (inner.mark == Mark::same) return;
        if (mark == Mark::same) mark = Mark::changed;
        if (!inner.text.empty() && text.find(inner.text) == std::string::npos)
            text += (text.empty() ? "" : "\n") + inner.text;
    }
};

}  // namespace anml
