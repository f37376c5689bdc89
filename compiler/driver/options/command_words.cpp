#include "driver/options/command_words.h"

#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>

#include <string_view>

#include "base/files/read_file.h"

namespace anml {

namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20, kMostWords = 1'000'000;
constexpr int kDeepest = 16;  // files in each other

// Empty, or what is wrong.
std::string expand(std::string_view word, int depth, std::vector<std::string>& words)
{
    if (words.size() == kMostWords) return fmt::format("there are more than {} words", kMostWords);
    if (!word.starts_with("@")) return words.emplace_back(word), "";
    const std::string path(word.substr(1));
    if (depth == kDeepest) return fmt::format("files of options are nested more than {} deep: `{}`", kDeepest, path);
    std::string text;
    std::string problem = read_text(path, kLargestFile, Readable::anything, text);
    if (text.size() > kLargestFile) problem = fmt::format("it is larger than {} MiB", kLargestFile >> 20);
    if (text.find('\0') != text.npos) problem = "it is no text";
    if (!problem.empty()) return fmt::format("cannot read `{}`, which would hold options: {}", path, problem);
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char*, 32> inside;
    llvm::cl::TokenizeGNUCommandLine(text, saver, inside);
    for (const char* each : inside)
        if (std::string wrong = expand(each, depth + 1, words); !wrong.empty()) return wrong;
    return "";
}

}  // namespace

std::string expand_words(std::span<const char* const> given, CommandWords& result)
{
    std::vector<std::string> expanded;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (i == 0)
            expanded.emplace_back(given[0]);
        else if (std::string wrong = expand(given[i], 0, expanded); !wrong.empty())
            return wrong;
    }
    for (std::size_t i = 0; i < expanded.size(); ++i) {
        std::string word = std::move(expanded[i]);
        if (word == "-MF") {
            if (++i == expanded.size()) return "-MF wants a path";
            word += expanded[i];
        }
        result.words.push_back(result.made.emplace_back(std::move(word)).c_str());
    }
    return {};
}

}  // namespace anml
