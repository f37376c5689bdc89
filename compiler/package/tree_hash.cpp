// The hash by which a fetched package is known again.
#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/files/read_file.h"
#include "package/manifest.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHashed = std::size_t{1} << 30;  // bytes of a file

std::string hexadecimal(llvm::SHA256& hash)
{
    std::string out;
    for (const std::uint8_t byte : hash.final()) out += fmt::format("{:02x}", byte);
    return out;
}

}  // namespace

std::string sha256(std::string_view bytes)
{
    llvm::SHA256 hash;
    hash.update(llvm::StringRef(bytes.data(), bytes.size()));
    return hexadecimal(hash);
}

std::string tree_hash(const std::string& folder, std::string& problem)
{
    std::error_code error;
    std::vector<fs::path> paths;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const bool inner = !at->is_symlink(error) && at->is_directory(error);  // links count, wherever they lead
        if (inner && at.depth() == 0 && at->path().filename() == kOwnFolder) at.disable_recursion_pending();
        if (!error && !inner) paths.push_back(at->path());
    }
    if (error) return problem = error.message(), "";
    std::vector<std::pair<std::string, fs::path>> files;
    for (const fs::path& path : paths) files.emplace_back(path.lexically_relative(folder).generic_string(), path);
    std::sort(files.begin(), files.end());
    llvm::SHA256 hash;
    const auto add = [&](std::string_view text) { hash.update(llvm::StringRef(text.data(), text.size())); };
    for (const auto& [name, path] : files) {
        std::string bytes;
        const bool link = fs::is_symlink(path, error);
        if (link)
            bytes = fs::read_symlink(path, error).string();
        else
            problem = read_file(path.string(), kMostHashed, Readable::files, bytes);
        if (error) problem = error.message();
        if (problem.empty() && bytes.size() > kMostHashed) problem = "it is larger than 1 GiB";
        if (!problem.empty()) return problem = fmt::format("`{}`: {}", path.string(), problem), "";
        // No two trees give the same bytes: the name ends with a zero, and the length says where the content does.
        add(fmt::format("{}{}", link ? "link " : "file ", name));
        add(std::string_view("\0", 1));
        add(fmt::format("{}\n", bytes.size()));
        add(bytes);
    }
    return hexadecimal(hash);
}

}  // namespace anml
