#include "lsp/documents/library_copy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "source/embedded_modules.h"

namespace anml::lsp {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShown = "<std>/";

std::string cache_folder()
{
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return cache;
    if (const char* home = std::getenv("HOME"); home && *home == '/') return fmt::format("{}/.cache", home);
    return {};
}

// FNV-1a, 64 bits: tells versions of the library apart.
std::uint64_t digest()
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const EmbeddedModule& module : embedded_modules())
        for (const std::string_view part : {module.path, module.text})
            for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

}  // namespace

LibraryCopy::LibraryCopy()
{
    if (const std::string cache = cache_folder(); !cache.empty())
        folder_ = fmt::format("{}/anml/library-{:016x}", cache, digest());
}

bool LibraryCopy::make() const
{
    std::error_code error;
    if (fs::exists(folder_, error)) return true;
    // Whole, or not at all: another server may be doing the same.
    const std::string made = fmt::format("{}.{}", folder_, ::getpid());
    for (const EmbeddedModule& module : embedded_modules()) {
        const fs::path path = fs::path(made) / module.path;
        fs::create_directories(path.parent_path(), error);
        std::ofstream out(path, std::ios::binary);
        out << module.text;
        out.close();
        if (!out) return fs::remove_all(made, error), false;
        fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read, error);
    }
    fs::rename(made, folder_, error);
    if (error) fs::remove_all(made, error);
    return fs::exists(folder_, error);
}

std::string LibraryCopy::path(std::string_view shown)
{
    if (folder_.empty() || !shown.starts_with(kShown)) return {};
    shown.remove_prefix(kShown.size());
    for (const EmbeddedModule& module : embedded_modules())
        if (module.path == shown || module.path == fmt::format("std/{}", shown))
            return make() ? fmt::format("{}/{}", folder_, module.path) : "";
    return {};
}

}  // namespace anml::lsp
