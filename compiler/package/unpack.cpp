// By libarchive, entry by entry; nothing is written that was not looked at.
#include "package/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20'000;
constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;

// Loaded when an archive is read: it brings a dozen libraries, which nothing else of anmlc needs (docs/decisions/0096).
#define ANML_LIBARCHIVE(X)               \
    X(archive_entry_filetype)            \
    X(archive_entry_hardlink)            \
    X(archive_entry_pathname)            \
    X(archive_entry_pathname_utf8)       \
    X(archive_entry_symlink)             \
    X(archive_entry_symlink_utf8)        \
    X(archive_error_string)              \
    X(archive_read_data_block)           \
    X(archive_read_free)                 \
    X(archive_read_new)                  \
    X(archive_read_next_header)          \
    X(archive_read_open_filename)        \
    X(archive_read_support_filter_bzip2) \
    X(archive_read_support_filter_gzip)  \
    X(archive_read_support_filter_xz)    \
    X(archive_read_support_filter_zstd)  \
    X(archive_read_support_format_tar)   \
    X(archive_read_support_format_zip)
struct Library {
#define X(name) decltype(&::name) name = nullptr;
    ANML_LIBARCHIVE(X)
#undef X
    bool there = false;

    Library()
    {
        void* const handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
        there = handle != nullptr;
#define X(function) \
    there = there && (function = reinterpret_cast<decltype(function)>(dlsym(handle, #function))) != nullptr;
        ANML_LIBARCHIVE(X)
#undef X
    }
};
#undef ANML_LIBARCHIVE
const Library& libarchive()
{
    static const Library library;
    return library;
}

struct Free {
    void operator()(archive* reader) const { libarchive().archive_read_free(reader); }
};

const char* or_plain(const char* utf8, const char* plain) { return utf8 ? utf8 : plain; }

// The name as a path below a folder; "": it is the folder itself. False: it leads out.
bool inner_path(const fs::path& name, fs::path& out)
{
    if (name.has_root_path()) return false;
    out.clear();
    for (const fs::path& part : name) {
        if (part == "..") return false;
        if (!part.empty() && part != ".") out /= part;
    }
    return true;
}

class Unpacker {
  public:
    Unpacker(archive* reader, const std::string& folder) : reader_(reader), folder_(folder) {}

    std::string run()
    {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) return error.message();
        archive_entry* entry = nullptr;
        for (;;) {
            const int status = libarchive().archive_read_next_header(reader_, &entry);
            if (status == ARCHIVE_EOF) break;
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return failure();
            if (++entries_ > kMostEntries) return fmt::format("it has more than {} entries", kMostEntries);
            if (std::string wrong = take(entry); !wrong.empty()) return wrong;
        }
        if (entries_ == 0) return "it is empty";
        return make_links();
    }

  private:
    std::string failure() const
    {
        const char* said = libarchive().archive_error_string(reader_);
        return said ? fmt::format("it cannot be unpacked: {}", said) : "it cannot be unpacked";
    }

    static std::string too_large() { return fmt::format("it holds more than {} MiB", kMostBytes >> 20); }

    std::string take(archive_entry* entry)
    {
        const char* name =
            or_plain(libarchive().archive_entry_pathname_utf8(entry), libarchive().archive_entry_pathname(entry));
        if (!name) return "it has a name that is no text";
        fs::path inner;
        if (!inner_path(name, inner)) return fmt::format("it has `{}`, which would lie outside of its folder", name);
        if (inner.empty()) return "";
        if (libarchive().archive_entry_hardlink(entry)) return fmt::format("it has a hard link, `{}`", name);
        std::error_code error;
        const fs::path path = folder_ / inner;
        switch (libarchive().archive_entry_filetype(entry)) {
            case AE_IFDIR:
                fs::create_directories(path, error);
                break;
            case AE_IFREG:
                fs::create_directories(path.parent_path(), error);
                return error ? fmt::format("`{}`: {}", name, error.message()) : write(name, path);
            case AE_IFLNK: {
                const char* target =
                    or_plain(libarchive().archive_entry_symlink_utf8(entry), libarchive().archive_entry_symlink(entry));
                if (!target) return fmt::format("the link `{}` has a target that is no text", name);
                links_.emplace_back(inner, target);
                break;
            }
            default:
                return fmt::format("it has `{}`, which is neither a file nor a folder", name);
        }
        return error ? fmt::format("`{}`: {}", name, error.message()) : "";
    }

    std::string write(const char* name, const fs::path& path)
    {
        std::error_code error;
        if (fs::exists(path, error)) return fmt::format("it has `{}` twice", name);
        std::ofstream file(path, std::ios::binary);
        const void* bytes = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        std::int64_t end = 0;
        for (;;) {
            const int status = libarchive().archive_read_data_block(reader_, &bytes, &size, &offset);
            if (status == ARCHIVE_EOF) break;
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return failure();
            // Holes count, too.
            if (offset < end || offset > kMostBytes) return offset < end ? failure() : too_large();
            written_ += offset - end + static_cast<std::int64_t>(size);
            end = offset + static_cast<std::int64_t>(size);
            if (written_ > kMostBytes) return too_large();
            file.seekp(offset);
            file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        }
        file.close();
        return file ? "" : fmt::format("cannot write `{}`: {}", path.string(), std::strerror(errno));
    }

    // When all else is there, so that nothing is written through one of them.
    std::string make_links()
    {
        std::error_code error;
        const fs::path whole = fs::canonical(folder_, error);
        if (error) return error.message();
        for (const auto& [inner, target] : links_) {
            const fs::path to = (inner.parent_path() / target).lexically_normal();
            if (fs::path(target).has_root_path() || *to.begin() == "..")
                return fmt::format("the link `{}` leads out of its folder, to `{}`", inner.string(), target);
            // Nor is a link made below another one.
            const fs::path above = (whole / inner).parent_path();
            if (fs::weakly_canonical(above, error) != above || error)
                return fmt::format("the link `{}` lies behind another link", inner.string());
            fs::create_directories(above, error);
            if (!error) fs::create_symlink(target, folder_ / inner, error);
            if (error) return fmt::format("`{}`: {}", inner.string(), error.message());
        }
        for (const auto& [inner, target] : links_) {
            const fs::path there = fs::canonical(whole / inner, error);
            if (error || *there.lexically_relative(whole).begin() == "..")
                return fmt::format("the link `{}` leads out of its folder, or nowhere", inner.string());
        }
        return "";
    }

    archive* reader_;
    fs::path folder_;
    std::size_t entries_ = 0;
    std::int64_t written_ = 0;
    std::vector<std::pair<fs::path, std::string>> links_;
};

}  // namespace

std::string unpack(const std::string& path, const std::string& folder)
{
    if (!libarchive().there)
        return "libarchive, which reads archives, is not installed (libarchive.so.13; Debian: libarchive13)";
    const std::unique_ptr<archive, Free> reader(libarchive().archive_read_new());
    if (!reader) return "there is not enough memory";
    libarchive().archive_read_support_format_tar(reader.get());
    libarchive().archive_read_support_format_zip(reader.get());
    libarchive().archive_read_support_filter_gzip(reader.get());
    libarchive().archive_read_support_filter_bzip2(reader.get());
    libarchive().archive_read_support_filter_xz(reader.get());
    libarchive().archive_read_support_filter_zstd(reader.get());
    if (libarchive().archive_read_open_filename(reader.get(), path.c_str(), 65536) != ARCHIVE_OK) {
        const char* said = libarchive().archive_error_string(reader.get());
        return said ? fmt::format("it is no archive: {}", said) : "it is no archive";
    }
    return Unpacker(reader.get(), folder).run();
}

}  // namespace anml
