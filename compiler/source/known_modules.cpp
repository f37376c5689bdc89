#include "source/known_modules.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "base/files/read_file.h"
#include "common/ascii.h"
#include "source/embedded_modules.h"
#include "source/package_imports.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;
constexpr std::size_t kMostEntries = 2000;

constexpr std::size_t kTop = 4096;  // bytes of a file in which its documentation is looked for

// The first paragraph of `///` at the top, where `edition`, an import or an empty line follows: see language.md, "Words
// and lines".
std::string about_file(std::string_view text)
{
    std::string about;
    bool more = true;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.starts_with("///")) {
            line.remove_prefix(std::min(line.find_first_not_of(' ', 3), line.size()));
            more = more && !line.empty();
            if (more) about += (about.empty() ? "" : " ") + std::string(line);
        } else if (!about.empty()) {
            return line.empty() || line.starts_with("edition ") || line.starts_with("import ") ? about : "";
        } else if (!line.empty() && !line.starts_with("//")) {
            break;
        }
    }
    return {};
}

class Search {
  public:
    Search(const SourceOptions& options, const UnsavedTexts& unsaved)
        : options_(options), unsaved_(unsaved), itself_(path_key(options.input))
    {
    }

    std::vector<KnownModule> run()
    {
        for (const EmbeddedModule& module : embedded_modules())
            add({std::string(module.module), "", false, about_file(module.text)});
        const fs::path folder = fs::path(options_.input).parent_path();
        look(folder, "", 0);
        SourceSet sources;
        sources.add(options_.input, "", "");
        Diagnostics unsaid;  // what is wrong with a package is said of its imports
        for (const PackageImports::Source& source : PackageImports(sources, unsaid).sources_of(folder.string())) {
            const std::string& name = source.name;
            if (!name.empty()) {
                // `src/metro.anml` of the package `metro` is what its name means, or else the folder.
                const std::string main = in_folder(source.folder, name + ".anml");
                if (readable(main)) add({name, main, false, ""});
                if (has_modules(source.folder)) add({name, "", true, ""});
            }
            look(source.folder, name.empty() ? "" : name + ".", 0);
        }
        for (const std::string& include : options_.include_dirs) look(include, "", 0);
        return std::move(found_);
    }

  private:
    void add(KnownModule module)
    {
        if (!names_.insert(module.name).second) return;
        if (!module.path.empty()) module.about = about_file(top_of(module.path));
        found_.push_back(std::move(module));
    }

    std::string top_of(const std::string& path) const
    {
        if (const auto open = unsaved_.find(path_key(path)); open != unsaved_.end())
            return open->second.substr(0, kTop);
        std::string top;
        read_blocks(path, std::numeric_limits<std::size_t>::max() - 1, Readable::files, [&](std::string_view block) {
            top += block;
            return top.size() < kTop;
        });
        return top.substr(0, kTop);
    }

    bool readable(const std::string& path) const
    {
        std::error_code error;
        const std::string key = path_key(path);
        return key != itself_ && (fs::is_regular_file(path, error) || unsaved_.contains(key));
    }

    static bool is_name(std::string_view word)
    {
        return !word.empty() && begins_word(word.front()) && std::all_of(word.begin(), word.end(), in_word);
    }

    bool has_modules(const fs::path& folder)
    {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
            if (at->path().extension() == ".anml" && ++entries_ <= kMostEntries) return true;
        return false;
    }

    // `prefix` stands before the names of those that are there.
    void look(const fs::path& folder, const std::string& prefix, int depth)
    {
        std::vector<fs::path> files, folders;
        std::error_code error, ignored;
        for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
             at.increment(error))
        {
            if (++entries_ > kMostEntries) break;
            const fs::path& path = at->path();
            if (!is_name(path.stem().string())) continue;
            if (path.extension() == ".anml")
                files.push_back(folder / path.filename());
            else if (!path.has_extension() && at->is_directory(ignored))
                folders.push_back(folder / path.filename());
        }
        std::sort(files.begin(), files.end());
        std::sort(folders.begin(), folders.end());
        for (const fs::path& file : files)
            if (readable(file.string())) add({prefix + file.stem().string(), file.string(), false, ""});
        for (const fs::path& inner : folders) {
            const std::string name = prefix + inner.filename().string();
            if (has_modules(inner)) add({name, "", true, ""});
            // Other packages below have names of their own.
            if (depth < kDeepest && !fs::exists(inner / kManifestFile, ignored)) look(inner, name + ".", depth + 1);
        }
    }

    const SourceOptions& options_;
    const UnsavedTexts& unsaved_;
    std::string itself_;
    std::size_t entries_ = 0;
    std::set<std::string> names_;
    std::vector<KnownModule> found_;
};

}  // namespace

std::vector<KnownModule> known_modules(const SourceOptions& options, const UnsavedTexts& unsaved)
{
    return Search(options, unsaved).run();
}

}  // namespace anml
