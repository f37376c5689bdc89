// Beside this executable: a build folder and an installation have the same shape.
#include "link/runtime_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <string_view>
#include <vector>

#include "base/process.h"

namespace anml {

bool has_bitcode() { return std::string_view(ANML_SANITIZE).empty(); }

bool is_file(const std::string& path)
{
    struct stat info{};
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string find_runtime_file(const char* name, const std::string& folder, Diagnostics& diagnostics)
{
    std::vector<std::string> folders;
    if (!folder.empty()) {
        folders.push_back(folder);
    } else if (const std::string here = executable_folder(); !here.empty()) {
        folders.push_back(here + "/../lib/anml");
        folders.push_back(here + "/../" ANML_LIBDIR "/anml");
    }
    for (const std::string& candidate : folders) {
        if (std::string path = candidate + "/" + name; is_file(path)) return path;
    }
    auto builder = diagnostics.report(Diag::runtime_not_found, {}, fmt::format("cannot find the runtime's {}", name));
    for (const std::string& candidate : folders) builder.note(fmt::format("looked in {}", candidate));
    if (name == std::string_view(kMpiPlugin)) {
        builder.help(
            "--mpi needs an anmlc that was built where MPI is (Debian's libopenmpi-dev); for others mpicc makes the "
            "plugin "
            "of mpi/plugin.c beside the runtime, and LD_LIBRARY_PATH names its folder");
        return "";
    }
    builder.help("install anmlc with its runtime (cmake --install), or build the target `anmlrt`");
    return "";
}

}  // namespace anml
