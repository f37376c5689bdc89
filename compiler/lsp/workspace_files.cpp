// Files of the workspace that are not open.
#include <algorithm>
#include <filesystem>

#include "base/read_file.h"
#include "lsp/workspace.h"

namespace anml::lsp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000, kMostEntries = 100'000;
constexpr std::size_t kLargestFile = std::size_t{8} << 20;

}  // namespace

std::vector<std::string> Workspace::closed_files() const
{
    std::vector<std::string> paths;
    std::size_t entries = 0;
    for (const std::string& folder : client.folders) {
        std::error_code error;
        auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
        for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
            if (++entries > kMostEntries || paths.size() >= kMostFiles) return paths;
            const std::string name = at->path().filename().string();
            std::error_code ignored;
            if (at->is_directory(ignored)) {
                if (name.starts_with(".") || name == "build" || name == "node_modules") at.disable_recursion_pending();
            } else if (at->path().extension() == ".anml" && at->is_regular_file(ignored) &&
                       at->file_size(ignored) <= kLargestFile)
            {
                const std::string key = path_key(at->path().string());
                if (!texts_.contains(key)) paths.push_back(key);
            }
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::vector<std::shared_ptr<const Snapshot>> Workspace::all_files()
{
    std::vector<std::shared_ptr<const Snapshot>> all;
    for (auto& [uri, document] : documents_) {
        if (document->library) continue;
        snapshot(*document);
        all.push_back(document->snapshot);
    }
    std::map<std::string, Closed> now;
    for (const std::string& path : closed_files()) {
        std::error_code error;
        const auto changed = fs::last_write_time(path, error).time_since_epoch().count();
        Closed& file = now[path];
        if (const auto known = closed_.find(path); known != closed_.end() && known->second.changed == changed)
            file = known->second;
        else
            file = {changed, std::make_shared<Snapshot>(path, ReadOptions{client.include_dirs, client.encoding}, texts_,
                                                        Depth::text)};
        all.push_back(file.snapshot);
    }
    closed_ = std::move(now);
    return all;
}

std::vector<std::shared_ptr<const Snapshot>> Workspace::others_with(const std::string& word, const std::string& key)
{
    std::vector<std::shared_ptr<const Snapshot>> all;
    const auto sees = [&](const Snapshot& s) { return key.starts_with("<") || s.files_read.contains(key); };
    for (auto& [uri, document] : documents_)
        if (!document->library && document->text.find(word) != std::string::npos && sees(snapshot(*document)))
            all.push_back(document->snapshot);
    for (const std::string& path : closed_files()) {
        std::string text;
        if (!read_text(path, kLargestFile, Readable::files, text).empty() || text.find(word) == std::string::npos)
            continue;
        auto made = std::make_shared<Snapshot>(path, ReadOptions{client.include_dirs, client.encoding}, texts_);
        if (sees(*made)) all.push_back(std::move(made));
    }
    return all;
}

}  // namespace anml::lsp
