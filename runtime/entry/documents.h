// `info --documents`: the files that the workloads ask for, so that a real web server can have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace anml::rt {
class Model;

namespace entry {

struct WrittenDocuments {
    std::uint64_t files = 0, bytes = 0;
};

// A path is a file below `folder`, its bytes are those of the simulated server. Folders are made, files replaced.
// Nothing: `error`.
std::optional<WrittenDocuments> write_documents(const Model& model, const std::string& folder, std::string& error);

}  // namespace entry
}  // namespace anml::rt
