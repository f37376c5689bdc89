// Files of the workspace that are not open.
#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "lsp/documents/workspace.h"

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

std::vector<json> Workspace::symbols(SymbolsOf made)
{
    const ReadOptions options{client.include_dirs, client.encoding};
    std::vector<json> all;
    for (const auto& [uri, document] : documents_) {
        if (document->library) continue;
        if (document->fresh())
            all.push_back(made(*this, *document->snapshot));
        else
            all.push_back(made(*this, Snapshot(document->path, options, texts_, Depth::text)));
    }
    std::map<std::string, Closed> now;
    for (const std::string& path : closed_files()) {
        std::error_code error;
        const auto changed = fs::last_write_time(path, error).time_since_epoch().count();
        Closed& file = now[path];
        if (const auto known = closed_.find(path); known != closed_.end() && known->second.changed == changed) {
            file = known->second;
            all.push_back(json::parse(file.symbols));
        } else {
            all.push_back(made(*this, Snapshot(path, options, texts_, Depth::text)));
            file = {changed, text_of(all.back()), true};
            closed_changed_ = true;
        }
    }
    closed_changed_ = closed_changed_ || now.size() != closed_.size();
    closed_ = std::move(now);
    return all;
}

// Of each file a line with its path and time, and one with its symbols, which is empty where they are known.
std::string Workspace::learned() const
{
    std::string text;
    if (!closed_changed_) return text;
    for (const auto& [path, file] : closed_)
        text += text_of({path, file.changed}) + '\n' + (file.fresh ? file.symbols : "") + '\n';
    return text;
}

void Workspace::learn(std::string_view text)
{
    if (text.empty()) return;
    std::map<std::string, Closed> now;
    const auto line = [&] {
        const std::size_t end = text.find('\n');
        const std::string_view one = text.substr(0, end);
        text.remove_prefix(end + 1);
        return one;
    };
    while (!text.empty()) {
        const json of = json::parse(line());
        const std::string_view symbols = line();
        const std::string& path = of[0].get_ref<const std::string&>();
        if (!symbols.empty())
            now[path] = {of[1].get<std::int64_t>(), std::string(symbols)};
        else if (const auto known = closed_.find(path); known != closed_.end())
            now[path] = std::move(known->second);
    }
    closed_ = std::move(now);
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
