#include "commandline/mistakes.h"

#include <fmt/format.h>

namespace anml::commandline {

std::string plain_mistake(std::string_view said)
{
    constexpr std::string_view kNone = ": 1 required ", kMissing = " missing",
                               kMany = ": At Most 1 required but received ";
    if (const std::size_t at = said.find(kNone); at != said.npos && said.ends_with(kMissing))
        return fmt::format("{} needs a value", said.substr(0, at));
    if (const std::size_t at = said.find(kMany); at != said.npos)
        return fmt::format("{} is given {} times", said.substr(0, at), said.substr(at + kMany.size()));
    return std::string(said);
}

}  // namespace anml::commandline
