#include "entry/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

#include "app/content.h"
#include "commandline/whole_file.h"
#include "net/model.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

namespace fs = std::filesystem;

// Where a web server looks for a URL's path: no query, "%20" a blank, the index of a folder. "": it would leave the
// folder.
std::string file_of(std::string_view path)
{
    path = path.substr(0, path.find_first_of("?#"));
    std::string file;
    for (std::size_t i = 0; i < path.size(); ++i) {
        unsigned code = 0;
        if (path[i] == '%' && i + 2 < path.size() &&
            std::sscanf(std::string(path.substr(i + 1, 2)).c_str(), "%2x", &code) == 1)
        {
            file += static_cast<char>(code);
            i += 2;
        } else {
            file += path[i];
        }
    }
    if (file.empty() || file.back() == '/') file += "index.html";
    file.erase(0, std::min(file.find_first_not_of('/'), file.size()));
    const fs::path parts(file);
    return std::find(parts.begin(), parts.end(), "..") == parts.end() ? file : "";
}

bool write_body(const Model& model, std::uint32_t document, const fs::path& path, std::string& error)
{
    const std::uint32_t response = content::response(document);
    const std::uint64_t end = content::length(model, response), head = end - model.documents().size(document);
    commandline::WholeFile file(path.string());
    bool good = true;
    std::vector<std::uint8_t> part;
    for (std::uint64_t at = head; good && at < end; at += part.size()) {
        constexpr std::uint64_t kAtOnce = 1 << 16;
        part.resize(std::min(kAtOnce, end - at));
        content::produce(model, response, at, part);
        good = file.write({reinterpret_cast<const char*>(part.data()), part.size()});
    }
    good = good && file.keep();
    if (!good) error = fmt::format("cannot write {}: {}", path.string(), std::strerror(errno));
    return good;
}

}  // namespace

std::optional<WrittenDocuments> write_documents(const Model& model, const std::string& folder, std::string& error)
{
    WrittenDocuments written;
    std::map<std::string, std::uint64_t> sizes;  // by file: workloads may share some
    for (std::uint32_t i = 0; i < model.documents().count(); ++i) {
        const std::string path = model.documents().path(i), file = file_of(path);
        const std::uint64_t size = model.documents().size(i);
        if (model.documents().written(i)) continue;  // what it is answered with is the server's
        if (const abi::FileDocument* logged = model.documents().logged(i))  // of several lengths the first
            if (logged->method != abi::Method::GET || logged->status != 200 || sizes.contains(file)) continue;
        if (file.empty()) {
            error = fmt::format("the document {} would lie outside of {}", path, folder);
            return std::nullopt;
        }
        const auto [known, added] = sizes.emplace(file, size);
        if (!added && known->second != size) {
            error = fmt::format("two documents have the path {}: of {} and of {}", path,
                                format_quantity(static_cast<double>(known->second), abi::Unit::size),
                                format_quantity(static_cast<double>(size), abi::Unit::size));
            return std::nullopt;
        }
        if (!added) continue;
        const fs::path target = fs::path(folder) / file;
        std::error_code refused;
        fs::create_directories(target.parent_path(), refused);
        if (refused) {
            error = fmt::format("cannot make the folder {}: {}", target.parent_path().string(), refused.message());
            return std::nullopt;
        }
        if (!write_body(model, i, target, error)) return std::nullopt;
        ++written.files;
        written.bytes += size;
    }
    return written;
}

}  // namespace anml::rt::entry
