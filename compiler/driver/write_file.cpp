#include "driver/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "commandline/whole_file.h"

namespace anml {

bool write_file(const std::string& path, std::string_view bytes, Diagnostics& diagnostics)
{
    if (commandline::write_whole(path, bytes)) return true;
    diagnostics.report(Diag::cannot_write_output, {}, fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
    return false;
}

}  // namespace anml
