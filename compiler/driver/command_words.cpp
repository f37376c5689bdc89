#include "driver/command_words.h"

#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>

#include <string_view>

namespace anml {

std::string expand_words(std::span<const char* const> given, CommandWords& result)
{
    llvm::BumpPtrAllocator allocator;
    llvm::SmallVector<const char*, 32> expanded(given.begin(), given.end());
    llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
    if (llvm::Error error = context.expandResponseFiles(expanded)) return llvm::toString(std::move(error));
    for (std::size_t i = 0; i < expanded.size(); ++i) {
        std::string word = expanded[i];
        if (i > 0 && word.starts_with("@"))
            return fmt::format("cannot read `{}`, which would hold options", word.substr(1));
        if (word == "-MF") {
            if (++i == expanded.size()) return "-MF wants a path";
            word += expanded[i];
        }
        result.words.push_back(result.made.emplace_back(std::move(word)).c_str());
    }
    return {};
}

}  // namespace anml
