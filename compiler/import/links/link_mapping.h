// How attributes of a foreign graph's edges become a link: a profile whose parameters are called as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/interpret.h"
#include "syntax/syntax_tree.h"

namespace anml {

struct MappedParameter {
    std::string name, type;  // as the profile declares them: "LinkSpeedRaw", "number"
    bool has_default = false;
    Span span;
};

struct LinkMapping {
    std::string profile;  // "" : what the file says, without a profile
    std::vector<MappedParameter> parameters;
    std::vector<std::string> each_way;  // attributes that the profile may set for each direction apart
    std::vector<std::pair<std::string, std::string>> whole;  // those of the link that it sets, and their text
    double rate = 1e9, delay = 1e6;  // bit/s, ns: where nothing is said

    // What stands right of a link's ends. Nothing after an error.
    std::optional<std::string> use(const ForeignGraph& graph, const ImportedLink& link, ImportLosses& losses,
                                   Diagnostics& diagnostics) const;

  private:
    using Arguments = std::vector<std::string>;  // "rate = 2 bps", by parameter; "": the default
    std::optional<Arguments> arguments(const ForeignGraph& graph, const ImportedLink& link, bool back,
                                       ImportLosses& losses, Diagnostics& diagnostics) const;
    bool agree(const ForeignGraph& graph, const ImportedLink& link, const Arguments& there, const Arguments& back,
               Diagnostics& diagnostics) const;
    std::string applied(const Arguments& arguments) const;  // "path(rate = 2 bps)"
    std::string plain(const ImportedLink& link, ImportLosses& losses) const;
};

}  // namespace anml
