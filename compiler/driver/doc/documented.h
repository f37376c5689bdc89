// What the words of `anmlc doc` name: modules of the standard library, files, folders, and one declaration of a module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/embedded_modules.h"
#include "source/source_set.h"

namespace anml {

struct Documented {
    std::string module;                          // what it is called
    std::vector<const EmbeddedModule*> library;  // its text, where it is of the standard library
    std::string path;                            // else its file, or "-"
    std::string folder;                          // that the file was found in, "" for one that was named
    std::string declaration;                     // the only one that is asked for; "": all of them
};

// The modules, in the order of their names. Nothing, and a message, where there is none. As an import finds it: beside
// us, or in a folder given with -I, a file before a folder of the same name.
std::vector<Documented> documented(const SourceOptions& options, const std::string& word, Diagnostics& diagnostics);

// What loads the module, which is a file, as `check` of its folder would.
SourceOptions with_folders(const SourceOptions& options, const Documented& module);

// Says that the module has no declaration of that name; `known` are those that it has.
void report_undeclared(const std::string& module, const std::string& name, const std::vector<std::string>& known,
                       Diagnostics& diagnostics);

}  // namespace anml
