#include "driver/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace anml {

std::vector<InputFile> input_files(const std::vector<std::string>& words, Diagnostics& diagnostics)
{
    namespace fs = std::filesystem;
    std::vector<InputFile> files;
    for (const std::string& word : words) {
        std::error_code error;
        if (!fs::is_directory(word, error)) {
            files.push_back({word, ""});
            continue;
        }
        std::vector<std::string> found;
        for (fs::recursive_directory_iterator at(word, error), end; !error && at != end; at.increment(error)) {
            if (at->path().filename() == ".anml") {  // what packages have fetched
                at.disable_recursion_pending();
                continue;
            }
            if (at->path().extension() == ".anml" && at->is_regular_file(error)) found.push_back(at->path().string());
        }
        if (error)
            diagnostics.report(Diag::file_not_found, {}, fmt::format("cannot read `{}`: {}", word, error.message()));
        else if (found.empty())
            diagnostics.report(Diag::file_not_found, {}, fmt::format("the folder `{}` has no .anml file", word));
        std::sort(found.begin(), found.end());
        for (std::string& path : found) files.push_back({std::move(path), word});
    }
    return files;
}

}  // namespace anml
