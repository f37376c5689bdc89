// What the server needs of those above it: the command line's list of stages and the pictures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "elaborate/network.h"
#include "lsp/documents/snapshot.h"
#include "source/unsaved_texts.h"

namespace anml::lsp {

struct CheckRequest {
    std::string path;
    std::vector<std::string> include_dirs;
    const UnsavedTexts* unsaved = nullptr;
    bool lint = false;  // the linter's rules too
    // Of the present text, without an error: what it understood is not looked at again, but for the linter.
    const Snapshot* snapshot = nullptr;
    // Is shown each network, and what its path queries are worth at the tunables' defaults, as far as they are asked.
    std::function<void(const Network&, const std::vector<double>& answers)> network;
};

struct Tools {
    std::string version;  // of anmlc
    // All that `anmlc check` says of a file, or `anmlc lint`.
    std::function<void(const CheckRequest& request, SourceSet& sources, Diagnostics& diagnostics)> check;
    // The page of `anmlc graph`, of that model, "": the only one. Nothing, and diagnostics, after an error.
    std::function<std::optional<std::string>(const CheckRequest& request, const std::string& model, SourceSet& sources,
                                             Diagnostics& diagnostics)>
        page;
};

// Serves a client on standard input and output until it says `exit`; the exit status.
int serve(const Tools& tools, std::vector<std::string> include_dirs);

}  // namespace anml::lsp
