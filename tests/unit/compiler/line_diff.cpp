// The unified format: what it says, applied to the old text, makes the new one.
#include "format/line_diff.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace ANML_UNIT_FILE {

using anml::unified_diff;

namespace {

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        lines.push_back(text.substr(at, end + 1 - at));
        at = end + 1;
    }
    return lines;
}

// As patch does it, without looking around for moved hunks.
std::string patched(const std::string& before, const std::string& diff)
{
    std::vector<std::string> old = lines_of(before), edits = lines_of(diff);
    std::string out;
    std::size_t at = 0;
    for (std::size_t i = 2; i < edits.size(); ++i) {
        if (edits[i][0] == '@') {
            long begin = 0, count = 0;
            REQUIRE(std::sscanf(edits[i].c_str(), "@@ -%ld,%ld", &begin, &count) == 2);
            const std::size_t first = static_cast<std::size_t>(count > 0 ? begin - 1 : begin);
            REQUIRE(first >= at);
            while (at < first) out += old[at++];
            continue;
        }
        if (edits[i][0] == '\\') continue;
        std::string line = edits[i].substr(1);
        if (i + 1 < edits.size() && edits[i + 1][0] == '\\') line.pop_back();
        if (edits[i][0] == '+') {
            out += line;
            continue;
        }
        REQUIRE(at < old.size());
        REQUIRE(old[at] == line);
        if (edits[i][0] == ' ') out += line;
        ++at;
    }
    while (at < old.size()) out += old[at++];
    return out;
}

}  // namespace

TEST_CASE("a difference applies", "[driver]")
{
    CHECK(unified_diff("f", "a\n", "a\n").empty());
    CHECK(unified_diff("f", "a\nb\n", "a\nc\n") == "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    CHECK(unified_diff("f", "", "a\n") == "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
    CHECK(unified_diff("f", "a", "a\n") == "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
    std::minstd_rand random(1);
    for (int round = 0; round < 300; ++round) {
        std::string before, after;
        for (std::uint32_t n = random() % 60; n > 0; --n) {
            const std::string line = std::string(1, static_cast<char>('a' + random() % 6)) + "\n";
            if (random() % 8 != 0) before += line;
            if (random() % 8 != 0) after += line;
        }
        if (random() % 5 == 0) before += "end";
        if (random() % 5 == 0) after += "end";
        INFO(before << "---\n" << after);
        if (before == after) continue;
        CHECK(patched(before, unified_diff("f", before, after)) == after);
    }
    // Beyond what is searched for a shortest script.
    std::string many, others;
    for (int i = 0; i < 3000; ++i) many += "a" + std::to_string(i) + "\n", others += "b" + std::to_string(i) + "\n";
    CHECK(patched(many, unified_diff("f", many, others)) == others);
}

}  // namespace ANML_UNIT_FILE
