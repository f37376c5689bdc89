// The .anml files of the tree, and what they become by one slip of the pen.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../tier.h"
#include "syntax/syntax_tree.h"

namespace anml::testing {

inline std::string text_of(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::vector<std::filesystem::path> anml_files()
{
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const char* folder : {"stdlib", "examples", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(ANML_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".anml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

// Places of the main file's tokens.
inline std::vector<Span> token_spans(const SyntaxTree& tree)
{
    std::vector<Span> spans;
    for (std::size_t i = 0; i < tree.tokens.size() && tree.tokens.file(i) == FileId(0); ++i)
        spans.push_back(tree.tokens[i].span);
    return spans;
}

enum class Slip { without, twice, swapped, other, cut };
inline constexpr Slip kSlips[] = {Slip::without, Slip::twice, Slip::swapped, Slip::other, Slip::cut};

// The text with that done at token `at`. `other`: a word of the same text stands there besides.
inline std::string mutant(const std::string& text, const std::vector<Span>& tokens, std::size_t at, Slip slip)
{
    const auto word = [&](std::size_t i) { return text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin); };
    const Span here = tokens[at];
    const std::string before = text.substr(0, here.begin), behind = text.substr(here.end);
    switch (slip) {
        case Slip::without:
            return before + behind;
        case Slip::twice:
            return before + word(at) + " " + word(at) + behind;
        case Slip::swapped: {
            if (at + 1 == tokens.size()) return before;
            const Span next = tokens[at + 1];
            return before + word(at + 1) + text.substr(here.end, next.begin - here.end) + word(at) +
                   text.substr(next.end);
        }
        case Slip::other:
            return before + word((at * 7919 + 13) % tokens.size()) + " " + word(at) + behind;
        case Slip::cut:
            return before;
    }
    return text;
}

}  // namespace anml::testing
