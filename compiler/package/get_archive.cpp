// An archive of this machine, or of an address, which curl fetches.
#include <fmt/format.h>

#include <filesystem>

#include "base/process.h"
#include "package/get.h"
#include "package/unpack.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

bool download(const std::string& address, const std::string& to, std::string& problem)
{
    if (!address.starts_with("https://") && !address.starts_with("http://"))
        return problem = "archives are files, or have an address with https:// or http://", false;
    const std::string curl = find_program("curl");
    if (curl.empty()) return problem = "curl, which fetches addresses, is not installed", false;
    const ProcessResult result =
        run_process({curl, "--disable", "--fail", "--location", "--silent", "--show-error", "--globoff", "--proto",
                     "=https,http", "--max-redirs", "10", "--max-filesize", "268435456", "--connect-timeout", "30",
                     "--output", to, "--url", address});
    if (result.exit_code == 0) return true;
    problem = result.output.empty() ? result.problem : result.output;
    while (problem.ends_with('\n')) problem.pop_back();
    if (problem.empty()) problem = fmt::format("curl ended with status {}", result.exit_code);
    return false;
}

}  // namespace

std::optional<Gotten> get_archive(const std::string& address, const std::string& staging, std::string& problem)
{
    std::string file = address.starts_with("file://") ? address.substr(7) : address;
    if (!is_local(address)) {
        file = staging + "/archive";
        if (!download(address, file, problem)) return std::nullopt;
    }
    Gotten gotten;
    gotten.folder = staging + "/tree";
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return problem = fmt::format("there is no file `{}`", file), std::nullopt;
    if (problem = unpack(file, gotten.folder); !problem.empty()) return std::nullopt;
    // Archives of releases have all they hold in one folder.
    if (!fs::exists(in_folder(gotten.folder, kManifestFile), error)) {
        std::vector<fs::path> inside;
        for (const fs::directory_entry& entry : fs::directory_iterator(gotten.folder, error)) inside.push_back(entry);
        if (inside.size() == 1 && fs::is_directory(inside.front(), error) && !fs::is_symlink(inside.front(), error))
            gotten.folder = inside.front().string();
    }
    return gotten;
}

}  // namespace anml
